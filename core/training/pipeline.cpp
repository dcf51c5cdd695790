#include "core/training/pipeline.hpp"

#include <algorithm>
#include <limits>

namespace crosspoint {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::int64_t most_played = 20'000;  // pieces of work

struct Place {
    std::int64_t micro_batch = 0, position = 0;  ///< position: virtual stage along the model
};

/// One direction through the devices: forward and backward orders of the pieces that a device holds.
struct Lane {
    std::vector<Place> forward, backward;
    std::size_t next_forward = 0, next_backward = 0;
    std::int64_t limit = 1;  ///< forwards ahead of backwards
    [[nodiscard]] std::int64_t in_flight() const { return std::int64_t(next_forward) - std::int64_t(next_backward); }
};

struct Device {
    double free = 0;
    std::vector<Lane> lanes;
    std::int64_t waiting_weights = 0;  ///< gradients of weights not computed yet
    std::vector<Place> weights;
    double start = 0;  ///< of its next piece, as far as known
};

struct Choice {
    double start = never;
    PipelineBar::Work work = PipelineBar::Work::forward;
    std::size_t lane = 0;
};

class Player {
public:
    Player(const PipelineShape& shape, std::int64_t micro_batches)
        : shape_(shape),
          stages_(std::int64_t(shape.stages.size())),
          chunks_(shape.schedule == PipelineSchedule::one_f_one_b ? std::max<std::int64_t>(shape.interleave, 1) : 1),
          micro_batches_(micro_batches),
          dual_(shape.schedule == PipelineSchedule::dual_pipe && stages_ > 1),
          splits_(shape.schedule != PipelineSchedule::one_f_one_b) {
        const std::int64_t lanes = dual_ ? 2 : 1;
        const std::size_t positions = std::size_t(stages_ * chunks_ * micro_batches_);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            forward_done_.emplace_back(positions, never);
            backward_done_.emplace_back(positions, never);
        }
        devices_.resize(std::size_t(stages_));
        for (std::int64_t d = 0; d < stages_; ++d)
            for (std::int64_t lane = 0; lane < lanes; ++lane)
                devices_[std::size_t(d)].lanes.push_back(lane_of(d, lane));
    }

    PipelineRun play(bool with_bars) {
        PipelineRun run;
        run.busy.assign(std::size_t(stages_), Seconds(0));
        std::vector<Choice> choices;
        for (std::int64_t d = 0; d < stages_; ++d) choices.push_back(choose(d, false));
        for (;;) {
            auto best = std::min_element(choices.begin(), choices.end(),
                                         [](const Choice& a, const Choice& b) { return a.start < b.start; });
            if (best->start == never) {  // a limit holds everything up: let the first device pass it
                for (std::int64_t d = 0; d < stages_ && best->start == never; ++d)
                    choices[std::size_t(d)] = choose(d, true);
                best = std::min_element(choices.begin(), choices.end(),
                                        [](const Choice& a, const Choice& b) { return a.start < b.start; });
                if (best->start == never) break;
            }
            const auto device = std::int64_t(best - choices.begin());
            execute(device, *best, with_bars, run);
            for (const std::int64_t d : {device - 1, device, device + 1}) {
                const std::int64_t at = (d + stages_) % stages_;
                choices[std::size_t(at)] = choose(at, false);
            }
        }
        for (const Device& device : devices_) run.end = std::max(run.end, Seconds(device.free));
        run.played = micro_batches_;
        return run;
    }

private:
    [[nodiscard]] std::int64_t device_of(std::int64_t lane, std::int64_t position) const {
        return lane == 0 ? position % stages_ : stages_ - 1 - position;
    }
    [[nodiscard]] std::int64_t last() const { return stages_ * chunks_ - 1; }
    [[nodiscard]] std::size_t slot(const Place& place) const {
        return std::size_t(place.position * micro_batches_ + place.micro_batch);
    }

    /// Groups of as many micro-batches as stages pass chunk after chunk (Megatron-LM's interleaved order).
    [[nodiscard]] Lane lane_of(std::int64_t device, std::int64_t lane) const {
        Lane order;
        const std::int64_t stage = lane == 0 ? device : stages_ - 1 - device;
        const std::int64_t first = dual_ && lane == 1 ? (micro_batches_ + 1) / 2 : 0;
        const std::int64_t end = dual_ && lane == 0 ? (micro_batches_ + 1) / 2 : micro_batches_;
        for (std::int64_t group = first; group < end; group += stages_)
            for (std::int64_t chunk = 0; chunk < chunks_; ++chunk)
                for (std::int64_t m = group; m < std::min(group + stages_, end); ++m) {
                    order.forward.push_back({m, chunk * stages_ + stage});
                    order.backward.push_back({m, (chunks_ - 1 - chunk) * stages_ + stage});
                }
        order.limit = chunks_ > 1 ? (stages_ - stage - 1) * 2 + (chunks_ - 1) * stages_ + 1 : stages_ - stage;
        return order;
    }

    [[nodiscard]] double forward_ready(std::size_t lane, const Place& p) const {
        if (p.position == 0) return 0;
        return forward_done_[lane][slot({p.micro_batch, p.position - 1})] + transfer();
    }
    [[nodiscard]] double backward_ready(std::size_t lane, const Place& p) const {
        if (p.position == last()) return forward_done_[lane][slot(p)];
        const double own = forward_done_[lane][slot(p)];
        return std::max(own, backward_done_[lane][slot({p.micro_batch, p.position + 1})] + transfer());
    }
    [[nodiscard]] double transfer() const { return stages_ > 1 ? shape_.transfer.si() : 0; }

    /// 1F1B keeps its order: forward passes up to the limit, then one of each in turn.
    [[nodiscard]] Choice choose_in_order(const Device& device) const {
        const Lane& lane = device.lanes.front();
        const bool forward = lane.next_forward < lane.forward.size() && lane.in_flight() < lane.limit;
        if (forward)
            return {std::max(device.free, forward_ready(0, lane.forward[lane.next_forward])),
                    PipelineBar::Work::forward, 0};
        if (lane.next_backward >= lane.backward.size()) return {};
        return {std::max(device.free, backward_ready(0, lane.backward[lane.next_backward])),
                PipelineBar::Work::backward, 0};
    }

    /// What the device does next: whichever can start first, a backward pass where both can; gradients of weights fill
    /// the time until then.
    [[nodiscard]] Choice choose(std::int64_t at, bool beyond_limit) const {
        const Device& device = devices_[std::size_t(at)];
        if (!splits_ && !beyond_limit) return choose_in_order(device);
        Choice best;
        for (std::size_t l = 0; l < device.lanes.size(); ++l) {
            const Lane& lane = device.lanes[l];
            if (lane.next_backward < lane.backward.size()) {
                const double start = std::max(device.free, backward_ready(l, lane.backward[lane.next_backward]));
                if (start < best.start) best = {start, PipelineBar::Work::backward, l};
            }
        }
        for (std::size_t l = 0; l < device.lanes.size(); ++l) {
            const Lane& lane = device.lanes[l];
            if (lane.next_forward >= lane.forward.size()) continue;
            if (!beyond_limit && lane.in_flight() >= lane.limit) continue;
            const double start = std::max(device.free, forward_ready(l, lane.forward[lane.next_forward]));
            if (start < best.start) best = {start, PipelineBar::Work::forward, l};
        }
        if (device.waiting_weights > 0 && best.start > device.free) return {device.free, PipelineBar::Work::weights, 0};
        return best;
    }

    void execute(std::int64_t at, const Choice& choice, bool with_bars, PipelineRun& run) {
        Device& device = devices_[std::size_t(at)];
        Lane& lane = device.lanes[choice.lane];
        Place place;
        double length = 0;
        switch (choice.work) {
            case PipelineBar::Work::forward:
                place = lane.forward[lane.next_forward++];
                length = work(choice.lane, place).forward.si();
                forward_done_[choice.lane][slot(place)] = choice.start + length;
                break;
            case PipelineBar::Work::backward:
                place = lane.backward[lane.next_backward++];
                length = backward_length(choice.lane, place);
                backward_done_[choice.lane][slot(place)] = choice.start + length;
                if (splits_) device.weights.push_back(place);
                device.waiting_weights += splits_ ? 1 : 0;
                break;
            default:
                place = device.weights[device.weights.size() - std::size_t(device.waiting_weights--)];
                length = work(0, place).weights.si();
        }
        device.free = choice.start + length / double(chunks_);
        if (chunks_ > 1) {
            auto& done = choice.work == PipelineBar::Work::forward ? forward_done_ : backward_done_;
            done[choice.lane][slot(place)] = device.free;
        }
        run.busy[std::size_t(at)] += Seconds(device.free - choice.start);
        if (with_bars)
            run.bars.push_back({choice.work, at, place.micro_batch, place.position / stages_, Seconds(choice.start),
                                Seconds(device.free - choice.start)});
    }

    /// A device of a dual pipeline holds a stage of each direction, every one half as long.
    [[nodiscard]] StageWork work(std::size_t lane, const Place& place) const {
        const std::int64_t stage = lane == 0 ? place.position % stages_ : place.position;
        return shape_.stages[std::size_t(stage)];
    }
    [[nodiscard]] double backward_length(std::size_t lane, const Place& place) const {
        const StageWork w = work(lane, place);
        return splits_ ? w.backward.si() : w.backward.si() + w.weights.si();
    }

    const PipelineShape& shape_;
    std::int64_t stages_, chunks_, micro_batches_;
    bool dual_, splits_;
    std::vector<std::vector<double>> forward_done_, backward_done_;
    std::vector<Device> devices_;
};

/// Enough for the pipeline to fill, turn over and drain; whole rounds are left out.
std::int64_t played(const PipelineShape& shape) {
    const auto stages = std::int64_t(shape.stages.size());
    const std::int64_t chunks = std::max<std::int64_t>(shape.interleave, 1);
    const std::int64_t all = std::max<std::int64_t>(shape.micro_batches, 1);
    const std::int64_t rounds = 3 * stages * stages * chunks * 2 > most_played ? 2 : 3;
    const std::int64_t wanted = rounds * stages + all % stages;
    return std::min(all, wanted);
}

/// The middle of the schedule repeats: bars after it move back, and one bar stands for what is left out.
void insert_further(PipelineRun& run, std::int64_t further, Seconds each) {
    const Seconds middle = run.end / 2.0, gap = each * double(further);
    std::vector<Seconds> before(run.busy.size(), Seconds(0));
    std::vector<bool> seen(run.busy.size(), false);
    for (PipelineBar& bar : run.bars) {
        const auto stage = std::size_t(bar.stage);
        if (bar.start > middle) bar.start += gap;
        else before[stage] = std::max(before[stage], bar.start + bar.length), seen[stage] = true;
    }
    if (run.bars.empty()) return;
    for (std::size_t s = 0; s < before.size(); ++s)
        if (seen[s]) run.bars.push_back({PipelineBar::Work::further, std::int64_t(s), further, 0, before[s], gap});
}

}  // namespace

PipelineRun run_pipeline(const PipelineShape& shape, bool with_bars) {
    if (shape.stages.empty()) return {};
    const std::int64_t count = played(shape);
    PipelineRun run = Player(shape, count).play(with_bars);
    const std::int64_t further = std::max<std::int64_t>(shape.micro_batches, 1) - count;
    if (further <= 0) return run;
    Seconds slowest{0};
    for (const StageWork& stage : shape.stages) slowest = std::max(slowest, stage.total());
    insert_further(run, further, slowest);
    for (std::size_t s = 0; s < shape.stages.size(); ++s) run.busy[s] += shape.stages[s].total() * double(further);
    run.end += slowest * double(further);
    return run;
}

Seconds published_bubble(const PipelineShape& shape) {
    const double p = double(shape.stages.size());
    if (p <= 1) return Seconds(0);
    const StageWork& w = shape.stages.front();
    switch (shape.schedule) {
        case PipelineSchedule::one_f_one_b:
            return (w.forward + w.backward + w.weights) *
                   ((p - 1) / double(std::max<std::int64_t>(shape.interleave, 1)));
        case PipelineSchedule::zero_bubble: return (w.forward + w.backward - w.weights) * (p - 1);
        case PipelineSchedule::dual_pipe:
            return std::max(Seconds(0), (w.total() + w.backward + w.weights - 3.0 * w.weights) * (p / 2 - 1));
    }
    return Seconds(0);
}

}  // namespace crosspoint
