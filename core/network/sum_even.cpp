#include <algorithm>
#include <array>

#include "core/network/link_sums.hpp"

namespace crosspoint {
namespace {

/// What a link instance's value means for one digit of the ranks: an atom that must hold at a value.
struct Demand {
    Atom atom;
    std::int64_t value;
};

/// Counts the (source, destination) values of a digit that satisfy all demands.
class PairCount {
public:
    PairCount(Move move, std::int64_t used, const std::vector<Demand>& demands) : move_(move), used_(used) {
        for (const Demand& d : demands) take(d);
    }

    [[nodiscard]] double count() const {
        if (impossible_) return 0;
        switch (move_) {
            case Move::equal: return equal();
            case Move::wrap: return allowed(source_, used_ - 1) && allowed(target_, 0) ? 1 : 0;
            case Move::next: return next();
            case Move::differ: return differ();
        }
        return 0;
    }

private:
    static constexpr std::int64_t free = -1;

    void fix(std::int64_t& end, std::int64_t value) {
        if (end != free && end != value) impossible_ = true;
        end = value;
    }
    void take(const Demand& d) {
        if (d.atom == Atom::source || d.atom == Atom::same) fix(source_, d.value);
        if (d.atom == Atom::target || d.atom == Atom::same) fix(target_, d.value);
        if (d.atom == Atom::other && std::find(excluded_.begin(), excluded_.end(), d.value) == excluded_.end())
            excluded_.push_back(d.value);
    }
    /// Whether an end that is fixed to `fixed` (or free) may have this value.
    [[nodiscard]] bool allowed(std::int64_t fixed, std::int64_t value) const {
        return value >= 0 && value < used_ && (fixed == free || fixed == value) &&
               std::find(excluded_.begin(), excluded_.end(), value) == excluded_.end();
    }
    [[nodiscard]] double choices(std::int64_t fixed) const {
        if (fixed != free) return allowed(fixed, fixed) ? 1 : 0;
        return double(used_) -
               double(std::count_if(excluded_.begin(), excluded_.end(), [&](std::int64_t v) { return v < used_; }));
    }
    [[nodiscard]] double equal() const {
        if (source_ != free && target_ != free && source_ != target_) return 0;
        return choices(source_ != free ? source_ : target_);
    }
    [[nodiscard]] double next() const {
        if (source_ != free) return allowed(source_, source_) && allowed(target_, source_ + 1) ? 1 : 0;
        if (target_ != free) return allowed(target_, target_) && allowed(source_, target_ - 1) ? 1 : 0;
        double lost = 0;  // steps v -> v+1 that start or end at an excluded value
        for (std::int64_t v : excluded_) {
            if (v < used_ - 1) ++lost;
            const bool counted = std::find(excluded_.begin(), excluded_.end(), v - 1) != excluded_.end();
            if (v >= 1 && v < used_ && !counted) ++lost;
        }
        return double(used_ - 1) - lost;
    }
    [[nodiscard]] double differ() const {
        if (source_ != free && source_ == target_) return 0;
        const double s = choices(source_), d = choices(target_);
        if (source_ != free && target_ != free) return s * d;
        if (source_ != free) return s * std::max(0.0, d - 1);
        if (target_ != free) return d * std::max(0.0, s - 1);
        return s * std::max(0.0, d - 1);
    }

    Move move_;
    std::int64_t used_;
    std::int64_t source_ = free, target_ = free;
    std::vector<std::int64_t> excluded_;
    bool impossible_ = false;
};

Relation relation_of(Move move, std::int64_t used) {
    return move == Move::equal || used < 2 ? Relation::same : Relation::differ;
}

/// One pair class with its route.
struct Routed {
    const PairGroup* group;
    const PairRoute* route;
};

/// The busiest instance of one edge and direction.
class EdgeLoad {
public:
    EdgeLoad(const EvenLayout& layout, int edge) : layout_(layout), sets_(layout.space.edges[std::size_t(edge)].sets) {}

    void add(const Routed& routed, const Flow& flow) { parts_.push_back({routed.group, &flow}); }

    [[nodiscard]] double busiest() const {
        std::vector<std::int64_t> values(sets_.size());
        double best = 0;
        try_values(0, values, best);
        return best;
    }

private:
    struct Part {
        const PairGroup* group;
        const Flow* flow;
    };

    [[nodiscard]] int digit_of(int set) const {
        for (std::size_t i = 0; i < layout_.uses.size(); ++i)
            if (layout_.uses[i].set == set) return int(i);
        return -1;
    }

    /// Values that can differ in load: first, second, last of those in use, and one that no rank uses.
    [[nodiscard]] std::vector<std::int64_t> candidates(std::size_t coordinate) const {
        const int digit = digit_of(sets_[coordinate]);
        if (digit < 0) return {0};
        const std::int64_t used = layout_.uses[std::size_t(digit)].used;
        const std::int64_t size = layout_.space.set_size[std::size_t(sets_[coordinate])];
        std::vector<std::int64_t> values{0};
        if (used > 1) values.push_back(used - 1);
        if (used > 2) values.push_back(1);
        if (size > used) values.push_back(used);
        return values;
    }

    void try_values(std::size_t coordinate, std::vector<std::int64_t>& values, double& best) const {
        if (coordinate == sets_.size()) {
            best = std::max(best, load(values));
            return;
        }
        for (const std::int64_t v : candidates(coordinate)) {
            values[coordinate] = v;
            try_values(coordinate + 1, values, best);
        }
    }

    [[nodiscard]] double load(const std::vector<std::int64_t>& values) const {
        double sum = 0;
        for (const Part& part : parts_) sum += load_of(part, values);
        return sum;
    }

    /// Bytes of all pairs of the class over the instance with these values.
    [[nodiscard]] double load_of(const Part& part, const std::vector<std::int64_t>& values) const {
        double result = part.group->bytes * part.flow->amount;
        std::vector<std::vector<Demand>> demands(layout_.uses.size());
        for (std::size_t c = 0; c < sets_.size(); ++c) {
            const std::int64_t size = layout_.space.set_size[std::size_t(sets_[c])];
            const int digit = digit_of(sets_[c]);
            if (digit < 0) {
                result /= double(size);
                continue;
            }
            const DigitUse& use = layout_.uses[std::size_t(digit)];
            const Relation relation = relation_of(part.group->moves[std::size_t(digit)], use.used);
            result /= double(values_of(part.flow->atoms[c], relation, size));
            demands[std::size_t(digit)].push_back({part.flow->atoms[c], values[c]});
        }
        for (std::size_t d = 0; d < demands.size() && result > 0; ++d)
            result *= PairCount(part.group->moves[d], layout_.uses[d].used, demands[d]).count();
        return result;
    }

    const EvenLayout& layout_;
    const std::vector<int>& sets_;
    std::vector<Part> parts_;
};

/// Ranks of one pair of the class, for naming it.
std::array<std::int64_t, 2> example(const EvenLayout& layout, const PairGroup& group) {
    std::int64_t from = 0, to = 0, weight = 1;
    const auto& digits = layout.space.vertex_digits[std::size_t(layout.vertex)];
    for (std::size_t i = digits.size(); i-- > 0; weight *= digits[i].size) {
        const Move move = group.moves[i];
        if (move == Move::wrap) from += (layout.uses[i].used - 1) * weight;
        if (move == Move::next || move == Move::differ) to += weight;
    }
    return {from, to};
}

double pairs_of(const EvenLayout& layout, const PairGroup& group) {
    double pairs = 1;
    for (std::size_t d = 0; d < layout.uses.size(); ++d)
        pairs *= PairCount(group.moves[d], layout.uses[d].used, {}).count();
    return pairs;
}

PairClass pair_class(const EvenLayout& layout, const PairGroup& group) {
    PairClass pair{layout.vertex, layout.vertex, std::vector<Relation>(layout.space.set_size.size(), Relation::none)};
    for (std::size_t d = 0; d < layout.uses.size(); ++d)
        pair.relation[std::size_t(layout.uses[d].set)] = relation_of(group.moves[d], layout.uses[d].used);
    return pair;
}

using Routes = std::map<PairClass, PairRoute>;

Result<const PairRoute*> routed(const Network& network, const EvenLayout& layout, const PairGroup& group,
                                PairRouter& router, Routes& routes) {
    PairClass pair = pair_class(layout, group);
    const auto known = routes.find(pair);
    if (known != routes.end()) return &known->second;
    auto route = router.route(pair);
    if (!route) {
        const auto [from, to] = example(layout, group);
        return tl::unexpected(named(route.error(), *network.impl, from, to));
    }
    return &routes.emplace(std::move(pair), std::move(*route)).first->second;
}

}  // namespace

Result<TrafficSums> sum_even(const Network& network, const EvenLayout& layout, const std::vector<PairGroup>& groups) {
    TrafficSums sums(network);
    PairRouter router(network, layout.space);
    Routes routes;
    std::map<std::pair<int, bool>, EdgeLoad> loads;
    for (const PairGroup& group : groups) {
        const auto route = routed(network, layout, group, router, routes);
        if (!route) return tl::unexpected(route.error());
        const auto [from, to] = example(layout, group);
        sums.add_route(network, **route, group.bytes, pairs_of(layout, group), from, to);
        for (const Flow& flow : (*route)->flows)
            loads.try_emplace({flow.edge, flow.forward}, layout, flow.edge).first->second.add({&group, *route}, flow);
    }
    for (const auto& [key, load] : loads) {
        double& busiest = sums.busiest[std::size_t(network.impl->edges[std::size_t(key.first)].link)];
        busiest = std::max(busiest, load.busiest());
    }
    return sums;
}

}  // namespace crosspoint
