// The report's drawings: well-formed, every text inside the picture and none over another, the same bytes each time.
#include <QtTest>

#include <QXmlStreamReader>

#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/io/figures.hpp"
#include "core/io/svg_plot.hpp"

using namespace crosspoint;

namespace {

struct Evaluated {
    std::string name;
    Scenario scenario;
    Report report;
};

const std::vector<Evaluated>& samples() {
    static const std::vector<Evaluated> all = [] {
        std::vector<Evaluated> made;
        const auto catalogue = builtin_catalogue();
        for (const auto& s : builtin_samples()) {
            const auto document = parse_document(s.text, s.name, *catalogue);
            if (!document) qFatal("%s", describe(document.error()).c_str());
            Evaluator evaluator;
            made.push_back({std::string(s.name), document->scenario, evaluator.evaluate(document->scenario)});
        }
        return made;
    }();
    return all;
}

std::vector<std::pair<std::string, std::string>> drawings(const Evaluated& e) {
    return {{"diagram", diagram_svg(e.scenario, e.report)},
            {"layer", layer_timeline_svg(e.report)},
            {"step", step_timeline_svg(e.report)},
            {"crossover", crossover_svg(e.report)},
            {"batch", batch_svg(e.report)},
            {"tensor", tensor_svg(e.report)}};
}

struct Placed {
    std::string text;
    QRectF box;
};

/// Boxes of all texts, with the widths of the drawing's own font; fails the test on broken XML.
struct Drawing {
    QSizeF size;
    std::vector<Placed> texts;
    bool well_formed = true;
};

Placed placed(QXmlStreamReader& xml, double scale, QPointF shift) {
    const auto a = xml.attributes();
    const double size = a.value("font-size").toDouble();
    const bool bold = a.hasAttribute("font-weight");
    const auto anchor = a.value("text-anchor").toString();
    const QPointF at(a.value("x").toDouble(), a.value("y").toDouble());
    const std::string text = xml.readElementText().toStdString();
    const double width = svg::text_width(text, size, bold);
    const double left = anchor == "middle" ? at.x() - width / 2 : anchor == "end" ? at.x() - width : at.x();
    // Ink of a line: 0.75 of the size above the baseline, 0.2 below.
    return {text, QRectF(QPointF(left, at.y() - 0.75 * size) * scale + shift, QSizeF(width, 0.95 * size) * scale)};
}

Drawing read(const std::string& text) {
    Drawing d;
    QXmlStreamReader xml(QString::fromStdString(text));
    double scale = 1;
    QPointF shift;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement() && xml.name() == QLatin1String("g")) {
            scale = 1;
            shift = {};
        }
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("svg"))
            d.size = {xml.attributes().value("width").toDouble(), xml.attributes().value("height").toDouble()};
        if (xml.name() == QLatin1String("g")) {
            static const QRegularExpression form("translate\\(([-0-9.]+) ([-0-9.]+)\\) scale\\(([0-9.]+)\\)");
            const auto match = form.match(xml.attributes().value("transform").toString());
            shift = {match.captured(1).toDouble(), match.captured(2).toDouble()};
            scale = match.captured(3).toDouble();
        }
        if (xml.name() == QLatin1String("text")) d.texts.push_back(placed(xml, scale, shift));
    }
    d.well_formed = !xml.hasError();
    return d;
}

}  // namespace

class FiguresTest : public QObject {
    Q_OBJECT
private slots:
    void textsStayInsideAndApart() {
        for (const auto& e : samples())
            for (const auto& [name, text] : drawings(e)) {
                const Drawing d = read(text);
                const std::string where = e.name + " " + name;
                QVERIFY2(d.well_formed, where.c_str());
                QVERIFY2(!d.texts.empty(), where.c_str());
                const QRectF all(QPointF(), d.size);
                for (std::size_t i = 0; i < d.texts.size(); ++i) {
                    QVERIFY2(all.contains(d.texts[i].box), (where + ": cut: " + d.texts[i].text).c_str());
                    for (std::size_t j = 0; j < i; ++j)
                        QVERIFY2(!d.texts[i].box.intersects(d.texts[j].box),
                                 (where + ": " + d.texts[i].text + " over " + d.texts[j].text).c_str());
                }
            }
    }
    void drawnTheSameAgain() {
        const auto& e = samples().front();
        QCOMPARE(drawings(e), drawings(e));
    }
    void namesAreEscaped() {
        Evaluated e = samples().front();
        Topology t = *e.scenario.topology;
        for (const auto& c : e.scenario.topology->containers) {
            Container renamed = c;
            renamed.name = "<&\">";
            t.containers.put(renamed);
        }
        e.scenario.topology = std::make_shared<const Topology>(t);
        QVERIFY(read(diagram_svg(e.scenario, e.report)).well_formed);
    }
    void emptyReportsExplainThemselves() {
        const Scenario nothing = empty_scenario(std::make_shared<const Catalogue>());
        Evaluator evaluator;
        const Evaluated e{"nothing", nothing, evaluator.evaluate(nothing)};
        for (const auto& [name, text] : drawings(e)) {
            const Drawing d = read(text);
            QVERIFY2(d.well_formed && d.texts.size() == 2, name.c_str());
        }
    }
    void ticksAreRound() {
        svg::Axis linear{0, 242e-6, false, {}, {}};
        const auto t = svg::ticks(linear, 6);
        QCOMPARE(t.size(), std::size_t(5));  // 0, 50, 100, 150, 200 us
        QVERIFY(std::abs(t[1] - 50e-6) < 1e-12);
        const auto decades = svg::ticks(svg::decades(1e3, 1e9), 10);
        QCOMPARE(decades.size(), std::size_t(7));
        QCOMPARE(svg::ticks({1, 1, false, {}, {}}, 5).size(), std::size_t(1));
    }
    void targetsAreNamedWhereNoCurveIs() {
        const auto drawn = [](double left_y) {
            svg::Writer out(400, 200, "t");
            svg::Axis x{}, y{};
            x.low = y.low = 0, x.high = y.high = 100;
            x.label = y.label = [](double) { return std::string(); };
            svg::Plot plot(out, {0, 0, 400, 200}, x, y);
            plot.curve({{0, left_y}, {30, left_y}, {100, 95}}, {svg::ink, 1, {}});
            plot.target(50, "target 20.0 ms", svg::ink, svg::ink);
            return std::move(out).finish();
        };
        QVERIFY(drawn(53).find("text-anchor=\"end\"") != std::string::npos);  // the text stands just above 50
        QVERIFY(drawn(10).find("text-anchor=\"end\"") == std::string::npos);
    }
    void spreadKeepsOrderAndDistance() {
        const auto y = svg::spread({10, 12, 11, 300}, 20, 0, 200);
        QCOMPARE(y, (std::vector<double>{10, 50, 30, 200}));
    }
    void textIsShortenedToFit() {
        QCOMPARE(svg::shortened("short", 100, 10), std::string("short"));
        const auto cut = svg::shortened("a rather long name of a container", 80, 10);
        QVERIFY(cut.ends_with("\u2026") && svg::text_width(cut, 10) <= 80);
        QVERIFY(svg::shortened("anything", 8, 10).empty());
    }
    void coordinatesAreShort() {
        QCOMPARE(svg::coordinate(1.50001), std::string("1.5"));
        QCOMPARE(svg::coordinate(-0.001), std::string("0"));
        QCOMPARE(svg::coordinate(NAN), std::string("0"));
    }
};

QTEST_APPLESS_MAIN(FiguresTest)
#include "tst_figures.moc"
