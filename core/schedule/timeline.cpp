#include "core/schedule/timeline.hpp"

#include <algorithm>

#include "core/schedule/placer.hpp"

namespace crosspoint {

namespace {

/// A bar before its names are copied into it: what sorting and sweeping need.
struct Interval {
    double start = 0, length = 0;
    int stream = 0;
    const Placed* placed = nullptr;
    const Task::Piece* piece = nullptr;
    [[nodiscard]] double end() const { return start + length; }
};

bool earlier(const Interval& a, const Interval& b) {
    return a.start != b.start ? a.start < b.start : a.stream < b.stream;
}

std::vector<Interval> intervals_of(const std::vector<Stream>& streams, const std::vector<Placed>& placed) {
    const Placer shape(streams.size());
    std::vector<Interval> intervals;
    intervals.reserve(placed.size() + placed.size() / 2);
    for (const Placed& p : placed) {
        for (const Task::Piece& piece : p.task->pieces) {
            if (shape.occupies(piece)) intervals.push_back({p.start, piece.length.si(), piece.stream, &p, &piece});
        }
    }
    if (!std::is_sorted(intervals.begin(), intervals.end(), earlier)) {
        std::stable_sort(intervals.begin(), intervals.end(), earlier);
    }
    return intervals;
}

Bar bar_of(const Interval& i) {
    return {i.placed->task->op, i.placed->task->label, i.stream,       i.placed->layer,      i.placed->micro_batch,
            Seconds(i.start),   i.piece->length,       i.piece->bytes, i.placed->task->bound};
}

/// End of the predecessors of a task; those that do not come before it are ignored.
double ready_time(const Task& task, const std::vector<double>& ends, double ready) {
    for (const int before : task.after) {
        if (before >= 0 && std::size_t(before) < ends.size()) ready = std::max(ready, ends[std::size_t(before)]);
    }
    return ready;
}

/// Union of intervals that arrive in order of their starts.
class Cover {
public:
    /// Adds [start, end) and returns the length that was not covered before.
    double add(double start, double end) {
        const double from = std::max(start, until_);
        if (end <= from) return 0;
        until_ = end;
        return end - from;
    }

private:
    double until_ = 0;
};

/// Sums the four shares over intervals that arrive in order of their starts.
class Sweep {
public:
    void add(double start, double end, bool is_compute) {
        (is_compute ? computing_ : communicating_) += (is_compute ? compute_ : communication_).add(start, end);
        busy_ += any_.add(start, end);
    }
    [[nodiscard]] TimeShares shares(double end) const {
        // Sums of thousands of bars differ in their last digits: that is not a share of the step.
        const auto settled = [=](double time) { return Seconds(time > 1e-12 * end ? time : 0.0); };
        TimeShares shares;
        const double both = std::min(computing_, communicating_);
        shares.hidden = settled(std::min(computing_ + communicating_ - busy_, both));
        shares.compute = Seconds(computing_) - shares.hidden;
        shares.exposed = settled(communicating_ - shares.hidden.si());
        shares.idle = settled(end - busy_);
        return shares;
    }

private:
    Cover compute_, communication_, any_;
    double computing_ = 0, communicating_ = 0, busy_ = 0;
};

bool computes(const std::vector<Stream>& streams, int stream) {
    return stream >= 0 && std::size_t(stream) < streams.size() && streams[std::size_t(stream)].level < 0;
}

/// One micro-batch on its way through the layers.
struct Walker {
    std::size_t layer = 0, task = 0;
    double layer_start = 0, layer_end = 0;
    std::vector<double> ends;

    [[nodiscard]] bool done(const std::vector<LayerTasks>& layers) const { return layer >= layers.size(); }
    [[nodiscard]] const Task& next(const std::vector<LayerTasks>& layers) const { return (*layers[layer].tasks)[task]; }
    [[nodiscard]] double ready(const std::vector<LayerTasks>& layers) const {
        return ready_time(next(layers), ends, layer_start);
    }
    void enter_next_layer(const std::vector<LayerTasks>& layers) {
        while (!done(layers) && (!layers[layer].tasks || task >= layers[layer].tasks->size())) {
            ++layer;
            task = 0;
            layer_start = layer_end;
            ends.clear();
        }
    }
    void finish(double end, const std::vector<LayerTasks>& layers) {
        ends.push_back(end);
        layer_end = std::max(layer_end, end);
        ++task;
        enter_next_layer(layers);
    }
};

/// Index of the walker that can start soonest, or -1 when all are done; `current` goes on when it is no later.
int soonest(const std::vector<Walker>& walkers, const std::vector<LayerTasks>& layers, const Placer& placer,
            int current, double& start) {
    int best = -1;
    for (int i = 0; i < int(walkers.size()); ++i) {
        const Walker& walker = walkers[std::size_t(i)];
        if (walker.done(layers)) continue;
        const double candidate = placer.earliest(walker.next(layers), walker.ready(layers));
        const bool better = best < 0 || candidate < start || (candidate == start && i == current);
        if (!better) continue;
        best = i;
        start = candidate;
    }
    return best;
}

}  // namespace

Timeline timeline_of(const std::vector<Stream>& streams, const std::vector<Placed>& placed, double end,
                     bool with_bars) {
    Timeline timeline;
    timeline.streams = streams;
    timeline.stream_busy.assign(streams.size(), Seconds(0));
    timeline.end = Seconds(end);
    const std::vector<Interval> intervals = intervals_of(streams, placed);
    Sweep sweep;
    for (const Interval& i : intervals) {
        timeline.stream_busy[std::size_t(i.stream)] += i.piece->length;
        sweep.add(i.start, i.end(), computes(streams, i.stream));
    }
    timeline.shares = sweep.shares(end);
    if (!with_bars) return timeline;
    timeline.bars.reserve(intervals.size());
    for (const Interval& i : intervals) timeline.bars.push_back(bar_of(i));
    return timeline;
}

Timeline schedule(const std::vector<Stream>& streams, const std::vector<Task>& tasks, int layer, bool with_bars) {
    Placer placer(streams.size());
    std::vector<Placed> placed;
    std::vector<double> ends;
    placed.reserve(tasks.size());
    ends.reserve(tasks.size());
    double end = 0;
    for (const Task& task : tasks) {
        const double start = placer.earliest(task, ready_time(task, ends, 0.0));
        ends.push_back(placer.place(task, start));
        end = std::max(end, ends.back());
        placed.push_back({&task, layer, task.micro_batch, start});
    }
    return timeline_of(streams, placed, end, with_bars);
}

Timeline schedule_interleaved(const std::vector<Stream>& streams, const std::vector<LayerTasks>& layers,
                              int micro_batches, bool with_bars) {
    Placer placer(streams.size());
    std::vector<Walker> walkers(std::size_t(std::max(micro_batches, 0)));
    for (Walker& walker : walkers) walker.enter_next_layer(layers);
    std::vector<Placed> placed;
    double end = 0, start = 0;
    for (int i = 0; (i = soonest(walkers, layers, placer, i, start)) >= 0;) {
        Walker& walker = walkers[std::size_t(i)];
        const Task& task = walker.next(layers);
        placed.push_back({&task, layers[walker.layer].layer, i, start});
        const double task_end = placer.place(task, start);
        end = std::max(end, task_end);
        walker.finish(task_end, layers);
    }
    return timeline_of(streams, placed, end, with_bars);
}

TimeShares time_shares(const Timeline& timeline) {
    Sweep sweep;
    for (const Bar& bar : timeline.bars) {
        sweep.add(bar.start.si(), bar.end().si(), computes(timeline.streams, bar.stream));
    }
    return sweep.shares(timeline.end.si());
}

void append_summary(Timeline& first, const Timeline& second) {
    if (first.streams.empty()) first.streams = second.streams;
    first.stream_busy.resize(std::max(first.stream_busy.size(), second.stream_busy.size()), Seconds(0));
    for (std::size_t i = 0; i < second.stream_busy.size(); ++i) first.stream_busy[i] += second.stream_busy[i];
    first.shares.compute += second.shares.compute;
    first.shares.hidden += second.shares.hidden;
    first.shares.exposed += second.shares.exposed;
    first.shares.idle += second.shares.idle;
    first.end += second.end;
}

void append(Timeline& first, const Timeline& second) {
    const Seconds offset = first.end;
    append_summary(first, second);
    const std::size_t before = first.bars.size();
    first.bars.insert(first.bars.end(), second.bars.begin(), second.bars.end());
    for (std::size_t i = before; i < first.bars.size(); ++i) first.bars[i].start += offset;
}

void append(Timeline& first, const Timeline& second, int layer) {
    const std::size_t before = first.bars.size();
    append(first, second);
    for (std::size_t i = before; i < first.bars.size(); ++i) first.bars[i].layer = layer;
}

}  // namespace crosspoint
