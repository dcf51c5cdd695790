#include "core/prediction/cache.hpp"

#include <algorithm>

namespace crosspoint {

namespace {

// Enough for a scenario, its undo neighbours and the suggestions of a review; and for a sweep over layouts.
constexpr std::size_t kNetworks = 16;
constexpr std::size_t kRoutes = 64;

/// Moves the matching entry to the front and returns it; null when there is none.
template <class Entry, class Matches>
Entry* find_recent(std::list<Entry>& entries, Matches matches) {
    const auto it = std::find_if(entries.begin(), entries.end(), matches);
    if (it == entries.end()) return nullptr;
    entries.splice(entries.begin(), entries, it);
    return &entries.front();
}

template <class Entry>
Entry& remember(std::list<Entry>& entries, Entry entry, std::size_t limit) {
    entries.push_front(std::move(entry));
    if (entries.size() > limit) entries.pop_back();
    return entries.front();
}

Result<std::shared_ptr<const Network>> compile_shared(const Scenario& scenario) {
    auto network = compile(*scenario.topology, *scenario.catalogue);
    if (!network) return tl::unexpected(network.error());
    return std::make_shared<const Network>(std::move(*network));
}

Result<GroupRoutes> find_routes(const Network& network, const RankGroups& groups, bool stages) {
    if (!stages) return route_group(network, groups);
    auto route = route_stages(network, groups);
    if (!route) return tl::unexpected(route.error());
    return GroupRoutes{groups, *route, *route, std::nullopt, std::nullopt, {}};
}

std::int64_t replicas_of(const Scenario& scenario, const Network& network) {
    const auto facts = layout_facts(scenario.layout, *scenario.model, network.accelerators);
    return facts ? facts->replicas : 1;
}

}  // namespace

const GroupFabric& RoutedGroup::fabric(CollectiveOp op) {
    const auto it = fabrics_.find(op);
    if (it != fabrics_.end()) return it->second;
    return fabrics_.emplace(op, group_fabric(routes_, *network_, *catalogue_, op)).first->second;
}

Result<std::shared_ptr<const Network>> PredictionCache::network(const Scenario& scenario) {
    if (!scenario.topology || !scenario.catalogue) {
        return fail(ErrorCode::reference, "the scenario has no drawing", "draw at least one accelerator");
    }
    const auto same = [&](const NetworkEntry& e) {
        return e.topology == scenario.topology && e.catalogue == scenario.catalogue;
    };
    if (const NetworkEntry* entry = find_recent(networks_, same)) return entry->network;
    return remember(networks_, {scenario.topology, scenario.catalogue, compile_shared(scenario)}, kNetworks).network;
}

SharedRoutes PredictionCache::routes(const Scenario& scenario, GroupKind kind, std::int64_t replicas) {
    const auto shared = network(scenario);
    if (!shared) return tl::unexpected(shared.error());
    const RankGroups groups = groups_of(kind, scenario.layout, scenario.placement, replicas);
    if (groups.size() <= 1) return std::shared_ptr<RoutedGroup>();
    const bool stages = kind == GroupKind::pipeline;
    const auto same = [&](const RouteEntry& e) {
        return e.network == *shared && e.stages == stages && e.groups == groups;
    };
    if (const RouteEntry* entry = find_recent(routes_, same)) return entry->routes;
    auto found = find_routes(**shared, groups, stages);
    SharedRoutes routes = tl::unexpected(Error{});
    if (found) {
        routes = std::make_shared<RoutedGroup>(std::move(*found), *shared, scenario.catalogue);
    } else {
        routes = tl::unexpected(found.error());
    }
    return remember(routes_, {*shared, groups, stages, std::move(routes)}, kRoutes).routes;
}

std::shared_ptr<PredictionCache> make_prediction_cache() { return std::make_shared<PredictionCache>(); }

Result<std::shared_ptr<const Network>> network_of(const Scenario& scenario, PredictionCache& cache) {
    return cache.network(scenario);
}

Result<std::optional<GroupRoutes>> routes_of(const Scenario& scenario, GroupKind kind, PredictionCache& cache) {
    if (!scenario.model) return fail(ErrorCode::reference, "the scenario has no model", "choose or import a model");
    const auto network = cache.network(scenario);
    if (!network) return tl::unexpected(network.error());
    const auto routes = cache.routes(scenario, kind, replicas_of(scenario, **network));
    if (!routes) return tl::unexpected(routes.error());
    if (!*routes) return std::optional<GroupRoutes>();
    return std::optional<GroupRoutes>((*routes)->routes());
}

}  // namespace crosspoint
