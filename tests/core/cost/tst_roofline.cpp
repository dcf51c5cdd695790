// Roofline of one operation against numbers worked by hand.
#include "core/cost/roofline.hpp"

#include <QtTest>

#include "core/units/text.hpp"

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {

/// Round figures, so that a reader can check the expectations: 1 PFLOP/s bf16, 2 TB/s at 80 %.
AcceleratorPart part() {
    AcceleratorPart p;
    p.id = PartId("round");
    p.name = "Round";
    p.memory_bandwidth = {BytesPerSecond(2e12), Confidence::datasheet, "test", ""};
    p.memory_efficiency = {0.8, Confidence::measured, "test", ""};
    p.dense_peak[Dtype::bf16] = {FlopsPerSecond(1e15), Confidence::datasheet, "test", ""};
    p.dense_peak[Dtype::fp8] = {FlopsPerSecond(2e15), Confidence::datasheet, "test", ""};
    p.compute_efficiency = {{1, 0.1}, {100, 0.5}, {10000, 0.7}};
    p.compute_efficiency_evidence = {0.7, Confidence::fitted, "test", ""};
    p.launch = {5_us, Confidence::measured, "test", ""};
    p.graph_launch = {1_us, Confidence::measured, "test", ""};
    return p;
}

Operation product(double rows, double flops, double bytes, Dtype dtype = Dtype::bf16) {
    Operation op;
    op.id = "product";
    op.rows = rows;
    op.flops = Flops(flops);
    op.weight_bytes = Bytes(bytes);
    op.dtype = dtype;
    return op;
}

bool close(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::abs(b); }

}  // namespace

class TestRoofline : public QObject {
    Q_OBJECT
private slots:
    void memoryBound() {
        // 1.6 GB / (2 TB/s x 0.8) = 1 ms; 1e9 FLOP / (1e15 x 0.1) = 10 us; one graph launch 1 us.
        const OperationCost c = operation_cost(product(1, 1e9, 1.6e9), part(), Calibration{});
        QVERIFY(close(c.memory.si(), 1e-3));
        QVERIFY(close(c.compute.si(), 10e-6));
        QVERIFY(close(c.time.si(), 1.001e-3));
        QCOMPARE(c.bound, Bound::memory);
        QCOMPARE(c.computed_in, Dtype::bf16);
        QCOMPARE(c.confidence, Confidence::datasheet);
    }
    void computeBoundWithImbalance() {
        // 7e12 FLOP x 1.5 / (1e15 x 0.7) = 15 ms; imbalance leaves the bytes alone: 1.6 MB = 1 us.
        Operation op = product(10000, 7e12, 1.6e6);
        op.imbalance = 1.5;
        const OperationCost c = operation_cost(op, part(), Calibration{});
        QVERIFY(close(c.compute.si(), 15e-3));
        QVERIFY(close(c.memory.si(), 1e-6));
        QCOMPARE(c.bound, Bound::compute);
    }
    void launchBoundWithoutGraphs() {
        Calibration eager;
        eager.graphs = false;
        Operation op = product(1, 0, 1.6e6);
        op.kernels = 3;
        const OperationCost c = operation_cost(op, part(), eager);
        QVERIFY(close(c.launch.si(), 15e-6));
        QVERIFY(close(c.time.si(), 16e-6));
        QCOMPARE(c.bound, Bound::launch);
        QVERIFY(close(operation_cost(op, part(), Calibration{}).launch.si(), 3e-6));
    }
    void allTermsCountTheirBytes() {
        Operation op = product(1, 0, 1e9);
        op.activation_bytes = Bytes(2e9);
        op.cache_bytes = Bytes(5e9);
        QVERIFY(close(operation_cost(op, part(), Calibration{}).memory.si(), 8e9 / 1.6e12));
    }
    void overheadIsItsOwnBound() {
        Operation op;
        op.kind = OpKind::overhead;
        QCOMPARE(operation_cost(op, part(), Calibration{}).bound, Bound::overhead);
    }
    void efficiencyIsInterpolatedInTheLogarithm() {
        const AcceleratorPart p = part();
        QVERIFY(close(compute_efficiency(p, 1), 0.1));
        QVERIFY(close(compute_efficiency(p, 10), 0.3));    // halfway from 1 to 100
        QVERIFY(close(compute_efficiency(p, 1000), 0.6));  // halfway from 100 to 10000
        QVERIFY(close(compute_efficiency(p, 100), 0.5));
        QVERIFY(close(compute_efficiency(p, 0), 0.1));  // flat outside
        QVERIFY(close(compute_efficiency(p, 1e9), 0.7));
    }
    void emptyCurveTakesTheBestShare() {
        AcceleratorPart p = part();
        p.compute_efficiency.clear();
        QVERIFY(close(compute_efficiency(p, 64), 0.7));
        p.compute_efficiency_evidence.value = 0;
        QVERIFY(close(compute_efficiency(p, 64), 1.0));
    }
    void missingFormatsRunInWiderOnes_data() {
        QTest::addColumn<int>("wanted");
        QTest::addColumn<QList<int>>("listed");
        QTest::addColumn<int>("used");
        using enum Dtype;
        const auto row = [](const char* name, Dtype wanted, std::vector<Dtype> listed, Dtype used) {
            QList<int> ids;
            for (const Dtype d : listed) ids << int(d);
            QTest::newRow(name) << int(wanted) << ids << int(used);
        };
        row("fp4 to fp8", fp4, {fp8, bf16}, fp8);
        row("fp4 to bf16", fp4, {bf16, fp32}, bf16);
        row("int4 to int8", int4, {int8, bf16}, int8);
        row("int8 to bf16", int8, {bf16}, bf16);
        row("fp16 to bf16", fp16, {bf16, fp32}, bf16);
        row("bf16 to fp16", bf16, {fp16, fp32}, fp16);
        row("fp8 stays", fp8, {fp8, bf16}, fp8);
        row("tf32 to fp32", tf32, {fp32, bf16}, fp32);
    }
    void missingFormatsRunInWiderOnes() {
        QFETCH(int, wanted);
        QFETCH(QList<int>, listed);
        QFETCH(int, used);
        AcceleratorPart p = part();
        p.dense_peak.clear();
        for (const int d : listed) p.dense_peak[Dtype(d)] = {FlopsPerSecond(1e15), Confidence::datasheet, "test", ""};
        const OperationCost c = operation_cost(product(1, 1e9, 1, Dtype(wanted)), p, Calibration{});
        QCOMPARE(int(c.computed_in), used);
        const bool said = c.formula.find("lists no " + std::string(to_string(Dtype(wanted)))) != std::string::npos;
        QCOMPARE(said, wanted != used);
    }
    void unknownPeakCostsNothingAndIsAssumed() {
        AcceleratorPart p = part();
        p.dense_peak.clear();
        const OperationCost c = operation_cost(product(1, 1e9, 0), p, Calibration{});
        QCOMPARE(c.compute.si(), 0.0);
        QCOMPARE(c.confidence, Confidence::assumed);
        QVERIFY(c.formula.find("no peak known") != std::string::npos);
    }
    void zeroBandwidthDoesNotDivide() {
        AcceleratorPart p = part();
        p.memory_bandwidth.value = BytesPerSecond(0);
        QCOMPARE(operation_cost(product(1, 0, 1e9), p, Calibration{}).memory.si(), 0.0);
    }
    void formulaCarriesTheNumbers() {
        const OperationCost c = operation_cost(product(1, 1e9, 1.6e9), part(), Calibration{});
        const QString text = QString::fromStdString(c.formula);
        for (const char* piece : {"1.6", "GB", "TB/s", "x 0.80", "bf16 x 0.10", "launch"}) {
            QVERIFY2(text.contains(piece), qPrintable(text + " lacks " + piece));
        }
    }
    void figuresAreTheSameWithoutText() {
        const Operation op = product(17, 3e11, 2e8, Dtype::fp8);
        OperationCost with = operation_cost(op, part(), Calibration{});
        const OperationCost without = operation_figures(op, part(), Calibration{});
        QVERIFY(without.formula.empty());
        QCOMPARE(without.time, with.time);
        QCOMPARE(operation_formula(op, part(), Calibration{}, without), with.formula);
    }
    void publishedRidgeOfAnA100() {
        // 312 TFLOP/s / 1.5 TB/s = 208 FLOP/B: below it an operation waits for memory, above for compute.
        // Source: kipply, "Transformer Inference Arithmetic".
        AcceleratorPart a100 = part();
        a100.memory_bandwidth.value = BytesPerSecond(1.5e12);
        a100.memory_efficiency.value = 1;
        a100.dense_peak[Dtype::bf16].value = FlopsPerSecond(312e12);
        a100.compute_efficiency = {{1, 1.0}};
        QCOMPARE(operation_cost(product(1, 207e9, 1e9), a100, Calibration{}).bound, Bound::memory);
        QCOMPARE(operation_cost(product(1, 209e9, 1e9), a100, Calibration{}).bound, Bound::compute);
    }
};

QTEST_APPLESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
