// Automatic arrangements to choose from: places for objects that lie in one container, or at the top.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/topology/topology.hpp"

namespace crosspoint {

enum class ArrangeStyle {
    automatic,  ///< no places of their own: as arrange() puts them
    rows,       ///< racks in rows with an aisle between, switches in rows of their own above
    tiers,      ///< switches by tier from the top down, everything else below
    rails,      ///< from the left: nodes in a column, the switches of each tier in columns beside them
    ring,       ///< on a circle, clockwise from the top
    grid,       ///< as square as possible, row by row
};

std::string_view to_string(ArrangeStyle style);

struct ArrangedPlace {
    std::string id;
    std::optional<CanvasBox> box;  ///< absent: arranged automatically
};

/// Places for `ids`: for what lies inside where it is one container, for everything at the top where it is empty, else
/// for those that lie in the same container as the first. Objects are taken in the order of their names, with numbers
/// by their value. What is pinned keeps its place and nothing is laid over it. Only places that change are returned.
std::vector<ArrangedPlace> arrange_as(const Topology& topology, ArrangeStyle style,
                                      const std::vector<std::string>& ids = {});

}  // namespace crosspoint
