// `nvidia-smi topo -m`: which GPUs and NICs share a PCIe switch, a CPU or a machine, and how many NVLinks they have.
// The matrix names no product, no speed and not the size of the NVLink domain: those are questions.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/importers/gpu_questions.hpp"
#include "core/importers/topo_matrix.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t label_limit = 512;

/// Union-find over the matrix's labels.
class Groups {
public:
    explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t(0)); }
    std::size_t of(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { parent_[std::max(of(a), of(b))] = std::min(of(a), of(b)); }

private:
    std::vector<std::size_t> parent_;
};

bool is_gpu_label(std::string_view label) { return label.starts_with("GPU"); }

class Reader {
public:
    Reader(Sketch& sketch, const TopoMatrix& matrix) : sketch_(sketch), m_(matrix) {}

    Machine run() {
        rows_.assign(m_.columns.size(), nullptr);
        for (const TopoRow& r : m_.rows)
            rows_[std::size_t(std::find(m_.columns.begin(), m_.columns.end(), r.label) - m_.columns.begin())] = &r;
        say_what_is_missing();
        machine_.name = "Node";
        const Product* product = ask_for_product();
        build_tree(*product);
        take_links(*product);
        return std::move(machine_);
    }

private:
    [[nodiscard]] const TopoRow* row(std::size_t column) const { return rows_[column]; }
    /// The cell of a pair, from either row.
    [[nodiscard]] std::string cell(std::size_t a, std::size_t b) const {
        if (const TopoRow* r = row(a)) return r->cells[b];
        if (const TopoRow* r = row(b)) return r->cells[a];
        return {};
    }

    void say_what_is_missing() {
        for (const auto& label : m_.incomplete) sketch_.warn("the row of " + label + " is cut or elided", label);
        for (std::size_t i = 0; i < m_.columns.size(); ++i)
            if (const auto& label = m_.columns[i]; !row(i) && is_gpu_label(label))
                sketch_.warn("there is no complete row of " + label + "; its cells are taken from the others", label);
        if (m_.glued) sketch_.converted("cells that a narrow terminal had glued together are split");
        sketch_.assumed(
            "the matrix shows one machine; an NVLink domain may span more (it never tells the domain's size)");
    }

    int most_links() const {
        int most = 0;
        for (const TopoRow& r : m_.rows)
            for (const auto& c : r.cells) most = std::max(most, nvlinks(c));
        return most;
    }

    const Product* ask_for_product() {
        const int links = most_links();
        std::vector<const Product*> likely;
        const auto add = [&](std::initializer_list<int> sms) {
            for (const int sm : sms)
                for (const Product* p : products_by_sm(sm))
                    if (p->nvlink_gbps > 0) likely.push_back(p);
        };
        if (links >= 13) add({90, 100, 103});
        else if (links > 6) add({80, 90});
        else if (links > 4) add({70, 90});
        else if (links > 0) add({80, 90, 70, 86, 60});
        const std::string evidence =
            links > 0 ? fmt::format("The matrix names no product; its GPUs have up to {} NVLinks", links)
                      : std::string("The matrix names no product");
        if (links == 0) {
            likely = common_products();
            std::stable_partition(likely.begin(), likely.end(),
                                  [](const Product* p) { return p->part == "nvidia-a100-pcie-80gb"; });
        }
        return ask_product(sketch_, evidence, likely);
    }

    /// CPUs by NODE and nearer, and by equal NUMA or CPU affinity; switches by PIX and PXB.
    void build_tree(const Product& product) {
        const std::size_t n = m_.columns.size();
        Groups cpu(n), pcie(n);
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = a + 1; b < n; ++b) {
                const int near = closeness(cell(a, b));
                if (near == 2 || near == 3) pcie.join(a, b);
                if ((near >= 2 && near <= 5) || same_affinity(a, b)) cpu.join(a, b);
            }
        std::map<std::size_t, std::map<std::size_t, std::vector<std::size_t>>> tree;
        for (std::size_t i = 0; i < n; ++i) tree[cpu.of(i)][pcie.of(i)].push_back(i);
        const double nic_speed =
            needs_nics() ? ask_nic_speed(sketch_, "The matrix gives no speed of its NICs", usual_gbit(product)) : 0;
        const double pcie_rate = pcie_x16(product.memory_gbps >= 2500 ? 5 : product.memory_gbps >= 1300 ? 4 : 3);
        sketch_.assumed(
            fmt::format("PCIe x16 of the generation that {} has, as the matrix gives no speed", product.name));
        const PartId gpu = sketch_.accelerator(product.name);
        for (const auto& [first, switches] : tree) {
            MachineNode host;
            host.kind = MachineNode::Kind::cpu;
            host.name = fmt::format("CPU {}", machine_.cpus.size());
            host.part =
                sketch_.host(product.name.find("GB") == std::string_view::npos ? "x86 server CPU" : "NVIDIA Grace CPU");
            for (const auto& [head, members] : switches) {
                MachineNode bridge;
                bridge.key = "switch of " + m_.columns[head];
                bridge.up = pcie_rate;
                for (const std::size_t i : members)
                    bridge.children.push_back(leaf(i, gpu, product, nic_speed, pcie_rate));
                host.children.push_back(std::move(bridge));
            }
            machine_.cpus.push_back(std::move(host));
        }
    }

    bool same_affinity(std::size_t a, std::size_t b) const {
        const TopoRow *ra = row(a), *rb = row(b);
        return ra && rb && !ra->cpu_affinity.empty() && ra->cpu_affinity != "N/A" &&
               ra->cpu_affinity == rb->cpu_affinity;
    }

    bool needs_nics() const {
        return std::any_of(m_.columns.begin(), m_.columns.end(), [](const auto& l) { return !is_gpu_label(l); });
    }

    static int usual_gbit(const Product& product) {
        if (product.memory_gbps >= 8000) return 400;
        return product.memory_gbps >= 2500 ? 400 : product.memory_gbps >= 1300 ? 200 : 100;
    }

    MachineNode leaf(std::size_t i, const PartId& gpu, const Product& product, double nic_speed, double pcie_rate) {
        MachineNode node;
        node.key = m_.columns[i];
        node.up = pcie_rate;
        if (is_gpu_label(node.key)) {
            node.kind = MachineNode::Kind::gpu;
            node.name = product.name;
            node.part = gpu;
            return node;
        }
        node.kind = MachineNode::Kind::nic;
        node.name = node.key;
        for (const auto& [label, name] : m_.nic_names)
            if (label == node.key) node.name = name;
        node.part = nic_of_speed(sketch_, nic_speed, "answer to the import's question", Confidence::assumed);
        return node;
    }

    /// NV<n> counts a GPU's links to the switches when every pair has it, else the links of that pair.
    void take_links(const Product& product) {
        std::vector<std::size_t> gpus;
        for (std::size_t i = 0; i < m_.columns.size(); ++i)
            if (is_gpu_label(m_.columns[i])) gpus.push_back(i);
        int pairs = 0, linked = 0, least = 0, most = 0;
        for (std::size_t a = 0; a < gpus.size(); ++a)
            for (std::size_t b = a + 1; b < gpus.size(); ++b) {
                const int links = nvlinks(cell(gpus[a], gpus[b]));
                ++pairs;
                if (links == 0) continue;
                ++linked;
                least = least ? std::min(least, links) : links;
                most = std::max(most, links);
            }
        if (linked == 0) return;
        machine_.per_link = rate_of(product);
        machine_.rate_source = "NVIDIA data sheet: one NVLink, one direction, payload";
        const bool even = linked == pairs && least == most;
        const bool fits_pairwise = most * int(gpus.size() - 1) <= links_of(product);
        if (even && (gpus.size() > 2 ? !fits_pairwise || through_switch(most) : false)) {
            sketch_.converted(fmt::format(
                "NV{} between all pairs is each GPU's links to the NVSwitches, not links to each peer", most));
            for (const std::size_t g : gpus) machine_.peers.push_back({m_.columns[g], "NVSwitch", most, true});
            return;
        }
        for (std::size_t a = 0; a < gpus.size(); ++a)
            for (std::size_t b = a + 1; b < gpus.size(); ++b)
                if (const int links = nvlinks(cell(gpus[a], gpus[b])); links > 0)
                    machine_.peers.push_back({m_.columns[gpus[a]], m_.columns[gpus[b]], links, false});
    }

    bool through_switch(int links) {
        const std::string pairwise = "links of each pair", fabric = "links to switches";
        return sketch_.ask(
                   "nvlink-cells",
                   fmt::format(
                       "All pairs show NV{}. Does it count each GPU's links to switches, or the links of each pair?",
                       links),
                   {fabric, pairwise}, pairwise) == fabric;
    }

    static double rate_of(const Product& product) {
        constexpr double fast = 50e9, usual = 25e9;
        return product.nvlink_gbps >= 900     ? fast
               : product.nvlink_gbps == 56.25 ? 14.0625e9
               : product.nvlink_gbps == 80    ? 20e9
                                              : usual;
    }
    static int links_of(const Product& product) { return int(product.nvlink_gbps * 1e9 / rate_of(product) + 0.5); }

    Sketch& sketch_;
    const TopoMatrix& m_;
    Machine machine_;
    std::vector<const TopoRow*> rows_;  ///< of each column; null where it is not complete
};

}  // namespace

bool is_nvidia_smi_topo(std::string_view text) { return has_topo_matrix(text); }

Result<Imported> import_nvidia_smi_topo(std::string_view text, const ImportOptions& options) {
    const auto matrix = read_topo_matrix(text);
    if (!matrix) return tl::unexpected(matrix.error());
    if (matrix->capability)
        return fail(
            ErrorCode::unsupported,
            "this is an nvidia-smi topo -p2p matrix: which GPUs may access one another, not how they are linked",
            "take the output of nvidia-smi topo -m");
    if (matrix->rows.empty() && !matrix->foreign.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("the cell '{}' is none that nvidia-smi prints", matrix->foreign),
                    "other vendors' tools use the same layout with other words; those are not read");
    if (matrix->rows.empty())
        return fail(ErrorCode::schema, "no row of the matrix is complete",
                    "copy the whole output of nvidia-smi topo -m");
    if (matrix->columns.size() > label_limit)
        return fail(ErrorCode::unsupported,
                    fmt::format("{} columns; at most {} are read", matrix->columns.size(), label_limit));
    Sketch sketch(options, "nvidia-smi-topo", "Imported nvidia-smi topology");
    draw(sketch, Reader(sketch, *matrix).run());
    return sketch.finish();
}

}  // namespace crosspoint
