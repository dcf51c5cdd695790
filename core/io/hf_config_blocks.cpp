// Models found by architecture search: every block has its own heads and width (block_configs).
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"
#include "core/units/text.hpp"

namespace crosspoint::hf {
namespace {

using json::Node;

double number_of(const Node& at, std::string_view key) {
    const Node* value = at.find(key);
    if (value == nullptr || value->kind != Node::Kind::number) return 0;
    const double number = parse_number(value->text).value_or(0.0);
    return std::isfinite(number) && number >= 0 && number <= 1e9 ? number : 0;
}

bool truth_of(const Node& at, std::string_view key) {
    const Node* value = at.find(key);
    return value != nullptr && value->kind == Node::Kind::boolean && value->boolean;
}

void wrong_block(Fields& fields, std::size_t block, std::string_view text) {
    fields.wrong(
        "block_configs", ErrorCode::unsupported, fmt::format("Block {} of block_configs {}", block, text),
        "Attention with n_heads_in_group or no_op, and ffn with ffn_mult, intermediate_size or no_op are read.");
}

AttentionShape block_attention(Fields& fields, const Node& at, std::size_t block, std::int64_t q_heads,
                               std::int64_t head_dim) {
    AttentionShape a;
    if (truth_of(at, "replace_with_linear")) wrong_block(fields, block, "replaces attention by a linear layer");
    if (truth_of(at, "no_op")) {
        a.kind = AttentionKind::none;
        return a;
    }
    const auto in_group = static_cast<std::int64_t>(number_of(at, "n_heads_in_group"));
    const auto kv_heads = static_cast<std::int64_t>(number_of(at, "num_key_value_heads"));
    if (in_group <= 0 && kv_heads <= 0) wrong_block(fields, block, "states no heads");
    a.q_heads = q_heads;
    a.head_dim = head_dim;
    a.kv_heads = kv_heads > 0 ? kv_heads : in_group > 0 && q_heads % in_group == 0 ? q_heads / in_group : 1;
    if (in_group > 0 && q_heads % in_group != 0)
        wrong_block(fields, block, fmt::format("groups {} query heads of {}", in_group, q_heads));
    if (const double window = number_of(at, "window_length"); window >= 1) a.window = static_cast<std::int64_t>(window);
    return a;
}

/// Two thirds of ffn_mult x 2 x hidden, rounded up to a multiple of 256. Source: the modelling file published with
/// Llama-3.3-Nemotron-Super-49B.
std::int64_t width_of(double multiple, std::int64_t hidden) {
    const auto width = static_cast<std::int64_t>(2 * multiple * static_cast<double>(hidden) / 3);
    return (width + 255) / 256 * 256;
}

FeedForwardShape block_feed_forward(Fields& fields, const Node& at, std::size_t block, std::int64_t hidden) {
    FeedForwardShape f;
    if (truth_of(at, "no_op")) return f;
    f.linear = truth_of(at, "replace_with_linear");
    if (f.linear) return f;
    const double multiple = number_of(at, "ffn_mult"), width = number_of(at, "intermediate_size");
    if (multiple <= 0 && width <= 0) wrong_block(fields, block, "states no feed-forward width");
    f.width = width > 0 ? static_cast<std::int64_t>(width) : width_of(std::min(multiple, 1000.0), hidden);
    return f;
}

}  // namespace

bool read_blocks(Fields& fields, std::int64_t hidden, std::vector<AttentionShape>& attention,
                 std::vector<FeedForwardShape>& feed_forward) {
    if (!fields.has("block_configs") || !fields.is_list("block_configs")) return false;
    const Node& blocks = *fields.node("block_configs");
    constexpr std::string_view heads[] = {"num_attention_heads"};
    const std::int64_t q_heads = fields.required_count("number of query heads", heads);
    const std::int64_t head_dim = fields.count("head_dim", 1).value_or(std::max<std::int64_t>(hidden / q_heads, 1));
    fields.count("num_key_value_heads");
    fields.count("intermediate_size");
    static const Node nothing;
    for (std::size_t i = 0; i < blocks.items.size() && !fields.error(); ++i) {
        const Node* a = blocks.items[i].find("attention");
        const Node* f = blocks.items[i].find("ffn");
        attention.push_back(block_attention(fields, a ? *a : nothing, i, q_heads, head_dim));
        feed_forward.push_back(block_feed_forward(fields, f ? *f : nothing, i, hidden));
    }
    return true;
}

}  // namespace crosspoint::hf
