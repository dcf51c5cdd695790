#include "core/collective/group_fabric.hpp"

#include "core/collective/group_levels.hpp"
#include "core/collective/operation_figures.hpp"

namespace crosspoint {
namespace {

/// Every group fills whole domains, or whole equal parts of them.
bool in_equal_domains(const Route& ring) {
    return ring.domains > 1 && ring.ranks_per_domain > 1 && ring.ranks == ring.domains * ring.ranks_per_domain;
}

bool exchanges(CollectiveOp op) {
    switch (op) {
        case CollectiveOp::all_to_all:
        case CollectiveOp::gather:
        case CollectiveOp::scatter:
        case CollectiveOp::expert_dispatch:
        case CollectiveOp::expert_combine: return true;
        default: return false;
    }
}

Fabric fabric_of(const Route& route, double ranks, const Network& network, const Catalogue& catalogue,
                 CollectiveOp op) {
    Fabric fabric;
    fabric.ranks = ranks;
    const auto bandwidth = operation_bandwidth(route, network, catalogue, op);
    if (bandwidth.seconds_per_byte > SecondsPerByte(0)) fabric.bandwidth = 1.0 / bandwidth.seconds_per_byte;
    const auto latency = operation_latency(route.slowest, network, catalogue, op);
    fabric.software = latency.software;
    fabric.step = latency.step;
    fabric.kappa = latency.kappa;
    fabric.bulk = latency.bulk;
    fabric.low_latency_share = latency.low_latency_share;
    fabric.message = latency.message;
    fabric.fitted = latency.fitted;
    fabric.one_hop = route.slowest.hops <= 1;
    fabric.confidence = bandwidth.confidence;
    return fabric;
}

/// In-switch reduction works where one switched domain holds the whole group.
void add_reduction(Fabric& fabric, const Path& path, const Network& network, const Catalogue& catalogue) {
    if (path.links.size() != 1) return;
    const NetworkLink& link = network.links[std::size_t(path.links.front())];
    const LinkPart* part = catalogue.links.find(link.part);
    if (link.ref.kind != LinkRef::Kind::domain || !link.crossbar || !part || !part->in_switch_reduction) return;
    fabric.in_switch_reduction = true;
    if (part->in_switch_gain) fabric.in_switch_gain = part->in_switch_gain->value;
    if (part->in_switch_latency) fabric.in_switch_latency = part->in_switch_latency->value;
    if (part->in_switch_bandwidth && !link.entered && link.unimpaired > BytesPerSecond(0))
        fabric.in_switch_bandwidth = part->in_switch_bandwidth->value * (link.capacity.value / link.unimpaired);
}

/// Engines' own kernels need every pair joined by one domain.
void add_kernels(Fabric& fabric, const Path& path, const Network& network, const Catalogue& catalogue) {
    if (path.links.size() != 1) return;
    const LinkPart* part = catalogue.links.find(network.links[std::size_t(path.links.front())].part);
    if (!part || !part->engine_kernels) return;
    const EngineKernels& k = *part->engine_kernels;
    fabric.kernels = DirectKernels{k.one_shot.value, k.two_shot.value, k.bandwidth_share.value};
}

/// The parts of a two-level all-reduce inside a domain are a reduce-scatter and an all-gather.
CollectiveOp inside_op(CollectiveOp op) { return op == CollectiveOp::all_reduce ? CollectiveOp::reduce_scatter : op; }

/// Rings of peers on each level; none where the group's parts are not equal on every level.
std::vector<Route> routes_of_levels(const Network& network, const RankGroups& groups, std::int64_t ranks_per_domain) {
    std::vector<Route> routes;
    std::int64_t inner = 1;
    for (const std::int64_t outer : level_sizes(network, groups, ranks_per_domain)) {
        const RankGroups level = groups_of_level(groups, inner, outer);
        if (level.members.empty()) return {};
        auto ring = route(network, level, Pattern::ring);
        if (!ring) return {};
        routes.push_back(std::move(*ring));
        inner = outer;
    }
    return routes;
}

}  // namespace

Result<GroupRoutes> route_group(const Network& network, const RankGroups& groups) {
    auto ring = route(network, groups, Pattern::ring);
    if (!ring) return tl::unexpected(ring.error());
    auto all = route(network, groups, Pattern::all_to_all);
    if (!all) return tl::unexpected(all.error());
    GroupRoutes routes{groups, std::move(*ring), std::move(*all), std::nullopt, std::nullopt, {}};
    if (!in_equal_domains(routes.ring)) return routes;
    auto inside = route(network, groups, Pattern::within_domains);
    if (!inside) return tl::unexpected(inside.error());
    auto across = route(network, groups, Pattern::across_domains);
    if (!across) return tl::unexpected(across.error());
    routes.inside = std::move(*inside);
    routes.across = std::move(*across);
    routes.levels = routes_of_levels(network, groups, routes.ring.ranks_per_domain);
    return routes;
}

Result<Route> route_stages(const Network& network, const RankGroups& groups) {
    return route(network, groups, Pattern::stages);
}

GroupFabric group_fabric(const GroupRoutes& routes, const Network& network, const Catalogue& catalogue,
                         CollectiveOp op) {
    GroupFabric group;
    const Route& flat = exchanges(op) ? routes.all_to_all : routes.ring;
    group.whole = fabric_of(flat, double(flat.ranks), network, catalogue, op);
    group.whole.one_hop = routes.all_to_all.slowest.hops <= 1;
    add_reduction(group.whole, routes.all_to_all.slowest, network, catalogue);
    add_kernels(group.whole, routes.all_to_all.slowest, network, catalogue);
    if (!routes.inside || !routes.across) return group;
    group.inside = fabric_of(*routes.inside, double(flat.ranks_per_domain), network, catalogue, inside_op(op));
    add_reduction(*group.inside, routes.inside->slowest, network, catalogue);
    group.across = fabric_of(*routes.across, double(flat.domains), network, catalogue, op);
    for (const Route& level : routes.levels)
        group.levels.push_back(
            fabric_of(level, double(level.ranks), network, catalogue, group.levels.empty() ? inside_op(op) : op));
    return group;
}

}  // namespace crosspoint
