#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"
#include "core/units/text.hpp"

namespace crosspoint::hf {
namespace {

constexpr std::string_view width_keys[] = {"intermediate_size", "ffn_hidden_size", "n_inner",
                                           "ffn_dim",           "inter_dim",       "ffn_config.ffn_hidden_size",
                                           "feedforward",       "ffn_embed_dim"};
constexpr std::string_view dense_width_keys[] = {"intermediate_size_mlp"};
constexpr std::string_view expert_width_keys[] = {"moe_intermediate_size", "expert_ffn_hidden_size", "moe_inter_dim",
                                                  "moe_ffn_hidden_size", "expert_intermediate_size"};
constexpr std::string_view expert_keys[] = {"n_routed_experts",           "num_experts",
                                            "num_local_experts",          "moe_num_experts",
                                            "ffn_config.moe_num_experts", "expert_num"};
constexpr std::string_view top_k_keys[] = {
    "num_experts_per_tok", "num_experts_per_token", "experts_per_token",    "moe_topk", "moe_k",          "moe_top_k",
    "top_k_experts",       "n_activated_experts",   "ffn_config.moe_top_k", "topk",     "moe_router_topk"};
constexpr std::string_view shared_count_keys[] = {"n_shared_experts", "num_shared_experts", "num_shared_expert",
                                                  "moe_num_shared_experts"};
constexpr std::string_view shared_width_keys[] = {"shared_expert_intermediate_size", "share_expert_dim",
                                                  "moe_shared_expert_intermediate_size", "shared_intermediate_size"};
constexpr std::string_view first_dense_keys[] = {"first_k_dense_replace", "n_dense_layers", "dense_layers"};
constexpr std::string_view group_keys[] = {"n_group", "n_expert_groups"};
constexpr std::string_view group_limit_keys[] = {"topk_group", "n_limited_groups"};
constexpr std::string_view bias_keys[] = {"use_routing_bias", "use_moe_router_bias", "moe_use_aux_free",
                                          "moe_router_enable_expert_bias"};

/// Where expert layers lie, as the placement fields of all classes together say.
class ExpertPlacement {
public:
    ExpertPlacement(Fields& fields, std::size_t layers) {
        first_ = fields.count(first_dense_keys).value_or(0);
        if (fields.is_list("moe_layer_freq"))
            list_ = fields.counts("moe_layer_freq").value_or(std::vector<std::int64_t>{});
        else frequency_ = fields.count("moe_layer_freq", 1).value_or(1);
        if (!list_.empty() && list_.size() < layers)
            fields.wrong("moe_layer_freq", ErrorCode::schema,
                         fmt::format("moe_layer_freq has {} entries for {} layers", list_.size(), layers),
                         "Give one entry a layer.");
        sparse_step_ = fields.count("decoder_sparse_step", 1).value_or(1);
        interleave_ = fields.count("interleave_moe_layer_step", 1).value_or(1);
        period_ = fields.count("expert_layer_period", 1).value_or(1);
        offset_ = fields.count("expert_layer_offset").value_or(0);
        start_ = fields.count("moe_layer_start_index").value_or(0);
        end_ = fields.count("moe_layer_end_index").value_or(static_cast<std::int64_t>(layers));
        interval_ = fields.count("moe_layer_interval", 1).value_or(1);
        if (fields.has("mlp_layer_types")) read_types(fields, layers);
        if (fields.has("moe_layers_enum")) read_enumeration(fields, layers);
        if (fields.has("mlp_only_layers"))
            dense_ = fields.counts("mlp_only_layers").value_or(std::vector<std::int64_t>{});
    }

    [[nodiscard]] bool at(std::size_t layer) const {
        const auto i = static_cast<std::int64_t>(layer);
        if (!list_.empty()) return layer < list_.size() && list_[layer] != 0;
        const bool by_step = i % frequency_ == 0 && (i + 1) % sparse_step_ == 0 && (i + 1) % interleave_ == 0 &&
                             i % period_ == offset_ % period_ && (i + 1) % interval_ == 0;
        return by_step && i >= first_ && i >= start_ && i <= end_ &&
               std::find(dense_.begin(), dense_.end(), i) == dense_.end();
    }

private:
    void read_types(Fields& fields, std::size_t layers) {
        const auto types = fields.texts("mlp_layer_types").value_or(std::vector<std::string>{});
        if (types.size() < layers)
            fields.wrong("mlp_layer_types", ErrorCode::schema,
                         fmt::format("mlp_layer_types has {} entries for {} layers", types.size(), layers),
                         "Give one entry a layer.");
        for (const std::string& type : types) list_.push_back(type == "sparse" ? 1 : 0);
    }

    /// "3,4,5": the layers that have experts.
    void read_enumeration(Fields& fields, std::size_t layers) {
        const std::string text = fields.text("moe_layers_enum").value_or("");
        list_.assign(layers, 0);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            const double layer = parse_number(text.substr(at, end - at)).value_or(-1.0);
            if (layer >= 0 && layer < static_cast<double>(layers)) list_[static_cast<std::size_t>(layer)] = 1;
            else
                fields.warn(
                    fmt::format("moe_layers_enum names {} of {} layers: left out", text.substr(at, end - at), layers));
            at = end + 1;
        }
    }

    std::int64_t first_ = 0, frequency_ = 1, sparse_step_ = 1, interleave_ = 1, period_ = 1, offset_ = 0, start_ = 0,
                 end_ = 0, interval_ = 1;
    std::vector<std::int64_t> list_, dense_;
};

/// The width that shared experts have together.
std::int64_t read_shared_width(Fields& fields, const Family& family, std::int64_t expert_width) {
    const std::int64_t count = fields.count(shared_count_keys, 0, 1024).value_or(0);
    const auto width = fields.count(shared_width_keys);
    if (!width) return count > 0 ? count * expert_width : family.shared_expert ? expert_width : 0;
    if (count > 1 && *width == expert_width) return count * expert_width;
    return *width;
}

void read_groups(Fields& fields, ExpertShape& e) {
    const auto method = fields.text("topk_method");
    const std::int64_t groups = fields.count(group_keys, 0).value_or(1);
    const std::int64_t limit = fields.count(group_limit_keys, 0).value_or(groups);
    e.router_bias = e.router_bias || method == "noaux_tc";
    if (method == "greedy" || groups <= 1) return;
    e.groups = groups;
    e.group_limit = limit > 0 ? limit : groups;
}

/// Experts that pass a token on unchanged (LongCat): of top_k choices only a share is computed.
void identity_experts(Fields& fields, ExpertShape& e) {
    const std::int64_t identities = fields.count("zero_expert_num").value_or(0);
    if (identities <= 0 || e.experts <= 0) return;
    const std::int64_t chosen = e.top_k;
    e.top_k = std::max<std::int64_t>((chosen * e.experts + (e.experts + identities) / 2) / (e.experts + identities), 1);
    fields.assume(fmt::format("{} of {} experts and {} identities are chosen: {} computed experts a token on average",
                              chosen, e.experts, identities, e.top_k));
}

ExpertShape read_experts(Fields& fields, const Family& family, std::int64_t experts) {
    ExpertShape e;
    e.experts = experts;
    e.top_k = fields.required_count("number of experts a token uses", top_k_keys);
    const auto own_width = fields.count(expert_width_keys, 1);
    if (!own_width && fields.has(width_keys[0]) && !fields.error())
        fields.assume("Experts are as wide as intermediate_size");
    e.width = own_width ? *own_width : fields.required_count("width of an expert", width_keys);
    e.shared_width = read_shared_width(fields, family, e.width);
    e.shared_gate = family.shared_gate && e.shared_width > 0;
    e.expert_bias = family.expert_biases;
    e.router_bias = family.expert_biases || family.router_bias || fields.flag(Keys(bias_keys)).value_or(false);
    e.latent = fields.count("moe_latent_size").value_or(0);
    read_groups(fields, e);
    identity_experts(fields, e);
    return e;
}

FeedForwardShape read_dense(Fields& fields, const Family& family, std::int64_t hidden) {
    FeedForwardShape f;
    f.gated = family.gated;
    f.bias = fields.flag("mlp_bias").value_or(family.mlp_bias);
    const auto only_dense = fields.count(dense_width_keys, 1);
    const bool both = fields.has(dense_width_keys[0]) && fields.has(width_keys[0]);
    const auto stated = only_dense ? only_dense : fields.count(width_keys, 1);
    if (both) fields.count("intermediate_size");
    const auto width = stated ? stated : fields.count(shared_width_keys, 1);
    if (!width && family.four_times) {
        fields.assume("The feed-forward width is absent: 4 x hidden");
        f.width = 4 * hidden;
        return f;
    }
    f.width = width ? *width : fields.required_count("width of the feed-forward layers", width_keys);
    return f;
}

}  // namespace

std::vector<FeedForwardShape> read_feed_forward(Fields& fields, const Family& family, std::int64_t hidden,
                                                const std::vector<LayerRole>& roles) {
    const std::int64_t experts = fields.count(expert_keys, 0, 1 << 20).value_or(0);
    FeedForwardShape sparse;
    sparse.gated = family.gated;
    std::optional<FeedForwardShape> dense;
    const auto dense_shape = [&] {
        if (!dense) dense = read_dense(fields, family, hidden);
        return *dense;
    };
    if (experts > 0) sparse.experts = read_experts(fields, family, experts);
    else fields.count(top_k_keys);
    if (experts > 0 && (fields.flag("enable_moe_block").value_or(false) || family.double_layers)) {
        sparse.width = dense_shape().width;  // beside the experts
    }
    const ExpertPlacement placement(fields, roles.size());
    std::vector<FeedForwardShape> all;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const Feed feed = roles[i].feed;
        const bool expert_layer = experts > 0 && (feed == Feed::experts || (feed == Feed::placed && placement.at(i)));
        all.push_back(feed == Feed::none ? FeedForwardShape{} : expert_layer ? sparse : dense_shape());
    }
    return all;
}

}  // namespace crosspoint::hf
