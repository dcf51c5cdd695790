#include "core/network/domain_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/network/fabric_graph.hpp"
#include "core/network/instances.hpp"
#include "core/network/link_sums.hpp"
#include "core/network/rank_sets.hpp"

namespace crosspoint {
namespace {

constexpr double max_steps = 4e9;  // arcs looked at; some ten seconds

/// A member inside one domain instance.
struct Resident {
    std::int64_t local = 0;   ///< rank - first rank of the block
    std::int64_t group = 0;   ///< copy
    std::int64_t member = 0;  ///< place in the group
};
using Residents = std::vector<Resident>;

/// Traffic of one instance: by target place, from source places.
class InnerDemand {
public:
    InnerDemand(const DomainFabric& fabric, const Residents& residents, std::int64_t group_size, Pattern pattern)
        : fabric_(fabric), group_size_(double(group_size)) {
        for (const Resident& r : residents) groups_[r.group].push_back(&r);
        uniform_ = pattern == Pattern::all_to_all && groups_.size() == 1 &&
                   groups_.begin()->second.size() == fabric_.place.size();
        for (auto& [id, group] : groups_) {
            std::sort(group.begin(), group.end(), [](const auto* x, const auto* y) { return x->member < y->member; });
            add(group, pattern);
        }
    }

    /// Traffic given pair by pair: target place -> sources.
    InnerDemand(const DomainFabric& fabric, std::map<int, std::vector<Supply>> by_target)
        : fabric_(fabric), by_target_(std::move(by_target)) {}

    /// All places in one group, each sending evenly to all others.
    [[nodiscard]] bool uniform() const { return uniform_; }

    /// Calls visit(target place, sources) until it returns false.
    template <class Visit>
    void for_each_target(Visit visit) const {
        for (const auto& [target, sources] : by_target_)
            if (!visit(target, sources)) return;
        if (!all_to_all_) return;
        for (const auto& [id, group] : groups_)
            for (const Resident* to : group) {
                std::vector<Supply> sources;
                for (const Resident* from : group)
                    if (from != to) sources.push_back({place(*from), 1 / (group_size_ - 1)});
                if (!sources.empty() && !visit(place(*to), sources)) return;
            }
    }

private:
    using Group = std::vector<const Resident*>;

    [[nodiscard]] int place(const Resident& r) const { return fabric_.place[std::size_t(r.local)]; }

    void add(const Group& group, Pattern pattern) {
        switch (pattern) {
            case Pattern::all_to_all: all_to_all_ = true; break;  // made target by target: it may be large
            case Pattern::ring:
            case Pattern::within_domains: ring(group); break;
            case Pattern::stages:
                for (std::size_t i = 0; i + 1 < group.size(); ++i)
                    if (group[i + 1]->member == group[i]->member + 1) send(*group[i], *group[i + 1], 1);
                break;
            case Pattern::across_domains: break;
        }
    }

    void send(const Resident& from, const Resident& to, double bytes) {
        by_target_[place(to)].push_back({place(from), bytes});
    }

    /// A library runs as many rings as the fabric has room for: a member's byte leaves evenly over the cables to
    /// neighbours of its group; where there are none, to the next member.
    void ring(const Group& group) {
        if (group.size() < 2) return;
        std::map<int, const Resident*> at;
        for (const Resident* r : group) at[place(*r)] = r;
        for (std::size_t i = 0; i < group.size(); ++i) {
            std::vector<const Resident*> near;
            for (const int arc : fabric_.graph.leaving(place(*group[i])))
                if (const auto it = at.find(fabric_.graph.head(arc)); it != at.end()) near.push_back(it->second);
            if (near.empty()) near.push_back(group[(i + 1) % group.size()]);
            for (const Resident* r : near) send(*group[i], *r, 1.0 / double(near.size()));
        }
    }

    const DomainFabric& fabric_;
    double group_size_ = 1;
    bool uniform_ = false, all_to_all_ = false;
    std::map<std::int64_t, Group> groups_;
    std::map<int, std::vector<Supply>> by_target_;
};

/// Routes the demand of one instance.
class InnerRouting {
public:
    explicit InnerRouting(const DomainFabric& fabric) : fabric_(fabric), spread_(fabric.graph) {}

    Result<InnerTraffic> run(const InnerDemand& demand) {
        const bool one = fabric_.alike && demand.uniform();
        Result<void> sent;
        demand.for_each_target([&](int target, const std::vector<Supply>& sources) {
            sent = send(target, sources);
            return sent && !one;
        });
        if (!sent) return tl::unexpected(sent.error());
        if (one) average();
        else busiest();
        return traffic_;
    }
    [[nodiscard]] int stranded() const { return spread_.stranded(); }
    [[nodiscard]] int target() const { return target_; }

private:
    Result<void> send(int target, const std::vector<Supply>& sources) {
        target_ = target;
        if (!spread_.send(target, sources)) return fail(ErrorCode::unreachable, "no way inside the domain");
        for (const Supply& s : sources) {
            const int hops = spread_.distance(s.node) / 2;
            if (hops <= traffic_.hops) continue;
            traffic_.hops = hops;
            traffic_.from = s.node;
            traffic_.to = target;
        }
        steps_ += double(spread_.carriers().size()) * 8;
        if (steps_ < max_steps) return {};
        return fail(ErrorCode::unsupported, "the traffic inside the domain takes too many steps to route");
    }

    void take(int tag, double bytes) {
        const SecondsPerByte spb(bytes / fabric_.links[std::size_t(tag)].capacity.si());
        if (spb <= traffic_.seconds_per_byte) return;
        traffic_.seconds_per_byte = spb;
        traffic_.inner = tag;
    }

    void busiest() {
        for (int arc = 0; arc < fabric_.graph.arcs(); ++arc)
            take(fabric_.graph.tag(arc), spread_.loads()[std::size_t(arc)]);
    }

    /// Shifting a torus by any vector maps it onto itself: what all targets put on one arc is what one target puts on
    /// all arcs of its dimension and direction.
    void average() {
        std::map<std::pair<int, int>, double> sums;
        for (int arc = 0; arc < fabric_.graph.arcs(); ++arc)
            sums[{fabric_.graph.tag(arc), arc & 1}] += spread_.loads()[std::size_t(arc)];
        for (const auto& [key, sum] : sums) take(key.first, sum);
    }

    const DomainFabric& fabric_;
    FlowSpread spread_;
    InnerTraffic traffic_;
    int target_ = -1;
    double steps_ = 0;
};

const std::shared_ptr<const DomainFabric>& fabric_of(const NetworkImpl& impl, const DomainBlock& block) {
    static const std::shared_ptr<const DomainFabric> none;
    return block.container < 0 ? none : impl.fabrics[std::size_t(impl.domain_link[std::size_t(block.container)])];
}

/// Residents by block, from all ranks or from the block of rank 0 alone.
class Blocks {
public:
    Blocks(const Network& network, const RankGroups& groups) : impl_(*network.impl), groups_(groups) {}

    struct Entry {
        DomainBlock block;
        Residents residents;
    };

    std::vector<Entry> first_only() const {
        Entry entry{block_of(impl_, 0), {}};
        if (!inner(entry.block)) return {};
        const RankDecoder decoder(groups_);
        for (std::int64_t local = 0; local < entry.block.size; ++local)
            if (const auto at = decoder.find(entry.block.first + local))
                entry.residents.push_back({local, at->copy, at->member});
        return {entry};
    }

    std::vector<Entry> all() const {
        std::map<std::int64_t, Entry> found;
        for_each_rank(groups_, [&](std::int64_t rank, std::int64_t copy, std::int64_t member) {
            const DomainBlock block = block_of(impl_, rank);
            if (!inner(block)) return;
            Entry& entry = found.try_emplace(block.first, Entry{block, {}}).first->second;
            entry.residents.push_back({rank - block.first, copy, member});
        });
        std::vector<Entry> entries;
        for (auto& [first, entry] : found)
            if (known_.insert(signature(entry)).second) entries.push_back(std::move(entry));
        return entries;
    }

private:
    [[nodiscard]] bool inner(const DomainBlock& block) const { return fabric_of(impl_, block) != nullptr; }

    /// Equal for instances whose traffic inside is the same.
    [[nodiscard]] static std::vector<std::int64_t> signature(Entry& entry) {
        auto& residents = entry.residents;
        std::sort(residents.begin(), residents.end(),
                  [](const Resident& x, const Resident& y) { return x.local < y.local; });
        std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> seen;  // copy -> ordinal, first member
        std::vector<std::int64_t> result{entry.block.container};
        for (const Resident& r : residents) {
            const auto& [ordinal, base] = seen.try_emplace(r.group, std::int64_t(seen.size()), r.member).first->second;
            result.insert(result.end(), {r.local, ordinal, r.member - base});
        }
        return result;
    }

    const NetworkImpl& impl_;
    const RankGroups& groups_;
    mutable std::set<std::vector<std::int64_t>> known_;
};

/// Keeps the slowest link and the longest way of two instances.
void merge(InnerTraffic& most, const InnerTraffic& other) {
    if (other.seconds_per_byte > most.seconds_per_byte) {
        most.seconds_per_byte = other.seconds_per_byte;
        most.inner = other.inner;
    }
    if (other.hops <= most.hops) return;
    most.hops = other.hops;
    most.from = other.from;
    most.to = other.to;
}

/// What is worst over the instances of each domain.
class Collector {
public:
    explicit Collector(const NetworkImpl& impl) : impl_(impl) {}

    Result<void> add(const DomainBlock& block, const InnerDemand& demand) {
        const DomainFabric& fabric = *fabric_of(impl_, block);
        InnerRouting routing(fabric);
        auto traffic = routing.run(demand);
        const auto rank_at = [&](int place) {
            const auto it = std::lower_bound(fabric.place.begin(), fabric.place.end(), place);
            return block.first + (it - fabric.place.begin());
        };
        if (!traffic)
            return tl::unexpected(
                named(traffic.error(), impl_, rank_at(routing.stranded()), rank_at(routing.target())));
        if (traffic->hops == 0) return {};
        traffic->from = rank_at(int(traffic->from));
        traffic->to = rank_at(int(traffic->to));
        traffic->link = impl_.domain_link[std::size_t(block.container)];
        merge(worst_.try_emplace(traffic->link, *traffic).first->second, *traffic);
        return {};
    }
    [[nodiscard]] std::vector<InnerTraffic> list() const {
        std::vector<InnerTraffic> result;
        for (const auto& [link, traffic] : worst_) result.push_back(traffic);
        return result;
    }

private:
    const NetworkImpl& impl_;
    std::map<int, InnerTraffic> worst_;
};

void descend(const std::vector<OrderNode>& nodes, std::int64_t rank, std::int64_t base, const NetworkImpl& impl,
             DomainBlock& block) {
    for (const OrderNode& node : nodes) {
        const std::int64_t local = rank - node.start;
        if (local < 0 || local >= node.size * node.count) continue;
        const std::int64_t first = base + node.start + local / node.size * node.size;
        if (node.vertex >= 0) return;
        if (impl.domain_link[std::size_t(node.axis)] >= 0) {
            block = {node.axis, first, node.size};
            return;
        }
        return descend(node.children, local % node.size, first, impl, block);
    }
}

}  // namespace

DomainBlock block_of(const NetworkImpl& impl, std::int64_t rank) {
    DomainBlock block{-1, rank, 1};
    descend(impl.order, rank, 0, impl, block);
    return block;
}

Result<std::vector<InnerTraffic>> inner_traffic(const Network& network, const RankGroups& groups, Pattern pattern,
                                                bool representative) {
    const NetworkImpl& impl = *network.impl;
    if (!impl.has_inner || groups.size() < 2) return std::vector<InnerTraffic>{};
    const Blocks blocks(network, groups);
    Collector collector(impl);
    for (const auto& entry : representative ? blocks.first_only() : blocks.all()) {
        const InnerDemand demand(*fabric_of(impl, entry.block), entry.residents, groups.size(), pattern);
        if (const auto ok = collector.add(entry.block, demand); !ok) return tl::unexpected(ok.error());
    }
    return collector.list();
}

Result<std::vector<InnerTraffic>> inner_traffic_of(const Network& network, const std::vector<std::int64_t>& ranks,
                                                   const std::vector<Exchange>& exchanges) {
    const NetworkImpl& impl = *network.impl;
    if (!impl.has_inner) return std::vector<InnerTraffic>{};
    std::map<std::int64_t, DomainBlock> blocks;
    std::map<std::int64_t, std::map<int, std::vector<Supply>>> demands;  // by first rank of the block
    for (const Exchange& exchange : exchanges) {
        std::map<std::int64_t, std::vector<std::int64_t>> sources;
        for (const int s : exchange.sources)
            sources[block_of(impl, ranks[std::size_t(s)]).first].push_back(ranks[std::size_t(s)]);
        for (const int t : exchange.targets) {
            const std::int64_t target = ranks[std::size_t(t)];
            const DomainBlock block = block_of(impl, target);
            const auto& fabric = fabric_of(impl, block);
            if (!fabric) continue;
            blocks[block.first] = block;
            auto& supplies = demands[block.first][fabric->place[std::size_t(target - block.first)]];
            for (const std::int64_t source : sources[block.first])
                if (source != target)
                    supplies.push_back({fabric->place[std::size_t(source - block.first)], exchange.bytes});
        }
    }
    Collector collector(impl);
    for (auto& [first, by_target] : demands) {
        const InnerDemand demand(*fabric_of(impl, blocks[first]), std::move(by_target));
        if (const auto ok = collector.add(blocks[first], demand); !ok) return tl::unexpected(ok.error());
    }
    return collector.list();
}

Result<int> inner_hops(const Network& network, std::int64_t from, std::int64_t to) {
    const NetworkImpl& impl = *network.impl;
    const DomainBlock block = block_of(impl, from);
    if (block.container < 0 || to < block.first || to >= block.first + block.size) return 0;
    const auto& fabric = fabric_of(impl, block);
    if (!fabric) return 0;
    FlowSpread spread(fabric->graph);
    const int source = fabric->place[std::size_t(from - block.first)];
    if (!spread.send(fabric->place[std::size_t(to - block.first)], {{source, 1}}))
        return tl::unexpected(named(unreachable(), impl, from, to));
    return spread.distance(source) / 2;
}

}  // namespace crosspoint
