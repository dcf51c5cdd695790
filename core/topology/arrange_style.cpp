#include "core/topology/arrange_style.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/topology/arrange_tree.hpp"

namespace crosspoint {
namespace {

constexpr double gap = 24, aisle = 72, tier_gap = 96, column_gap = 120;  // canvas units

struct Rect {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
};

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// An object with all its instances, which move together.
struct Block {
    std::string id, name;
    int tier = 0;  ///< of switches, from 1
    bool pinned = false;
    Rect rect;                        ///< around all instances, inside the parent
    double first_x = 0, first_y = 0;  ///< of the first instance inside `rect`
};
using Blocks = std::vector<Block*>;

/// "node 2" before "node 10".
bool natural_less(const std::string& a, const std::string& b) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!digit(a[i]) || !digit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i, ++j;
            continue;
        }
        while (i + 1 < a.size() && a[i] == '0' && digit(a[i + 1])) ++i;
        while (j + 1 < b.size() && b[j] == '0' && digit(b[j + 1])) ++j;
        std::size_t ie = i, je = j;
        while (ie < a.size() && digit(a[ie])) ++ie;
        while (je < b.size() && digit(b[je])) ++je;
        if (ie - i != je - j) return ie - i < je - j;
        if (const int order = a.compare(i, ie - i, b, j, je - j); order != 0) return order < 0;
        i = ie;
        j = je;
    }
    return a.size() - i < b.size() - j;
}

std::optional<ContainerId> parent_of_object(const Topology& topology, const std::string& id) {
    if (const Container* c = topology.containers.find(ContainerId(id))) return c->parent;
    if (const Device* d = topology.devices.find(DeviceId(id))) return d->parent;
    return std::nullopt;
}

/// The objects to place: all siblings in one container or at the top.
class Siblings {
public:
    Siblings(const Topology& topology, const std::vector<std::string>& ids) : topology_(topology) {
        const bool inside = ids.size() == 1 && topology.containers.contains(ContainerId(ids.front()));
        if (inside) parent_ = ContainerId(ids.front());
        else if (!ids.empty()) parent_ = parent_of_object(topology, ids.front());
        const auto wanted = [&](const std::string& id) {
            return inside || ids.empty() || std::find(ids.begin(), ids.end(), id) != ids.end();
        };
        const auto tiers = arranging::switch_tiers(topology);
        for (const Container& c : topology.containers)
            if (c.parent == parent_ && wanted(c.id.value)) add(c.id.value, c.name, c.box, 0);
        for (const Device& d : topology.devices)
            if (d.parent == parent_ && wanted(d.id.value))
                add(d.id.value, d.name, d.box, d.kind == DeviceKind::network_switch ? tiers.at(d.id) : 0);
        measure();
        std::stable_sort(blocks_.begin(), blocks_.end(),
                         [](const Block& a, const Block& b) { return natural_less(a.name, b.name); });
    }

    std::vector<Block>& blocks() { return blocks_; }

private:
    void add(const std::string& id, const std::string& name, const std::optional<CanvasBox>& box, int tier) {
        Block block;
        block.id = id;
        block.name = name.empty() ? id : name;
        block.tier = tier;
        block.pinned = box && box->pinned;
        blocks_.push_back(std::move(block));
    }

    /// Sizes as they are drawn now, inside the first instance of the parent.
    void measure() {
        const Arrangement now = arrange(topology_);
        const ArrangedBox* around = nullptr;
        if (parent_)
            for (const ArrangedBox& box : now.boxes)
                if (box.id == parent_->value && box.what == ArrangedBox::What::container && !around) around = &box;
        std::map<std::string, Block*> by_id;
        for (Block& block : blocks_) by_id[block.id] = &block;
        for (const ArrangedBox& box : now.boxes) {
            const auto found = by_id.find(box.id);
            if (found == by_id.end() || box.what == ArrangedBox::What::fabric) continue;
            if (around && box.parent != around->key) continue;
            take(*found->second, box, around ? around->x : 0, around ? around->y : 0);
        }
        std::erase_if(blocks_, [](const Block& block) { return block.rect.width <= 0; });  // inside a closed container
    }

    static void take(Block& block, const ArrangedBox& box, double left, double top) {
        const Rect r{box.x - left, box.y - top, box.width, box.height};
        if (block.rect.width <= 0) {
            block.rect = r;
            return;
        }
        const double x = std::min(block.rect.x, r.x), y = std::min(block.rect.y, r.y);
        const double first_x = block.rect.x + block.first_x, first_y = block.rect.y + block.first_y;
        block.rect = {x, y, std::max(block.rect.right(), r.right()) - x, std::max(block.rect.bottom(), r.bottom()) - y};
        block.first_x = first_x - x;
        block.first_y = first_y - y;
    }

    const Topology& topology_;
    std::optional<ContainerId> parent_;
    std::vector<Block> blocks_;
};

double widest(const Blocks& blocks) {
    double most = 0;
    for (const Block* block : blocks) most = std::max(most, block->rect.width);
    return most;
}

double tallest(const Blocks& blocks) {
    double most = 0;
    for (const Block* block : blocks) most = std::max(most, block->rect.height);
    return most;
}

std::int64_t columns_for(const Blocks& blocks, double shape) {
    const double n = double(blocks.size()), w = widest(blocks) + gap, h = tallest(blocks) + gap;
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(std::sqrt(n * shape * h / w))));
}

/// Lays blocks out from (x, y) on, as if nothing were pinned.
class Layout {
public:
    Layout(double x, double y) : left_(x), top_(y) {}

    /// Cells of equal size, `columns` a row; where the next group begins.
    double cells(const Blocks& blocks, std::int64_t columns, double row_gap, double y, double indent = 0) const {
        const double w = widest(blocks) + gap, h = tallest(blocks) + row_gap;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            blocks[i]->rect.x = left_ + indent + double(std::int64_t(i) % columns) * w;
            blocks[i]->rect.y = y + double(std::int64_t(i) / columns) * h;
        }
        const std::int64_t rows = (std::int64_t(blocks.size()) + columns - 1) / columns;
        return y + double(rows) * h;
    }

    void rows(const Blocks& switches, const Blocks& others) const {
        const std::int64_t columns = columns_for(others, 1.8);
        double y = top_;
        if (!switches.empty()) y = cells(switches, std::max<std::int64_t>(columns, 4), gap, y) - gap + aisle;
        cells(others, columns, aisle, y);
    }

    void tiers(const std::map<int, Blocks>& by_tier) const {
        double width = 0;
        for (const auto& [tier, blocks] : by_tier) width = std::max(width, row_width(tier, blocks));
        double y = top_;
        for (auto group = by_tier.rbegin(); group != by_tier.rend(); ++group) {
            const auto& [tier, blocks] = *group;
            const std::int64_t columns = columns_in(tier, blocks);
            y = cells(blocks, columns, gap, y, (width - row_width(tier, blocks)) / 2) - gap + tier_gap;
        }
    }

    void rails(const std::map<int, Blocks>& by_tier) const {
        double height = 0, x = left_;
        for (const auto& [tier, blocks] : by_tier) height = std::max(height, column_height(blocks));
        for (const auto& [tier, blocks] : by_tier) {
            double y = top_ + (height - column_height(blocks)) / 2;
            for (Block* block : blocks) {
                block->rect.x = x;
                block->rect.y = y;
                y += block->rect.height + gap;
            }
            x += widest(blocks) + column_gap;
        }
    }

    void ring(const Blocks& blocks) const {
        const double n = double(blocks.size()), step = std::hypot(widest(blocks), tallest(blocks)) + gap;
        const double radius = n < 2 ? 0 : step / 2 / std::sin(std::numbers::pi / n);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const double angle = 2 * std::numbers::pi * double(i) / n - std::numbers::pi / 2;
            Rect& r = blocks[i]->rect;
            r.x = left_ + radius * (1 + std::cos(angle)) + (widest(blocks) - r.width) / 2;
            r.y = top_ + radius * (1 + std::sin(angle)) + (tallest(blocks) - r.height) / 2;
        }
    }

private:
    /// Switches stand in one row, the rest as fits a screen.
    static std::int64_t columns_in(int tier, const Blocks& blocks) {
        return tier > 0 ? std::int64_t(blocks.size()) : std::max<std::int64_t>(columns_for(blocks, 2.2), 4);
    }
    static double row_width(int tier, const Blocks& blocks) {
        return double(std::min<std::int64_t>(std::int64_t(blocks.size()), columns_in(tier, blocks))) *
                   (widest(blocks) + gap) -
               gap;
    }
    static double column_height(const Blocks& blocks) {
        double height = -gap;
        for (const Block* block : blocks) height += block->rect.height + gap;
        return height;
    }

    double left_, top_;
};

void lay_out(ArrangeStyle style, const Blocks& blocks, double x, double y) {
    const Layout layout(x, y);
    std::map<int, Blocks> by_tier;
    Blocks switches, others;
    for (Block* block : blocks) {
        by_tier[block->tier].push_back(block);
        (block->tier > 0 ? switches : others).push_back(block);
    }
    switch (style) {
        case ArrangeStyle::rows: return layout.rows(switches, others);
        case ArrangeStyle::tiers: return layout.tiers(by_tier);
        case ArrangeStyle::rails: return layout.rails(by_tier);
        case ArrangeStyle::ring: return layout.ring(blocks);
        case ArrangeStyle::grid: layout.cells(blocks, columns_for(blocks, 1), gap, y); return;
        case ArrangeStyle::automatic: return;
    }
}

/// Shifts all so that the picture begins where it began before.
void start_at(const Blocks& blocks, double x, double y) {
    double left = blocks.front()->rect.x, top = blocks.front()->rect.y;
    for (const Block* block : blocks) {
        left = std::min(left, block->rect.x);
        top = std::min(top, block->rect.y);
    }
    for (Block* block : blocks) {
        block->rect.x += x - left;
        block->rect.y += y - top;
    }
}

/// Down, past everything pinned.
void keep_clear(Block& block, const std::vector<Rect>& pinned) {
    for (std::size_t tries = 0; tries <= pinned.size(); ++tries) {
        const auto hit =
            std::find_if(pinned.begin(), pinned.end(), [&](const Rect& r) { return overlap(r, block.rect); });
        if (hit == pinned.end()) return;
        block.rect.y = hit->bottom() + gap;
    }
}

const std::optional<CanvasBox>& box_of(const Topology& topology, const std::string& id) {
    if (const Container* c = topology.containers.find(ContainerId(id))) return c->box;
    return topology.devices.find(DeviceId(id))->box;
}

}  // namespace

std::string_view to_string(ArrangeStyle style) {
    switch (style) {
        case ArrangeStyle::automatic: return "automatic";
        case ArrangeStyle::rows: return "rows";
        case ArrangeStyle::tiers: return "tiers";
        case ArrangeStyle::rails: return "rails";
        case ArrangeStyle::ring: return "ring";
        case ArrangeStyle::grid: return "grid";
    }
    return "?";
}

std::vector<ArrangedPlace> arrange_as(const Topology& topology, ArrangeStyle style,
                                      const std::vector<std::string>& ids) {
    Siblings siblings(topology, ids);
    Blocks free;
    std::vector<Rect> pinned;
    double x = 0, y = 0;
    for (Block& block : siblings.blocks()) {
        if (block.pinned) {
            pinned.push_back(block.rect);
            continue;
        }
        x = free.empty() ? block.rect.x : std::min(x, block.rect.x);
        y = free.empty() ? block.rect.y : std::min(y, block.rect.y);
        free.push_back(&block);
    }
    if (!free.empty()) {
        lay_out(style, free, x, y);
        start_at(free, x, y);
    }
    std::vector<ArrangedPlace> places;
    for (Block* block : free) {
        const std::optional<CanvasBox>& before = box_of(topology, block->id);
        ArrangedPlace place{block->id, std::nullopt};
        if (style != ArrangeStyle::automatic) {
            keep_clear(*block, pinned);
            place.box = before.value_or(CanvasBox{});
            place.box->x = std::round(block->rect.x + block->first_x);
            place.box->y = std::round(block->rect.y + block->first_y);
        }
        if (place.box != before) places.push_back(std::move(place));
    }
    return places;
}

}  // namespace crosspoint
