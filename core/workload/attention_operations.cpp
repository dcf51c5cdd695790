#include <algorithm>

#include <fmt/format.h>

#include "core/workload/operation_list.hpp"

namespace crosspoint {
namespace {

constexpr double everything = 1e300;  // no window

double window_of(const AttentionShape& a) { return a.window ? static_cast<double>(*a.window) : everything; }

/// Mean number of cached tokens that one new token attends to. With n new of c tokens and window w, w' = min(w, c):
/// w' - max(0, w' - (c - n))^2 / 2n under the causal mask; c / 2 when all c are new, c for a single token.
double attended(const StepShape& step, double window) {
    const double reach = std::min(window, step.context);
    if (!step.causal || step.new_tokens <= 0) return reach;
    const double cut = std::max(0.0, reach - std::max(0.0, step.context - step.new_tokens));
    return reach - cut * cut / (2 * step.new_tokens);
}

/// Cached tokens that have to be read for one sequence: a single new token needs the window only.
double tokens_read(const StepShape& step, double window) {
    return std::min(step.context, window + std::max(0.0, step.new_tokens - 1));
}

/// KV heads on one tensor rank: the cache is split by min(tensor, kv_heads), then copied.
double local_kv_heads(const Shard& shard, const AttentionShape& a) {
    const double heads = static_cast<double>(std::max<std::int64_t>(a.kv_heads, 1));
    return heads / std::min(shard.tensor(), heads);
}

/// The attention product itself, over the cache of `cached` numbers a token. Its rows are the new tokens of one
/// sequence times the query heads that share a cached head, whatever the batch: each sequence has its own cache.
Operation core(const Shard& shard, std::string label, double cached, double sharing_heads, double window) {
    const StepShape& step = shard.step;
    Operation op;
    op.id = "attention.core";
    op.label = std::move(label);
    op.kind = OpKind::attention;
    op.cache_bytes =
        (step.sequences * tokens_read(step, window) + shard.tokens()) * cached * size_of(shard.precision.cache);
    op.rows = step.new_tokens * sharing_heads;
    op.dtype = wider(shard.precision.cache, shard.precision.activations);
    return op;
}

void grouped(OperationList& list, const Shard& shard, const AttentionShape& a) {
    const double dim = static_cast<double>(a.head_dim);
    const double heads = static_cast<double>(a.q_heads) / shard.tensor();
    const double kv_heads = local_kv_heads(shard, a);
    const double columns = (heads + 2 * kv_heads) * dim;
    const double biases = (a.q_bias ? heads * dim : 0) + (a.kv_bias ? 2 * kv_heads * dim : 0);
    list.product("attention.qkv", "QKV", {shard.tokens(), shard.hidden(), columns, 1, biases});
    const double rotated = shard.tokens() * (heads + kv_heads) * dim;
    list.elementwise("attention.rope", a.qk_norm ? "QK norm, rope" : "rope", 2 * rotated, a.qk_norm ? 2 * dim : 0,
                     fmt::format("read and write {} numbers", number(rotated)));

    const double seen = attended(shard.step, window_of(a));
    Operation op = core(shard, "attention", 2 * kv_heads * dim, heads / kv_heads, window_of(a));
    op.flops = Flops(4 * shard.tokens() * heads * dim * seen);
    op.weight_bytes = list.weights(a.sinks ? heads : 0);
    op.activation_bytes = list.activations(2 * shard.tokens() * heads * dim);
    op.formula = fmt::format("4 x {} x {} heads x {} x {} tokens", number(shard.tokens()), number(heads), number(dim),
                             number(seen));
    list.add(std::move(op));
    list.product("attention.out", "output",
                 {shard.tokens(), heads * dim, shard.hidden(), 1, a.o_bias ? shard.hidden() : 0});
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
void latent_decode(OperationList& list, const Shard& shard, const Latent& l, double window) {
    list.product("attention.q_absorb", "Q absorb", {shard.tokens(), l.nope, l.kv_rank, l.heads});
    const double seen = attended(shard.step, window);
    Operation op = core(shard, "MLA", l.kv_rank + l.rope, l.heads, window);
    op.flops = Flops(2 * shard.tokens() * l.heads * seen * (2 * l.kv_rank + l.rope));
    op.activation_bytes = list.activations(shard.tokens() * l.heads * (2 * l.kv_rank + l.rope));
    op.formula = fmt::format("2 x {} x {} heads x {} tokens x (2 x {} + {})", number(shard.tokens()), number(l.heads),
                             number(seen), number(l.kv_rank), number(l.rope));
    list.add(std::move(op));
    list.product("attention.v_up", "V up", {shard.tokens(), l.kv_rank, l.value, l.heads});
}

/// Plain form: keys and values of every cached token are expanded, then attention runs over nope + rope and value.
void latent_prefill(OperationList& list, const Shard& shard, const Latent& l, double window) {
    const double expanded = shard.step.sequences * std::max(shard.step.context, shard.step.new_tokens);
    list.product("attention.kv_up", "KV up", {expanded, l.kv_rank, l.heads * (l.nope + l.value)});
    const double seen = attended(shard.step, window);
    Operation op = core(shard, "MLA", l.kv_rank + l.rope, 1, window);
    op.flops = Flops(2 * shard.tokens() * l.heads * seen * (l.nope + l.rope + l.value));
    op.activation_bytes = list.activations(shard.tokens() * l.heads * (l.nope + l.rope + l.value) +
                                           expanded * l.heads * (l.nope + l.value));
    op.formula = fmt::format("2 x {} x {} heads x {} tokens x ({} + {} + {})", number(shard.tokens()), number(l.heads),
                             number(seen), number(l.nope), number(l.rope), number(l.value));
    list.add(std::move(op));
}

void latent(OperationList& list, const Shard& shard, const AttentionShape& a) {
    const Latent l = latent_sizes(shard, a);
    latent_projections(list, shard, l);
    if (shard.step.causal) latent_prefill(list, shard, l, window_of(a));
    else latent_decode(list, shard, l, window_of(a));
    list.product("attention.out", "output", {shard.tokens(), l.heads * l.value, shard.hidden()});
}

/// Constant state per sequence, read and written by every step; projections of such layers are not modelled.
void linear(OperationList& list, const Shard& shard, const AttentionShape& a) {
    Operation op = core(shard, "state", 0, 1, everything);
    const double state = static_cast<double>(a.state_bytes) / shard.tensor();
    op.cache_bytes = Bytes(2 * shard.step.sequences * state);
    op.formula = fmt::format("2 x {} sequences x {} B", number(shard.step.sequences), number(state));
    list.add(std::move(op));
}

}  // namespace

void attention_operations(OperationList& list, const Shard& shard, const AttentionShape& a) {
    if (a.kind == AttentionKind::none) return;
    list.norm("attention.norm", shard.norm_tokens());
    list.gather_over_tensor("attention.gather");
    if (a.kind == AttentionKind::grouped) grouped(list, shard, a);
    else if (a.kind == AttentionKind::latent) latent(list, shard, a);
    else linear(list, shard, a);
    list.reduce_over_tensor("attention.reduce");
}

}  // namespace crosspoint
