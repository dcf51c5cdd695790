#include "core/model/layer_label.hpp"

#include <string_view>

#include <fmt/format.h>

namespace crosspoint {
namespace {

std::string_view recurrent_label(const AttentionShape& a) {
    if (!a.recurrent) return "linear";
    switch (a.recurrent->form) {
        case RecurrentForm::delta: return "gated delta";
        case RecurrentForm::channel_delta: return "channel delta";
        case RecurrentForm::lightning: return "lightning";
        case RecurrentForm::mamba1: return "Mamba";
        case RecurrentForm::mamba2: return "Mamba-2";
    }
    return "linear";
}

std::string attention_label(const AttentionShape& a) {
    const char* window = a.window ? (a.chunked ? " chunk" : " window") : "";
    if (a.compression) return fmt::format("compressed 1/{}", a.compression->ratio);
    switch (a.kind) {
        case AttentionKind::latent: return a.indexer ? "sparse MLA" : "MLA";
        case AttentionKind::linear: return std::string(recurrent_label(a));
        case AttentionKind::none: return "no attention";
        case AttentionKind::grouped: break;
    }
    if (a.kv_heads == a.q_heads) return std::string("MHA") + window;
    return std::string(a.kv_heads == 1 ? "MQA" : "GQA") + window;
}

}  // namespace

std::string layer_label(const LayerShape& layer) {
    const auto& experts = layer.feed_forward.experts;
    const bool mixes = layer.attention.kind != AttentionKind::none;
    if (!mixes && experts) return fmt::format("{} experts", experts->experts);
    if (!mixes && layer.feed_forward.width > 0) return "dense";
    if (!experts && layer.feed_forward.width <= 0 && !layer.feed_forward.linear)
        return attention_label(layer.attention);
    if (!experts) return attention_label(layer.attention) + " + dense";
    return fmt::format("{} + {} experts", attention_label(layer.attention), experts->experts);
}

}  // namespace crosspoint
