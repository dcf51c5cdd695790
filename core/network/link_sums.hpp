// Private to core/network: what a pattern adds up to, link by link and level by level.
#pragma once

#include <map>
#include <vector>

#include "core/network/pair_demand.hpp"

namespace crosspoint {

struct TrafficSums {
    explicit TrafficSums(const Network& network);

    double sent = 0;                    ///< bytes that leave accelerators, all ranks
    std::vector<double> busiest;        ///< per link: bytes over its busiest instance and direction
    std::vector<double> total_forward;  ///< per link: bytes over all instances, from end a to end b
    std::vector<double> total_backward;
    std::vector<double> level_bytes;     ///< per level: bytes that cross it
    std::vector<Seconds> level_step;     ///< per level: alpha of a step over paths that reach it and no higher
    std::vector<Seconds> crossing_step;  ///< per level: the same over all paths that cross it
    double outside = 0;                  ///< bytes over links outside a scale-up domain
    std::optional<Path> slowest;

    /// `pairs` equivalent pairs that send `bytes` each; `from` and `to` are one of them.
    void add_route(const Network& network, const PairRoute& route, double bytes, double pairs, std::int64_t from,
                   std::int64_t to);
};

/// By classes of equivalent pairs.
Result<TrafficSums> sum_even(const Network& network, const EvenLayout& layout, const std::vector<PairGroup>& groups);

/// Pair by pair, for at most 4,096 ranks.
Result<TrafficSums> sum_enumerated(const Network& network, const RankGroups& groups, Pattern pattern);

/// Ranks that sit in one locality (domain, else node, else alone) have equal numbers.
std::int64_t locality_number(const NetworkImpl& impl, const Position& position);

/// Value of each digit set at this instance; -1 where its class has none.
std::vector<std::int64_t> set_values(const NetworkImpl& impl, const DigitSpace& space, const Position& position);
PairClass pair_class(int from, const std::vector<std::int64_t>& from_values, int to,
                     const std::vector<std::int64_t>& to_values);

/// What named() makes a sentence of.
inline Error unreachable() { return fail(ErrorCode::unreachable, "no path").value(); }

/// Names both ends in an error of PairRouter.
Error named(Error error, const NetworkImpl& impl, std::int64_t from, std::int64_t to);

}  // namespace crosspoint
