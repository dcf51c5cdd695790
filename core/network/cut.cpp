#include <algorithm>
#include <numeric>
#include <set>

#include "core/network/domain_traffic.hpp"
#include "core/network/instances.hpp"

namespace crosspoint {
namespace {

Result<void> check_sides(const Network& network, const std::vector<std::int64_t>& a,
                         const std::vector<std::int64_t>& b) {
    if (a.empty() || b.empty())
        return fail(ErrorCode::layout, "a cut needs accelerators on both sides", "choose at least two accelerators");
    std::set<std::int64_t> seen;
    for (const auto* side : {&a, &b})
        for (const std::int64_t rank : *side) {
            if (rank < 0 || rank >= network.accelerators)
                return fail(ErrorCode::layout, "a rank of the cut is not among the accelerators");
            if (!seen.insert(rank).second) return fail(ErrorCode::layout, "a rank appears twice in the cut");
        }
    if (InstanceGraph::fits(*network.impl)) return {};
    return fail(ErrorCode::unsupported, "the drawing stands for too many instances to cut it one by one",
                "choose a smaller drawing, or read the oversubscription of its tiers");
}

std::vector<int> indices(std::size_t first, std::size_t n) {
    std::vector<int> result(n);
    std::iota(result.begin(), result.end(), int(first));
    return result;
}

}  // namespace

Result<Cut> cut_bandwidth(const Network& network, const std::vector<std::int64_t>& a,
                          const std::vector<std::int64_t>& b) {
    if (const auto ok = check_sides(network, a, b); !ok) return tl::unexpected(ok.error());
    std::vector<std::int64_t> ranks = a;
    ranks.insert(ranks.end(), b.begin(), b.end());
    const auto first = indices(0, a.size()), second = indices(a.size(), b.size());
    const std::vector<Exchange> exchanges{{first, second, 1.0 / double(b.size())},
                                          {second, first, 1.0 / double(b.size())}};
    const auto sums = sum_exchanges(network, ranks, exchanges);
    if (!sums) return tl::unexpected(sums.error());
    const auto inner = inner_traffic_of(network, ranks, exchanges);
    if (!inner) return tl::unexpected(inner.error());
    Cut cut;
    SecondsPerByte slowest;
    const auto take = [&](int link, SecondsPerByte spb) {
        if (spb <= slowest) return;
        slowest = spb;
        cut.bottleneck = link;
    };
    for (std::size_t l = 0; l < network.links.size(); ++l)
        if (sums->busiest[l] > 0) take(int(l), SecondsPerByte(sums->busiest[l] / network.links[l].capacity.value.si()));
    for (const InnerTraffic& traffic : *inner) take(traffic.link, traffic.seconds_per_byte);
    if (slowest > SecondsPerByte(0)) cut.bandwidth = BytesPerSecond(double(a.size()) / slowest.si());
    return cut;
}

Result<Cut> bisection_bandwidth(const Network& network, std::vector<std::int64_t> ranks) {
    std::sort(ranks.begin(), ranks.end());
    const auto half = std::ptrdiff_t(ranks.size() / 2);
    return cut_bandwidth(network, {ranks.begin(), ranks.begin() + half}, {ranks.end() - half, ranks.end()});
}

}  // namespace crosspoint
