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
    r.nodes = config.count("nodes");
    r.used_per_node = config.count("gpus_per_node_used");
    r.domain = config.count("gpus_per_domain");
    return r;
}

bool has(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

/// Kernels that serving engines bring along, instead of a library's collectives.
bool engine_kernels(const std::string& library) {
    for (const char* word : {"custom", "one-shot", "oneshot", "two-shot", "twoshot", "quick"})
        if (has(library, word)) return true;
    return false;
}

/// A benchmark that calls a framework and waits for each call measures the framework's dispatch as well: 8 x H200 at 32
/// to 512 KiB take 39 us from torch.distributed (stas00/ml-engineering:network/README.md), the same library under
/// nccl-tests on 8 x H100 takes 19 to 21 us (NVIDIA/dgxc-benchmarking:nccl/README.md).
constexpr Seconds framework_call(20e-6);

Result<GroupRoutes> routes_for(CollectiveOp op, const Network& network, const RankGroups& ranks) {
    if (op != CollectiveOp::point_to_point) return route_group(network, ranks);
    // nccl-tests: every rank sends to the next one.
    const auto next = route_stages(network, ranks);
    if (!next) return tl::unexpected(next.error());
    return GroupRoutes{ranks, *next, *next, std::nullopt, std::nullopt, {}};
}

Result<CollectiveCost> fastest_kernel(CollectiveOp op, Bytes bytes, const GroupFabric& group) {
    const auto one = collective_cost(op, bytes, group, Algorithm::one_shot);
    const auto two = collective_cost(op, bytes, group, Algorithm::two_shot);
    if (!one || !two) return one ? one : two;
    return one->time <= two->time ? one : two;
}

Result<CollectiveCost> cost_of(const Config& config, CollectiveOp op, Bytes bytes, GroupFabric group) {
    if (op == CollectiveOp::all_reduce && engine_kernels(config.lower("library"))) {
        if (const auto kernel = fastest_kernel(op, bytes, group)) return kernel;
    }
    group.whole.kernels.reset();  // the others are measured with a library
    if (const auto named = algorithm_of(config.lower("algorithm") + config.lower("algorithm_chosen")))
        if (const auto cost = collective_cost(op, bytes, group, *named)) return cost;
    return collective_cost(op, bytes, group);
}

void add_call(CollectiveCost& cost, Bytes bytes, double ranks, Seconds call) {
    cost.time += call;
    cost.algorithm_bandwidth = bytes / cost.time;
    cost.bus_bandwidth = cost.algorithm_bandwidth * bus_bandwidth_factor(cost.op, ranks);
}

/// The time, or the bandwidth that the metric names.
Predicted as_metric(const Record& record, const CollectiveCost& cost, std::string how) {
    const std::string metric = lower(record.metric);
    if (has(metric, "bus")) return in_unit_of(record, cost.bus_bandwidth.si(), std::move(how));
    if (has(metric, "alg") || has(metric, "bandwidth"))
        return in_unit_of(record, cost.algorithm_bandwidth.si(), std::move(how));
    if (has(metric, "time") || has(metric, "latency")) return in_unit_of(record, cost.time.si(), std::move(how));
    return tl::unexpected(fmt::format("the metric '{}' is not known", record.metric));
}

}  // namespace

Predicted predict_collective(const Record& record, const Catalogue& catalogue) {
    const Config& config = record.config;
    const auto op = op_of(config.lower("collective"));
    if (!op) return tl::unexpected(fmt::format("the operation '{}' is not known", config.text("collective")));
    auto bytes = config.number("message_bytes");
    if (!bytes) bytes = config.number("bytes");
    if (!bytes || *bytes < 0) return tl::unexpected(std::string("message_bytes is missing"));
    const auto machine = machine_of(request_of(config), catalogue);
    if (!machine) return tl::unexpected(machine.error());
    const auto network = compile(machine->topology, catalogue);
    if (!network) return tl::unexpected(network.error().message);
    const auto routes = routes_for(*op, *network, machine->ranks);
    if (!routes) return tl::unexpected(routes.error().message);
    auto cost = cost_of(config, *op, Bytes(*bytes), group_fabric(*routes, *network, catalogue, *op));
    if (!cost) return tl::unexpected(cost.error().message);
    if (has(config.lower("library"), "torch"))
        add_call(*cost, Bytes(*bytes), double(machine->ranks.size()), framework_call);
    const std::string protocol = cost->protocol.empty() ? "" : " (" + cost->protocol + ")";
    return as_metric(record, *cost, fmt::format("{}{} over {}", to_string(cost->algorithm), protocol, machine->how));
}

}  // namespace crosspoint::accuracy
