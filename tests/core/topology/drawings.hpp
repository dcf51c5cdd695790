// Drawings that several tests use.
#pragma once

#include "core/topology/topology.hpp"

namespace crosspoint::drawings {

inline Container container(const char* id, std::int64_t count = 1, const char* parent = nullptr) {
    Container c;
    c.id = ContainerId(id);
    c.count = count;
    if (parent) c.parent = ContainerId(parent);
    return c;
}

inline Device device(const char* id, DeviceKind kind, std::int64_t count = 1, const char* parent = nullptr) {
    Device d;
    d.id = DeviceId(id);
    d.kind = kind;
    d.count = count;
    if (parent) d.parent = ContainerId(parent);
    return d;
}

inline Link link(const char* id, const char* a, const char* b, Wiring wiring = Wiring::one_to_one) {
    Link l;
    l.id = LinkId(id);
    l.a = DeviceId(a);
    l.b = DeviceId(b);
    l.wiring = wiring;
    return l;
}

/// Nodes of 8 accelerators and 8 NICs in a switched domain, rail-wired to leaves, leaves to spines.
inline Topology nodes(std::int64_t count, std::int64_t leaves = 8, std::int64_t spines = 4) {
    Topology t;
    Container node = container("node", count);
    node.interconnect = Interconnect{};
    t.containers.put(node);
    t.devices.put(device("gpu", DeviceKind::accelerator, 8, "node"));
    t.devices.put(device("nic", DeviceKind::nic, 8, "node"));
    t.devices.put(device("leaf", DeviceKind::network_switch, leaves));
    t.devices.put(device("spine", DeviceKind::network_switch, spines));
    t.links.put(link("nic-leaf", "nic", "leaf", Wiring::rail));
    t.links.put(link("leaf-spine", "leaf", "spine", Wiring::each_to_each));
    return t;
}

}  // namespace crosspoint::drawings
