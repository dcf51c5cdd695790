#include "core/topology/arrange.hpp"

#include <algorithm>
#include <string>

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

std::string numbered_name(const std::string& name, std::int64_t number) {
    const bool digit = !name.empty() && name.back() >= '0' && name.back() <= '9';
    return name + (digit ? "." : " ") + std::to_string(number);
}

Arrangement arrange(const Topology& topology, const ArrangeOptions& options) {
    arranging::Item root = arranging::build_tree(topology, options);
    arranging::place_inside(root, true);
    make_absolute(root);
    Arrangement arrangement;
    for (const arranging::Item& item : root.children) {
        arrangement.left = std::min(arrangement.left, item.box.x);
        arrangement.top = std::min(arrangement.top, item.box.y);
    }
    arrangement.width = root.box.width - arrangement.left;
    arrangement.height = root.box.height - arrangement.top;
    flatten(root, arrangement.boxes);
    arrangement.strokes = arranging::strokes(root);
    arrangement.cables = arranging::cables(topology, root, options);
    return arrangement;
}

}  // namespace crosspoint
