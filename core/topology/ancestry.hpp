// Walking up the containment tree, safe on drawings that are not validated yet. Private to core.
#pragma once

#include "core/topology/topology.hpp"

namespace crosspoint {

inline constexpr int max_nesting = 32;  ///< containers in one chain, see validate()

inline const Container* parent_of(const Topology& topology, const std::optional<ContainerId>& parent) {
    return parent ? topology.containers.find(*parent) : nullptr;
}

/// Product of the counts of the container `parent` and of all around it; saturates instead of overflowing.
std::int64_t instances_of_ancestors(const Topology& topology, const std::optional<ContainerId>& parent);

}  // namespace crosspoint
