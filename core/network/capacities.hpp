// Private to core/network: what each drawn link and domain can carry, what it costs in latency, and its level.
#pragma once

#include <map>
#include <vector>

#include "core/network/fabric_graph.hpp"

namespace crosspoint {

/// A link with its latency figures; `level` is left to assign_levels().
struct RatedLink {
    NetworkLink link;
    LinkLatency latency;
    bool up = true;
    std::int64_t mesh = 0;
};

/// Capacity = min(link usable x lanes, usable of a NIC at either end), scaled by states and background traffic.
Result<RatedLink> rate_link(const Topology& topology, const Catalogue& catalogue, const Link& link);
/// Capacity is per accelerator; planes that are down take their share.
Result<RatedLink> rate_domain(const Catalogue& catalogue, const Container& container, std::int64_t size);

/// Links between devices of one host: PCIe, and CPU to CPU.
bool inside_host(const LinkPart* part);

/// A link class at a NIC, and how many of its instances each NIC has.
struct NicCable {
    NetworkLink* link = nullptr;
    double per_nic = 1;
};
/// The share of their bandwidth that all cables of one NIC have when all are busy: 1 unless they add up to more than
/// the NIC carries.
double share_of_nic(const NicPart& nic, const std::vector<NicCable>& cables);

/// Fills Network::levels and each link's level: the domain, PCIe and other links inside a host, then by switch tier
/// (hops from the NIC): "NIC / leaf", "spine", "core", "tier 4", ...
void assign_levels(const Topology& topology, const Catalogue& catalogue, Network& network);

}  // namespace crosspoint
