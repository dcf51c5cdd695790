// Every rule of the checklist, with every outcome that it can have.
#include <QtTest>

#include "core/review/judged.hpp"

using namespace crosspoint;
using namespace crosspoint::testing;

namespace {

/// Step 2 ms x sqrt(batch), $100 /M / batch: 20 ms at 100, $4 /M at 25.
std::vector<BatchPoint> batches() {
    std::vector<BatchPoint> all;
    for (std::int64_t b : {1, 4, 16, 64, 256, 1024})
        all.push_back({b, Seconds(2e-3 * std::sqrt(double(b))), {}, {}, DollarsPerToken(1e-4 / double(b)), true});
    return all;
}

const SetParallelism* layout_edit(const Suggestion& s) {
    return s.edits.empty() ? nullptr : std::get_if<SetParallelism>(&s.edits.front());
}

}  // namespace

class ReviewTest : public QObject {
    Q_OBJECT
private slots:
    void rulesAreNumberedAndDocumented() {
        std::vector<int> numbers;
        for (const auto& rule : rules()) {
            numbers.push_back(rule.number);
            QVERIFY(!rule.question.empty());
            QVERIFY(!rule.thresholds.empty());
            for (const auto& t : rule.thresholds) QVERIFY(!t.meaning.empty());
        }
        QCOMPARE(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19}));
    }
    void thresholdsOfTheScenarioWin() {
        Scenario s;
        QCOMPARE(threshold(s, "cross-domain.fail"), 0.5);
        s.thresholds["cross-domain.fail"] = 0.75;
        QCOMPARE(threshold(s, "cross-domain.fail"), 0.75);
    }
    void everyVerdictIsComplete() {
        const auto cache = make_prediction_cache();
        const auto j = experts(4);
        const auto p = predict(j.scenario, *cache);
        for (const auto& v : review({j.scenario, *p, j.batches, j.degrees})) {
            QVERIFY(!v.title.empty() && !v.question.empty() && !v.explanation.empty());
            if (v.outcome != Outcome::not_applicable) QVERIFY(!v.figure.empty() && !v.threshold_text.empty());
        }
    }

    void expertLayer() {
        QCOMPARE(dense(1, 8).outcome("expert-layer-in-domain"), Outcome::not_applicable);
        const auto leaving = experts(4).verdict("expert-layer-in-domain");
        QCOMPARE(leaving.outcome, Outcome::fail);
        // 32 ranks in domains of 8: of the 31 others, 24 are elsewhere: 24/31 = 77.4 % of the bytes that leave, before
        // de-duplication, which only makes it less.
        QVERIFY(*leaving.value_si > 0.25 && *leaving.value_si <= 24.0 / 31 + 1e-9);
        QVERIFY(!leaving.evidence.operations.empty() && !leaving.evidence.links.empty());
        Judged lenient = experts(4);
        lenient.scenario.thresholds["expert-domain.fail"] = 0.99;
        QCOMPARE(lenient.outcome("expert-layer-in-domain"), Outcome::attention);
        QCOMPARE(experts(1).outcome("expert-layer-in-domain"), Outcome::pass);
        Judged slow = experts(1);
        slow.scenario.thresholds["expert-domain.min-bandwidth"] = 1e12;
        QCOMPARE(slow.outcome("expert-layer-in-domain"), Outcome::attention);
    }
    void expertLayerSuggestsOnlyWhatFits() {
        // 671 GB of fp8 weights do not fit in 8 x 72 GB, but a pipeline over four domains holds them.
        const auto v = experts(4).verdict("expert-layer-in-domain");
        QVERIFY(!v.suggestions.empty());
        const auto* edit = layout_edit(v.suggestions.front());
        QVERIFY(edit);
        QCOMPARE(edit->layout.expert, std::int64_t(8));
        QCOMPARE(edit->layout.pipeline, std::int64_t(4));
    }

    void crossDomain() {
        QCOMPARE(dense(1, 1).outcome("cross-domain-critical"), Outcome::not_applicable);
        QCOMPARE(dense(1, 8).outcome("cross-domain-critical"), Outcome::pass);
        Judged j = experts(4);
        j.scenario.layout.two_batch_overlap = false;
        const auto v = j.verdict("cross-domain-critical");
        QVERIFY(*v.value_si > 0 && *v.value_si < 1);
        j.scenario.thresholds["cross-domain.attention"] = *v.value_si * 0.9;
        j.scenario.thresholds["cross-domain.fail"] = *v.value_si * 1.1;
        QCOMPARE(j.outcome("cross-domain-critical"), Outcome::attention);
        j.scenario.thresholds["cross-domain.fail"] = *v.value_si * 0.95;
        QCOMPARE(j.outcome("cross-domain-critical"), Outcome::fail);
        j.scenario.thresholds["cross-domain.attention"] = *v.value_si * 1.05;
        j.scenario.thresholds["cross-domain.fail"] = *v.value_si * 1.1;
        QCOMPARE(j.outcome("cross-domain-critical"), Outcome::pass);
    }
    /// Most bytes of tensor parallel 16 stay inside the two nodes; its small all-reduces run over a tree (low-latency
    /// protocol, the faster of the measured forms) and wait for its steps between them.
    void crossDomainCountsTheStepsOutside() {
        const Judged j = dense(2, 16);
        const double share = *j.verdict("cross-domain-critical").value_si;
        const auto cache = make_prediction_cache();
        const auto p = predict(j.scenario, *cache);
        QVERIFY(p && p->cross_domain < 0.15);
        double latency = 0, whole = 0;
        for (const auto& r : p->layers.front().operations) {
            if (!r.collective) continue;
            QCOMPARE(r.collective->algorithm, Algorithm::tree);
            latency += 80 * r.collective->latency.si();  // 80 equal layers, nothing overlaps
            whole += 80 * r.time.si();
        }
        QVERIFY(latency > 0 && latency < whole);
        const double step = p->step_time.si();
        QVERIFY2(share >= latency / step - 1e-3 && share <= whole / step + 1e-2,
                 qPrintable(QString("%1 %2 %3").arg(share).arg(latency / step).arg(whole / step)));
    }
    void overlapTakesTrafficOffTheCriticalPath() {
        Judged with = experts(4), without = experts(4);
        without.scenario.layout.two_batch_overlap = false;
        QVERIFY(*with.verdict("cross-domain-critical").value_si < *without.verdict("cross-domain-critical").value_si);
    }

    void communicationAgainstExperts() {
        QCOMPARE(dense(1, 8).outcome("communication-against-experts"), Outcome::not_applicable);
        Judged j = experts(4);
        const double ratio = *j.verdict("communication-against-experts").value_si;
        QVERIFY(ratio > 0);
        const auto with = [&](double attention, double fail) {
            j.scenario.thresholds["expert-communication.attention"] = attention;
            j.scenario.thresholds["expert-communication.fail"] = fail;
            return j.outcome("communication-against-experts");
        };
        QCOMPARE(with(ratio * 1.1, ratio * 1.2), Outcome::pass);
        QCOMPARE(with(ratio * 0.9, ratio * 1.2), Outcome::attention);
        QCOMPARE(with(ratio * 0.8, ratio * 0.9), Outcome::fail);
    }

    void batchWindow() {
        Judged j = dense(1, 8);
        QCOMPARE(j.outcome("batch-window"), Outcome::not_applicable);
        j.batches = batches();
        j.scenario.targets.inter_token = Seconds(20e-3);
        j.scenario.targets.output_price = DollarsPerToken(4e-6);
        QCOMPARE(j.outcome("batch-window"), Outcome::pass);
        j.scenario.workload.batch = 200;
        const auto above = j.verdict("batch-window");
        QCOMPARE(above.outcome, Outcome::attention);
        QCOMPARE(std::get<SetBatch>(above.suggestions.front().edits.front()).batch, std::int64_t(100));
        j.scenario.workload.batch = 10;
        const auto below = j.verdict("batch-window");
        QCOMPARE(below.outcome, Outcome::attention);
        QCOMPARE(std::get<SetBatch>(below.suggestions.front().edits.front()).batch, std::int64_t(25));
        j.scenario.workload.batch = 50;
        j.scenario.thresholds["batch-window.narrow"] = 5;
        QCOMPARE(j.outcome("batch-window"), Outcome::attention);
        j.scenario.targets.output_price = DollarsPerToken(0.5e-6);
        QCOMPARE(j.outcome("batch-window"), Outcome::fail);
    }

    void tensorParallel() {
        QCOMPARE(dense(1, 1).outcome("tensor-in-domain"), Outcome::not_applicable);
        QCOMPARE(dense(1, 8).outcome("tensor-in-domain"), Outcome::pass);
        const auto outside = dense(2, 16).verdict("tensor-in-domain");
        QCOMPARE(outside.outcome, Outcome::fail);
        const auto* edit = layout_edit(outside.suggestions.front());
        QVERIFY(edit);
        QCOMPARE(edit->layout.tensor, std::int64_t(8));
        QCOMPARE(edit->layout.replica_size(), std::int64_t(8));
    }
    void tensorParallelBeyondItsTurnOver() {
        Judged j = dense(1, 8);
        j.degrees = {{1, Seconds(9e-3)}, {2, Seconds(6e-3)}, {4, Seconds(5e-3)}, {8, Seconds(6e-3)}};
        const auto v = j.verdict("tensor-in-domain");
        QCOMPARE(v.outcome, Outcome::attention);
        QVERIFY(std::abs(*v.value_si - 0.2) < 1e-9);
        QCOMPARE(layout_edit(v.suggestions.front())->layout.tensor, std::int64_t(4));
        j.scenario.thresholds["tensor-parallel.slack"] = 0.25;
        QCOMPARE(j.outcome("tensor-in-domain"), Outcome::pass);
    }
    void latentCacheIsCopiedToEveryTensorRank() {
        Judged j = experts(2);
        j.scenario.layout.tensor = 8;
        j.scenario.layout.attention_data = 2;
        const auto v = j.verdict("tensor-in-domain");
        QCOMPARE(v.outcome, Outcome::attention);
        QVERIFY(v.figure.find("splits over 1") != std::string::npos);
    }

    void slowLinks() {
        QCOMPARE(dense(1, 8).outcome("sparse-traffic-on-slow-links"), Outcome::not_applicable);
        Judged pipeline = dense(2, 8);
        pipeline.scenario.layout.pipeline = 2;
        QCOMPARE(pipeline.outcome("sparse-traffic-on-slow-links"), Outcome::pass);
        QCOMPARE(experts(4).outcome("sparse-traffic-on-slow-links"), Outcome::fail);
        Judged lenient = experts(4);
        lenient.scenario.thresholds["slow-links.fail"] = 0.99;
        QCOMPARE(lenient.outcome("sparse-traffic-on-slow-links"), Outcome::attention);
    }

    void memory() {
        QCOMPARE(dense(1, 8).outcome("memory-fits"), Outcome::pass);
        Judged full = dense(1, 8);
        full.scenario.workload.batch = 4096;
        const auto v = full.verdict("memory-fits");
        QCOMPARE(v.outcome, Outcome::fail);
        const auto largest = std::get<SetBatch>(v.suggestions.front().edits.front()).batch;
        full.scenario.workload.batch = largest;
        QCOMPARE(full.outcome("memory-fits"), Outcome::attention);
        full.scenario.workload.batch = largest + 1;
        QCOMPARE(full.outcome("memory-fits"), Outcome::fail);
        QVERIFY(*v.value_si < 0);
    }
};

QTEST_APPLESS_MAIN(ReviewTest)
#include "tst_review.moc"
