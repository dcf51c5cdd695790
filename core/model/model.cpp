#include "core/model/model.hpp"

#include <algorithm>
#include <cmath>

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

/// Numbers of one cache entry.
std::int64_t cached_numbers(const AttentionShape& a) {
    if (a.shares_cache) return 0;
    if (a.kind == AttentionKind::grouped)
        return product({a.kv_heads, sum({a.head_dim, a.keys_are_values ? 0 : a.value_size()})});
    if (a.kind == AttentionKind::latent && a.latent) return sum({a.latent->kv_rank, a.latent->rope_dim});
    return 0;
}

bool grows(const AttentionShape& a) { return a.compression.has_value() || !a.window; }

double entries_per_token(const AttentionShape& a) {
    return a.compression ? 1.0 / static_cast<double>(std::max<std::int64_t>(a.compression->ratio, 1)) : 1.0;
}

double whole_tokens(std::int64_t tokens) { return static_cast<double>(std::max<std::int64_t>(tokens, 0)); }

/// Mixing matrices, their offsets and three scales around each of the two blocks of a layer. Source: the modelling
/// file published with DeepSeek-V4 (hyper-connections).
std::int64_t stream_mixing(const ModelShape& model) {
    const std::int64_t n = model.residual_streams;
    if (n <= 1) return 0;
    const std::int64_t mixes = product({n, sum({n, 2})});
    return product({2, sum({product({mixes, n, model.hidden}), mixes, 3})});
}

}  // namespace

ParameterCount count_parameters(const ModelShape& model, const LayerShape& layer) {
    ParameterCount c;
    const FeedForwardShape& f = layer.feed_forward;
    c.attention = parameters::attention(model.hidden, layer.attention);
    c.dense_feed_forward =
        sum({parameters::dense_feed_forward(model.hidden, f), product({2, model.hidden, model.per_layer_input})});
    c.norms = sum({product({layer.norms, model.hidden}), stream_mixing(model),
                   model.per_layer_input > 0 ? std::max<std::int64_t>(model.hidden, 0) : 0});
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
    const auto layers = static_cast<std::int64_t>(model.layers.size());
    const std::int64_t table = product({model.vocabulary, model.hidden});
    const std::int64_t inputs = product({layers, model.per_layer_input});  // of all layers, for one token
    ParameterCount total;
    total.embedding = sum({table, product({model.learned_positions, model.hidden}), product({model.vocabulary, inputs}),
                           product({model.hidden, inputs}), model.per_layer_input});
    total.head = sum({model.tied_embeddings ? 0 : table, model.head_bias ? model.vocabulary : 0});
    total.norms = product({model.final_norms, model.hidden});  // before the output table
    total.active = sum({total.embedding, total.head, total.norms});
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i) add(total, count_parameters(model, model.kinds[i]), counts[i]);
    total.total = parts(total);
    return total;
}

Bytes kv_bytes_per_token(const LayerShape& layer, Dtype d) {
    const AttentionShape& a = layer.attention;
    return size_of(d) * (static_cast<double>(cached_numbers(a)) * entries_per_token(a));
}

Bytes kv_bytes_per_token(const ModelShape& model, Dtype d) {
    Bytes total;
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i)
        total += kv_bytes_per_token(model.kinds[i], d) * static_cast<double>(counts[i]);
    return total;
}

Bytes growing_kv_bytes_per_token(const ModelShape& model, Dtype d) {
    Bytes total;
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (grows(model.kinds[i].attention))
            total += kv_bytes_per_token(model.kinds[i], d) * static_cast<double>(counts[i]);
    return total;
}

Bytes index_bytes_per_token(const AttentionShape& a) {
    if (!a.indexer) return Bytes(0);
    const double numbers = static_cast<double>(std::max<std::int64_t>(a.indexer->head_dim, 0));
    return Bytes((numbers + 4 * std::ceil(numbers / 128)) * entries_per_token(a));
}

Bytes state_bytes(const AttentionShape& a) {
    if (a.kind != AttentionKind::linear) return Bytes(0);
    if (!a.recurrent) return Bytes(static_cast<double>(a.state_bytes));
    const RecurrentShape& r = *a.recurrent;
    const auto state = static_cast<double>(product({r.value_heads, r.key_dim, r.value_dim}));
    const auto kept = static_cast<double>(product({parameters::convolved_channels(r), r.convolution - 1}));
    return size_of(r.state) * state + size_of(Dtype::bf16) * kept;
}

CacheBytes cache_bytes(const LayerShape& layer, std::int64_t context, Dtype d) {
    const AttentionShape& a = layer.attention;
    const double tokens = whole_tokens(context);
    const Bytes entry = size_of(d) * static_cast<double>(cached_numbers(a));
    CacheBytes cache;
    cache.constant = state_bytes(a);
    cache.index = index_bytes_per_token(a) * tokens;
    if (grows(a)) cache.full = entry * std::floor(tokens * entries_per_token(a));
    if (a.window) cache.windowed = entry * std::min(tokens, whole_tokens(*a.window));
    return cache;
}

CacheBytes cache_bytes(const ModelShape& model, std::int64_t context, Dtype d) {
    CacheBytes all;
    const std::vector<std::int64_t> counts = layers_of_kind(model);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double layers = static_cast<double>(counts[i]);
        const CacheBytes one = cache_bytes(model.kinds[i], context, d);
        all.full += one.full * layers;
        all.windowed += one.windowed * layers;
        all.constant += one.constant * layers;
        all.index += one.index * layers;
    }
    return all;
}

}  // namespace crosspoint
