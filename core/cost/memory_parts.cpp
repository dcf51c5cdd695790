#include "core/cost/memory_parts.hpp"

#include <algorithm>
#include <cmath>

#include "core/cost/memory.hpp"

namespace crosspoint::memory {

namespace {

double at_least_one(std::int64_t n) { return double(std::max<std::int64_t>(n, 1)); }

/// Attention parameters that every tensor rank holds in full: the latent down-projections and the indexer.
double replicated_attention(const ModelShape& model, const LayerShape& layer) {
    const AttentionShape& a = layer.attention;
    double whole = double(model.hidden) * double(a.kind == AttentionKind::grouped ? a.q_rank : 0);
    if (a.indexer) {
        LayerShape dense = layer;
        dense.attention.indexer.reset();
        whole += double(count_parameters(model, layer).attention - count_parameters(model, dense).attention);
    }
    if (a.kind == AttentionKind::latent && a.latent)
        whole += double(model.hidden) * double(a.latent->q_rank + a.latent->kv_rank + a.latent->rope_dim);
    return whole;
}

/// Key and value projections of grouped attention, which are split by at most the number of KV heads.
double kv_projections(const ModelShape& model, const AttentionShape& a) {
    if (a.kind != AttentionKind::grouped || a.shares_cache) return 0;
    const auto numbers = double(a.head_dim + (a.keys_are_values ? 0 : a.value_size()));
    return double(model.hidden) * double(a.kv_heads) * numbers;
}

double kv_split(const AttentionShape& a, const Parallelism& layout) {
    return std::min(at_least_one(layout.tensor), at_least_one(a.kv_heads));
}

double attention_width(const AttentionShape& a, double tensor) {
    if (a.recurrent) {
        const RecurrentShape& r = *a.recurrent;
        return 2.0 * double(r.key_heads * r.key_dim + r.value_heads * r.value_dim) / tensor;
    }
    if (a.latent) return double(a.q_heads) * double(a.latent->kv_rank + a.latent->rope_dim) / tensor;
    return (double(a.q_heads) + 2.0 * double(a.kv_heads)) * double(a.head_dim) / tensor;
}

/// Elements alive per token in the feed-forward part of a layer, received expert tokens included.
double feed_forward_width(const ModelShape& model, const FeedForwardShape& f, const Parallelism& layout) {
    const double halves = f.gated ? 2.0 : 1.0;
    double widest = halves * double(f.width) / at_least_one(layout.tensor);
    if (f.experts) {
        const double received =
            double(f.experts->top_k) * at_least_one(layout.attention_data) / at_least_one(layout.expert);
        const double expert = halves * double(f.experts->width) / at_least_one(layout.expert_tensor);
        widest = std::max(widest, received * (double(model.hidden) + expert));
        widest = std::max(widest, halves * double(f.experts->shared_width) / at_least_one(layout.tensor));
    }
    return widest;
}

Bytes activation_size(const Precision& precision) {
    // Residual stream and attention outputs stay in 16 bits when products run in fewer.
    return std::max(size_of(precision.activations), size_of(Dtype::bf16));
}

Bytes exchange_buffers(const ModelShape& model, const ExpertShape& e, const Precision& precision, double tokens) {
    const double dispatch = size_of(precision.dispatch).si(), combine = size_of(precision.combine).si();
    // Two send and two receive buffers of one slot per expert and token. Source: DeepEP, csrc/config.hpp,
    // LowLatencyLayout.
    const double slots = double(e.experts) * std::min(tokens, kLowLatencyTokens);
    const double low_latency = 4.0 * slots * double(model.hidden) * std::max(dispatch, combine);
    const double assigned = 2.0 * tokens * double(e.top_k) * double(model.hidden) * (dispatch + combine);
    return Bytes(std::max(low_latency, assigned));
}

}  // namespace

std::vector<StagePlan> stage_plans(const ModelShape& model, std::int64_t pipeline) {
    std::vector<StagePlan> plans;
    std::int64_t next = 0;
    for (const std::int64_t count : stage_layers(model, pipeline)) {
        StagePlan plan{next, count, std::vector<std::int64_t>(model.kinds.size(), 0), plans.empty(), false};
        for (std::int64_t i = next; i < next + count; ++i) {
            const auto kind = std::size_t(model.layers[std::size_t(i)]);
            if (kind < plan.kind_counts.size()) ++plan.kind_counts[kind];
        }
        next += count;
        plans.push_back(std::move(plan));
    }
    if (!plans.empty()) plans.back().last = true;
    return plans;
}

double sequences_per_rank(const Workload& workload, const Parallelism& layout) {
    return std::ceil(double(std::max<std::int64_t>(workload.batch, 0)) / at_least_one(layout.attention_data));
}

double tokens_per_pass(const Workload& workload, const Parallelism& layout) {
    const double sequences = sequences_per_rank(workload, layout);
    if (sequences <= 0) return 0;
    if (workload.phase == Phase::prefill) return std::min(sequences * double(workload.context), kPrefillChunk);
    const double groups = std::min(at_least_one(layout.pipeline), sequences);
    return std::ceil(sequences / groups);
}

Bytes dense_weights(const ModelShape& model, const LayerShape& layer, const Parallelism& layout, Dtype weights) {
    const ParameterCount count = count_parameters(model, layer);
    const double tensor = at_least_one(layout.tensor);
    const double replicated = replicated_attention(model, layer);
    const double kv = kv_projections(model, layer.attention);
    const double split = std::max(0.0, double(count.attention) - replicated - kv);
    const double attention = split / tensor + kv / kv_split(layer.attention, layout) + replicated;
    const double feed_forward = double(count.dense_feed_forward + count.shared_experts) / tensor;
    return (attention + feed_forward + double(count.router + count.norms)) * size_of(weights);
}

Bytes expert_weights(const ModelShape& model, const LayerShape& layer, const Parallelism& layout, Dtype experts) {
    const double ranks = at_least_one(layout.expert) * at_least_one(layout.expert_tensor);
    return double(count_parameters(model, layer).routed_experts) / ranks * size_of(experts);
}

Bytes embedding_weights(const ModelShape& model, const StagePlan& stage, const Parallelism& layout, Dtype weights) {
    const double table = double(model.vocabulary) * double(model.hidden) / at_least_one(layout.tensor);
    double tables = (stage.first ? 1.0 : 0.0) + (stage.last ? 1.0 : 0.0);
    if (model.tied_embeddings && stage.first && stage.last) tables = 1.0;
    return tables * table * size_of(weights);
}

Bytes cache_of_sequence(const LayerShape& layer, const Parallelism& layout, std::int64_t context, Dtype cache) {
    const AttentionShape& a = layer.attention;
    const CacheBytes bytes = cache_bytes(layer, context, cache);
    double share = 1.0;
    if (a.kind == AttentionKind::grouped) {
        const double heads = at_least_one(a.kv_heads);
        share = std::ceil(heads / kv_split(a, layout)) / heads;
    }
    return (bytes.full + bytes.windowed) * share + bytes.index + bytes.constant * (1.0 / at_least_one(layout.tensor));
}

Bytes activations(const ModelShape& model, const StagePlan& stage, const Parallelism& layout,
                  const Precision& precision, const Workload& workload) {
    double widest = 0;
    for (std::size_t k = 0; k < model.kinds.size(); ++k) {
        if (stage.kind_counts[k] == 0) continue;
        const LayerShape& layer = model.kinds[k];
        widest = std::max({widest, attention_width(layer.attention, at_least_one(layout.tensor)),
                           feed_forward_width(model, layer.feed_forward, layout)});
    }
    // Residual, its normalised copy and the layer's output beside the widest inner tensor.
    const double elements = tokens_per_pass(workload, layout) * (3.0 * double(model.hidden) + widest);
    Bytes sum = elements * activation_size(precision);
    if (stage.last) {  // one row of fp32 logits per sequence
        sum += std::min(sequences_per_rank(workload, layout), tokens_per_pass(workload, layout)) *
               double(model.vocabulary) / at_least_one(layout.tensor) * size_of(Dtype::fp32);
    }
    return sum;
}

Bytes buffers(const ModelShape& model, const StagePlan& stage, const Parallelism& layout, const Precision& precision,
              const Workload& workload) {
    const double tokens = tokens_per_pass(workload, layout);
    Bytes sum{0};
    for (std::size_t k = 0; k < model.kinds.size(); ++k) {
        const auto& experts = model.kinds[k].feed_forward.experts;
        if (stage.kind_counts[k] == 0 || !experts || layout.expert <= 1) continue;
        sum = std::max(sum, exchange_buffers(model, *experts, precision, tokens));
    }
    if (layout.pipeline > 1) sum += 2.0 * tokens * double(model.hidden) * activation_size(precision);
    return sum;
}

}  // namespace crosspoint::memory
