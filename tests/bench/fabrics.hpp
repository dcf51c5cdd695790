// Large fabrics for benchmarks.
#pragma once

#include <string>

#include "tests/core/network/drawings.hpp"

namespace fabrics {

using namespace crosspoint;

/// `pods` pods of `nodes` nodes of 8 in three tiers; one pod has the same devices and links.
inline Topology clos(std::int64_t pods, std::int64_t nodes) {
    drawings::Drawing d;
    d.container("site", "", ContainerKind::site)
        .container("pod", "site", ContainerKind::pod, pods)
        .container("node", "pod", ContainerKind::node, nodes)
        .domain("node")
        .gpus("gpu", "node", 8)
        .nics("nic", "node", 8)
        .switches("leaf", "pod", 8)
        .switches("spine", "pod", 8)
        .switches("core", "site", 64)
        .link("bus", "gpu", "nic", "pcie")
        .link("edge", "nic", "leaf", "ib", Wiring::rail)
        .link("up", "leaf", "spine", "ib", Wiring::each_to_each, 16)
        .link("top", "spine", "core", "ib", Wiring::each_to_each, 16);
    return d.topology;
}

/// Every device and cable drawn by itself: nodes of 8 accelerators and 8 NICs, a leaf for every 4 nodes and rail, and
/// spines that every leaf reaches. 4,096 accelerators give 10,016 devices and 41,984 links.
inline Topology drawn(int accelerators, int rails) {
    drawings::Drawing d;
    constexpr int nodes_per_leaf = 4;
    const int nodes = accelerators / rails;
    const int leaves = nodes / nodes_per_leaf * rails, spines = 800 * accelerators / 4096;
    const auto id = [](const char* stem, int i) { return stem + std::to_string(1'000'000 + i); };
    for (int s = 0; s < spines; ++s) d.switches(id("spine", s), "", 1);
    for (int l = 0; l < leaves; ++l) d.switches(id("leaf", l), "", 1);
    int cable = 0;
    const auto join = [&](const std::string& a, const std::string& b, const char* part) {
        d.link(id("cable", cable++), a, b, part);
    };
    for (int n = 0; n < nodes; ++n) {
        d.container(id("node", n), "", ContainerKind::node).domain(id("node", n));
        for (int r = 0; r < rails; ++r) {
            const int i = n * rails + r;
            d.gpus(id("gpu", i), id("node", n), 1).nics(id("nic", i), id("node", n), 1);
            join(id("gpu", i), id("nic", i), "pcie");
            join(id("nic", i), id("leaf", n / nodes_per_leaf * rails + r), "ib");
        }
    }
    for (int l = 0; l < leaves; ++l)
        for (int up = 0; up < 33; ++up) join(id("leaf", l), id("spine", (l * 33 + up) % spines), "ib");
    return d.topology;
}

inline Topology torus(std::int64_t x, std::int64_t y, std::int64_t z, bool wrap) {
    drawings::Drawing d;
    d.container("slice", "", ContainerKind::pod)
        .domain("slice", "nvlink", FabricKind::torus)
        .gpus("chip", "slice", x * y * z);
    Container slice = *d.topology.containers.find(ContainerId("slice"));
    slice.interconnect->dimensions = {{x, wrap}, {y, wrap}, {z, wrap}};
    d.topology.containers.put(slice);
    return d.topology;
}

inline Topology dragonfly(std::int64_t groups, std::int64_t switches, std::int64_t per_switch, std::int64_t per_pair) {
    drawings::Drawing d;
    d.container("group", "", ContainerKind::group, groups)
        .switches("sw", "group", switches)
        .gpus("gpu", "group", switches * per_switch)
        .link("port", "gpu", "sw", "ib")
        .link("local", "sw", "sw", "ib", Wiring::each_to_each)
        .link("global", "sw", "sw", "ib", Wiring::dragonfly);
    d.change_link("global", [&](Link& l) { l.per_pair = per_pair; });
    return d.topology;
}

}  // namespace fabrics
