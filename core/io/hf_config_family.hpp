// What a model class does when its configuration is silent (private to core/io).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/hf_config_fields.hpp"

namespace crosspoint::hf {

enum class WindowRule { all_layers, upper_layers, alternate };

/// Class defaults. Source: the configuration and model classes of Hugging Face Transformers 4.57 (and the modelling
/// files published with DeepSeek-V2/V3).
struct Family {
    std::string_view name;  ///< as shown in messages
    bool known = false;     ///< one of the families that are checked against published totals
    bool tied = false;      ///< tie_word_embeddings when absent
    bool gated = true;
    bool qkv_bias = false;        ///< q, k and v biases, whatever attention_bias says
    bool attention_bias = false;  ///< attention_bias when absent: q, k, v and output biases
    bool qk_norm = false;
    bool sinks = false;
    bool expert_biases = false;  ///< router and expert products
    bool shared_gate = false;
    std::int64_t head_dim = 0;       ///< when absent; 0 = hidden / heads
    std::int64_t kv_heads = 0;       ///< when absent; 0 = query heads
    bool window_needs_flag = false;  ///< sliding_window counts only with use_sliding_window
    WindowRule window_rule = WindowRule::all_layers;
};

/// By `architectures` first (model_type can lie), then by model_type; an unknown class gives generic rules and a
/// warning.
const Family& family_of(Fields& fields);

}  // namespace crosspoint::hf
