#include "accuracy/hardware.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint::accuracy {
namespace {

bool has(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

struct Generation {
    const char* word;         ///< in the hardware's name, lower case
    const char* accelerator;  ///< catalogue part
    const char* fabric;       ///< scale-up link part
    FabricKind kind;
    std::int64_t domain;
    double nic_gbps;  ///< usual NIC rate
    double accelerators_per_nic;
};

constexpr const char* network_switch = "non-blocking-network";
constexpr auto switched = FabricKind::switched;
constexpr auto mesh = FabricKind::full_mesh;

/// The first row whose word occurs in the name; special products before the families that they belong to. NVIDIA
/// parts follow their reference servers (DGX, HGX, NVL72), AMD and Intel theirs (eight in a full mesh).
constexpr Generation generations[] = {
    {"gb300", "nvidia-gb300", "nvlink5", switched, 72, 800, 1},
    {"b300", "nvidia-b300-sxm", "nvlink5", switched, 8, 800, 1},
    {"gb200", "nvidia-gb200", "nvlink5", switched, 72, 400, 1},
    {"b200", "nvidia-b200-sxm", "nvlink5", switched, 8, 400, 1},
    {"b100", "nvidia-b200-sxm", "nvlink5", switched, 8, 400, 1},
    {"blackwell", "nvidia-b200-sxm", "nvlink5", switched, 8, 400, 1},
    {"h800", "nvidia-h800-sxm", "nvlink4-h800", switched, 8, 400, 1},
    {"h20 ", "nvidia-h200-sxm", "nvlink4", switched, 8, 400, 1},
    {"h200", "nvidia-h200-sxm", "nvlink4", switched, 8, 400, 1},
    {"gh200", "nvidia-h200-sxm", "nvlink4", switched, 8, 400, 1},
    {"h100", "nvidia-h100-sxm", "nvlink4", switched, 8, 400, 1},
    {"h20", "nvidia-h200-sxm", "nvlink4", switched, 8, 400, 1},
    {"sm90", "nvidia-h100-sxm", "nvlink4", switched, 8, 400, 1},
    {"hopper", "nvidia-h100-sxm", "nvlink4", switched, 8, 400, 1},
    {"a100", "nvidia-a100-sxm-80gb", "nvlink3", switched, 8, 200, 1},
    {"a800", "nvidia-a100-sxm-80gb", "nvlink3", switched, 8, 200, 1},
    {"ampere", "nvidia-a100-sxm-80gb", "nvlink3", switched, 8, 200, 1},
    {"dgx-2", "nvidia-a100-sxm-80gb", "nvlink2", switched, 16, 100, 2},
    {"v100", "nvidia-a100-sxm-80gb", "nvlink2", switched, 8, 100, 2},
    {"mi355", "amd-mi355x", "xgmi-mi355x", mesh, 8, 400, 1},
    {"mi350", "amd-mi355x", "xgmi-mi355x", mesh, 8, 400, 1},
    {"mi325", "amd-mi325x", "xgmi-mi300x", mesh, 8, 400, 1},
    {"mi300", "amd-mi300x", "xgmi-mi300x", mesh, 8, 400, 1},
    {"mi2", "amd-mi300x", "xgmi-mi300x", mesh, 8, 200, 1},
    {"gaudi", "intel-gaudi3", "gaudi3-roce", mesh, 8, 200, 1},
    {"ascend", "nvidia-a100-sxm-80gb", "nvlink3", mesh, 8, 200, 1},
    {"910b", "nvidia-a100-sxm-80gb", "nvlink3", mesh, 8, 200, 1},
    {"p100", "nvidia-a100-sxm-80gb", "nvlink2", switched, 8, 100, 2},
    {"t4", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
    {"l40", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 200, 2},
    {"l20", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 200, 2},
    {"l4", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 200, 2},
    {"a10", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
    {"a40", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
    {"a6000", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
    {"rtx pro", "nvidia-a100-pcie-80gb", "pcie-gen5-x16", switched, 8, 400, 2},
    {"5090", "nvidia-a100-pcie-80gb", "pcie-gen5-x16", switched, 8, 200, 4},
    {"rtx", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
    {"4090", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
    {"3090", "nvidia-a100-pcie-80gb", "pcie-gen4-x16", switched, 8, 100, 4},
};

const Generation* generation_of(std::string_view hardware) {
    const std::string name = lower(hardware);
    for (const Generation& g : generations)
        if (has(name, g.word)) return &g;
    return nullptr;
}

/// What is written about the scale-up fabric, in the order of looking.
struct FabricWord {
    const char* word;
    const char* part;
    FabricKind kind;
};
constexpr FabricWord fabric_words[] = {
    {"nvlink5", "nvlink5", switched},
    {"nvlink 5", "nvlink5", switched},
    {"nvlink4", "nvlink4", switched},
    {"nvlink 4", "nvlink4", switched},
    {"nvlink3", "nvlink3", switched},
    {"nvlink 3", "nvlink3", switched},
    {"nvlink2", "nvlink2", switched},
    {"nvlink 2", "nvlink2", switched},
    {"pcie gen5", "pcie-gen5-x16", switched},
    {"pcie5", "pcie-gen5-x16", switched},
    {"pcie 5", "pcie-gen5-x16", switched},
    {"pcie", "pcie-gen4-x16", switched},
    {"xgmi", "xgmi-mi300x", mesh},
};

/// "8x200 Gb/s", "32 x 100 Gb/s": number and rate of the NICs of one machine.
struct Written {
    std::optional<double> count, gbps;
};
double number_in(const std::ssub_match& digits) { return parse_number(digits.str()).value_or(0); }
Written written_nics(const std::string& text) {
    static const std::regex many("([0-9]+) *x *([0-9]+(?:\\.[0-9]+)?) *(?:gb/s|gbps|gbit|gb|g\\b|gbe)");
    static const std::regex one("([0-9]+(?:\\.[0-9]+)?) *(?:gb/s|gbps|gbit|gbe)");
    static const std::regex per_node("\\(?([0-9]+) per node");
    Written w;
    std::smatch found;
    if (std::regex_search(text, found, many)) {
        w.count = number_in(found[1]);
        w.gbps = number_in(found[2]);
    } else if (std::regex_search(text, found, one)) {
        w.gbps = number_in(found[1]);
        if (std::regex_search(text, found, per_node)) w.count = number_in(found[1]);
    }
    return w;
}

struct NetworkClass {
    const char* word;
    const char* link;
    double gbps;  ///< of one NIC as the part has it; 0 = any
};
/// In the order of looking; a rate of 0 matches any, else the rate that is written must be the part's.
constexpr NetworkClass networks[] = {
    {"efa v1", "efa-v1-100g", 0},      {"efa v2", "efa-v2-100g", 0},      {"efa v3", "efa-v3-200g", 0},
    {"efa v4", "efa-v4-400g", 0},      {"efa", "efa-v2-100g", 100},       {"efa", "efa-v3-200g", 200},
    {"efa", "efa-v4-400g", 0},         {"tcpx", "tcpxo-200g", 0},         {"roce", "roce-400g", 0},
    {"ethernet", "ethernet-400g", 0},  {"gbe", "ethernet-400g", 0},       {"tcp", "ethernet-400g", 0},
    {"edr", "infiniband-edr-100g", 0}, {"hdr", "infiniband-hdr-200g", 0}, {"ndr", "infiniband-ndr-400g", 0},
    {"xdr", "infiniband-xdr-800g", 0}, {"", "infiniband-edr-100g", 100},  {"", "infiniband-hdr-200g", 200},
    {"", "infiniband-ndr-400g", 400},  {"", "infiniband-xdr-800g", 800},  {"", "infiniband-ndr-400g", 0},
};

PartId network_of(const std::string& text, double gbps) {
    for (const NetworkClass& n : networks)
        if (has(text, n.word) && (n.gbps == 0 || n.gbps == gbps)) return PartId(n.link);
    return PartId("infiniband-ndr-400g");
}

/// The NIC part nearest to a rate from above.
PartId nic_of(const Catalogue& catalogue, BytesPerSecond rate) {
    PartId best;
    double nearest = 0;
    for (const NicPart& nic : catalogue.nics) {
        const double nominal = nic.bandwidth.nominal.value.si();
        if (nominal < rate.si() * 0.999 || (!best.empty() && nominal >= nearest)) continue;
        best = nic.id;
        nearest = nominal;
    }
    if (best.empty())
        for (const NicPart& nic : catalogue.nics)
            if (nic.bandwidth.nominal.value.si() > nearest) best = nic.id, nearest = nic.bandwidth.nominal.value.si();
    return best;
}

/// Draws machines of `size` accelerators in one domain each.
class Drawing {
public:
    Drawing(const ScaleUp& up, PartId accelerator, bool joined)
        : up_(up), accelerator_(std::move(accelerator)), joined_(joined) {}

    void domains(std::int64_t count, std::int64_t size) {
        Interconnect fabric;
        fabric.kind = up_.kind;
        fabric.part = up_.part;
        Container node{node_, {}, ContainerKind::node, "Node", count, {}, {}};
        if (joined_) node.interconnect = fabric;
        t_.containers.put(node);
        size_ = size;
    }
    void accelerators() { t_.devices.put(device("gpu", node_, DeviceKind::accelerator, accelerator_, size_)); }

    /// Accelerators and NICs in groups that share a path, all NICs to one non-blocking fabric.
    void network(const ScaleOut& out, const PartId& switch_part) {
        const std::int64_t groups = std::gcd(size_, out.nics);
        const ContainerId group("part");
        t_.containers.put({group, node_, ContainerKind::group, "Part", groups, {}, {}});
        t_.devices.put(device("gpu", group, DeviceKind::accelerator, accelerator_, size_ / groups));
        t_.devices.put(device("nic", group, DeviceKind::nic, out.nic, out.nics / groups));
        t_.devices.put(device("leaf", {}, DeviceKind::network_switch, switch_part, 1));
        link("pcie", "gpu", "nic", PartId("pcie-gen5-x16"), std::max<std::int64_t>(1, out.nics / size_));
        link("cable", "nic", "leaf", out.link, 1);
        if (out.nominal_override) override_rate(*out.nominal_override);
    }

    [[nodiscard]] Topology take() { return std::move(t_); }

private:
    static Device device(const char* id, std::optional<ContainerId> parent, DeviceKind kind, const PartId& part,
                         std::int64_t count) {
        return {DeviceId(id), std::move(parent), kind, part, id, count, {}, {}};
    }
    void link(const char* id, const char* a, const char* b, const PartId& part, std::int64_t lanes) {
        Link l;
        l.id = LinkId(id);
        l.a = DeviceId(a);
        l.b = DeviceId(b);
        l.part = part;
        l.wiring = Wiring::each_to_each;
        l.lanes = int(lanes);
        t_.links.put(l);
    }
    void override_rate(BytesPerSecond rate) {
        Link l = *t_.links.find(LinkId("cable"));
        l.bandwidth = rate;
        t_.links.put(l);
    }

    const ScaleUp& up_;
    PartId accelerator_;
    bool joined_;
    ContainerId node_{"node"};
    std::int64_t size_ = 0;
    Topology t_;
};

}  // namespace

void add_network_switch(Catalogue& catalogue) {
    SwitchPart whole;
    if (const SwitchPart* real = catalogue.switches.find(PartId("quantum-2-ndr-64"))) whole = *real;
    whole.id = PartId(network_switch);
    whole.name = "non-blocking network";
    whole.radix = 10'000'000;
    catalogue.switches.put(whole);
}

std::optional<PartId> accelerator_of(std::string_view hardware) {
    const Generation* g = generation_of(hardware);
    return g ? std::optional(PartId(g->accelerator)) : std::nullopt;
}

std::optional<ScaleUp> scale_up_of(std::string_view hardware, std::string_view fabric) {
    const Generation* g = generation_of(hardware);
    const std::string text = lower(fabric), name = lower(hardware);
    const bool pcie = has(name, "pcie") || (has(text, "pcie") && !has(text, "nvlink") && !has(text, "xgmi"));
    if (g && !pcie) return ScaleUp{PartId(g->fabric), g->kind, g->domain};
    if (g) {
        const bool fifth = has(text, "5") || g->nic_gbps >= 400;
        return ScaleUp{PartId(fifth ? "pcie-gen5-x16" : "pcie-gen4-x16"), switched, 8};
    }
    for (const FabricWord& f : fabric_words)
        if (has(text, f.word)) return ScaleUp{PartId(f.part), f.kind, 8};
    return std::nullopt;
}

ScaleOut scale_out_of(std::string_view hardware, std::string_view network, std::int64_t accelerators_per_machine,
                      const Catalogue& catalogue) {
    const Generation* g = generation_of(hardware);
    const std::string text = lower(network);
    const Written written = written_nics(text);
    const double gbps = written.gbps.value_or(g ? g->nic_gbps : 400);
    const double usual = double(accelerators_per_machine) / (g ? g->accelerators_per_nic : 1);
    ScaleOut out;
    out.nics = std::clamp<std::int64_t>(std::llround(written.count.value_or(usual)), 1, 1024);
    out.link = network_of(text, gbps);
    const LinkPart* part = catalogue.links.find(out.link);
    const BytesPerSecond rate(gbps * 1.25e8);
    if (part && written.gbps) {
        const auto& bandwidth = part->bandwidth;
        const double other = rate.si() / bandwidth.nominal.value.si();
        // A rate that no part of the class has: the class's usable share of it.
        if (std::abs(other - 1) > 0.02) out.nominal_override = bandwidth.usable_or_nominal().value * other;
    }
    out.nic = nic_of(catalogue, rate);
    return out;
}

namespace {

/// How the ranks lie: `used` in each of `domains` domains of `size`.
struct Layout {
    std::int64_t domains = 1, used = 1, size = 8;
};

tl::expected<Layout, std::string> layout_of(const MachineRequest& r, const ScaleUp& up) {
    if (r.ranks < 1 || r.ranks > 1000000) return tl::unexpected(fmt::format("{} ranks", r.ranks));
    Layout l;
    l.size = r.domain > 0 ? r.domain : up.domain;
    std::int64_t nodes = r.nodes > 0 ? r.nodes : (r.ranks + l.size - 1) / l.size;
    if (nodes > r.ranks) return tl::unexpected(fmt::format("{} ranks on {} machines", r.ranks, nodes));
    l.used = r.used_per_node > 0 ? r.used_per_node : r.ranks / nodes;
    if (l.used * nodes != r.ranks)
        return tl::unexpected(fmt::format("{} ranks do not fill {} machines evenly", r.ranks, nodes));
    if (up.domain > 8 && l.size % l.used == 0 && nodes > 1) {  // several machines in one domain, as in NVL72
        const std::int64_t together = std::min(nodes, l.size / l.used);
        if (nodes % together != 0)
            return tl::unexpected(fmt::format("{} machines do not fill domains of {} evenly", nodes, l.size));
        l.used *= together;
        nodes /= together;
    }
    l.domains = nodes;
    l.size = std::max(l.size, l.used);
    return l;
}

}  // namespace

tl::expected<Machine, std::string> machine_of(const MachineRequest& request, const Catalogue& catalogue) {
    const auto up = scale_up_of(request.hardware, request.scale_up);
    if (!up) return tl::unexpected(fmt::format("the hardware '{}' is not known", request.hardware));
    if (!catalogue.links.contains(up->part))
        return tl::unexpected(fmt::format("the catalogue has no link '{}'", up->part.value));
    const auto layout = layout_of(request, *up);
    if (!layout) return tl::unexpected(layout.error());
    Drawing drawing(*up, accelerator_of(request.hardware).value_or(PartId("nvidia-h100-sxm")), !request.no_scale_up);
    drawing.domains(layout->domains, layout->size);
    Machine machine;
    if (layout->domains == 1 && !request.no_scale_up) {
        drawing.accelerators();
        machine.ranks.members = {{layout->used, 1}};
        machine.how = fmt::format("{} of {} on {}", layout->used, layout->size, up->part.value);
    } else {
        const ScaleOut out = scale_out_of(request.hardware, request.scale_out, layout->size, catalogue);
        if (!catalogue.links.contains(out.link))
            return tl::unexpected(fmt::format("the catalogue has no link '{}'", out.link.value));
        drawing.network(out, PartId(network_switch));
        machine.ranks.members = {{layout->used, 1}, {layout->domains, layout->size}};
        machine.how = fmt::format("{} x {} on {}, {} NICs {}", layout->domains, layout->used, up->part.value, out.nics,
                                  out.link.value);
    }
    machine.topology = drawing.take();
    return machine;
}

}  // namespace crosspoint::accuracy
