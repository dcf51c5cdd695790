#include "core/prediction/costing.hpp"

#include <algorithm>

#include "core/collective/calibrated.hpp"
#include "core/prediction/texts.hpp"

namespace crosspoint {

namespace {

OperationResult::AtLevel& at_level(OperationResult& result, int level) {
    for (auto& entry : result.levels) {
        if (entry.level == level) return entry;
    }
    result.levels.push_back({level, Bytes(0), Seconds(0)});
    return result.levels.back();
}

void add_link(OperationResult& result, int link, Bytes bytes, Seconds busy) {
    for (LinkUse& use : result.links) {
        if (use.link != link) continue;
        use.bytes += bytes;
        use.busy += busy;
        return;
    }
    result.links.push_back({link, bytes, busy, 0});
}

/// The busiest level runs as long as the operation, the others as long as their bytes (and the steps of the slowest
/// one outside a domain) need; utilisations follow.
void settle_levels(OperationResult& result) {
    std::sort(result.levels.begin(), result.levels.end(),
              [](const auto& a, const auto& b) { return a.level < b.level; });
    OperationResult::AtLevel* busiest = nullptr;
    for (auto& entry : result.levels) {
        entry.time = std::min(entry.time, result.time);
        if (!busiest || entry.time >= busiest->time) busiest = &entry;
    }
    if (busiest) busiest->time = result.time;
    for (LinkUse& use : result.links) {
        use.utilisation = result.time.si() > 0 ? std::min(1.0, use.busy / result.time) : 0;
    }
}

/// An operation between domains waits for the outside for its steps too, not for the bytes alone: a form in levels for
/// its part across, any other for all of its steps, which are those of the slowest path.
void add_steps_outside(OperationResult& result, const Network& network, Seconds across, Seconds steps) {
    OperationResult::AtLevel* slowest = nullptr;
    for (auto& entry : result.levels) {
        const bool outside = !network.levels[std::size_t(entry.level)].in_domain;
        if (outside && entry.bytes > Bytes(0) && (!slowest || entry.time >= slowest->time)) slowest = &entry;
    }
    if (slowest) slowest->time = across > Seconds(0) ? std::max(slowest->time, across) : slowest->time + steps;
}

bool follows_ring(CollectiveOp op, Algorithm algorithm) {
    if (op == CollectiveOp::all_to_all) return false;
    switch (algorithm) {
        case Algorithm::one_shot:
        case Algorithm::two_shot:
        case Algorithm::direct:
        case Algorithm::pairwise: return false;
        default: return true;
    }
}

/// Splits the bytes of a hierarchical collective: inside the domain the whole tensor is scattered and gathered,
/// across domains each rank carries its part.
void add_hierarchical(Costed& costed, const GroupRoutes& routes, Bytes bytes, double passes, bool with_links) {
    const double inside = double(std::max<std::int64_t>(routes.ring.ranks_per_domain, 1));
    const double domains = double(std::max<std::int64_t>(routes.ring.domains, 1));
    if (routes.inside) add_traffic(costed, *routes.inside, bytes * (passes * (inside - 1) / inside), with_links);
    if (routes.across) {
        add_traffic(costed, *routes.across, bytes * (passes * (domains - 1) / domains / inside), with_links);
    }
}

/// The same over every level of the network: each carries the part that the levels below have left.
void add_levels(Costed& costed, const GroupRoutes& routes, Bytes bytes, double passes, bool with_links) {
    for (const Route& level : routes.levels) {
        const double ranks = double(std::max<std::int64_t>(level.ranks, 1));
        add_traffic(costed, level, bytes * (passes * (ranks - 1) / ranks), with_links);
        bytes = bytes / ranks;
    }
}

void add_collective_traffic(Costed& costed, const GroupRoutes& routes, const Communication& communication,
                            bool with_links) {
    const CollectiveCost& cost = *costed.result.collective;
    const double passes = communication.op == CollectiveOp::all_reduce ? 2.0 : 1.0;
    if (cost.algorithm == Algorithm::hierarchical && cost.levels > 2) {
        add_levels(costed, routes, communication.bytes, passes, with_links);
    } else if (cost.algorithm == Algorithm::hierarchical && routes.inside && routes.across) {
        add_hierarchical(costed, routes, communication.bytes, passes, with_links);
    } else {
        const bool ring = follows_ring(communication.op, cost.algorithm);
        add_traffic(costed, ring ? routes.ring : routes.all_to_all, cost.sent_per_rank, with_links);
    }
}

bool same(const Communication& a, const Communication& b) {
    return a.op == b.op && a.group == b.group && a.bytes == b.bytes;
}

Result<CollectiveCost> collective_of(Context& context, const Communication& communication, RoutedGroup& group) {
    for (const auto& [known, cost] : context.collectives) {
        if (same(known, communication)) return cost;
    }
    auto cost = collective_cost(communication.op, communication.bytes, group.fabric(communication.op));
    if (!cost) return cost;
    const auto& paths = context.scenario.calibration.paths;
    if (const auto* path = calibration_of(paths, group.routes(), *context.network, communication.op))
        *cost = calibrated(std::move(*cost), communication.bytes, double(group.routes().ring.ranks), *path);
    context.collectives.emplace_back(communication, *cost);
    return cost;
}

Result<void> add_collective(Context& context, Costed& costed, RoutedGroup& group) {
    const Communication& communication = *costed.result.op.communication;
    auto cost = collective_of(context, communication, group);
    if (!cost) return tl::unexpected(cost.error());
    OperationResult& result = costed.result;
    result.time = cost->time;
    result.bound = cost->latency >= cost->bandwidth ? Bound::latency : Bound::bandwidth;
    result.confidence = weaker(result.confidence, cost->confidence);
    if (context.texts()) result.why = collective_why(communication, *cost);
    result.collective = std::move(*cost);
    add_collective_traffic(costed, group.routes(), communication, context.texts());
    const CollectiveCost& priced = *result.collective;
    add_steps_outside(result, *context.network, priced.across, priced.latency + priced.pipelining);
    return {};
}

ExpertExchange exchange_of(const Context& context, const Communication& communication, const ExpertShape& experts,
                           const Route& route) {
    ExpertExchange exchange;
    exchange.tokens = communication.tokens;
    exchange.destinations = communication.top_k;
    exchange.token_bytes = communication.token_bytes;
    exchange.ranks = double(context.scenario.layout.expert);
    exchange.experts = double(experts.experts);
    exchange.domains = double(route.domains);
    exchange.group_limit = experts.group_limit < experts.groups ? double(experts.group_limit) : 0.0;
    return exchange;
}

/// Link loads of an exchange: the route's, scaled on each level to the bytes that the exchange puts there.
void add_exchange_links(OperationResult& result, const Route& route, const Network& network) {
    for (const LinkLoad& load : route.loads) {
        const int level = network.links[std::size_t(load.link)].level;
        for (const auto& entry : result.levels) {
            if (entry.level != level) continue;
            const auto traffic = std::find_if(route.levels.begin(), route.levels.end(),
                                              [&](const LevelTraffic& t) { return t.level == level; });
            if (traffic == route.levels.end() || !(traffic->share_of_bytes > 0)) continue;
            const Bytes per_rank = entry.bytes / traffic->share_of_bytes;
            add_link(result, load.link, per_rank * load.bytes_per_byte, per_rank * load.seconds_per_byte);
        }
    }
}

void add_exchange(Context& context, Costed& costed, const ExpertShape& experts, RoutedGroup& group) {
    OperationResult& result = costed.result;
    const Communication& communication = *result.op.communication;
    const Route& route = group.routes().all_to_all;
    ExchangeCost cost = exchange_cost(exchange_of(context, communication, experts, route), *context.network, route,
                                      communication.op, *context.scenario.catalogue);
    result.time = cost.time;
    result.bound = cost.latency >= cost.bandwidth ? Bound::latency : Bound::bandwidth;
    result.confidence = weaker(result.confidence, cost.confidence);
    costed.sent += cost.sent_per_rank;
    Bytes crossing{0};
    for (const auto& level : cost.levels) {
        auto& entry = at_level(result, level.level);
        entry.bytes += level.bytes;
        entry.time += level.time;
        if (!context.network->levels[std::size_t(level.level)].in_domain) crossing = std::max(crossing, level.bytes);
    }
    costed.crossing += std::min(crossing, cost.sent_per_rank);
    add_steps_outside(result, *context.network, Seconds(0), cost.latency);
    if (context.texts()) {
        add_exchange_links(result, route, *context.network);
        result.why = exchange_why(communication, cost);
    }
    result.exchange = std::move(cost);
}

bool is_exchange(CollectiveOp op) { return op == CollectiveOp::expert_dispatch || op == CollectiveOp::expert_combine; }

Result<void> add_communication(Context& context, Costed& costed, const LayerShape* layer) {
    const Communication& communication = *costed.result.op.communication;
    RoutedGroup* group = context.group(communication.group);
    costed.result.bound = Bound::latency;
    if (!group) {
        if (context.texts()) costed.result.why = "one rank: nothing to send";
        return {};
    }
    if (is_exchange(communication.op) && layer && layer->feed_forward.experts) {
        add_exchange(context, costed, *layer->feed_forward.experts, *group);
    } else if (auto done = add_collective(context, costed, *group); !done) {
        return done;
    }
    settle_levels(costed.result);
    return {};
}

/// Whether both cost the same and say so in the same words.
bool same_work(const Operation& a, const Operation& b) {
    return a.flops == b.flops && a.weight_bytes == b.weight_bytes && a.activation_bytes == b.activation_bytes &&
           a.cache_bytes == b.cache_bytes && a.rows == b.rows && a.imbalance == b.imbalance && a.dtype == b.dtype &&
           a.kernels == b.kernels && a.kind == b.kind && a.formula == b.formula;
}

Seconds slowed(const Context& context, const OperationCost& cost) {
    return std::max(cost.compute, cost.memory) / context.speed + cost.launch;
}

Context::Known work_of(const Context& context, const Operation& op) {
    const auto& calibration = context.scenario.calibration;
    Context::Known known{op, operation_figures(op, *context.part, calibration), {}};
    if (!context.texts()) return known;
    known.cost.formula = operation_formula(op, *context.part, calibration, known.cost);
    known.why = compute_why(context, op, known.cost, slowed(context, known.cost));
    return known;
}

void add_compute(Context& context, OperationResult& result) {
    auto& products = context.products;
    auto it = std::find_if(products.begin(), products.end(),
                           [&](const Context::Known& known) { return same_work(known.op, result.op); });
    if (it == products.end()) it = products.insert(products.end(), work_of(context, result.op));
    result.cost = it->cost;
    result.why = it->why;
    result.time = slowed(context, it->cost);
    result.bound = it->cost.bound;
    result.confidence = weaker(result.confidence, it->cost.confidence);
}

}  // namespace

void add_traffic(Costed& costed, const Route& route, Bytes bytes, bool with_links) {
    for (const LevelTraffic& traffic : route.levels) {
        auto& entry = at_level(costed.result, traffic.level);
        entry.bytes += bytes * traffic.share_of_bytes;
        entry.time += bytes * traffic.seconds_per_byte;
    }
    costed.sent += bytes;
    costed.crossing += bytes * route.cross_domain;
    if (!with_links) return;
    for (const LinkLoad& load : route.loads) {
        add_link(costed.result, load.link, bytes * load.bytes_per_byte, bytes * load.seconds_per_byte);
    }
}

Result<Costed> cost_operation(Context& context, const Operation& op, const LayerShape* layer, int kind) {
    Costed costed;
    costed.result.op = op;
    costed.result.kind = kind;
    costed.result.confidence = Confidence::exact;
    if (op.communication) {
        if (auto done = add_communication(context, costed, layer); !done) return tl::unexpected(done.error());
    } else {
        add_compute(context, costed.result);
    }
    return costed;
}

Costed overhead(const std::string& id, const std::string& label, const Figure<Seconds>& time, int kind) {
    Costed costed;
    OperationResult& result = costed.result;
    result.op.id = id;
    result.op.label = label;
    result.op.kind = OpKind::overhead;
    result.op.kernels = 0;
    result.kind = kind;
    result.time = std::max(time.value, Seconds(0));
    result.bound = result.cost.bound = Bound::overhead;
    result.cost.time = result.time;
    result.confidence = result.cost.confidence = time.confidence;
    result.why = time.source.empty() ? "calibration" : "calibration: " + time.source;
    return costed;
}

Task task_of(const Context& context, const OperationResult& result) {
    Task task{{}, {}, 0, {}, result.bound, result.op.after};
    if (context.texts()) {  // names end up in bars, and only people read those
        task.op = result.op.id;
        task.label = result.op.label;
    }
    if (!result.op.communication) {
        task.pieces.push_back({0, result.time, Bytes(0)});
        return task;
    }
    for (const auto& level : result.levels) {
        const bool known = level.level >= 0 && std::size_t(level.level) < context.stream_of_level.size();
        const int stream = known ? context.stream_of_level[std::size_t(level.level)] : -1;
        if (stream >= 0) task.pieces.push_back({stream, level.time, level.bytes});
    }
    // Without traffic by level the operation still takes its time, on the first network stream.
    if (task.pieces.empty()) task.pieces.push_back({context.streams.size() > 1 ? 1 : 0, result.time, Bytes(0)});
    return task;
}

}  // namespace crosspoint
