#include <QtTest>

#include "core/cost/link.hpp"
#include "core/units/text.hpp"

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {
const LinkCost worked{5_us, 400_GBps, 0};  // the worked link of cost-model section 1
bool close(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }
}  // namespace

class TestLink : public QObject {
    Q_OBJECT
private slots:
    void crossover() {
        QVERIFY(close(crossover_bytes(worked).si(), 2.0e6, 1e-12));  // cost-model section 1: 2.0 MB
        QVERIFY(close(transfer_time(worked, crossover_bytes(worked)).si(), 10e-6, 1e-12));  // exactly 2 alpha
        QCOMPARE(transfer_time(worked, 0_B).si(), 5e-6);
    }
    void crossoverBatch() {
        // cost-model section 1: hidden 8192 in bf16 is 16 KiB a sequence, B* = 122.07
        QVERIFY(close(crossover_batch(worked, 8192, 2_B), 122.07, 1e-4));
    }
    void floorOfOneToken() {
        const Seconds floor = token_floor(5_us, 80, 2);  // cost-model section 1: 0.8 ms, 1,250 tokens/s
        QVERIFY(close(floor.si(), 0.8e-3, 1e-12));
        QVERIFY(close(1 / floor.si(), 1250, 1e-12));
    }
    void halfBandwidth() {
        QVERIFY(close(half_bandwidth_bytes(worked).si(), 2.0e6, 1e-12));
        for (const double kappa : {0.0, 0.5, 1.0, 2.5}) {
            const LinkCost link{5_us, 400_GBps, kappa};
            const Bytes n = half_bandwidth_bytes(link);
            QVERIFY(close((n / transfer_time(link, n)).si(), 200e9, 1e-9));
        }
        // kappa 1: the golden ratio squared times n*
        QVERIFY(close(half_bandwidth_bytes({5_us, 400_GBps, 1}).si(), 2.0e6 * 2.6180339887, 1e-9));
    }
};

QTEST_APPLESS_MAIN(TestLink)
#include "tst_link.moc"
