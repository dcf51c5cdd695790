#include "core/schedule/timeline.hpp"

#include <algorithm>

#include "core/schedule/placer.hpp"

namespace crosspoint {

namespace {

void add_bars(Timeline& timeline, const Placer& streams, const Placed& placed) {
    for (const Task::Piece& piece : placed.task->pieces) {
        if (!streams.occupies(piece)) continue;
        timeline.bars.push_back({placed.task->op, placed.task->label, piece.stream, placed.layer, placed.micro_batch,
                                 Seconds(placed.start), piece.length, piece.bytes, placed.task->bound});
        timeline.stream_busy[std::size_t(piece.stream)] += piece.length;
    }
}

bool earlier(const Bar& a, const Bar& b) { return a.start != b.start ? a.start < b.start : a.stream < b.stream; }

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

Timeline timeline_of(const std::vector<Stream>& streams, std::vector<Placed> placed, double end) {
    Timeline timeline;
    timeline.streams = streams;
    timeline.stream_busy.assign(streams.size(), Seconds(0));
    timeline.end = Seconds(end);
    const auto before = [](const Placed& a, const Placed& b) { return a.start < b.start; };
    if (!std::is_sorted(placed.begin(), placed.end(), before)) {
        std::stable_sort(placed.begin(), placed.end(), before);
    }
    const Placer shape(streams.size());
    timeline.bars.reserve(placed.size() + placed.size() / 2);
    for (const Placed& p : placed) add_bars(timeline, shape, p);
    if (!std::is_sorted(timeline.bars.begin(), timeline.bars.end(), earlier)) {
        std::stable_sort(timeline.bars.begin(), timeline.bars.end(), earlier);
    }
    timeline.shares = time_shares(timeline);
    return timeline;
}

Timeline schedule(const std::vector<Stream>& streams, const std::vector<Task>& tasks, int layer) {
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
    return timeline_of(streams, std::move(placed), end);
}

Timeline schedule_interleaved(const std::vector<Stream>& streams, const std::vector<LayerTasks>& layers,
                              int micro_batches) {
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
    return timeline_of(streams, std::move(placed), end);
}

TimeShares time_shares(const Timeline& timeline) {
    Cover compute, communication, any;
    double computing = 0, communicating = 0, busy = 0;
    for (const Bar& bar : timeline.bars) {
        const double start = bar.start.si(), end = bar.end().si();
        const bool is_compute =
            std::size_t(bar.stream) < timeline.streams.size() && timeline.streams[std::size_t(bar.stream)].level < 0;
        (is_compute ? computing : communicating) += (is_compute ? compute : communication).add(start, end);
        busy += any.add(start, end);
    }
    TimeShares shares;
    shares.hidden = Seconds(std::clamp(computing + communicating - busy, 0.0, std::min(computing, communicating)));
    shares.compute = Seconds(computing) - shares.hidden;
    shares.exposed = Seconds(communicating) - shares.hidden;
    shares.idle = Seconds(std::max(0.0, timeline.end.si() - busy));
    return shares;
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
