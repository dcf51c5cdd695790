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

/// What the accelerators of a selection can exchange: all with all others evenly, and half with half.
struct Bisection {
    std::int64_t accelerators = 0;
    BytesPerSecond per_accelerator;  ///< each can send and receive this much, usable
    /// Between the first and the second half in drawing order, one direction, see bisection_bandwidth(); absent above
    /// 1024 accelerators.
    std::optional<BytesPerSecond> halves;
    std::string bottleneck;  ///< name of the link or domain that limits all-to-all
    std::string bottleneck_id;
    Confidence confidence = Confidence::assumed;
    bool leaves_domain = false;  ///< some of the traffic crosses links outside a scale-up domain
};

/// Of the accelerators that are chosen or lie inside chosen containers, all instances of them. Fails with fewer than
/// two accelerators, and where compile() or route() fails.
Result<Bisection> bisection(const Topology& topology, const Catalogue& catalogue, const std::vector<std::string>& ids);

}  // namespace crosspoint
