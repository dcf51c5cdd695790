// `rocm-smi --showtopo`: matrices of weight, hops and link type, and the NUMA node of every GPU. Hops are 1 even for
// pairs that are two links apart, so the weight decides: 15 a link (ROCm/rocm-systems#5763).
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/importers/gpu_questions.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t gpu_limit = 512;
constexpr long long one_hop = 15;

struct Tables {
    std::size_t gpus = 0;
    std::map<std::pair<std::size_t, std::size_t>, long long> weight;
    std::map<std::pair<std::size_t, std::size_t>, std::string> type;
    std::map<std::size_t, std::string> numa;
    std::string product;
};

/// 3 of "GPU3" or "GPU[3]".
std::optional<std::size_t> gpu_index(std::string_view word) {
    if (!word.starts_with("GPU")) return std::nullopt;
    word.remove_prefix(3);
    if (word.starts_with("[")) word = word.substr(1, word.find(']') - 1);
    const auto number = whole_number(word);
    return number && *number >= 0 && *number < (long long)(gpu_limit) ? std::optional(std::size_t(*number))
                                                                      : std::nullopt;
}

class Reader {
public:
    Tables run(std::string_view text) {
        for (const auto raw : lines_of(text)) {
            const auto line = trimmed(raw);
            take_title(line);
            take_numa(line);
            take_row(line);
        }
        return std::move(tables_);
    }

private:
    enum class Section { none, weight, type };

    void take_title(std::string_view line) {
        if (!line.starts_with("=")) return;
        section_ = Section::none;
        if (line.find("Weight") != std::string_view::npos) section_ = Section::weight;
        else if (line.find("Link Type") != std::string_view::npos || line.find("Link type") != std::string_view::npos)
            section_ = Section::type;
    }

    void take_numa(std::string_view line) {
        constexpr std::string_view label = "Numa Node:";
        const auto at = line.find(label);
        const auto words = words_of(line);
        if (at == std::string_view::npos || words.empty()) return;
        if (const auto gpu = gpu_index(words[0])) {
            tables_.numa[*gpu] = trimmed(line.substr(at + label.size()));
            tables_.gpus = std::max(tables_.gpus, *gpu + 1);
        }
    }

    void take_row(std::string_view line) {
        if (section_ == Section::none) return;
        const auto words = words_of(line);
        const auto row = words.size() < 2 ? std::nullopt : gpu_index(words[0]);
        if (!row || gpu_index(words[1])) return;
        tables_.gpus = std::max({tables_.gpus, *row + 1, std::min(words.size() - 1, gpu_limit)});
        for (std::size_t i = 1; i < words.size() && i <= gpu_limit; ++i) {
            const std::pair key{*row, i - 1};
            if (section_ == Section::type) tables_.type[key] = words[i];
            else if (const auto value = whole_number(words[i])) tables_.weight[key] = *value;
        }
    }

    Section section_ = Section::none;
    Tables tables_;
};

bool direct(const Tables& t, std::size_t a, std::size_t b) {
    const auto type = t.type.find({a, b});
    const auto weight = t.weight.find({a, b});
    if (type == t.type.end() || lower(type->second) != "xgmi") return false;
    return weight == t.weight.end() || weight->second <= one_hop;
}

void add_peers(Sketch& sketch, const Tables& t, Machine& machine) {
    int indirect = 0;
    for (std::size_t a = 0; a < t.gpus; ++a)
        for (std::size_t b = a + 1; b < t.gpus; ++b) {
            if (direct(t, a, b) || direct(t, b, a))
                machine.peers.push_back({fmt::format("GPU{}", a), fmt::format("GPU{}", b), 1, false});
            else if (const auto type = t.type.find({a, b}); type != t.type.end() && lower(type->second) == "xgmi")
                ++indirect;
        }
    if (indirect > 0)
        sketch.converted(fmt::format(
            "{} xGMI pairs of a weight above {} are further than one link and not drawn as one", indirect, one_hop));
    if (!machine.peers.empty()) sketch.assumed("one xGMI link a directly joined pair: the text does not count them");
}

}  // namespace

bool is_rocm_smi_topo(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    const bool rocm = head.find("(Topology) Numa") != std::string_view::npos ||
                      head.find("Link Type between two GPUs") != std::string_view::npos ||
                      head.find("Weight between two GPUs") != std::string_view::npos;
    return rocm && head.find("GPU0") != std::string_view::npos;
}

Result<Imported> import_rocm_smi_topo(std::string_view text, const ImportOptions& options) {
    const std::string plain = without_escapes(text);
    const Tables t = Reader().run(plain);
    if (t.gpus == 0 || t.type.empty())
        return fail(ErrorCode::schema, "there is no complete matrix of link types",
                    "copy the whole output of rocm-smi --showtopo");
    Sketch sketch(options, "rocm-smi-topo", "Imported rocm-smi topology");
    std::vector<const Product*> likely;
    for (const Product* p : common_products())
        if (p->vendor == "AMD") likely.push_back(p);
    std::stable_partition(likely.begin(), likely.end(), [](const Product* p) { return p->part == "amd-mi300x"; });
    const Product* product = ask_product(sketch, "The text names no product", likely);
    Machine machine;
    machine.name = "Node";
    machine.family = "xgmi";
    machine.per_link = xgmi_rate(*product);
    machine.rate_source = "AMD data sheet: one xGMI link, one direction";
    const PartId part = sketch.accelerator(product->name);
    std::map<std::string, MachineNode> hosts;
    for (std::size_t i = 0; i < t.gpus; ++i) {
        const auto numa = t.numa.find(i);
        MachineNode& host = hosts[numa == t.numa.end() ? "" : numa->second];
        MachineNode gpu;
        gpu.kind = MachineNode::Kind::gpu;
        gpu.key = fmt::format("GPU{}", i);
        gpu.name = product->name;
        gpu.part = part;
        gpu.up = pcie_x16(product->memory_gbps >= 5000 ? 5 : product->memory_gbps > 1000 ? 4 : 3);
        host.children.push_back(std::move(gpu));
    }
    sketch.assumed("PCIe x16 of the product's generation from each GPU to its CPU");
    sketch.ignored("NICs: the text lists none");
    for (auto& [numa, host] : hosts) {
        host.kind = MachineNode::Kind::cpu;
        host.name = numa.empty() ? "CPU" : "CPU " + numa;
        host.part = sketch.host("x86 server CPU");
        machine.cpus.push_back(std::move(host));
    }
    add_peers(sketch, t, machine);
    draw(sketch, std::move(machine));
    return sketch.finish();
}

}  // namespace crosspoint
