#include "core/io/hf_config_family.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace crosspoint::hf {
namespace {

constexpr Family llama() {
    Family f;
    f.name = "Llama";
    f.known = true;
    return f;
}
constexpr Family mistral() {
    Family f = llama();
    f.name = "Mistral";
    f.kv_heads = 8;
    return f;
}
constexpr Family mixtral() {
    Family f = mistral();
    f.name = "Mixtral";
    return f;
}
constexpr Family qwen2() {
    Family f = llama();
    f.name = "Qwen2";
    f.qkv_bias = f.window_needs_flag = true;
    f.window_rule = WindowRule::upper_layers;
    return f;
}
constexpr Family qwen2_moe() {
    Family f = qwen2();
    f.name = "Qwen2-MoE";
    f.shared_gate = true;
    return f;
}
constexpr Family qwen3() {
    Family f = qwen2();
    f.name = "Qwen3";
    f.qkv_bias = false;
    f.qk_norm = true;
    f.head_dim = 128;
    return f;
}
constexpr Family qwen3_moe() {
    Family f = qwen3();
    f.name = "Qwen3-MoE";
    f.head_dim = 0;
    return f;
}
constexpr Family deepseek() {
    Family f = llama();
    f.name = "DeepSeek";
    return f;
}
/// With sparse attention, whose indexer is not counted.
constexpr Family deepseek_sparse() {
    Family f = deepseek();
    f.known = false;
    return f;
}
constexpr Family gpt_oss() {
    Family f = llama();
    f.name = "gpt-oss";
    f.attention_bias = f.sinks = f.expert_biases = true;
    f.head_dim = 64;
    f.kv_heads = 8;
    f.window_rule = WindowRule::alternate;
    return f;
}
constexpr Family generic() {
    Family f;
    f.name = "generic";
    return f;
}
constexpr Family gemma() {
    Family f = generic();
    f.name = "Gemma";
    f.tied = true;
    return f;
}
constexpr Family two_matrices() {
    Family f = generic();
    f.name = "two-matrix";
    f.gated = false;
    return f;
}

struct Entry {
    std::string_view architecture, model_type;
    Family family;
};

const auto& entries() {
    static constexpr std::array table{
        Entry{"LlamaForCausalLM", "llama", llama()},
        Entry{"MistralForCausalLM", "mistral", mistral()},
        Entry{"MixtralForCausalLM", "mixtral", mixtral()},
        Entry{"Qwen2ForCausalLM", "qwen2", qwen2()},
        Entry{"Qwen2MoeForCausalLM", "qwen2_moe", qwen2_moe()},
        Entry{"Qwen3ForCausalLM", "qwen3", qwen3()},
        Entry{"Qwen3MoeForCausalLM", "qwen3_moe", qwen3_moe()},
        Entry{"Qwen3VLForConditionalGeneration", "qwen3_vl_text", qwen3()},
        Entry{"Qwen3VLMoeForConditionalGeneration", "qwen3_vl_moe_text", qwen3_moe()},
        Entry{"DeepseekForCausalLM", "deepseek", deepseek()},
        Entry{"DeepseekV2ForCausalLM", "deepseek_v2", deepseek()},
        Entry{"DeepseekV3ForCausalLM", "deepseek_v3", deepseek()},
        Entry{"DeepseekV32ForCausalLM", "deepseek_v32", deepseek_sparse()},
        Entry{"GptOssForCausalLM", "gpt_oss", gpt_oss()},
        Entry{"GemmaForCausalLM", "gemma", gemma()},
        Entry{"Gemma2ForCausalLM", "gemma2", gemma()},
        Entry{"Gemma3ForConditionalGeneration", "gemma3_text", gemma()},
        Entry{"GPT2LMHeadModel", "gpt2", two_matrices()},
        Entry{"OPTForCausalLM", "opt", two_matrices()},
        Entry{"FalconForCausalLM", "falcon", two_matrices()},
        Entry{"BloomForCausalLM", "bloom", two_matrices()},
        Entry{"GPTNeoXForCausalLM", "gpt_neox", two_matrices()},
        Entry{"PhiForCausalLM", "phi", two_matrices()},
        Entry{"Starcoder2ForCausalLM", "starcoder2", two_matrices()},
    };
    return table;
}

const Family& generic_family() {
    static constexpr Family family = generic();
    return family;
}

const Entry* by_architecture(const std::optional<std::string>& name) {
    if (!name) return nullptr;
    const auto it =
        std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.architecture == *name; });
    return it == entries().end() ? nullptr : &*it;
}

const Entry* by_type(const std::optional<std::string>& type) {
    if (!type) return nullptr;
    const auto it =
        std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.model_type == *type; });
    return it == entries().end() ? nullptr : &*it;
}

/// The entry, or null; says so when the two names of a class contradict each other.
const Entry* find_entry(Fields& fields) {
    const auto inner_name = fields.nested_text("architectures");
    const auto inner_type = fields.nested_text("model_type");
    const auto name = fields.outer_text("architectures");
    const auto type = fields.outer_text("model_type");
    if (const Entry* e = by_architecture(inner_name)) return e;
    if (const Entry* e = by_type(inner_type)) return e;
    const Entry* typed = by_type(type);
    if (!name) return typed;
    const Entry* named = by_architecture(name);
    if (typed != nullptr && typed != named)
        fields.warn(
            fmt::format("architectures says {} but model_type says {}: the architecture is followed", *name, *type));
    return named;
}

}  // namespace

const Family& family_of(Fields& fields) {
    const Entry* entry = find_entry(fields);
    const Family& family = entry != nullptr ? entry->family : generic_family();
    if (!family.known) {
        const auto named =
            fields.outer_text("architectures").value_or(fields.outer_text("model_type").value_or("unnamed"));
        fields.warn(
            fmt::format("The class {} is not one of the checked families: read by generic rules, so compare the "
                        "parameter count with the published one",
                        named));
    }
    return family;
}

}  // namespace crosspoint::hf
