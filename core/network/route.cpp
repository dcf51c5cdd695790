#include "core/network/route.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/network/domain_traffic.hpp"
#include "core/network/instances.hpp"
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

class RouteBuilder {
public:
    RouteBuilder(const Network& network, const Span& span, const TrafficSums& sums,
                 const std::vector<InnerTraffic>& inner)
        : network_(network), span_(span), sums_(sums), inner_(inner), joins_itself_(network.links.size()) {
        for (const GraphEdge& edge : network.impl->edges) joins_itself_[std::size_t(edge.link)] = edge.a == edge.b;
    }

    Route build(std::int64_t ranks) {
        route_.ranks = ranks;
        route_.domains = span_.domains;
        route_.ranks_per_domain = span_.largest;
        if (sums_.slowest) route_.slowest = *sums_.slowest;
        for (std::size_t l = 0; l < network_.links.size(); ++l)
            if (sums_.busiest[l] > 0) add_load(l);
        for (std::size_t l = 0; l < network_.levels.size(); ++l)
            if (sums_.level_bytes[l] > 0) add_level(l);
        add_devices();
        if (sums_.sent > 0) route_.cross_domain = sums_.outside / sums_.sent;
        return std::move(route_);
    }

private:
    void add_load(std::size_t l) {
        const NetworkLink& link = network_.links[l];
        LinkLoad load;
        load.link = int(l);
        load.bytes_per_byte = sums_.busiest[l];
        load.seconds_per_byte = SecondsPerByte(load.bytes_per_byte / link.capacity.value.si());
        for (const InnerTraffic& inner : inner_)
            if (inner.link == int(l) && inner.seconds_per_byte > load.seconds_per_byte) {
                load.seconds_per_byte = inner.seconds_per_byte;
                load.where = network_.impl->fabrics[l]->links[std::size_t(inner.inner)].name;
            }
        const double forward = sums_.total_forward[l], backward = sums_.total_backward[l];
        load.share_of_bytes = (joins_itself_[l] ? forward + backward : std::max(forward, backward)) / sums_.sent;
        if (load.seconds_per_byte > route_.seconds_per_byte) {
            route_.seconds_per_byte = load.seconds_per_byte;
            route_.bottleneck = int(l);
        }
        route_.confidence = weaker(route_.confidence, link.capacity.confidence);
        route_.loads.push_back(load);
    }

    void add_devices() {
        const NetworkImpl& impl = *network_.impl;
        std::vector<double> through(impl.vertices.size());
        for (const GraphEdge& edge : impl.edges) {
            if (network_.links[std::size_t(edge.link)].ref.kind != LinkRef::Kind::link) continue;
            through[std::size_t(edge.b)] += sums_.total_forward[std::size_t(edge.link)];
            through[std::size_t(edge.a)] += sums_.total_backward[std::size_t(edge.link)];
        }
        for (std::size_t v = 0; v < through.size(); ++v) {
            const Vertex& vertex = impl.vertices[v];
            if (through[v] > 0 && vertex.kind != VertexKind::accelerator)
                route_.devices.push_back({vertex.id, through[v] / double(std::max<std::int64_t>(1, vertex.instances)),
                                          through[v] / sums_.sent});
        }
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
    Span span_;
    const TrafficSums& sums_;
    const std::vector<InnerTraffic>& inner_;
    std::vector<char> joins_itself_;  // between instances of one device: neither direction is "up"
    Route route_;
};

/// The domain entry of a rank that is in one.
int domain_of(const Network& network, std::int64_t rank) {
    return network.impl->domain_link[std::size_t(block_of(*network.impl, rank).container)];
}

Result<Path> outer_path(const Network& network, std::int64_t from, std::int64_t to) {
    const NetworkImpl& impl = *network.impl;
    if (impl.undivided) {
        if (InstanceGraph::fits(impl)) return instance_path(network, from, to);
        return tl::unexpected(*impl.undivided);
    }
    const Position a = impl.locate(from), b = impl.locate(to);
    auto found =
        PairRouter(network, impl.digits)
            .route(pair_class(a.vertex, set_values(impl, impl.digits, a), b.vertex, set_values(impl, impl.digits, b)));
    if (!found) return tl::unexpected(named(found.error(), impl, from, to));
    return found->path;
}

/// By classes of pairs where the groups follow the counts, else instance by instance, else pair by pair.
Result<TrafficSums> sums_of(const Network& network, const RankGroups& groups, Pattern pattern,
                            const std::optional<EvenLayout>& layout) {
    if (layout) return sum_even(network, *layout, pair_groups(*layout, pattern));
    if (InstanceGraph::fits(*network.impl)) return sum_instances(network, groups, pattern);
    if (network.impl->undivided) return tl::unexpected(*network.impl->undivided);
    return sum_enumerated(network, groups, pattern);
}

/// Ways of several hops inside a domain take their time.
void add_inner_hops(const Network& network, const std::vector<InnerTraffic>& inner, TrafficSums& sums) {
    for (const InnerTraffic& traffic : inner) {
        Path path = inner_path(network, traffic.link, traffic.hops);
        path.from = traffic.from;
        path.to = traffic.to;
        for (auto* steps : {&sums.level_step, &sums.crossing_step}) {
            Seconds& step = (*steps)[std::size_t(path.level)];
            step = std::max(step, path.step);
        }
        const bool inside = sums.slowest && sums.slowest->links == path.links;
        if (inside || !sums.slowest || sums.slowest->alpha() < path.alpha()) sums.slowest = path;
    }
}

}  // namespace

Path inner_path(const Network& network, int link, int hops) {
    const LinkLatency& latency = network.impl->latencies[std::size_t(link)];
    Path path;
    path.links = {link};
    path.hops = hops;
    path.software = latency.software;
    path.endpoint = latency.endpoint;
    path.transit = latency.hop * hops;
    path.step = path.endpoint + path.transit;
    path.level = network.links[std::size_t(link)].level;
    return path;
}

Result<Route> route(const Network& network, const RankGroups& groups, Pattern pattern) {
    if (const auto ok = check_groups(network, groups); !ok) return tl::unexpected(ok.error());
    const auto layout = network.impl->undivided ? std::nullopt : even_layout(network, groups);
    auto sums = sums_of(network, groups, pattern, layout);
    if (!sums) return tl::unexpected(sums.error());
    const auto inner = inner_traffic(network, groups, pattern, layout.has_value());
    if (!inner) return tl::unexpected(inner.error());
    add_inner_hops(network, *inner, *sums);
    const Span span = layout ? span_of(*layout) : span_of(network, groups);
    // A ring hands every byte on once; what its members pass to the exits inside a domain is the same byte.
    if (pattern == Pattern::ring) sums->sent = double(groups.size()) * double(groups.copy_count());
    return RouteBuilder(network, span, *sums, *inner).build(groups.size());
}

Result<Path> path(const Network& network, std::int64_t from, std::int64_t to) {
    if (from < 0 || to < 0 || from >= network.accelerators || to >= network.accelerators)
        return fail(ErrorCode::layout, fmt::format("ranks {} and {} are not both among the {} accelerators", from, to,
                                                   network.accelerators));
    Path found;
    if (from != to) {
        const auto inside = inner_hops(network, from, to);
        if (!inside) return tl::unexpected(inside.error());
        auto routed = *inside > 0 ? Result<Path>(inner_path(network, domain_of(network, from), *inside))
                                  : outer_path(network, from, to);
        if (!routed) return tl::unexpected(routed.error());
        found = std::move(*routed);
    }
    found.from = from;
    found.to = to;
    return found;
}

}  // namespace crosspoint
