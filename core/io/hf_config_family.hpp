// What a model class does when its configuration is silent (private to core/io).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/hf_config_fields.hpp"

namespace crosspoint::hf {

enum class WindowRule { all_layers, upper_layers, alternate };

/// Class defaults. Source: the configuration and model classes of Hugging Face Transformers 4.57, and the modelling
/// files published with DeepSeek-V2/V3/V4, MiniMax, Nemotron-H, Hunyuan, Step-3, MiMo, Grok-1 and LongCat.
struct Family {
    std::string_view name;  ///< as shown in messages
    std::string_view format = "Hugging Face config.json";
    bool known = false;  ///< one of the families that are checked against published totals
    bool tied = false;   ///< tie_word_embeddings when absent
    bool gated = true;
    bool four_times = false;      ///< feed-forward width when absent: 4 x hidden
    bool mlp_bias = false;        ///< when absent
    bool qkv_bias = false;        ///< q, k and v biases, whatever attention_bias says
    bool attention_bias = false;  ///< attention_bias when absent: q, k, v and output biases
    bool plain_output = false;    ///< attention_bias is for q, k and v only
    bool qk_norm = false;
    bool plain_qk_norm = false;  ///< norms on queries and keys without weights
    bool wide_norm = false;      ///< norms on queries and keys span all heads
    bool output_gate = false;    ///< attn_output_gate when absent
    bool sinks = false;
    bool expert_biases = false;  ///< router and expert products
    bool router_bias = false;
    bool shared_gate = false;
    bool shared_expert = false;  ///< one shared expert as wide as a routed one
    bool head_bias = false;
    bool chunked = false;        ///< windowed layers see their own chunk; every fourth layer is full
    bool one_block = false;      ///< a layer is attention, state space or feed-forward alone
    bool lightning = false;      ///< linear layers have a fixed decay
    bool double_layers = false;  ///< a layer holds two attentions and two dense parts beside one expert part
    bool learned_positions = false;
    bool vocabulary_free = false;     ///< the format states no vocabulary
    int norms = 2;                    ///< hidden-size norm vectors of a layer
    int expert_norms = 0;             ///< more of them where dense and experts are side by side
    int final_norms = 1;              ///< vectors before the output table
    std::int64_t head_dim = 0;        ///< when absent; 0 = hidden / heads
    std::int64_t kv_heads = 0;        ///< when absent; 0 = query heads
    std::int64_t window = 0;          ///< when absent; 0 = none
    std::int64_t window_pattern = 0;  ///< every n-th layer is full when no list says; 0 = by window_rule
    bool window_needs_flag = false;   ///< sliding_window counts only with use_sliding_window
    WindowRule window_rule = WindowRule::all_layers;
};

/// Other programs' files by the fields that only they have; Hugging Face classes by `architectures` first (model_type
/// can lie), then by model_type; an unknown class gives generic rules and a warning.
const Family& family_of(Fields& fields);

}  // namespace crosspoint::hf
