// The shape of a language model, layer by layer: what its parameters, caches and products are computed from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/catalogue/dtype.hpp"

namespace crosspoint {

enum class AttentionKind { grouped, latent, linear, none };  // grouped covers multi-head, grouped- and multi-query

/// Multi-head latent attention: what is cached per token is kv_rank + rope_dim numbers.
struct LatentAttention {
    std::int64_t q_rank = 0;  ///< 0: queries are projected directly
    std::int64_t kv_rank = 0;
    std::int64_t rope_dim = 0;
    std::int64_t nope_dim = 0;
    std::int64_t value_dim = 0;
    bool operator==(const LatentAttention&) const = default;
};

struct AttentionShape {
    AttentionKind kind = AttentionKind::grouped;
    std::int64_t q_heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;
    std::optional<LatentAttention> latent;
    std::optional<std::int64_t> window;  ///< sliding window, tokens
    bool q_bias = false, kv_bias = false, o_bias = false;
    bool qk_norm = false;          ///< a norm of head_dim on q and on k
    bool sinks = false;            ///< one learned logit a query head
    std::int64_t state_bytes = 0;  ///< constant state per sequence of linear kinds
    bool operator==(const AttentionShape&) const = default;
};

struct ExpertShape {
    std::int64_t experts = 0;  ///< routed experts
    std::int64_t top_k = 0;
    std::int64_t width = 0;         ///< intermediate size of one routed expert
    std::int64_t shared_width = 0;  ///< summed intermediate size of the shared experts; 0 = none
    bool shared_gate = false;       ///< one hidden-size gate vector for the shared expert
    bool router_bias = false;       ///< one number per expert
    bool expert_bias = false;       ///< biases in the expert products
    std::int64_t groups = 1;        ///< routing groups
    std::int64_t group_limit = 1;   ///< groups that one token may use; = groups when unlimited
    bool operator==(const ExpertShape&) const = default;
};

struct FeedForwardShape {
    std::int64_t width = 0;  ///< dense intermediate size; 0 when the layer is expert-only
    bool gated = true;       ///< three matrices instead of two
    bool bias = false;
    std::optional<ExpertShape> experts;
    bool operator==(const FeedForwardShape&) const = default;
};

struct LayerShape {
    AttentionShape attention;
    FeedForwardShape feed_forward;
    int norms = 2;  ///< hidden-size norm vectors a layer
    bool operator==(const LayerShape&) const = default;
};

struct ModelShape {
    std::string name;
    std::string family;  ///< model_type of the config it came from
    std::string source;  ///< file or publication
    std::int64_t hidden = 0;
    std::int64_t vocabulary = 0;
    bool tied_embeddings = false;
    std::int64_t max_context = 0;         ///< 0 = not stated
    std::vector<LayerShape> kinds;        ///< the distinct layers
    std::vector<int> layers;              ///< for each layer its index into kinds
    Dtype stored = Dtype::bf16;           ///< storage of the published weights
    std::int64_t next_token_modules = 0;  ///< multi-token-prediction layers, outside all totals here
    std::int64_t training_tokens = 0;     ///< that the published weights were trained on; 0 = not stated
    bool operator==(const ModelShape&) const = default;
};

/// Positive sizes, top_k <= experts, kv_heads divides q_heads, kind indices in range; names the field that fails.
Result<void> validate(const ModelShape& model);

struct ParameterCount {
    std::int64_t embedding = 0;  ///< input table
    std::int64_t head = 0;       ///< output table; 0 when tied
    std::int64_t attention = 0;  ///< all layers
    std::int64_t dense_feed_forward = 0;
    std::int64_t routed_experts = 0;
    std::int64_t shared_experts = 0;
    std::int64_t router = 0;
    std::int64_t norms = 0;
    std::int64_t total = 0;
    /// Used by one token, input and output tables included (for tied tables: the one table once).
    std::int64_t active = 0;
};
ParameterCount count_parameters(const ModelShape& model);

/// Of one layer, split the same way (embedding and head 0; active = used by one token).
ParameterCount count_parameters(const ModelShape& model, const LayerShape& layer);

/// Cache of one token in one layer at dtype `d`; latent: (kv_rank + rope_dim); linear and none: 0.
Bytes kv_bytes_per_token(const LayerShape& layer, Dtype d);
/// Over all layers, as published tables count it (windows not applied): DeepSeek-V3 70.272 KB at bf16.
Bytes kv_bytes_per_token(const ModelShape& model, Dtype d);
/// Cache of one sequence of `context` tokens: full layers grow, windowed layers stop at the window,
/// linear layers are constant.
struct CacheBytes {
    Bytes full, windowed, constant;
    [[nodiscard]] Bytes total() const { return full + windowed + constant; }
};
CacheBytes cache_bytes(const ModelShape& model, std::int64_t context, Dtype d);

}  // namespace crosspoint
