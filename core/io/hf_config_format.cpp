#include "core/io/hf_config_format.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace crosspoint::hf {
namespace {

using json::Node;

constexpr std::string_view get_config = "Open the config.json that lies beside the model's weights.";

struct TextFormat {
    std::string_view evidence, name;
};
constexpr std::array text_formats{
    TextFormat{"<system", "an NCCL topology (XML)"},
    TextFormat{"<graphs", "an NCCL graph (XML)"},
    TextFormat{"<topology", "an hwloc topology (XML)"},
    TextFormat{"<algo", "an MSCCL algorithm (XML)"},
    TextFormat{"nThread", "an nccl-tests log"},
    TextFormat{"# OSU ", "an OSU benchmark log"},
    TextFormat{"Intel(R) MPI Benchmarks", "an Intel MPI Benchmarks log"},
    TextFormat{"nvbandwidth Version", "an nvbandwidth log"},
    TextFormat{"SwitchName=", "a Slurm topology"},
    TextFormat{"BlockName=", "a Slurm topology"},
    TextFormat{"Serving Benchmark Result", "a serving benchmark summary"},
    TextFormat{"npus_count:", "an ASTRA-sim network"},
    TextFormat{"digraph", "a Graphviz graph"},
    TextFormat{"busbw", "an nccl-tests log"},
    TextFormat{"GPU0", "an nvidia-smi topology matrix"},
    TextFormat{"#bytes", "a perftest log"},
    TextFormat{"vendid=", "an ibnetdiscover listing"},
    TextFormat{"switches:", "a topograph topology"},
    TextFormat{"infrastructure:", "an InfraGraph description"},
    TextFormat{"intra_node_bw", "an aiconfigurator system"},
};

/// Keys that together tell a JSON format.
struct JsonFormat {
    std::array<std::string_view, 3> keys;
    std::string_view name, hint;
};
constexpr std::array json_formats{
    JsonFormat{{"quantization", "producer", ""},
               "a ModelOpt quantisation file (hf_quant_config.json)",
               "It states number formats only: open the config.json beside it, then set the formats in the scenario."},
    JsonFormat{{"networks", "matrix", "mem1"}, "a Calculon system", get_config},
    JsonFormat{{"tensor_par", "pipeline_par", ""}, "a Calculon execution", get_config},
    JsonFormat{{"request_throughput", "mean_ttft_ms", ""}, "a serving benchmark result", get_config},
    JsonFormat{{"nodes", "link_bw", "link_latency"}, "a benchmark run (LLMServingSim cluster)", get_config},
    JsonFormat{{"scheduling-policy", "", ""}, "an ASTRA-sim system", get_config},
    JsonFormat{{"logical-dims", "", ""}, "an ASTRA-sim logical topology", get_config},
    JsonFormat{{"version", "results", "args"}, "an nccl-tests result", get_config},
    JsonFormat{{"weight_map", "", ""}, "an index of weight files", get_config},
    JsonFormat{{"tokenizer_class", "", ""}, "a tokenizer configuration", get_config},
    JsonFormat{{"schema", "topology", ""}, "a Crosspoint document", "Open it as a document."},
};
constexpr std::array<std::string_view, 8> evidence{"model_type", "architectures", "hidden_size", "n_embd",
                                                   "d_model",    "dim",           "text_config", "num_hidden_layers"};
/// Two keys that together tell a model file of another program.
constexpr std::array<std::array<std::string_view, 2>, 3> other_evidence{
    {{"attn_heads", "feedforward"}, {"layer_num", "head_num"}, {"n_head", "hidden_dim"}}};

bool has_all(const Node& root, const std::array<std::string_view, 3>& keys) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](std::string_view key) { return key.empty() || root.find(key) != nullptr; });
}

bool is_model(const Node& root) {
    const auto has = [&](std::string_view key) { return root.find(key) != nullptr; };
    return std::any_of(evidence.begin(), evidence.end(), has) ||
           std::any_of(other_evidence.begin(), other_evidence.end(),
                       [&](const auto& pair) { return has(pair[0]) && has(pair[1]); });
}

const JsonFormat* other_format(const Node& root) {
    const auto it = std::find_if(json_formats.begin(), json_formats.end(),
                                 [&](const JsonFormat& format) { return has_all(root, format.keys); });
    return it == json_formats.end() ? nullptr : &*it;
}

/// A field whose presence means an attention kind without a model here.
struct Unmodelled {
    std::string_view key, kind;
};
constexpr std::array unmodelled{
    Unmodelled{"rwkv_version", "recurrent layers (RWKV)"},
    Unmodelled{"lru_width", "recurrent layers (RG-LRU)"},
    Unmodelled{"mamba_d_ssm", "attention and state space side by side in one layer"},
    Unmodelled{"hybrid_layer_ids", "shared attention blocks beside state-space layers"},
    Unmodelled{"laurel_rank", "augmented residuals (Gemma 3n)"},
    Unmodelled{"conv_L_cache", "gated convolution layers (LFM2)"},
};

void refuse(Fields& fields, std::string_view key, std::string_view kind) {
    fields.wrong(
        key, ErrorCode::unsupported, fmt::format("The model uses {} ({}), which is not modelled", kind, key),
        "Grouped-query, windowed, latent, sparse, compressed and linear attention and state-space layers are.");
}

}  // namespace

std::string_view text_format(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "an empty file";
    const std::string_view head = text.substr(0, 4096);
    if (head.find('\0') != std::string_view::npos) return "a binary file";
    const auto it = std::find_if(text_formats.begin(), text_formats.end(), [&](const TextFormat& format) {
        return head.find(format.evidence) != std::string_view::npos;
    });
    return it == text_formats.end() ? std::string_view{} : it->name;
}

std::string_view json_format(const Node& root) {
    if (root.kind != Node::Kind::object) return {};
    if (is_model(root)) return "a model configuration (config.json)";
    const JsonFormat* other = other_format(root);
    return other ? other->name : std::string_view{};
}

Error not_a_model(std::string_view format) {
    Error error;
    error.code = format.empty() ? ErrorCode::syntax : ErrorCode::unsupported;
    error.message = format.empty() ? "This is not a model configuration: the text does not start with '{'"
                                   : fmt::format("This is {}, not a model configuration", format);
    error.hint = get_config;
    return error;
}

Result<void> recognise(const Node& root) {
    if (!(root.kind == Node::Kind::object))
        return fail(ErrorCode::schema, "The file is JSON, but not an object: not a model configuration",
                    std::string(get_config));
    if (is_model(root)) return {};
    if (const JsonFormat* format = other_format(root))
        return fail(ErrorCode::unsupported, fmt::format("This is {}, not a model configuration", format->name),
                    std::string(format->hint));
    return fail(ErrorCode::schema,
                "The file has no model_type, architectures or hidden_size: it is not a model configuration",
                std::string(get_config));
}

void refuse_unmodelled(Fields& fields) {
    for (const Unmodelled& u : unmodelled)
        if (fields.has(u.key)) refuse(fields, u.key, u.kind);
    if (fields.is_list("cross_attention_layers")) refuse(fields, "cross_attention_layers", "cross-attention to images");
    if (fields.flag("is_encoder_decoder").value_or(false))
        refuse(fields, "is_encoder_decoder", "an encoder with cross-attention");
}

}  // namespace crosspoint::hf
