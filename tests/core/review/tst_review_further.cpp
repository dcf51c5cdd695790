// The rules beyond the first seven: expert load, fabric health, latency share, NICs, pipeline, context, parts,
// failures.
#include "core/review/judged.hpp"

using namespace crosspoint;
using namespace crosspoint::testing;

class FurtherReviewTest : public QObject {
    Q_OBJECT
private slots:
    void expertLoad() {
        QCOMPARE(dense(1, 8).outcome("expert-load"), Outcome::not_applicable);
        // Decode reads weights for longer than it computes: the hottest rank is hidden.
        Judged decode = experts(4);
        const auto hidden = decode.verdict("expert-load");
        QCOMPARE(hidden.outcome, Outcome::pass);
        QVERIFY(*hidden.value_si > 1);
        QVERIFY(hidden.explanation.find("hidden behind reading") != std::string::npos);
        // 8 of 256 experts a token = 3.1 %.
        QVERIFY(hidden.figure.find("8 of 256 experts") != std::string::npos);
        // Prefill computes, and popularity with a spread of 1 makes the hottest of 32 ranks several times the mean.
        Judged prefill = decode;
        prefill.scenario.workload.phase = Phase::prefill;
        prefill.scenario.workload.expert_cv = 1;
        const auto felt = prefill.verdict("expert-load");
        QCOMPARE(felt.outcome, Outcome::fail);
        QVERIFY(std::holds_alternative<SetExpertCv>(felt.suggestions.front().edits.front()));
        prefill.scenario.thresholds["expert-load.fail"] = 100;
        QCOMPARE(prefill.outcome("expert-load"), Outcome::attention);
        decode.scenario.thresholds["expert-load.activation-ratio"] = 0.03;
        QCOMPARE(decode.outcome("expert-load"), Outcome::attention);
    }
    void fabricHealth() {
        Judged j = experts(4);
        j.impairments = {{"the cable at half its rate", {LinkRef::Kind::link, "cable"}, false, Seconds(0.010)}};
        const auto cache = make_prediction_cache();
        const Seconds step = predict(j.scenario, *cache)->step_time;
        j.impairments[0].step = step * 1.1;
        QCOMPARE(j.outcome("fabric-health"), Outcome::pass);
        j.impairments[0].step = step * 1.5;
        const auto felt = j.verdict("fabric-health");
        QCOMPARE(felt.outcome, Outcome::attention);
        QVERIFY(std::abs(*felt.value_si - 0.5) < 1e-9);
        QCOMPARE(felt.evidence.links.front().id, std::string("cable"));
        j.scenario.thresholds["one-failure.slowdown"] = 0.6;
        QCOMPARE(j.outcome("fabric-health"), Outcome::pass);
        Judged alone = dense(1, 1);
        QCOMPARE(alone.outcome("fabric-health"), Outcome::not_applicable);
    }
    void latencyShare() {
        QCOMPARE(dense(1, 1).outcome("alpha-bound"), Outcome::not_applicable);
        Judged j = dense(1, 8);
        const double share = *j.verdict("alpha-bound").value_si;
        QVERIFY(share > 0 && share < 1);
        j.scenario.thresholds["alpha-bound.attention"] = share * 0.9;
        j.scenario.thresholds["alpha-bound.fail"] = share * 1.1;
        QCOMPARE(j.outcome("alpha-bound"), Outcome::attention);
        j.scenario.thresholds["alpha-bound.fail"] = share * 0.95;
        QCOMPARE(j.outcome("alpha-bound"), Outcome::fail);
        j.scenario.thresholds["alpha-bound.attention"] = share * 1.1;
        j.scenario.thresholds["alpha-bound.fail"] = share * 1.2;
        QCOMPARE(j.outcome("alpha-bound"), Outcome::pass);
    }
    void dataMultiple() {
        Judged j = dense(1, 8);
        QCOMPARE(j.outcome("data-multiple"), Outcome::not_applicable);
        auto model = *j.scenario.model;
        // Llama-3 70B: 15 T tokens for 70.6 G parameters = 10.6 times 20 tokens each.
        model.training_tokens = 15'000'000'000'000;
        j.scenario.model = std::make_shared<const ModelShape>(model);
        const auto over = j.verdict("data-multiple");
        QCOMPARE(over.outcome, Outcome::pass);
        QVERIFY(std::abs(*over.value_si - 10.6) < 0.1);
        model.training_tokens = 300'000'000'000;
        j.scenario.model = std::make_shared<const ModelShape>(model);
        QCOMPARE(j.outcome("data-multiple"), Outcome::attention);
    }
    void tiers() {
        Judged j = dense(1, 8);
        QCOMPARE(j.outcome("tiers-hold"), Outcome::not_applicable);
        for (std::int64_t b = 1; b <= 32; b *= 2)  // step 2 ms x sqrt(batch), price by 1 / sqrt(batch)
            j.batches.push_back(
                {b, Seconds(2e-3 * std::sqrt(double(b))), {}, {}, DollarsPerToken(1e-4 / std::sqrt(double(b))), true});
        QCOMPARE(j.outcome("tiers-hold"), Outcome::not_applicable);  // none promised
        j.scenario.tiers["fast"] = {6, 2.5};
        QCOMPARE(j.outcome("tiers-hold"), Outcome::pass);
        j.scenario.tiers["fast"] = {2, 2.5};
        QCOMPARE(j.outcome("tiers-hold"), Outcome::attention);
        j.scenario.tiers["fast"] = {9, 9};  // sqrt(32) = 5.7 x is the floor
        QCOMPARE(j.outcome("tiers-hold"), Outcome::fail);
    }
    void monitoringPlan() {
        Judged j = dense(1, 8);
        QCOMPARE(j.outcome("monitored"), Outcome::attention);
        QCOMPARE(*j.verdict("monitored").value_si, 3.0);
        j.scenario.service.offered = TokensPerSecond(1000);
        j.scenario.targets.inter_token = Seconds(0.02);
        j.scenario.targets.first_token = Seconds(1);
        QCOMPARE(j.outcome("monitored"), Outcome::pass);
        j.scenario.workload.phase = Phase::training;
        QCOMPARE(j.outcome("expert-layer-in-domain"), Outcome::not_applicable);
    }
    void nics() {
        Judged j = experts(4);
        QCOMPARE(j.outcome("nic-ratio"), Outcome::pass);
        j.scenario.thresholds["nic-ratio.least"] = 2;
        const auto few = j.verdict("nic-ratio");
        QCOMPARE(few.outcome, Outcome::attention);
        QCOMPARE(*few.value_si, 1.0);
        QCOMPARE(few.figure, std::string("32 NICs for 32 accelerators (1 each)"));
    }
    void pipeline() {
        QCOMPARE(dense(1, 8).outcome("pipeline-fill"), Outcome::not_applicable);
        Judged j = dense(2, 8);
        j.scenario.layout.pipeline = 2;
        QCOMPARE(j.outcome("pipeline-fill"), Outcome::pass);
        // One sequence over two stages: half of the stages' time is idle.
        j.scenario.workload.batch = 1;
        const auto half = j.verdict("pipeline-fill");
        QCOMPARE(*half.value_si, 0.5);
        QCOMPARE(half.outcome, Outcome::attention);
        j.scenario.thresholds["pipeline-idle.fail"] = 0.4;
        QCOMPARE(j.outcome("pipeline-fill"), Outcome::fail);
        // Prefill of 8 sequences: (2-1)/(8+2-1) = 11 %.
        j.scenario.workload.phase = Phase::prefill;
        j.scenario.workload.batch = 8;
        QVERIFY(std::abs(*j.verdict("pipeline-fill").value_si - 1.0 / 9) < 1e-12);
    }
    void context() {
        Judged j = dense(1, 8);
        QCOMPARE(j.outcome("context-fits"), Outcome::pass);
        auto model = *j.scenario.model;
        model.max_context = 2048;
        j.scenario.model = std::make_shared<const ModelShape>(model);
        const auto longer = j.verdict("context-fits");
        QCOMPARE(longer.outcome, Outcome::fail);
        QCOMPARE(std::get<SetContext>(longer.suggestions.front().edits.front()).context, 2048);
        model.max_context = 0;
        j.scenario.model = std::make_shared<const ModelShape>(model);
        j.scenario.thresholds["context.cache-share"] = 0.001;
        QCOMPARE(j.outcome("context-fits"), Outcome::attention);
    }
    void parts() {
        Judged j = experts(4);
        // The NIC of this catalogue takes half of its PCIe slot: 26 of 52 GB/s.
        QVERIFY(std::abs(*j.verdict("parts-match").value_si - 0.5) < 0.01);
        j.scenario.thresholds["parts.slack"] = 0.6;
        QVERIFY2(j.outcome("parts-match") == Outcome::pass, j.verdict("parts-match").figure.c_str());
        Topology t = *j.scenario.topology;
        Link fast = *t.links.begin();
        for (const Link& l : t.links)
            if (t.devices.find(l.a)->kind == DeviceKind::nic || t.devices.find(l.b)->kind == DeviceKind::nic) fast = l;
        fast.lanes = 4;
        t.links.put(fast);
        j.scenario.topology = std::make_shared<const Topology>(t);
        const auto held = j.verdict("parts-match");
        QCOMPARE(held.outcome, Outcome::attention);
        QVERIFY(*held.value_si > 0.6);
        QCOMPARE(held.evidence.links.front().id, fast.id.value);
    }
    void singleFailures() {
        Judged one = experts(4);
        const auto all = one.verdict("single-point-of-failure");
        QCOMPARE(all.outcome, Outcome::attention);
        QCOMPARE(*all.value_si, 1.0);
        Judged four = dense(4, 8);
        four.scenario.layout.replicas = 4;
        QCOMPARE(four.outcome("single-point-of-failure"), Outcome::pass);
        four.impairments = {{"the cable of x failed", {LinkRef::Kind::link, "x"}, true, Seconds(0)}};
        const auto cut = four.verdict("single-point-of-failure");
        QVERIFY(cut.explanation.find("the cable of x failed") != std::string::npos);
        QCOMPARE(cut.evidence.links.size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(FurtherReviewTest)
#include "tst_review_further.moc"
