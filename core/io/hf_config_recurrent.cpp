// Linear-attention and state-space layers from their fields.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

std::int64_t must(Fields& fields, std::string_view what, std::initializer_list<std::string_view> keys) {
    return fields.required_count(what, Keys(keys.begin(), keys.size()));
}
std::int64_t may(Fields& fields, std::initializer_list<std::string_view> keys, std::int64_t otherwise) {
    return fields.count(Keys(keys.begin(), keys.size())).value_or(otherwise);
}
bool may_flag(Fields& fields, std::initializer_list<std::string_view> keys, bool otherwise) {
    return fields.flag(Keys(keys.begin(), keys.size())).value_or(otherwise);
}

/// Where the state is kept in; fp32 unless the file says otherwise.
Dtype read_state(Fields& fields) {
    for (const std::string_view key : {"mamba_ssm_dtype", "mamba_ssm_cache_dtype"}) {
        const auto stated = fields.text(key);
        if (!stated) continue;
        if (*stated == "bfloat16") return Dtype::bf16;
        if (*stated == "float16") return Dtype::fp16;
        return Dtype::fp32;
    }
    fields.assume("The number format of the recurrent state is absent: fp32");
    return Dtype::fp32;
}

RecurrentShape delta(Fields& fields) {
    RecurrentShape r;
    r.form = RecurrentForm::delta;
    r.key_heads = must(fields, "number of linear key heads", {"linear_num_key_heads"});
    r.value_heads = must(fields, "number of linear value heads", {"linear_num_value_heads"});
    r.key_dim = must(fields, "size of a linear key head", {"linear_key_head_dim"});
    r.value_dim = must(fields, "size of a linear value head", {"linear_value_head_dim"});
    r.convolution = may(fields, {"linear_conv_kernel_dim"}, 4);
    return r;
}

RecurrentShape channel_delta(Fields& fields) {
    RecurrentShape r;
    r.form = RecurrentForm::channel_delta;
    r.key_heads = r.value_heads = must(fields, "number of linear heads", {"linear_attn_config.num_heads"});
    r.key_dim = r.value_dim = r.rank = must(fields, "size of a linear head", {"linear_attn_config.head_dim"});
    r.convolution = may(fields, {"linear_attn_config.short_conv_kernel_size"}, 4);
    return r;
}

RecurrentShape lightning(Fields& fields) {
    RecurrentShape r;
    r.form = RecurrentForm::lightning;
    r.key_heads = r.value_heads = must(fields, "number of heads", {"num_attention_heads"});
    r.key_dim = r.value_dim = must(fields, "size of a head", {"head_dim"});
    r.chunk = std::max<std::int64_t>(may(fields, {"block_size"}, 256), 1);
    return r;
}

RecurrentShape mamba2(Fields& fields, std::int64_t hidden) {
    RecurrentShape r;
    r.form = RecurrentForm::mamba2;
    r.key_heads = std::max<std::int64_t>(may(fields, {"mamba_n_groups", "n_groups"}, 1), 1);
    r.value_heads = must(fields, "number of state-space heads", {"mamba_num_heads", "mamba_n_heads"});
    r.key_dim = must(fields, "state size", {"ssm_state_size", "mamba_d_state"});
    const std::int64_t expand = may(fields, {"mamba_expand", "expand"}, 2);
    const std::int64_t stated = may(fields, {"mamba_head_dim", "mamba_d_head"}, 0);
    r.value_dim =
        stated > 0 ? stated : std::max<std::int64_t>(hidden * expand / std::max<std::int64_t>(r.value_heads, 1), 1);
    if (stated > 0 && (fields.has("mamba_expand") || fields.has("expand")) && stated * r.value_heads != expand * hidden)
        fields.warn(fmt::format("{} state-space heads of {} are not expand {} x hidden {}: the heads are followed",
                                r.value_heads, stated, expand, hidden));
    r.convolution = may(fields, {"conv_kernel", "mamba_d_conv"}, 4);
    r.convolution_bias = may_flag(fields, {"use_conv_bias", "mamba_conv_bias"}, true);
    r.chunk = std::max<std::int64_t>(may(fields, {"mamba_chunk_size", "chunk_size"}, 256), 1);
    if (may_flag(fields, {"mamba_proj_bias"}, false)) fields.warn("mamba_proj_bias: these biases are not counted");
    return r;
}

RecurrentShape mamba1(Fields& fields, std::int64_t hidden) {
    RecurrentShape r;
    r.form = RecurrentForm::mamba1;
    r.key_heads = r.value_dim = 1;
    r.value_heads = hidden * std::clamp<std::int64_t>(may(fields, {"mamba_expand"}, 2), 1, 64);
    r.key_dim = std::max<std::int64_t>(may(fields, {"mamba_d_state"}, 16), 1);
    r.convolution = may(fields, {"mamba_d_conv"}, 4);
    r.convolution_bias = may_flag(fields, {"mamba_conv_bias"}, true);
    const bool automatic = fields.text("mamba_dt_rank") == "auto" || !fields.has("mamba_dt_rank");
    r.rank = automatic ? (hidden + 15) / 16 : may(fields, {"mamba_dt_rank"}, 1);
    r.inner_norms = may_flag(fields, {"mamba_inner_layernorms"}, true);
    may_flag(fields, {"mamba_proj_bias"}, false);
    return r;
}

}  // namespace

RecurrentShape read_recurrent(Fields& fields, const Family& family, std::int64_t hidden) {
    RecurrentShape r;
    if (fields.has("linear_num_value_heads")) r = delta(fields);
    else if (fields.has("linear_attn_config")) r = channel_delta(fields);
    else if (fields.has("mamba_num_heads") || fields.has("mamba_n_heads")) r = mamba2(fields, hidden);
    else if (fields.has("mamba_d_state") || fields.has("mamba_dt_rank")) r = mamba1(fields, hidden);
    else if (fields.is_list("attn_type_list") || family.lightning) r = lightning(fields);
    else
        fields.wrong("layer_types", ErrorCode::unsupported,
                     "Some layers are linear, but no field that sizes them is known here",
                     "Known are linear_num_value_heads, linear_attn_config, mamba_num_heads, mamba_d_state and "
                     "attn_type_list.");
    r.state = read_state(fields);
    return r;
}

}  // namespace crosspoint::hf
