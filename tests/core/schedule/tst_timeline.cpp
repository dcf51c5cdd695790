// The schedule of bars on streams, checked against schedules drawn by hand.
#include "core/schedule/timeline.hpp"

#include <QtTest>

using namespace crosspoint;

namespace {

const std::vector<Stream> kStreams{{"Compute", -1}, {"NVLink domain", 0}, {"NIC / leaf", 1}};

Task task(std::string op, std::vector<Task::Piece> pieces, std::vector<int> after = {}) {
    return {op, op, 0, std::move(pieces), Bound::memory, std::move(after)};
}
Task compute(std::string op, double us, std::vector<int> after = {}) {
    return task(std::move(op), {{0, Seconds(us * 1e-6), Bytes(0)}}, std::move(after));
}
Task network(std::string op, double us, std::vector<int> after = {}, int stream = 1) {
    return task(std::move(op), {{stream, Seconds(us * 1e-6), Bytes(100)}}, std::move(after));
}
double us(Seconds t) { return t.si() * 1e6; }
double sum(const TimeShares& s) { return us(s.compute + s.hidden + s.exposed + s.idle); }
const Bar& bar(const Timeline& t, const std::string& op, int micro_batch = 0) {
    for (const Bar& b : t.bars) {
        if (b.op == op && b.micro_batch == micro_batch) return b;
    }
    static const Bar none{};
    return none;
}

}  // namespace

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    void chainExposesCommunication() {
        const Timeline t = schedule(kStreams, {compute("a", 10), network("b", 5, {0}), compute("c", 3, {1})}, 7);
        QCOMPARE(us(t.end), 18.0);
        QCOMPARE(us(t.shares.compute), 13.0);
        QCOMPARE(us(t.shares.exposed), 5.0);
        QCOMPARE(us(t.shares.hidden) + us(t.shares.idle), 0.0);
        QCOMPARE(us(t.stream_busy[0]), 13.0);
        QCOMPARE(us(t.stream_busy[1]), 5.0);
        QCOMPARE(us(t.stream_busy[2]), 0.0);
        QCOMPARE(us(bar(t, "c").start), 15.0);
        QCOMPARE(bar(t, "c").layer, 7);
        QCOMPARE(bar(t, "b").bytes.si(), 100.0);
    }
    void roundingIsNoShare() {
        std::vector<Task> chain;
        for (int i = 0; i < 501; ++i) {
            std::vector<int> after;
            if (i > 0) after.push_back(i - 1);
            chain.push_back(i % 2 ? network("n", 0.3, after) : compute("c", 0.1, after));
        }
        const Timeline t = schedule(kStreams, chain, 0);
        QVERIFY(t.shares.hidden == Seconds(0) && t.shares.idle == Seconds(0));
        QVERIFY(time_shares(t).hidden == Seconds(0) && time_shares(t).idle == Seconds(0));
    }
    void sharedExpertsHideDispatch() {
        // Router 2; dispatch 6 beside shared experts 4; experts 5 after dispatch; combine 3 after experts.
        const Timeline t = schedule(kStreams,
                                    {compute("router", 2), network("dispatch", 6, {0}), compute("shared", 4, {0}),
                                     compute("experts", 5, {1}), network("combine", 3, {3})},
                                    0);
        QCOMPARE(us(bar(t, "shared").start), 2.0);
        QCOMPARE(us(bar(t, "experts").start), 8.0);
        QCOMPARE(us(t.end), 16.0);
        QCOMPARE(us(t.shares.compute), 7.0);
        QCOMPARE(us(t.shares.hidden), 4.0);
        QCOMPARE(us(t.shares.exposed), 5.0);
    }
    void taskWaitsForAllItsStreams() {
        // The second exchange needs both levels; the NIC is taken until 9.
        const Timeline t = schedule(
            kStreams,
            {network("first", 9, {}, 2), task("both", {{1, Seconds(2e-6), Bytes(1)}, {2, Seconds(4e-6), Bytes(2)}})},
            0);
        QCOMPARE(us(bar(t, "both").start), 9.0);
        QCOMPARE(us(t.end), 13.0);
        QCOMPARE(int(t.bars.size()), 3);
    }
    void orderWithinAStreamIsKept() {
        // The late first task holds back the second of the same stream, though the second is ready at once.
        const Timeline t = schedule(kStreams, {network("wait", 10), compute("late", 1, {0}), compute("ready", 1)}, 0);
        QCOMPARE(us(bar(t, "late").start), 10.0);
        QCOMPARE(us(bar(t, "ready").start), 11.0);
    }
    void idleIsWhatNothingFills() {
        Timeline t = schedule(kStreams, {compute("a", 4)}, 0);
        t.end = Seconds(10e-6);
        const TimeShares s = time_shares(t);
        QCOMPARE(us(s.compute), 4.0);
        QCOMPARE(us(s.idle), 6.0);
    }
    void garbageIsDropped() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Timeline t = schedule(kStreams,
                                    {network("nowhere", 5, {}, 9), network("before", 5, {}, -1), compute("a", -3),
                                     compute("b", nan), compute("c", 2, {-4, 77, 4})},
                                    0);
        QCOMPARE(int(t.bars.size()), 1);
        QCOMPARE(us(t.end), 2.0);
        QCOMPARE(us(schedule({}, {}, 0).end), 0.0);
    }
    void appendShiftsAndAdds() {
        const Timeline layer = schedule(kStreams, {compute("a", 3), network("b", 2, {0})}, 0);
        Timeline step;
        for (int i = 0; i < 3; ++i) append(step, layer, i);
        QCOMPARE(us(step.end), 15.0);
        QCOMPARE(int(step.bars.size()), 6);
        QCOMPARE(us(step.bars[4].start), 10.0);
        QCOMPARE(step.bars[4].layer, 2);
        QCOMPARE(us(step.shares.compute), 9.0);
        QCOMPARE(us(step.shares.exposed), 6.0);
        QCOMPARE(us(step.stream_busy[1]), 6.0);
        Timeline summary;
        for (int i = 0; i < 3; ++i) append_summary(summary, layer);
        QCOMPARE(summary.end, step.end);
        QVERIFY(summary.bars.empty());
    }
    void appendCanKeepLayers() {
        Timeline step = schedule(kStreams, {compute("a", 3)}, -1);
        append(step, schedule(kStreams, {compute("b", 3)}, 12));
        QCOMPARE(step.bars[1].layer, 12);
        QCOMPARE(us(step.bars[1].start), 3.0);
    }
    void microBatchesHideEachOthersCommunication() {
        // Two micro-batches through two equal layers of compute 5, communication 5. One alone takes 20, both in turn
        // 40; interleaved, the second's compute runs under the first's communication: 5 + 4 x 5 + ... = 25.
        const std::vector<Task> tasks{compute("attention", 5), network("combine", 5, {0})};
        const std::vector<LayerTasks> layers{{0, &tasks}, {1, &tasks}};
        const Timeline one = schedule_interleaved(kStreams, layers, 1);
        QCOMPARE(us(one.end), 20.0);
        const Timeline two = schedule_interleaved(kStreams, layers, 2);
        QCOMPARE(us(two.end), 25.0);
        QCOMPARE(us(two.shares.compute), 5.0);
        QCOMPARE(us(two.shares.hidden), 15.0);
        QCOMPARE(us(two.shares.exposed), 5.0);
        QCOMPARE(int(two.bars.size()), 8);
        QCOMPARE(us(bar(two, "attention", 1).start), 5.0);
        QCOMPARE(two.bars.back().layer, 1);
    }
    void microBatchComputesUntilItWaits() {
        // By hand: the first computes 0-10 and dispatches 10-14; the second has computed 10-20 and dispatches 20-24;
        // experts of the first 20-23, its combine 24-28 after that dispatch; experts of the second 24-27, combine
        // 28-32. The first enters the next layer at 28, so five layers end at 4 x 28 + 32 = 144.
        const std::vector<Task> tasks{compute("a", 8), compute("b", 2, {0}), network("dispatch", 4, {1}),
                                      compute("experts", 3, {2}), network("combine", 4, {3})};
        std::vector<LayerTasks> layers;
        for (int i = 0; i < 5; ++i) layers.push_back({i, &tasks});
        const Timeline t = schedule_interleaved(kStreams, layers, 2);
        QVERIFY2(std::abs(us(t.end) - 144) < 1e-9, qPrintable(QString::number(us(t.end))));
        QCOMPARE(us(bar(t, "a", 1).start), 10.0);
        QCOMPARE(us(bar(t, "b", 1).start), 18.0);
    }
    void interleavingNeedsNoTasks() {
        const std::vector<Task> none;
        QCOMPARE(us(schedule_interleaved(kStreams, {{0, &none}, {1, nullptr}}, 2).end), 0.0);
        QCOMPARE(us(schedule_interleaved(kStreams, {}, 2).end), 0.0);
        QCOMPARE(us(schedule_interleaved(kStreams, {}, -1).end), 0.0);
    }
    void sharesAddUp() {
        const Timeline t = schedule(kStreams,
                                    {compute("a", 2.7), network("b", 9.1, {0}), compute("c", 3.3, {0}),
                                     network("d", 1.9, {2}, 2), compute("e", 0.4, {1, 3})},
                                    0);
        QVERIFY(std::abs(sum(t.shares) - us(t.end)) <= 1e-12 * us(t.end));
    }
};

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
