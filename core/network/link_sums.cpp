#include "core/network/link_sums.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crosspoint {

TrafficSums::TrafficSums(const Network& network)
    : busiest(network.links.size()),
      total_forward(network.links.size()),
      total_backward(network.links.size()),
      level_bytes(network.levels.size()),
      level_step(network.levels.size()),
      crossing_step(network.levels.size()) {}

void TrafficSums::add_route(const Network& network, const PairRoute& route, double bytes, double pairs,
                            std::int64_t from, std::int64_t to) {
    const double all = bytes * pairs;
    sent += all;
    for (const Flow& flow : route.flows) {
        const auto link = std::size_t(network.impl->edges[std::size_t(flow.edge)].link);
        (flow.forward ? total_forward : total_backward)[link] += all * flow.amount;
    }
    for (std::size_t l = 0; l < level_bytes.size(); ++l) {
        level_bytes[l] += all * route.level_share[l];
        if (route.level_share[l] > 0) crossing_step[l] = std::max(crossing_step[l], route.path.step);
    }
    Seconds& top = level_step[std::size_t(route.top_level)];
    top = std::max(top, route.path.step);
    outside += all * route.outside_share;
    if (slowest && slowest->alpha() >= route.path.alpha()) return;
    slowest = route.path;
    slowest->from = from;
    slowest->to = to;
}

std::int64_t locality_number(const NetworkImpl& impl, const Position& position) {
    const Vertex& v = impl.vertices[std::size_t(position.vertex)];
    // Mixed-radix index of the locality instance, with the container (or the device itself) as the last digit.
    std::int64_t index = 0;
    for (std::size_t i = 0; i < v.axes.size(); ++i) {
        index = index * impl.axis_counts[std::size_t(v.axes[i])] + position.index[i];
        if (v.axes[i] == v.locality) break;
    }
    const int place = v.locality >= 0 ? v.locality : v.axes.back();
    return index * std::int64_t(impl.axis_counts.size()) + place;
}

std::vector<std::int64_t> set_values(const NetworkImpl& impl, const DigitSpace& space, const Position& position) {
    std::vector<std::int64_t> result(space.set_size.size(), -1);
    const auto& digits = space.vertex_digits[std::size_t(position.vertex)];
    const auto values = digit_values(space, impl, position.vertex, position.index);
    for (std::size_t i = 0; i < digits.size(); ++i) result[std::size_t(digits[i].set)] = values[i];
    return result;
}

PairClass pair_class(int from, const std::vector<std::int64_t>& from_values, int to,
                     const std::vector<std::int64_t>& to_values) {
    PairClass pair{from, to, std::vector<Relation>(from_values.size(), Relation::none)};
    for (std::size_t s = 0; s < from_values.size(); ++s) {
        const std::int64_t a = from_values[s], b = to_values[s];
        if (a >= 0 && b >= 0) pair.relation[s] = a == b ? Relation::same : Relation::differ;
        else if (a >= 0) pair.relation[s] = Relation::source_only;
        else if (b >= 0) pair.relation[s] = Relation::target_only;
    }
    return pair;
}

Error named(Error error, const NetworkImpl& impl, std::int64_t from, std::int64_t to) {
    if (error.code != ErrorCode::unreachable) return error;
    const Position a = impl.locate(from), b = impl.locate(to);
    error.message =
        fmt::format("no path from {} (rank {}) to {} (rank {})", impl.name_of(a), from, impl.name_of(b), to);
    error.hint = "connect both ends through links or a common domain, and check for links and devices that are down";
    for (const Position& p : {a, b})
        if (p.vertex >= 0) error.objects.push_back(impl.vertices[std::size_t(p.vertex)].id);
    return error;
}

}  // namespace crosspoint
