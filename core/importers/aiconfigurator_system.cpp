// aiconfigurator systems: "gpu" and "node" maps in SI units without suffix (bytes, bytes/s, FLOP/s, s). Bandwidths are
// one direction, per GPU. Where nodes of a rack share its scale-up fabric, inter_node_bw equals intra_node_bw.
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/products.hpp"
#include "core/importers/rails.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

struct FlopsKey {
    std::string_view key;
    Dtype dtype;
};
constexpr FlopsKey flops_keys[] = {{"bfloat16_tc_flops", Dtype::bf16}, {"float16_tc_flops", Dtype::fp16},
                                   {"int8_tc_flops", Dtype::int8},     {"fp8_tc_flops", Dtype::fp8},
                                   {"fp4_tc_flops", Dtype::fp4},       {"float32_tc_flops", Dtype::fp32}};

class SystemBuilder {
public:
    SystemBuilder(const TextTree& root, const ImportOptions& options, Sketch& sketch)
        : gpu_(*root.find("gpu")), node_(*root.find("node")), root_(root), options_(options), sketch_(sketch) {}

    Result<void> run() {
        system_.source = "aiconfigurator system file";
        if (auto ok = add_accelerator(); !ok) return ok;
        if (auto ok = read_node(); !ok) return ok;
        add_domain();
        add_tiers();
        draw_rails(system_, sketch_);
        say_ignored();
        return {};
    }

private:
    /// "data/gb200" names the product.
    [[nodiscard]] std::string product() const {
        const TextTree* dir = root_.find("data_dir");
        if (!dir || !dir->is_scalar()) return "GPU";
        const auto slash = dir->text.rfind('/');
        std::string name = slash == std::string::npos ? dir->text : dir->text.substr(slash + 1);
        std::replace(name.begin(), name.end(), '_', ' ');
        return name.empty() ? "GPU" : name;
    }

    Result<void> add_accelerator() {
        const auto memory = positive_member(gpu_, "mem_capacity", "bytes");
        const auto rate = positive_member(gpu_, "mem_bw", "bytes/s");
        if (!memory) return tl::unexpected(memory.error());
        if (!rate) return tl::unexpected(rate.error());
        Sketch::AcceleratorFigures figures;
        const Product* known = product_by_name(product());
        figures.name = fmt::format("{} (aiconfigurator)", known ? std::string(known->name) : product());
        figures.vendor = known ? std::string(known->vendor) : "";
        figures.source = system_.source;
        figures.memory = Bytes(*memory);
        figures.memory_bandwidth = BytesPerSecond(*rate);
        for (const FlopsKey& flops : flops_keys) {
            if (!gpu_.find(flops.key)) continue;
            const auto peak = positive_member(gpu_, flops.key, "FLOP/s");
            if (!peak) return tl::unexpected(peak.error());
            figures.dense_peak[flops.dtype] = FlopsPerSecond(*peak);
            if (flops.dtype == Dtype::bf16) figures.dense_peak.emplace(Dtype::fp16, FlopsPerSecond(*peak));
        }
        system_.accelerator = sketch_.own_accelerator(figures);
        system_.accelerator_name = figures.name;
        return {};
    }

    Result<void> read_node() {
        const TextTree* count = node_.find("num_gpus_per_node");
        if (!count) return fail_at(node_.line, ErrorCode::schema, "'num_gpus_per_node' is missing");
        const auto gpus = count_of(*count, "num_gpus_per_node");
        if (!gpus) return tl::unexpected(gpus.error());
        per_node_ = *gpus;
        if (const TextTree* rack = node_.find("num_gpus_per_rack")) {
            const auto all = count_of(*rack, "num_gpus_per_rack");
            if (!all) return tl::unexpected(all.error());
            if (*all % per_node_ != 0)
                return fail_at(rack->line, ErrorCode::schema,
                               fmt::format("a rack of {} GPUs is not made of nodes of {}", *all, per_node_));
            per_rack_ = *all;
        }
        for (auto [key, target] : {std::pair("intra_node_bw", &intra_), std::pair("inter_node_bw", &inter_),
                                   std::pair("inter_rack_bw", &rack_), std::pair("pcie_bw", &pcie_)}) {
            if (!node_.find(key)) continue;
            const auto rate = positive_member(node_, key, "bytes/s, one direction, per GPU");
            if (!rate) return tl::unexpected(rate.error());
            *target = *rate;
            constexpr double least = 1e8;  // a file in GB/s
            if (*rate < least)
                return fail_at(node_.find(key)->line, ErrorCode::schema,
                               fmt::format("'{}' is {} bytes/s, too little for any link", key, shortest(*rate)),
                               "give it in bytes/s");
        }
        if (intra_ <= 0) return fail_at(node_.line, ErrorCode::schema, "'intra_node_bw' is missing");
        return {};
    }

    void say(std::string_view key, double rate) {
        sketch_.converted(fmt::format("{} = {} bytes/s is {} one direction, per GPU", key, shortest(rate),
                                      format(BytesPerSecond(rate))),
                          fmt::format("line {}", node_.find(key)->line));
    }

    /// The node, or the rack where its nodes are on the same fabric.
    void add_domain() {
        const bool rack = per_rack_ > per_node_ && inter_ == intra_;
        system_.domain = rack ? per_rack_ : per_node_;
        system_.per_node = per_node_;
        say("intra_node_bw", intra_);
        if (rack) sketch_.assumed("inter_node_bw equals intra_node_bw: the nodes of a rack share its scale-up fabric");
        if (system_.domain < 2) return;
        const bool pcie = pcie_ > 0 && intra_ <= pcie_;
        Interconnect fabric;
        fabric.part = sketch_.link(pcie ? "pcie" : "nvlink", pcie ? "PCIe between GPUs" : "Scale-up link",
                                   BytesPerSecond(intra_), system_.source);
        if (pcie) sketch_.assumed("the GPUs reach each other over PCIe, drawn as one switch without blocking");
        system_.fabric = fabric;
    }

    void add_tiers() {
        const bool inside = system_.domain == per_rack_ && per_rack_ > 0;
        if (!inside && inter_ > 0) {
            const std::int64_t nodes = per_rack_ > per_node_ ? per_rack_ / per_node_ : ask_units("node", per_node_);
            add_tier("inter_node_bw", inter_, nodes);
        }
        if (rack_ > 0) add_tier("inter_rack_bw", rack_, ask_units("rack", std::max(per_rack_, per_node_)));
    }

    void add_tier(std::string_view key, double rate, std::int64_t units) {
        say(key, rate);
        RailTier tier;
        tier.units = units;
        tier.rate = BytesPerSecond(rate);
        tier.family = "infiniband";
        tier.name = key == "inter_rack_bw" ? "Between racks" : "Between nodes";
        tier.exact = false;
        system_.tiers.push_back(std::move(tier));
    }

    std::int64_t ask_units(std::string_view what, std::int64_t size) {
        std::vector<std::string> choices;
        constexpr int most = 4096;
        for (int n = 1; n <= most; n *= 2) choices.push_back(fmt::format("{}", n));
        const std::string id = fmt::format("{}s", what);
        const std::string answer = sketch_.ask(
            id, fmt::format("How many {}s of {} GPUs are there? The file describes one.", what, size), choices, "4");
        if (!options_.answers.contains(id))
            sketch_.assumed(fmt::format("{} {}s; the file describes one", answer, what));
        return std::int64_t(parse_number(answer).value_or(1));
    }

    void say_ignored() {
        for (const TextTree* map : {&gpu_, &node_}) {
            for (const auto& [key, value] : map->members) {
                const bool used = key.ends_with("_bw") || key.ends_with("_flops") || key.starts_with("num_gpus") ||
                                  key == "mem_capacity";
                if (!used || (key == "pcie_bw"))
                    sketch_.ignored(fmt::format("'{}'", key), fmt::format("line {}", value.line));
            }
        }
        for (const auto& [key, value] : root_.members)
            if (key != "gpu" && key != "node" && key != "data_dir")
                sketch_.ignored(fmt::format("'{}'", key), fmt::format("line {}", value.line));
    }

    const TextTree& gpu_;
    const TextTree& node_;
    const TextTree& root_;
    const ImportOptions& options_;
    Sketch& sketch_;
    RailSystem system_;
    std::int64_t per_node_ = 1, per_rack_ = 0;
    double intra_ = 0, inter_ = 0, rack_ = 0, pcie_ = 0;
};

}  // namespace

bool is_aiconfigurator_system(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    return has_key(head, "gpu") && has_key(head, "node") &&
           (has_key(head, "intra_node_bw") || has_key(head, "num_gpus_per_node"));
}

Result<Imported> import_aiconfigurator_system(std::string_view text, const ImportOptions& options) {
    const auto root = read_tree(text);
    if (!root) return tl::unexpected(root.error());
    for (const std::string_view key : {"gpu", "node"})
        if (const TextTree* map = root->find(key); !map || !map->is_map())
            return fail_at(root->line, ErrorCode::schema, fmt::format("the map '{}' is missing", key));
    Sketch sketch(options, "aiconfigurator-system", "aiconfigurator system");
    if (auto ok = SystemBuilder(*root, options, sketch).run(); !ok) return tl::unexpected(ok.error());
    return sketch.finish();
}

}  // namespace crosspoint
