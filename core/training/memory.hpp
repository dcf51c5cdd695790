// Memory of one accelerator in a training step, by pipeline stage (cost-model section 7).
//
// Activations follow Korthikanti et al. 2022 (arXiv 2205.05198), term by term so that grouped heads, gated layers,
// latent attention and experts have theirs; a GPT layer gives sbh(10 + 24/t + 5as/(ht)) without, 34 sbh/t with
// sequence parallel and selective recomputation.
#pragma once

#include "core/cost/memory.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint {

/// Activations that one layer keeps from its forward to its backward pass, one micro-batch, one accelerator.
Bytes layer_activations(const Scenario& scenario, const LayerShape& layer);

/// Micro-batches of a whole stage whose activations are held at once: 1F1B p - stage (at most all of them), times
/// 1 + (p-1)/(p v) on the first stage when interleaved; DualPipe p + 1 on every stage.
double micro_batches_in_flight(const Parallelism& layout, const Training& training, std::int64_t stage,
                               std::int64_t micro_batches);

/// Every stage, with the reserve of the calibration; largest_batch is the largest micro-batch that fits and
/// longest_context the longest sequence (0 when not even one does); `searches` false leaves both at 0.
MemoryReport training_memory(const Scenario& scenario, std::int64_t replicas, const AcceleratorPart& part,
                             bool searches);

/// Micro-batches of one data-parallel rank in a step, the fullest rank's.
std::int64_t micro_batches_of(const Workload& workload, const Parallelism& layout, std::int64_t replicas);

}  // namespace crosspoint
