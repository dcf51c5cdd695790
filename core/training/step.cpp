#include "core/training/step.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace crosspoint {
namespace {

// How well messages hide, fitted with the classes of kernels.cpp on the same sources (docs/accuracy.md, training):
// a message under computation leaves this share of itself to wait for, and slows the computation by this share.
constexpr double tensor_hides = 0.6;
constexpr double expert_hides = 0.8;
constexpr double context_hides = 0.9;
constexpr double data_hides = 0.95;
constexpr double slows_compute = 0.1;

bool computes(const PricedOperation& p) { return !p.work.op.communication; }

/// Computation of the same pass that a message of this group may run under, and which share of it may.
struct Cover {
    Seconds time;
    double share = 0;
};

Cover cover_of(const std::vector<PricedOperation>& all, const PricedOperation& message, const Training& t) {
    const GroupKind group = message.work.op.communication->group;
    Cover cover;
    if (group == GroupKind::context) cover.share = context_hides;
    if (group == GroupKind::tensor && t.overlap_tensor) cover.share = tensor_hides;
    if ((group == GroupKind::expert || group == GroupKind::expert_tensor) && t.overlap_expert)
        cover.share = expert_hides;
    double messages = 0;
    for (const PricedOperation& p : all) {
        if (p.work.pass != message.work.pass || p.work.recomputed != message.work.recomputed) continue;
        const bool own = !computes(p) && p.work.op.communication->group == group;
        if (own) messages += 1;
        const bool attention = p.work.op.kind == OpKind::attention;
        if (computes(p) && (group != GroupKind::context || attention)) cover.time += p.time;
    }
    cover.time = cover.time / std::max(messages, 1.0);
    return cover;
}

}  // namespace

PassTime& PassTime::operator+=(const PassTime& other) {
    compute += other.compute;
    exposed += other.exposed;
    hidden += other.hidden;
    return *this;
}
PassTime operator*(PassTime t, double f) { return {t.compute * f, t.exposed * f, t.hidden * f}; }

PieceTime& PieceTime::operator+=(const PieceTime& other) {
    forward += other.forward;
    backward += other.backward;
    weights += other.weights;
    return *this;
}
PieceTime operator*(PieceTime t, double f) { return {t.forward * f, t.backward * f, t.weights * f}; }

PieceTime settle(std::vector<PricedOperation>& operations, const Training& training) {
    PieceTime sum;
    for (PricedOperation& p : operations) {
        PassTime& pass = p.work.pass == Pass::forward ? sum.forward : sum.backward;
        if (computes(p)) {
            pass.compute += p.time;
            if (p.work.weight_gradient) sum.weights += p.time / 2.0;
            continue;
        }
        const Cover cover = cover_of(operations, p, training);
        p.hidden = std::min(p.time * cover.share, cover.time);
        pass.hidden += p.hidden;
        pass.exposed += p.time - p.hidden;
    }
    // What runs under a message has fewer processors and less bandwidth.
    sum.forward.compute += sum.forward.hidden * slows_compute;
    sum.backward.compute += sum.backward.hidden * slows_compute;
    return sum;
}

namespace {

/// Data-parallel messages of one stage: what hides under the pass beside them, and what does not.
struct DataTime {
    Seconds exposed{0}, hidden{0};
};

DataTime under(Seconds message, Seconds compute, bool overlap) {
    const Seconds hidden = overlap ? std::min(message * data_hides, compute) : Seconds(0);
    return {message - hidden, hidden};
}

/// With weights sharded (3), every pass gathers them and every backward pass sends the gradients.
void add_sharded_passes(StagePrices& stage, const Training& t) {
    const auto add = [&](PassTime& pass, Seconds message) {
        const DataTime data = under(message, pass.compute, t.overlap_data);
        pass.exposed += data.exposed;
        pass.hidden += data.hidden;
        pass.compute += data.hidden * slows_compute;
    };
    add(stage.layers.forward, stage.weights);
    add(stage.layers.backward, stage.weights + stage.gradients);
    stage.weights = stage.gradients = Seconds(0);
}

StageWork work_of(const PieceTime& layers, const Training& t, Seconds transfer) {
    const Seconds wait = t.overlap_pipeline ? Seconds(0) : transfer;
    return {layers.forward.total() + wait, layers.backward.total() + wait - layers.weights, layers.weights};
}

PipelineShape pipeline_of(const Scenario& s, std::int64_t micro_batches, const std::vector<StagePrices>& stages,
                          Seconds transfer) {
    const Training& t = s.workload.training;
    PipelineShape shape{t.schedule, micro_batches, std::max<std::int64_t>(t.interleave, 1), transfer, {}};
    for (const StagePrices& stage : stages) shape.stages.push_back(work_of(stage.layers, t, transfer));
    return shape;
}

/// Passes over a stage during which messages of finished chunks may run: one; when interleaved, also those of the
/// other chunks of the last (first) round of micro-batches.
double passes_beside(const PipelineShape& shape) {
    const double v = double(shape.interleave), p = double(shape.stages.size());
    const double m = double(std::max<std::int64_t>(shape.micro_batches, 1));
    return v > 1 ? std::min(m, 1 + p * (v - 1) / v) : 1;
}

/// The longest over the stages: the step ends with the last of them.
DataTime data_time(const std::vector<StagePrices>& stages, bool overlap, double passes) {
    DataTime longest;
    for (const StagePrices& stage : stages) {
        const DataTime back = under(stage.gradients, stage.layers.backward.compute * passes, overlap);
        const DataTime ahead = under(stage.weights, stage.layers.forward.compute * passes, overlap);
        if (back.exposed + ahead.exposed < longest.exposed) continue;
        longest = {back.exposed + ahead.exposed, back.hidden + ahead.hidden};
    }
    return longest;
}

std::string_view bar_name(PipelineBar::Work work) {
    switch (work) {
        case PipelineBar::Work::forward: return "forward";
        case PipelineBar::Work::backward: return "backward";
        case PipelineBar::Work::weights: return "weight gradients";
        case PipelineBar::Work::further: return "further";
    }
    return "forward";
}

std::string bar_label(const PipelineBar& bar) {
    switch (bar.work) {
        case PipelineBar::Work::forward: return fmt::format("F{}", bar.micro_batch + 1);
        case PipelineBar::Work::backward: return fmt::format("B{}", bar.micro_batch + 1);
        case PipelineBar::Work::weights: return fmt::format("W{}", bar.micro_batch + 1);
        case PipelineBar::Work::further: return fmt::format("{} more micro-batches", bar.micro_batch);
    }
    return {};
}

Bar stage_bar(const PipelineBar& from) {
    Bar bar;
    bar.op = fmt::format("pipeline.{}", bar_name(from.work));
    bar.label = bar_label(from);
    bar.stream = int(from.stage);
    bar.layer = -1;
    bar.micro_batch = int(from.micro_batch);
    bar.start = from.start;
    bar.length = from.length;
    bar.bound = Bound::compute;
    return bar;
}

void add_tail(Timeline& timeline, const char* op, const char* label, Seconds start, Seconds length) {
    if (!(length.si() > 0)) return;
    for (std::size_t stage = 0; stage < timeline.streams.size(); ++stage) {
        Bar bar;
        bar.op = op;
        bar.label = label;
        bar.stream = int(stage);
        bar.layer = -1;
        bar.start = start;
        bar.length = length;
        bar.bound = Bound::bandwidth;
        timeline.bars.push_back(std::move(bar));
    }
}

/// Means over the stages; what a stage neither computes nor waits in messages is idle.
TimeShares shares_of(const std::vector<StagePrices>& stages, const TrainingStep& step) {
    TimeShares shares;
    const double m = double(step.micro_batches), count = double(stages.size());
    for (const StagePrices& stage : stages) {
        PassTime passes = stage.layers.forward;
        passes += stage.layers.backward;
        shares.hidden += passes.hidden * (m / count);
        shares.exposed += passes.exposed * (m / count);
        shares.compute += (passes.compute - passes.hidden) * (m / count);
    }
    shares.compute += step.optimiser - step.data_hidden;
    shares.hidden += step.data_hidden;
    shares.exposed += step.data_exposed;
    if (shares.compute < Seconds(0)) {
        shares.hidden += shares.compute;
        shares.compute = Seconds(0);
    }
    shares.idle = std::max(Seconds(0), step.step_time - shares.compute - shares.hidden - shares.exposed);
    return shares;
}

Timeline timeline_of(const std::vector<StagePrices>& stages, const PipelineRun& run, const TrainingStep& step) {
    Timeline timeline;
    for (std::size_t i = 0; i < stages.size(); ++i)
        timeline.streams.push_back({stages.size() == 1 ? "Compute" : fmt::format("Stage {}", i), -1});
    timeline.stream_busy = run.busy;
    for (const PipelineBar& bar : run.bars) timeline.bars.push_back(stage_bar(bar));
    if (!run.bars.empty()) {
        add_tail(timeline, "data.exposed", "gradients, weights", run.end, step.data_exposed);
        add_tail(timeline, "optimiser", "optimiser", run.end + step.data_exposed, step.optimiser);
    }
    std::stable_sort(timeline.bars.begin(), timeline.bars.end(), [](const Bar& a, const Bar& b) {
        return a.start != b.start ? a.start < b.start : a.stream < b.stream;
    });
    timeline.end = step.step_time;
    timeline.shares = shares_of(stages, step);
    return timeline;
}

const Figure<FlopsPerSecond>* peak_in(const AcceleratorPart& part, Dtype wanted, Dtype& found) {
    for (const Dtype d : {wanted, Dtype::fp8, Dtype::bf16, Dtype::fp16, Dtype::fp32}) {
        if (size_of(d) < size_of(wanted)) continue;
        const auto it = part.dense_peak.find(d);
        if (it == part.dense_peak.end()) continue;
        found = d;
        return &it->second;
    }
    return nullptr;
}

/// The format in which most of the products run.
Dtype products_in(const Scenario& s) {
    bool experts = false;
    for (const LayerShape& kind : s.model->kinds) experts = experts || kind.feed_forward.experts.has_value();
    return experts ? s.precision.experts : s.precision.weights;
}

double recomputed_share(const Training& t) { return t.recompute == Recompute::full ? 1.0 / 3.0 : 0.0; }

Flops computed_of(const ModelFlops& flops, const Training& t) {
    Flops all = flops.full() * (1 + recomputed_share(t));
    if (t.recompute == Recompute::selective) all += flops.attention / 3.0;
    return all;
}

void add_utilisation(TrainingStep& step, const Scenario& s, std::int64_t replicas, const AcceleratorPart& part) {
    const Training& t = s.workload.training;
    step.flops = model_flops(*s.model, s.workload.context);
    step.computed = computed_of(step.flops, t);
    const auto* peak = peak_in(part, products_in(s), step.peak_dtype);
    if (!peak || !(step.step_time.si() > 0)) return;
    step.peak = peak->value;
    const double accelerators = double(s.layout.replica_size()) * double(std::max<std::int64_t>(replicas, 1));
    const double tokens = double(s.workload.batch) * double(s.workload.context);
    const auto share = [&](Flops each) {
        return each.si() * tokens / (step.step_time.si() * accelerators * step.peak.si());
    };
    step.mfu = share(step.flops.full());
    step.mfu_causal = share(step.flops.causal());
    step.mfu_weights = share(step.flops.weights);
    step.hfu = share(step.computed);
}

Seconds mean_idle(const PipelineRun& run) {
    Seconds idle{0};
    for (const Seconds busy : run.busy) idle += run.end - busy;
    return run.busy.empty() ? Seconds(0) : idle / double(run.busy.size());
}

}  // namespace

TrainingStep assemble_step(const Scenario& s, std::int64_t replicas, const AcceleratorPart& part,
                           const std::vector<StagePrices>& priced, Seconds transfer, bool with_bars) {
    const Training& t = s.workload.training;
    std::vector<StagePrices> stages = priced;
    if (t.sharding >= 3)
        for (StagePrices& stage : stages) add_sharded_passes(stage, t);
    TrainingStep step;
    step.micro_batches = micro_batches_of(s.workload, s.layout, replicas);
    const PipelineShape shape = pipeline_of(s, step.micro_batches, stages, transfer);
    const PipelineRun run = run_pipeline(shape, with_bars);
    const DataTime data = data_time(stages, t.overlap_data, passes_beside(shape));
    step.bubble = mean_idle(run);
    step.published_bubble = published_bubble(shape);
    step.data_exposed = data.exposed;
    step.data_hidden = data.hidden;
    for (const StagePrices& stage : stages) step.optimiser = std::max(step.optimiser, stage.optimiser);
    step.optimiser += s.calibration.step_overhead.value;
    step.step_time = run.end + step.data_exposed + step.optimiser;
    step.goodput = goodput(t);
    add_utilisation(step, s, replicas, part);
    step.timeline = timeline_of(stages, run, step);
    return step;
}

}  // namespace crosspoint
