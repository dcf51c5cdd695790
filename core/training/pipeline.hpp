// The order in which pipeline stages work on micro-batches, played through: 1F1B, interleaved, zero bubble, DualPipe.
#pragma once

#include <vector>

#include "core/workload/training.hpp"

namespace crosspoint {

/// One micro-batch on one stage, all of its chunks together.
struct StageWork {
    Seconds forward;
    Seconds backward;  ///< with recomputation, without `weights`
    Seconds weights;   ///< the part of the backward pass that may wait: gradients of the weights
    [[nodiscard]] Seconds total() const { return forward + backward + weights; }
};

struct PipelineShape {
    PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
    std::int64_t micro_batches = 1;
    std::int64_t interleave = 1;
    Seconds transfer{0};  ///< from one chunk to the next, beside the stages' own work
    std::vector<StageWork> stages;
};

struct PipelineBar {
    enum class Work { forward, backward, weights, further };
    Work work = Work::forward;
    std::int64_t stage = 0, micro_batch = 0, chunk = 0;
    Seconds start, length;
};

struct PipelineRun {
    Seconds end;                ///< of the last backward pass
    std::vector<Seconds> busy;  ///< by stage
    std::vector<PipelineBar> bars;
    std::int64_t played = 0;  ///< micro-batches with bars; the others repeat the middle
};

/// Micro-batches beyond a few rounds of the pipeline add the slowest stage's time each: they are not played one by one.
/// DualPipe gives every accelerator two stages, one for each direction; its bubble is that of the played order.
PipelineRun run_pipeline(const PipelineShape& shape, bool with_bars);

/// Published bubble, beside micro_batches x work, for equal stages: (p-1)(F+B+W) / v for 1F1B and interleaved,
/// (p-1)(F+B-W) for zero bubble (ZB-H1), (p/2-1)(F+B+W + B+W - 3W) for DualPipe. Sources: arXiv 2104.04473,
/// 2401.10241, 2412.19437 table 2.
Seconds published_bubble(const PipelineShape& shape);

}  // namespace crosspoint
