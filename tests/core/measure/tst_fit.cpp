// Constants come back from curves that are known; what must be refused is.
#include "logs.hpp"

using namespace crosspoint;
using logs::any;
using logs::near;
using logs::table;

class TestFit : public QObject {
    Q_OBJECT
private slots:
    void line();
    void kappa();
    void twoSegments();
    void threeSegments();
    void noSmallMessages();
    void outliers();
    void fallingTime();
    void halvingBandwidth();
    void latencyOnly();
    void oneSize();
    void inconsistentRows();
    void repeatedRowsCountAsTheirMedian();
    void inPlaceApart();
    void chosenForm();
    void noise();
};

namespace {

constexpr double alpha = 20e-6, beta = 100e9;

double straight(double n) { return alpha + n / beta; }
double pipelined(double n) { return alpha + n / beta + 1.2 * std::sqrt(alpha * n / beta); }
double broken(double n) { return n <= 1048576 ? 15e-6 + n / 30e9 : 60e-6 + n / 250e9; }

}  // namespace

void TestFit::line() {
    const Fit fit = fit_table(table(8, 1e10, 2, straight));
    QCOMPARE(fit.form, FitForm::line);
    QVERIFY(near(fit.alpha->si(), alpha, 1e-6) && near(fit.bandwidth->si(), beta, 1e-6));
    QVERIFY(near(fit.bus_bandwidth->si(), 1.75 * beta, 1e-6));  // all-reduce of 8
    QVERIFY(near(fit.crossover->si(), 2e6, 1e-6));
    QVERIFY(near(fit.half_bandwidth->si(), 2e6, 1e-6));  // equals n* without kappa
    QVERIFY(*fit.worst_relative_error < 1e-6);
    QVERIFY(fit.kappa == 0 && fit.warnings.empty() && fit.line_fails.empty());
}

void TestFit::kappa() {
    const Fit fit = fit_table(table(8, 1e10, 2, pipelined));
    QCOMPARE(fit.form, FitForm::pipelined);
    QVERIFY(near(fit.alpha->si(), alpha, 1e-5) && near(fit.bandwidth->si(), beta, 1e-5));
    QVERIFY(near(fit.kappa, 1.2, 1e-4));
    const double y = (1.2 + std::sqrt(1.2 * 1.2 + 4)) / 2;  // n-half = n* y^2
    QVERIFY(near(fit.half_bandwidth->si(), 2e6 * y * y, 1e-4));
    QVERIFY(!fit.line_fails.empty());
}

void TestFit::twoSegments() {
    const Fit fit = fit_table(table(8, 1e10, 2, broken));
    QCOMPARE(fit.form, FitForm::two_segments);
    QCOMPARE(fit.segments[0].to, Bytes(1048576));
    QVERIFY(near(fit.alpha->si(), 15e-6, 1e-6) && near(fit.bandwidth->si(), 250e9, 1e-6));
    QVERIFY(near(fit.time(Bytes(2097152))->si(), broken(2097152), 1e-6));
}

void TestFit::threeSegments() {
    const auto time = [](double n) { return n <= 8192 ? 12e-6 : n <= 8388608 ? 20e-6 + n / 60e9 : 110e-6 + n / 270e9; };
    const Fit fit = fit_table(table(8, 1.8e10, 2, time));
    QCOMPARE(fit.form, FitForm::three_segments);
    QVERIFY(near(fit.alpha->si(), 12e-6, 1e-6) && !fit.segments[0].bandwidth);
    QVERIFY(near(fit.bandwidth->si(), 270e9, 1e-4));
}

void TestFit::noSmallMessages() {
    const Fit fit = fit_table(table(1 << 20, 1e10, 2, straight));
    QVERIFY(!fit.alpha && !fit.crossover);
    QVERIFY(any(fit.warnings, "Alpha unknown"));
    QVERIFY(near(fit.bandwidth->si(), beta, 1e-6));
    QVERIFY(fit_table(table(65536, 1e10, 2, straight)).alpha.has_value());
}

void TestFit::outliers() {
    auto t = table(8, 1e10, 2, straight);
    t.rows[2].out_of_place->time = Seconds(68e-6);  // 32 B
    t.rows[9].out_of_place->time = Seconds(35e-6);  // 4 KiB
    const Fit fit = fit_table(t);
    QVERIFY(near(fit.alpha->si(), alpha, 1e-3) && near(fit.bandwidth->si(), beta, 1e-3));
    QVERIFY(!fit.points[2].used && !fit.points[9].used);
    QVERIFY(any(fit.warnings, "32 B") && any(fit.warnings, "4.00 KiB"));
}

void TestFit::fallingTime() {
    const Fit fit = fit_table(table(8, 1e6, 2, [](double n) { return 1e-3 - n * 6e-10; }));
    QVERIFY(fit.refused.find("time falls with size") != std::string::npos);
    QVERIFY(!fit.alpha && !fit.bandwidth && !fit.worst_relative_error);
    QVERIFY(any(fit.warnings, "Not fitted"));
}

void TestFit::halvingBandwidth() {
    // 29.5 GB/s up to 32 MiB, 5.3 beyond: what a path that falls back to the host shows.
    const Fit fit = fit_table(table(1 << 20, 1e9, 2, [](double n) { return n / (n <= 33554432 ? 29.5e9 : 5.3e9); }));
    QVERIFY(fit.refused.find("29.5 GB/s") != std::string::npos && fit.refused.find("5.30 GB/s") != std::string::npos);
}

void TestFit::latencyOnly() {
    const Fit fit = fit_table(table(2048, 8192, 2, [](double n) { return 13e-6 + n / 1e15; }));
    QVERIFY(near(fit.alpha->si(), 13e-6, 0.01) && !fit.bandwidth);
    QVERIFY(any(fit.warnings, "Bandwidth unknown"));
}

void TestFit::oneSize() {
    const Fit fit = fit_table(table(1 << 30, 1.1e9, 2, straight));
    QVERIFY(!fit.alpha && fit.bandwidth.has_value() && fit.segments.empty());
    QVERIFY(any(fit.warnings, "One size alone"));
    QVERIFY(fit_table(MeasuredTable{}).refused.find("no out-of-place row") != std::string::npos);
}

void TestFit::inconsistentRows() {
    auto t = table(8, 1e10, 2, straight);
    for (MeasuredRow& row : t.rows) {
        Timing& timing = *row.out_of_place;
        timing.algorithm_bandwidth = BytesPerSecond(row.size.si() / timing.time.si());
        row.line = int(&row - t.rows.data()) + 1;
    }
    t.rows[20].out_of_place->algorithm_bandwidth = BytesPerSecond(1e9);
    const Fit fit = fit_table(t);
    QCOMPARE(fit.points.size(), t.rows.size() - 1);
    QVERIFY(any(fit.warnings, "line 21"));
}

void TestFit::repeatedRowsCountAsTheirMedian() {
    auto t = table(8, 1e10, 2, straight);
    const auto once = t.rows;
    for (const double factor : {3.0, 1.0})
        for (MeasuredRow row : once) {
            row.out_of_place->time *= factor;
            t.rows.push_back(row);
        }
    const Fit fit = fit_table(t);
    QCOMPARE(fit.points.size(), once.size());
    QVERIFY(near(fit.bandwidth->si(), beta, 1e-6));
}

void TestFit::inPlaceApart() {
    auto t = table(8, 1e10, 2, straight);
    for (MeasuredRow& row : t.rows) {
        row.in_place = row.out_of_place;
        row.in_place->time *= 2;
    }
    QVERIFY(near(fit_table(t).alpha->si(), alpha, 1e-6));
    QVERIFY(near(fit_table(t, {Block::in_place, {}}).alpha->si(), 2 * alpha, 1e-6));
}

void TestFit::chosenForm() {
    const Fit fit = fit_table(table(8, 1e10, 2, broken), {{}, FitForm::line});
    QCOMPARE(fit.form, FitForm::line);
    QCOMPARE(fit.segments.size(), std::size_t(1));
    QCOMPARE(fit.candidates.size(), std::size_t(4));
}

void TestFit::noise() {
    // 3 % either way by a fixed pattern does not make three lines out of one.
    int i = 0;
    const Fit fit =
        fit_table(table(8, 1e10, 2, [&](double n) { return straight(n) * (1 + 0.03 * ((++i * 7 % 5) - 2) / 2); }));
    QCOMPARE(fit.form, FitForm::line);
    QVERIFY(near(fit.alpha->si(), alpha, 0.02) && near(fit.bandwidth->si(), beta, 0.02));
}

QTEST_APPLESS_MAIN(TestFit)
#include "tst_fit.moc"
