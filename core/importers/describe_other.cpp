// What a text is that no importer reads, so that a refusal can name it.
#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "core/importers/importer.hpp"
#include "core/importers/text_probe.hpp"

namespace crosspoint {
namespace {

bool has_all(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::all_of(words.begin(), words.end(),
                       [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

struct Evidence {
    std::string_view first;  ///< character that the text starts with; empty: any
    std::initializer_list<std::string_view> words;
    std::string_view what;
};

std::string describe_xml(std::string_view root) {
    struct Root {
        std::string_view name, what;
    };
    constexpr Root roots[] = {
        {"algo", "an MSCCL algorithm (XML): it describes a collective's steps, not hardware"},
        {"graphs",
         "an NCCL graph (XML): the rings and trees that NCCL chose, not the hardware; its topology file "
         "(NCCL_TOPO_DUMP_FILE) can be imported"},
        {"svg", "an SVG picture"},
        {"html", "a web page"},
    };
    for (const Root& r : roots)
        if (r.name == root) return std::string(r.what);
    return root.empty() ? "" : "XML with the root element <" + std::string(root) + ">";
}

}  // namespace

std::string describe_other(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    if (const std::string_view root = xml_root(head); !root.empty()) return describe_xml(root);
    const std::initializer_list<Evidence> all{
        {"{", {"\"schema\"", "crosspoint/document"}, "a Crosspoint document: open it instead"},
        {"{", {"\"schema\"", "\"topology\"", "\"devices\""}, "a Crosspoint document: open it instead"},
        {"{",
         {"\"quantization\"", "\"producer\""},
         "a ModelOpt hf_quant_config.json: the config.json beside it holds the model's shape"},
        {"{", {"\"model_type\""}, "a Hugging Face config.json: a model, not hardware; import it as the model"},
        {"{", {"\"architectures\""}, "a Hugging Face config.json: a model, not hardware; import it as the model"},
        {"{", {"\"hidden_size\""}, "a Hugging Face config.json: a model, not hardware; import it as the model"},
        {"{", {"\"n_layers\"", "\"inter_dim\""}, "a DeepSeek model config: a model, not hardware"},
        {"{", {"\"attn_heads\"", "\"num_blocks\""}, "a Calculon model: a model, not hardware"},
        {"{", {"\"tensor_par\"", "\"pipeline_par\""}, "a Calculon execution: a layout, not hardware"},
        {"{",
         {"\"scheduling-policy\""},
         "an ASTRA-sim system file: scheduling and algorithms; the network is in its network.yml"},
        {"{", {"\"logical-dims\""}, "an ASTRA-sim logical topology: counts only; the network is in its network.yml"},
        {"{", {"\"out_of_place\"", "\"results\""}, "an nccl-tests result (JSON): a measurement, not hardware"},
        {"[", {"\"algBw\"", "\"busBw\""}, "an rccl-tests result (JSON): a measurement, not hardware"},
        {"{", {"\"request_throughput\""}, "a serving benchmark result: a measurement, not hardware"},
        {"{", {"\"nodes\"", "\"provider\""}, "a topograph request payload: a question to topograph, not its answer"},
        {"", {"provider:", "instances:"}, "a topograph request payload: a question to topograph, not its answer"},
        {"{", {"\"num_gpu_servers\""}, "an AutoLink project: its topology cannot be read"},
        {"{",
         {"\"num_nodes\"", "\"instances\"", "\"npu_mem\""},
         "an LLMServingSim cluster: model instances with a link_bw that has no unit"},
        {"", {"nThread", "nGpus"}, "an nccl-tests log: a measurement; use it to fit a link's figures"},
        {"", {"algbw", "busbw"}, "an nccl-tests log: a measurement; use it to fit a link's figures"},
        {"", {"# OSU "}, "an OSU micro-benchmark log: a measurement; use it to fit a link's figures"},
        {"", {"Intel(R) MPI Benchmarks"}, "an Intel MPI Benchmarks log: a measurement; use it to fit a link's figures"},
        {"", {"#bytes", "#iterations"}, "a perftest log: a measurement; use it to fit a link's figures"},
        {"", {"nvbandwidth"}, "an nvbandwidth log: a measurement; use it to fit a link's figures"},
        {"", {"Dispatch + combine bandwidth"}, "a DeepEP log: a measurement; use it to fit a link's figures"},
        {"", {"[tuning] SMs"}, "a DeepEP log: a measurement; use it to fit a link's figures"},
        {"", {"kind: NodeResourceTopology"}, "a Kubernetes NodeResourceTopology: resource counts, no links"},
        {"", {"manufacturer:", "u_height:"}, "a NetBox device type: one device's interfaces, no links"},
        {"", {"Config {"}, "a printed model configuration: a model, not hardware"},
    };
    const std::string_view body = skip_blanks(head);
    for (const Evidence& e : all)
        if (body.starts_with(e.first) && has_all(head, e.words)) return std::string(e.what);
    if (body.empty()) return "an empty text";
    if (body.starts_with("digraph") || body.starts_with("graph") || body.starts_with("strict "))
        return "a Graphviz drawing, which says nothing about the hardware of its boxes";
    return {};
}

}  // namespace crosspoint
