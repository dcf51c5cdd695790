#include "core/collective/calibrated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

const NetworkLink* highest_link(const Path& path, const Network& network) {
    const NetworkLink* highest = nullptr;
    for (const int index : path.links) {
        const NetworkLink& link = network.links[std::size_t(index)];
        if (!highest || link.level > highest->level) highest = &link;
    }
    return highest;
}

void take_constants(CollectiveCost& cost, Bytes size, const PathCalibration& path) {
    cost.latency = path.alpha.value_or(cost.latency);
    cost.bandwidth = size / path.bandwidth;
    cost.pipelining = Seconds(path.kappa * std::sqrt(cost.latency.si() * cost.bandwidth.si()));
    cost.formula = path.kappa > 0 ? "alpha + n/B + kappa sqrt(alpha n/B), measured" : "alpha + n/B, measured";
}

/// A table is not made of terms: what its smallest message takes counts as latency.
void take_table(CollectiveCost& cost, Bytes size, const PathCalibration& path) {
    const Seconds time = table_time(path, size);
    cost.latency = std::min(path.alpha.value_or(path.table.front().time), time);
    cost.bandwidth = time - cost.latency;
    cost.pipelining = Seconds(0);
    cost.formula = "measured table, interpolated";
}

}  // namespace

const PathCalibration* calibration_of(std::span<const PathCalibration> paths, const GroupRoutes& routes,
                                      const Network& network, CollectiveOp op) {
    if (paths.empty()) return nullptr;
    const NetworkLink* link = highest_link(routes.all_to_all.slowest, network);
    if (!link) return nullptr;
    const std::string& level = network.levels[std::size_t(link->level)].name;
    const auto it = std::find_if(paths.begin(), paths.end(), [&](const PathCalibration& p) {
        return p.operation == op && (p.link == link->part.value || p.link == level);
    });
    return it == paths.end() ? nullptr : &*it;
}

CollectiveCost calibrated(CollectiveCost cost, Bytes bytes, double ranks, const PathCalibration& path) {
    if (!(ranks > 1) || !(bytes > Bytes(0))) return cost;
    const Bytes size = equivalent_size(path, bytes, ranks);
    const Seconds before = cost.time;
    if (path.table.empty()) take_constants(cost, size, path);
    else take_table(cost, size, path);
    cost.time = cost.latency + cost.bandwidth + cost.pipelining;
    if (before > Seconds(0)) cost.across *= cost.time / before;
    cost.algorithm_bandwidth = cost.time > Seconds(0) ? bytes / cost.time : BytesPerSecond(0);
    cost.bus_bandwidth = cost.algorithm_bandwidth * bus_bandwidth_factor(cost.op, ranks);
    cost.confidence = path.confidence;
    cost.reason =
        fmt::format("calibrated: {} over '{}' of {} ranks, {}; by the catalogue {} {}", to_string(path.operation),
                    path.link, path.ranks, path.source, to_string(cost.algorithm), format(before));
    if (double(path.ranks) != ranks)
        cost.reason += fmt::format("; used for {:g} ranks at the same bus bandwidth", ranks);
    return cost;
}

}  // namespace crosspoint
