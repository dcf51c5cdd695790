// What a training step is asked to do beside batch and lengths: recomputation, sharding, schedule, states, failures.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/catalogue/dtype.hpp"
#include "core/units/quantity.hpp"

namespace crosspoint {

/// Activations that are thrown away and computed again: the attention core only, or whole layers.
enum class Recompute { none, selective, full };
std::string_view to_string(Recompute);  // "none", "selective", "full"

/// one_f_one_b with `interleave` above 1 is the interleaved schedule (Narayanan et al. 2021, arXiv 2104.04473);
/// zero_bubble is ZB-H1 (Qi et al. 2023, arXiv 2401.10241); dual_pipe feeds from both ends (DeepSeek-V3, 2412.19437).
enum class PipelineSchedule { one_f_one_b, zero_bubble, dual_pipe };
std::string_view to_string(PipelineSchedule);  // "1f1b", "zero-bubble", "dual-pipe"

enum class Optimiser { adam, sgd };
std::string_view to_string(Optimiser);

/// The batch of a training step is Workload::batch (sequences over all replicas), the sequence Workload::context.
struct Training {
    std::int64_t micro_batch = 1;  ///< sequences that one data-parallel rank passes through the pipeline at a time
    Recompute recompute = Recompute::selective;
    PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
    std::int64_t interleave = 1;  ///< model chunks a stage, v; layers are spread round robin
    int sharding = 1;             ///< over data parallel: 0 nothing, 1 optimiser, 2 and gradients, 3 and weights
    Optimiser optimiser = Optimiser::adam;
    Dtype gradients = Dtype::fp32;        ///< as they are summed and kept
    Dtype master = Dtype::fp32;           ///< the optimiser's own copy of the weights and each of its moments
    bool fused_attention = true;          ///< scores never reach memory (flash attention)
    bool dropout = false;                 ///< GPT-3 era: masks are kept for the backward pass
    bool overlap_data = true;             ///< gradient reduction under backward, weight gathering under forward
    bool overlap_tensor = false;          ///< tensor collectives in pieces under their products
    bool overlap_expert = false;          ///< dispatch and combine under the other micro-batch's products
    bool overlap_pipeline = true;         ///< stage transfers under the next micro-batch
    Seconds time_between_failures{0};     ///< of the whole job; 0: none are counted
    Seconds checkpoint_time{0};           ///< training stands still while a checkpoint is written
    Seconds restart_time{0};              ///< from a failure to the first new step
    std::optional<double> product_share;  ///< of the dense peak that large products reach; absent: its class's figure
    double assumed_mfu = 0.4;             ///< other phases: share of the peak with which the time to train is estimated
    bool operator==(const Training&) const = default;
};

}  // namespace crosspoint
