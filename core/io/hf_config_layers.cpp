// Which layer does what: one field lists it, under a dozen names.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

using Roles = std::vector<LayerRole>;

constexpr std::string_view layer_keys[] = {"num_hidden_layers", "n_layers",  "n_layer",
                                           "num_layers",        "layer_num", "num_blocks"};
constexpr std::string_view pattern_key = "hybrid_override_pattern";
constexpr std::string_view listing_keys[] = {"layers_block_type", "layer_types", "block_configs"};
constexpr std::int64_t most_layers = 16384;

std::size_t listed_layers(Fields& fields) {
    if (const auto pattern = fields.text(pattern_key)) return pattern->size();
    for (const std::string_view key : listing_keys)
        if (fields.has(key) && fields.is_list(key)) return fields.node(key)->items.size();
    return 0;
}

/// A list has to have an entry for every layer; more are said and left out.
bool long_enough(Fields& fields, std::string_view key, std::size_t entries, std::size_t layers) {
    if (entries < layers)
        fields.wrong(key, ErrorCode::schema, fmt::format("{} has {} entries for {} layers", key, entries, layers),
                     "Give one entry a layer.");
    else if (entries > layers)
        fields.warn(fmt::format("{} has {} entries for {} layers: the last ones are left out", key, entries, layers));
    return entries >= layers;
}

void unknown_type(Fields& fields, std::string_view key, std::size_t layer, std::string_view type) {
    fields.wrong(key, ErrorCode::unsupported, fmt::format("Layer {} is of type {}, which is not modelled", layer, type),
                 "Full, sliding, chunked and linear attention, state-space, feed-forward and expert layers are.");
}

/// Letters of Nemotron-H: M state space, * attention, - feed-forward, E experts; one block a layer.
std::optional<LayerRole> by_letter(char letter) {
    switch (letter) {
        case 'M': return LayerRole{Mixer::linear, Feed::none};
        case '*': return LayerRole{Mixer::full, Feed::none};
        case '-': return LayerRole{Mixer::none, Feed::dense};
        case 'E': return LayerRole{Mixer::none, Feed::experts};
        default: return std::nullopt;
    }
}

void by_pattern(Fields& fields, Roles& roles) {
    const std::string pattern = fields.text(pattern_key).value_or("");
    if (!long_enough(fields, pattern_key, pattern.size(), roles.size())) return;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const auto role = by_letter(pattern[i]);
        if (role) roles[i] = *role;
        else unknown_type(fields, pattern_key, i, pattern.substr(i, 1));
    }
}

struct NamedRole {
    std::string_view name;
    LayerRole role;
};
constexpr NamedRole named_roles[] = {
    {"full_attention", {Mixer::full, Feed::placed}},
    {"attention", {Mixer::full, Feed::placed}},
    {"deepseek_sparse_attention", {Mixer::full, Feed::placed}},
    {"compressed_sparse_attention", {Mixer::windowed, Feed::placed}},
    {"heavily_compressed_attention", {Mixer::windowed, Feed::placed}},
    {"sliding_attention", {Mixer::windowed, Feed::placed}},
    {"chunked_attention", {Mixer::chunked, Feed::placed}},
    {"linear_attention", {Mixer::linear, Feed::placed}},
    {"mamba", {Mixer::linear, Feed::placed}},
    {"mamba2", {Mixer::linear, Feed::placed}},
    {"mlp", {Mixer::none, Feed::dense}},
    {"moe", {Mixer::none, Feed::experts}},
};

void by_names(Fields& fields, const Family& family, std::string_view key, Roles& roles) {
    const auto types = fields.texts(key).value_or(std::vector<std::string>{});
    if (!long_enough(fields, key, types.size(), roles.size())) return;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const auto* it = std::find_if(std::begin(named_roles), std::end(named_roles),
                                      [&](const NamedRole& n) { return n.name == types[i]; });
        if (it == std::end(named_roles)) {
            unknown_type(fields, key, i, types[i]);
            return;
        }
        roles[i] = it->role;
        if (family.one_block && roles[i].mixer != Mixer::none) roles[i].feed = Feed::none;
    }
}

void by_numbers(Fields& fields, std::string_view key, std::int64_t full, Mixer other, Roles& roles) {
    const auto numbers = fields.counts(key).value_or(std::vector<std::int64_t>{});
    if (!long_enough(fields, key, numbers.size(), roles.size())) return;
    for (std::size_t i = 0; i < roles.size(); ++i) roles[i].mixer = numbers[i] == full ? Mixer::full : other;
}

/// Indices of the full layers, counted from `first`; all others are linear.
void by_indices(Fields& fields, std::string_view key, std::int64_t first, Roles& roles) {
    for (LayerRole& role : roles) role.mixer = Mixer::linear;
    for (const std::int64_t index : fields.counts(key).value_or(std::vector<std::int64_t>{})) {
        const std::int64_t i = index - first;
        if (i >= 0 && static_cast<std::size_t>(i) < roles.size())
            roles[static_cast<std::size_t>(i)].mixer = Mixer::full;
        else fields.warn(fmt::format("{} names layer {} of {}: left out", key, index, roles.size()));
    }
}

void by_period(Fields& fields, std::string_view key, std::int64_t offset, Roles& roles) {
    const std::int64_t period = fields.count(key, 1).value_or(1);
    for (std::size_t i = 0; i < roles.size(); ++i)
        roles[i].mixer = static_cast<std::int64_t>(i) % period == offset % period ? Mixer::full : Mixer::linear;
}

/// Qwen3-Next: the last layer of every interval is full.
void by_interval(Fields& fields, Roles& roles) {
    const auto stated = fields.count("full_attention_interval", 1);
    if (!stated) fields.assume("full_attention_interval is absent: every 4th layer is full, the class default");
    for (std::size_t i = 0; i < roles.size(); ++i)
        roles[i].mixer = static_cast<std::int64_t>(i + 1) % stated.value_or(4) == 0 ? Mixer::full : Mixer::linear;
}

/// Llama 4: layers without rope see everything, the others their own chunk.
void by_rope(Fields& fields, Roles& roles) {
    if (fields.is_list("no_rope_layers") && !fields.node("no_rope_layers")->items.empty())
        return by_numbers(fields, "no_rope_layers", 0, Mixer::chunked, roles);
    const std::int64_t interval = fields.count("no_rope_layer_interval", 1).value_or(4);
    fields.assume(fmt::format("no_rope_layers is absent: every layer of number {} x n is full", interval));
    for (std::size_t i = 0; i < roles.size(); ++i)
        roles[i].mixer = static_cast<std::int64_t>(i + 1) % interval == 0 ? Mixer::full : Mixer::chunked;
}

/// Every n-th layer is full where a pattern is stated, else as the class does.
void by_window_rule(Fields& fields, const Family& family, Roles& roles) {
    const std::int64_t stated = fields.count("sliding_window_pattern", 1).value_or(0);
    const std::int64_t pattern = stated > 0 ? stated : family.window_pattern;
    const std::int64_t first = fields.count("max_window_layers").value_or(0);
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        bool windowed = true;
        if (pattern > 0) windowed = (index + 1) % pattern != 0;
        else if (family.window_rule == WindowRule::upper_layers) windowed = index >= first;
        else if (family.window_rule == WindowRule::alternate) windowed = index % 2 == 0;
        roles[i].mixer = windowed ? Mixer::windowed : Mixer::full;
    }
    if (stated > 0) return;
    fields.assume(pattern > 0 ? fmt::format("sliding_window_pattern is absent: every {}th layer is full", pattern)
                  : family.window_rule == WindowRule::alternate
                      ? "layer_types is absent: every second layer is windowed, the first one too"
                  : family.window_rule == WindowRule::upper_layers
                      ? fmt::format("The sliding window is used from layer {} on (max_window_layers)", first)
                      : "The sliding window is used in every layer");
}

/// The field that decides, most explicit first; false when none is there.
bool by_listing(Fields& fields, const Family& family, Roles& roles) {
    if (fields.has(pattern_key)) by_pattern(fields, roles);
    else if (fields.has("layers_block_type")) by_names(fields, family, "layers_block_type", roles);
    else if (fields.has("layer_types")) by_names(fields, family, "layer_types", roles);
    else if (fields.is_list("hybrid_layer_pattern"))
        by_numbers(fields, "hybrid_layer_pattern", 0, Mixer::windowed, roles);
    else if (fields.is_list("attn_type_list")) by_numbers(fields, "attn_type_list", 1, Mixer::linear, roles);
    else if (fields.has("linear_attn_config.full_attn_layers"))
        by_indices(fields, "linear_attn_config.full_attn_layers", 1, roles);
    else if (fields.has("attn_layer_indices")) by_indices(fields, "attn_layer_indices", 0, roles);
    else if (fields.has("linear_num_value_heads")) by_interval(fields, roles);
    else if (fields.has("attn_layer_period"))
        by_period(fields, "attn_layer_period", fields.count("attn_layer_offset").value_or(0), roles);
    else return false;
    return true;
}

/// That a stated interval is the one of the list.
void compare_interval(Fields& fields, const Roles& roles) {
    const std::int64_t interval = fields.count("full_attention_interval", 1).value_or(0);
    if (interval == 0 || !fields.has("layer_types")) return;
    for (std::size_t i = 0; i < roles.size(); ++i)
        if ((roles[i].mixer == Mixer::full) != (static_cast<std::int64_t>(i + 1) % interval == 0))
            return fields.warn(
                fmt::format("full_attention_interval is {} but layer_types differs at layer {}: the list is followed",
                            interval, i));
}

/// Layers that a list calls windowed are full where no window is in use.
void without_window(Fields& fields, Roles& roles) {
    bool any = false;
    for (LayerRole& role : roles) {
        if (role.mixer != Mixer::windowed && role.mixer != Mixer::chunked) continue;
        role.mixer = Mixer::full;
        any = true;
    }
    if (any) fields.warn("layer_types names windowed layers but no window is in use: they are taken as full");
}

}  // namespace

std::size_t read_layer_count(Fields& fields) {
    const auto stated = fields.count(layer_keys, 1, most_layers);
    const std::size_t listed = listed_layers(fields);
    if (stated) return static_cast<std::size_t>(*stated);
    if (listed > 0 && listed <= static_cast<std::size_t>(most_layers)) {
        fields.assume(fmt::format("num_hidden_layers is absent: {}, as many as the list of layers has", listed));
        return listed;
    }
    return static_cast<std::size_t>(fields.required_count("number of layers", layer_keys));
}

std::vector<LayerRole> read_roles(Fields& fields, const Family& family, std::size_t layers) {
    Roles roles(layers);
    const auto window = read_window(fields, family);
    const bool listed = by_listing(fields, family, roles);
    if (listed) compare_interval(fields, roles);
    else if (fields.has("no_rope_layers") || family.chunked) by_rope(fields, roles);
    else if (window && !fields.has("compress_ratios")) by_window_rule(fields, family, roles);
    fields.count("max_window_layers");
    fields.count("sliding_window_pattern");
    if (!window) without_window(fields, roles);
    return roles;
}

}  // namespace crosspoint::hf
