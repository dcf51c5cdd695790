// The batch that forms under a load, its queue and spread, and tiers.
#include <QtTest>
#include <cmath>

#include "core/economics/serving.hpp"

using namespace crosspoint;

namespace {

/// Step 2 ms x sqrt(batch) up to 1024 sequences; $1 /s an accelerator, four of them a replica.
std::vector<BatchPoint> points() {
    std::vector<BatchPoint> all;
    for (std::int64_t b = 1; b <= 1024; b *= 2) {
        const double step = 2e-3 * std::sqrt(double(b));
        all.push_back({b, Seconds(step), TokensPerSecond(1 / step), TokensPerSecond(double(b) / step / 4),
                       DollarsPerToken(4 * step / double(b)), true});
    }
    return all;
}

ServingInput input(const std::vector<BatchPoint>& points, double rate, double replicas = 1) {
    ServingInput in;
    in.points = points;
    in.offered = TokensPerSecond(rate);
    in.output = 100;
    in.replicas = replicas;
    in.accelerators_per_replica = 4;
    in.price = DollarsPerSecond(1);
    in.prefill = Seconds(0.2);
    return in;
}

}  // namespace

class ServingTest : public QObject {
    Q_OBJECT
private slots:
    void batchIsTheFixedPoint() {
        // B = rate x 2 ms x sqrt(B), so B = (2 ms x rate)^2: 10 k tokens/s give 400.
        const auto all = points();
        const auto b = effective_batch(all, TokensPerSecond(10e3), 1024);
        QVERIFY(b && std::abs(*b - 400) < 0.1);
        // The most: sqrt(1024) / 2 ms = 16 k tokens/s.
        QVERIFY(effective_batch(all, TokensPerSecond(15.9e3), 1024));
        QVERIFY(!effective_batch(all, TokensPerSecond(16.1e3), 1024));
        QVERIFY(!effective_batch(all, TokensPerSecond(0), 1024));
        QVERIFY(!effective_batch({}, TokensPerSecond(1), 1024));
    }
    void spreadIsPoisson() {
        // Poisson tables: with mean 10, P(n <= 5) = 0.067 and P(n <= 4) = 0.029; P(n <= 15) = 0.951.
        QCOMPARE(poisson_quantile(10, 0.05), 5.0);
        QCOMPARE(poisson_quantile(10, 0.95), 15.0);
        QVERIFY(std::abs(poisson_quantile(10000, 0.95) - 10164) < 1);
        QCOMPARE(poisson_quantile(0, 0.5), 0.0);
    }
    void queueIsErlangs() {
        // Erlang C tables: 8 busy of 10 places on average, 40.9 % wait; 1 place at half load, 50 %.
        QVERIFY(std::abs(waiting_probability(8, 10) - 0.4092) < 1e-3);
        QVERIFY(std::abs(waiting_probability(0.5, 1) - 0.5) < 1e-12);
        QCOMPARE(waiting_probability(10, 10), 1.0);
        QCOMPARE(waiting_probability(0, 10), 0.0);
        // The limit law meets the exact one where it takes over.
        QVERIFY(std::abs(waiting_probability(1960, 1999) - waiting_probability(1961, 2000)) < 0.02);
    }
    void aCarriedLoad() {
        const auto all = points();
        const ServingReport r = serve(input(all, 20e3, 2));  // 10 k tokens/s a replica
        QVERIFY(r.batch && std::abs(*r.batch - 400) < 0.1);
        QVERIFY(std::abs(r.step.si() - 0.04) < 1e-5);
        QVERIFY(std::abs(r.requests_per_s - 200) < 1e-9);
        QVERIFY(std::abs(r.decode.si() - 4) < 1e-3);
        QVERIFY(std::abs(r.utilisation - 20.0 / 32) < 1e-9);
        QCOMPARE(r.replicas_needed, 2.0);
        QCOMPARE(r.accelerators_needed, 8.0);
        // 4 accelerators x $1 /s x 0.04 s / 400 sequences.
        QVERIFY(std::abs(r.output_price.si() - 4e-4) < 1e-8);
        QVERIFY(r.low_batch_price > r.output_price);
        QVERIFY(r.batch_low < 400 && r.batch_high > 400);
        QVERIFY(r.waiting < 1e-6);
    }
    void anOverload() {
        const auto all = points();
        const ServingReport r = serve(input(all, 40e3, 2));
        QVERIFY(!r.batch);
        QCOMPARE(r.replicas_needed, 3.0);
        QVERIFY(r.finding.find("Overloaded") != std::string::npos);
        // A latency target of 20 ms allows batch 64 at most (16 ms), 4 k tokens/s.
        ServingInput slow = input(all, 10e3);
        slow.latency = Seconds(0.02);
        const ServingReport limited = serve(slow);
        QCOMPARE(limited.largest, 64.0);
        QCOMPARE(limited.replicas_needed, 3.0);
        slow.latency = Seconds(1e-6);
        QCOMPARE(serve(slow).largest, 0.0);
    }
    void policiesDifferInTheBatchAlone() {
        const auto all = tier_points(points(), 64);
        QCOMPARE(all.size(), std::size_t(3));
        // Fast: batch 1, sqrt(64) = 8 x the speed at 8 x the cost; offline: batch 1024, a quarter of both.
        QCOMPARE(all[0].batch, 1);
        QVERIFY(std::abs(all[0].speed_ratio - 8) < 1e-9 && std::abs(all[0].price_ratio - 8) < 1e-9);
        QVERIFY(std::abs(all[2].speed_ratio - 0.25) < 1e-9 && std::abs(all[2].price_ratio - 0.25) < 1e-9);
        QVERIFY(tier_points(points(), 65).empty());
    }
    void promisesAreJudged() {
        const Tiers tiers{{"fast", {6, 2.5}}, {"faster", {20, 10}}, {"cheap", {2, 2.5}}};
        const auto all = judge_tiers(points(), 64, tiers);
        QCOMPARE(all.size(), std::size_t(3));
        // 2.5 x needs a step of 6.4 ms: batch 8 of the sweep (5.66 ms), at sqrt(8) = 2.83 x the cost.
        QCOMPARE(all[0].name, std::string("cheap"));
        QCOMPARE(all[0].kind, TierJudgement::Kind::at_a_loss);
        QVERIFY(std::abs(all[0].cost - std::sqrt(8.0)) < 1e-9);
        QCOMPARE(*all[0].batch, 8.0);
        QCOMPARE(all[1].kind, TierJudgement::Kind::kept);
        QCOMPARE(all[2].kind, TierJudgement::Kind::false_promise);
        QVERIFY(std::abs(all[2].fastest - 8) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(ServingTest)
#include "tst_serving.moc"
