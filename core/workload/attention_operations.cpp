#include <algorithm>

#include <fmt/format.h>

#include "core/workload/attention_reach.hpp"
#include "core/workload/operation_list.hpp"

namespace crosspoint {
namespace {

/// KV heads on one tensor rank: the cache is split by min(tensor, kv_heads), then copied.
double local_kv_heads(const Shard& shard, const AttentionShape& a) {
    const double heads = static_cast<double>(std::max<std::int64_t>(a.kv_heads, 1));
    return heads / std::min(shard.tensor(), heads);
}

/// Entries that one token adds to the cache.
double entries_written(const AttentionShape& a) {
    if (a.shares_cache) return 0;
    return 1 + (a.compression ? 1.0 / static_cast<double>(std::max<std::int64_t>(a.compression->ratio, 1)) : 0.0);
}

/// The attention product itself, over a cache of `cached` numbers an entry. Its rows are the new tokens of one
/// sequence times the query heads that share a cached head, whatever the batch: each sequence has its own cache.
Operation core(const Shard& shard, std::string label, double cached, double sharing_heads, const Reach& reach,
               const AttentionShape& a) {
    const StepShape& step = shard.step;
    Operation op;
    op.id = "attention.core";
    op.label = std::move(label);
    op.kind = OpKind::attention;
    op.cache_bytes =
        (step.sequences * reach.read + shard.tokens() * entries_written(a)) * cached * size_of(shard.precision.cache);
    op.rows = step.new_tokens * sharing_heads;
    op.dtype = wider(shard.precision.cache, shard.precision.activations);
    return op;
}

/// Scoring of cached keys and the choice of the best; every tensor rank does it in full, as engines do. Source:
/// DeepSeek-AI, DeepSeek-V3.2 report, section 2.1; vLLM and SGLang replicate the indexer.
void index_operations(OperationList& list, const Shard& shard, const AttentionShape& a, const Reach& reach) {
    if (!a.indexer) return;
    const double heads = static_cast<double>(a.indexer->heads), dim = static_cast<double>(a.indexer->head_dim);
    const std::int64_t rank = a.latent ? a.latent->q_rank : a.q_rank;
    const double inner = rank > 0 ? static_cast<double>(rank) : shard.hidden();
    const double pooled = a.compression ? (a.compression->overlap ? 4 : 2) : 1;
    list.product("attention.index_q", "index Q", {shard.tokens(), inner, heads * dim});
    list.product("attention.index_k", "index K", {shard.tokens(), shard.hidden(), pooled * dim + heads});
    Operation op;
    op.id = "attention.index";
    op.label = "indexer";
    op.kind = OpKind::attention;
    op.flops = Flops(2 * shard.tokens() * heads * dim * reach.scored);
    op.cache_bytes = index_bytes_per_token(a) * (shard.step.sequences * shard.step.context + shard.tokens());
    op.rows = shard.step.new_tokens * heads;
    op.dtype = shard.precision.activations;
    op.formula = fmt::format("2 x {} x {} heads x {} x {} keys", number(shard.tokens()), number(heads), number(dim),
                             number(reach.scored));
    list.add(std::move(op));
    const double scores = shard.tokens() * reach.scored;
    list.elementwise("attention.top_k", "top-k", 2 * scores, 0,
                     fmt::format("write and read {} scores", number(scores)));
}

/// Sizes of grouped attention on one tensor rank.
struct Grouped {
    double heads, kv_heads, dim, value;
    double keys;    ///< projected numbers of keys and values a token
    double cached;  ///< cached numbers an entry
};

Grouped grouped_sizes(const Shard& shard, const AttentionShape& a) {
    Grouped g{static_cast<double>(a.q_heads) / shard.tensor(),
              local_kv_heads(shard, a),
              static_cast<double>(a.head_dim),
              static_cast<double>(a.value_size()),
              0,
              0};
    g.cached = g.kv_heads * (g.dim + (a.keys_are_values ? 0 : g.value));
    g.keys = a.shares_cache ? 0 : g.cached;
    return g;
}

/// Queries, keys, values and the output gate in one product; queries by way of a rank in three.
void grouped_projections(OperationList& list, const Shard& shard, const AttentionShape& a, const Grouped& g) {
    const double biases = (a.q_bias ? g.heads * g.dim : 0) + (a.kv_bias ? g.keys : 0);
    const double gate = g.heads * static_cast<double>(a.gate_dim);
    if (a.q_rank > 0) {
        const double rank = static_cast<double>(a.q_rank);
        list.product("attention.q_down", "Q down", {shard.tokens(), shard.hidden(), rank});
        list.product("attention.q_up", "Q up", {shard.tokens(), rank, g.heads * g.dim});
        if (g.keys > 0) list.product("attention.kv", "KV", {shard.tokens(), shard.hidden(), g.keys + gate, 1, biases});
    } else {
        list.product("attention.qkv", a.shares_cache ? "Q" : "QKV",
                     {shard.tokens(), shard.hidden(), g.heads * g.dim + g.keys + gate, 1, biases});
    }
    if (!a.compression) return;
    const double width = (a.compression->overlap ? 4 : 2) * g.dim;
    list.product("attention.compress", "compress", {shard.tokens(), shard.hidden(), width});
}

void grouped_output(OperationList& list, const Shard& shard, const AttentionShape& a, const Grouped& g) {
    const double gate = g.heads * static_cast<double>(a.gate_dim), values = g.heads * g.value;
    if (gate > 0)
        list.elementwise(
            "attention.gate", "gate", shard.tokens() * (gate + 2 * values), 0,
            fmt::format("{} x ({} + 2 x {}) numbers", number(shard.tokens()), number(gate), number(values)));
    if (a.o_rank <= 0)
        return void(list.product("attention.out", "output",
                                 {shard.tokens(), values, shard.hidden(), 1, a.o_bias ? shard.hidden() : 0}));
    const double groups = std::max(1.0, static_cast<double>(a.o_groups) / shard.tensor());
    const double rank = static_cast<double>(a.o_rank);
    list.product("attention.out_down", "output down", {shard.tokens(), values / groups, rank, groups});
    list.product("attention.out", "output", {shard.tokens(), groups * rank, shard.hidden()});
}

void grouped(OperationList& list, const Shard& shard, const AttentionShape& a) {
    const Grouped g = grouped_sizes(shard, a);
    const Reach reach = reach_of(shard.step, a);
    grouped_projections(list, shard, a, g);
    const double rotated = shard.tokens() * (g.heads + (a.shares_cache ? 0 : g.kv_heads)) * g.dim;
    list.elementwise("attention.rope", a.qk_norm ? "QK norm, rope" : "rope", 2 * rotated, a.qk_norm ? 2 * g.dim : 0,
                     fmt::format("read and write {} numbers", number(rotated)));
    index_operations(list, shard, a, reach);
    Operation op = core(shard, "attention", g.cached, g.heads / g.kv_heads, reach, a);
    op.flops = Flops(2 * shard.tokens() * g.heads * (g.dim + g.value) * reach.seen);
    op.weight_bytes = list.weights(a.sinks ? g.heads : 0);
    op.activation_bytes = list.activations(shard.tokens() * g.heads * (g.dim + g.value));
    op.formula = g.dim == g.value ? fmt::format("4 x {} x {} heads x {} x {} tokens", number(shard.tokens()),
                                                number(g.heads), number(g.dim), number(reach.seen))
                                  : fmt::format("2 x {} x {} heads x ({} + {}) x {} tokens", number(shard.tokens()),
                                                number(g.heads), number(g.dim), number(g.value), number(reach.seen));
    list.add(std::move(op));
    grouped_output(list, shard, a, g);
}

/// Sizes of latent attention on one tensor rank, as numbers.
struct Latent {
    double heads, q_rank, kv_rank, rope, nope, value;
};

Latent latent_sizes(const Shard& shard, const AttentionShape& a) {
    const LatentAttention l = a.latent.value_or(LatentAttention{});
    return {static_cast<double>(a.q_heads) / shard.tensor(),
            static_cast<double>(l.q_rank),
            static_cast<double>(l.kv_rank),
            static_cast<double>(l.rope_dim),
            static_cast<double>(l.nope_dim),
            static_cast<double>(l.value_dim)};
}

/// Queries and the compressed keys and values; the down-projections are the same on every tensor rank.
void latent_projections(OperationList& list, const Shard& shard, const Latent& l) {
    const double query_columns = l.heads * (l.nope + l.rope);
    if (l.q_rank > 0) {
        list.product("attention.q_down", "Q down", {shard.tokens(), shard.hidden(), l.q_rank});
        list.product("attention.q_up", "Q up", {shard.tokens(), l.q_rank, query_columns});
    } else {
        list.product("attention.q", "Q", {shard.tokens(), shard.hidden(), query_columns});
    }
    list.product("attention.kv_down", "KV down", {shard.tokens(), shard.hidden(), l.kv_rank + l.rope});
    const double normed = shard.tokens() * (l.q_rank + l.kv_rank + (l.heads + 1) * l.rope);
    list.elementwise("attention.rope", "norms, rope", 2 * normed, l.q_rank + l.kv_rank,
                     fmt::format("read and write {} numbers", number(normed)));
}

/// Absorbed form: queries are taken into the compressed space, where every head scores kv_rank + rope numbers of a
/// cached token and sums kv_rank of them. Source: DeepSeek-AI, DeepSeek-V2 (arXiv 2405.04434), section 2.1.2.
void latent_decode(OperationList& list, const Shard& shard, const Latent& l, const AttentionShape& a) {
    const Reach reach = reach_of(shard.step, a);
    index_operations(list, shard, a, reach);
    list.product("attention.q_absorb", "Q absorb", {shard.tokens(), l.nope, l.kv_rank, l.heads});
    const double seen = reach.seen;
    Operation op = core(shard, a.indexer ? "sparse MLA" : "MLA", l.kv_rank + l.rope, l.heads, reach, a);
    op.flops = Flops(2 * shard.tokens() * l.heads * seen * (2 * l.kv_rank + l.rope));
    op.activation_bytes = list.activations(shard.tokens() * l.heads * (2 * l.kv_rank + l.rope));
    op.formula = fmt::format("2 x {} x {} heads x {} tokens x (2 x {} + {})", number(shard.tokens()), number(l.heads),
                             number(seen), number(l.kv_rank), number(l.rope));
    list.add(std::move(op));
    list.product("attention.v_up", "V up", {shard.tokens(), l.kv_rank, l.value, l.heads});
}

/// Plain form: keys and values of every cached token are expanded, then attention runs over nope + rope and value.
void latent_prefill(OperationList& list, const Shard& shard, const Latent& l, const AttentionShape& a) {
    const Reach reach = reach_of(shard.step, a);
    index_operations(list, shard, a, reach);
    const double expanded = shard.step.sequences * std::max(shard.step.context, shard.step.new_tokens);
    list.product("attention.kv_up", "KV up", {expanded, l.kv_rank, l.heads * (l.nope + l.value)});
    const double seen = reach.seen;
    Operation op = core(shard, "MLA", l.kv_rank + l.rope, 1, reach, a);
    op.flops = Flops(2 * shard.tokens() * l.heads * seen * (l.nope + l.rope + l.value));
    op.activation_bytes = list.activations(shard.tokens() * l.heads * (l.nope + l.rope + l.value) +
                                           expanded * l.heads * (l.nope + l.value));
    op.formula = fmt::format("2 x {} x {} heads x {} tokens x ({} + {} + {})", number(shard.tokens()), number(l.heads),
                             number(seen), number(l.nope), number(l.rope), number(l.value));
    list.add(std::move(op));
}

/// Sparse attention expands nothing once a prompt is longer than its choice of tokens: it stays in absorbed form.
/// Source: DeepSeek-AI, DeepSeek-V3.2 report, section 2.1 (sparse attention under the multi-query mode).
bool expands(const Shard& shard, const AttentionShape& a) {
    return shard.step.causal && (!a.indexer || shard.step.context <= static_cast<double>(a.indexer->top_k));
}

void latent(OperationList& list, const Shard& shard, const AttentionShape& a) {
    const Latent l = latent_sizes(shard, a);
    latent_projections(list, shard, l);
    if (expands(shard, a)) latent_prefill(list, shard, l, a);
    else latent_decode(list, shard, l, a);
    const double values = l.heads * l.value, gate = l.heads * static_cast<double>(a.gate_dim);
    if (gate > 0) list.product("attention.gate", "gate", {shard.tokens(), shard.hidden(), gate});
    list.product("attention.out", "output", {shard.tokens(), values, shard.hidden()});
}

}  // namespace

void attention_operations(OperationList& list, const Shard& shard, const AttentionShape& a) {
    if (a.kind == AttentionKind::none) return;
    list.norm("attention.norm", shard.norm_tokens());
    list.gather_over_tensor("attention.gather");
    if (a.kind == AttentionKind::grouped) grouped(list, shard, a);
    else if (a.kind == AttentionKind::latent) latent(list, shard, a);
    else recurrent_operations(list, shard, a);
    list.reduce_over_tensor("attention.reduce");
}

}  // namespace crosspoint
