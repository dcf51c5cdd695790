// Where everything stands on the canvas: absolute boxes and cables, from explicit positions or arranged in tiers.
//
// Small counts are laid out one by one (4 nodes of 8 accelerators are drawn so); a count above `expand_limit`
// is one stacked box with its "xN". Deterministic: the same topology gives the same picture, on screen, in
// exports and in reports. Lengths are canvas units (1 unit = 1 px at 100 % zoom).
//
// Inside a container, from the top: its NICs, its title, switches by tier, inner containers, hosts, accelerators,
// and the bar of its fabric. A switch stands one tier above the devices it is linked to that are nearer the
// accelerators. An explicit CanvasBox is an offset from the parent's top-left corner (from the origin at the top)
// and wins over the automatic spot; the others keep theirs, and the parent grows around it. Instances laid out one
// by one move together. Links are drawn once per joined pair of boxes; above `cable_limit` once per pair of
// enclosing boxes, and if those are still too many once per link; `stands_for` counts what a cable represents.
#pragma once

#include <string>
#include <vector>

#include "core/topology/topology.hpp"

namespace crosspoint {

struct ArrangedBox {
    enum class What { container, device, fabric } what = What::container;
    std::string id;      ///< of the drawn container or device (for `fabric`: the container that owns it)
    std::string parent;  ///< key of the enclosing box, empty at the top
    std::string key;     ///< unique per box: id, or id#index where instances are laid out one by one
    double x = 0, y = 0, width = 0, height = 0;  ///< absolute
    double title_y = 0;       ///< top of the 24 units for the title, below the container's top edge (NICs come first)
    std::int64_t index = 0;   ///< which instance, counted over the whole drawing
    std::int64_t number = 0;  ///< the index; of accelerators and NICs: counted over all of them in their container
    std::int64_t stands_for = 1;  ///< instances drawn as this one stacked box
    int depth = 0;
    bool collapsed = false;  ///< a closed container: what lies inside is not drawn, its cables end here
};

/// A line of a fabric between accelerators drawn one by one: neighbours of a ring, torus or mesh, or the branches of a
/// PCIe tree. A line that leaves a torus at one side comes in at the other: both ends are drawn as wraps, never across.
struct ArrangedStroke {
    std::string id;     ///< of the container whose fabric it is
    std::string owner;  ///< key of its box
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    bool wrap = false;  ///< goes on at the opposite side beyond (x2, y2)
};

struct ArrangedCable {
    LinkId id;
    std::string from_key, to_key;  ///< boxes
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::int64_t stands_for = 1;
};

struct Arrangement {
    std::vector<ArrangedBox> boxes;  ///< parents before children
    std::vector<ArrangedCable> cables;
    std::vector<ArrangedStroke> strokes;
    double left = 0, top = 0;  ///< of the whole picture: 0, or where the user put something further left or up
    double width = 0, height = 0;
};

struct ArrangeOptions {
    std::int64_t expand_limit = 24;  ///< instances of one container or device laid out one by one
    std::int64_t fabric_limit =
        256;  ///< the same for accelerators of a ring, torus or PCIe tree, whose lines are drawn
    std::int64_t total_limit = 4000;  ///< boxes in all; above it outer counts are stacked
    std::size_t cable_limit = 2000;
};

Arrangement arrange(const Topology& topology, const ArrangeOptions& options = {});

/// Name of one of several instances: "HGX H100 node 3", and "Leaf 2.3" where the name ends in a digit itself.
std::string numbered_name(const std::string& name, std::int64_t number);

}  // namespace crosspoint
