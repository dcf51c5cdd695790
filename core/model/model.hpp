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

/// Sparse attention: a small scorer rates every cached token for each new one, and attention runs over the best
/// top_k. It caches its own key of head_dim numbers a token. Source: DeepSeek-AI, DeepSeek-V3.2 report, section 2.1.
struct IndexerShape {
    std::int64_t heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t top_k = 0;
    bool operator==(const IndexerShape&) const = default;
};

/// A cache with one entry for every `ratio` tokens, beside the window of recent ones (DeepSeek-V4).
struct CompressionShape {
    std::int64_t ratio = 1;
    bool overlap = false;  ///< an entry is pooled from two blocks, with projections twice as wide
    bool operator==(const CompressionShape&) const = default;
};

/// What a linear or state-space layer carries from token to token.
enum class RecurrentForm {
    delta,          ///< gated delta rule, one decay a head (Qwen3-Next, Qwen3.5)
    channel_delta,  ///< gated delta rule, one decay a channel (Kimi Linear)
    lightning,      ///< linear attention with a fixed decay (MiniMax-01, M1)
    mamba1,         ///< selective state space, one state a channel (Jamba)
    mamba2          ///< selective state space, one decay a head (Nemotron-H, Granite 4)
};

/// The state is value_heads x key_dim x value_dim numbers. State-space names: key_heads = groups, key_dim = state
/// size, value_heads x value_dim = inner channels.
struct RecurrentShape {
    RecurrentForm form = RecurrentForm::delta;
    std::int64_t key_heads = 0;
    std::int64_t value_heads = 0;
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;
    std::int64_t convolution = 0;  ///< taps of the short convolution; 0 = none
    std::int64_t rank = 0;         ///< mamba1: of the time step; channel_delta: of its two gates
    std::int64_t chunk = 64;       ///< tokens that prefill handles as one block
    bool convolution_bias = false;
    bool inner_norms = false;  ///< mamba1: norms on time step, B and C (Jamba)
    Dtype state = Dtype::fp32;
    bool operator==(const RecurrentShape&) const = default;
};

struct AttentionShape {
    AttentionKind kind = AttentionKind::grouped;
    std::int64_t q_heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t value_dim = 0;  ///< numbers of one value head; 0 = head_dim
    std::optional<LatentAttention> latent;
    std::optional<IndexerShape> indexer;
    std::optional<CompressionShape> compression;
    std::optional<RecurrentShape> recurrent;  ///< of linear kinds; without it only state_bytes is known
    std::optional<std::int64_t> window;       ///< sliding window, tokens
    bool chunked = false;                     ///< the window is a block: a token sees its own block only
    bool keys_are_values = false;             ///< one projection and one cached vector serve as both
    bool shares_cache = false;                ///< uses the cache of an earlier layer and has no K and V of its own
    std::int64_t q_rank = 0;                  ///< grouped: queries through this rank; 0 = directly
    std::int64_t o_rank = 0, o_groups = 1;    ///< output through o_groups blocks of this rank; 0 = directly
    std::int64_t gate_dim = 0;                ///< output gate: numbers a query head; 0 = none
    bool q_bias = false, kv_bias = false, o_bias = false;
    bool qk_norm = false;          ///< a norm of head_dim on q and on k
    bool qk_norm_wide = false;     ///< that norm spans all heads instead
    bool sinks = false;            ///< one learned logit a query head
    std::int64_t state_bytes = 0;  ///< constant state per sequence of linear kinds without `recurrent`
    [[nodiscard]] std::int64_t value_size() const { return value_dim > 0 ? value_dim : head_dim; }
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
    std::int64_t latent = 0;        ///< routed experts work in this many dimensions; 0 = in the hidden size
    bool operator==(const ExpertShape&) const = default;
};

struct FeedForwardShape {
    std::int64_t width = 0;  ///< dense intermediate size; 0 when the layer is expert-only
    bool gated = true;       ///< three matrices instead of two
    bool bias = false;
    bool linear = false;  ///< one hidden x hidden matrix instead (an ablated layer)
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
    std::int64_t vocabulary = 0;  ///< 0: no tables (a format that states none)
    bool tied_embeddings = false;
    bool head_bias = false;
    std::int64_t learned_positions = 0;   ///< rows of a table of learned positions
    std::int64_t per_layer_input = 0;     ///< numbers a token that every layer takes from a table of its own
    std::int64_t residual_streams = 1;    ///< parallel residual streams mixed around every block (hyper-connections)
    int final_norms = 1;                  ///< hidden-size vectors before the output table
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

/// Cache of one token in one layer at dtype `d`; latent: (kv_rank + rope_dim); compressed: one entry over its ratio;
/// linear, none and layers that use another layer's cache: 0. Keys of an indexer are not in it.
Bytes kv_bytes_per_token(const LayerShape& layer, Dtype d);
/// Over all layers, as published tables count it (windows not applied): DeepSeek-V3 70.272 KB at bf16.
Bytes kv_bytes_per_token(const ModelShape& model, Dtype d);
/// Over the layers whose cache grows with the context: gpt-oss-20b 24.576 KB of 49.152 KB at bf16.
Bytes growing_kv_bytes_per_token(const ModelShape& model, Dtype d);
/// Keys that an indexer caches for one token of one layer: one byte a number and a 4-byte scale for every 128,
/// whatever the cache's dtype (DeepSeek-V3.2: 132 B); 0 without indexer.
Bytes index_bytes_per_token(const AttentionShape& attention);
/// Constant state of one sequence in one layer: recurrent state in its own dtype and the last taps of the short
/// convolution in 16 bits; 0 for attention kinds.
Bytes state_bytes(const AttentionShape& attention);
/// Cache of one sequence of `context` tokens: full layers grow, windowed layers stop at the window,
/// linear layers are constant, indexer keys grow.
struct CacheBytes {
    Bytes full, windowed, constant, index;
    [[nodiscard]] Bytes total() const { return full + windowed + constant + index; }
};
CacheBytes cache_bytes(const LayerShape& layer, std::int64_t context, Dtype d);
CacheBytes cache_bytes(const ModelShape& model, std::int64_t context, Dtype d);

}  // namespace crosspoint
