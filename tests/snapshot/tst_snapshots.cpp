// The pictures of every sample as text: what is written where, what is drawn in which colour, places in whole pixels of
// a 1280 x 640 picture. A change of the look is a diff to be reviewed; CROSSPOINT_UPDATE_GOLDENS=1 writes them anew.
#include <QtTest>

#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "support/recorder.hpp"
#include "widgets/diagram/diagram_view.hpp"
#include "widgets/timeline/timeline_view.hpp"

using namespace crosspoint;

namespace {

constexpr QSize size(1280, 640);

struct Evaluated {
    Scenario scenario;
    Report report;
};

Evaluated evaluated(const Sample& sample) {
    auto document = parse_document(sample.text, sample.name, *builtin_catalogue());
    Evaluator evaluator;
    Report report = evaluator.evaluate(document->scenario);
    return {std::move(document->scenario), std::move(report)};
}

QString colour(const QColor& c) { return c.isValid() ? c.name(QColor::HexArgb) : QStringLiteral("-"); }

/// Fonts differ by fractions of a pixel between their versions: words are placed to eight pixels, shapes to one.
QString text(const Recorder& r) {
    QStringList lines;
    for (const Shape& s : r.shapes)
        lines << QStringLiteral("shape %1 %2 %3 %4 fill %5 line %6")
                     .arg(qRound(s.area.x()))
                     .arg(qRound(s.area.y()))
                     .arg(qRound(s.area.width()))
                     .arg(qRound(s.area.height()))
                     .arg(colour(s.fill), colour(s.line));
    for (const Word& w : r.words)
        lines << QStringLiteral("word %1 %2 %3")
                     .arg(8 * qRound(w.area.center().x() / 8))
                     .arg(8 * qRound(w.area.center().y() / 8))
                     .arg(w.text);
    return lines.join('\n') + '\n';
}

template <class View>
QString picture(View& view) {
    Recorder recorder(size);
    QPainter painter(&recorder);
    view.renderTo(painter, QRectF(QPointF(), size), ui::Theme::light());
    painter.end();
    return text(recorder);
}

QString diagram(const Evaluated& e) {
    ui::DiagramView view;
    view.setData(app::presentDiagram(e.scenario, arrange(*e.scenario.topology), e.report, {}));
    return picture(view);
}

QString timeline(const Evaluated& e, app::ViewState::Scope scope) {
    ui::TimelineView view;
    app::ViewState state;
    state.scope = scope;
    view.setData(app::presentTimeline(e.report, state));
    return picture(view);
}

void compare(const QString& name, const QString& actual) {
    QFile file(qEnvironmentVariable("CROSSPOINT_SOURCE_DIR") + "/tests/snapshot/pictures/" + name + ".txt");
    if (qEnvironmentVariableIsSet("CROSSPOINT_UPDATE_GOLDENS")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(actual.toUtf8());
        file.close();
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QStringList expected = QString::fromUtf8(file.readAll()).split('\n'), now = actual.split('\n');
    for (qsizetype i = 0; i < std::max(expected.size(), now.size()); ++i)
        QVERIFY2(expected.value(i) == now.value(i),
                 qPrintable(QStringLiteral("%1, line %2\n  snapshot: %3\n  now:      %4")
                                .arg(name)
                                .arg(i + 1)
                                .arg(expected.value(i), now.value(i))));
}

}  // namespace

class TestSnapshots : public QObject {
    Q_OBJECT
private slots:
    void pictures_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(builtin_samples().size()); ++i)
            QTest::newRow(std::string(builtin_samples()[std::size_t(i)].name).c_str()) << i;
    }
    void pictures() {
        QFETCH(int, index);
        const Sample& sample = builtin_samples()[std::size_t(index)];
        const QString name = QString::fromStdString(std::string(sample.name));
        const Evaluated e = evaluated(sample);
        QVERIFY(e.report.prediction.has_value());
        compare(name + "-diagram", diagram(e));
        compare(name + "-layer", timeline(e, app::ViewState::Scope::layer));
    }
};

QTEST_MAIN(TestSnapshots)
#include "tst_snapshots.moc"
