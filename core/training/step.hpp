// A training step put together: layers into stages, stages into a pipeline, gradients and optimiser behind it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/schedule/timeline.hpp"
#include "core/training/memory.hpp"
#include "core/training/model_flops.hpp"
#include "core/training/passes.hpp"
#include "core/training/pipeline.hpp"

namespace crosspoint {

/// An operation with its price; `hidden` of a message runs under the computation before it.
struct PricedOperation {
    TrainingOperation work;
    Seconds time;
    Seconds hidden{0};
};

/// What one pass over a piece of the model takes: compute alone, messages that wait, messages under compute.
struct PassTime {
    Seconds compute, exposed, hidden;
    [[nodiscard]] Seconds total() const { return compute + exposed; }
    PassTime& operator+=(const PassTime& other);
};
PassTime operator*(PassTime time, double factor);

/// Forward, backward, and the part of the backward pass that may wait.
struct PieceTime {
    PassTime forward, backward;
    Seconds weights;  ///< of backward.compute
    PieceTime& operator+=(const PieceTime& other);
};
PieceTime operator*(PieceTime time, double factor);

/// Marks what the scenario's switches let run under computation, then adds up. Context messages run under attention;
/// tensor messages under the products around them, expert messages under the other micro-batch's work where the
/// scenario overlaps them.
PieceTime settle(std::vector<PricedOperation>& operations, const Training& training);

/// Prices of what is not part of a layer, for stage `stage`.
struct StagePrices {
    PieceTime layers;      ///< one micro-batch
    Seconds gradients{0};  ///< the stage's messages, all of them
    Seconds weights{0};
    Seconds optimiser{0};
};

struct TrainingStep {
    std::int64_t micro_batches = 1;  ///< of one data-parallel rank
    Seconds step_time;
    Seconds bubble;            ///< mean idle time of a stage inside the pipeline
    Seconds published_bubble;  ///< what the schedule's formula says
    Seconds data_exposed;      ///< gradients and weights that the step waits for
    Seconds data_hidden;
    Seconds optimiser;
    ModelFlops flops;     ///< one token
    Flops computed;       ///< one token, recomputation counted
    FlopsPerSecond peak;  ///< of one accelerator, in the products' format
    Dtype peak_dtype = Dtype::bf16;
    double mfu = 0;          ///< full attention
    double mfu_causal = 0;   ///< half of it
    double mfu_weights = 0;  ///< 6 N only
    double hfu = 0;          ///< full attention and recomputation
    Goodput goodput;
    Timeline timeline;  ///< a lane for each stage
};

/// `stages`: one entry a pipeline stage. `transfer`: one message to the next stage. The four shares of the timeline are
/// means over the stages and add up to the step.
TrainingStep assemble_step(const Scenario& scenario, std::int64_t replicas, const AcceleratorPart& part,
                           const std::vector<StagePrices>& stages, Seconds transfer, bool with_bars);

}  // namespace crosspoint
