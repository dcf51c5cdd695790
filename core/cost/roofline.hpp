// One operation on one accelerator: the larger of compute and memory time, plus launch (cost-model section 4).
#pragma once

#include "core/catalogue/parts.hpp"
#include "core/workload/operations.hpp"

namespace crosspoint {

enum class Bound { compute, memory, launch, latency, bandwidth, overhead };
std::string_view to_string(Bound);

struct OperationCost {
    Seconds compute, memory, launch;
    Seconds time;  ///< max(compute, memory) + launch
    Bound bound = Bound::memory;
    double efficiency = 1;            ///< share of the dense peak used
    FlopsPerSecond peak;              ///< of the dtype the product runs in
    Dtype computed_in = Dtype::bf16;  ///< where the accelerator lacks the dtype, the next wider one
    std::string formula;              ///< with numbers
    Confidence confidence = Confidence::datasheet;
};

/// An accelerator that lacks the dtype computes in the next one that holds it (fp4 -> fp8 -> bf16, int4 -> int8 ->
/// fp8/bf16, fp16 <-> bf16); the formula says so. A missing peak or bandwidth costs nothing and is "assumed".
OperationCost operation_cost(const Operation& op, const AcceleratorPart& part, const Calibration& calibration);

/// The same without `formula`, for loops that only want the figures.
OperationCost operation_figures(const Operation& op, const AcceleratorPart& part, const Calibration& calibration);
/// The text of `cost`, which operation_figures() made of the same arguments.
std::string operation_formula(const Operation& op, const AcceleratorPart& part, const Calibration& calibration,
                              const OperationCost& cost);

/// Share of the dense peak for a product of `rows` rows.
double compute_efficiency(const AcceleratorPart& part, double rows);

}  // namespace crosspoint
