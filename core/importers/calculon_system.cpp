// Calculon systems: "networks" from the smallest to the largest, each with its bandwidth (GB/s, one direction, per
// accelerator), efficiency, size and latency (s); "matrix" and "vector" peaks; "mem1" (accelerator) and "mem2" (host).
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/rails.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double giga = 1e9, tera = 1e12, gibi = 1073741824.0;

struct CalculonNetwork {
    double bytes_per_s = 0, efficiency = 1, latency_s = 0;
    std::int64_t size = 1;
    int line = 0;
};

Result<CalculonNetwork> network_of(const TextTree& item) {
    CalculonNetwork network;
    network.line = item.line;
    const auto bandwidth = positive_member(item, "bandwidth", "GB/s, one direction");
    if (!bandwidth) return tl::unexpected(bandwidth.error());
    const TextTree* size = item.find("size");
    const auto count = size ? count_of(*size, "size") : fail_at(item.line, ErrorCode::schema, "'size' is missing");
    if (!count) return tl::unexpected(count.error());
    network.bytes_per_s = *bandwidth * giga;
    network.size = *count;
    if (const TextTree* efficiency = item.find("efficiency")) {
        const auto share = efficiency->number();
        if (!share || *share <= 0 || *share > 1)
            return fail_at(
                efficiency->line, ErrorCode::schema,
                fmt::format("'efficiency' is {}, where a share in (0, 1] is needed", efficiency->describe()));
        network.efficiency = *share;
    }
    if (const TextTree* latency = item.find("latency")) {
        const auto time = latency->number();
        if (!time || *time < 0) return fail_at(latency->line, ErrorCode::schema, "'latency' is no time in seconds");
        network.latency_s = *time;
    }
    return network;
}

Result<std::vector<CalculonNetwork>> networks_of(const TextTree& root) {
    const TextTree* list = root.find("networks");
    if (!list || !list->is_list() || list->items.empty())
        return fail_at(root.line, ErrorCode::schema, "'networks' is missing or empty");
    std::vector<CalculonNetwork> result;
    for (const TextTree& item : list->items) {
        const auto network = network_of(item);
        if (!network) return tl::unexpected(network.error());
        result.push_back(*network);
    }
    std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
    return result;
}

class CalculonBuilder {
public:
    CalculonBuilder(const TextTree& root, const ImportOptions& options, Sketch& sketch)
        : root_(root), options_(options), sketch_(sketch) {}

    Result<void> run() {
        const auto networks = networks_of(root_);
        if (!networks) return tl::unexpected(networks.error());
        system_.source = "Calculon system file";
        if (auto ok = add_accelerator(); !ok) return ok;
        add_domain(networks->front());
        std::int64_t below = system_.domain;
        for (std::size_t i = 1; i < networks->size(); ++i) {
            if (auto ok = add_tier((*networks)[i], below); !ok) return ok;
            below = (*networks)[i].size;
        }
        draw_rails(system_, sketch_);
        say_ignored();
        return {};
    }

private:
    Result<void> add_accelerator() {
        const TextTree* memory = root_.find("mem1");
        const TextTree* matrix = root_.find("matrix");
        if (!memory || !matrix) return fail_at(root_.line, ErrorCode::schema, "'mem1' or 'matrix' is missing");
        const auto size = positive_member(*memory, "GiB", "GiB");
        const auto rate = positive_member(*memory, "GBps", "GB/s");
        if (!size) return tl::unexpected(size.error());
        if (!rate) return tl::unexpected(rate.error());
        Sketch::AcceleratorFigures figures;
        figures.name = "Accelerator of the Calculon file";
        figures.source = system_.source;
        figures.memory = Bytes(*size * gibi);
        figures.memory_bandwidth = BytesPerSecond(*rate * giga);
        for (const auto& [key, value] : matrix->members) {
            const auto peak = positive_member(value, "tflops", "TFLOP/s");
            if (!peak) return tl::unexpected(peak.error());
            for (const Dtype dtype : dtypes_of(key)) figures.dense_peak[dtype] = FlopsPerSecond(*peak * tera);
        }
        system_.accelerator = sketch_.own_accelerator(figures);
        system_.accelerator_name = figures.name;
        return {};
    }

    std::vector<Dtype> dtypes_of(const std::string& name) {
        if (name == "float16" || name == "bfloat16") return {Dtype::fp16, Dtype::bf16};
        if (name == "float8") return {Dtype::fp8};
        if (name == "float32") return {Dtype::fp32};
        if (name == "int8") return {Dtype::int8};
        sketch_.ignored(fmt::format("the peak of '{}'", name));
        return {};
    }

    [[nodiscard]] static BytesPerSecond usable(const CalculonNetwork& n) {
        return BytesPerSecond(n.bytes_per_s * n.efficiency);
    }

    void say(const CalculonNetwork& n) {
        sketch_.converted(
            fmt::format("the network of {}: {} GB/s one direction, per accelerator, times efficiency {} is {} "
                        "usable; {} s a step",
                        n.size, shortest(n.bytes_per_s / giga), shortest(n.efficiency), format(usable(n)),
                        shortest(n.latency_s)),
            fmt::format("line {}", n.line));
    }

    void add_domain(const CalculonNetwork& first) {
        say(first);
        system_.domain = first.size;
        if (first.size < 2) return;
        Interconnect fabric;
        fabric.part = sketch_.link("nvlink", "First network of the Calculon file", BytesPerSecond(first.bytes_per_s),
                                   system_.source);
        fabric.bandwidth = usable(first);
        if (first.latency_s > 0) fabric.step = Seconds(first.latency_s);
        system_.fabric = fabric;
    }

    Result<void> add_tier(const CalculonNetwork& network, std::int64_t below) {
        if (network.size % below != 0)
            return fail_at(network.line, ErrorCode::unsupported,
                           fmt::format("a network of {} cannot be made of networks of {}", network.size, below));
        if (network.size == below) {
            sketch_.ignored("a second network of the same size", fmt::format("line {}", network.line));
            return {};
        }
        say(network);
        std::int64_t units = network.size / below;
        constexpr std::int64_t usual = 16;
        if (units > usual) units = ask_size(units, below);
        RailTier tier;
        tier.units = units;
        tier.rate = usable(network);
        tier.latency = Seconds(network.latency_s / 2);
        tier.family = "infiniband";
        tier.name = fmt::format("Network {}", system_.tiers.size() + 2);
        system_.tiers.push_back(std::move(tier));
        return {};
    }

    /// "size" is the most that the network can hold, not what is there.
    std::int64_t ask_size(std::int64_t most, std::int64_t below) {
        std::vector<std::string> choices;
        for (std::int64_t n = 1; n < most; n *= 2) choices.push_back(fmt::format("{}", n));
        choices.push_back(fmt::format("{}", most));
        const std::string answer = sketch_.ask(
            fmt::format("units-of-{}", below),
            fmt::format("How many units of {} accelerators are there? The file gives only the most: {}.", below, most),
            choices, "16");
        if (!options_.answers.contains(fmt::format("units-of-{}", below)))
            sketch_.assumed(fmt::format("{} units of {} accelerators; the file gives only the most that can be: {}",
                                        answer, below, most));
        return std::int64_t(parse_number(answer).value_or(1));
    }

    void say_ignored() {
        sketch_.ignored(
            "efficiency by size of an operation (gflops_efficiency, MB_efficiency): the catalogue's curves are used");
        sketch_.ignored("ops, processor_usage, processing_mode, must_be_filled: Calculon's own model of a collective");
        for (const auto& [key, value] : root_.members)
            if (key == "vector" || key == "mem2")
                sketch_.ignored(fmt::format("'{}'", key), fmt::format("line {}", value.line));
    }

    const TextTree& root_;
    const ImportOptions& options_;
    Sketch& sketch_;
    RailSystem system_;
};

}  // namespace

bool is_calculon_system(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    return skip_blanks(head).starts_with("{") && has_key(head, "networks") && has_key(head, "mem1") &&
           has_key(head, "matrix");
}

Result<Imported> import_calculon_system(std::string_view text, const ImportOptions& options) {
    const auto root = read_tree(text);
    if (!root) return tl::unexpected(root.error());
    Sketch sketch(options, "calculon-system", "Calculon system");
    if (auto ok = CalculonBuilder(*root, options, sketch).run(); !ok) return tl::unexpected(ok.error());
    return sketch.finish();
}

}  // namespace crosspoint
