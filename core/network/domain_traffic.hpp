// Private to core/network: a pattern's traffic inside the domains that are no crossbar.
#pragma once

#include <vector>

#include "core/network/route.hpp"

namespace crosspoint {

/// What the busiest instance of a domain carries inside.
struct InnerTraffic {
    int link = -1;                    ///< index into Network::links, of the domain
    SecondsPerByte seconds_per_byte;  ///< of its slowest inner link
    int hops = 0;                     ///< of the longest way taken
    std::int64_t from = 0, to = 0;    ///< ranks at its ends
    int inner = -1;                   ///< index into DomainFabric::links of the slowest
};

/// One entry per domain with an inner graph and traffic. `representative`: all instances carry the same, so that of
/// rank 0 stands for them. Fails with `unreachable` where holes cut a domain apart, with `unsupported` above about
/// 4e9 steps of work.
Result<std::vector<InnerTraffic>> inner_traffic(const Network& network, const RankGroups& groups, Pattern pattern,
                                                bool representative);

/// The same for pairs given one by one; indices into `ranks`.
Result<std::vector<InnerTraffic>> inner_traffic_of(const Network& network, const std::vector<std::int64_t>& ranks,
                                                   const std::vector<struct Exchange>& exchanges);

/// Hops inside the domain that both ranks share; 0 where they share none or it is a crossbar.
Result<int> inner_hops(const Network& network, std::int64_t from, std::int64_t to);

/// A path over `hops` links inside a domain; from and to are not filled.
Path inner_path(const Network& network, int link, int hops);

/// Ranks of one instance of a domain.
struct DomainBlock {
    int container = -1;  ///< -1: not in a domain
    std::int64_t first = 0, size = 1;
};
DomainBlock block_of(const NetworkImpl& impl, std::int64_t rank);

}  // namespace crosspoint
