// The single conditions that a layout has to meet, in the order in which they are reported (private to core/workload).
#pragma once

#include <cstdint>

#include "core/workload/workload.hpp"

namespace crosspoint::layout_check {

/// Every degree is 1 to 65,536, replicas 0 to 65,536 (so that no product of degrees overflows).
Result<void> degrees(const Parallelism& layout);
Result<void> pipeline(const Parallelism& layout, const ModelShape& model);
/// tensor divides the query heads, meets the KV heads evenly and divides the dense and shared widths.
Result<void> tensor(const Parallelism& layout, const ModelShape& model);
/// Stage product equals expert product, experts divide over expert ranks, expert_tensor divides an expert's width
/// and nests with tensor. A model without experts takes expert 1 or the attention-data degree (which then means
/// nothing) and expert_tensor 1 or the tensor degree.
Result<void> experts(const Parallelism& layout, const ModelShape& model);
Result<void> accelerators(const Parallelism& layout, std::int64_t available);

}  // namespace crosspoint::layout_check
