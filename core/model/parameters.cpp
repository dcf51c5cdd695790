#include "core/model/parameters.hpp"

#include <algorithm>
#include <limits>

namespace crosspoint::parameters {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::int64_t grouped_attention(std::int64_t hidden, const AttentionShape& a) {
    const std::int64_t queries = product({a.q_heads, a.head_dim});
    const std::int64_t keys = product({a.kv_heads, a.head_dim});
    return sum({product({hidden, queries, 2}), product({hidden, keys, 2}), a.q_bias ? queries : 0,
                a.kv_bias ? product({keys, 2}) : 0, a.o_bias ? hidden : 0, a.qk_norm ? product({a.head_dim, 2}) : 0,
                a.sinks ? a.q_heads : 0});
}

/// Down and up projections of queries and of keys/values, the norms between them, and the output product.
std::int64_t latent_attention(std::int64_t hidden, const AttentionShape& a, const LatentAttention& l) {
    const std::int64_t queries = product({a.q_heads, sum({l.nope_dim, l.rope_dim})});
    const std::int64_t to_queries = l.q_rank > 0
                                        ? sum({product({hidden, l.q_rank}), l.q_rank, product({l.q_rank, queries})})
                                        : product({hidden, queries});
    return sum({to_queries, product({hidden, sum({l.kv_rank, l.rope_dim})}), l.kv_rank,
                product({l.kv_rank, a.q_heads, sum({l.nope_dim, l.value_dim})}),
                product({a.q_heads, l.value_dim, hidden})});
}

std::int64_t matrices(const FeedForwardShape& f) { return f.gated ? 3 : 2; }

}  // namespace

std::int64_t sum(std::initializer_list<std::int64_t> terms) {
    std::int64_t total = 0;
    for (const std::int64_t term : terms)
        if (__builtin_add_overflow(total, std::max<std::int64_t>(term, 0), &total)) return most;
    return total;
}

std::int64_t product(std::initializer_list<std::int64_t> factors) {
    std::int64_t total = 1;
    for (const std::int64_t factor : factors)
        if (factor <= 0) return 0;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(total, factor, &total)) return most;
    return total;
}

std::int64_t attention(std::int64_t hidden, const AttentionShape& shape) {
    switch (shape.kind) {
        case AttentionKind::grouped: return grouped_attention(hidden, shape);
        case AttentionKind::latent: return latent_attention(hidden, shape, shape.latent.value_or(LatentAttention{}));
        case AttentionKind::linear:
        case AttentionKind::none: return 0;
    }
    return 0;
}

std::int64_t dense_feed_forward(std::int64_t hidden, const FeedForwardShape& f) {
    const std::int64_t biases = f.bias && f.width > 0 ? sum({product({matrices(f) - 1, f.width}), hidden}) : 0;
    return sum({product({matrices(f), hidden, f.width}), biases});
}

std::int64_t one_expert(std::int64_t hidden, const FeedForwardShape& f) {
    if (!f.experts) return 0;
    const std::int64_t width = f.experts->width;
    const std::int64_t biases = f.experts->expert_bias ? sum({product({matrices(f) - 1, width}), hidden}) : 0;
    return sum({product({matrices(f), hidden, width}), biases});
}

std::int64_t shared_experts(std::int64_t hidden, const FeedForwardShape& f) {
    if (!f.experts || f.experts->shared_width <= 0) return 0;
    return sum({product({matrices(f), hidden, f.experts->shared_width}), f.experts->shared_gate ? hidden : 0});
}

std::int64_t router(std::int64_t hidden, const ExpertShape& e) {
    return sum({product({hidden, e.experts}), e.router_bias ? e.experts : 0});
}

}  // namespace crosspoint::parameters
