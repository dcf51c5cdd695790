// From routes to what a collective needs: alpha of one step and bandwidth per rank, flat and by domain.
#pragma once

#include "core/collective/collective.hpp"
#include "core/network/route.hpp"

namespace crosspoint {

/// Everything routed once per layout and kept while only batch and lengths change.
struct GroupRoutes {
    RankGroups groups;
    Route ring;
    Route all_to_all;
    std::optional<Route> inside;  ///< when the groups span several domains with several members each
    std::optional<Route> across;
    std::vector<Route> levels;  ///< three or more, innermost first, where the network above the domains has tiers
};
Result<GroupRoutes> route_group(const Network& network, const RankGroups& groups);
/// Pipeline neighbours.
Result<Route> route_stages(const Network& network, const RankGroups& groups);

/// Takes the catalogue's per-collective figures of the bottleneck's link class where they exist.
GroupFabric group_fabric(const GroupRoutes& routes, const Network& network, const Catalogue& catalogue,
                         CollectiveOp op);

}  // namespace crosspoint
