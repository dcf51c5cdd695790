#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/importers/machine.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

using Kind = MachineNode::Kind;
constexpr double giga = 1e9;

class Artist {
public:
    Artist(Sketch& sketch, Machine machine) : sketch_(sketch), machine_(std::move(machine)) {}

    void run() {
        simplify(sketch_, machine_);
        scale_up_ = scale_up_of(sketch_, machine_);
        const auto gpus = gpus_of(machine_);
        for (std::size_t i = 0; i < gpus.size(); ++i) number_[gpus[i]] = int(i);
        domain_of_.assign(gpus.size(), -1);
        for (std::size_t g = 0; g < scale_up_.groups.size(); ++g)
            for (const int gpu : scale_up_.groups[g]) domain_of_[std::size_t(gpu)] = int(g);
        one_domain_ = scale_up_.groups.size() == 1 && scale_up_.groups[0].size() == gpus.size();
        folded_ = one_domain_ || scale_up_.form == ScaleUp::Form::none;
        Container node{{}, {}, ContainerKind::node, machine_.name, 1, {}, {}};
        if (one_domain_) node.interconnect = interconnect(0);
        node_ = sketch_.add("node", std::move(node));
        draw_domains();
        for (auto& cpu : machine_.cpus) draw_cpu(cpu);
        join_sockets();
        draw_peer_links();
    }

private:
    [[nodiscard]] Interconnect interconnect(std::size_t group) {
        const bool mesh = scale_up_.form == ScaleUp::Form::mesh;
        Interconnect fabric;
        fabric.kind = mesh ? FabricKind::full_mesh : FabricKind::switched;
        fabric.planes = scale_up_.planes;
        const BytesPerSecond bandwidth(scale_up_.bandwidth[group]);
        const std::string source = machine_.peers.empty() ? machine_.domain_source : machine_.rate_source;
        fabric.part = sketch_.link(machine_.family,
                                   fmt::format("{} {} ({})", machine_.family == "xgmi" ? "xGMI" : "NVLink",
                                               format(bandwidth), mesh ? "mesh" : "switched"),
                                   bandwidth, source);
        return fabric;
    }

    void draw_domains() {
        if (one_domain_) return;
        for (std::size_t g = 0; g < scale_up_.groups.size(); ++g) {
            Container domain{{}, node_, ContainerKind::group, fmt::format("Domain {}", g), 1, interconnect(g), {}};
            domains_.push_back(sketch_.add("domain", std::move(domain)));
        }
    }

    void draw_cpu(const MachineNode& cpu) {
        Device host;
        host.parent = node_;
        host.kind = DeviceKind::host;
        host.part = cpu.part;
        host.name = cpu.name;
        hosts_.push_back(sketch_.add("cpu", std::move(host)));
        draw_children(cpu, node_, hosts_.back(), hosts_.back());
    }

    /// Equal text for things that may share one box with a count.
    [[nodiscard]] std::string signature(const MachineNode& node) const {
        std::vector<std::string> below;
        for (const auto& child : node.children) below.push_back(signature(child));
        std::sort(below.begin(), below.end());
        std::string text = fmt::format("{}|{}|{}|{}", int(node.kind), node.part.value, node.up, node.c2c);
        if (node.kind == Kind::gpu && !folded_) {
            const int gpu = number_.at(&node);
            text += scale_up_.form == ScaleUp::Form::links ? fmt::format("|gpu{}", gpu)
                                                           : fmt::format("|domain{}", domain_of_[std::size_t(gpu)]);
        }
        for (const auto& s : below) text += "{" + s + "}";
        return text;
    }

    struct Alike {
        std::string signature;
        std::vector<const MachineNode*> nodes;
    };

    void draw_children(const MachineNode& parent, const ContainerId& container, const DeviceId& above,
                       const DeviceId& host) {
        std::vector<Alike> kinds;
        for (const auto& child : parent.children) {
            std::string s = signature(child);
            auto it = std::find_if(kinds.begin(), kinds.end(), [&](const Alike& a) { return a.signature == s; });
            const bool inner_apart = child.kind == Kind::bridge && !folded_;
            if (it == kinds.end() || inner_apart) it = kinds.insert(kinds.end(), Alike{std::move(s), {}});
            it->nodes.push_back(&child);
        }
        for (const Alike& alike : kinds) {
            if (alike.nodes.front()->kind == Kind::bridge) draw_bridges(alike, container, above, host);
            else draw_leaves(alike, container, above, host);
        }
    }

    void draw_bridges(const Alike& alike, ContainerId container, const DeviceId& above, const DeviceId& host) {
        const MachineNode& node = *alike.nodes.front();
        const auto count = std::int64_t(alike.nodes.size());
        if (count > 1) {
            Container group{{}, container, ContainerKind::group, "PCIe switch group", count, {}, {}};
            container = sketch_.add("pcie-group", std::move(group));
        }
        Device bridge;
        bridge.parent = container;
        bridge.kind = DeviceKind::network_switch;
        bridge.part = sketch_.network_switch("PCIe Gen5 switch", 1, BytesPerSecond(pcie_x16(5)), "assumed");
        bridge.name = "PCIe switch";
        const DeviceId id = sketch_.add("pcie-switch", std::move(bridge));
        connect(id, above, node.up);
        draw_children(node, container, id, host);
    }

    void draw_leaves(const Alike& alike, const ContainerId& container, const DeviceId& above, const DeviceId& host) {
        const MachineNode& node = *alike.nodes.front();
        const bool gpu = node.kind == Kind::gpu;
        Device device;
        device.parent = container;
        if (gpu && !one_domain_ && !domains_.empty()) {
            const int domain = domain_of_[std::size_t(number_.at(&node))];
            if (domain >= 0) device.parent = domains_[std::size_t(domain)];
        }
        device.kind = gpu ? DeviceKind::accelerator : DeviceKind::nic;
        device.part = node.part;
        device.name = node.name;
        device.count = std::int64_t(alike.nodes.size());
        const DeviceId id = sketch_.add(gpu ? "gpu" : "nic", std::move(device));
        for (const MachineNode* n : alike.nodes)
            if (gpu) device_of_[number_.at(n)] = id;
        connect(id, above, node.up);
        if (node.c2c > 0) draw_c2c(id, host, node);
    }

    void draw_c2c(const DeviceId& gpu, const DeviceId& host, const MachineNode& node) {
        Link link;
        link.a = gpu;
        link.b = host;
        link.part = sketch_.link("nvlink-c2c", fmt::format("NVLink-C2C {}", format(BytesPerSecond(node.c2c))),
                                 BytesPerSecond(node.c2c), "the imported file (bw x count)");
        sketch_.add("c2c", std::move(link));
    }

    void connect(const DeviceId& below, const DeviceId& above, double bandwidth) {
        if (bandwidth <= 0) {
            bandwidth = pcie_x16(assumed_generation);
            sketch_.assumed(fmt::format("PCIe Gen{} x16 where the file gives no speed", assumed_generation));
        }
        Link link;
        link.a = below;
        link.b = above;
        link.part = pcie_part(bandwidth);
        sketch_.add("pcie", std::move(link));
    }

    PartId pcie_part(double bandwidth) {
        constexpr double tolerance = 0.03;  // hwloc counts 31.5 GB/s, the catalogue 31
        for (const int generation : {4, 5})
            if (std::abs(bandwidth / pcie_x16(generation) - 1) < tolerance) bandwidth = pcie_x16(generation);
        return sketch_.link("pcie", fmt::format("PCIe {} one way", format(BytesPerSecond(bandwidth))),
                            BytesPerSecond(bandwidth), "link speed and width of the imported file");
    }

    void join_sockets() {
        constexpr std::size_t clique_limit = 16;
        if (hosts_.size() < 2) return;
        const double upi = 48 * giga;
        const PartId part =
            sketch_.link("pcie", "CPU to CPU (UPI)", BytesPerSecond(upi), "assumed", Confidence::assumed);
        sketch_.assumed("CPUs (NUMA nodes) reach one another directly at 48 GB/s one way");
        const auto join = [&](std::size_t i, std::size_t j) {
            Link link;
            link.a = hosts_[i];
            link.b = hosts_[j];
            link.part = part;
            sketch_.add("sockets", std::move(link));
        };
        for (std::size_t i = 0; i < hosts_.size(); ++i)
            for (std::size_t j = i + 1; j < hosts_.size(); ++j)
                if (hosts_.size() <= clique_limit || j == i + 1) join(i, j);
    }

    void draw_peer_links() {
        if (scale_up_.form != ScaleUp::Form::links) return;
        const PartId part =
            sketch_.link(machine_.family, fmt::format("{} link", machine_.family == "xgmi" ? "xGMI" : "NVLink"),
                         BytesPerSecond(machine_.per_link), machine_.rate_source);
        for (std::size_t i = 0; i < scale_up_.counts.size(); ++i)
            for (std::size_t j = i + 1; j < scale_up_.counts.size(); ++j) {
                if (scale_up_.counts[i][j] <= 0) continue;
                Link link;
                link.a = device_of_.at(int(i));
                link.b = device_of_.at(int(j));
                link.part = part;
                link.lanes = scale_up_.counts[i][j];
                sketch_.add(machine_.family, std::move(link));
            }
    }

    static constexpr int assumed_generation = 4;
    Sketch& sketch_;
    Machine machine_;
    ScaleUp scale_up_;
    std::map<const MachineNode*, int> number_;
    std::vector<int> domain_of_;
    bool one_domain_ = false, folded_ = false;
    ContainerId node_;
    std::vector<ContainerId> domains_;
    std::vector<DeviceId> hosts_;
    std::map<int, DeviceId> device_of_;
};

}  // namespace

void draw(Sketch& sketch, Machine machine) { Artist(sketch, std::move(machine)).run(); }

}  // namespace crosspoint
