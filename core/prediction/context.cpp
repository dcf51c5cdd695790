#include "core/prediction/context.hpp"

#include <algorithm>

namespace crosspoint {

namespace {

Result<void> check_phase(const Scenario& scenario) {
    if (scenario.workload.phase == Phase::training || scenario.layout.context <= 1) return {};
    return fail(ErrorCode::layout, "context-parallel ranks share the sequences of training only",
                "set layout.context to 1, or the phase to training");
}

Result<void> add_part(Context& context) {
    context.part = context.scenario.catalogue->accelerators.find(context.network->accelerator_part);
    if (context.part) return {};
    return fail(ErrorCode::reference,
                "the catalogue has no accelerator '" + context.network->accelerator_part.value + "'",
                "choose a part of the catalogue, or add this one to the document's own parts",
                context.network->accelerator_devices);
}

Result<void> add_routes(Context& context, PredictionCache& cache) {
    std::vector<GroupKind> kinds{GroupKind::tensor, GroupKind::expert, GroupKind::expert_tensor, GroupKind::pipeline};
    if (context.scenario.workload.phase == Phase::training)
        kinds.insert(kinds.end(), {GroupKind::context, GroupKind::data, GroupKind::expert_data});
    for (const GroupKind kind : kinds) {
        auto routes = cache.routes(context.scenario, kind, context.facts.replicas);
        if (!routes) return tl::unexpected(routes.error());
        context.routes[std::size_t(kind)] = std::move(*routes);
    }
    return {};
}

void mark_levels(const Route& route, std::vector<bool>& used) {
    for (const LevelTraffic& traffic : route.levels) {
        if (traffic.level >= 0 && std::size_t(traffic.level) < used.size()) used[std::size_t(traffic.level)] = true;
    }
}

void add_streams(Context& context) {
    const auto& levels = context.network->levels;
    std::vector<bool> used(levels.size(), false);
    for (const auto& group : context.routes) {
        if (!group) continue;
        mark_levels(group->routes().ring, used);
        mark_levels(group->routes().all_to_all, used);
    }
    context.streams.push_back({"Compute", -1});
    context.stream_of_level.assign(levels.size(), -1);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (!used[i]) continue;
        context.stream_of_level[i] = int(context.streams.size());
        context.streams.push_back({levels[i].name, int(i)});
    }
}

/// A synchronous group waits for its slowest member, so one degraded accelerator sets the pace of all.
void add_slowest(Context& context) {
    for (const Device& device : context.scenario.topology->devices) {
        if (device.kind != DeviceKind::accelerator || device.state.health != Health::degraded) continue;
        if (!(device.state.factor > 0) || device.state.factor >= context.speed) continue;
        context.speed = device.state.factor;
        context.slowest_device = device.id.value;
    }
}

void add_shape(Context& context) {
    context.whole = step_shape(context.scenario.workload, context.scenario.layout, 1);
    const double stages = double(std::max<std::int64_t>(context.scenario.layout.pipeline, 1));
    context.groups = std::max(1.0, std::min(stages, context.whole.sequences));
    const bool splits = context.whole.sequences / context.groups >= 2;
    context.micro_batches = context.scenario.layout.two_batch_overlap && splits ? 2 : 1;
}

}  // namespace

Result<Context> make_context(const Scenario& scenario, PredictionCache& cache, Detail detail) {
    if (!scenario.model) return fail(ErrorCode::reference, "the scenario has no model", "choose or import a model");
    if (auto valid = validate(*scenario.model); !valid) return tl::unexpected(valid.error());
    if (auto phase = check_phase(scenario); !phase) return tl::unexpected(phase.error());
    auto network = cache.network(scenario);
    if (!network) return tl::unexpected(network.error());
    Context context{scenario, detail, std::move(*network)};
    if (auto part = add_part(context); !part) return tl::unexpected(part.error());
    auto facts = layout_facts(scenario.layout, *scenario.model, context.network->accelerators);
    if (!facts) return tl::unexpected(facts.error());
    context.facts = std::move(*facts);
    if (auto routes = add_routes(context, cache); !routes) return tl::unexpected(routes.error());
    add_streams(context);
    add_slowest(context);
    add_shape(context);
    return context;
}

}  // namespace crosspoint
