// The drawing: nested containers, the devices in them, and the links between devices.
//
// A container or a device may stand for `count` identical instances. The instances of a device are addressed by
// the indices of its counted ancestors and its own index. A container with an `interconnect` is a scale-up
// domain: all accelerators inside it, at any depth, are joined by that fabric without further links being drawn.
// Not modelled: half-duplex links, and devices that belong to two containers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/id.hpp"
#include "core/base/table.hpp"
#include "core/units/quantity.hpp"

namespace crosspoint {

enum class ContainerKind { site, pod, rack, node, group };
enum class DeviceKind { accelerator, nic, network_switch, host };
/// Which instances of the two ends a link joins, once the containers that both share are the same instance.
///   one_to_one    instance i to instance i; where one end has a single instance, all to that one
///   each_to_each  every instance to every instance
///   rail          own index i to own index i, over all instances of the counted ancestors (NIC i to leaf i)
///   dragonfly     a switch device to itself: every two instances of the innermost counted container around it (the
///                 groups) are joined by Link::per_pair cables, spread over the switches of both groups: with r =
///                 (B - A - 1) mod groups, cable c of the pair (A, B) leaves A at switch (r * per_pair + c) mod
///                 switches
/// Where one_to_one or rail join counts of which neither divides the other, instance i of the larger end meets instance
/// floor(i * smaller / larger) of the other: as even as it can be.
enum class Wiring { one_to_one, each_to_each, rail, dragonfly };
enum class FabricKind { switched, full_mesh, ring, torus, pcie_tree };
enum class Health { up, degraded, down };

std::string_view to_string(ContainerKind);
std::string_view to_string(DeviceKind);
std::string_view to_string(Wiring);
std::string_view to_string(FabricKind);
std::string_view to_string(Health);

/// `factor` scales the usable bandwidth (link, domain) or the speed (device) when degraded; in (0, 1].
struct State {
    Health health = Health::up;
    double factor = 1.0;
    bool operator==(const State&) const = default;
};

/// Position and size on the canvas in grid units of the parent's inside; absent means arranged automatically.
struct CanvasBox {
    double x = 0, y = 0;
    std::optional<double> width, height;
    bool pinned = false;  ///< automatic arrangement leaves it where it is
    bool operator==(const CanvasBox&) const = default;
};

/// One dimension of a torus or mesh, or one tier of a PCIe tree.
struct FabricDimension {
    std::int64_t size = 2;
    bool wrap = true;  ///< the last place is joined to the first (torus); false = mesh
    bool operator==(const FabricDimension&) const = default;
};

/// The fabric that makes a container a scale-up domain. Its places are filled by the accelerators inside in drawing
/// order; places beyond the last accelerator, and those whose accelerator is down, are holes.
///   switched   a crossbar without blocking, `planes` of them side by side
///   full_mesh  a link of its own for each pair: one peer gets 1/ports of the bandwidth, or `peer_bandwidth`
///   ring       both neighbours, half the bandwidth each
///   torus      1-3 `dimensions`, each with or without wrap; two ports a dimension share the bandwidth
///   pcie_tree  accelerators under PCIe switches under CPUs; one uplink a switch, shared; a link between any two CPUs
struct Interconnect {
    FabricKind kind = FabricKind::switched;
    PartId part;     ///< a link part; its bandwidth is per accelerator and direction, all peers together
    int planes = 1;  ///< parallel switch planes that the bandwidth is spread over
    int planes_down = 0;
    std::optional<BytesPerSecond> bandwidth;  ///< override, usable, per accelerator and direction
    std::optional<Seconds> step;              ///< override of one step's alpha
    State state;
    /// torus: sizes, the first one varies fastest in drawing order; none = one that holds all accelerators.
    /// pcie_tree: accelerators a switch, switches a CPU, CPUs; outer ones may be left out (one CPU, no switch tier).
    std::vector<FabricDimension> dimensions = {};
    /// Equal ports that an accelerator's bandwidth is spread over; 0 = as many as its kind needs: switched 1, full
    /// mesh size - 1, ring 2, torus 2 a dimension. More than needed leaves some unused.
    int ports = 0;
    std::optional<BytesPerSecond> peer_bandwidth = {};  ///< full mesh: override, usable, to one peer, one direction
    int uplinks = 1;                                    ///< pcie_tree: parallel links from each switch to its CPU
    std::optional<PartId> root_part = {};               ///< pcie_tree: the link between two CPUs; none = `part`
    double background = 0.0;                            ///< share of the capacity taken by other traffic, [0, 1)
    bool operator==(const Interconnect&) const = default;
};

struct Container {
    ContainerId id;
    std::optional<ContainerId> parent;
    ContainerKind kind = ContainerKind::group;
    std::string name;
    std::int64_t count = 1;
    std::optional<Interconnect> interconnect;
    std::optional<CanvasBox> box;
    bool collapsed = false;  ///< drawn as one closed box
    bool operator==(const Container&) const = default;
};

struct Device {
    DeviceId id;
    std::optional<ContainerId> parent;
    DeviceKind kind = DeviceKind::accelerator;
    PartId part;
    std::string name;
    std::int64_t count = 1;
    State state;
    std::optional<CanvasBox> box;
    bool operator==(const Device&) const = default;
};

struct Link {
    LinkId id;
    DeviceId a;  ///< the end nearer to the accelerators where that is known
    DeviceId b;
    PartId part;
    Wiring wiring = Wiring::one_to_one;
    int lanes = 1;                            ///< parallel cables between each joined pair
    std::optional<BytesPerSecond> bandwidth;  ///< override, usable, one lane, one direction
    std::optional<Seconds> latency;           ///< override of the hop latency
    double background = 0.0;                  ///< share of the capacity taken by other traffic, [0, 1)
    State state;
    std::int64_t per_pair = 1;  ///< dragonfly: cables (of `lanes` each) between every two groups
    bool operator==(const Link&) const = default;
};

struct Topology {
    Table<Container> containers;
    Table<Device> devices;
    Table<Link> links;
    std::uint64_t next_id = 1;  ///< source of new ids; only grows
    bool operator==(const Topology&) const = default;
};

/// References resolve, parents form no cycle, nesting is at most 32 deep, counts are 1 .. 1e9 and their products
/// at most 1e12, factors and shares are in range. Part ids are checked by the network, which knows the catalogue.
Result<void> validate(const Topology& topology);

/// Instances that a device stands for: its count times those of its ancestors.
std::int64_t instances(const Topology& topology, const Device& device);
/// All accelerators that the drawing stands for, those that are down included.
std::int64_t accelerator_count(const Topology& topology);

/// A fresh id with the given stem ("node" -> ContainerId "node-7"); advances next_id.
std::string new_id(Topology& topology, std::string_view stem);
/// Keeps new_id from ever giving out `id`, which ends in "-N"; called for ids that leave the drawing.
void reserve_id(Topology& topology, std::string_view id);

}  // namespace crosspoint
