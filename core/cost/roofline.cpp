#include "core/cost/roofline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {

std::string_view to_string(Bound bound) {
    switch (bound) {
        case Bound::compute: return "compute";
        case Bound::memory: return "memory";
        case Bound::launch: return "launch";
        case Bound::latency: return "latency";
        case Bound::bandwidth: return "bandwidth";
        case Bound::overhead: return "overhead";
    }
    return "?";
}

namespace {

/// Formats that can hold the operands of `d` without loss of range, nearest first.
std::span<const Dtype> fallbacks(Dtype d) {
    using enum Dtype;
    static constexpr std::array from_fp4{fp4, fp8, bf16, fp16, tf32, fp32};
    static constexpr std::array from_fp8{fp8, bf16, fp16, tf32, fp32};
    static constexpr std::array from_int4{int4, int8, fp8, bf16, fp16, tf32, fp32};
    static constexpr std::array from_int8{int8, bf16, fp16, tf32, fp32};
    static constexpr std::array from_bf16{bf16, fp16, tf32, fp32};
    static constexpr std::array from_fp16{fp16, bf16, tf32, fp32};
    static constexpr std::array from_tf32{tf32, fp32, bf16, fp16};
    static constexpr std::array from_fp32{fp32, tf32, bf16, fp16};
    switch (d) {
        case fp4: return from_fp4;
        case fp8: return from_fp8;
        case int4: return from_int4;
        case int8: return from_int8;
        case bf16: return from_bf16;
        case fp16: return from_fp16;
        case tf32: return from_tf32;
        case fp32: return from_fp32;
    }
    return from_bf16;
}

struct Peak {
    Dtype dtype;
    const Figure<FlopsPerSecond>* figure = nullptr;  // null: the part lists none that serves
};

Peak peak_of(const AcceleratorPart& part, Dtype wanted) {
    for (const Dtype d : fallbacks(wanted)) {
        const auto it = part.dense_peak.find(d);
        if (it != part.dense_peak.end() && it->second.value.si() > 0) return {d, &it->second};
    }
    return {wanted, nullptr};
}

/// 0 when the divisor is not positive: an unknown rate costs nothing, and the confidence says so.
double quotient(double amount, double rate) { return rate > 0 && amount > 0 ? amount / rate : 0.0; }

Bound bound_of(const Operation& op, const OperationCost& cost) {
    if (op.kind == OpKind::overhead) return Bound::overhead;
    if (cost.launch > std::max(cost.compute, cost.memory)) return Bound::launch;
    return cost.compute > cost.memory ? Bound::compute : Bound::memory;
}

const Figure<Seconds>& launch_figure(const AcceleratorPart& part, const Calibration& calibration) {
    return calibration.graphs ? part.graph_launch : part.launch;
}

void add_compute(OperationCost& cost, const Operation& op, const AcceleratorPart& part) {
    const Peak peak = peak_of(part, op.dtype);
    cost.computed_in = peak.dtype;
    cost.efficiency = compute_efficiency(part, op.rows);
    if (op.flops.si() <= 0) return;
    if (!peak.figure) {
        cost.confidence = Confidence::assumed;
        return;
    }
    cost.peak = peak.figure->value;
    const double work = op.flops.si() * std::max(1.0, op.imbalance);
    cost.compute = Seconds(quotient(work, cost.peak.si() * cost.efficiency));
    cost.confidence = weaker(cost.confidence, peak.figure->confidence);
    cost.confidence = weaker(cost.confidence, part.compute_efficiency_evidence.confidence);
}

void add_memory(OperationCost& cost, const Operation& op, const AcceleratorPart& part) {
    if (op.memory_bytes().si() <= 0) return;
    cost.memory =
        Seconds(quotient(op.memory_bytes().si(), part.memory_bandwidth.value.si() * part.memory_efficiency.value));
    cost.confidence = weaker(cost.confidence, part.memory_bandwidth.confidence);
    cost.confidence = weaker(cost.confidence, part.memory_efficiency.confidence);
}

void add_launch(OperationCost& cost, const Operation& op, const AcceleratorPart& part, const Calibration& calibration) {
    const Figure<Seconds>& launch = launch_figure(part, calibration);
    if (op.kernels <= 0) return;
    cost.launch = launch.value * op.kernels;
    cost.confidence = weaker(cost.confidence, launch.confidence);
}

std::string compute_text(const Operation& op, const OperationCost& cost) {
    if (op.flops.si() <= 0) return "no products";
    if (cost.peak.si() <= 0) return fmt::format("{}: no peak known", format(op.flops));
    const std::string imbalance = op.imbalance > 1 ? fmt::format(" x {:.2f} imbalance", op.imbalance) : "";
    return fmt::format("{}{} / ({} {} x {:.2f}) = {}", format(op.flops), imbalance, format(cost.peak),
                       to_string(cost.computed_in), cost.efficiency, format(cost.compute));
}

std::string memory_text(const Operation& op, const OperationCost& cost, const AcceleratorPart& part) {
    if (op.memory_bytes().si() <= 0) return "no memory traffic";
    return fmt::format("{} / ({} x {:.2f}) = {}", format(op.memory_bytes()), format(part.memory_bandwidth.value),
                       part.memory_efficiency.value, format(cost.memory));
}

}  // namespace

double compute_efficiency(const AcceleratorPart& part, double rows) {
    const auto& curve = part.compute_efficiency;
    if (curve.empty()) return part.compute_efficiency_evidence.value > 0 ? part.compute_efficiency_evidence.value : 1.0;
    const auto upper = std::find_if(curve.begin(), curve.end(), [&](const auto& p) { return p.rows >= rows; });
    if (upper == curve.begin()) return curve.front().share;
    if (upper == curve.end()) return curve.back().share;
    const auto& low = *(upper - 1);
    if (!(low.rows > 0) || !(upper->rows > low.rows)) return upper->share;
    const double place = std::log(rows / low.rows) / std::log(upper->rows / low.rows);
    return low.share + place * (upper->share - low.share);
}

OperationCost operation_figures(const Operation& op, const AcceleratorPart& part, const Calibration& calibration) {
    OperationCost cost;
    cost.confidence = Confidence::exact;
    add_compute(cost, op, part);
    add_memory(cost, op, part);
    add_launch(cost, op, part, calibration);
    cost.time = std::max(cost.compute, cost.memory) + cost.launch;
    cost.bound = bound_of(op, cost);
    return cost;
}

std::string operation_formula(const Operation& op, const AcceleratorPart& part, const Calibration& calibration,
                              const OperationCost& cost) {
    std::string text = fmt::format("max({}, {})", compute_text(op, cost), memory_text(op, cost, part));
    if (cost.launch.si() > 0) {
        text += fmt::format(" + {} x {} launch", shortest(op.kernels), format(launch_figure(part, calibration).value));
    }
    text += " = " + format(cost.time);
    if (op.flops.si() > 0 && cost.peak.si() > 0 && cost.computed_in != op.dtype) {
        text += fmt::format("; runs in {} because {} lists no {} peak", to_string(cost.computed_in),
                            part.name.empty() ? part.id.value : part.name, to_string(op.dtype));
    }
    return text;
}

OperationCost operation_cost(const Operation& op, const AcceleratorPart& part, const Calibration& calibration) {
    OperationCost cost = operation_figures(op, part, calibration);
    cost.formula = operation_formula(op, part, calibration, cost);
    return cost;
}

}  // namespace crosspoint
