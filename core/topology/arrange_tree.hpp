// The boxes of an arrangement as a tree, before and while they get their places. Private to core/topology.
#pragma once

#include <map>
#include <string>
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
};

/// Tier of every switch of the drawing.
std::map<DeviceId, int> switch_tiers(const Topology& topology);

/// All boxes, unplaced, under one root item that is not drawn.
Item build_tree(const Topology& topology, const ArrangeOptions& options);

/// Sizes and relative places, from the inside out.
void place_inside(Item& item, bool root);

/// Cables between drawn boxes; `root` carries absolute places.
std::vector<ArrangedCable> cables(const Topology& topology, const Item& root, const ArrangeOptions& options);

}  // namespace crosspoint::arranging
