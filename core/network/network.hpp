// The drawing compiled for routing: levels, capacities and latencies of every drawn link and scale-up domain.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/evidence.hpp"
#include "core/catalogue/parts.hpp"
#include "core/topology/topology.hpp"

namespace crosspoint {

/// A drawn link, or the fabric of a domain container.
struct LinkRef {
    enum class Kind { link, domain } kind = Kind::link;
    std::string id;  ///< of the Link or of the Container
    auto operator<=>(const LinkRef&) const = default;
};

/// A tier of the network, nearest to the accelerators first: the scale-up domain, host/PCIe, NIC to leaf, leaf to
/// spine, ... Each has its own stream in the timeline.
struct Level {
    std::string name;  ///< "NVLink domain", "PCIe", "NIC / leaf", "spine"
    bool in_domain = false;
};

struct NetworkLink {
    LinkRef ref;
    PartId part;
    std::string name;  ///< for people: "NDR 400G: NIC to leaf"
    int level = 0;     ///< index into Network::levels
    Figure<BytesPerSecond>
        capacity;  ///< usable, one instance with all its lanes, one direction, after state and background
    Figure<BytesPerSecond> nominal;  ///< datasheet of the same
    std::int64_t instances = 0;
    BytesPerSecond unimpaired;  ///< capacity before state and background traffic
    BytesPerSecond own;         ///< the same before what a NIC at an end takes away: the link's cables alone
    int lanes = 1;              ///< parallel cables that `capacity` adds up
    bool direct_mesh = false;   ///< a full-mesh domain: one peer gets only its share of `capacity`
    bool crossbar = false;      ///< a switched domain: every pair reaches the whole `capacity`
    bool step_entered = false;  ///< the latency is the user's own; catalogue figures do not replace it
    bool entered = false;       ///< the bandwidth is the user's own; catalogue figures do not replace it
};

/// Capacity of a switch towards the accelerators and away from them, as drawn and rated.
struct TierRatio {
    std::string device;       ///< the drawn switch
    int tier = 1;             ///< 1 = next to NICs, accelerators or hosts
    int level = 0;            ///< of its links towards the accelerators, index into Network::levels
    BytesPerSecond down, up;  ///< of one instance, one direction
    /// Above 1: oversubscribed. 0 where nothing leads further up.
    [[nodiscard]] double oversubscription() const { return up.si() > 0 ? down / up : 0.0; }
};

class NetworkImpl;

struct Network {
    std::vector<Level> levels;
    std::vector<NetworkLink> links;  ///< sorted by ref
    std::vector<TierRatio> tiers;    ///< per drawn network switch that is up (PCIe switches left out), by tier, then id
    std::int64_t accelerators = 0;   ///< that are up: only these are ranks
    std::int64_t domain_size = 0;    ///< of them in the largest scale-up domain; 1 when there is none
    std::int64_t smallest_domain = 0;
    PartId accelerator_part;                       ///< of the first accelerator device
    std::vector<std::string> accelerator_devices;  ///< drawn ids, in rank order
    bool mixed_accelerators = false;
    std::shared_ptr<const NetworkImpl> impl;  ///< what routing needs; immutable
    [[nodiscard]] const NetworkLink* find(const LinkRef& ref) const;
};

/// Fails on unknown parts, on a drawing without an accelerator that is up, and on what validate(Topology) refuses.
/// Accelerators are numbered in drawing order: containers and devices by id, instances by index, outermost first.
Result<Network> compile(const Topology& topology, const Catalogue& catalogue);

/// The drawn device that rank `accelerator` is an instance of.
std::string device_of(const Network& network, std::int64_t accelerator);

}  // namespace crosspoint
