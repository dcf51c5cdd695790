// Accelerators of rings, tori and PCIe trees, placed so that the lines between neighbours are short and cross nothing.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/topology/arrange_tree.hpp"

namespace crosspoint::arranging {
namespace {

constexpr double grid_gap = 16, plane_gap = 34;  // between accelerators; between planes of a 3-D torus
constexpr double tree_gap = 8, branch_gap = 24;  // between accelerators of one switch; between switches
constexpr double stub = 9, branch = 7;           // length of a wrap; of the line from an accelerator to its switch
constexpr std::int64_t widest_tree = 16;         // accelerators in a row

enum class Shape { none, ring, grid, tree };

Shape shape_of(const Interconnect* fabric) {
    if (!fabric) return Shape::none;
    switch (fabric->kind) {
        case FabricKind::ring: return Shape::ring;
        case FabricKind::torus: return Shape::grid;
        case FabricKind::pcie_tree: return Shape::tree;
        case FabricKind::switched:
        case FabricKind::full_mesh: break;
    }
    return Shape::none;
}

struct Dimension {
    std::int64_t size = 1;
    bool wrap = false;
};

/// Three of them, at least 1 each; without any, one that holds all `count` accelerators and wraps.
std::array<Dimension, 3> dimensions_of(const Interconnect& fabric, std::int64_t count) {
    std::array<Dimension, 3> all;
    if (fabric.dimensions.empty()) all[0] = {count, true};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, fabric.dimensions.size()); ++i)
        all[i] = {std::clamp<std::int64_t>(fabric.dimensions[i].size, 1, count), fabric.dimensions[i].wrap};
    return all;
}

std::int64_t columns_of_planes(std::int64_t planes) {
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(std::sqrt(double(planes)))));
}

/// A closed loop in two rows: there along the top, back along the bottom. Everything else is a grid, the planes of a
/// third dimension beside and below each other.
struct Place {
    std::int64_t column = 0, row = 0, plane = 0;
};

bool is_loop(const Interconnect& fabric) {
    if (fabric.kind == FabricKind::ring) return true;
    return fabric.kind == FabricKind::torus && fabric.dimensions.size() <= 1 &&
           (fabric.dimensions.empty() || fabric.dimensions.front().wrap);
}

Place place_in_loop(std::int64_t index, std::int64_t count) {
    const std::int64_t top = (count + 1) / 2;
    return index < top ? Place{index, 0, 0} : Place{count - 1 - index, 1, 0};
}

Place place_in_grid(std::int64_t index, const std::array<Dimension, 3>& d) {
    return {index % d[0].size, index / d[0].size % d[1].size, index / d[0].size / d[1].size};
}

struct Cell {
    double width = 0, height = 0;
};

Cell cell_of(const std::vector<Item*>& items) {
    Cell cell;
    for (const Item* item : items) {
        cell.width = std::max(cell.width, item->box.width);
        cell.height = std::max(cell.height, item->box.height);
    }
    return cell;
}

Size extent(const std::vector<Item*>& items, double margin) {
    Size size;
    for (const Item* item : items) {
        size.width = std::max(size.width, item->box.x + item->box.width + margin);
        size.height = std::max(size.height, item->box.y + item->box.height + margin);
    }
    return size;
}

Size place_lattice(const std::vector<Item*>& items, const Interconnect& fabric) {
    const auto count = std::int64_t(items.size());
    const Cell cell = cell_of(items);
    const auto d = dimensions_of(fabric, count);
    const bool loop = is_loop(fabric);
    const double plane_width = double(d[0].size) * (cell.width + grid_gap) - grid_gap + plane_gap;
    const double plane_height = double(d[1].size) * (cell.height + grid_gap) - grid_gap + plane_gap;
    const std::int64_t planes_a_row = columns_of_planes(d[2].size);
    for (std::int64_t i = 0; i < count; ++i) {
        const Place at = loop ? place_in_loop(i, count) : place_in_grid(i, d);
        ArrangedBox& box = items[std::size_t(i)]->box;
        box.x = stub + double(at.column) * (cell.width + grid_gap) + double(at.plane % planes_a_row) * plane_width;
        box.y = stub + double(at.row) * (cell.height + grid_gap) + double(at.plane / planes_a_row) * plane_height;
    }
    return extent(items, stub);
}

std::int64_t leaves_of(const Interconnect& fabric, std::int64_t count) { return dimensions_of(fabric, count)[0].size; }

Size place_tree(const std::vector<Item*>& items, const Interconnect& fabric) {
    const auto count = std::int64_t(items.size());
    const Cell cell = cell_of(items);
    const std::int64_t leaves = leaves_of(fabric, count),
                       switches_a_row = std::max<std::int64_t>(1, widest_tree / leaves);
    const double width = double(leaves) * (cell.width + tree_gap) - tree_gap + branch_gap;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t at = i / leaves;
        ArrangedBox& box = items[std::size_t(i)]->box;
        box.x = double(at % switches_a_row) * width + double(i % leaves) * (cell.width + tree_gap);
        box.y = double(at / switches_a_row) * (cell.height + branch_gap);
    }
    return {extent(items, 0).width, extent(items, branch).height};
}

// ---- lines

class Lines {
public:
    Lines(const Item& domain, std::vector<ArrangedStroke>& out) : domain_(domain), out_(out) {
        for (const Item& child : domain.children) {
            if (child.section == Section::fabric) bar_ = &child.box;
            if (child.section != Section::accelerator) continue;
            single_ = single_ && child.levels.back().size == 1;
            boxes_.push_back(&child.box);
        }
    }

    void draw() {
        if (!single_ || boxes_.size() < 2) return;
        const Shape shape = shape_of(domain_.fabric);
        if (shape == Shape::tree) tree();
        else if (is_loop(*domain_.fabric)) loop();
        else if (shape == Shape::grid) grid();
    }

private:
    [[nodiscard]] std::int64_t count() const { return std::int64_t(boxes_.size()); }
    [[nodiscard]] const ArrangedBox& at(std::int64_t i) const { return *boxes_[std::size_t(i)]; }

    void line(double x1, double y1, double x2, double y2, bool wrap = false) {
        out_.push_back({domain_.box.id, domain_.box.key, x1, y1, x2, y2, wrap});
    }

    /// From edge to edge.
    void join(const ArrangedBox& a, const ArrangedBox& b) {
        const double ax = a.x + a.width / 2, ay = a.y + a.height / 2, bx = b.x + b.width / 2, by = b.y + b.height / 2;
        const bool across = std::abs(bx - ax) >= std::abs(by - ay);
        if (across) {
            const bool right = bx >= ax;
            line(right ? a.x + a.width : a.x, ay, right ? b.x : b.x + b.width, by);
        } else {
            const bool below = by >= ay;
            line(ax, below ? a.y + a.height : a.y, bx, below ? b.y : b.y + b.height);
        }
    }

    void loop() {
        for (std::int64_t i = 0; i + 1 < count(); ++i) join(at(i), at(i + 1));
        if (count() > 2) join(at(count() - 1), at(0));
    }

    void grid() {
        const auto d = dimensions_of(*domain_.fabric, count());
        std::int64_t stride = 1;
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::int64_t i = 0; i < count(); ++i) along(i, k, d[k], stride);
            stride *= d[k].size;
        }
    }

    void along(std::int64_t i, std::size_t k, const Dimension& d, std::int64_t stride) {
        if (d.size < 2) return;
        const std::int64_t place = i / stride % d.size;
        const ArrangedBox& box = at(i);
        const bool next = place + 1 < d.size && i + stride < count();
        if (k == 2) {  // another plane: a short line into the depth
            if (next) line(box.x + box.width, box.y, box.x + box.width + stub / 2, box.y - stub / 2);
            return;
        }
        if (next) join(box, at(i + stride));
        if (!d.wrap || d.size < 3) return;
        const double x = box.x + box.width / 2, y = box.y + box.height / 2;
        if (place == 0) k == 0 ? line(box.x, y, box.x - stub, y, true) : line(x, box.y, x, box.y - stub, true);
        if (place == d.size - 1)
            k == 0 ? line(box.x + box.width, y, box.x + box.width + stub, y, true)
                   : line(x, box.y + box.height, x, box.y + box.height + stub, true);
    }

    /// Accelerators hang on the line of their switch, switches on the bar of the fabric.
    void tree() {
        const std::int64_t leaves = leaves_of(*domain_.fabric, count());
        for (std::int64_t first = 0; first < count(); first += leaves) {
            const std::int64_t last = std::min(count(), first + leaves) - 1;
            const double bus = at(first).y + at(first).height + branch;
            const double left = at(first).x + at(first).width / 2, right = at(last).x + at(last).width / 2;
            for (std::int64_t i = first; i <= last; ++i) {
                const double x = at(i).x + at(i).width / 2;
                line(x, at(i).y + at(i).height, x, bus);
            }
            if (right > left) line(left, bus, right, bus);
            if (bar_) line((left + right) / 2, bus, (left + right) / 2, bar_->y);
        }
    }

    const Item& domain_;
    std::vector<ArrangedStroke>& out_;
    const ArrangedBox* bar_ = nullptr;
    std::vector<const ArrangedBox*> boxes_;
    bool single_ = true;
};

void collect(const Item& parent, std::vector<ArrangedStroke>& out) {
    for (const Item& item : parent.children) {
        if (has_lines(item.fabric)) Lines(item, out).draw();
        collect(item, out);
    }
}

}  // namespace

bool has_lines(const Interconnect* fabric) { return shape_of(fabric) != Shape::none; }

Size place_on_fabric(const std::vector<Item*>& accelerators, const Interconnect& fabric) {
    return shape_of(&fabric) == Shape::tree ? place_tree(accelerators, fabric) : place_lattice(accelerators, fabric);
}

std::vector<ArrangedStroke> strokes(const Item& root) {
    std::vector<ArrangedStroke> all;
    collect(root, all);
    return all;
}

}  // namespace crosspoint::arranging
