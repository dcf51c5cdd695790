// Dispatch and combine of expert layers, as DeepEP's tests and serving engines' tables give them.
#include <algorithm>
#include <cmath>
#include <regex>

#include <fmt/format.h>

#include "accuracy/hardware.hpp"
#include "accuracy/kinds.hpp"
#include "core/collective/expert_exchange.hpp"
#include "core/collective/group_fabric.hpp"
#include "core/model/experts.hpp"
#include "core/units/text.hpp"

namespace crosspoint::accuracy {
namespace {

bool has(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

std::int64_t ranks_of(const Config& config) {
    if (const auto ep = config.count("ep")) return ep;
    // "8x2": ranks in a domain x domains.
    static const std::regex shape("([0-9]{1,6}) *x *([0-9]{1,6})");
    std::smatch found;
    const std::string text = config.lower("ep_topology");
    if (!std::regex_search(text, found, shape)) return 0;
    return std::int64_t(parse_number(found[1].str()).value_or(0) * parse_number(found[2].str()).value_or(0));
}

/// Bytes of an element; DeepEP dispatches FP8 and combines BF16.
double element_bytes(const std::string& dtype, CollectiveOp op) {
    // FP8 travels with a scale of four bytes for each 128 elements.
    constexpr double fp8 = 1 + 4 / 128.0;
    if (has(dtype, "8")) return fp8;
    if (has(dtype, "16") || has(dtype, "half")) return 2;
    if (has(dtype, "32")) return 4;
    if (has(dtype, "4")) return 0.5;
    return op == CollectiveOp::expert_dispatch ? fp8 : 2;
}

CollectiveOp direction_of(const Record& record) {
    const std::string text = lower(record.metric) + " " + lower(record.id);
    return has(text, "comb") ? CollectiveOp::expert_combine : CollectiveOp::expert_dispatch;
}

ExpertExchange exchange_of(const Config& config, CollectiveOp op, std::int64_t ranks, std::int64_t domains) {
    ExpertExchange e;
    e.tokens = config.number_or("tokens_per_rank", 0);
    e.destinations = config.number_or("top_k", 8);
    const std::string dtype = config.lower(op == CollectiveOp::expert_dispatch ? "dispatch_dtype" : "combine_dtype");
    e.token_bytes = Bytes(config.number_or("hidden", 7168) * element_bytes(dtype, op));
    e.ranks = double(ranks);
    e.experts = config.number_or("experts", std::max(256.0, double(ranks)));
    e.domains = double(domains);
    e.group_limit = config.number_or("top_k_groups", 0);
    return e;
}

/// DeepEP's bandwidths count the bytes that a rank's tokens need over the slower network, its own domain included,
/// over the time of the kernel: one copy a destination over NVLink, one a destination domain over RDMA.
double counted_bytes(const ExpertExchange& e, const std::string& unit) {
    const double copy = e.tokens * e.token_bytes.si();
    if (e.domains <= 1 || has(unit, "nvlink")) return copy * e.destinations;
    return copy * distinct_domains(e.experts, e.destinations, e.domains, e.group_limit);
}

}  // namespace

Predicted predict_ep_comm(const Record& record, const Catalogue& catalogue) {
    const Config& config = record.config;
    MachineRequest request;
    request.hardware = config.text("hardware");
    request.scale_out = config.text("nic") + " " + config.text("hardware");
    request.ranks = ranks_of(config);
    if (request.ranks < 2) return tl::unexpected(std::string("ep is missing"));
    request.domain = config.count("gpus_per_domain");
    // The first release sent everything through the NICs.
    request.no_scale_up = has(config.lower("kernel"), "nvlink not used");
    request.nodes = config.count("nodes");
    const auto machine = machine_of(request, catalogue);
    if (!machine) return tl::unexpected(machine.error());
    const auto network = compile(machine->topology, catalogue);
    if (!network) return tl::unexpected(network.error().message);
    const auto routed = route(*network, machine->ranks, Pattern::all_to_all);
    if (!routed) return tl::unexpected(routed.error().message);
    const CollectiveOp op = direction_of(record);
    const ExpertExchange exchange = exchange_of(config, op, request.ranks, routed->domains);
    const ExchangeCost cost = exchange_cost(exchange, *network, *routed, op, catalogue);
    const std::string how = fmt::format("{} over {}", cost.algorithm, machine->how);
    const std::string metric = lower(record.metric);
    if (has(metric, "bandwidth"))
        return in_unit_of(record, counted_bytes(exchange, lower(record.unit)) / cost.time.si(), how);
    if (has(metric, "time") || has(metric, "latency")) return in_unit_of(record, cost.time.si(), how);
    return tl::unexpected(fmt::format("the metric '{}' is not known", record.metric));
}

}  // namespace crosspoint::accuracy
