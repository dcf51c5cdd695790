// All themes, high contrast included: text reads, selection stands out, icons draw in the colour of text.
#include <QApplication>
#include <QPainter>
#include <QtTest>

#include "widgets/theme/theme.hpp"

using namespace crosspoint::ui;

namespace {

// WCAG 2.1, success criteria 1.4.3 (text) and 1.4.11 (parts of figures).
constexpr double textRatio = 4.5, figureRatio = 3.0;

struct NamedTheme {
    const char* name;
    Theme theme;
};

std::vector<NamedTheme> themes() {
    return {{"light", Theme::light()}, {"dark", Theme::dark()}, {"high contrast", Theme::highContrast()}};
}

}  // namespace

class TestThemeColours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textReadsOnEveryGround() {
        for (const auto& [name, t] : themes()) {
            const std::pair<const char*, QColor> grounds[] = {
                {"window", t.window}, {"panel", t.panel}, {"canvas", t.canvas},
                {"field", t.field},   {"lane", t.lane},   {"container", t.container},
                {"box", t.box},       {"hover", t.hover}, {"accent fill", t.accent_fill}};
            for (const auto& [ground, colour] : grounds) {
                for (const auto& [word, ink] : {std::pair{"text", t.text}, {"secondary", t.secondary}})
                    QVERIFY2(
                        contrast(ink, colour) >= textRatio,
                        qPrintable(
                            QStringLiteral("%1: %2 on %3 is %4:1").arg(name, word, ground).arg(contrast(ink, colour))));
            }
            QVERIFY2(contrast(t.accent, t.panel) >= textRatio, name);
        }
    }

    void colouredTextReads() {
        for (const auto& [name, t] : themes()) {
            for (const Severity s : {Severity::pass, Severity::attention, Severity::fail, Severity::not_applicable})
                QVERIFY2(contrast(t.severityText(s), t.panel) >= textRatio, name);
            for (const LoadClass l : {LoadClass::none, LoadClass::low, LoadClass::middle, LoadClass::high})
                QVERIFY2(contrast(t.loadText(l), t.canvas) >= textRatio, name);
            for (int i = 0; i < 6; ++i) {
                QVERIFY2(contrast(t.categoryText(i), t.panel) >= textRatio, name);
                QVERIFY2(contrast(t.textOn(t.category(i)), t.category(i)) >= textRatio, name);
            }
        }
    }

    void selectionStandsOut() {
        for (const auto& [name, t] : themes()) {
            QVERIFY2(contrast(t.accent, t.canvas) >= figureRatio, name);
            QVERIFY2(contrast(t.accent, t.container) >= figureRatio, name);
        }
    }

    void highContrastIsHigher() {
        const Theme t = Theme::highContrast();
        QVERIFY(contrast(t.text, t.canvas) >= 7);  // WCAG 2.1, 1.4.6
        QVERIFY(contrast(t.secondary, t.canvas) >= 7);
        QVERIFY(contrast(t.box_border, t.box) >= figureRatio);
        QVERIFY(contrast(t.border, t.canvas) >= figureRatio);
    }

    void paletteIsOkabeIto() {
        const QStringList published{"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"};
        for (const auto& [name, t] : themes())
            for (int i = 0; i < 6; ++i) QCOMPARE(t.category(i).name(), published[i]);
        QCOMPARE(Theme::light().category(-1).name(), published[5]);
        QCOMPARE(Theme::light().category(7).name(), published[1]);
    }

    void everyIconDrawsInTheTextColour() {
        QCOMPARE(iconNames().size(), 12);
        QVERIFY(icon("no such icon", Theme::light()).isNull());
        for (const auto& [name, t] : themes()) {
            QSet<QByteArray> pictures;
            for (const QString& action : iconNames()) {
                const QImage image = icon(action, t).pixmap(32, 32).toImage().convertToFormat(QImage::Format_ARGB32);
                int solid = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        if (image.pixelColor(x, y).alpha() > 200) {
                            ++solid;
                            QVERIFY2(contrast(image.pixelColor(x, y), t.text) < 1.3, qPrintable(action));
                        }
                QVERIFY2(solid > 20, qPrintable(action));
                pictures.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
            }
            QVERIFY2(pictures.size() == iconNames().size(), name);
        }
    }

    void applyingReachesWidgets() {
        for (const auto& [name, t] : themes()) {
            applyTheme(*qApp, t);
            QCOMPARE(qApp->palette().color(QPalette::WindowText), t.text);
            QCOMPARE(qApp->palette().color(QPalette::Highlight), t.accent);
            QVERIFY2(!qApp->styleSheet().contains('@'), name);  // every name is replaced
            QCOMPARE(qApp->font().pixelSize(), 12);
        }
        QCOMPARE(Theme::light().figureFont().pixelSize(), 18);
        QCOMPARE(Theme::light().secondaryFont().pixelSize(), 11);
    }
};

QTEST_MAIN(TestThemeColours)
#include "tst_theme_colours.moc"
