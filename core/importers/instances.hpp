// One node of a drawing with every counted box drawn out, for formats that list each device. Private to importers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/topology/topology.hpp"

namespace crosspoint {

struct Unit {
    const Device* device = nullptr;
    std::int64_t index = 0;  ///< among all instances of the device inside the node, outermost container first
};
struct UnitLink {
    std::size_t a = 0, b = 0;  ///< indices into DrawnOut::units
    const Link* link = nullptr;
};
struct DrawnOut {
    const Container* node = nullptr;  ///< null: devices outside of any container
    std::vector<Unit> units;
    std::vector<UnitLink> links;  ///< with both ends inside
};

/// The first container of kind node that holds an accelerator, else the innermost domain, else the whole drawing; once,
/// whatever its count. Fails when it has more than `limit` devices.
Result<DrawnOut> draw_out_node(const Topology& topology, std::size_t limit);

}  // namespace crosspoint
