#include "core/model/model.hpp"

#include <algorithm>

#include "core/model/parameters.hpp"

namespace crosspoint {
namespace {

using parameters::product;
using parameters::sum;

void add(ParameterCount& total, const ParameterCount& one, std::int64_t times) {
    const auto grow = [times](std::int64_t& into, std::int64_t part) { into = sum({into, product({part, times})}); };
    grow(total.attention, one.attention);
    grow(total.dense_feed_forward, one.dense_feed_forward);
    grow(total.routed_experts, one.routed_experts);
    grow(total.shared_experts, one.shared_experts);
    grow(total.router, one.router);
    grow(total.norms, one.norms);
    grow(total.active, one.active);
}

std::int64_t parts(const ParameterCount& c) {
    return sum({c.embedding, c.head, c.attention, c.dense_feed_forward, c.routed_experts, c.shared_experts, c.router,
                c.norms});
}

/// How many layers are of each kind; indices out of range are left out (validate() names them).
std::vector<std::int64_t> layers_of_kind(const ModelShape& model) {
    std::vector<std::int64_t> counts(model.kinds.size(), 0);
    for (const int kind : model.layers)
        if (kind >= 0 && static_cast<std::size_t>(kind) < counts.size()) ++counts[static_cast<std::size_t>(kind)];
    return counts;
}

/// Numbers cached for one token.
std::int64_t cached_numbers(const AttentionShape& a) {
    if (a.kind == AttentionKind::grouped) return product({2, a.kv_heads, a.head_dim});
    if (a.kind == AttentionKind::latent && a.latent) return sum({a.latent->kv_rank, a.latent->rope_dim});
    return 0;
}

}  // namespace

ParameterCount count_parameters(const ModelShape& model, const LayerShape& layer) {
    ParameterCount c;
    const FeedForwardShape& f = layer.feed_forward;
    c.attention = parameters::attention(model.hidden, layer.attention);
    c.dense_feed_forward = parameters::dense_feed_forward(model.hidden, f);
    c.norms = product({layer.norms, model.hidden});
    std::int64_t used_experts = 0;
    if (f.experts) {
        const std::int64_t one = parameters::one_expert(model.hidden, f);
        c.routed_experts = product({f.experts->experts, one});
        used_experts = product({std::min(f.experts->top_k, f.experts->experts), one});
        c.shared_experts = parameters::shared_experts(model.hidden, f);
        c.router = parameters::router(model.hidden, *f.experts);
    }
    c.total = parts(c);
    c.active = sum({c.attention, c.dense_feed_forward, used_experts, c.shared_experts, c.router, c.norms});
    return c;
}

ParameterCount count_parameters(const ModelShape& model) {
    ParameterCount total;
    total.embedding = product({model.vocabulary, model.hidden});
    total.head = model.tied_embeddings ? 0 : total.embedding;
    total.norms = std::max<std::int64_t>(model.hidden, 0);  // before the output table
    total.active = sum({total.embedding, total.head, total.norms});
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i) add(total, count_parameters(model, model.kinds[i]), counts[i]);
    total.total = parts(total);
    return total;
}

Bytes kv_bytes_per_token(const LayerShape& layer, Dtype d) {
    return size_of(d) * static_cast<double>(cached_numbers(layer.attention));
}

Bytes kv_bytes_per_token(const ModelShape& model, Dtype d) {
    Bytes total;
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i)
        total += kv_bytes_per_token(model.kinds[i], d) * static_cast<double>(counts[i]);
    return total;
}

CacheBytes cache_bytes(const ModelShape& model, std::int64_t context, Dtype d) {
    CacheBytes cache;
    const std::int64_t tokens = std::max<std::int64_t>(context, 0);
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const AttentionShape& a = model.kinds[i].attention;
        const double layers = static_cast<double>(counts[i]);
        const Bytes token = kv_bytes_per_token(model.kinds[i], d) * layers;
        if (a.kind == AttentionKind::linear) cache.constant += Bytes(static_cast<double>(a.state_bytes) * layers);
        else if (a.window)
            cache.windowed += token * static_cast<double>(std::min(tokens, std::max<std::int64_t>(*a.window, 0)));
        else cache.full += token * static_cast<double>(tokens);
    }
    return cache;
}

}  // namespace crosspoint
