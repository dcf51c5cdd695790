#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

constexpr std::string_view q_head_keys[] = {"num_attention_heads", "n_heads",  "n_head",
                                            "num_heads",           "head_num", "attn_heads"};
constexpr std::string_view kv_head_keys[] = {"num_key_value_heads",   "num_kv_heads",         "n_kv_heads",
                                             "multi_query_group_num", "num_attention_groups", "attn_config.kv_n_heads",
                                             "kv_head_num",           "num_query_groups"};
constexpr std::string_view head_dim_keys[] = {"head_dim", "attention_head_dim", "kv_channels", "head_size",
                                              "attn_size"};
constexpr std::string_view value_dim_keys[] = {"v_head_dim"};
constexpr std::string_view rope_dim_keys[] = {"qk_rope_head_dim", "qk_pos_emb_head_dim"};
constexpr std::string_view nope_dim_keys[] = {"qk_nope_head_dim"};

bool one_kv_head(Fields& fields) {
    return fields.flag("multi_query").value_or(false) && !fields.flag("new_decoder_architecture").value_or(false);
}

std::int64_t read_kv_heads(Fields& fields, const Family& family, std::int64_t q_heads) {
    if (!fields.flag("group_query_attention").value_or(true)) return q_heads;  // Megatron: the group count is idle then
    const auto stated = fields.count(kv_head_keys, 1);
    if (one_kv_head(fields)) {
        if (stated.value_or(1) != 1)
            fields.warn(fmt::format("multi_query is true: one KV head, although {} are stated", *stated));
        return 1;
    }
    if (stated) return *stated;
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

/// The part of a head without rope; SimuMax calls it qk_head_dim, which elsewhere is the whole head.
std::int64_t read_nope_dim(Fields& fields, std::int64_t rope_dim) {
    const auto whole = fields.count("qk_head_dim", 1);
    if (whole && !fields.has(nope_dim_keys[0])) return *whole;
    const std::int64_t nope = fields.required_count("plain part of latent attention", nope_dim_keys);
    if (whole && *whole != nope + rope_dim)
        fields.warn(
            fmt::format("qk_head_dim is {} but its parts are {} + {}: the parts are used", *whole, nope, rope_dim));
    return nope;
}

void read_latent(Fields& fields, const Family& family, AttentionShape& a) {
    LatentAttention l;
    l.kv_rank = fields.count("kv_lora_rank", 1).value_or(0);
    l.q_rank = fields.count("q_lora_rank").value_or(0);
    l.rope_dim = fields.required_count("rope part of latent attention", rope_dim_keys);
    l.nope_dim = read_nope_dim(fields, l.rope_dim);
    l.value_dim = fields.required_count("value size of latent attention", value_dim_keys);
    a.kind = AttentionKind::latent;
    a.latent = l;
    a.head_dim = l.nope_dim + l.rope_dim;
    a.kv_heads = fields.count(kv_head_keys, 1).value_or(a.q_heads);
    if (fields.flag("attn_output_gate").value_or(family.output_gate)) a.gate_dim = l.value_dim;
    for (const std::string_view key : head_dim_keys) fields.count(key);  // stated in some files, without meaning here
    if (fields.flag("attention_bias").value_or(false))
        fields.warn("attention_bias: the biases of latent attention are not counted");
}

void read_biases(Fields& fields, const Family& family, AttentionShape& a) {
    constexpr std::string_view qkv_keys[] = {"qkv_bias", "add_qkv_bias", "attn_config.qkv_bias"};
    const bool all_biases = fields.flag("attention_bias").value_or(family.attention_bias);
    const bool qkv_bias = fields.flag(Keys(qkv_keys)).value_or(family.qkv_bias);
    a.q_bias = a.kv_bias = all_biases || qkv_bias;
    a.o_bias = all_biases && !family.qkv_bias && !family.plain_output;
}

void read_norms(Fields& fields, const Family& family, AttentionShape& a) {
    constexpr std::string_view keys[] = {"use_qk_norm", "qk_norm", "use_qk_layernorm"};
    const bool flag = fields.flag(Keys(keys)).value_or(false);
    a.qk_norm = (family.qk_norm || flag) && !family.plain_qk_norm;
    a.qk_norm_wide = a.qk_norm && (family.wide_norm || fields.text("qk_norm_type") == "per_layer");
    if (flag && !family.known && !a.qk_norm_wide) fields.warn("The query and key norms are taken as one head wide");
}

void read_gate(Fields& fields, const Family& family, AttentionShape& a) {
    if (fields.flag("use_head_wise_attn_gate").value_or(false)) a.gate_dim = 1;
    else if (fields.flag("attn_output_gate").value_or(family.output_gate)) a.gate_dim = a.value_size();
}

void read_grouped(Fields& fields, const Family& family, std::int64_t hidden, AttentionShape& a) {
    a.kv_heads = read_kv_heads(fields, family, a.q_heads);
    a.head_dim = read_head_dim(fields, family, hidden, a.q_heads);
    const std::int64_t value_dim = fields.count(value_dim_keys).value_or(0);
    a.value_dim = value_dim == a.head_dim ? 0 : value_dim;
    read_biases(fields, family, a);
    read_norms(fields, family, a);
    read_gate(fields, family, a);
    a.sinks = family.sinks;
    constexpr std::string_view rank_keys[] = {"share_q_dim", "q_lora_rank"};
    a.q_rank = fields.count(rank_keys).value_or(0);
    a.o_rank = fields.count("o_lora_rank").value_or(0);
    a.o_groups = std::max<std::int64_t>(fields.count("o_groups").value_or(1), 1);
}

std::int64_t other(Fields& fields, std::initializer_list<std::string_view> keys, std::int64_t otherwise) {
    return fields.count(Keys(keys.begin(), keys.size()), 1).value_or(otherwise);
}

/// Windowed layers with heads of their own (MiMo: swa_*; Step-3.5: attention_other_setting).
AttentionShape windowed_shape(Fields& fields, AttentionShape a) {
    a.q_heads = other(fields, {"swa_num_attention_heads", "attention_other_setting.num_attention_heads"}, a.q_heads);
    a.kv_heads = other(fields, {"swa_num_key_value_heads", "attention_other_setting.num_attention_groups"}, a.kv_heads);
    a.head_dim = other(fields, {"swa_head_dim", "attention_other_setting.head_dim"}, a.head_dim);
    const std::int64_t value_dim = other(fields, {"swa_v_head_dim"}, a.value_dim);
    a.value_dim = value_dim == a.head_dim ? 0 : value_dim;
    a.sinks = fields.flag("add_swa_attention_sink_bias").value_or(a.sinks);
    return a;
}

/// Full layers beside windowed ones with heads of their own, keys that are values (Gemma 4).
AttentionShape full_shape(Fields& fields, AttentionShape a) {
    a.head_dim = other(fields, {"global_head_dim"}, a.head_dim);
    const std::int64_t kv_heads = other(fields, {"num_global_key_value_heads"}, a.kv_heads);
    a.keys_are_values = fields.flag("attention_k_eq_v").value_or(false);
    if (a.keys_are_values) a.kv_heads = kv_heads;
    a.sinks = fields.flag("add_full_attention_sink_bias").value_or(a.sinks);
    return a;
}

AttentionShape base_shape(Fields& fields, const Family& family, std::int64_t hidden) {
    AttentionShape a;
    a.q_heads = fields.required_count("number of query heads", q_head_keys);
    if (fields.has("kv_lora_rank") && fields.flag("multi_latent_attention").value_or(true))
        read_latent(fields, family, a);
    else read_grouped(fields, family, hidden, a);
    return a;
}

/// Layers without a cache of their own: all but the first of every `cla_share_factor` (Hunyuan-Large), or the last
/// `num_kv_shared_layers` (Gemma 3n and 4).
void share_caches(Fields& fields, std::vector<AttentionShape>& all) {
    const std::int64_t factor = fields.count("cla_share_factor", 1).value_or(1);
    const bool used = fields.flag("use_cla").value_or(factor > 1) && factor > 1;
    const auto last = static_cast<std::size_t>(fields.count("num_kv_shared_layers").value_or(0));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool by_factor = used && i % static_cast<std::size_t>(factor) != 0;
        const bool caching = all[i].kind == AttentionKind::grouped || all[i].kind == AttentionKind::latent;
        all[i].shares_cache = caching && (by_factor || (last < all.size() && i >= all.size() - last));
    }
}

}  // namespace

std::optional<std::int64_t> read_window(Fields& fields, const Family& family) {
    constexpr std::string_view keys[] = {"sliding_window", "sliding_window_size"};
    const auto use = fields.flag("use_sliding_window");
    const auto sliding = fields.count(keys);
    const auto chunk = fields.count("attention_chunk_size");
    const bool used = use.value_or(!family.window_needs_flag);
    const auto window = sliding ? sliding : chunk ? chunk : family.window > 0 ? std::optional(family.window) : sliding;
    if (!sliding && !chunk && window)
        fields.assume(fmt::format("sliding_window is absent: {}, the class default", *window));
    return used && window && *window > 0 ? window : std::nullopt;
}

std::vector<AttentionShape> read_attention(Fields& fields, const Family& family, std::int64_t hidden,
                                           const std::vector<LayerRole>& roles) {
    const auto any = [&](std::initializer_list<Mixer> which) {
        return std::any_of(roles.begin(), roles.end(), [&](const LayerRole& role) {
            return std::find(which.begin(), which.end(), role.mixer) != which.end();
        });
    };
    AttentionShape full, windowed, linear, none;
    none.kind = AttentionKind::none;
    linear.kind = AttentionKind::linear;
    if (any({Mixer::full, Mixer::windowed, Mixer::chunked})) {
        const AttentionShape base = base_shape(fields, family, hidden);
        windowed = windowed_shape(fields, base);
        full = full_shape(fields, base);
        windowed.window = read_window(fields, family);
    }
    if (any({Mixer::linear})) linear.recurrent = read_recurrent(fields, family, hidden);
    AttentionShape chunked = windowed;
    chunked.chunked = true;
    std::vector<AttentionShape> all;
    for (const LayerRole& role : roles)
        all.push_back(role.mixer == Mixer::full       ? full
                      : role.mixer == Mixer::windowed ? windowed
                      : role.mixer == Mixer::chunked  ? chunked
                      : role.mixer == Mixer::linear   ? linear
                                                      : none);
    share_caches(fields, all);
    read_sparsity(fields, all);
    return all;
}

}  // namespace crosspoint::hf
