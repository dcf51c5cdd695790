#include "accuracy/models.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/io/builtin.hpp"

namespace crosspoint::accuracy {
namespace {

using Shape = std::shared_ptr<const ModelShape>;

/// Words that all occur in the plain name, and the shape that ships with the program.
struct Known {
    const char *word, *size;
    const char* model;  ///< plain name of the built-in shape
};
constexpr Known known[] = {
    {"deepseekr1", "", "deepseekr1"},
    {"deepseekv3", "", "deepseekv3"},
    {"deepseekv2lite", "", "deepseekv2lite"},
    {"deepseekv2", "", "deepseekv2"},
    {"gptoss", "120b", "gptoss120b"},
    {"gptoss", "20b", "gptoss20b"},
    {"kimik2", "", "kimik2"},
    {"llama2", "70b", "llama270b"},
    {"llama2", "7b", "llama27b"},
    {"llama", "405b", "llama31405b"},
    {"llama", "70b", "llama3170b"},
    {"llama", "8b", "llama318b"},
    {"mixtral", "8x22b", "mixtral8x22b"},
    {"mixtral", "8x7b", "mixtral8x7b"},
    {"qwen25", "72b", "qwen2572b"},
    {"qwen3", "235b", "qwen3235ba22b"},
    {"qwen3", "30b", "qwen330ba3b"},
    {"qwen3", "32b", "qwen332b"},
    {"qwen3", "8b", "qwen38b"},
};

/// Dense decoders whose publications state their sizes. Sources: GPT-3 (arXiv 2005.14165), Megatron-Turing NLG
/// (2201.11990), Korthikanti et al. (2205.05198, table 3), MPT model cards, Nemotron-4 340B (2406.11704), Llama
/// (2302.13971), Llama 2 (2307.09288), PaLM (2204.02311), OPT (2205.01068), BLOOM (2211.05100).
struct Stated {
    const char *word, *size;
    std::int64_t layers, hidden, heads, kv_heads, width, vocabulary;
    bool gated, tied;
};
constexpr Stated stated[] = {
    {"gpt", "175b", 96, 12288, 96, 96, 49152, 51200, false, true},
    {"gpt", "22b", 48, 6144, 64, 64, 24576, 51200, false, true},
    {"gpt", "530b", 105, 20480, 128, 128, 81920, 51200, false, true},
    {"mtnlg", "530b", 105, 20480, 128, 128, 81920, 51200, false, true},
    {"gpt", "1t", 128, 25600, 160, 160, 102400, 51200, false, true},
    {"mpt", "70b", 80, 8192, 64, 64, 32768, 50368, false, true},
    {"mpt", "30b", 48, 7168, 64, 64, 28672, 50368, false, true},
    {"mpt", "13b", 40, 5120, 40, 40, 20480, 50368, false, true},
    {"mpt", "7b", 32, 4096, 32, 32, 16384, 50368, false, true},
    {"nemotron4", "340b", 96, 18432, 96, 8, 73728, 256000, false, false},
    {"llama2", "13b", 40, 5120, 40, 40, 13824, 32000, true, false},
    {"llama", "65b", 80, 8192, 64, 64, 22016, 32000, true, false},
    {"llama", "33b", 60, 6656, 52, 52, 17920, 32000, true, false},
    {"llama", "13b", 40, 5120, 40, 40, 13824, 32000, true, false},
    {"llama", "7b", 32, 4096, 32, 32, 11008, 32000, true, false},
    {"opt", "175b", 96, 12288, 96, 96, 49152, 50272, false, true},
    {"bloom", "176b", 70, 14336, 112, 112, 57344, 250880, false, true},
};

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

ModelShape dense(const std::string& name, const Stated& s) {
    ModelShape m;
    m.name = name;
    m.family = "stated";
    m.hidden = s.hidden;
    m.vocabulary = s.vocabulary;
    m.tied_embeddings = s.tied;
    LayerShape layer;
    layer.attention.q_heads = s.heads;
    layer.attention.kv_heads = s.kv_heads;
    layer.attention.head_dim = s.hidden / s.heads;
    layer.feed_forward.width = s.width;
    layer.feed_forward.gated = s.gated;
    m.kinds = {layer};
    m.layers.assign(std::size_t(s.layers), 0);
    return m;
}

/// Grok-1: published configuration (xai-org/grok-1).
ModelShape grok1(const std::string& name) {
    ModelShape m = dense(name, {"", "", 64, 6144, 48, 8, 0, 131072, true, true});
    ExpertShape experts;
    experts.experts = 8;
    experts.top_k = 2;
    experts.width = 32768;
    m.kinds[0].feed_forward.experts = experts;
    return m;
}

const std::vector<Shape>& shipped() {
    static const std::vector<Shape> all = builtin_models().value_or(std::vector<Shape>{});
    return all;
}

std::optional<ModelShape> by_name(const std::string& name) {
    const std::string plain = plain_name(name);
    if (has(plain, "grok1")) return grok1(name);
    for (const Stated& s : stated)
        if (has(plain, s.word) && has(plain, s.size)) {
            // "7b" also ends "67b", and a shipped shape of that name is better.
            const auto at = plain.find(s.size);
            if (at > 0 && std::isdigit(static_cast<unsigned char>(plain[at - 1])) && plain[at - 1] != '3') continue;
            return dense(name, s);
        }
    for (const Known& k : known)
        if (has(plain, k.word) && has(plain, k.size))
            for (const Shape& shape : shipped()) {
                std::string own = plain_name(shape->name);
                if (has(own, k.model)) return *shape;
            }
    return std::nullopt;
}

/// A dense decoder of the record's own sizes; heads of 128 and a feed-forward layer of four times the hidden size are
/// the GPT family's convention.
std::optional<ModelShape> by_sizes(const Config& c) {
    Stated s{};
    s.layers = c.count("layers");
    s.hidden = c.count("hidden");
    if (s.layers < 1 || s.hidden < 64) return std::nullopt;
    s.heads = c.count("heads", std::max<std::int64_t>(1, s.hidden / 128));
    if (s.heads < 1 || s.hidden % s.heads != 0) return std::nullopt;
    s.kv_heads = c.count("kv_heads", s.heads);
    s.width = c.count("ffn", 4 * s.hidden);
    s.gated = c.has("ffn") && s.width != 4 * s.hidden;
    s.vocabulary = c.count("vocab", 51200);
    s.tied = !c.has("ffn");
    return dense(c.text("model"), s);
}

}  // namespace

std::string plain_name(std::string_view name) {
    std::string plain;
    for (const char c : lower(name))
        if (c != ' ' && c != '.' && c != '-' && c != '_') plain += c;
    return plain;
}

tl::expected<std::shared_ptr<const ModelShape>, std::string> model_of(const Config& config) {
    const std::string name = config.text("model");
    if (name.empty() && !config.has("hidden")) return tl::unexpected(std::string("no model is named"));
    std::optional<ModelShape> shape = by_name(name);
    if (!shape || (config.has("hidden") && config.count("hidden") != shape->hidden)) {
        auto own = by_sizes(config);
        if (own) shape = std::move(own);
    }
    if (!shape) return tl::unexpected(fmt::format("the shape of the model '{}' is not known", name));
    const std::int64_t layers = config.count("layers");
    if (layers > 0 && layers < 16384 && std::size_t(layers) != shape->layers.size())
        shape->layers.resize(std::size_t(layers), shape->layers.back());
    if (auto ok = validate(*shape); !ok) return tl::unexpected(ok.error().message);
    return std::make_shared<const ModelShape>(std::move(*shape));
}

}  // namespace crosspoint::accuracy
