#include "core/collective/operation_figures.hpp"

#include <algorithm>

namespace crosspoint {

const CollectiveFigures* figures_of(const NetworkLink& link, const Catalogue& catalogue, CollectiveOp op) {
    const LinkPart* part = catalogue.links.find(link.part);
    if (!part) return nullptr;
    const auto it = part->collectives.find(op);
    return it == part->collectives.end() ? nullptr : &it->second;
}

SecondsPerByte operation_seconds_per_byte(SecondsPerByte routed, const NetworkLink& link, const Catalogue& catalogue,
                                          CollectiveOp op) {
    const CollectiveFigures* figures = figures_of(link, catalogue, op);
    if (link.entered || !figures || !figures->bandwidth || figures->bandwidth->value <= BytesPerSecond(0))
        return routed;
    const BytesPerSecond reached = figures->bandwidth->value * link.lanes;
    if (!(link.unimpaired < link.own)) return routed * (link.unimpaired / reached);
    // A NIC takes the same share from the operation as from the link, and never carries more than its own.
    const BytesPerSecond left = std::min(reached * (link.unimpaired / link.own), link.unimpaired);
    return routed * (link.unimpaired / left);
}

OperationBandwidth operation_bandwidth(const Route& route, const Network& network, const Catalogue& catalogue,
                                       CollectiveOp op) {
    OperationBandwidth result;
    for (const LinkLoad& load : route.loads) {
        const NetworkLink& link = network.links[std::size_t(load.link)];
        const auto spb = operation_seconds_per_byte(load.seconds_per_byte, link, catalogue, op);
        if (spb <= result.seconds_per_byte) continue;
        result.seconds_per_byte = spb;
        result.bottleneck = load.link;
        const CollectiveFigures* figures = figures_of(link, catalogue, op);
        const bool replaced = figures && figures->bandwidth && !link.entered;
        result.confidence = replaced ? figures->bandwidth->confidence : link.capacity.confidence;
    }
    return result;
}

namespace {

template <class Q>
Q value_or(const std::optional<Figure<Q>>& figure, Q otherwise) {
    return figure ? figure->value : otherwise;
}

void take(const CollectiveFigures& figures, const Path& path, OperationLatency& result) {
    result.fitted = true;
    result.software = value_or(figures.software, path.software);
    result.step = value_or(figures.step, path.step);
    result.kappa = value_or(figures.kappa, 0.0);
    result.message = value_or(figures.message, Seconds(0));
    result.low_latency_share = value_or(figures.low_latency_share, 1.0);
    result.bulk.reset();
    if (figures.bulk_software)
        result.bulk = BulkProtocol{figures.bulk_software->value, value_or(figures.bulk_step, result.step)};
}

}  // namespace

OperationLatency operation_latency(const Path& path, const Network& network, const Catalogue& catalogue,
                                   CollectiveOp op) {
    OperationLatency result;
    result.software = path.software;
    result.step = path.step;
    int level = -1;
    bool entered = false;
    for (const int l : path.links) {
        const NetworkLink& link = network.links[std::size_t(l)];
        entered |= link.step_entered;
        const CollectiveFigures* figures = figures_of(link, catalogue, op);
        if (!figures || link.level <= level) continue;
        level = link.level;
        take(*figures, path, result);
    }
    if (entered) result.step = path.step;
    if (entered && result.bulk) result.bulk->step = path.step;
    return result;
}

}  // namespace crosspoint
