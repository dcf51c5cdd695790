// Memory of one accelerator in each pipeline stage (cost-model section 7, inference).
#pragma once

#include <optional>
#include <vector>

#include "core/catalogue/parts.hpp"
#include "core/workload/workload.hpp"

namespace crosspoint {

struct StageMemory {
    std::int64_t stage = 0;
    std::int64_t first_layer = 0, layers = 0;
    Bytes dense_weights;   ///< attention, dense feed-forward, shared experts, router, norms
    Bytes expert_weights;  ///< routed experts
    Bytes embeddings;      ///< input table on the first stage, head on the last
    Bytes cache;
    Bytes activations;   ///< peak working set of one step
    Bytes buffers;       ///< communication buffers
    Bytes gradients{0};  ///< training
    Bytes optimiser{0};  ///< training: master weights and moments
    Bytes reserve;       ///< runtime reserve, and what the engine leaves unused (1 - memory_fraction)
    [[nodiscard]] Bytes used() const {
        return dense_weights + expert_weights + embeddings + cache + activations + buffers + gradients + optimiser;
    }
};

struct MemoryReport {
    std::vector<StageMemory> stages;
    std::size_t fullest = 0;
    Bytes capacity;  ///< of one accelerator
    Bytes usable;    ///< capacity x memory_fraction - runtime reserve
    Bytes margin;    ///< usable - used of the fullest stage; negative: does not fit by this much
    bool fits = false;
    std::int64_t largest_batch = 0;    ///< that fits at this context, at most 1e9; 0 = not even one sequence
    std::int64_t longest_context = 0;  ///< that fits at this batch, at most 1e9 (windows make it endless)
};

/// Layers per stage, as even as possible, earlier stages take the remainder.
std::vector<std::int64_t> stage_layers(const ModelShape& model, std::int64_t pipeline);

MemoryReport memory_report(const ModelShape& model, const Parallelism& layout, const Precision& precision,
                           const Workload& workload, const Calibration& calibration, const AcceleratorPart& part);

/// The same without largest_batch and longest_context, which cost a search each.
MemoryReport memory_use(const ModelShape& model, const Parallelism& layout, const Precision& precision,
                        const Workload& workload, const Calibration& calibration, const AcceleratorPart& part);

}  // namespace crosspoint
