#include "core/network/route.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/network/link_sums.hpp"

namespace crosspoint {
namespace {

/// Ranks must exist, and groups may not count a rank twice.
Result<void> check_groups(const Network& network, const RankGroups& groups) {
    double ranks = 1, last = 0;
    for (const auto* strides : {&groups.members, &groups.copies})
        for (const Stride& s : *strides) {
            if (s.extent < 1 || s.stride < 0 || (s.stride == 0 && s.extent > 1))
                return fail(ErrorCode::layout,
                            fmt::format("a rank group has extent {} and stride {}", s.extent, s.stride),
                            "extents and strides are at least 1");
            ranks *= double(s.extent);
            last += double(s.extent - 1) * double(s.stride);
        }
    const double wanted = std::max(ranks, last + 1);
    if (wanted > double(network.accelerators))
        return fail(
            ErrorCode::layout,
            fmt::format("the layout needs {:.0f} accelerators and the drawing has {}", wanted, network.accelerators),
            "lower a parallel degree, or raise a count in the drawing");
    return {};
}

/// Domains that one group spans, and the largest share in one of them.
struct Span {
    std::int64_t domains = 1, largest = 1;
};

Span span_of(const EvenLayout& layout) {
    if (!layout.in_domain) return {std::int64_t(layout.ranks_inside() * layout.ranks_outside()), 1};
    return {std::int64_t(layout.ranks_outside()), std::int64_t(layout.ranks_inside())};
}

/// Of the first group, rank by rank; groups that do not tile evenly are small.
Span span_of(const Network& network, const RankGroups& groups) {
    std::map<std::int64_t, std::int64_t> members;
    std::int64_t alone = 0;
    const std::int64_t size = groups.size();
    for (std::int64_t m = 0; m < size; ++m) {
        std::int64_t rank = 0, rest = m;
        for (const Stride& s : groups.members) {
            rank += rest % s.extent * s.stride;
            rest /= s.extent;
        }
        const Position position = network.impl->locate(rank);
        if (network.impl->vertices[std::size_t(position.vertex)].domain < 0) ++alone;
        else ++members[locality_number(*network.impl, position)];
    }
    Span span{std::int64_t(members.size()) + alone, 1};
    for (const auto& [domain, n] : members) span.largest = std::max(span.largest, n);
    return span;
}

/// Peers that one rank's port of a full mesh serves at once: their shares add up, one peer gets only its own.
double mesh_peers(Pattern pattern, const Span& span) {
    const bool spread =
        pattern == Pattern::all_to_all || pattern == Pattern::ring || pattern == Pattern::within_domains;
    return spread ? std::max(1.0, double(span.largest - 1)) : 1.0;
}

class RouteBuilder {
public:
    RouteBuilder(const Network& network, Pattern pattern, const Span& span, const TrafficSums& sums)
        : network_(network), pattern_(pattern), span_(span), sums_(sums) {}

    Route build(std::int64_t ranks) {
        route_.ranks = ranks;
        route_.domains = span_.domains;
        route_.ranks_per_domain = span_.largest;
        if (sums_.slowest) route_.slowest = *sums_.slowest;
        for (std::size_t l = 0; l < network_.links.size(); ++l)
            if (sums_.busiest[l] > 0) add_load(l);
        for (std::size_t l = 0; l < network_.levels.size(); ++l)
            if (sums_.level_bytes[l] > 0) add_level(l);
        if (sums_.sent > 0) route_.cross_domain = sums_.outside / sums_.sent;
        return std::move(route_);
    }

private:
    void add_load(std::size_t l) {
        const NetworkLink& link = network_.links[l];
        LinkLoad load;
        load.link = int(l);
        load.bytes_per_byte = sums_.busiest[l];
        load.seconds_per_byte = SecondsPerByte(load.bytes_per_byte * spreading(l) / link.capacity.value.si());
        load.share_of_bytes = std::max(sums_.total_forward[l], sums_.total_backward[l]) / sums_.sent;
        if (load.seconds_per_byte > route_.seconds_per_byte) {
            route_.seconds_per_byte = load.seconds_per_byte;
            route_.bottleneck = int(l);
        }
        route_.confidence = weaker(route_.confidence, link.capacity.confidence);
        route_.loads.push_back(load);
    }

    /// A full mesh gives each pair capacity / (size - 1).
    [[nodiscard]] double spreading(std::size_t l) const {
        const std::int64_t size = network_.impl->mesh_size[l];
        return size > 2 ? std::max(1.0, double(size - 1) / mesh_peers(pattern_, span_)) : 1.0;
    }

    void add_level(std::size_t l) {
        LevelTraffic level;
        level.level = int(l);
        level.share_of_bytes = sums_.level_bytes[l] / sums_.sent;
        level.step = sums_.level_step[l] > Seconds(0) ? sums_.level_step[l] : sums_.crossing_step[l];
        for (const LinkLoad& load : route_.loads)
            if (network_.links[std::size_t(load.link)].level == int(l))
                level.seconds_per_byte = std::max(level.seconds_per_byte, load.seconds_per_byte);
        route_.levels.push_back(level);
    }

    const Network& network_;
    Pattern pattern_;
    Span span_;
    const TrafficSums& sums_;
    Route route_;
};

}  // namespace

Result<Route> route(const Network& network, const RankGroups& groups, Pattern pattern) {
    if (const auto ok = check_groups(network, groups); !ok) return tl::unexpected(ok.error());
    const auto layout = even_layout(network, groups);
    auto sums =
        layout ? sum_even(network, *layout, pair_groups(*layout, pattern)) : sum_enumerated(network, groups, pattern);
    if (!sums) return tl::unexpected(sums.error());
    const Span span = layout ? span_of(*layout) : span_of(network, groups);
    // A ring hands every byte on once; what its members pass to the exits inside a domain is the same byte.
    if (pattern == Pattern::ring) sums->sent = double(groups.size()) * double(groups.copy_count());
    return RouteBuilder(network, pattern, span, *sums).build(groups.size());
}

Result<Path> path(const Network& network, std::int64_t from, std::int64_t to) {
    if (from < 0 || to < 0 || from >= network.accelerators || to >= network.accelerators)
        return fail(ErrorCode::layout, fmt::format("ranks {} and {} are not both among the {} accelerators", from, to,
                                                   network.accelerators));
    if (from == to) return Path{from, to, {}, 0, {}, {}};
    const NetworkImpl& impl = *network.impl;
    const Position a = impl.locate(from), b = impl.locate(to);
    auto found =
        PairRouter(network, impl.digits)
            .route(pair_class(a.vertex, set_values(impl, impl.digits, a), b.vertex, set_values(impl, impl.digits, b)));
    if (!found) return tl::unexpected(named(found.error(), impl, from, to));
    found->path.from = from;
    found->path.to = to;
    return found->path;
}

}  // namespace crosspoint
