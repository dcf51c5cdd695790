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
    InnerRates inner;  ///< of a domain
};

/// Capacity = min(link usable x lanes, usable of a NIC at either end), scaled by states and background traffic.
Result<RatedLink> rate_link(const Topology& topology, const Catalogue& catalogue, const Link& link);
/// Capacity is per accelerator, all ports together; planes that are down take their share.
Result<RatedLink> rate_domain(const Catalogue& catalogue, const Container& container);

/// Links between devices of one host: PCIe, and CPU to CPU.
bool inside_host(const LinkPart* part);

/// All cables of a device share what it carries: where they add up to more than a NIC's own rate, or than the ports of
/// a switch together (ports are split among cables then), each gets its share. Where counts do not divide each other,
/// the device with most cables stands for all.
void share_devices(const Topology& topology, const Catalogue& catalogue, Network& network, const NetworkImpl& impl);

/// Fills Network::levels and each link's level: the domain, PCIe and other links inside a host, then by switch tier
/// (hops from the NIC): "NIC / leaf", "spine", "core", "tier 4", ...; links between switches of one tier, and the
/// global links of a dragonfly, have levels of their own. Fills Network::tiers as well.
void assign_levels(const Topology& topology, const Catalogue& catalogue, Network& network);

}  // namespace crosspoint
