#include "core/scenario/templates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crosspoint {
namespace {

/// Collects new objects in a copy of the drawing.
struct Builder {
    Topology topology;
    std::vector<std::string> outermost;

    ContainerId container(const std::optional<ContainerId>& parent, ContainerKind kind, std::string name,
                          std::int64_t count = 1, std::optional<Interconnect> fabric = {}) {
        const ContainerId id(new_id(topology, to_string(kind)));
        topology.containers.put({id, parent, kind, std::move(name), count, std::move(fabric), {}});
        return id;
    }
    DeviceId device(const std::optional<ContainerId>& parent, DeviceKind kind, const char* part, std::string name,
                    std::int64_t count = 1) {
        const DeviceId id(new_id(topology, stem(kind)));
        topology.devices.put({id, parent, kind, PartId(part), std::move(name), count, {}, {}});
        return id;
    }
    void link(const DeviceId& a, const DeviceId& b, const char* part, Wiring wiring) {
        Link link;
        link.id = LinkId(new_id(topology, "link"));
        link.a = a;
        link.b = b;
        link.part = PartId(part);
        link.wiring = wiring;
        topology.links.put(link);
    }
    static std::string_view stem(DeviceKind kind) {
        switch (kind) {
            case DeviceKind::accelerator: return "gpu";
            case DeviceKind::nic: return "nic";
            case DeviceKind::network_switch: return "switch";
            case DeviceKind::host: return "host";
        }
        return "device";
    }
};

Interconnect switched(const char* part, int planes) {
    Interconnect fabric;
    fabric.part = PartId(part);
    fabric.planes = planes;
    return fabric;
}

/// Eight accelerators on NVSwitch, one NIC each: the common 8-way node. Planes: 4 NVSwitch chips in HGX H100/H200,
/// 2 in HGX B200 (vendor's platform descriptions).
ContainerId eight_way(Builder& b, const std::optional<ContainerId>& parent, const char* name, const char* gpu,
                      const char* fabric, int planes, const char* nic) {
    const auto node = b.container(parent, ContainerKind::node, name, 1, switched(fabric, planes));
    const auto gpus = b.device(node, DeviceKind::accelerator, gpu, "GPU", 8);
    const auto nics = b.device(node, DeviceKind::nic, nic, "NIC", 8);
    b.link(gpus, nics, "pcie-gen5-x16", Wiring::one_to_one);
    return node;
}

using Parent = std::optional<ContainerId>;

void hgx_h100(Builder& b, const Parent& parent) {
    b.outermost = {eight_way(b, parent, "HGX H100 node", "nvidia-h100-sxm", "nvlink4", 4, "connectx-7-400g").value};
}
void hgx_h200(Builder& b, const Parent& parent) {
    b.outermost = {eight_way(b, parent, "HGX H200 node", "nvidia-h200-sxm", "nvlink4", 4, "connectx-7-400g").value};
}
void hgx_b200(Builder& b, const Parent& parent) {
    b.outermost = {eight_way(b, parent, "HGX B200 node", "nvidia-b200-sxm", "nvlink5", 2, "connectx-7-400g").value};
}
void nvl72(Builder& b, const Parent& parent) {
    const auto rack = b.container(parent, ContainerKind::rack, "GB200 NVL72 rack", 1, switched("nvlink5", 18));
    const auto tray = b.container(rack, ContainerKind::node, "Compute tray", 18);
    b.device(tray, DeviceKind::accelerator, "nvidia-gb200", "GPU", 4);
    b.outermost = {rack.value};
}
void pcie_box(Builder& b, const Parent& parent) {
    const auto node = b.container(parent, ContainerKind::node, "PCIe box");
    DeviceId sockets[2];
    for (int socket = 0; socket < 2; ++socket) {
        sockets[socket] = b.device(node, DeviceKind::host, "x86-socket", fmt::format("CPU {}", socket));
        const auto gpus = b.device(node, DeviceKind::accelerator, "nvidia-a100-sxm-80gb",
                                   fmt::format("GPU {}-{}", 4 * socket, 4 * socket + 3), 4);
        b.link(gpus, sockets[socket], "pcie-gen4-x16", Wiring::one_to_one);
    }
    b.link(sockets[0], sockets[1], "cpu-socket", Wiring::one_to_one);
    b.outermost = {node.value};
}
void rail_pod(Builder& b, const Parent& parent) {
    const auto pod = b.container(parent, ContainerKind::pod, "Rail-optimised pod");
    const auto node = eight_way(b, pod, "HGX H100 node", "nvidia-h100-sxm", "nvlink4", 4, "connectx-7-400g");
    Container nodes = *b.topology.containers.find(node);
    nodes.count = 16;
    b.topology.containers.put(nodes);
    const auto leaf = b.device(pod, DeviceKind::network_switch, "quantum-2-ndr-64", "Rail leaf", 8);
    const auto spine = b.device(pod, DeviceKind::network_switch, "quantum-2-ndr-64", "Spine", 4);
    for (const Device& device : std::vector<Device>(b.topology.devices.begin(), b.topology.devices.end()))
        if (device.parent == node && device.kind == DeviceKind::nic)
            b.link(device.id, leaf, "infiniband-ndr-400g", Wiring::rail);
    b.link(leaf, spine, "infiniband-ndr-400g", Wiring::each_to_each);
    b.outermost = {pod.value};
}
void empty_rack(Builder& b, const Parent& parent) {
    b.outermost = {b.container(parent, ContainerKind::rack, "Rack").value};
}
void empty_node(Builder& b, const Parent& parent) {
    b.outermost = {b.container(parent, ContainerKind::node, "Node").value};
}
void empty_pod(Builder& b, const Parent& parent) {
    b.outermost = {b.container(parent, ContainerKind::pod, "Pod").value};
}
void leaf_switch(Builder& b, const Parent& parent) {
    b.outermost = {b.device(parent, DeviceKind::network_switch, "quantum-2-ndr-64", "Leaf").value};
}
void rail_group(Builder& b, const Parent& parent) {
    b.outermost = {b.device(parent, DeviceKind::network_switch, "quantum-2-ndr-64", "Rail leaf", 8).value};
}
void spine_switch(Builder& b, const Parent& parent) {
    b.outermost = {b.device(parent, DeviceKind::network_switch, "quantum-2-ndr-64", "Spine").value};
}

struct Assembly {
    const char* key;
    const char* group;
    const char* name;
    const char* detail;
    void (*build)(Builder&, const Parent&);
};

const Assembly assemblies[] = {
    {"nvl72-rack", "Domains", "NVL72 rack", "18 trays of 4 GB200 in one NVLink domain of 72", nvl72},
    {"hgx-h100-node", "Domains", "HGX H100 node", "8 H100 on NVSwitch, one 400 Gb/s NIC each", hgx_h100},
    {"hgx-h200-node", "Domains", "HGX H200 node", "8 H200 on NVSwitch, one 400 Gb/s NIC each", hgx_h200},
    {"hgx-b200-node", "Domains", "HGX B200 node", "8 B200 on NVSwitch, one 400 Gb/s NIC each", hgx_b200},
    {"pcie-box", "Domains", "PCIe box", "8 accelerators behind two CPU sockets, no scale-up domain", pcie_box},
    {"leaf-switch", "Fabric", "Leaf switch", "64 ports of 400 Gb/s", leaf_switch},
    {"rail-group", "Fabric", "Rail group", "8 leaf switches, one a rail", rail_group},
    {"spine-switch", "Fabric", "Spine switch", "64 ports of 400 Gb/s", spine_switch},
    {"rack", "Containers", "Rack", "an empty rack", empty_rack},
    {"node", "Containers", "Node", "an empty node", empty_node},
    {"pod", "Containers", "Pod", "an empty pod", empty_pod},
    {"rail-pod", "Templates", "Rail-optimised pod", "16 HGX H100 nodes, 8 rail leaves, 4 spines", rail_pod},
};

template <class Row>
void offer(std::vector<TemplateEntry>& entries, const Table<Row>& parts, const char* group) {
    for (const Row& part : parts) entries.push_back({"device:" + part.id.value, group, part.name, part.id.value});
}

std::optional<DeviceKind> kind_of(const Catalogue& catalogue, const PartId& part) {
    if (catalogue.accelerators.contains(part)) return DeviceKind::accelerator;
    if (catalogue.nics.contains(part)) return DeviceKind::nic;
    if (catalogue.switches.contains(part)) return DeviceKind::network_switch;
    if (catalogue.hosts.contains(part)) return DeviceKind::host;
    return std::nullopt;
}

Result<void> build(Builder& builder, const Scenario& scenario, const std::string& key, const Parent& parent) {
    for (const Assembly& assembly : assemblies)
        if (key == assembly.key) {
            assembly.build(builder, parent);
            return {};
        }
    if (key.rfind("device:", 0) == 0) {
        const std::string part = key.substr(7);
        if (const auto kind = kind_of(*scenario.catalogue, PartId(part))) {
            builder.outermost = {builder.device(parent, *kind, part.c_str(), {}).value};
            return {};
        }
    }
    return fail(ErrorCode::reference, fmt::format("the palette has no entry '{}'", key),
                "choose one of the listed parts and templates");
}

void place(Builder& builder, const CanvasBox& at) {
    for (const std::string& id : builder.outermost) {
        if (const Container* found = builder.topology.containers.find(ContainerId(id))) {
            Container moved = *found;
            moved.box = at;
            builder.topology.containers.put(moved);
        } else if (const Device* device = builder.topology.devices.find(DeviceId(id))) {
            Device moved = *device;
            moved.box = at;
            builder.topology.devices.put(moved);
        }
    }
}

bool has_kind(const Device& a, const Device& b, DeviceKind kind) { return a.kind == kind || b.kind == kind; }

/// Fastest link of these families whose nominal rate does not exceed `limit`.
PartId fastest_link(const Catalogue& catalogue, std::initializer_list<std::string_view> families,
                    std::optional<BytesPerSecond> limit) {
    PartId best;
    double rate = 0;
    for (const LinkPart& part : catalogue.links) {
        const double nominal = part.bandwidth.nominal.value.si();
        const bool speaks = std::find(families.begin(), families.end(), part.family) != families.end();
        if (!speaks || nominal <= rate || (limit && nominal > limit->si() * 1.001)) continue;
        best = part.id;
        rate = nominal;
    }
    return best;
}

std::optional<BytesPerSecond> port_rate(const Catalogue& catalogue, const Device& device) {
    if (const auto* part = catalogue.switches.find(device.part)) return part->port_bandwidth.value;
    if (const auto* part = catalogue.nics.find(device.part)) return part->bandwidth.nominal.value;
    return std::nullopt;
}

PartId link_part(const Catalogue& catalogue, const Device& a, const Device& b) {
    if (!has_kind(a, b, DeviceKind::network_switch)) {
        if (a.kind == DeviceKind::host && b.kind == DeviceKind::host) return PartId("cpu-socket");
        return fastest_link(catalogue, {"pcie"}, std::nullopt);
    }
    const auto ra = port_rate(catalogue, a), rb = port_rate(catalogue, b);
    const auto limit = ra && rb ? std::optional(std::min(*ra, *rb)) : ra ? ra : rb;
    return fastest_link(catalogue, {"infiniband", "ethernet"}, limit);
}

Wiring wiring_of(const Device& a, const Device& b) {
    if (a.kind == DeviceKind::network_switch && b.kind == DeviceKind::network_switch) return Wiring::each_to_each;
    if (a.parent == b.parent) return Wiring::one_to_one;
    const bool counted = a.count > 1 && a.count == b.count;
    return counted && has_kind(a, b, DeviceKind::network_switch) ? Wiring::rail : Wiring::each_to_each;
}

}  // namespace

std::vector<TemplateEntry> palette_entries(const Catalogue& catalogue) {
    std::vector<TemplateEntry> entries;
    for (const Assembly& assembly : assemblies)
        entries.push_back({assembly.key, assembly.group, assembly.name, assembly.detail});
    offer(entries, catalogue.accelerators, "Accelerators");
    offer(entries, catalogue.nics, "NICs");
    offer(entries, catalogue.switches, "Switches");
    offer(entries, catalogue.hosts, "Hosts");
    return entries;
}

Result<Insertion> insert_template(const Scenario& scenario, const std::string& key, const Parent& parent,
                                  const CanvasBox& at) {
    Builder builder;
    if (scenario.topology) builder.topology = *scenario.topology;
    if (parent && !builder.topology.containers.contains(*parent))
        return fail(ErrorCode::reference, fmt::format("there is no container '{}'", parent->value), {},
                    {parent->value});
    if (auto built = build(builder, scenario, key, parent); !built) return tl::unexpected(built.error());
    place(builder, at);
    auto topology = std::make_shared<const Topology>(std::move(builder.topology));
    return Insertion{SetTopology{std::move(topology)}, std::move(builder.outermost)};
}

Result<Link> suggest_link(const Scenario& scenario, const DeviceId& a, const DeviceId& b, Topology& ids) {
    const Device* from = ids.devices.find(a);
    const Device* to = ids.devices.find(b);
    if (!from || !to)
        return fail(ErrorCode::reference, fmt::format("there is no device '{}'", from ? b.value : a.value),
                    "connect two devices, not containers");
    if (a == b && from->count == 1)
        return fail(ErrorCode::invalid_value, "a device cannot be linked to itself", "drag to another device");
    Link link;
    link.a = a;
    link.b = b;
    link.part = link_part(*scenario.catalogue, *from, *to);
    if (link.part.empty())
        return fail(ErrorCode::reference, fmt::format("no link part joins '{}' and '{}'", a.value, b.value),
                    "add a link part to the catalogue");
    link.wiring = wiring_of(*from, *to);
    link.id = LinkId(new_id(ids, "link"));
    return link;
}

}  // namespace crosspoint
