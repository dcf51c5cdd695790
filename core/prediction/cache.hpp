// What outlives one prediction: compiled networks and routed groups (private to core/prediction).
#pragma once

#include <list>
#include <map>
#include <memory>

#include "core/prediction/prediction.hpp"

namespace crosspoint {

/// Routes of one set of groups and, once asked for, what each collective sees of them.
class RoutedGroup {
public:
    RoutedGroup(GroupRoutes routes, std::shared_ptr<const Network> network, std::shared_ptr<const Catalogue> catalogue)
        : routes_(std::move(routes)), network_(std::move(network)), catalogue_(std::move(catalogue)) {}
    [[nodiscard]] const GroupRoutes& routes() const { return routes_; }
    const GroupFabric& fabric(CollectiveOp op);

private:
    GroupRoutes routes_;
    std::shared_ptr<const Network> network_;
    std::shared_ptr<const Catalogue> catalogue_;
    std::map<CollectiveOp, GroupFabric> fabrics_;
};

/// Null when a group of this kind has one rank.
using SharedRoutes = Result<std::shared_ptr<RoutedGroup>>;

/// Least recently used entries go first. Not thread-safe: one worker owns it.
class PredictionCache {
public:
    Result<std::shared_ptr<const Network>> network(const Scenario& scenario);
    SharedRoutes routes(const Scenario& scenario, GroupKind kind, std::int64_t replicas);

private:
    struct NetworkEntry {
        std::shared_ptr<const Topology> topology;
        std::shared_ptr<const Catalogue> catalogue;
        Result<std::shared_ptr<const Network>> network;
    };
    struct RouteEntry {
        std::shared_ptr<const Network> network;
        RankGroups groups;
        bool stages = false;
        SharedRoutes routes;
    };
    std::list<NetworkEntry> networks_;
    std::list<RouteEntry> routes_;
};

}  // namespace crosspoint
