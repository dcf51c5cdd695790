// Laws of the schedule on random directed acyclic graphs of tasks.
#include <cmath>

#include <rapidcheck.h>

#include <QtTest>

#include "core/schedule/timeline.hpp"

using namespace crosspoint;

namespace {

const std::vector<Stream> kStreams{{"Compute", -1}, {"NVLink domain", 0}, {"NIC / leaf", 1}, {"spine", 2}};

std::vector<Task> random_tasks() {
    const int count = *rc::gen::inRange(0, 40);
    std::vector<Task> tasks;
    for (int i = 0; i < count; ++i) {
        Task task;
        task.op = "t" + std::to_string(i);
        const int pieces = *rc::gen::inRange(1, 4);
        const int first = *rc::gen::inRange(0, 4);
        for (int p = 0; p < pieces; ++p) {
            const double length = *rc::gen::inRange(0, 1'000'000) * 1.3e-9;
            task.pieces.push_back({(first + p) % 4, Seconds(length), Bytes(1)});
        }
        const int predecessors = i == 0 ? 0 : *rc::gen::inRange(0, 3);
        for (int p = 0; p < predecessors; ++p) task.after.push_back(*rc::gen::inRange(0, i));
        tasks.push_back(std::move(task));
    }
    return tasks;
}

double total(const TimeShares& s) { return (s.compute + s.hidden + s.exposed + s.idle).si(); }

bool runs(const Timeline& t, double moment, bool compute) {
    return std::any_of(t.bars.begin(), t.bars.end(), [&](const Bar& b) {
        return (b.stream == 0) == compute && b.start.si() <= moment && moment < b.end().si();
    });
}

/// The shares again, by looking at the middle of every interval between two events.
TimeShares shares_by_intervals(const Timeline& t) {
    std::vector<double> events{0.0, t.end.si()};
    for (const Bar& b : t.bars) {
        events.push_back(b.start.si());
        events.push_back(b.end().si());
    }
    std::sort(events.begin(), events.end());
    TimeShares shares;
    for (std::size_t i = 1; i < events.size(); ++i) {
        const double middle = (events[i - 1] + events[i]) / 2;
        const bool computes = runs(t, middle, true), communicates = runs(t, middle, false);
        Seconds& share =
            computes ? (communicates ? shares.hidden : shares.compute) : (communicates ? shares.exposed : shares.idle);
        share += Seconds(events[i] - events[i - 1]);
    }
    return shares;
}

void require_close(Seconds a, Seconds b, Seconds scale) {
    RC_ASSERT(std::abs(a.si() - b.si()) <= 1e-12 * std::max(scale.si(), 1e-9));
}

void require_shares(const Timeline& t) {
    RC_ASSERT(std::abs(total(t.shares) - t.end.si()) <= 1e-12 * t.end.si());
    const TimeShares slow = shares_by_intervals(t);
    require_close(t.shares.compute, slow.compute, t.end);
    require_close(t.shares.hidden, slow.hidden, t.end);
    require_close(t.shares.exposed, slow.exposed, t.end);
    require_close(t.shares.idle, slow.idle, t.end);
}

void require_order(const Timeline& t) {
    std::vector<double> free(kStreams.size(), 0.0);
    for (std::size_t i = 0; i < t.bars.size(); ++i) {
        const Bar& b = t.bars[i];
        if (i > 0) RC_ASSERT(t.bars[i - 1].start <= b.start);
        RC_ASSERT(b.start.si() >= free[std::size_t(b.stream)]);
        free[std::size_t(b.stream)] = b.end().si();
        RC_ASSERT(b.end() <= t.end);
    }
}

}  // namespace

class TestScheduleLaws : public QObject {
    Q_OBJECT
private slots:
    void sharesAddUpToTheEnd() {
        QVERIFY(rc::check("compute + hidden + exposed + idle = end",
                          [] { require_shares(schedule(kStreams, random_tasks(), 0)); }));
    }
    void streamsWorkOnOneTaskAtATime() {
        QVERIFY(
            rc::check("bars of a stream do not overlap", [] { require_order(schedule(kStreams, random_tasks(), 0)); }));
    }
    void endLiesBetweenItsBounds() {
        QVERIFY(rc::check("busiest stream <= end <= sum of all tasks", [] {
            const std::vector<Task> tasks = random_tasks();
            const Timeline t = schedule(kStreams, tasks, 0);
            double sum = 0;
            for (const Task& task : tasks) {
                double longest = 0;
                for (const auto& piece : task.pieces) longest = std::max(longest, piece.length.si());
                sum += longest;
            }
            for (const Seconds busy : t.stream_busy) RC_ASSERT(busy.si() <= t.end.si() * (1 + 1e-12));
            RC_ASSERT(t.end.si() <= sum * (1 + 1e-12));
        }));
    }
    void interleavingObeysTheSameLaws() {
        QVERIFY(rc::check("interleaved micro-batches", [] {
            const std::vector<Task> a = random_tasks(), b = random_tasks();
            const std::vector<LayerTasks> layers{{0, &a}, {1, &b}, {2, &a}};
            const int micro_batches = *rc::gen::inRange(1, 4);
            const Timeline t = schedule_interleaved(kStreams, layers, micro_batches);
            require_shares(t);
            require_order(t);
        }));
    }
    void longerTaskNeverEndsSooner() {
        QVERIFY(rc::check("end is monotone in every length", [] {
            std::vector<Task> tasks = random_tasks();
            RC_PRE(!tasks.empty());
            const Seconds before = schedule(kStreams, tasks, 0).end;
            const auto index = std::size_t(*rc::gen::inRange(0, int(tasks.size())));
            tasks[index].pieces[0].length += Seconds(1e-4);
            RC_ASSERT(schedule(kStreams, tasks, 0).end >= before);
        }));
    }
    void appendedTimelinesAddUp() {
        QVERIFY(rc::check("append keeps the sum of the shares", [] {
            const Timeline layer = schedule(kStreams, random_tasks(), 0);
            Timeline step;
            for (int i = 0; i < 61; ++i) append(step, layer, i);
            RC_ASSERT(std::abs(total(step.shares) - step.end.si()) <= 1e-12 * step.end.si());
            RC_ASSERT(std::abs(step.end.si() - 61 * layer.end.si()) <= 1e-12 * step.end.si());
        }));
    }
};

QTEST_APPLESS_MAIN(TestScheduleLaws)
#include "tst_schedule.moc"
