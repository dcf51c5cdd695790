// Schedules played through, against the bubbles that their publications state.
#include <QtTest>

#include "core/training/pipeline.hpp"

using namespace crosspoint;

namespace {

PipelineShape shape(PipelineSchedule schedule, int stages, std::int64_t micro_batches, std::int64_t interleave = 1) {
    PipelineShape s{schedule, micro_batches, interleave, Seconds(0), {}};
    s.stages.assign(std::size_t(stages), StageWork{Seconds(1), Seconds(1), Seconds(1)});  // T_F = T_B = T_W
    return s;
}

double bubble(const PipelineShape& s) {
    return run_pipeline(s, false).end.si() - double(s.micro_batches) * s.stages.front().total().si();
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

class TestPipeline : public QObject {
    Q_OBJECT

private slots:
    void oneForwardOneBackward_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<qint64>("microBatches");
        for (const int p : {1, 2, 4, 8, 16})
            for (const qint64 m : {1, 2, 7, 32, 500}) QTest::addRow("p %d, m %d", p, int(m)) << p << m;
    }
    // (p - 1)(F + B): Narayanan et al. 2021 (arXiv 2104.04473), section 2.2.
    void oneForwardOneBackward() {
        QFETCH(int, stages);
        QFETCH(qint64, microBatches);
        const auto s = shape(PipelineSchedule::one_f_one_b, stages, microBatches);
        QVERIFY2(near(bubble(s), 3.0 * (stages - 1), 1e-9), qPrintable(QString::number(bubble(s))));
        QVERIFY(near(published_bubble(s).si(), 3.0 * (stages - 1), 1e-9));
    }
    // p = 8, m = 32: 21.9 % for 1F1B, 7.3 % for ZB1P (README of sail-sg/zero-bubble-pipeline-parallelism).
    void zeroBubble() {
        const auto plain = shape(PipelineSchedule::one_f_one_b, 8, 32);
        QVERIFY(near(bubble(plain) / 96, 0.219, 5e-4));
        const auto zb = shape(PipelineSchedule::zero_bubble, 8, 32);
        QVERIFY(near(published_bubble(zb).si() / 96, 0.073, 5e-4));
        QVERIFY2(bubble(zb) >= -1e-9 && bubble(zb) <= 7.0 + 1e-9, qPrintable(QString::number(bubble(zb))));
    }
    // (p - 1)(F + B) / v, micro-batches a multiple of the stages.
    void interleaved_data() {
        QTest::addColumn<qint64>("chunks");
        for (const qint64 v : {2, 3, 5, 8}) QTest::addRow("v %d", int(v)) << v;
    }
    void interleaved() {
        QFETCH(qint64, chunks);
        const auto s = shape(PipelineSchedule::one_f_one_b, 8, 64, chunks);
        const double expected = 3.0 * 7 / double(chunks);
        QVERIFY2(near(bubble(s), expected, 0.1 * expected), qPrintable(QString::number(bubble(s))));
    }
    void dualPipeIsBetweenNothingAndOneForwardOneBackward() {
        const auto s = shape(PipelineSchedule::dual_pipe, 8, 32);
        QVERIFY(near(published_bubble(s).si(), (3 + 2 - 3) * 3.0, 1e-9));  // (p/2 - 1)(F&B + B - 3W)
        QVERIFY2(bubble(s) >= -1e-9 && bubble(s) <= 21, qPrintable(QString::number(bubble(s))));
    }
    void unevenMicroBatchesEnd() {
        for (const qint64 m : {1, 3, 9, 13})
            for (const auto schedule :
                 {PipelineSchedule::one_f_one_b, PipelineSchedule::zero_bubble, PipelineSchedule::dual_pipe}) {
                const auto s = shape(schedule, 4, m, 3);
                const PipelineRun run = run_pipeline(s, true);
                double busy = 0;
                for (const Seconds b : run.busy) busy += b.si();
                QVERIFY2(near(busy, 4 * 3.0 * double(m), 1e-6), qPrintable(QString::number(busy)));
                QVERIFY(run.end.si() >= 3.0 * double(m) - 1e-9);
            }
    }
    void theSlowestStageSetsThePace() {
        auto s = shape(PipelineSchedule::one_f_one_b, 4, 1000);
        s.stages[2] = {Seconds(2), Seconds(2), Seconds(2)};
        QVERIFY(near(run_pipeline(s, false).end.si(), 1000 * 6 + 3 * 3, 3));
    }
    void barsOfAStageDoNotOverlap() {
        const PipelineRun run = run_pipeline(shape(PipelineSchedule::one_f_one_b, 4, 200, 2), true);
        std::vector<std::vector<PipelineBar>> stages(4);
        for (const auto& bar : run.bars) stages[std::size_t(bar.stage)].push_back(bar);
        for (auto& bars : stages) {
            std::sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
            for (std::size_t i = 1; i < bars.size(); ++i)
                QVERIFY(bars[i].start.si() >= (bars[i - 1].start + bars[i - 1].length).si() - 1e-9);
        }
    }
    void nothingAndGarbage() {
        QCOMPARE(run_pipeline({}, true).end.si(), 0.0);
        auto s = shape(PipelineSchedule::one_f_one_b, 3, 0, 0);
        QVERIFY(run_pipeline(s, true).end.si() > 0);
    }
};

QTEST_APPLESS_MAIN(TestPipeline)
#include "tst_pipeline.moc"
