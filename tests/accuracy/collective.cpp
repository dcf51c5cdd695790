// Collective operations, as nccl-tests and its relatives measure them.
#include <cmath>

#include <fmt/format.h>

#include "accuracy/hardware.hpp"
#include "accuracy/kinds.hpp"
#include "core/collective/group_fabric.hpp"

namespace crosspoint::accuracy {
namespace {

std::optional<CollectiveOp> op_of(std::string text) {
    for (char& c : text)
        if (c == '_' || c == ' ') c = '-';
    if (text == "alltoall" || text == "all-to-all-v" || text == "alltoallv") text = "all-to-all";
    if (text == "sendrecv" || text == "send-recv" || text == "p2p") text = "point-to-point";
    if (text == "allreduce") text = "all-reduce";
    if (text == "allgather") text = "all-gather";
    if (text == "reducescatter") text = "reduce-scatter";
    return collective_op_from(text);
}

std::optional<Algorithm> algorithm_of(const std::string& text) {
    if (text.find("nvls") != std::string::npos) return Algorithm::in_switch;
    if (text.find("ring") != std::string::npos) return Algorithm::ring;
    if (text.find("tree") != std::string::npos) return Algorithm::tree;
    return std::nullopt;
}

MachineRequest request_of(const Config& config) {
    MachineRequest r;
    r.hardware = config.text("hardware");
    r.scale_up = config.text("scale_up");
    r.scale_out = config.text("scale_out");
    r.ranks = config.count("gpus", config.count("ranks"));
    r.nodes = config.count("nodes", 1);
    r.used_per_node = config.count("gpus_per_node_used");
    r.domain = config.count("gpus_per_domain");
    return r;
}

/// The time, or the bandwidth that the metric names.
Predicted as_metric(const Record& record, const CollectiveCost& cost, std::string how) {
    const std::string metric = lower(record.metric);
    if (metric.find("bus") != std::string::npos) return in_unit_of(record, cost.bus_bandwidth.si(), std::move(how));
    if (metric.find("alg") != std::string::npos || metric.find("bandwidth") != std::string::npos)
        return in_unit_of(record, cost.algorithm_bandwidth.si(), std::move(how));
    if (metric.find("time") != std::string::npos || metric.find("latency") != std::string::npos)
        return in_unit_of(record, cost.time.si(), std::move(how));
    return tl::unexpected(fmt::format("the metric '{}' is not known", record.metric));
}

}  // namespace

Predicted predict_collective(const Record& record, const Catalogue& catalogue) {
    const Config& config = record.config;
    const auto op = op_of(config.lower("collective"));
    if (!op) return tl::unexpected(fmt::format("the operation '{}' is not known", config.text("collective")));
    const auto bytes = config.number("message_bytes");
    if (!bytes || *bytes < 0) return tl::unexpected(std::string("message_bytes is missing"));
    const auto machine = machine_of(request_of(config), catalogue);
    if (!machine) return tl::unexpected(machine.error());
    const auto network = compile(machine->topology, catalogue);
    if (!network) return tl::unexpected(network.error().message);
    const auto routes = route_group(*network, machine->ranks);
    if (!routes) return tl::unexpected(routes.error().message);
    const GroupFabric group = group_fabric(*routes, *network, catalogue, *op);
    const auto algorithm = algorithm_of(config.lower("algorithm") + config.lower("algorithm_chosen"));
    auto cost = collective_cost(*op, Bytes(*bytes), group, algorithm.value_or(Algorithm::automatic));
    if (!cost) cost = collective_cost(*op, Bytes(*bytes), group);
    if (!cost) return tl::unexpected(cost.error().message);
    return as_metric(record, *cost, fmt::format("{} over {}", to_string(cost->algorithm), machine->how));
}

}  // namespace crosspoint::accuracy
