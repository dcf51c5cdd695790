// Colours that can be read and shapes that can be told apart without colour, in both themes.
#include <cmath>

#include <QApplication>
#include <QtTest>

#include "tests/support/warnings.hpp"
#include "widgets/theme/theme.hpp"

using namespace crosspoint::ui;

namespace {

constexpr double wcagText = 4.5;  // WCAG 2.1, success criterion 1.4.3, level AA

const Severity severities[] = {Severity::pass, Severity::attention, Severity::fail, Severity::not_applicable};

Theme themeNamed(const QString& name) { return name == "dark" ? Theme::dark() : Theme::light(); }

void addThemes() {
    QTest::addColumn<QString>("name");
    QTest::newRow("light") << "light";
    QTest::newRow("dark") << "dark";
}

/// A theme of one ink: what differs in it differs by shape.
Theme monochrome() {
    Theme theme = Theme::light();
    theme.categories.fill(QColor(Qt::black));
    theme.disabled = theme.secondary = theme.text = QColor(Qt::black);
    return theme;
}

QImage shapeOf(Severity severity, const Theme& theme, int size) {
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawSeverity(painter, QRectF(0, 0, size, size), severity, theme);
    return image;
}

int differentPixels(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) count += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) > 100;
    return count;
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { fail_on_warnings(); }

    void contrastIsThatOfWcag() {
        // Black on white is 21:1 by definition; #767676 on white is the known grey just above 4.5:1 (W3C, G18).
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QVERIFY(contrast(QColor("#767676"), Qt::white) >= 4.5);
        QVERIFY(contrast(QColor("#777777"), Qt::white) < 4.5);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
    }

    void plainTextReads_data() { addThemes(); }
    void plainTextReads() {
        QFETCH(QString, name);
        const Theme t = themeNamed(name);
        const std::pair<const char*, QColor> grounds[] = {
            {"window", t.window}, {"panel", t.panel},         {"canvas", t.canvas}, {"field", t.field},
            {"lane", t.lane},     {"container", t.container}, {"box", t.box},       {"selected", t.accent_fill},
            {"hover", t.hover}};
        for (const auto& [ground, colour] : grounds) {
            QVERIFY2(contrast(t.text, colour) >= wcagText, ground);
            QVERIFY2(contrast(t.secondary, colour) >= wcagText, ground);
        }
        QVERIFY(contrast(t.accent, t.panel) >= wcagText);  // links
    }

    void colouredTextReads_data() { addThemes(); }
    void colouredTextReads() {
        QFETCH(QString, name);
        const Theme t = themeNamed(name);
        for (const Severity s : severities) QVERIFY(contrast(t.severityText(s), t.panel) >= wcagText);
        for (int i = 0; i < 6; ++i) QVERIFY(contrast(t.categoryText(i), t.panel) >= wcagText);
        for (const LoadClass l : {LoadClass::none, LoadClass::low, LoadClass::middle, LoadClass::high})
            QVERIFY(contrast(t.loadText(l), t.canvas) >= wcagText);
    }

    void labelsOnFillsRead_data() { addThemes(); }
    void labelsOnFillsRead() {
        QFETCH(QString, name);
        const Theme t = themeNamed(name);
        for (int i = 0; i < 6; ++i) QVERIFY(contrast(t.textOn(t.category(i)), t.category(i)) >= wcagText);
        QVERIFY(contrast(t.textOn(t.overhead), t.overhead) >= wcagText);
        QVERIFY(contrast(t.textOn(t.accent), t.accent) >= wcagText);
    }

    /// What applyTheme() hands to plain Qt widgets, hints inside of empty fields included.
    void widgetsTakeReadableColours_data() { addThemes(); }
    void widgetsTakeReadableColours() {
        QFETCH(QString, name);
        applyTheme(*qApp, themeNamed(name));
        const QPalette p = QApplication::palette();
        const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
            {QPalette::WindowText, QPalette::Window},       {QPalette::Text, QPalette::Base},
            {QPalette::ButtonText, QPalette::Button},       {QPalette::HighlightedText, QPalette::Highlight},
            {QPalette::ToolTipText, QPalette::ToolTipBase}, {QPalette::Link, QPalette::Base},
            {QPalette::PlaceholderText, QPalette::Base}};
        for (const auto& [ink, ground] : pairs)
            QVERIFY2(contrast(p.color(ink), p.color(ground)) >= wcagText, qPrintable(QString::number(ink)));
        QVERIFY(!qApp->styleSheet().contains('@'));  // every named colour was filled in
    }

    void readableKeepsWhatReads() {
        QCOMPARE(readable(QColor("#1c2430"), Qt::white), QColor("#1c2430"));
        QVERIFY(contrast(readable(QColor("#E69F00"), Qt::white), Qt::white) >= wcagText);
        QVERIFY(contrast(readable(QColor("#0072B2"), Qt::black), Qt::black) >= wcagText);
    }

    void loadClassesAreThoseOfTheLegend() {
        QCOMPARE(loadClass(-1), LoadClass::none);
        QCOMPARE(loadClass(0), LoadClass::none);
        QCOMPARE(loadClass(std::nan("")), LoadClass::none);
        QCOMPARE(loadClass(0.39), LoadClass::low);
        QCOMPARE(loadClass(0.4), LoadClass::middle);
        QCOMPARE(loadClass(0.8), LoadClass::middle);
        QCOMPARE(loadClass(0.81), LoadClass::high);
    }

    void severitiesDifferWithoutColour() {
        for (const int size : {12, 16, 32})
            for (const Severity a : severities)
                for (const Severity b : severities) {
                    const int different =
                        differentPixels(shapeOf(a, monochrome(), size), shapeOf(b, monochrome(), size));
                    // A twentieth of the square at least; the dash is the smallest shape.
                    if (a != b) QVERIFY2(different >= size * size / 20, qPrintable(severityWord(a) + severityWord(b)));
                    else QCOMPARE(different, 0);
                }
        QCOMPARE(QSet<QString>({severityWord(severities[0]), severityWord(severities[1]), severityWord(severities[2]),
                                severityWord(severities[3])})
                     .size(),
                 4);
    }

    void severityShapesShowOnEveryGround_data() { addThemes(); }
    void severityShapesShowOnEveryGround() {
        QFETCH(QString, name);
        const Theme t = themeNamed(name);
        for (const Severity s : severities) {
            QVERIFY(!severityIcon(s, t).isNull());
            QVERIFY(contrast(t.severity(s), t.panel) >= 2.0);
        }
    }

    void actionsHaveIcons_data() {
        QTest::addColumn<QString>("action");
        for (const char* action : {"new", "open", "save", "undo", "redo", "select", "connect", "fit", "delete",
                                   "duplicate", "export", "report"})
            QTest::newRow(action) << action;
    }
    void actionsHaveIcons() {
        QFETCH(QString, action);
        const QImage light = icon(action, Theme::light()).pixmap(24, 24).toImage();
        QVERIFY(!light.isNull());
        QImage blank(light.size(), QImage::Format_ARGB32_Premultiplied);
        blank.fill(Qt::transparent);
        QVERIFY(light.convertToFormat(blank.format()) != blank);
        QVERIFY(light != icon(action, Theme::dark()).pixmap(24, 24).toImage());
        QVERIFY(light != icon(action, Theme::light()).pixmap({24, 24}, QIcon::Disabled).toImage());
    }

    void unknownIconIsNull() { QVERIFY(icon("no such action", Theme::light()).isNull()); }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
