#include <algorithm>

#include "core/network/pair_demand.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t max_member_digits = 14;  // 2^14 pair classes; a real group has one to five digits

double product_of(const EvenLayout& layout, const std::vector<int>& digits) {
    double product = 1;
    for (const int d : digits) product *= double(layout.uses[std::size_t(d)].used);
    return product;
}

/// Ranks of the class are 0, 1, 2, ... over its axes without gaps, and hold all groups.
bool contiguous(const Network& network, int vertex, std::int64_t last_rank) {
    const NetworkImpl& impl = *network.impl;
    const std::vector<OrderNode>* level = &impl.order;
    while (!level->empty()) {
        const OrderNode& first = level->front();
        if (first.vertex >= 0) {
            return first.vertex == vertex && last_rank < impl.vertices[std::size_t(vertex)].instances &&
                   (level == &impl.order || level->size() == 1);
        }
        // A second child breaks the count unless everything wanted lies in the first child's instances.
        if (level != &impl.order && level->size() != 1) return false;
        level = &first.children;
    }
    return false;
}

std::int64_t last_rank_of(const RankGroups& groups) {
    std::int64_t last = 0;
    for (const auto* strides : {&groups.members, &groups.copies})
        for (const Stride& s : *strides) last += (s.extent - 1) * s.stride;
    return last;
}

std::vector<Stride> used_strides(const RankGroups& groups) {
    std::vector<Stride> all;
    for (const auto* strides : {&groups.members, &groups.copies})
        for (const Stride& s : *strides)
            if (s.extent > 1) all.push_back(s);
    std::sort(all.begin(), all.end(), [](const Stride& x, const Stride& y) { return x.stride < y.stride; });
    return all;
}

/// Borders that the strides need: where each begins, and where each ends unless the rest of the count stays idle.
std::vector<std::int64_t> wanted_cuts(const std::vector<Stride>& strides) {
    std::vector<std::int64_t> cuts;
    for (std::size_t i = 0; i < strides.size(); ++i) {
        cuts.push_back(strides[i].stride);
        const bool last = i + 1 == strides.size();
        if (!last && strides[i + 1].stride < strides[i].stride * strides[i].extent) return {-1};
    }
    return cuts;
}

/// Assigns strides to digits from the innermost one outwards.
class Tiling {
public:
    explicit Tiling(EvenLayout& layout) : layout_(layout) {
        std::int64_t weight = 1;
        const auto& digits = layout.space.vertex_digits[std::size_t(layout.vertex)];
        weights_.resize(digits.size());
        for (std::size_t i = digits.size(); i-- > 0; weight *= digits[i].size) weights_[i] = weight;
        for (const auto& d : digits) layout_.uses.push_back({d.set, 1});
    }

    /// Digits that the stride covers, innermost first; empty on a stride that ends inside a digit in use.
    std::vector<int> cover(const Stride& stride) {
        std::vector<int> covered;
        std::int64_t left = stride.extent, weight = stride.stride;
        const auto& digits = layout_.space.vertex_digits[std::size_t(layout_.vertex)];
        for (std::size_t i = digits.size(); i-- > 0 && left > 1;) {
            if (weights_[i] < weight) continue;
            if (weights_[i] != weight || layout_.uses[i].used != 1) return {};
            const std::int64_t take = std::min(left, digits[i].size);
            if (left % take != 0) return {};
            layout_.uses[i].used = take;
            covered.push_back(int(i));
            left /= take;
            weight *= digits[i].size;
        }
        return left == 1 ? covered : std::vector<int>{};
    }

private:
    EvenLayout& layout_;
    std::vector<std::int64_t> weights_;
};

bool tile(EvenLayout& layout, const RankGroups& groups, std::vector<int>& members) {
    Tiling tiling(layout);
    for (const auto* strides : {&groups.members, &groups.copies})
        for (const Stride& s : *strides) {
            if (s.extent <= 1) continue;
            const auto covered = tiling.cover(s);
            if (covered.empty()) return false;
            if (strides == &groups.members) members.insert(members.end(), covered.begin(), covered.end());
        }
    return members.size() <= max_member_digits;
}

void split_members(const NetworkImpl& impl, EvenLayout& layout, const std::vector<int>& members) {
    const Vertex& v = impl.vertices[std::size_t(layout.vertex)];
    layout.in_domain = v.domain >= 0;
    layout.order = members;
    const auto place = [&](int axis) { return std::find(v.axes.begin(), v.axes.end(), axis) - v.axes.begin(); };
    for (const int d : members) {
        const int axis = layout.space.vertex_digits[std::size_t(layout.vertex)][std::size_t(d)].axis;
        const bool inside = v.locality >= 0 && place(axis) > place(v.locality);
        (inside ? layout.inside : layout.outside).push_back(d);
    }
}

std::vector<Move> unmoved(const EvenLayout& layout) { return std::vector<Move>(layout.uses.size(), Move::equal); }

/// Successors in the order of `digits`, innermost first: inner digits wrap while the carry moves outwards.
void add_ring(const EvenLayout& layout, const std::vector<int>& digits, double bytes, bool closed,
              std::vector<PairGroup>& groups) {
    if (digits.empty()) return;
    PairGroup group{unmoved(layout), bytes};
    for (const int d : digits) {
        group.moves[std::size_t(d)] = Move::next;
        groups.push_back(group);
        group.moves[std::size_t(d)] = Move::wrap;
    }
    if (closed) groups.push_back(group);
}

std::vector<PairGroup> all_pairs(const EvenLayout& layout) {
    const std::vector<int>& digits = layout.order;
    const double peers = layout.ranks_inside() * layout.ranks_outside() - 1;
    std::vector<PairGroup> groups;
    for (std::size_t mask = 1; mask < std::size_t(1) << digits.size(); ++mask) {
        PairGroup group{unmoved(layout), 1.0 / peers};
        for (std::size_t i = 0; i < digits.size(); ++i)
            if (mask >> i & 1U) group.moves[std::size_t(digits[i])] = Move::differ;
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace

double EvenLayout::ranks_inside() const { return product_of(*this, inside); }
double EvenLayout::ranks_outside() const { return product_of(*this, outside); }
double EvenLayout::active() const {
    double product = 1;
    for (const DigitUse& use : uses) product *= double(use.used);
    return product;
}

std::optional<EvenLayout> even_layout(const Network& network, const RankGroups& groups) {
    const NetworkImpl& impl = *network.impl;
    std::vector<std::string> link_ids;
    for (const NetworkLink& link : network.links) link_ids.push_back(link.ref.id);
    EvenLayout layout;
    layout.vertex = impl.locate(0).vertex;
    if (layout.vertex < 0 || !contiguous(network, layout.vertex, last_rank_of(groups))) return std::nullopt;
    const auto strides = used_strides(groups);
    RankCuts cuts{layout.vertex, wanted_cuts(strides)};
    auto space = refine(impl, link_ids, cuts);
    // Where the end of a stride divides the count, a border there lets the remainder of the digit hold other strides.
    for (const Stride& s : strides) {
        cuts.positions.push_back(s.stride * s.extent);
        auto finer = refine(impl, link_ids, cuts);
        if (finer) space = std::move(finer);
        else cuts.positions.pop_back();
    }
    if (!space) return std::nullopt;
    layout.space = std::move(*space);
    std::vector<int> members;
    if (!tile(layout, groups, members)) return std::nullopt;
    split_members(impl, layout, members);
    return layout;
}

std::vector<PairGroup> pair_groups(const EvenLayout& layout, Pattern pattern) {
    const double inside = layout.ranks_inside(), outside = layout.ranks_outside();
    std::vector<PairGroup> groups;
    switch (pattern) {
        case Pattern::all_to_all: return all_pairs(layout);
        case Pattern::ring:
            add_ring(layout, layout.inside, inside_share(layout.in_domain, inside, outside), true, groups);
            if (outside > 1) add_ring(layout, layout.outside, 1.0 / inside, true, groups);
            break;
        case Pattern::within_domains: add_ring(layout, layout.inside, 1.0, true, groups); break;
        case Pattern::across_domains: add_ring(layout, layout.outside, 1.0, true, groups); break;
        case Pattern::stages: add_ring(layout, layout.order, 1.0, false, groups); break;
    }
    return groups;
}

}  // namespace crosspoint
