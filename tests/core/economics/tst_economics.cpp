#include <QtTest>

#include <cmath>

#include "core/economics/economics.hpp"

using namespace crosspoint;

namespace {

constexpr double per_hour = 1.0 / 3600.0;
constexpr double per_million = 1e-6;

/// step = 2 ms x batch^0.5; price = $100 /M / batch: simple laws whose window is known in closed form.
std::vector<BatchPoint> sweep(std::int64_t fits_up_to) {
    std::vector<BatchPoint> points;
    for (std::int64_t b : {1, 4, 16, 64, 256, 1024})
        points.push_back({b, Seconds(2e-3 * std::sqrt(double(b))), TokensPerSecond(0), TokensPerSecond(0),
                          DollarsPerToken(100 * per_million / double(b)), b <= fits_up_to});
    return points;
}

Targets targets(double latency, double price) {
    Targets t;
    if (latency > 0) t.inter_token = Seconds(latency);
    if (price > 0) t.output_price = DollarsPerToken(price * per_million);
    return t;
}

}  // namespace

class EconomicsTest : public QObject {
    Q_OBJECT
private slots:
    void price_of_a_million_tokens() {
        // The example of the unit_price docstring: 32 x $2 /h / (16,896 x 3600) = $1.0522 /M.
        const auto price = unit_price(32, DollarsPerSecond(2 * per_hour), TokensPerSecond(16896));
        QVERIFY(std::abs(price.si() * 1e6 - 1.05219) < 1e-4);
    }
    void no_rate_has_no_price() {
        QCOMPARE(unit_price(32, DollarsPerSecond(1), TokensPerSecond(0)).si(), 0.0);
        QCOMPARE(unit_price(32, DollarsPerSecond(NAN), TokensPerSecond(1)).si(), 0.0);
    }
    void interpolates_between_points() {
        // Closed form: 20 ms at batch 100; $4 /M at batch 25.
        const auto w = batch_window(sweep(1024), targets(20e-3, 4), Phase::decode);
        QVERIFY(!w.empty);
        QCOMPARE(*w.smallest, std::int64_t(25));
        QCOMPARE(*w.largest, std::int64_t(100));
        QCOMPARE(w.high_reason, std::string("latency 20.0 ms"));
    }
    void memory_ends_the_window_at_the_last_batch_that_fits() {
        const auto w = batch_window(sweep(64), targets(1, 4), Phase::decode);
        QCOMPARE(*w.largest, std::int64_t(64));
        QCOMPARE(w.high_reason, std::string("memory"));
    }
    void empty_window_names_both_ends() {
        // $0.5 /M needs batch 200, where a step takes 28.3 ms; batch 100 costs $1 /M.
        const auto w = batch_window(sweep(1024), targets(20e-3, 0.5), Phase::decode);
        QVERIFY(w.empty);
        QCOMPARE(*w.smallest, std::int64_t(200));
        QCOMPARE(*w.largest, std::int64_t(100));
        QVERIFY(w.finding.find("latency end to 28.3 ms") != std::string::npos);
        QVERIFY(w.finding.find("price end to $1.00") != std::string::npos);
    }
    void unreachable_targets_say_which_end_to_move() {
        const auto slow = batch_window(sweep(1024), targets(1e-3, 4), Phase::decode);
        QVERIFY(slow.empty && !slow.largest);
        QVERIFY(slow.finding.find("latency end") != std::string::npos);
        const auto dear = batch_window(sweep(1024), targets(1, 0.01), Phase::decode);
        QVERIFY(dear.empty && !dear.smallest);
        QVERIFY(dear.finding.find("price end") != std::string::npos);
        const auto big = batch_window(sweep(0), targets(1, 4), Phase::decode);
        QVERIFY(big.empty && !big.largest);
        QVERIFY(big.finding.find("memory end") != std::string::npos);
    }
    void without_targets_the_sweep_is_the_window() {
        const auto w = batch_window(sweep(256), {}, Phase::decode);
        QVERIFY(!w.empty);
        QCOMPARE(*w.smallest, std::int64_t(1));
        QCOMPARE(*w.largest, std::int64_t(256));
        QCOMPARE(w.low_reason, std::string("no price target"));
    }
    void the_phase_chooses_the_target() {
        Targets t;
        t.inter_token = Seconds(1e-9);
        t.first_token = Seconds(8e-3);  // reached at batch 16
        QCOMPARE(*batch_window(sweep(1024), t, Phase::prefill).largest, std::int64_t(16));
        QVERIFY(!batch_window(sweep(1024), t, Phase::decode).largest);
    }
    void nothing_evaluated() {
        const auto w = batch_window({}, targets(1, 1), Phase::decode);
        QVERIFY(w.empty && !w.finding.empty());
    }
};

QTEST_APPLESS_MAIN(EconomicsTest)
#include "tst_economics.moc"
