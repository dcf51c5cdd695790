#include "core/training/memory.hpp"

#include <algorithm>
#include <cmath>

#include "core/cost/memory_parts.hpp"
#include "core/training/passes.hpp"

namespace crosspoint {
namespace {

constexpr std::int64_t largest_searched = 1'000'000'000;

double at_least_one(std::int64_t n) { return double(std::max<std::int64_t>(n, 1)); }

/// Numbers a token that a layer keeps: on every tensor rank alike (or spread by sequence parallel), and split over
/// tensor; dropout masks are bytes.
struct Kept {
    double alike = 0, split = 0;
    double masks = 0, scores = 0;  ///< bytes alike; bytes split
};

void add_attention(Kept& kept, const Scenario& s, const AttentionShape& a) {
    const double tokens = double(s.workload.context), heads = double(a.q_heads), size = double(a.head_dim);
    const bool dropout = s.workload.training.dropout;
    kept.alike += double(s.model->hidden);  // input of the query, key and value products
    if (dropout) kept.masks += double(s.model->hidden);
    if (a.latent) {
        const LatentAttention& l = *a.latent;
        kept.alike += double(l.q_rank + l.kv_rank + l.rope_dim) * 2;  // before and after their norms
        kept.split += heads * double(2 * (l.nope_dim + l.rope_dim) + l.value_dim) + heads * double(l.value_dim);
    } else {
        kept.split += (heads + 2 * double(a.kv_heads)) * size + heads * size;  // Q, K, V; input of the projection
    }
    if (s.workload.training.fused_attention) kept.scores += 4 * heads;  // one logarithm a row
    else kept.scores += heads * tokens * (dropout ? 5 : 4);             // softmax and its dropped copy, mask
}

void add_feed_forward(Kept& kept, const Scenario& s, const FeedForwardShape& f) {
    const double hidden = double(s.model->hidden), matrices = f.gated ? 3 : 2;
    if (s.workload.training.dropout) kept.masks += hidden;
    kept.alike += hidden;  // input of the first products
    if (f.width > 0) kept.split += matrices * double(f.width);
    if (f.experts) kept.split += matrices * double(f.experts->shared_width);
}

/// Routed tokens lie on their experts' ranks: as many as this rank sends, each once for every expert.
double expert_numbers(const Scenario& s, const FeedForwardShape& f) {
    if (!f.experts) return 0;
    const double matrices = f.gated ? 3 : 2;
    const double inner = matrices * double(f.experts->width) / at_least_one(s.layout.expert_tensor);
    const double tensor = at_least_one(s.layout.tensor) / at_least_one(s.layout.expert_tensor);
    return double(f.experts->top_k) * (double(s.model->hidden) + inner) / std::max(tensor, 1.0);
}

double tokens_of(const Scenario& s) {
    return at_least_one(s.workload.training.micro_batch) * at_least_one(s.workload.context) /
           at_least_one(s.layout.context);
}

double alike_share(const Parallelism& layout) {
    return layout.sequence_parallel ? 1 / at_least_one(layout.tensor) : 1.0;
}

Bytes kept_by(const Scenario& s, const LayerShape& layer, Recompute recompute) {
    const double tensor = at_least_one(s.layout.tensor), element = size_of(s.precision.activations).si();
    const double share = alike_share(s.layout), hidden = double(s.model->hidden);
    if (recompute == Recompute::full) return Bytes(tokens_of(s) * hidden * element * share);
    Kept kept;
    kept.alike = 2 * hidden;  // inputs of the two norms
    if (layer.attention.kind != AttentionKind::none) add_attention(kept, s, layer.attention);
    add_feed_forward(kept, s, layer.feed_forward);
    const bool drops = recompute == Recompute::selective && !s.workload.training.fused_attention;
    const double scores = drops ? 0 : kept.scores;
    const double bytes = (kept.alike * element + kept.masks) * share + (kept.split * element + scores) / tensor +
                         expert_numbers(s, layer.feed_forward) * element;
    return Bytes(tokens_of(s) * bytes);
}

/// Logits of one micro-batch: 16 bits from the product, fp32 in the loss, and their gradient in its place.
Bytes loss_activations(const Scenario& s) {
    return Bytes(tokens_of(s) * double(s.model->vocabulary) / at_least_one(s.layout.tensor) * (2 + 4));
}

struct Plan {
    const Scenario& scenario;
    std::int64_t replicas, micro_batches;
    std::vector<memory::StagePlan> stages;
};

Bytes stage_activations(const Plan& plan, std::size_t index) {
    const Scenario& s = plan.scenario;
    const Training& t = s.workload.training;
    Bytes one{0}, working{0};
    for (std::size_t k = 0; k < s.model->kinds.size(); ++k) {
        const double count = double(plan.stages[index].kind_counts[k]);
        if (count <= 0) continue;
        one += count * kept_by(s, s.model->kinds[k], t.recompute);
        working = std::max(working, kept_by(s, s.model->kinds[k], Recompute::none));
    }
    const double held = micro_batches_in_flight(s.layout, t, std::int64_t(index), plan.micro_batches);
    // A stage that computes a layer again holds all of that layer while it does.
    return one * held + (t.recompute == Recompute::full ? working : Bytes(0));
}

/// Bytes of `numbers` kept once for every `ranks`.
Bytes sharded(double numbers, Bytes each, bool shared, double ranks) {
    return numbers * each / (shared ? std::max(ranks, 1.0) : 1.0);
}

StageMemory stage_memory(const Plan& plan, std::size_t index) {
    const Scenario& s = plan.scenario;
    const Training& t = s.workload.training;
    const HeldWeights held = held_weights(s, std::int64_t(index));
    const double data = data_ranks(s.layout, plan.replicas), experts = expert_data_ranks(plan.replicas);
    const Bytes weight = std::max(size_of(s.precision.weights), size_of(Dtype::bf16));
    const double twice = t.schedule == PipelineSchedule::dual_pipe && s.layout.pipeline > 1 ? 2 : 1;
    const Bytes states = (t.optimiser == Optimiser::adam ? 3.0 : 1.0) * size_of(t.master);
    StageMemory m;
    m.stage = std::int64_t(index);
    m.first_layer = plan.stages[index].first_layer;
    m.layers = plan.stages[index].layers;
    const double tables = memory::embedding_weights(*s.model, plan.stages[index], s.layout, Dtype::int8).si();
    const bool whole = t.sharding < 3;
    m.embeddings = sharded(tables, weight * twice, !whole, data);
    m.dense_weights = sharded(held.dense - tables, weight * twice, !whole, data);
    m.expert_weights = sharded(held.experts, weight * twice, !whole, experts);
    m.gradients = sharded(held.dense, size_of(t.gradients), t.sharding >= 2, data) +
                  sharded(held.experts, size_of(t.gradients), t.sharding >= 2, experts);
    m.optimiser =
        sharded(held.dense, states, t.sharding >= 1, data) + sharded(held.experts, states, t.sharding >= 1, experts);
    m.activations = stage_activations(plan, index);
    if (plan.stages[index].last) m.activations += loss_activations(s);
    if (t.sharding >= 3 && m.layers > 0)  // the layer at work and the next, gathered
        m.buffers += 2.0 * (held.dense - tables + held.experts) * weight / double(m.layers);
    if (s.layout.pipeline > 1)
        m.buffers += Bytes(2 * tokens_of(s) * double(s.model->hidden) * size_of(s.precision.activations).si() *
                           alike_share(s.layout));
    return m;
}

Plan plan_of(const Scenario& s, std::int64_t replicas) {
    return {s, replicas, micro_batches_of(s.workload, s.layout, replicas),
            memory::stage_plans(*s.model, s.layout.pipeline)};
}

MemoryReport stages_report(const Scenario& s, std::int64_t replicas, const AcceleratorPart& part) {
    const Plan plan = plan_of(s, replicas);
    MemoryReport report;
    report.capacity = part.memory.value;
    const double fraction = std::clamp(s.calibration.memory_fraction, 0.0, 1.0);
    report.usable = report.capacity * fraction - s.calibration.runtime_reserve;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        report.stages.push_back(stage_memory(plan, i));
        report.stages.back().reserve = report.capacity - report.usable;
        if (report.stages[i].used() > report.stages[report.fullest].used()) report.fullest = i;
    }
    if (report.stages.empty()) return report;
    report.margin = report.usable - report.stages[report.fullest].used();
    report.fits = report.margin.si() >= 0;
    return report;
}

/// Memory grows with either number, so bisection finds the largest that fits.
template <class Set>
std::int64_t largest(Scenario s, std::int64_t replicas, const AcceleratorPart& part, std::int64_t now, Set set) {
    const auto fits = [&](std::int64_t value) {
        set(s, value);
        return stages_report(s, replicas, part).fits;
    };
    std::int64_t low = 0, high = std::max<std::int64_t>(now, 1);
    while (high < largest_searched && fits(high)) {
        low = high;
        high = std::min(high * 2, largest_searched);
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace

Bytes layer_activations(const Scenario& scenario, const LayerShape& layer) {
    return kept_by(scenario, layer, scenario.workload.training.recompute);
}

double micro_batches_in_flight(const Parallelism& layout, const Training& t, std::int64_t stage,
                               std::int64_t micro_batches) {
    const double p = at_least_one(layout.pipeline), m = at_least_one(micro_batches);
    if (t.schedule == PipelineSchedule::dual_pipe) return p > 1 ? std::min(m, p + 1) : 1;
    const double v = at_least_one(t.interleave);
    double held = std::max(1.0, p - double(stage));
    if (v > 1 && p > 1) held = ((p - double(stage) - 1) * 2 + (v - 1) * p + 1) / v;
    return std::min(m, held);
}

std::int64_t micro_batches_of(const Workload& workload, const Parallelism& layout, std::int64_t replicas) {
    const double ranks = at_least_one(layout.attention_data) * at_least_one(replicas);
    const double sequences = std::ceil(at_least_one(workload.batch) / ranks);
    return std::int64_t(std::ceil(sequences / at_least_one(workload.training.micro_batch)));
}

MemoryReport training_memory(const Scenario& scenario, std::int64_t replicas, const AcceleratorPart& part,
                             bool searches) {
    MemoryReport report = stages_report(scenario, replicas, part);
    if (!searches || report.stages.empty()) return report;
    report.largest_batch = largest(scenario, replicas, part, scenario.workload.training.micro_batch,
                                   [](Scenario& s, std::int64_t v) { s.workload.training.micro_batch = v; });
    report.longest_context = largest(scenario, replicas, part, scenario.workload.context,
                                     [](Scenario& s, std::int64_t v) { s.workload.context = v; });
    return report;
}

}  // namespace crosspoint
