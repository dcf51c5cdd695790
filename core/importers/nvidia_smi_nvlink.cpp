// `nvidia-smi nvlink -s` (rates) and `-R` (far ends): the links of each GPU, and nothing about CPUs or NICs.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/importers/gpu_questions.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double giga = 1e9;

struct GpuLinks {
    std::string name;
    std::vector<double> rates;  ///< GB/s as printed, of active links
    int inactive = 0;
    std::map<std::string, int> remotes;  ///< far end -> links
};

/// "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-...)" -> its name; empty for other lines.
std::string gpu_name(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with("GPU ")) return {};
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos || !whole_number(line.substr(4, colon - 4))) return {};
    const auto uuid = line.find(" (UUID");
    return std::string(trimmed(line.substr(colon + 2, uuid == std::string_view::npos ? uuid : uuid - colon - 2)));
}

void take_link(std::string_view line, GpuLinks& gpu) {
    line = trimmed(line);
    if (!line.starts_with("Link ")) return;
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) return;
    const std::string_view value = trimmed(line.substr(colon + 2));
    constexpr std::string_view remote = "Remote Device ";
    if (value.starts_with(remote)) {
        const auto words = words_of(value.substr(remote.size()));
        if (!words.empty()) ++gpu.remotes[std::string(words[0].substr(0, words[0].find_last_not_of(":,") + 1))];
    } else if (value.find("inactive") != std::string_view::npos) ++gpu.inactive;
    else if (const auto words = words_of(value); words.size() >= 2 && words[1] == "GB/s") {
        const auto rate = parse_number(words[0]);
        if (rate && *rate > 0 && *rate < 1e5) gpu.rates.push_back(*rate);
    }
}

std::vector<GpuLinks> read(std::string_view text) {
    std::vector<GpuLinks> gpus;
    for (const auto line : lines_of(text)) {
        if (std::string name = gpu_name(line); !name.empty()) {
            // `-s` and `-R` pasted together list every GPU twice.
            gpus.push_back({std::move(name), {}, 0, {}});
        } else if (!gpus.empty()) take_link(line, gpus.back());
    }
    return gpus;
}

/// Payload of a link whose signalling rate is printed.
double payload(double printed) {
    struct Rate {
        double signalling, payload;
    };
    for (const Rate& r : {Rate{19.531, 18.75}, {25.781, 25}, {26.562, 25}, {53.125, 50}})
        if (printed > r.signalling - 0.01 && printed < r.signalling + 0.01) return r.payload;
    return printed;
}

/// The second half merged into the first where both list the same GPUs.
void merge_halves(std::vector<GpuLinks>& gpus) {
    const std::size_t half = gpus.size() / 2;
    if (gpus.size() < 2 || gpus.size() % 2 != 0) return;
    const bool first_rates = !gpus[0].rates.empty(), second_remotes = !gpus[half].remotes.empty();
    if (!first_rates || !second_remotes || !gpus[half].rates.empty()) return;
    for (std::size_t i = 0; i < half; ++i) gpus[i].remotes = gpus[half + i].remotes;
    gpus.resize(half);
}

/// Bus ids of the GPUs in their order, where the far ends are the GPUs themselves: nvidia-smi numbers GPUs by bus id.
std::map<std::string, std::string> direct_ends(const std::vector<GpuLinks>& gpus) {
    std::set<std::string> ends;
    for (const auto& gpu : gpus)
        for (const auto& [remote, count] : gpu.remotes) ends.insert(remote);
    if (ends.size() != gpus.size() || gpus.size() < 2) return {};
    std::map<std::string, std::string> label;
    std::size_t i = 0;
    for (const auto& end : ends) {
        if (gpus[i].remotes.contains(end)) return {};
        label[end] = fmt::format("GPU{}", i++);
    }
    return label;
}

Result<Imported> build(std::vector<GpuLinks> gpus, const ImportOptions& options) {
    constexpr std::size_t limit = 1024;
    merge_halves(gpus);
    if (gpus.size() > limit)
        return fail(ErrorCode::unsupported,
                    fmt::format("{} GPUs in one machine; at most {} are read", gpus.size(), limit));
    Sketch sketch(options, "nvidia-smi-nvlink", "Imported nvidia-smi NVLink status");
    Machine machine;
    machine.name = "Node";
    sketch.ignored("CPUs and NICs: the text does not list them; PCIe is drawn from the GPUs to one assumed CPU");
    MachineNode host;
    host.kind = MachineNode::Kind::cpu;
    host.name = "CPU";
    host.part = sketch.host("x86 server CPU");
    double rate = 0;
    bool remotes = false;
    const auto direct = direct_ends(gpus);
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        MachineNode node;
        node.kind = MachineNode::Kind::gpu;
        node.key = fmt::format("GPU{}", i);
        node.name = gpus[i].name;
        node.part = sketch.accelerator(gpus[i].name);
        host.children.push_back(std::move(node));
        if (gpus[i].inactive > 0)
            sketch.warn(fmt::format("{} inactive links are left out", gpus[i].inactive), fmt::format("GPU{}", i));
        for (const double r : gpus[i].rates) rate = rate > 0 ? std::min(rate, r) : r;
        remotes |= !gpus[i].remotes.empty();
        const int links = gpus[i].rates.empty() ? 0 : int(gpus[i].rates.size());
        int listed = 0;
        for (const auto& [remote, count] : gpus[i].remotes) {
            const auto peer = direct.find(remote);
            const bool is_switch = peer == direct.end();
            machine.peers.push_back({fmt::format("GPU{}", i), is_switch ? remote : peer->second, count, is_switch});
            listed += count;
        }
        if (listed == 0 && links > 0) machine.peers.push_back({fmt::format("GPU{}", i), "NVSwitch", links, true});
    }
    machine.cpus.push_back(std::move(host));
    const Product* product = product_by_name(gpus.front().name);
    const double by_product = product && product->nvlink_gbps >= 900 ? 50 : 25;
    machine.per_link = (rate > 0 ? payload(rate) : by_product) * giga;
    machine.rate_source = "nvidia-smi nvlink: one link, one direction, payload";
    if (rate > 0 && payload(rate) != rate)
        sketch.converted(
            fmt::format("{} GB/s a link and direction is the signalling rate; payload {} GB/s", rate, payload(rate)));
    if (rate <= 0)
        sketch.assumed(fmt::format("{} GB/s payload a link and direction, as the text gives no rate", by_product));
    if (machine.peers.empty()) sketch.warn("no link is active: no scale-up domain is drawn");
    else if (!direct.empty()) sketch.assumed("the far ends are the GPUs themselves, numbered by bus id");
    else if (remotes) sketch.assumed("far ends that are no GPU of the text are NVSwitches");
    else sketch.assumed("all links lead to NVSwitches that join all GPUs of the text (-R lists the far ends)");
    draw(sketch, std::move(machine));
    return sketch.finish();
}

}  // namespace

bool is_nvidia_smi_nvlink(std::string_view text) {
    bool gpu = false;
    for (const auto line : lines_of(text.substr(0, 65536))) {
        gpu |= !gpu_name(line).empty();
        const auto words = words_of(line);
        if (gpu && words.size() >= 3 && words[0] == "Link" && words[1].ends_with(":")) return true;
    }
    return false;
}

Result<Imported> import_nvidia_smi_nvlink(std::string_view text, const ImportOptions& options) {
    auto gpus = read(without_escapes(text));
    if (gpus.empty())
        return fail(ErrorCode::schema, "there is no line 'GPU 0: name (UUID: ...)'",
                    "copy the whole output of nvidia-smi nvlink -s");
    return build(std::move(gpus), options);
}

}  // namespace crosspoint
