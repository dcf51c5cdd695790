#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/network/link_sums.hpp"
#include "core/network/rank_sets.hpp"

namespace crosspoint {
namespace {

constexpr double max_ranks = 4096;     // documented limit of pair-by-pair routing
constexpr double max_instances = 8e6;  // link instances kept one by one, a guard for memory

struct Rank {
    std::int64_t number = 0;
    int vertex = 0;
    std::vector<std::int64_t> values;  // per digit set; -1 where the class has none
};

/// Bytes per instance of one edge and direction. Sets that no active rank has are left out: all their values carry
/// the same.
class InstanceLoads {
public:
    InstanceLoads(const std::vector<int>& sets, const DigitSpace& space, const std::vector<char>& live) {
        for (const int set : sets) {
            const std::int64_t size = space.set_size[std::size_t(set)];
            const bool kept = live[std::size_t(set)] != 0;
            coordinates_.push_back({set, kept ? size : 1, kept, double(size)});
            if (kept) instances_ *= double(size);
        }
    }
    [[nodiscard]] double instances() const { return instances_; }

    void add(const Flow& flow, const PairClass& pair, const Rank& from, const Rank& to, double bytes) {
        if (bytes_.empty()) bytes_.resize(std::size_t(instances_));
        spread(flow, pair, from, to, 0, 0, bytes * flow.amount);
    }
    [[nodiscard]] double busiest() const {
        return bytes_.empty() ? 0.0 : *std::max_element(bytes_.begin(), bytes_.end());
    }

private:
    struct Coordinate {
        int set;
        std::int64_t radix;
        bool kept;
        double size;
    };

    void spread(const Flow& flow, const PairClass& pair, const Rank& from, const Rank& to, std::size_t c,
                std::size_t index, double amount) {
        if (c == coordinates_.size()) {
            bytes_[index] += amount;
            return;
        }
        const Coordinate& at = coordinates_[c];
        const auto set = std::size_t(at.set);
        const auto go = [&](std::int64_t value, double part) {
            spread(flow, pair, from, to, c + 1, index * std::size_t(at.radix) + std::size_t(value), part);
        };
        if (!at.kept) return go(0, amount / at.size);
        const Atom atom = flow.atoms[c];
        if (atom == Atom::source || atom == Atom::same) return go(from.values[set], amount);
        if (atom == Atom::target) return go(to.values[set], amount);
        const double share = amount / double(values_of(atom, pair.relation[set], at.radix));
        for (std::int64_t v = 0; v < at.radix; ++v)
            if (v != from.values[set] && v != to.values[set]) go(v, share);
    }

    std::vector<Coordinate> coordinates_;
    double instances_ = 1;
    std::vector<double> bytes_;
};

class Enumeration {
public:
    Enumeration(const Network& network, const RankGroups& groups, Pattern pattern)
        : network_(network),
          impl_(*network.impl),
          space_(impl_.digits),
          groups_(groups),
          pattern_(pattern),
          sums_(network) {}

    Result<TrafficSums> run() {
        const double active = double(groups_.size()) * double(groups_.copy_count());
        if (active > max_ranks)
            return fail(ErrorCode::unsupported,
                        fmt::format("{} ranks in groups of {} do not tile the drawing's counts evenly, and more than "
                                    "{} ranks are not routed one by one",
                                    std::int64_t(active), groups_.size(), std::int64_t(max_ranks)),
                        "choose degrees that divide the accelerators of a domain, or use counts instead of copies");
        collect();
        for (const auto& group : ranks_)
            if (const auto ok = add_group(group); !ok) return tl::unexpected(ok.error());
        for (const auto& [key, load] : loads_) {
            double& busiest = sums_.busiest[std::size_t(impl_.edges[std::size_t(key.first)].link)];
            busiest = std::max(busiest, load.busiest());
        }
        return std::move(sums_);
    }

private:
    void collect() {
        live_.assign(space_.set_size.size(), 0);
        for (const std::int64_t copy : offsets(groups_.copies)) {
            ranks_.emplace_back();
            members_.emplace_back();
            for (const std::int64_t member : offsets(groups_.members)) add_rank(copy + member);
        }
    }

    void add_rank(std::int64_t number) {
        const Position position = impl_.locate(number);
        Rank rank{number, position.vertex, set_values(impl_, space_, position)};
        for (std::size_t s = 0; s < live_.size(); ++s) live_[s] |= char(rank.values[s] >= 0);
        members_.back().push_back(
            {number, locality_number(impl_, position), impl_.vertices[std::size_t(position.vertex)].domain >= 0});
        ranks_.back().push_back(std::move(rank));
    }

    Result<void> add_group(const std::vector<Rank>& ranks) {
        Result<void> result;
        const auto& members = members_[std::size_t(&ranks - ranks_.data())];
        enumerate_pairs(members, pattern_, [&](std::size_t from, std::size_t to, double bytes) {
            if (result) result = add_pair(ranks[from], ranks[to], bytes);
        });
        return result;
    }

    Result<void> add_pair(const Rank& from, const Rank& to, double bytes) {
        PairClass pair = pair_class(from.vertex, from.values, to.vertex, to.values);
        auto known = routes_.find(pair);
        if (known == routes_.end()) {
            auto route = router_.route(pair);
            if (!route) return tl::unexpected(named(route.error(), impl_, from.number, to.number));
            known = routes_.emplace(std::move(pair), std::move(*route)).first;
        }
        sums_.add_route(network_, known->second, bytes, 1, from.number, to.number);
        for (const Flow& flow : known->second.flows) {
            const auto [it, added] =
                loads_.try_emplace({flow.edge, flow.forward}, space_.edges[std::size_t(flow.edge)].sets, space_, live_);
            if (added && !fits(it->second))
                return fail(ErrorCode::unsupported, "uneven groups over this many link instances are not modelled",
                            "choose degrees that divide the accelerators of a domain");
            it->second.add(flow, known->first, from, to, bytes);
        }
        return {};
    }

    bool fits(const InstanceLoads& load) {
        instances_ += load.instances();
        return instances_ <= max_instances;
    }

    const Network& network_;
    const NetworkImpl& impl_;
    const DigitSpace& space_;
    const RankGroups& groups_;
    Pattern pattern_;
    TrafficSums sums_;
    std::vector<char> live_;
    std::vector<std::vector<Rank>> ranks_;
    std::vector<std::vector<Member>> members_;
    PairRouter router_{network_, space_};
    std::map<PairClass, PairRoute> routes_;
    std::map<std::pair<int, bool>, InstanceLoads> loads_;
    double instances_ = 0;
};

}  // namespace

Result<TrafficSums> sum_enumerated(const Network& network, const RankGroups& groups, Pattern pattern) {
    return Enumeration(network, groups, pattern).run();
}

}  // namespace crosspoint
