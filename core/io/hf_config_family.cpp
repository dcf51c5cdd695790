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
constexpr Family qwen3_next(Family f, std::string_view name) {
    f.name = name;
    f.output_gate = f.shared_gate = true;
    return f;
}
/// No generic warning: the shape is read by rules that give published totals.
constexpr Family checked(std::string_view name) {
    Family f = llama();
    f.name = name;
    return f;
}
constexpr Family routed_with_bias(std::string_view name) {
    Family f = checked(name);
    f.router_bias = true;
    return f;
}
constexpr Family glm4_moe() {
    Family f = routed_with_bias("GLM-4 MoE");
    f.plain_output = true;
    return f;
}
constexpr Family minimax_m2() {
    Family f = checked("MiniMax-M2");
    f.qk_norm = f.wide_norm = true;
    return f;
}
constexpr Family minimax_linear() {
    Family f = checked("MiniMax-01");
    f.lightning = true;
    return f;
}
constexpr Family olmoe() {
    Family f = checked("OLMoE");
    f.qk_norm = f.wide_norm = true;
    return f;
}
/// Norms are layer norms with biases, and the output table has one too.
constexpr Family phimoe() {
    Family f = checked("Phi-MoE");
    f.norms = 4;
    f.final_norms = 2;
    f.head_bias = true;
    return f;
}
constexpr Family llama4() {
    Family f = checked("Llama-4");
    f.plain_qk_norm = f.shared_expert = f.chunked = true;
    return f;
}
constexpr Family ernie4_5() {
    Family f = checked("ERNIE-4.5");
    f.tied = f.router_bias = true;
    return f;
}
constexpr Family hunyuan() {
    Family f = checked("Hunyuan");
    f.tied = true;
    return f;
}
constexpr Family grok1() {
    Family f = checked("Grok-1");
    f.tied = true;
    f.norms = 4;
    return f;
}
constexpr Family nemotron_h() {
    Family f = checked("Nemotron-H");
    f.gated = false;
    f.one_block = true;
    return f;
}
constexpr Family longcat() {
    Family f = checked("LongCat");
    f.double_layers = f.router_bias = true;
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
    Family f = checked("Gemma");
    f.tied = true;
    f.head_dim = 256;
    return f;
}
constexpr Family gemma2() {
    Family f = gemma();
    f.name = "Gemma-2";
    f.norms = 4;
    f.window = 4096;
    f.window_rule = WindowRule::alternate;
    return f;
}
constexpr Family gemma3() {
    Family f = gemma2();
    f.name = "Gemma-3";
    f.qk_norm = true;
    f.window_pattern = 6;
    return f;
}
constexpr Family gemma4() {
    Family f = gemma3();
    f.name = "Gemma-4";
    f.expert_norms = 3;
    return f;
}
constexpr Family two_matrices() {
    Family f = generic();
    f.name = "two-matrix";
    f.gated = false;
    f.four_times = f.mlp_bias = true;
    return f;
}
constexpr Family gpt2() {
    Family f = two_matrices();
    f.name = "GPT-2";
    f.known = f.tied = f.attention_bias = f.learned_positions = true;
    f.norms = 4;
    f.final_norms = 2;
    return f;
}
/// A format without vocabulary, biases and KV heads: products of the blocks alone.
constexpr Family calculon() {
    Family f = two_matrices();
    f.name = "Calculon";
    f.format = "Calculon model";
    f.known = f.vocabulary_free = true;
    f.mlp_bias = false;
    f.norms = f.final_norms = 0;
    return f;
}

constexpr Family other_program(std::string_view name, std::string_view format) {
    Family f = checked(name);
    f.format = format;
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
        Entry{"Qwen3NextForCausalLM", "qwen3_next", qwen3_next(qwen3_moe(), "Qwen3-Next")},
        Entry{"Qwen3_5ForConditionalGeneration", "qwen3_5_text", qwen3_next(qwen3(), "Qwen3.5")},
        Entry{"Qwen3_5MoeForConditionalGeneration", "qwen3_5_moe_text", qwen3_next(qwen3_moe(), "Qwen3.5-MoE")},
        Entry{"DeepseekForCausalLM", "deepseek", checked("DeepSeek")},
        Entry{"DeepseekV2ForCausalLM", "deepseek_v2", checked("DeepSeek-V2")},
        Entry{"DeepseekV3ForCausalLM", "deepseek_v3", checked("DeepSeek-V3")},
        Entry{"DeepseekV32ForCausalLM", "deepseek_v32", checked("DeepSeek-V3.2")},
        Entry{"DeepseekV4ForCausalLM", "deepseek_v4", routed_with_bias("DeepSeek-V4")},
        Entry{"DeepseekV4ForCausalLM", "deepseek_ref", routed_with_bias("DeepSeek-V4")},
        Entry{"GlmMoeDsaForCausalLM", "glm_moe_dsa", checked("GLM-5")},
        Entry{"Glm4MoeForCausalLM", "glm4_moe", glm4_moe()},
        Entry{"Glm4vMoeForConditionalGeneration", "glm4v_moe_text", glm4_moe()},
        Entry{"KimiLinearForCausalLM", "kimi_linear", routed_with_bias("Kimi Linear")},
        Entry{"MiniMaxM2ForCausalLM", "minimax_m2", minimax_m2()},
        Entry{"MiniMaxM1ForCausalLM", "minimax_m1", minimax_linear()},
        Entry{"MiniMaxText01ForCausalLM", "minimax_text_01", minimax_linear()},
        Entry{"MiniMaxForCausalLM", "minimax", minimax_linear()},
        Entry{"GptOssForCausalLM", "gpt_oss", gpt_oss()},
        Entry{"Llama4ForConditionalGeneration", "llama4_text", llama4()},
        Entry{"Llama4ForCausalLM", "llama4", llama4()},
        Entry{"Ernie4_5_MoeForCausalLM", "ernie4_5_moe", ernie4_5()},
        Entry{"Ernie4_5_VLMoeForConditionalGeneration", "ernie4_5_moe_vl", ernie4_5()},
        Entry{"DbrxForCausalLM", "dbrx", checked("DBRX")},
        Entry{"JambaForCausalLM", "jamba", checked("Jamba")},
        Entry{"OlmoeForCausalLM", "olmoe", olmoe()},
        Entry{"PhiMoEForCausalLM", "phimoe", phimoe()},
        Entry{"PhimoeForCausalLM", "phimoe", phimoe()},
        Entry{"GraniteMoeHybridForCausalLM", "granitemoehybrid", checked("Granite-4")},
        Entry{"NemotronHForCausalLM", "nemotron_h", nemotron_h()},
        Entry{"DeciLMForCausalLM", "nemotron-nas", checked("Nemotron-NAS")},
        Entry{"HunYuanForCausalLM", "hunyuan", hunyuan()},
        Entry{"HunYuanMoEV1ForCausalLM", "hunyuan_v1_moe", hunyuan()},
        Entry{"Step3TextForCausalLM", "step3_text", checked("Step-3")},
        Entry{"Step3VLForConditionalGeneration", "step3_vl", checked("Step-3")},
        Entry{"MiMoV2FlashForCausalLM", "mimo_v2_flash", checked("MiMo-V2")},
        Entry{"LongcatFlashForCausalLM", "longcat_flash", longcat()},
        Entry{"Grok1ModelForCausalLM", "grok-1", grok1()},
        Entry{"Grok1ForCausalLM", "grok1", grok1()},
        Entry{"GemmaForCausalLM", "gemma", gemma()},
        Entry{"Gemma2ForCausalLM", "gemma2", gemma2()},
        Entry{"Gemma3ForConditionalGeneration", "gemma3_text", gemma3()},
        Entry{"Gemma3ForCausalLM", "gemma3", gemma3()},
        Entry{"Gemma4ForConditionalGeneration", "gemma4_text", gemma4()},
        Entry{"Gemma4ForCausalLM", "gemma4", gemma4()},
        Entry{"GPT2LMHeadModel", "gpt2", gpt2()},
        Entry{"OPTForCausalLM", "opt", two_matrices()},
        Entry{"FalconForCausalLM", "falcon", two_matrices()},
        Entry{"BloomForCausalLM", "bloom", two_matrices()},
        Entry{"GPTNeoXForCausalLM", "gpt_neox", two_matrices()},
        Entry{"PhiForCausalLM", "phi", two_matrices()},
        Entry{"Starcoder2ForCausalLM", "starcoder2", two_matrices()},
    };
    return table;
}

/// Files of other programs, by fields that only they have.
struct Dialect {
    std::array<std::string_view, 2> keys;
    Family family;
};
const auto& dialects() {
    static constexpr std::array table{
        Dialect{{"attn_heads", "feedforward"}, calculon()},
        Dialect{{"layer_num", "head_num"}, other_program("SimuMax", "SimuMax model")},
        Dialect{{"ffn_embed_dim", "mlp_gated_linear_units"}, other_program("llm-analysis", "llm-analysis model")},
        Dialect{{"moe_inter_dim", "n_layers"}, other_program("DeepSeek native", "DeepSeek native configuration")},
        Dialect{{"inter_dim", "n_layers"}, other_program("DeepSeek native", "DeepSeek native configuration")},
        Dialect{{"padded_vocab_size", "untie_embeddings_and_output_weights"},
                other_program("Megatron", "Megatron arguments")},
    };
    return table;
}

const Family* dialect_of(const Fields& fields) {
    const auto it = std::find_if(dialects().begin(), dialects().end(), [&](const Dialect& d) {
        return std::all_of(d.keys.begin(), d.keys.end(), [&](std::string_view key) { return fields.has(key); });
    });
    return it == dialects().end() ? nullptr : &it->family;
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
    if (typed != nullptr && (named == nullptr || typed->family.name != named->family.name))
        fields.warn(
            fmt::format("architectures says {} but model_type says {}: the architecture is followed", *name, *type));
    return named;
}

}  // namespace

const Family& family_of(Fields& fields) {
    if (const Family* dialect = dialect_of(fields)) return *dialect;
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
