// Model shapes written out by hand for tests. Sizes: the models' published config.json files.
#pragma once

#include "core/model/model.hpp"

namespace shapes {

using namespace crosspoint;

inline LayerShape grouped_layer(std::int64_t q_heads, std::int64_t kv_heads, std::int64_t head_dim,
                                std::int64_t width) {
    LayerShape layer;
    layer.attention.q_heads = q_heads;
    layer.attention.kv_heads = kv_heads;
    layer.attention.head_dim = head_dim;
    layer.feed_forward.width = width;
    return layer;
}

inline ModelShape uniform(std::string name, std::int64_t hidden, std::int64_t vocabulary, int layers,
                          LayerShape layer) {
    ModelShape model;
    model.name = std::move(name);
    model.hidden = hidden;
    model.vocabulary = vocabulary;
    model.kinds = {std::move(layer)};
    model.layers.assign(static_cast<std::size_t>(layers), 0);
    return model;
}

inline ModelShape llama_8b() { return uniform("Llama-3.1-8B", 4096, 128256, 32, grouped_layer(32, 8, 128, 14336)); }
inline ModelShape llama_70b() { return uniform("Llama-3.1-70B", 8192, 128256, 80, grouped_layer(64, 8, 128, 28672)); }

inline LayerShape deepseek_layer(bool experts) {
    LayerShape layer;
    layer.attention.kind = AttentionKind::latent;
    layer.attention.q_heads = layer.attention.kv_heads = 128;
    layer.attention.latent = LatentAttention{1536, 512, 64, 128, 128};
    if (!experts) {
        layer.feed_forward.width = 18432;
        return layer;
    }
    ExpertShape e;
    e.experts = 256;
    e.top_k = 8;
    e.width = e.shared_width = 2048;
    e.router_bias = true;
    e.groups = 8;
    e.group_limit = 4;
    layer.feed_forward.experts = e;
    return layer;
}

inline ModelShape deepseek_v3() {
    ModelShape model = uniform("DeepSeek-V3", 7168, 129280, 61, deepseek_layer(false));
    model.kinds.push_back(deepseek_layer(true));
    for (std::size_t i = 3; i < model.layers.size(); ++i) model.layers[i] = 1;
    return model;
}

inline ModelShape mixtral_8x7b() {
    LayerShape layer = grouped_layer(32, 8, 128, 0);
    layer.feed_forward.experts = ExpertShape{};
    layer.feed_forward.experts->experts = 8;
    layer.feed_forward.experts->top_k = 2;
    layer.feed_forward.experts->width = 14336;
    return uniform("Mixtral-8x7B", 4096, 32000, 32, layer);
}

inline ModelShape gpt_oss(int layers, std::int64_t experts) {
    LayerShape layer = grouped_layer(64, 8, 64, 0);
    layer.attention.q_bias = layer.attention.kv_bias = layer.attention.o_bias = layer.attention.sinks = true;
    layer.feed_forward.experts = ExpertShape{};
    layer.feed_forward.experts->experts = experts;
    layer.feed_forward.experts->top_k = 4;
    layer.feed_forward.experts->width = 2880;
    layer.feed_forward.experts->router_bias = layer.feed_forward.experts->expert_bias = true;
    ModelShape model = uniform("gpt-oss", 2880, 201088, layers, layer);
    model.kinds.push_back(layer);
    model.kinds[0].attention.window = 128;
    for (std::size_t i = 1; i < model.layers.size(); i += 2) model.layers[i] = 1;
    return model;
}

}  // namespace shapes
