#include "core/prediction/texts.hpp"

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {

namespace {

/// Time of the bandwidth term as bytes over the rate that it implies.
std::string bandwidth_text(Bytes bytes, Seconds time) {
    if (!(time.si() > 0) || !(bytes.si() > 0)) return format(time);
    return fmt::format("{} / {}", format(bytes), format(bytes / time));
}

}  // namespace

std::string collective_why(const Communication& communication, const CollectiveCost& cost) {
    std::string text = fmt::format("{} of {}, {}: {} + {}", to_string(communication.op), format(communication.bytes),
                                   to_string(cost.algorithm), format(cost.latency),
                                   bandwidth_text(cost.sent_per_rank, cost.bandwidth));
    if (cost.pipelining.si() > 0) text += fmt::format(" + {} pipelining", format(cost.pipelining));
    text += " = " + format(cost.time);
    if (!cost.formula.empty()) text += fmt::format(" ({})", cost.formula);
    if (!cost.reason.empty()) text += "; " + cost.reason;
    return text;
}

std::string exchange_why(const Communication& communication, const ExchangeCost& cost) {
    const char* name = communication.op == CollectiveOp::expert_combine ? "combine" : "dispatch";
    std::string text =
        fmt::format("{}: {:.6g} tokens x {:.6g} experts x {:.6g} B = {}; {} leave the domain; {} + {} = {}", name,
                    communication.tokens, communication.top_k, communication.token_bytes.si(),
                    format(communication.bytes), format_percent(cost.remote_share), format(cost.latency),
                    bandwidth_text(cost.sent_per_rank, cost.bandwidth), format(cost.time));
    if (!cost.reason.starts_with(cost.algorithm)) text += "; " + cost.algorithm;
    if (!cost.reason.empty()) text += "; " + cost.reason;
    return text;
}

std::string compute_why(const Context& context, const Operation& op, const OperationCost& cost, Seconds time) {
    std::string text = cost.formula;
    if (!op.formula.empty()) text += "; FLOPs: " + op.formula;
    if (context.slowest_device.empty()) return text;
    return fmt::format("{}; {} because '{}' runs at {}", text, format(time), context.slowest_device,
                       format_percent(context.speed));
}

}  // namespace crosspoint
