// Private to core/network: the traffic of a pattern as few classes of equivalent pairs, or pair by pair.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/network/pair_route.hpp"

namespace crosspoint {

/// How the digit of the source relates to that of the destination over all pairs of a class, with `used` values:
/// equal; next (v, v+1); wrap (last, first); or any two different values.
enum class Move : char { equal, next, wrap, differ };

struct DigitUse {
    int set = 0;
    std::int64_t used = 1;  ///< values 0 .. used-1 take part
};

/// Pairs that differ only in values that the network treats alike.
struct PairGroup {
    std::vector<Move> moves;  ///< per digit of the accelerator class
    double bytes = 0;         ///< of one pair, per byte that each rank sends
};

/// The groups laid over the digits of one accelerator class: possible where they tile the counts evenly.
struct EvenLayout {
    int vertex = 0;
    DigitSpace space;
    std::vector<DigitUse> uses;        ///< per digit of the class, outermost first
    std::vector<int> order;            ///< member digits in member order, innermost first
    std::vector<int> inside, outside;  ///< member digits below and above the locality, innermost member first
    bool in_domain = false;            ///< the locality is a scale-up domain
    [[nodiscard]] double ranks_inside() const;
    [[nodiscard]] double ranks_outside() const;
    [[nodiscard]] double active() const;  ///< ranks over all copies
};

/// Empty when the groups do not follow the counts; then pairs are enumerated.
std::optional<EvenLayout> even_layout(const Network& network, const RankGroups& groups);
std::vector<PairGroup> pair_groups(const EvenLayout& layout, Pattern pattern);

/// Every pair of one group, members given as accelerators with the locality each is in.
struct Member {
    std::int64_t rank = 0;
    std::int64_t locality = 0;  ///< equal numbers = same locality instance
    bool in_domain = false;     ///< the locality is a scale-up domain
};
/// Bytes that a ring's member hands on inside its locality. A ring enters and leaves a scale-up domain by the same NIC,
/// so all members hand the whole byte on over the domain, the last one to the exit; without a domain the exit's share
/// goes straight to the NIC.
double inside_share(bool in_domain, double members, double localities);

using PairSink = std::function<void(std::size_t from, std::size_t to, double bytes)>;
void enumerate_pairs(const std::vector<Member>& members, Pattern pattern, const PairSink& sink);

}  // namespace crosspoint
