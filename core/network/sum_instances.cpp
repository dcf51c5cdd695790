#include <algorithm>
#include <array>
#include <map>

#include "core/network/rank_sets.hpp"
#include "core/network/terrain.hpp"

namespace crosspoint {
namespace {

/// Targets of one exchange in a unit, and the pairs of it that are routed already.
struct Incoming {
    std::size_t exchange = 0;
    std::int64_t targets = 0;
    std::map<int, std::int64_t> less;  // by source unit, negative
};

/// Accelerators that are attached at one node by one kind of chain.
struct Unit {
    int attach = -1;
    std::int64_t rank = 0;  // one of them
    Way out, in;            // over the chain
    std::vector<char> levels;
    bool outside = false;
    std::vector<Incoming> incoming;
};

class InstanceSums {
public:
    InstanceSums(const Network& network, const std::vector<std::int64_t>& ranks)
        : network_(network), impl_(*network.impl), terrain_(network), spread_(terrain_.graph()), sums_(network) {
        AccessFinder finder(terrain_);
        for (const std::int64_t rank : ranks) add_rank(rank, finder);
        loads_.resize(std::size_t(terrain_.graph().arcs()));
        width_ = network.levels.size() + 1;
        crossing_.resize(std::size_t(terrain_.graph().nodes()) * width_);
        ways_.resize(std::size_t(terrain_.graph().nodes()));
    }

    /// Traffic of single pairs; indices into the ranks.
    void add_pair(int from, int to, double bytes) {
        if (local(from, to)) return add_local(from, to, bytes);
        add_access(from, to, bytes);
        pairs_[ranks_[std::size_t(to)].unit][ranks_[std::size_t(from)].unit] += bytes;
    }

    /// All pairs of an exchange, by units and less those inside domains.
    void add_exchange(const Exchange& exchange) {
        Locals locals(*this, exchange);
        std::map<int, Incoming> incoming;
        for (const int t : exchange.targets) {
            Incoming& in = incoming.try_emplace(ranks_[std::size_t(t)].unit).first->second;
            ++in.targets;
            const std::int64_t near = locals.take_away(t, in.less);
            load_chain(ranks_[std::size_t(t)].access, false,
                       exchange.bytes * double(std::int64_t(exchange.sources.size()) - near));
        }
        for (const int s : exchange.sources)
            load_chain(ranks_[std::size_t(s)].access, true,
                       exchange.bytes * double(std::int64_t(exchange.targets.size()) - locals.near(s)));
        for (auto& [unit, in] : incoming) {
            in.exchange = exchanges_.size();
            units_[std::size_t(unit)].incoming.push_back(std::move(in));
        }
        exchanges_.push_back({locals.units(), exchange.bytes});
    }

    Result<TrafficSums> finish() {
        for (std::size_t u = 0; u < units_.size(); ++u)
            if (const auto ok = route_unit(int(u)); !ok) return tl::unexpected(ok.error());
        for (int arc = 0; arc < terrain_.graph().arcs(); ++arc) {
            const double bytes = loads_[std::size_t(arc)] + spread_.loads()[std::size_t(arc)];
            const auto link = std::size_t(terrain_.link(arc));
            sums_.busiest[link] = std::max(sums_.busiest[link], bytes);
            (arc & 1 ? sums_.total_backward : sums_.total_forward)[link] += bytes;
        }
        if (sums_.slowest) trace();
        return std::move(sums_);
    }

private:
    struct Rank {
        std::int64_t number = 0;
        Access access;
        int unit = -1;
    };
    struct Stored {
        std::map<int, std::int64_t> sources;  // by unit
        double bytes = 0;
    };

    /// Pairs of an exchange that stay inside a domain, and those of a rank with itself.
    class Locals {
    public:
        Locals(InstanceSums& sums, const Exchange& exchange)
            : sums_(sums), bytes_(exchange.bytes), near_(sums.ranks_.size()), is_source_(sums.ranks_.size()) {
            for (const int s : exchange.sources) {
                const Rank& rank = sums.ranks_[std::size_t(s)];
                ++units_[rank.unit];
                is_source_[std::size_t(s)] = 1;
                if (rank.access.crossbar >= 0) by_crossbar_[rank.access.crossbar].push_back(s);
            }
        }

        /// Routes the pairs of one target that stay inside; `less`: by source unit, how many pairs that takes away.
        std::int64_t take_away(int target, std::map<int, std::int64_t>& less) {
            std::int64_t count = 0;
            const auto take = [&](int source) {
                --less[sums_.ranks_[std::size_t(source)].unit];
                ++near_[std::size_t(source)];
                ++count;
            };
            if (is_source_[std::size_t(target)]) take(target);
            const int crossbar = sums_.ranks_[std::size_t(target)].access.crossbar;
            if (crossbar < 0) return count;
            for (const int source : by_crossbar_[crossbar]) {
                if (source == target) continue;
                take(source);
                sums_.add_local(source, target, bytes_);
            }
            return count;
        }
        [[nodiscard]] std::int64_t near(int source) const { return near_[std::size_t(source)]; }
        [[nodiscard]] const std::map<int, std::int64_t>& units() const { return units_; }

    private:
        InstanceSums& sums_;
        double bytes_;
        std::vector<std::int64_t> near_;
        std::vector<char> is_source_;
        std::map<int, std::int64_t> units_;
        std::map<int, std::vector<int>> by_crossbar_;
    };

    /// What the unit receives, by source unit; made when it is routed, so that all pairs never exist at once.
    [[nodiscard]] std::map<int, double> received(int unit) {
        std::map<int, double> sources;
        if (const auto it = pairs_.find(unit); it != pairs_.end()) sources = std::move(it->second);
        for (const Incoming& in : units_[std::size_t(unit)].incoming)
            for (const auto& [source, n] : exchanges_[in.exchange].sources) {
                const auto less = in.less.find(source);
                const std::int64_t left = n * in.targets + (less == in.less.end() ? 0 : less->second);
                if (left > 0) sources[source] += double(left) * exchanges_[in.exchange].bytes;
            }
        return sources;
    }

    Result<void> route_unit(int unit) {
        const auto received_bytes = received(unit);
        if (received_bytes.empty()) return {};
        std::vector<Supply> sources;
        for (const auto& [source, bytes] : received_bytes)
            sources.push_back({units_[std::size_t(source)].attach, bytes});
        const Unit& target = units_[std::size_t(unit)];
        if (!spread_.send(target.attach, sources)) return stranded(unit, received_bytes);
        describe_ways(target.attach);
        for (const auto& [source, bytes] : received_bytes) account(source, unit, bytes);
        return {};
    }

    void add_rank(std::int64_t number, AccessFinder& finder) {
        const int node = terrain_.instances().node_of(impl_, impl_.locate(number));
        Rank rank{number, finder.find(node), -1};
        std::vector<int> key{rank.access.attach};
        for (const int arc : rank.access.chain) key.push_back(terrain_.graph().tag(arc) * 2 + (arc & 1));
        const auto [it, added] = unit_of_.try_emplace(std::move(key), int(units_.size()));
        if (added) units_.push_back(new_unit(rank));
        rank.unit = it->second;
        ranks_.push_back(std::move(rank));
    }

    [[nodiscard]] Unit new_unit(const Rank& rank) const {
        Unit unit{rank.access.attach, rank.number, {}, {}, std::vector<char>(network_.levels.size()), false, {}};
        for (const int arc : rank.access.chain) {
            unit.out.add(terrain_.step(arc));
            unit.in.add(terrain_.step(arc ^ 1));
            unit.levels[std::size_t(terrain_.level(arc))] = 1;
            unit.outside = unit.outside || !network_.levels[std::size_t(terrain_.level(arc))].in_domain;
        }
        return unit;
    }

    [[nodiscard]] bool local(int from, int to) const {
        const int crossbar = ranks_[std::size_t(from)].access.crossbar;
        return crossbar >= 0 && crossbar == ranks_[std::size_t(to)].access.crossbar;
    }

    void load_chain(const Access& access, bool out, double bytes) {
        for (const int arc : access.chain) loads_[std::size_t(out ? arc : arc ^ 1)] += bytes;
    }
    void add_access(int from, int to, double bytes) {
        load_chain(ranks_[std::size_t(from)].access, true, bytes);
        load_chain(ranks_[std::size_t(to)].access, false, bytes);
    }

    void add_local(int from, int to, double bytes) {
        const int out = ranks_[std::size_t(from)].access.crossbar_arc, in = ranks_[std::size_t(to)].access.crossbar_arc;
        loads_[std::size_t(out)] += bytes;
        loads_[std::size_t(in ^ 1)] += bytes;
        Way way = terrain_.step(out);
        way.add(terrain_.step(in ^ 1));
        sums_.sent += bytes;
        sums_.level_bytes[std::size_t(way.top)] += bytes;
        note(way, {from, to, false});
        Seconds& crossing = sums_.crossing_step[std::size_t(way.top)];
        crossing = std::max(crossing, way.step());
    }

    /// Two ranks, or two units of which only some pairs leave their domain.
    struct Ends {
        int from = -1, to = -1;
        bool units = false;
    };

    void note(const Way& way, const Ends& ends) {
        if (way.top >= 0) {
            Seconds& top = sums_.level_step[std::size_t(way.top)];
            top = std::max(top, way.step());
        }
        if (sums_.slowest && sums_.slowest->alpha() >= way.software + way.step()) return;
        Path path;
        path.hops = way.half_hops / 2;
        path.software = way.software;
        path.endpoint = way.endpoint;
        path.transit = way.transit;
        path.step = way.step();
        path.level = way.top;
        sums_.slowest = std::move(path);
        slowest_ = ends;
    }

    /// Ranks of two units that do not share a domain: a pair that is routed between them.
    [[nodiscard]] std::array<std::int64_t, 2> pair_of(int from, int to) const {
        for (std::size_t s = 0; s < ranks_.size(); ++s)
            for (std::size_t t = 0; ranks_[s].unit == from && t < ranks_.size(); ++t)
                if (s != t && ranks_[t].unit == to && !local(int(s), int(t)))
                    return {ranks_[s].number, ranks_[t].number};
        return {units_[std::size_t(from)].rank, units_[std::size_t(to)].rank};
    }

    [[nodiscard]] double& crossing(int node, std::size_t level) {
        return crossing_[std::size_t(node) * width_ + level];
    }

    /// For every carrier: the way over the arcs drawn first, and which share crosses each level (last: any outside).
    void describe_ways(int target) {
        ways_[std::size_t(target)] = {};
        for (std::size_t l = 0; l < width_; ++l) crossing(target, l) = 0;
        for (const int node : spread_.carriers()) {
            const int first = spread_.first_onward(node);
            Way& way = ways_[std::size_t(node)] = terrain_.step(first);
            way.add(ways_[std::size_t(terrain_.graph().head(first))]);
            int n = 0;
            for (std::size_t l = 0; l < width_; ++l) crossing(node, l) = 0;
            spread_.onward(node, [&](int arc) {
                const int next = terrain_.graph().head(arc);
                const auto level = std::size_t(terrain_.level(arc));
                const bool outside = !network_.levels[level].in_domain;
                for (std::size_t l = 0; l < width_; ++l)
                    crossing(node, l) += l == level || (l + 1 == width_ && outside) ? 1.0 : crossing(next, l);
                way.top = std::max({way.top, int(level), ways_[std::size_t(next)].top});
                ++n;
            });
            for (std::size_t l = 0; l < width_; ++l) crossing(node, l) /= n;
        }
    }

    void account(int source, int target, double bytes) {
        const Unit &from = units_[std::size_t(source)], &to = units_[std::size_t(target)];
        const bool same = from.attach == to.attach;
        Way way = from.out;
        if (!same) way.add(ways_[std::size_t(from.attach)]);
        way.add(to.in);
        sums_.sent += bytes;
        for (std::size_t l = 0; l + 1 < width_; ++l) {
            const double share = from.levels[l] || to.levels[l] ? 1.0 : same ? 0.0 : crossing(from.attach, l);
            sums_.level_bytes[l] += bytes * share;
            if (share > 0) sums_.crossing_step[l] = std::max(sums_.crossing_step[l], way.step());
        }
        const double outside = from.outside || to.outside ? 1.0 : same ? 0.0 : crossing(from.attach, width_ - 1);
        sums_.outside += bytes * outside;
        note(way, {source, target, true});
    }

    Result<void> stranded(int target, const std::map<int, double>& sources) {
        int from = target;
        for (const auto& [source, bytes] : sources)
            if (units_[std::size_t(source)].attach == spread_.stranded()) from = source;
        const auto ends = pair_of(from, target);
        return tl::unexpected(named(unreachable(), impl_, ends[0], ends[1]));
    }

    /// Ends and links of the slowest path.
    void trace() {
        Path& path = *sums_.slowest;
        path.from = slowest_.units ? pair_of(slowest_.from, slowest_.to)[0] : ranks_[std::size_t(slowest_.from)].number;
        path.to = slowest_.units ? pair_of(slowest_.from, slowest_.to)[1] : ranks_[std::size_t(slowest_.to)].number;
        const auto found = instance_path(network_, path.from, path.to);
        if (found) path.links = found->links;
    }

    const Network& network_;
    const NetworkImpl& impl_;
    Terrain terrain_;
    FlowSpread spread_;
    TrafficSums sums_;
    std::vector<Rank> ranks_;
    std::vector<Unit> units_;
    std::map<std::vector<int>, int> unit_of_;
    std::map<int, std::map<int, double>> pairs_;  // target unit -> source unit -> bytes
    std::vector<Stored> exchanges_;
    Ends slowest_;
    std::vector<double> loads_;     // per arc: chains and domains
    std::vector<double> crossing_;  // per node: shares by level, then outside
    std::size_t width_ = 1;
    std::vector<Way> ways_;  // per node, to the target
};

/// Ranks of the groups in order, and where each group starts.
std::vector<std::int64_t> ranks_of(const RankGroups& groups) {
    std::vector<std::int64_t> ranks;
    for_each_rank(groups, [&](std::int64_t rank, std::int64_t, std::int64_t) { ranks.push_back(rank); });
    return ranks;
}

std::vector<Member> members_of(const NetworkImpl& impl, const std::vector<std::int64_t>& ranks, std::size_t first,
                               std::size_t size) {
    std::vector<Member> members;
    for (std::size_t i = first; i < first + size; ++i) {
        const Position position = impl.locate(ranks[i]);
        members.push_back(
            {ranks[i], locality_number(impl, position), impl.vertices[std::size_t(position.vertex)].domain >= 0});
    }
    return members;
}

}  // namespace

Result<TrafficSums> sum_instances(const Network& network, const RankGroups& groups, Pattern pattern) {
    const auto ranks = ranks_of(groups);
    InstanceSums sums(network, ranks);
    const auto size = std::size_t(groups.size());
    for (std::size_t first = 0; first < ranks.size() && size > 1; first += size) {
        if (pattern == Pattern::all_to_all) {
            Exchange exchange{{}, {}, 1.0 / double(size - 1)};
            for (std::size_t i = 0; i < size; ++i) exchange.sources.push_back(int(first + i));
            exchange.targets = exchange.sources;
            sums.add_exchange(exchange);
            continue;
        }
        enumerate_pairs(members_of(*network.impl, ranks, first, size), pattern,
                        [&](std::size_t from, std::size_t to, double bytes) {
                            sums.add_pair(int(first + from), int(first + to), bytes);
                        });
    }
    return sums.finish();
}

Result<TrafficSums> sum_exchanges(const Network& network, const std::vector<std::int64_t>& ranks,
                                  const std::vector<Exchange>& exchanges) {
    InstanceSums sums(network, ranks);
    for (const Exchange& exchange : exchanges) sums.add_exchange(exchange);
    return sums.finish();
}

Result<Path> instance_path(const Network& network, std::int64_t from, std::int64_t to) {
    const NetworkImpl& impl = *network.impl;
    const Terrain terrain(network);
    const int source = terrain.instances().node_of(impl, impl.locate(from));
    const int target = terrain.instances().node_of(impl, impl.locate(to));
    FlowSpread spread(terrain.graph());
    if (!spread.send(target, {{source, 1}})) return tl::unexpected(named(unreachable(), impl, from, to));
    Path path;
    path.from = from;
    path.to = to;
    Way way;
    for (int node = source; node != target;) {
        const int arc = spread.first_onward(node);
        way.add(terrain.step(arc));
        if (terrain.kind(node) != VertexKind::crossbar) path.links.push_back(terrain.link(arc));
        node = terrain.graph().head(arc);
    }
    path.hops = way.half_hops / 2;
    path.software = way.software;
    path.endpoint = way.endpoint;
    path.transit = way.transit;
    path.step = way.step();
    path.level = way.top;
    return path;
}

}  // namespace crosspoint
