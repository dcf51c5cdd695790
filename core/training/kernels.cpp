#include "core/training/kernels.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

struct Class {
    std::string_view vendor;
    double above;      ///< dense 16-bit peak, FLOP/s
    double above_fp4;  ///< dense 4-bit peak
    TrainingShares shares;
};

constexpr std::string_view fitted_on =
    "fitted on published training steps of some sources and checked on others; docs/accuracy.md, training";
constexpr std::string_view by_class = "assumed: no training step of this class was fitted";

const std::array<Class, 9>& classes() {
    static const std::array<Class, 9> all{{
        {"NVIDIA", 1.5e15, 1.1e16, {"Blackwell Ultra", 0.8, 0.59, 0.445, 0.44, 0.4, 0.8, Seconds(6e-6), fitted_on}},
        {"NVIDIA", 2.4e15, 0, {"Grace Blackwell", 0.55, 0.44, 0.335, 0.56, 0.45, 0.88, Seconds(6e-6), fitted_on}},
        {"NVIDIA", 1.5e15, 0, {"Blackwell", 0.5, 0.27, 0.2, 0.5, 0.4, 0.5, Seconds(6e-6), fitted_on}},
        {"NVIDIA", 6e14, 0, {"Hopper", 0.58, 0.59, 0.59, 0.75, 0.5, 0.88, Seconds(4e-6), fitted_on}},
        {"NVIDIA", 0, 0, {"Ampere", 0.78, 0.78, 0.78, 0.48, 0.4, 0.72, Seconds(10e-6), fitted_on}},
        {"Google", 0, 0, {"TPU", 0.85, 0.80, 0.80, 0.70, 0.60, 0.8, Seconds(2e-6), by_class, Confidence::assumed}},
        {"AMD", 0, 0, {"CDNA", 0.55, 0.45, 0.40, 0.40, 0.30, 0.75, Seconds(10e-6), by_class, Confidence::assumed}},
        {"Intel", 0, 0, {"Gaudi", 0.60, 0.55, 0.50, 0.40, 0.30, 0.75, Seconds(10e-6), by_class, Confidence::assumed}},
        {"", 0, 0, {"any", 0.62, 0.52, 0.45, 0.45, 0.35, 0.75, Seconds(8e-6), by_class, Confidence::assumed}},
    }};
    return all;
}

double dense_peak(const AcceleratorPart& part, std::initializer_list<Dtype> dtypes) {
    for (const Dtype d : dtypes) {
        const auto it = part.dense_peak.find(d);
        if (it != part.dense_peak.end()) return it->second.value.si();
    }
    return 0;
}

double share_in(const TrainingShares& shares, Dtype computed_in) {
    switch (computed_in) {
        case Dtype::fp8:
        case Dtype::int8: return shares.fp8;
        case Dtype::fp4:
        case Dtype::int4: return shares.fp4;
        default: return shares.bf16;
    }
}

double share_of(const Operation& op, Pass pass, const TrainingShares& shares, Dtype computed_in,
                const Training& training) {
    if (op.kind == OpKind::attention)
        return pass == Pass::forward ? shares.attention_forward : shares.attention_backward;
    if (training.product_share) return std::clamp(*training.product_share, 0.01, 1.0);
    return share_in(shares, computed_in);
}

std::string text_of(const Operation& op, const OperationCost& cost, const AcceleratorPart& part,
                    const TrainingShares& shares) {
    std::string text;
    if (op.flops.si() > 0)
        text = fmt::format("{} / ({} {} x {:.2f}, {} class) = {}", format(op.flops), format(cost.peak),
                           to_string(cost.computed_in), cost.efficiency, shares.name, format(cost.compute));
    if (op.memory_bytes().si() > 0)
        text += fmt::format("{}{} / ({} x {:.2f}) = {}", text.empty() ? "" : ", ", format(op.memory_bytes()),
                            format(part.memory_bandwidth.value), shares.memory, format(cost.memory));
    return fmt::format("max({}) + {:.3g} x {} tail = {}", text, op.kernels, format(shares.tail), format(cost.time));
}

}  // namespace

const TrainingShares& training_shares(const AcceleratorPart& part) {
    const double peak = dense_peak(part, {Dtype::bf16, Dtype::fp16}), narrow = dense_peak(part, {Dtype::fp4});
    for (const Class& c : classes())
        if ((c.vendor.empty() || c.vendor == part.vendor) && peak >= c.above && narrow >= c.above_fp4) return c.shares;
    return classes().back().shares;
}

OperationCost training_cost(const Operation& op, Pass pass, const AcceleratorPart& part, const Training& training,
                            bool with_text, double of_share) {
    const TrainingShares& shares = training_shares(part);
    OperationCost cost = operation_figures(op, part, Calibration{});  // the dtype it runs in and that dtype's peak
    cost.efficiency = share_of(op, pass, shares, cost.computed_in, training) * of_share;
    cost.compute = Seconds(0);
    if (cost.peak.si() > 0) cost.compute = op.flops * std::max(1.0, op.imbalance) / (cost.peak * cost.efficiency);
    cost.memory = Seconds(0);
    if (part.memory_bandwidth.value.si() > 0)
        cost.memory = op.memory_bytes() / (part.memory_bandwidth.value * shares.memory);
    cost.launch = shares.tail * std::max(0.0, op.kernels);
    cost.time = std::max(cost.compute, cost.memory) + cost.launch;
    cost.bound = cost.compute > cost.memory ? Bound::compute : Bound::memory;
    if (cost.launch > std::max(cost.compute, cost.memory)) cost.bound = Bound::launch;
    cost.confidence = weaker(shares.confidence, part.memory_bandwidth.confidence);
    if (with_text) cost.formula = text_of(op, cost, part, shares);
    return cost;
}

}  // namespace crosspoint
