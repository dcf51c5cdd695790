// The boxes of an arrangement as a tree, before and while they get their places. Private to core/topology.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/topology/arrange.hpp"

namespace crosspoint::arranging {

/// Which of the `total` instances of one counted level a box stands for: `size` of them from `first` on.
struct Range {
    std::int64_t first = 0;
    std::int64_t size = 1;
    std::int64_t total = 1;
};

/// Where a box stands inside its container, from the top down.
enum class Section { nic, tier, container, host, accelerator, fabric };

struct Item {
    ArrangedBox box;  ///< x and y relative to the parent until flattened
    Section section = Section::container;
    int tier = 0;  ///< of switches, 1 nearest the accelerators
    const CanvasBox* placed = nullptr;
    std::size_t title_length = 0;  ///< characters; sets a container's least width
    std::vector<Range> levels;     ///< outermost container first, own count last
    std::vector<Item> children;
    const Interconnect* fabric = nullptr;  ///< of a domain
    /// Of a closed container: the devices inside, each once for all its instances there.
    std::vector<std::pair<std::string, std::vector<Range>>> hidden;
};

struct Size {
    double width = 0, height = 0;
};

/// Rings, tori and PCIe trees: their accelerators stand so that the lines between them can be drawn.
bool has_lines(const Interconnect* fabric);
/// Relative places of the accelerators of such a fabric, in drawing order.
Size place_on_fabric(const std::vector<Item*>& accelerators, const Interconnect& fabric);
/// The lines of all fabrics below `root`, whose places are absolute.
std::vector<ArrangedStroke> strokes(const Item& root);

/// Tier of every switch of the drawing.
std::map<DeviceId, int> switch_tiers(const Topology& topology);

/// All boxes, unplaced, under one root item that is not drawn.
Item build_tree(const Topology& topology, const ArrangeOptions& options);

/// Sizes and relative places, from the inside out.
void place_inside(Item& item, bool root);

/// Cables between drawn boxes; `root` carries absolute places.
std::vector<ArrangedCable> cables(const Topology& topology, const Item& root, const ArrangeOptions& options);

}  // namespace crosspoint::arranging
