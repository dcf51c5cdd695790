// What the views show are the report's own numbers and texts.
#include <cmath>

#include <QtTest>

#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"

using namespace crosspoint;
using namespace crosspoint::app;

class TestPresenters : public QObject {
    Q_OBJECT

    std::vector<std::pair<QByteArray, std::pair<Scenario, Report>>> evaluated_;

    void addSamples() const {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < evaluated_.size(); ++i) QTest::newRow(evaluated_[i].first.constData()) << int(i);
    }
    [[nodiscard]] const Scenario& scenario(int i) const { return evaluated_[std::size_t(i)].second.first; }
    [[nodiscard]] const Report& report(int i) const { return evaluated_[std::size_t(i)].second.second; }
    [[nodiscard]] int indexOf(const char* name) const {
        for (std::size_t i = 0; i < evaluated_.size(); ++i)
            if (evaluated_[i].first == name) return int(i);
        return -1;
    }

private Q_SLOTS:
    void initTestCase() {
        const auto catalogue = builtin_catalogue();
        QVERIFY(catalogue);
        for (const Sample& sample : builtin_samples()) {
            const auto document = parse_document(sample.text, sample.name, *catalogue);
            QVERIFY2(document, sample.name.data());
            Evaluator evaluator;
            evaluated_.push_back({QByteArray(sample.name.data(), qsizetype(sample.name.size())),
                                  {document->scenario, evaluator.evaluate(document->scenario)}});
        }
        QVERIFY(indexOf("nvl72-deepseek-v3") >= 0 && indexOf("hgx-h100-x4-deepseek-v3") >= 0);
    }

    void figuresAreThoseOfTheReport_data() { addSamples(); }
    void figuresAreThoseOfTheReport() {
        QFETCH(int, index);
        const Report& r = report(index);
        QVERIFY(r.prediction);
        const auto data = presentFigures(r, nullptr);
        std::size_t next = 0;
        for (const ShownFigure& figure : r.figures) {
            if (figure.id == "review") continue;
            const auto& card = data.figures.at(next++);
            QCOMPARE(card.id, qs(figure.id));
            QCOMPARE(card.text, qs(figure.text));
            QCOMPARE(card.label, qs(figure.label));
            QCOMPARE(card.confidence, qs(to_string(figure.confidence)));
            QVERIFY(card.change.isEmpty());
        }
        QCOMPARE(data.figures.size(), next);
        QVERIFY(next >= 4);
        QCOMPARE(data.review->fail, r.count(Outcome::fail));
        QCOMPARE(data.review->attention, r.count(Outcome::attention));
        QCOMPARE(data.review->pass, r.count(Outcome::pass));
    }

    void changesAreAgainstTheBaseline() {
        Report then = report(indexOf("nvl72-deepseek-v3")), now = then;
        QVERIFY(then.figures.size() >= 2);
        ShownFigure& first = now.figures.front();
        first.value_si = then.figures.front().value_si * 1.25;
        const auto data = presentFigures(now, &then);
        QVERIFY2(data.figures.front().change.startsWith("+") && data.figures.front().change.contains("25"),
                 qPrintable(data.figures.front().change));
        const auto wanted =
            first.higher_is_better ? ui::FigureCardData::Change::better : ui::FigureCardData::Change::worse;
        QCOMPARE(data.figures.front().direction, wanted);
        QCOMPARE(data.figures.at(1).direction, ui::FigureCardData::Change::neutral);
        QVERIFY(data.figures.front().tooltip.contains(qs(then.figures.front().text)));
    }

    void barsAreThoseOfTheLayer_data() { addSamples(); }
    void barsAreThoseOfTheLayer() {
        QFETCH(int, index);
        const Report& r = report(index);
        const LayerResult* layer = shownLayer(r, {});
        QVERIFY(layer);
        for (const LayerResult& other : r.prediction->layers) QVERIFY(other.count <= layer->count);
        const auto data = presentTimeline(r, {});
        QCOMPARE(data.end, layer->timeline.end.si());
        QCOMPARE(data.bars.size(), layer->timeline.bars.size());
        QVERIFY(data.title.contains(shown(layer->timeline.end)));
        for (std::size_t i = 0; i < data.bars.size(); ++i) {
            const Bar& bar = layer->timeline.bars[i];
            QCOMPARE(data.bars[i].start, bar.start.si());
            QCOMPARE(data.bars[i].length, bar.length.si());
            QCOMPARE(data.bars[i].operation, qs(bar.op));
            QVERIFY(data.bars[i].tooltip.contains(shown(bar.length, 4)));
            QVERIFY(data.bars[i].stream >= 0 && data.bars[i].stream < data.streams.size());
            QVERIFY(data.bars[i].start + data.bars[i].length <= data.end * (1 + 1e-9));
        }
    }

    void barKeysAreUnique_data() { addSamples(); }
    void barKeysAreUnique() {
        QFETCH(int, index);
        ViewState step;
        step.scope = ViewState::Scope::step;
        for (const ViewState& view : {ViewState{}, step}) {
            QSet<QString> keys;
            const auto data = presentTimeline(report(index), view);
            for (const auto& bar : data.bars) keys.insert(bar.key);
            QCOMPARE(std::size_t(keys.size()), data.bars.size());
        }
    }

    void theStepIsTheWholeStep_data() { addSamples(); }
    void theStepIsTheWholeStep() {
        QFETCH(int, index);
        ViewState view;
        view.scope = ViewState::Scope::step;
        const auto data = presentTimeline(report(index), view);
        QCOMPARE(data.end, report(index).prediction->step.end.si());
        QCOMPARE(data.bars.size(), report(index).prediction->step.bars.size());
    }

    void verdictsAreInOrderOfUrgency_data() { addSamples(); }
    void verdictsAreInOrderOfUrgency() {
        QFETCH(int, index);
        const Report& r = report(index);
        const auto data = presentChecklist(r);
        QCOMPARE(data.rows.size(), r.verdicts.size());
        const auto urgency = [](ui::Severity s) {
            return s == ui::Severity::fail ? 0 : s == ui::Severity::attention ? 1 : s == ui::Severity::pass ? 2 : 3;
        };
        for (std::size_t i = 1; i < data.rows.size(); ++i)
            QVERIFY(urgency(data.rows[i - 1].severity) <= urgency(data.rows[i].severity));
        for (const Verdict& verdict : r.verdicts)
            for (const auto& row : data.rows)
                if (row.rule == qs(verdict.rule)) {
                    QCOMPARE(row.figure, qs(verdict.figure));
                    QCOMPARE(row.title, qs(verdict.title));
                    QCOMPARE(row.threshold, qs(verdict.threshold_text));
                    QCOMPARE(row.suggestions.size(), verdict.suggestions.size());
                    for (std::size_t s = 0; s < row.suggestions.size(); ++s) {
                        QCOMPARE(row.suggestions[s].after, qs(verdict.suggestions[s].after));
                        QCOMPARE(row.suggestions[s].applicable, !verdict.suggestions[s].edits.empty());
                    }
                }
    }

    void crossoverPointsLieOnTheReportsLines_data() { addSamples(); }
    void crossoverPointsLieOnTheReportsLines() {
        QFETCH(int, index);
        const Report& r = report(index);
        const auto data = presentCrossover(r, {});
        QCOMPARE(data.curves.size(), r.curves.size());
        for (std::size_t i = 0; i < data.curves.size(); ++i) {
            for (const QPointF& p : data.curves[i].points)
                QCOMPARE(p.y(), transfer_time(r.curves[i].link, Bytes(p.x())).si());
            QCOMPARE(data.curves[i].crossover->x(), r.curves[i].crossover.si());
            // At n* = alpha * beta both terms are alpha: t = (2 + kappa) alpha (core/cost/link.hpp).
            const LinkCost& link = r.curves[i].link;
            QVERIFY(std::abs(data.curves[i].crossover->y() / ((2 + link.kappa) * link.alpha.si()) - 1) < 1e-9);
        }
        QCOMPARE(data.messages.size(), r.messages.size());
        for (std::size_t i = 0; i < data.messages.size(); ++i) {
            QCOMPARE(data.messages[i].bytes, r.messages[i].bytes.si());
            QCOMPARE(data.messages[i].seconds, r.messages[i].time.si());
            QCOMPARE(data.messages[i].text, qs(r.messages[i].label));
            QVERIFY(data.messages[i].curve >= 0 && std::size_t(data.messages[i].curve) < data.curves.size());
        }
    }

    void sweepsAreThoseOfTheReport_data() { addSamples(); }
    void sweepsAreThoseOfTheReport() {
        QFETCH(int, index);
        const Report& r = report(index);
        const auto batch = presentBatch(scenario(index), r, nullptr);
        QCOMPARE(batch.points.size(), r.batch_sweep.size());
        for (std::size_t i = 0; i < batch.points.size(); ++i) {
            QCOMPARE(batch.points[i].batch, double(r.batch_sweep[i].batch));
            QCOMPARE(batch.points[i].latency, r.batch_sweep[i].step.si());
            QCOMPARE(batch.points[i].price, r.batch_sweep[i].price.si());
        }
        QVERIFY(batch.current_text.contains(shown(r.prediction->step_time)));
        QCOMPARE(*batch.latency_target, scenario(index).targets.inter_token->si());
        if (!r.window.empty) QCOMPARE(*batch.window_high, double(*r.window.largest));
        const auto scaling = presentScaling(scenario(index), r);
        QCOMPARE(scaling.points.size(), r.tensor_sweep.points.size());
        for (std::size_t i = 0; i < scaling.points.size(); ++i)
            QCOMPARE(scaling.points[i].step, r.tensor_sweep.points[i].step.si());
    }

    void memoryPartsAddUp_data() { addSamples(); }
    void memoryPartsAddUp() {
        QFETCH(int, index);
        const MemoryReport& memory = report(index).prediction->memory;
        const auto data = presentMemory(report(index));
        QCOMPARE(data.stages.size(), memory.stages.size());
        QCOMPARE(data.capacity, memory.capacity.si());
        for (std::size_t i = 0; i < data.stages.size(); ++i) {
            double sum = 0;
            for (const auto& part : data.stages[i].parts) sum += part.bytes;
            QVERIFY(std::abs(sum / memory.stages[i].used().si() - 1) < 1e-9);
            QVERIFY(data.stages[i].total.contains(shown(memory.stages[i].used())));
            QCOMPARE(data.stages[i].fits, memory.stages[i].used() <= memory.usable);
        }
    }

    void theTableHoldsEveryOperation_data() { addSamples(); }
    void theTableHoldsEveryOperation() {
        QFETCH(int, index);
        const auto data = presentOperations(report(index), {});
        const LayerResult* layer = shownLayer(report(index), {});
        QCOMPARE(data.rows.size(), layer->operations.size() + report(index).prediction->ends.size());
        for (const auto& row : data.rows) QCOMPARE(row.cells.size(), data.columns.size());
        for (std::size_t i = 0; i < layer->operations.size(); ++i) {
            QCOMPARE(data.rows[i].id, qs(layer->operations[i].op.id));
            QCOMPARE(*data.rows[i].cells[2].number, layer->operations[i].time.si());
            QCOMPARE(data.rows[i].cells[2].text, shown(layer->operations[i].time, 4));
        }
    }

    void whyIsTheDerivationOfTheReport() {
        const int index = indexOf("nvl72-deepseek-v3");
        for (const ShownFigure& figure : report(index).figures) {
            ViewState view;
            view.derivation = qs(figure.id);
            const auto why = presentWhy(report(index), view);
            QCOMPARE(why.title, qs(figure.label));
            QCOMPARE(why.value, qs(figure.text));
            QCOMPARE(why.formula, qs(figure.why.formula));
            QCOMPARE(why.terms.size(), figure.why.terms.size());
        }
        ViewState operation;
        operation.operation = qs(shownLayer(report(index), {})->operations.front().op.id);
        QCOMPARE(presentWhy(report(index), operation).title,
                 qs(shownLayer(report(index), {})->operations.front().op.label));
    }

    void theDiagramDrawsEveryBox_data() { addSamples(); }
    void theDiagramDrawsEveryBox() {
        QFETCH(int, index);
        const Arrangement arrangement = arrange(*scenario(index).topology);
        const auto data = presentDiagram(scenario(index), arrangement, report(index), {});
        QCOMPARE(data.boxes.size(), arrangement.boxes.size());
        QVERIFY(data.cables.size() <= arrangement.cables.size());  // those inside a node only when they matter
        QSet<QString> drawn, toSwitches;
        for (const auto& cable : data.cables) drawn.insert(cable.id);
        const Topology& drawing = *scenario(index).topology;
        for (const Link& link : drawing.links)
            if (drawing.devices.find(link.b)->kind == DeviceKind::network_switch) toSwitches.insert(qs(link.id.value));
        QVERIFY(drawn.contains(toSwitches));
        QSet<QString> keys;
        for (const auto& box : data.boxes) {
            QVERIFY2(!box.title.isEmpty(), qPrintable(box.key));
            QVERIFY2(box.parent.isEmpty() || keys.contains(box.parent), qPrintable(box.key));
            keys.insert(box.key);
        }
        for (const auto& cable : data.cables) QVERIFY(keys.contains(cable.from) && keys.contains(cable.to));
        QVERIFY(!data.caption.isEmpty());
    }

    void loadsAreThoseOfTheSelection() {
        const int index = indexOf("hgx-h100-x4-deepseek-v3");
        const Report& r = report(index);
        const Arrangement arrangement = arrange(*scenario(index).topology);
        ViewState step;
        step.scope = ViewState::Scope::step;
        const auto data = presentDiagram(scenario(index), arrangement, r, step);
        double busiest = 0;
        for (const LinkUse& use : r.prediction->links) {
            const NetworkLink& link = r.prediction->network->links[std::size_t(use.link)];
            busiest = std::max(busiest, use.utilisation);
            for (const auto& cable : data.cables)
                if (cable.id == qs(link.ref.id) && use.bytes.si() > 0) QCOMPARE(cable.load, use.utilisation);
        }
        QVERIFY(busiest > 0 && busiest <= 1);
        QVERIFY(data.legend);
        QVERIFY2(data.critical.contains(percent(data.critical_load)), qPrintable(data.critical));
        QCOMPARE(data.critical_load, busiest);
    }

    /// A domain's load is drawn on its fabric.
    void fabricsShowTheirLoad() {
        const int index = indexOf("nvl72-deepseek-v3");
        const auto data = presentDiagram(scenario(index), arrange(*scenario(index).topology), report(index), {});
        int loaded = 0;
        for (const auto& box : data.boxes)
            if (box.role == ui::BoxRole::fabric && box.load > 0.01) {
                ++loaded;
                QVERIFY2(box.title.contains(QStringLiteral(" %1 %").arg(qRound(box.load * 100))),
                         qPrintable(box.title));
            }
        QVERIFY(loaded >= 1);
    }

    void withoutAPredictionEveryViewSaysWhy() {
        Scenario broken = scenario(indexOf("nvl72-deepseek-v3"));
        broken.layout.expert = 7;
        Evaluator evaluator;
        const Report r = evaluator.evaluate(broken);
        QVERIFY(!r.prediction);
        const QString reason = missingText(r);
        QVERIFY(!reason.isEmpty() && !reason.contains(QLatin1Char('\n')));
        QCOMPARE(presentFigures(r, nullptr).empty_text, reason);
        QCOMPARE(presentTimeline(r, {}).empty_text, reason);
        QCOMPARE(presentMemory(r).empty_text, reason);
        QCOMPARE(presentOperations(r, {}).empty_text, reason);
        QCOMPARE(presentBatch(broken, r, nullptr).empty_text, reason);
        QVERIFY(presentChecklist(r).empty_text.contains(reason));
        for (const auto& row : presentChecklist(r).rows) QCOMPARE(row.severity, ui::Severity::not_applicable);
    }

    void unknownSelectionsAreHarmless() {
        ViewState view;
        view.kind = 99;
        view.operation = "no.such.operation";
        view.derivation = "no-such-figure";
        view.objects = {"nobody"};
        const int index = indexOf("nvl72-deepseek-v3");
        QVERIFY(!findOperation(report(index), view));
        QVERIFY(shownLayer(report(index), view));
        presentTimeline(report(index), view);
        presentWhy(report(index), view);
        presentCrossover(report(index), view);
        QVERIFY(!selectionSummary(scenario(index), &report(index), view).isEmpty());
        QVERIFY(!selectionSummary(scenario(index), nullptr, {}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestPresenters)
#include "tst_presenters.moc"
