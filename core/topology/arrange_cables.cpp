#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

#include "core/topology/ancestry.hpp"
#include "core/topology/arrange_tree.hpp"

namespace crosspoint::arranging {
namespace {

using Levels = std::vector<Range>;

/// One end that a cable can be drawn to: a box, and the instances of the device that it holds.
struct End {
    const ArrangedBox* box = nullptr;
    Levels levels;
};
using Ends = std::unordered_map<std::string, std::vector<End>>;  // by device id

double count_of(const Levels& levels, std::size_t from, std::size_t to) {
    double product = 1;
    for (std::size_t i = from; i < to; ++i) product *= double(levels[i].size);
    return product;
}

/// Flat index range of the levels from `from` on, innermost fastest; doubles cannot overflow.
struct Span {
    double first = 0, last = 0, total = 1;
};

Span flat(const Levels& levels, std::size_t from, std::size_t to) {
    Span span;
    for (std::size_t i = from; i < to; ++i) {
        const double total = double(levels[i].total);
        span.first = span.first * total + double(levels[i].first);
        span.last = span.last * total + double(levels[i].first + levels[i].size - 1);
        span.total *= total;
    }
    return span;
}

/// Indices correspond as larger / ratio == smaller: 8 NICs on 4 leaves join 0-1, 2-3, 4-5 and 6-7.
bool correspond(const Span& a, const Span& b) {
    if (a.total < b.total) return correspond(b, a);
    const double ratio = std::max(1.0, std::floor(a.total / b.total));
    return std::floor(a.first / ratio) <= b.last && b.first <= std::floor(a.last / ratio);
}

double corresponding(double size_a, double size_b, double total_a, double total_b) {
    if (total_a < total_b) return corresponding(size_b, size_a, total_b, total_a);
    return std::min(size_a, size_b * std::max(1.0, std::floor(total_a / total_b)));
}

bool overlap(const Range& a, const Range& b) { return a.first < b.first + b.size && b.first < a.first + a.size; }

/// The wiring of one link between two devices that share `shared` levels of containers.
struct Pattern {
    Wiring wiring = Wiring::one_to_one;
    std::size_t shared = 0;
    double per_pair = 1;  // dragonfly

    [[nodiscard]] bool joins(const Levels& a, const Levels& b) const {
        for (std::size_t i = 0; i < shared; ++i)
            if (!overlap(a[i], b[i])) return false;
        switch (wiring) {
            case Wiring::each_to_each:
            case Wiring::dragonfly: return true;
            case Wiring::rail: return correspond(flat(a, a.size() - 1, a.size()), flat(b, b.size() - 1, b.size()));
            case Wiring::one_to_one: break;
        }
        return correspond(flat(a, shared, a.size()), flat(b, shared, b.size()));
    }

    /// Cables between the instances that two joined boxes hold.
    [[nodiscard]] std::int64_t cables(const Levels& a, const Levels& b) const {
        const double n = std::min(count_of(a, 0, shared), count_of(b, 0, shared)) * pairs(a, b);
        return n < 9e18 ? static_cast<std::int64_t>(n) : std::numeric_limits<std::int64_t>::max();
    }

private:
    [[nodiscard]] double pairs(const Levels& a, const Levels& b) const {
        const double in_a = count_of(a, shared, a.size()), in_b = count_of(b, shared, b.size());
        if (wiring == Wiring::dragonfly) return per_pair * double(a[shared].size) * double(b[shared].size);
        if (wiring == Wiring::each_to_each) return in_a * in_b;
        if (wiring == Wiring::one_to_one)
            return corresponding(in_a, in_b, flat(a, shared, a.size()).total, flat(b, shared, b.size()).total);
        const Range &own_a = a.back(), &own_b = b.back();
        const double own =
            corresponding(double(own_a.size), double(own_b.size), double(own_a.total), double(own_b.total));
        return in_a / double(own_a.size) * in_b / double(own_b.size) * own;
    }
};

std::vector<ContainerId> chain(const Topology& topology, const DeviceId& id) {
    std::vector<ContainerId> containers;
    const Device* device = topology.devices.find(id);
    const Container* at = device ? parent_of(topology, device->parent) : nullptr;
    for (; at && containers.size() <= max_nesting; at = parent_of(topology, at->parent)) containers.push_back(at->id);
    std::reverse(containers.begin(), containers.end());
    return containers;
}

Pattern pattern_of(const Topology& topology, const Link& link) {
    const std::vector<ContainerId> a = chain(topology, link.a), b = chain(topology, link.b);
    const auto split = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    std::size_t shared = std::size_t(split.first - a.begin());
    if (link.wiring == Wiring::dragonfly) {  // the groups: instances of the innermost counted container
        const auto counted = [&](const ContainerId& id) { return topology.containers.find(id)->count > 1; };
        shared = std::size_t(std::find_if(a.rbegin(), a.rend(), counted).base() - a.begin());
        if (shared > 0) --shared;
    }
    return {link.wiring, shared, double(link.per_pair)};
}

void collect(const Item& parent, Ends& ends) {
    for (const Item& item : parent.children) {
        if (item.box.what == ArrangedBox::What::device) ends[item.box.id].push_back({&item.box, item.levels});
        for (const auto& [device, levels] : item.hidden) ends[device].push_back({&item.box, levels});
        collect(item, ends);
    }
}

/// The same with all boxes of a device in one container replaced by the container's box.
void collect_enclosing(const Item& parent, Ends& ends, bool top) {
    std::set<std::string> seen;
    for (const Item& item : parent.children) {
        collect_enclosing(item, ends, false);
        for (const auto& [device, levels] : item.hidden) ends[device].push_back({&item.box, levels});
        if (item.box.what != ArrangedBox::What::device) continue;
        if (!top && !seen.insert(item.box.id).second) continue;
        End end{top ? &item.box : &parent.box, item.levels};
        if (!top) end.levels.back() = {0, end.levels.back().total, end.levels.back().total};
        ends[item.box.id].push_back(std::move(end));
    }
}

/// From edge to edge: vertical between boxes above each other, otherwise horizontal.
void route(ArrangedCable& cable, const ArrangedBox& a, const ArrangedBox& b) {
    cable.x1 = a.x + a.width / 2;
    cable.x2 = b.x + b.width / 2;
    if (b.y + b.height <= a.y || a.y + a.height <= b.y) {
        const bool b_above = b.y + b.height <= a.y;
        cable.y1 = b_above ? a.y : a.y + a.height;
        cable.y2 = b_above ? b.y + b.height : b.y;
        return;
    }
    const bool b_right = cable.x2 >= cable.x1;
    cable.x1 = b_right ? a.x + a.width : a.x;
    cable.x2 = b_right ? b.x : b.x + b.width;
    cable.y1 = a.y + a.height / 2;
    cable.y2 = b.y + b.height / 2;
}

class Cabling {
public:
    Cabling(const Topology& topology, Ends ends, std::size_t limit)
        : topology_(topology), ends_(std::move(ends)), limit_(limit) {}

    /// False when there are more than `limit` cables, or too many pairs to look at.
    bool run() {
        for (const Link& link : topology_.links)
            if (!add(link)) return false;
        return true;
    }
    std::vector<ArrangedCable> take() { return std::move(cables_); }

private:
    bool add(const Link& link) {
        constexpr std::size_t most_pairs = 8'000'000;  // a fraction of a second; beyond it the picture is unreadable
        const Pattern pattern = pattern_of(topology_, link);
        const std::vector<End>& from = ends_[link.a.value];
        const std::vector<End>& to = ends_[link.b.value];
        pairs_ += from.size() * to.size();
        if (pairs_ > most_pairs) return false;
        for (std::size_t i = 0; i < from.size(); ++i)
            for (std::size_t j = link.a == link.b ? i + 1 : 0; j < to.size(); ++j) {
                if (from[i].box == to[j].box || !pattern.joins(from[i].levels, to[j].levels)) continue;
                if (cables_.size() >= limit_) return false;
                draw(link, pattern, from[i], to[j]);
            }
        return true;
    }

    void draw(const Link& link, const Pattern& pattern, const End& a, const End& b) {
        ArrangedCable cable;
        cable.id = link.id;
        cable.from_key = a.box->key;
        cable.to_key = b.box->key;
        cable.stands_for = pattern.cables(a.levels, b.levels);
        route(cable, *a.box, *b.box);
        cables_.push_back(std::move(cable));
    }

    const Topology& topology_;
    Ends ends_;
    std::size_t limit_;
    std::size_t pairs_ = 0;
    std::vector<ArrangedCable> cables_;
};

/// Only the first box of every device, standing for all instances.
Ends first_of_each(Ends ends) {
    for (auto& [id, list] : ends) {
        list.erase(list.begin() + 1, list.end());
        for (Range& range : list.front().levels) range = {0, range.total, range.total};
    }
    return ends;
}

}  // namespace

std::vector<ArrangedCable> cables(const Topology& topology, const Item& root, const ArrangeOptions& options) {
    Ends ends;
    collect(root, ends);
    Cabling each(topology, ends, options.cable_limit);
    if (each.run()) return each.take();

    Ends enclosing;
    collect_enclosing(root, enclosing, true);
    Cabling bundled(topology, std::move(enclosing), options.cable_limit);
    if (bundled.run()) return bundled.take();

    Cabling single(topology, first_of_each(std::move(ends)), std::numeric_limits<std::size_t>::max());
    single.run();
    return single.take();
}

}  // namespace crosspoint::arranging
