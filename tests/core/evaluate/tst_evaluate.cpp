// The whole report: figures with their derivations, sweeps, curves, suggestions, and what an error leaves behind.
#include <QtTest>

#include <set>

#include "core/cost/link.hpp"
#include "core/evaluate/report.hpp"
#include "core/prediction/scenarios.hpp"

using namespace crosspoint;
using namespace crosspoint::testing;

namespace {

Scenario llama(std::int64_t nodes, std::int64_t tensor) {
    Scenario s = scenario(nodes_of_eight(nodes, "h100", "nvlink4"), llama_3_70b());
    s.layout.tensor = tensor;
    s.workload.batch = 32;
    s.targets.inter_token = Seconds(20e-3);
    s.targets.output_price = DollarsPerToken(3e-6);
    return s;
}

Report report(const Scenario& s, const EvaluateOptions& options = {}) {
    Evaluator evaluator;
    return evaluator.evaluate(s, options);
}

const ShownFigure& figure(const Report& r, std::string_view id) {
    for (const auto& f : r.figures)
        if (f.id == id) return f;
    qFatal("no such figure");
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

QString bits(double value) { return QString::number(value, 'g', 17) + " "; }

QString shown(const BatchPoint& p) {
    return QString::number(p.batch) + ": " + bits(p.step.si()) + bits(p.per_user.si()) + bits(p.per_accelerator.si()) +
           bits(p.price.si()) + (p.fits ? "fits\n" : "too large\n");
}

/// Every number and sentence that sweeps and review put into a report.
QString shown(const Report& r) {
    QString all;
    for (const auto& f : r.figures) all += bits(f.value_si) + QString::fromStdString(f.text + f.why.substituted) + "\n";
    for (const auto& p : r.batch_sweep) all += shown(p);
    for (const auto& p : r.tensor_sweep.points)
        all += QString::number(p.degree) + ": " + bits(p.step.si()) + bits(p.weights.si()) + bits(p.communication.si());
    all += QString::number(r.tensor_sweep.turns_over_at.value_or(0)) + "\n";
    all += QString::fromStdString(r.window.finding + r.window.low_reason + r.window.high_reason) + "\n";
    for (const auto& v : r.verdicts) {
        all += QString::fromStdString(v.title + ": " + v.figure + v.explanation) + "\n";
        for (const auto& s : v.suggestions) all += QString::fromStdString(s.text + s.before + s.after) + "\n";
    }
    for (const auto& w : r.warnings) all += QString::fromStdString(w) + "\n";
    return all;
}

/// One edit after another, each of something that a sweep depends on or that none does.
std::vector<Scenario> histories() {
    std::vector<Scenario> all{llama(2, 16)};
    const auto then = [&](auto change) {
        Scenario next = all.back();
        change(next);
        all.push_back(std::move(next));
    };
    then([](Scenario& s) { s.workload.batch = 7; });
    then([](Scenario& s) { s.targets.inter_token = Seconds(12e-3); });
    then([](Scenario& s) { s.workload.context = 9000; });
    then([](Scenario& s) { s.workload.phase = Phase::prefill; });
    then([](Scenario& s) { s.workload.phase = Phase::decode; });
    then([](Scenario& s) { s.layout.tensor = 8; });
    then([](Scenario& s) { s.layout.sequence_parallel = true; });
    then([](Scenario& s) { s.precision.cache = Dtype::fp8; });
    then([](Scenario& s) { s.calibration.layer_overhead.value = Seconds(3e-6); });
    then([](Scenario& s) { s.prices.accelerator = DollarsPerSecond(1e-3); });
    then([](Scenario& s) { s.topology = std::make_shared<const Topology>(nodes_of_eight(1, "h100", "nvlink4")); });
    all.push_back(all.front());
    return all;
}

}  // namespace

class EvaluateTest : public QObject {
    Q_OBJECT
private slots:
    void theStripIsComplete() {
        const auto r = report(llama(1, 8));
        std::vector<std::string> ids;
        for (const auto& f : r.figures) ids.push_back(f.id);
        QCOMPARE(ids, (std::vector<std::string>{"inter_token_latency", "tokens_per_user", "tokens_per_accelerator",
                                                "unit_price", "memory_used", "communication_share",
                                                "cross_domain_ratio", "review"}));
        for (const auto& f : r.figures) {
            QVERIFY2(!f.text.empty() && !f.key.empty() && !f.why.formula.empty(), f.id.c_str());
            QVERIFY2(!f.why.substituted.empty() && !f.why.terms.empty(), f.id.c_str());
        }
    }
    void prefillShowsTheFirstToken() {
        Scenario s = llama(1, 8);
        s.workload.phase = Phase::prefill;
        s.workload.batch = 1;
        const auto r = report(s);
        QCOMPARE(r.figures.front().id, std::string("time_to_first_token"));
        QCOMPARE(r.figures.front().key, std::string("time_to_first_token_s"));
    }
    void figuresAgreeWithEachOther() {
        const auto r = report(llama(1, 8));
        const double step = figure(r, "inter_token_latency").value_si;
        QVERIFY(std::abs(figure(r, "tokens_per_user").value_si * step - 1) < 1e-9);
        QVERIFY(std::abs(figure(r, "tokens_per_accelerator").value_si * step * 8 / 32 - 1) < 1e-9);
        // $2 /h of the test catalogue: 8 accelerators x $2 / 3600 / (32 / step).
        const double price = 8 * 2.0 / 3600 * step / 32;
        QVERIFY(std::abs(figure(r, "unit_price").value_si / price - 1) < 1e-9);
    }
    void theStepIsDerivedFromSourcedTerms() {
        const auto r = report(llama(1, 8));
        const auto& why = figure(r, "inter_token_latency").why;
        QVERIFY(mentions(why.substituted, "80 x"));
        std::set<std::string> names;
        for (const auto& t : why.terms) {
            names.insert(t.name);
            QVERIFY2(!t.value.empty(), t.name.c_str());
        }
        QVERIFY(names.contains("memory bandwidth of Ideal"));
        QVERIFY(names.contains("overhead per step"));
    }
    void sweepContainsThePresentBatch() {
        const auto r = report(llama(1, 8));
        QVERIFY(r.batch_sweep.size() >= 30 && r.batch_sweep.size() <= 70);
        QVERIFY(std::is_sorted(r.batch_sweep.begin(), r.batch_sweep.end(),
                               [](const auto& a, const auto& b) { return a.batch < b.batch; }));
        const auto now =
            std::find_if(r.batch_sweep.begin(), r.batch_sweep.end(), [](const auto& p) { return p.batch == 32; });
        QVERIFY(now != r.batch_sweep.end());
        QCOMPARE(now->step.si(), r.prediction->step_time.si());
        const auto largest = r.prediction->memory.largest_batch;
        for (const auto& p : r.batch_sweep) QCOMPARE(p.fits, p.batch <= largest);
        QVERIFY(!r.batch_sweep.back().fits);
    }
    void endsOfTheWindowAreEvaluated() {
        const auto s = llama(1, 8);
        const auto r = report(s);
        QVERIFY(r.window.largest);
        const auto cache = make_prediction_cache();
        Scenario at = s;
        at.workload.batch = *r.window.largest;
        QVERIFY(predict(at, *cache)->step_time <= *s.targets.inter_token);
        at.workload.batch = *r.window.largest + 1;
        const auto beyond = predict(at, *cache);
        QVERIFY(beyond->step_time > *s.targets.inter_token || !beyond->memory.fits);
    }
    /// With 32 attention-data ranks the step is a staircase of 32 batches a tread; along one an end may hide from
    /// interpolation.
    void endsOfTheWindowHoldOnAStaircase() {
        Scenario s = deepseek_on_h800(4, 32);
        s.layout.two_batch_overlap = false;
        const auto cache = make_prediction_cache();
        const auto step_at = [&](std::int64_t batch) {
            Scenario at = s;
            at.workload.batch = batch;
            return predict(at, *cache)->step_time;
        };
        for (const std::int64_t batch : {160, 320, 1600}) {
            // Just below what the tread takes, so that only the tread before it meets the target.
            s.targets.inter_token = step_at(batch) * (1 - 1e-4);
            const auto r = report(s);
            QVERIFY(r.window.largest);
            QCOMPARE(*r.window.largest, batch - 32);
            QVERIFY(step_at(*r.window.largest) <= *s.targets.inter_token);
            QVERIFY(step_at(*r.window.largest + 1) > *s.targets.inter_token);
        }
    }
    void aLargerBatchIsNoCureWhereItRaisesTheShare() {
        Scenario s = deepseek_on_h800(8, 64);
        const auto r = report(s);
        const auto v = std::find_if(r.verdicts.begin(), r.verdicts.end(),
                                    [](const auto& x) { return x.rule == "communication-against-experts"; });
        QVERIFY(v != r.verdicts.end());
        for (const auto& g : v->suggestions)
            if (g.metric == "communication over expert products" && !g.edits.empty())
                QVERIFY2(*g.after_si < *g.before_si, g.text.c_str());
        Scenario doubled = s;
        doubled.workload.batch *= 2;
        const auto w = report(doubled);
        const auto after = std::find_if(w.verdicts.begin(), w.verdicts.end(),
                                        [](const auto& x) { return x.rule == "communication-against-experts"; });
        QVERIFY(*after->value_si > *v->value_si);  // bytes grow with the batch, weights read by the experts do not
    }
    void warnsOfSwitchesWithMoreCablesThanPorts() {
        const auto about = [](const Report& r, std::string_view what) {
            return std::any_of(r.warnings.begin(), r.warnings.end(), [&](const auto& w) { return mentions(w, what); });
        };
        Scenario s = llama(60, 8);  // 60 NICs and 4 x 15 up-links at each of 8 leaves of 64 ports
        QVERIFY(about(report(s), "'leaf' has 120 cables drawn"));
        QVERIFY(!about(report(llama(8, 8)), "cables drawn"));  // 8 NICs, 4 x 2 up-links; 8 x 2 at a spine
        s.thresholds["memory.headroom"] = 0.1;
        QVERIFY(!about(report(s), "No rule has a threshold"));
        s.thresholds["memory.head"] = 0.1;
        QVERIFY(about(report(s), "No rule has a threshold 'memory.head'"));
    }
    void tensorSweepIsOfOneSequence() {
        const auto s = llama(2, 16);
        const auto r = report(s);
        std::vector<std::int64_t> degrees;
        for (const auto& p : r.tensor_sweep.points) degrees.push_back(p.degree);
        QCOMPARE(degrees, (std::vector<std::int64_t>{1, 2, 4, 8, 16}));
        const auto cache = make_prediction_cache();
        Scenario one = s;
        one.workload.batch = 1;
        QCOMPARE(r.tensor_sweep.points.back().step.si(), predict(one, *cache)->step_time.si());
        // Weights halve with each doubling of the degree, communication does not.
        QVERIFY(r.tensor_sweep.points[1].weights.si() < 0.6 * r.tensor_sweep.points[0].weights.si());
        QVERIFY(r.tensor_sweep.points[3].communication >= r.tensor_sweep.points[2].communication * 0.9);
    }
    void curvesCarryTheMessages() {
        const auto r = report(deepseek_on_h800(4, 32));
        QVERIFY(!r.curves.empty() && !r.messages.empty());
        for (const auto& c : r.curves) {
            QVERIFY(!c.name.empty() && !c.use.empty() && !c.source.empty());
            QCOMPARE(c.crossover.si(), (c.link.alpha * c.link.beta).si());
        }
        for (const auto& m : r.messages) QVERIFY(m.curve < r.curves.size() && m.bytes.si() > 0 && m.time.si() > 0);
    }
    void suggestionsAreWeighed() {
        const auto r = report(llama(2, 16));
        std::size_t weighed = 0;
        for (const auto& v : r.verdicts)
            for (const auto& s : v.suggestions) {
                if (s.edits.empty()) continue;
                ++weighed;
                QVERIFY2(s.before_si && s.after_si && !s.before.empty() && !s.after.empty(), s.text.c_str());
                QVERIFY2(*s.before_si != *s.after_si, s.text.c_str());
            }
        QVERIFY(weighed > 0);
        const auto plain = report(llama(2, 16), {true, false});
        for (const auto& v : plain.verdicts)
            for (const auto& s : v.suggestions) QVERIFY(!s.before_si);
    }
    void sweepsCanBeLeftOut() {
        const auto r = report(llama(1, 8), {false, true});
        QVERIFY(r.batch_sweep.empty() && r.tensor_sweep.points.empty());
        QVERIFY(mentions(r.window.finding, "left out"));
        QVERIFY(r.prediction.has_value());
    }
    void assumptionsNameTheirSources() {
        const auto r = report(llama(2, 16));
        QVERIFY(r.assumptions.size() > 10);
        const auto overhead = std::find_if(r.assumptions.begin(), r.assumptions.end(),
                                           [](const auto& a) { return mentions(a.what, "overhead per layer"); });
        QVERIFY(overhead != r.assumptions.end());
    }
    void errorsStayInTheirSlot() {
        Scenario s = llama(1, 8);
        s.layout.tensor = 3;
        const auto r = report(s);
        QVERIFY(r.model.has_value());
        QVERIFY(!r.layout.has_value() && !r.prediction.has_value());
        QCOMPARE(r.prediction.error().code, ErrorCode::layout);
        QVERIFY(r.figures.empty());
        QCOMPARE(r.verdicts.size(), rules().size());
        for (const auto& v : r.verdicts) {
            QCOMPARE(v.outcome, Outcome::not_applicable);
            QVERIFY(mentions(v.explanation, r.prediction.error().message));
        }
        QVERIFY(mentions(r.window.finding, r.prediction.error().message));
    }
    void nothingAtAllIsAReportToo() {
        const auto r = report(empty_scenario(std::make_shared<const Catalogue>()));
        QVERIFY(!r.model.has_value() && !r.prediction.has_value());
        QVERIFY(!r.warnings.empty());
    }
    /// Whatever was evaluated before, the report is that of a fresh evaluator, to the bit.
    void whatCameBeforeLeavesNoTrace() {
        Evaluator evaluator;
        for (const Scenario& s : histories()) {
            const auto fresh = shown(report(s));
            QCOMPARE(shown(evaluator.evaluate(s)), fresh);
            QCOMPARE(shown(evaluator.evaluate(s)), fresh);
        }
    }
    /// The test above compares something: each scenario of it shows other sweeps than the one before.
    void theHistoriesDiffer() {
        QString before;
        for (const Scenario& s : histories()) {
            const auto now = shown(report(s));
            QVERIFY(now != before);
            before = now;
        }
    }
};

QTEST_APPLESS_MAIN(EvaluateTest)
#include "tst_evaluate.moc"
