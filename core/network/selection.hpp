// Questions about a part of the drawing: which rank a drawn accelerator is, and what halves of a selection can
// exchange.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/network/route.hpp"

namespace crosspoint {

/// The accelerator that instance `instance` of a drawn device is, counted over the whole drawing (outermost container
/// slowest); empty for other devices and for instances that do not exist.
std::optional<std::int64_t> rank_of(const Network& network, const std::string& device, std::int64_t instance);

/// What the accelerators of a selection can exchange when all of them send to all others evenly.
struct Bisection {
    std::int64_t accelerators = 0;
    BytesPerSecond per_accelerator;  ///< each can send and receive this much, usable
    BytesPerSecond halves;           ///< between two equal halves, one direction
    std::string bottleneck;          ///< name of the link or domain that limits it
    std::string bottleneck_id;
    Confidence confidence = Confidence::assumed;
    bool leaves_domain = false;  ///< some of the traffic crosses links outside a scale-up domain
};

/// Of the accelerators that are chosen or lie inside chosen containers, all instances of them. Half of N accelerators
/// sends N/2 of its N-1 shares to the other half: halves = N/2 * N/2 / (N-1) * rate of one. On symmetrical fabrics this
/// is the bandwidth of the smallest cut into halves. Fails with fewer than two accelerators, and where compile() or
/// route() fails.
Result<Bisection> bisection(const Topology& topology, const Catalogue& catalogue, const std::vector<std::string>& ids);

}  // namespace crosspoint
