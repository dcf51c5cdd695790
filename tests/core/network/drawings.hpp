// Small drawings and their own parts for tests of routing and collectives; independent of the shipped catalogue.
#pragma once

#include <string>

#include "core/catalogue/parts.hpp"
#include "core/topology/topology.hpp"
#include "core/units/text.hpp"

namespace drawings {

using namespace crosspoint;
using namespace crosspoint::literals;

template <class Q>
Figure<Q> measured(Q value) {
    return {value, Confidence::measured, "test", "per accelerator, one direction"};
}

inline LinkPart link_part(const char* id, const char* family, BytesPerSecond nominal, BytesPerSecond usable,
                          Seconds software, Seconds endpoint, Seconds hop) {
    LinkPart part;
    part.id = PartId(id);
    part.name = id;
    part.family = family;
    part.bandwidth.nominal = measured(nominal);
    part.bandwidth.usable = measured(usable);
    part.software = measured(software);
    part.endpoint = measured(endpoint);
    part.hop = measured(hop);
    return part;
}

/// NVLink 364 GB/s reached of 450, NDR InfiniBand 48.8 GB/s reached of 50: the machine of cost-model section 2.
inline Catalogue parts() {
    Catalogue c;
    AcceleratorPart gpu;
    gpu.id = PartId("gpu");
    c.accelerators.put(gpu);
    gpu.id = PartId("other-gpu");
    c.accelerators.put(gpu);
    c.links.put(link_part("nvlink", "nvlink", 450_GBps, 364_GBps, 4_us, 1_us, 0.5_us));
    c.links.put(link_part("ib", "infiniband", 50_GBps, 48.8_GBps, 10_us, 2_us, 0.25_us));
    c.links.put(link_part("pcie", "pcie", 64_GBps, 55_GBps, 5_us, 0.5_us, 0.125_us));
    NicPart nic;
    nic.id = PartId("cx7");
    nic.bandwidth.nominal = measured(50_GBps);
    nic.bandwidth.usable = measured(48.8_GBps);
    nic.endpoint = measured(1.5_us);
    c.nics.put(nic);
    SwitchPart sw;
    sw.id = PartId("switch");
    sw.radix = 1'000'000;  // no limit; tests that want one set it
    sw.port_bandwidth = measured(50_GBps);
    sw.hop = measured(0.3_us);
    c.switches.put(sw);
    HostPart host;
    host.id = PartId("host");
    host.hop = measured(0.7_us);
    c.hosts.put(host);
    return c;
}

/// Builds a topology line by line; a parent of "" is the top.
class Drawing {
public:
    Topology topology;

    Drawing& container(const std::string& id, const std::string& parent, ContainerKind kind, std::int64_t count = 1) {
        Container c;
        c.id = ContainerId(id);
        if (!parent.empty()) c.parent = ContainerId(parent);
        c.kind = kind;
        c.count = count;
        topology.containers.put(c);
        return *this;
    }
    Drawing& domain(const std::string& id, const char* part = "nvlink", FabricKind kind = FabricKind::switched) {
        Container c = *topology.containers.find(ContainerId(id));
        c.interconnect = Interconnect{};
        c.interconnect->part = PartId(part);
        c.interconnect->kind = kind;
        topology.containers.put(c);
        return *this;
    }
    Drawing& device(const std::string& id, const std::string& parent, DeviceKind kind, const char* part,
                    std::int64_t count = 1) {
        Device d;
        d.id = DeviceId(id);
        if (!parent.empty()) d.parent = ContainerId(parent);
        d.kind = kind;
        d.part = PartId(part);
        d.count = count;
        topology.devices.put(d);
        return *this;
    }
    Drawing& gpus(const std::string& id, const std::string& parent, std::int64_t count) {
        return device(id, parent, DeviceKind::accelerator, "gpu", count);
    }
    Drawing& nics(const std::string& id, const std::string& parent, std::int64_t count) {
        return device(id, parent, DeviceKind::nic, "cx7", count);
    }
    Drawing& switches(const std::string& id, const std::string& parent, std::int64_t count) {
        return device(id, parent, DeviceKind::network_switch, "switch", count);
    }
    Drawing& link(const std::string& id, const std::string& a, const std::string& b, const char* part,
                  Wiring wiring = Wiring::one_to_one, int lanes = 1) {
        Link l;
        l.id = LinkId(id);
        l.a = DeviceId(a);
        l.b = DeviceId(b);
        l.part = PartId(part);
        l.wiring = wiring;
        l.lanes = lanes;
        topology.links.put(l);
        return *this;
    }
    /// Changes a link in place.
    template <class Change>
    Drawing& change_link(const std::string& id, Change change) {
        Link l = *topology.links.find(LinkId(id));
        change(l);
        topology.links.put(l);
        return *this;
    }
};

/// `nodes` nodes of `gpus` accelerators in an NVLink domain, a NIC each, one leaf per rail, and as many spines as
/// leaves; up-links as many as down-links (every leaf has `nodes` of them, in all).
inline Drawing rail_pod(std::int64_t nodes, std::int64_t gpus) {
    Drawing d;
    d.container("pod", "", ContainerKind::pod)
        .container("node", "pod", ContainerKind::node, nodes)
        .domain("node")
        .gpus("gpu", "node", gpus)
        .nics("nic", "node", gpus)
        .switches("leaf", "pod", gpus)
        .switches("spine", "pod", 1)
        .link("bus", "gpu", "nic", "pcie")
        .link("edge", "nic", "leaf", "ib", Wiring::rail)
        .link("up", "leaf", "spine", "ib", Wiring::each_to_each, int(nodes));
    return d;
}

/// Two racks of four 8-GPU nodes, a leaf per rack, `lanes` up-links from each leaf to each of four spines.
inline Drawing two_racks(int lanes) {
    Drawing d;
    d.container("pod", "", ContainerKind::pod)
        .container("rack", "pod", ContainerKind::rack, 2)
        .container("node", "rack", ContainerKind::node, 4)
        .domain("node")
        .gpus("gpu", "node", 8)
        .nics("nic", "node", 8)
        .switches("leaf", "rack", 1)
        .switches("spine", "pod", 4)
        .link("bus", "gpu", "nic", "pcie")
        .link("edge", "nic", "leaf", "ib")
        .link("up", "leaf", "spine", "ib", Wiring::each_to_each, lanes);
    return d;
}

}  // namespace drawings
