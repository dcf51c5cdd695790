#include <QtTest>

#include "core/model/experts.hpp"
#include "core/model/load_law.hpp"

using namespace crosspoint;

namespace {
bool close(double value, double expected, double tolerance) {
    if (std::abs(value - expected) <= tolerance) return true;
    qWarning("got %.9g, expected %.9g", value, expected);
    return false;
}
}  // namespace

class TestExperts : public QObject {
    Q_OBJECT
private slots:
    void imbalanceOfUniformExperts();
    void imbalanceOfDegenerateInput();
    void imbalanceGrowsWithPopularitySpread();
    void wideLawsAgreeWithThePlainSum_data();
    void wideLawsAgreeWithThePlainSum();
    void exponentialLoadHasHarmonicMaximum();
    void distinctExperts();
    void distinctDomains();
};

void TestExperts::imbalanceOfUniformExperts() {
    // Source: the project's cost model, section 5 (Poisson loads, slowest rank over mean).
    QVERIFY(close(imbalance(8, 32, 0), 1.798, 0.002));
    QVERIFY(close(imbalance(64, 32, 0), 1.268, 0.002));
    QVERIFY(close(imbalance(256, 72, 0), 1.152, 0.002));
    QVERIFY(close(imbalance(1, 256, 0), 4.767, 0.002));
    // Two ranks of Poisson mean 1: E[max] = 1 + E|X - Y| / 2, E|X - Y| = 2 e^-2 (I0(2) + I1(2)) = 1.04766
    // (Skellam, closed form with modified Bessel functions I0(2) = 2.2795853, I1(2) = 1.5906369).
    QVERIFY(close(imbalance(1, 2, 0), 1 + std::exp(-2.0) * (2.2795853 + 1.5906369), 1e-6));
}

void TestExperts::imbalanceOfDegenerateInput() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    QCOMPARE(imbalance(0, 32, 0), 1.0);
    QCOMPARE(imbalance(8, 1, 0.5), 1.0);
    QCOMPARE(imbalance(nan, 32, 0), 1.0);
    QCOMPARE(imbalance(8, infinite, 0), 1.0);
    QVERIFY(std::isfinite(imbalance(8, 32, nan)));
    QVERIFY(std::isfinite(imbalance(1e300, 1e300, 1e300)));
    QVERIFY(close(imbalance(1e12, 64, 0), 1, 1e-3));
    // Rare tokens: the busiest of R ranks has one token with probability near R * mean.
    QVERIFY(close(imbalance(1e-6, 100, 0), 100, 0.01));
}

void TestExperts::imbalanceGrowsWithPopularitySpread() {
    double last = 1;
    for (const double cv : {0.0, 0.1, 0.3, 0.6, 1.0, 2.0}) {
        const double now = imbalance(64, 32, cv);
        QVERIFY2(now > last, qPrintable(QString("cv %1: %2 after %3").arg(cv).arg(now).arg(last)));
        last = now;
    }
}

void TestExperts::wideLawsAgreeWithThePlainSum_data() {
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("cv");
    for (const double mean : {100.0, 1000.0, 20000.0})
        for (const double cv : {0.0, 0.1, 0.5, 1.0, 3.0})
            QTest::newRow(qPrintable(QString("mean %1 cv %2").arg(mean).arg(cv))) << mean << cv;
}

void TestExperts::wideLawsAgreeWithThePlainSum() {
    QFETCH(double, mean);
    QFETCH(double, cv);
    const LoadLaw law(mean, cv);
    for (const double ranks : {2.0, 8.0, 72.0, 1024.0}) {
        const double exact = law.expected_maximum_by_sum(ranks);
        QVERIFY2(std::abs(law.expected_maximum(ranks) / exact - 1) < 1e-3,
                 qPrintable(QString("%1 ranks: %2 for %3").arg(ranks).arg(law.expected_maximum(ranks)).arg(exact)));
    }
}

void TestExperts::exponentialLoadHasHarmonicMaximum() {
    // cv 1 makes the rates exponential, and E[max of R exponentials] / mean = H_R (order statistics): H_8 = 2.717857.
    QVERIFY(close(imbalance(1e6, 8, 1.0), 2.717857, 0.003));
}

void TestExperts::distinctExperts() {
    // Cost model section 5: E_l (1 - (1 - k/E)^T). 8 local of 256, top 8, 256 tokens: 8 (1 - (31/32)^256) = 7.997638.
    QVERIFY(close(distinct_experts(8, 256, 8, 256), 7.9976379, 1e-6));
    QVERIFY(close(distinct_experts(256, 256, 8, 1), 8, 1e-9));
    QVERIFY(close(distinct_experts(8, 8, 8, 1), 8, 1e-12));
    QCOMPARE(distinct_experts(8, 256, 8, 0), 0.0);
    QCOMPARE(distinct_experts(8, 0, 8, 5), 0.0);
    QCOMPARE(distinct_experts(8, 256, std::numeric_limits<double>::quiet_NaN(), 5), 0.0);
}

void TestExperts::distinctDomains() {
    // 2 of 4 experts over 2 domains of 2: both in one domain with probability 2/6, so 2 - 1/3 domains.
    QVERIFY(close(distinct_domains(4, 2, 2, 0), 2 * (1 - 1.0 / 6), 1e-9));
    // 8 of 256 over 8 domains of 32: 8 (1 - C(224,8)/C(256,8)) = 5.294652, the model's limit of 4 caps it.
    QVERIFY(close(distinct_domains(256, 8, 8, 8), 5.294652, 1e-6));
    QCOMPARE(distinct_domains(256, 8, 8, 4), 4.0);
    QVERIFY(close(distinct_domains(256, 8, 1, 0), 1, 1e-12));
    QVERIFY(close(distinct_domains(8, 8, 8, 0), 8, 1e-12));
    QCOMPARE(distinct_domains(0, 8, 8, 0), 0.0);
}

QTEST_APPLESS_MAIN(TestExperts)
#include "tst_experts.moc"
