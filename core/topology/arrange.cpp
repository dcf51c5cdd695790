#include "core/topology/arrange.hpp"

#include "core/topology/arrange_tree.hpp"

namespace crosspoint {
namespace {

void make_absolute(arranging::Item& parent) {
    for (arranging::Item& item : parent.children) {
        item.box.x += parent.box.x;
        item.box.y += parent.box.y;
        make_absolute(item);
    }
}

void flatten(const arranging::Item& parent, std::vector<ArrangedBox>& boxes) {
    for (const arranging::Item& item : parent.children) {
        boxes.push_back(item.box);
        flatten(item, boxes);
    }
}

}  // namespace

Arrangement arrange(const Topology& topology, const ArrangeOptions& options) {
    arranging::Item root = arranging::build_tree(topology, options);
    arranging::place_inside(root, true);
    make_absolute(root);
    Arrangement arrangement;
    arrangement.width = root.box.width;
    arrangement.height = root.box.height;
    flatten(root, arrangement.boxes);
    arrangement.cables = arranging::cables(topology, root, options);
    return arrangement;
}

}  // namespace crosspoint
