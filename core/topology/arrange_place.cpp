#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/topology/arrange_tree.hpp"

namespace crosspoint::arranging {
namespace {

// Looks, not physics: sizes in canvas units that keep 11-12 px labels readable at 100 % zoom.
constexpr double padding = 12;
constexpr double title_height = 24;
constexpr double fabric_height = 22;
constexpr double character_width = 7;
constexpr double tier_gap_inside = 24, tier_gap_top = 60;
constexpr double section_gap = 12;
constexpr std::size_t row_below_switches = 4;  // containers in one row; more would make the picture a strip
constexpr double unlimited = std::numeric_limits<double>::max();
constexpr double wide_screen = 16.0 / 9.0, inner_shape = 4.0 / 3.0;

/// Boxes that are laid out in rows together.
struct Group {
    Section section = Section::container;
    std::vector<Item*> items;
    Size size;
};

Size device_size(const Item& item, bool root) {
    const bool stack = item.levels.back().size > 1;
    switch (item.section) {
        case Section::nic: return root ? Size{56, 22} : Size{stack ? 48.0 : 16.0, 10};
        case Section::tier: return {96, 26};
        case Section::host: return {72, 22};
        default: return stack ? Size{72, 34} : Size{34, 26};
    }
}

double gap_of(Section section) {
    switch (section) {
        case Section::nic: return 4;
        case Section::accelerator: return 8;
        case Section::container: return 24;
        default: return 16;
    }
}

/// Rows of at most `limit` width, each centred on the widest; the places are relative to the group.
Size pack(const std::vector<Item*>& items, double gap, double limit) {
    Size all;
    std::vector<std::pair<std::size_t, double>> rows;  // first item and width
    double x = 0, y = 0, row_height = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        ArrangedBox& box = items[i]->box;
        if (i == 0 || x + box.width > limit) {
            if (i > 0) y += row_height + gap;
            x = row_height = 0;
            rows.emplace_back(i, 0.0);
        }
        box.x = x;
        box.y = y;
        x += box.width + gap;
        rows.back().second = x - gap;
        row_height = std::max(row_height, box.height);
        all.width = std::max(all.width, x - gap);
    }
    all.height = y + row_height;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t end = r + 1 < rows.size() ? rows[r + 1].first : items.size();
        const double indent = rows.size() > 1 && r + 1 == rows.size() ? 0 : (all.width - rows[r].second) / 2;
        for (std::size_t i = rows[r].first; i < end; ++i) items[i]->box.x += indent;
    }
    return all;
}

double widest(const std::vector<Item*>& items) {
    double width = 0;
    for (const Item* item : items) width = std::max(width, item->box.width);
    return width;
}

double columns_width(double columns, double width, double gap) { return columns * width + (columns - 1) * gap; }

/// 4 a row up to 16, then 8: the shapes of common nodes and trays.
double accelerator_limit(const std::vector<Item*>& items) {
    return columns_width(items.size() <= 16 ? 4 : 8, widest(items), gap_of(Section::accelerator));
}

/// Share of the places in the last row that stay empty.
double empty_share(std::size_t items, std::size_t columns) {
    const std::size_t places = (items + columns - 1) / columns * columns;
    return double(places - items) / double(places);
}

/// The row width at which the whole comes nearest to the wanted shape, with `other` height above and below.
double container_limit(const std::vector<Item*>& items, double other, double shape) {
    constexpr std::size_t columns_tried = 64;
    constexpr double gap_in_row_weight = 1.5;  // 4 nodes stand in a row or as 2 and 2, not as 3 and 1
    const double gap = gap_of(Section::container);
    double best = unlimited, best_error = unlimited;
    for (std::size_t columns = 1; columns <= std::min(items.size(), columns_tried); ++columns) {
        const double limit = columns_width(double(columns), widest(items), gap);
        const Size size = pack(items, gap, limit);
        const double error = std::abs(std::log(size.width / (size.height + other) / shape)) +
                             gap_in_row_weight * empty_share(items.size(), columns);
        if (error < best_error) std::tie(best, best_error) = std::make_pair(limit, error);
    }
    return best;
}

/// Accelerators of different devices form groups of their own unless lines join them; so does every tier of switches.
bool together(const Item& a, const Item& b, bool lines) {
    if (a.section != b.section || a.tier != b.tier) return false;
    return lines || a.section != Section::accelerator || a.box.id == b.box.id;
}

std::vector<Group> groups_of(Item& parent) {
    std::vector<Item*> items;
    for (Item& child : parent.children) items.push_back(&child);
    std::stable_sort(items.begin(), items.end(), [](const Item* a, const Item* b) {
        return std::make_tuple(a->section, -a->tier) < std::make_tuple(b->section, -b->tier);
    });
    std::vector<Group> groups;
    for (Item* item : items) {
        if (groups.empty() || !together(*groups.back().items.back(), *item, has_lines(parent.fabric)))
            groups.push_back({item->section, {}, {}});
        groups.back().items.push_back(item);
    }
    return groups;
}

double gap_below(Section section, bool root) {
    if (section == Section::tier) return root ? tier_gap_top : tier_gap_inside;
    return root ? tier_gap_inside : section_gap;
}

/// Packs every group: first those whose shape stands by itself, then containers, then what follows their width.
double pack_groups(std::vector<Group>& groups, const Interconnect* fabric, bool root) {
    double width = 0, height = 0;
    for (Group& group : groups) {
        if (group.section == Section::container) continue;
        const double limit = group.section == Section::accelerator
                                 ? accelerator_limit(group.items)
                                 : columns_width(8, widest(group.items), gap_of(group.section));
        const bool lines = group.section == Section::accelerator && has_lines(fabric);
        group.size = lines ? place_on_fabric(group.items, *fabric) : pack(group.items, gap_of(group.section), limit);
        if (group.section == Section::accelerator) width = std::max(width, group.size.width);
        height += group.size.height + gap_below(group.section, root);
    }
    const bool below_switches = groups.size() > 1 && groups.front().section == Section::tier;
    for (Group& group : groups) {
        if (group.section != Section::container) continue;
        // Cables from switches above to a second row would run through the first one.
        const bool one_row = below_switches && group.items.size() <= row_below_switches;
        const double limit =
            one_row ? unlimited : container_limit(group.items, height, root ? wide_screen : inner_shape);
        group.size = pack(group.items, gap_of(group.section), limit);
        width = std::max(width, group.size.width);
    }
    for (Group& group : groups)
        if (group.section == Section::tier || group.section == Section::nic || group.section == Section::host) {
            const double eight = columns_width(8, widest(group.items), gap_of(group.section));
            group.size = pack(group.items, gap_of(group.section), std::max(width, eight));
        }
    for (const Group& group : groups) width = std::max(width, group.size.width);
    return width;
}

/// One row of switches spreads over the whole width; everything else is centred.
void shift(Group& group, double left, double top, double width) {
    const double indent = (width - group.size.width) / 2;
    const bool spread = group.section == Section::tier && group.items.front()->box.height == group.size.height;
    const double share = width / double(group.items.size());
    for (std::size_t i = 0; i < group.items.size(); ++i) {
        ArrangedBox& box = group.items[i]->box;
        box.x = left + (spread ? share * (double(i) + 0.5) - box.width / 2 : indent + box.x);
        box.y += top;
    }
}

/// Moves explicitly placed children, all instances of one id by the same way.
void apply_placed(Item& parent, double least_x, double least_y) {
    std::map<std::string, std::pair<double, double>> moved;
    for (Item& child : parent.children) {
        if (!child.placed) continue;
        const double x = std::max(child.placed->x, least_x), y = std::max(child.placed->y, least_y);
        const auto [way, first] = moved.try_emplace(child.box.id, x - child.box.x, y - child.box.y);
        child.box.x = std::max(least_x, child.box.x + way->second.first);
        child.box.y = std::max(least_y, child.box.y + way->second.second);
    }
}

Size extent(const Item& parent) {
    Size size;
    for (const Item& child : parent.children) {
        if (child.section == Section::fabric) continue;
        size.width = std::max(size.width, child.box.x + child.box.width);
        size.height = std::max(size.height, child.box.y + child.box.height);
    }
    return size;
}

void use_explicit_size(Item& item) {
    if (!item.placed) return;
    const bool container = item.section == Section::container;
    const auto choose = [container](double automatic, const std::optional<double>& wanted) {
        return !wanted ? automatic : container ? std::max(automatic, *wanted) : *wanted;
    };
    item.box.width = choose(item.box.width, item.placed->width);
    item.box.height = choose(item.box.height, item.placed->height);
}

double title_width(const Item& item) {
    const double badge = item.levels.back().size > 1 ? 44 : 0;  // "x32"
    return std::clamp(character_width * double(item.title_length) + 2 * padding, 96.0, 240.0) + badge;
}

/// The bar along the bottom, below everything else and as wide as the inside.
void place_fabric(Item& parent, const Size& inside) {
    for (Item& child : parent.children) {
        if (child.section != Section::fabric) continue;
        child.box.x = padding;
        child.box.width = parent.box.width - 2 * padding;
        child.box.height = fabric_height;
        child.box.y = std::max(inside.height + section_gap, parent.box.height - padding - fabric_height);
        parent.box.height = std::max(parent.box.height, child.box.y + fabric_height + padding);
    }
}

/// Cables that fan out over a wide picture need height, or they lie on each other.
double fan_gap(const Group& group, double width) {
    constexpr double slope = 0.07, highest = 110;
    return group.section == Section::tier ? std::min(slope * width, highest) : 0;
}

/// Groups from the top down; a container's NICs come before its title.
void stack_groups(Item& parent, std::vector<Group>& groups, double width, bool root) {
    const double left = root ? 0 : padding;
    double y = 0;
    const auto title = [&] {
        parent.box.title_y = y;
        y += title_height;
    };
    const bool ports = !root && !groups.empty() && groups.front().section == Section::nic;
    if (!root && !ports) title();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].section == Section::fabric) continue;
        shift(groups[i], left, y, width);
        y += groups[i].size.height;
        if (ports && i == 0) title();
        else if (i + 1 < groups.size()) y += std::max(gap_below(groups[i].section, root), fan_gap(groups[i], width));
    }
}

/// At the top, NICs that lie in no container stand below the switches.
void order_top(std::vector<Group>& groups) {
    std::stable_partition(groups.begin(), groups.end(), [](const Group& g) { return g.section == Section::tier; });
}

}  // namespace

void place_inside(Item& item, bool root) {
    for (Item& child : item.children) {
        if (child.section == Section::container) {
            place_inside(child, false);
        } else if (child.section != Section::fabric) {
            const Size size = device_size(child, root);
            child.box.width = size.width;
            child.box.height = size.height;
        }
        use_explicit_size(child);
    }
    std::vector<Group> groups = groups_of(item);
    if (root) order_top(groups);
    double width = pack_groups(groups, item.fabric, root);
    if (!root) width = std::max(width, title_width(item) - 2 * padding);
    stack_groups(item, groups, width, root);
    apply_placed(item, root ? -unlimited : padding, root ? -unlimited : 0);
    const Size inside = extent(item);
    if (root) {
        item.box.width = inside.width;
        item.box.height = inside.height;
        return;
    }
    const double least_height = item.box.title_y + title_height;
    item.box.width = std::max(width + 2 * padding, inside.width + padding);
    item.box.height = std::max(inside.height, least_height) + padding;
    use_explicit_size(item);
    place_fabric(item, {inside.width, std::max(inside.height, least_height - section_gap)});
}

}  // namespace crosspoint::arranging
