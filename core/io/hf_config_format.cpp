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
    JsonFormat{{"quantization", "producer", ""}, "a ModelOpt quantisation file (hf_quant_config.json)", get_config},
    JsonFormat{{"attn_heads", "num_blocks", ""},
               "a Calculon model",
               "It states no vocabulary and no KV heads; open the model's config.json."},
    JsonFormat{{"networks", "matrix", "mem1"}, "a Calculon system", get_config},
    JsonFormat{{"tensor_par", "pipeline_par", ""}, "a Calculon execution", get_config},
    JsonFormat{{"request_throughput", "mean_ttft_ms", ""}, "a serving benchmark result", get_config},
    JsonFormat{{"nodes", "link_bw", "link_latency"}, "a benchmark run (LLMServingSim cluster)", get_config},
    JsonFormat{{"scheduling-policy", "", ""}, "an ASTRA-sim system", get_config},
    JsonFormat{{"logical-dims", "", ""}, "an ASTRA-sim logical topology", get_config},
    JsonFormat{{"version", "results", "args"}, "an nccl-tests result", get_config},
    JsonFormat{{"weight_map", "", ""}, "an index of weight files", get_config},
    JsonFormat{{"tokenizer_class", "", ""}, "a tokenizer configuration", get_config},
    JsonFormat{{"layer_num", "head_num", ""}, "a SimuMax model", get_config},
    JsonFormat{{"schema", "topology", ""}, "a Crosspoint document", "Open it as a document."},
};
constexpr std::array<std::string_view, 8> evidence{"model_type", "architectures", "hidden_size", "n_embd",
                                                   "d_model",    "dim",           "text_config", "num_hidden_layers"};

bool has_all(const Node& root, const std::array<std::string_view, 3>& keys) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](std::string_view key) { return key.empty() || root.find(key) != nullptr; });
}

bool is_model(const Node& root) {
    return std::any_of(evidence.begin(), evidence.end(),
                       [&](std::string_view key) { return root.find(key) != nullptr; });
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
    Unmodelled{"compress_ratios", "compressed attention (a cache whose length depends on the layer)"},
    Unmodelled{"hybrid_override_pattern", "state-space layers (Mamba)"},
    Unmodelled{"layers_block_type", "state-space or recurrent layers"},
    Unmodelled{"ssm_state_size", "state-space layers (Mamba)"},
    Unmodelled{"mamba_d_state", "state-space layers (Mamba)"},
    Unmodelled{"attn_layer_period", "state-space layers (Mamba)"},
    Unmodelled{"linear_attn_config", "linear attention"},
    Unmodelled{"linear_num_value_heads", "linear attention (gated delta rule)"},
    Unmodelled{"full_attention_interval", "linear attention"},
    Unmodelled{"block_configs", "attention that differs from block to block"},
    Unmodelled{"hybrid_layer_pattern", "layers with different head counts"},
    Unmodelled{"share_q_dim", "multi-matrix factorised attention"},
    Unmodelled{"rwkv_version", "recurrent layers (RWKV)"},
};

void refuse(Fields& fields, std::string_view key, std::string_view kind) {
    fields.wrong(key, ErrorCode::unsupported, fmt::format("The model uses {} ({}), which is not modelled", kind, key),
                 "Grouped-query, sliding-window and multi-head latent attention are.");
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

void refuse_unmodelled_attention(Fields& fields) {
    for (const Unmodelled& u : unmodelled)
        if (fields.has(u.key)) refuse(fields, u.key, u.kind);
    if (fields.flag("is_encoder_decoder").value_or(false))
        refuse(fields, "is_encoder_decoder", "an encoder with cross-attention");
    if (fields.flag("attention_k_eq_v").value_or(false))
        refuse(fields, "attention_k_eq_v", "keys that serve as values");
    if (fields.count("cla_share_factor").value_or(1) > 1)
        refuse(fields, "cla_share_factor", "a cache shared between layers");
    if (fields.count("num_kv_shared_layers").value_or(0) > 0)
        refuse(fields, "num_kv_shared_layers", "a cache shared between layers");
    if (fields.is_list("attn_type_list"))
        for (const std::int64_t type : fields.counts("attn_type_list").value_or(std::vector<std::int64_t>{}))
            if (type != 1) refuse(fields, "attn_type_list", "linear attention");
    if (fields.count("index_topk").value_or(0) > 0)
        fields.warn(
            "Sparse attention (index_topk) is taken as full attention over the cache; the indexer's parameters, "
            "products and cache are not counted");
}

}  // namespace crosspoint::hf
