#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

constexpr std::string_view q_head_keys[] = {"num_attention_heads", "n_heads", "n_head", "num_heads", "head_num"};
constexpr std::string_view kv_head_keys[] = {"num_key_value_heads", "num_kv_heads", "multi_query_group_num",
                                             "num_attention_groups", "attn_config.kv_n_heads"};
constexpr std::string_view head_dim_keys[] = {"head_dim", "attention_head_dim", "kv_channels"};

std::int64_t read_kv_heads(Fields& fields, const Family& family, std::int64_t q_heads) {
    if (const auto stated = fields.count(kv_head_keys, 1)) return *stated;
    if (fields.flag("multi_query").value_or(false)) return 1;
    const std::int64_t heads = family.kv_heads > 0 ? family.kv_heads : q_heads;
    fields.assume(fmt::format("num_key_value_heads is absent: {} KV heads, {}", heads,
                              family.kv_heads > 0 ? "the class default" : "one for each query head"));
    return heads;
}

std::int64_t read_head_dim(Fields& fields, const Family& family, std::int64_t hidden, std::int64_t q_heads) {
    if (const auto stated = fields.count(head_dim_keys, 1)) return *stated;
    if (family.head_dim > 0) {
        fields.assume(fmt::format("head_dim is absent: {}, the class default", family.head_dim));
        return family.head_dim;
    }
    if (hidden % q_heads != 0 && !fields.error())
        fields.wrong(
            q_head_keys[0], ErrorCode::invalid_value,
            fmt::format("head_dim is absent and {} query heads do not divide the hidden size {}", q_heads, hidden),
            "State head_dim.");
    fields.assume(fmt::format("head_dim is absent: hidden / heads = {}", hidden / q_heads));
    return std::max<std::int64_t>(hidden / q_heads, 1);
}

void read_latent(Fields& fields, AttentionShape& a) {
    LatentAttention l;
    l.kv_rank = fields.count("kv_lora_rank", 1).value_or(0);
    l.q_rank = fields.count("q_lora_rank").value_or(0);
    constexpr std::string_view rope[] = {"qk_rope_head_dim"}, nope[] = {"qk_nope_head_dim"}, value[] = {"v_head_dim"};
    l.rope_dim = fields.required_count("rope part of latent attention", rope);
    l.nope_dim = fields.required_count("plain part of latent attention", nope);
    l.value_dim = fields.required_count("value size of latent attention", value);
    a.kind = AttentionKind::latent;
    a.latent = l;
    a.head_dim = l.nope_dim + l.rope_dim;
    a.kv_heads = fields.count(kv_head_keys, 1).value_or(a.q_heads);
    fields.count(head_dim_keys);  // stated in some files, and without meaning here
    if (fields.flag("attention_bias").value_or(false))
        fields.warn("attention_bias: the biases of latent attention are not counted");
}

void read_grouped(Fields& fields, const Family& family, std::int64_t hidden, AttentionShape& a) {
    a.kv_heads = read_kv_heads(fields, family, a.q_heads);
    a.head_dim = read_head_dim(fields, family, hidden, a.q_heads);
    const bool all_biases = fields.flag("attention_bias").value_or(family.attention_bias);
    const bool qkv_bias = fields.flag("qkv_bias").value_or(family.qkv_bias);
    a.q_bias = a.kv_bias = all_biases || qkv_bias;
    a.o_bias = all_biases && !family.qkv_bias;
    const bool norm_flag = fields.flag("use_qk_norm").value_or(fields.flag("qk_norm").value_or(false));
    a.qk_norm = family.qk_norm || norm_flag;
    a.sinks = family.sinks;
    if (norm_flag && !family.known) fields.warn("The query and key norms are taken as one head wide");
}

/// The window that the file states and the class uses.
std::optional<std::int64_t> read_window(Fields& fields, const Family& family) {
    constexpr std::string_view keys[] = {"sliding_window", "attention_chunk_size"};
    const auto use = fields.flag("use_sliding_window");
    const auto window = fields.count(keys);
    const bool used = use.value_or(!family.window_needs_flag);
    return used && window && *window > 0 ? window : std::nullopt;
}

/// Whether each layer is windowed, by its layer_types; an unknown type is refused by name.
std::vector<bool> windows_by_type(Fields& fields, std::size_t layers) {
    const auto types = fields.texts("layer_types").value_or(std::vector<std::string>{});
    std::vector<bool> windowed(layers, false);
    if (types.size() < layers) {
        fields.wrong("layer_types", ErrorCode::schema,
                     fmt::format("layer_types has {} entries for {} layers", types.size(), layers),
                     "Give one entry a layer.");
        return windowed;
    }
    if (types.size() > layers)
        fields.warn(
            fmt::format("layer_types has {} entries for {} layers: the last ones are left out", types.size(), layers));
    for (std::size_t i = 0; i < layers; ++i) {
        windowed[i] = types[i] == "sliding_attention" || types[i] == "chunked_attention";
        if (!windowed[i] && types[i] != "full_attention")
            fields.wrong("layer_types", ErrorCode::unsupported,
                         fmt::format("Layer {} is of type {}, which is not modelled", i, types[i]),
                         "Full and sliding attention are.");
    }
    return windowed;
}

/// Every n-th layer is full where a pattern is stated.
std::vector<bool> windows_by_rule(Fields& fields, const Family& family, std::size_t layers) {
    const std::int64_t pattern = fields.count("sliding_window_pattern", 1).value_or(0);
    const std::int64_t first = fields.count("max_window_layers").value_or(0);
    std::vector<bool> windowed(layers, true);
    for (std::size_t i = 0; i < layers; ++i) {
        const auto index = static_cast<std::int64_t>(i);
        if (pattern > 0) windowed[i] = (index + 1) % pattern != 0;
        else if (family.window_rule == WindowRule::upper_layers) windowed[i] = index >= first;
        else if (family.window_rule == WindowRule::alternate) windowed[i] = index % 2 == 0;
    }
    if (pattern == 0)
        fields.assume(family.window_rule == WindowRule::alternate
                          ? "layer_types is absent: every second layer is windowed, the first one too"
                      : family.window_rule == WindowRule::upper_layers
                          ? fmt::format("The sliding window is used from layer {} on (max_window_layers)", first)
                          : "The sliding window is used in every layer");
    return windowed;
}

}  // namespace

std::vector<AttentionShape> read_attention(Fields& fields, const Family& family, std::int64_t hidden,
                                           std::size_t layers) {
    AttentionShape a;
    a.q_heads = fields.required_count("number of query heads", q_head_keys);
    if (fields.has("kv_lora_rank")) read_latent(fields, a);
    else read_grouped(fields, family, hidden, a);

    std::vector<AttentionShape> all(layers, a);
    const auto window = read_window(fields, family);
    const bool typed = fields.has("layer_types");
    if (!typed && !window) {
        fields.count("max_window_layers");
        return all;
    }
    const std::vector<bool> windowed =
        typed ? windows_by_type(fields, layers) : windows_by_rule(fields, family, layers);
    if (!window && std::find(windowed.begin(), windowed.end(), true) != windowed.end())
        fields.warn("layer_types names windowed layers but no window is in use: they are taken as full");
    if (!window) return all;
    for (std::size_t i = 0; i < layers; ++i)
        if (windowed[i]) all[i].window = window;
    return all;
}

}  // namespace crosspoint::hf
