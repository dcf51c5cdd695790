#include "core/model/parameters.hpp"

#include <algorithm>
#include <limits>

namespace crosspoint::parameters {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// The pooling of `head_dim` numbers into compressed entries: values, gates, position offsets and a norm.
std::int64_t compressor(std::int64_t hidden, const CompressionShape& c, std::int64_t head_dim) {
    const std::int64_t width = product({c.overlap ? 2 : 1, head_dim});
    return sum({product({2, hidden, width}), product({c.ratio, width}), head_dim});
}

std::int64_t query_key_norms(const AttentionShape& a) {
    if (!a.qk_norm) return 0;
    const std::int64_t keys = a.shares_cache ? 0 : 1;
    if (!a.qk_norm_wide) return product({a.head_dim, 1 + keys});
    return product({a.head_dim, sum({a.q_heads, product({keys, a.kv_heads})})});
}

std::int64_t grouped_output(std::int64_t hidden, const AttentionShape& a) {
    const std::int64_t values = product({a.q_heads, a.value_size()});
    const std::int64_t matrices = a.o_rank > 0
                                      ? sum({product({values, a.o_rank}), product({a.o_groups, a.o_rank, hidden})})
                                      : product({values, hidden});
    return sum({matrices, a.o_bias ? hidden : 0});
}

std::int64_t grouped_attention(std::int64_t hidden, const AttentionShape& a) {
    const std::int64_t queries = product({a.q_heads, a.head_dim});
    const std::int64_t keys = product({a.kv_heads, a.head_dim});
    const std::int64_t values = a.keys_are_values ? 0 : product({a.kv_heads, a.value_size()});
    const std::int64_t to_queries = a.q_rank > 0
                                        ? sum({product({hidden, a.q_rank}), a.q_rank, product({a.q_rank, queries})})
                                        : product({hidden, queries});
    const std::int64_t to_cache =
        a.shares_cache ? 0 : sum({product({hidden, sum({keys, values})}), a.kv_bias ? sum({keys, values}) : 0});
    return sum({to_queries, to_cache, product({hidden, a.q_heads, a.gate_dim}), grouped_output(hidden, a),
                a.q_bias ? queries : 0, query_key_norms(a), a.sinks ? a.q_heads : 0,
                a.compression ? compressor(hidden, *a.compression, a.head_dim) : 0, indexer(hidden, a)});
}

/// Down and up projections of queries and of keys/values, the norms between them, and the output product.
std::int64_t latent_attention(std::int64_t hidden, const AttentionShape& a, const LatentAttention& l) {
    const std::int64_t queries = product({a.q_heads, sum({l.nope_dim, l.rope_dim})});
    const std::int64_t to_queries = l.q_rank > 0
                                        ? sum({product({hidden, l.q_rank}), l.q_rank, product({l.q_rank, queries})})
                                        : product({hidden, queries});
    return sum({to_queries, product({hidden, sum({l.kv_rank, l.rope_dim})}), l.kv_rank,
                product({l.kv_rank, a.q_heads, sum({l.nope_dim, l.value_dim})}),
                product({a.q_heads, l.value_dim, hidden}), product({hidden, a.q_heads, a.gate_dim}),
                indexer(hidden, a)});
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
        case AttentionKind::linear: return shape.recurrent ? recurrent(hidden, *shape.recurrent) : 0;
        case AttentionKind::none: return 0;
    }
    return 0;
}

std::int64_t indexer(std::int64_t hidden, const AttentionShape& a) {
    if (!a.indexer) return 0;
    const IndexerShape& i = *a.indexer;
    const std::int64_t rank = a.latent ? a.latent->q_rank : a.q_rank;
    const std::int64_t keys = a.compression ? compressor(hidden, *a.compression, i.head_dim)
                                            : sum({product({hidden, i.head_dim}), product({2, i.head_dim})});
    return sum({product({rank > 0 ? rank : hidden, i.heads, i.head_dim}), product({hidden, i.heads}), keys});
}

std::int64_t dense_feed_forward(std::int64_t hidden, const FeedForwardShape& f) {
    if (f.linear) return product({hidden, hidden});
    const std::int64_t biases = f.bias && f.width > 0 ? sum({product({matrices(f) - 1, f.width}), hidden}) : 0;
    return sum({product({matrices(f), hidden, f.width}), biases});
}

std::int64_t one_expert(std::int64_t hidden, const FeedForwardShape& f) {
    if (!f.experts) return 0;
    const std::int64_t width = f.experts->width, inner = f.experts->latent > 0 ? f.experts->latent : hidden;
    const std::int64_t biases = f.experts->expert_bias ? sum({product({matrices(f) - 1, width}), inner}) : 0;
    return sum({product({matrices(f), inner, width}), biases});
}

std::int64_t shared_experts(std::int64_t hidden, const FeedForwardShape& f) {
    if (!f.experts || f.experts->shared_width <= 0) return 0;
    return sum({product({matrices(f), hidden, f.experts->shared_width}), f.experts->shared_gate ? hidden : 0});
}

std::int64_t router(std::int64_t hidden, const ExpertShape& e) {
    return sum({product({hidden, e.experts}), e.router_bias ? e.experts : 0, product({2, hidden, e.latent})});
}

}  // namespace crosspoint::parameters
