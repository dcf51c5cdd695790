// Private to core/collective: a group's levels beyond the scale-up domain, as the drawing nests them.
#pragma once

#include <vector>

#include "core/network/route.hpp"

namespace crosspoint {

/// Members counted inside one part of each level, innermost first, the whole group last: 8, 256, 1024 for domains of 8
/// under leaves of 32 domains, four of them. Found by asking for paths, so that its cost grows with the logarithm of
/// the group. Empty where the group has fewer than three levels or its parts are not equal.
std::vector<std::int64_t> level_sizes(const Network& network, const RankGroups& groups, std::int64_t ranks_per_domain);

/// The groups of one level: peers in neighbouring parts of `inner` members within parts of `outer` members. Empty
/// members where the strides of the group do not divide there.
RankGroups groups_of_level(const RankGroups& groups, std::int64_t inner, std::int64_t outer);

}  // namespace crosspoint
