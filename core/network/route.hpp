// Paths and loads of a traffic pattern over groups of ranks.
//
// Fewest hops (and before that, fewest global links of a dragonfly); equal-cost paths share the traffic evenly;
// accelerators do not forward, except inside a ring or torus domain, whose traffic stays inside. The load of a link is
// R^T d; the bandwidth term of the pattern is the largest load / capacity over all links. Ranks that are
// equivalent under the symmetry of the drawing are represented by one: cost grows with what is drawn.
// Source of the load model: cost-model section 2.
#pragma once

#include <string>
#include <vector>

#include "core/network/network.hpp"
#include "core/workload/groups.hpp"

namespace crosspoint {

enum class Pattern {
    all_to_all,      ///< each rank sends 1 byte in all, spread evenly over the other members
    ring,            ///< 1 byte to the next member; where a domain is left, its members share the exits evenly
                     ///< (a library runs one ring per exit)
    stages,          ///< member s sends 1 byte to member s+1 (pipeline)
    across_domains,  ///< ring between the domains only: each rank exchanges with its peers in other domains
    within_domains,  ///< ring inside each domain only
};

struct LinkLoad {
    int link = 0;                     ///< index into Network::links
    double bytes_per_byte = 0;        ///< over the busiest instance and direction, per byte that each rank sends
    SecondsPerByte seconds_per_byte;  ///< a domain: of its slowest inner link, where that is slower than the whole
    double share_of_bytes = 0;        ///< bytes over all instances / all bytes sent
    std::string where;                ///< that inner link: "dimension 2", "uplink of a PCIe switch"; else empty
};

/// What passes through the instances of a drawn NIC, switch or host.
struct DeviceLoad {
    std::string device;
    double bytes_per_byte = 0;  ///< mean over its instances, both directions together, per byte that each rank sends
    double share_of_bytes = 0;  ///< bytes through all instances / all bytes sent
};

struct LevelTraffic {
    int level = 0;
    double share_of_bytes = 0;        ///< of the bytes that leave an accelerator, those that cross this level
    SecondsPerByte seconds_per_byte;  ///< slowest link of the level
    Seconds step;                     ///< alpha of one step over paths that reach this level (and no higher)
};

struct Path {
    std::int64_t from = 0, to = 0;  ///< accelerators
    std::vector<int> links;         ///< one of the equal-cost paths, as indices into Network::links
    int hops = 0;                   ///< inside a ring, torus or PCIe tree: those of its own links
    Seconds software;               ///< once per call
    Seconds step;                   ///< endpoint work and hops
    Seconds endpoint;               ///< of it: both ends' protocol work, NICs included
    Seconds transit;                ///< of it: cables, switches and CPUs on the way
    int level = -1;                 ///< highest level reached, index into Network::levels; -1 without links
    [[nodiscard]] Seconds alpha() const { return software + step; }
};

struct Route {
    std::int64_t ranks = 0;
    std::int64_t domains = 1;           ///< scale-up domains that one group spans
    std::int64_t ranks_per_domain = 1;  ///< largest share of one group in one domain
    Path slowest;                       ///< sets alpha of one step
    std::vector<LinkLoad> loads;        ///< only links with traffic
    std::vector<LevelTraffic> levels;   ///< only levels with traffic
    std::vector<DeviceLoad> devices;    ///< only NICs, switches and hosts with traffic, in drawing order of ids
    SecondsPerByte seconds_per_byte;    ///< the bandwidth term; 0 when nothing leaves an accelerator
    int bottleneck = -1;                ///< index into Network::links
    double cross_domain = 0;            ///< bytes over links outside a scale-up domain / bytes leaving accelerators
    Confidence confidence = Confidence::exact;
};

/// Fails with `unreachable` naming both ends when a pair has no path, with `layout` when ranks exceed accelerators,
/// with `unsupported` where groups follow no counts and the drawing stands for more than about four million instances.
Result<Route> route(const Network& network, const RankGroups& groups, Pattern pattern);

/// The path of one pair of accelerators: hops, links, latency terms and level.
Result<Path> path(const Network& network, std::int64_t from, std::int64_t to);

/// What two sets of ranks can exchange: every rank of `a` sends evenly to all of `b`, and back.
struct Cut {
    BytesPerSecond bandwidth;  ///< all of `a` together, one direction
    int bottleneck = -1;       ///< index into Network::links
};
/// Fails as route() does, with `layout` on ranks that do not exist, appear twice, or where a set is empty.
Result<Cut> cut_bandwidth(const Network& network, const std::vector<std::int64_t>& a,
                          const std::vector<std::int64_t>& b);
/// Between the first and the second half of the ranks, in drawing order (the middle one of an odd number is left out).
Result<Cut> bisection_bandwidth(const Network& network, std::vector<std::int64_t> ranks);

}  // namespace crosspoint
