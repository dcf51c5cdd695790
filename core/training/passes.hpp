// The operations of a training step on one accelerator: one layer forward and backward, the two ends of the model,
// gradients and weights over data parallel, the optimiser.
//
// One micro-batch of `micro_batch` sequences; context-parallel ranks hold an equal share of each sequence and of its
// causal work. The forward operations are those of a prefill of the same tokens; the backward pass mirrors them:
// products twice (inputs and weights), fused attention 2.5 times (it computes the scores again), messages in reverse.
#pragma once

#include <vector>

#include "core/scenario/scenario.hpp"
#include "core/training/kernels.hpp"
#include "core/workload/operations.hpp"

namespace crosspoint {

/// One operation with the pass that it belongs to; a recomputed operation is part of the backward pass.
struct TrainingOperation {
    Operation op;
    Pass pass = Pass::forward;
    bool recomputed = false;
    double share = 1;              ///< of what a product of its kind reaches elsewhere
    bool weight_gradient = false;  ///< half of it may wait: the product with the weights' gradients (zero bubble)
};

std::vector<TrainingOperation> training_layer(const Scenario& scenario, const LayerShape& layer);
/// Before the first layer: the lookup, and its gradient.
std::vector<TrainingOperation> training_embedding(const Scenario& scenario);
/// After the last layer: norm, logits of every token, loss.
std::vector<TrainingOperation> training_head(const Scenario& scenario);
/// Hidden states of one micro-batch to the next stage.
Operation stage_transfer(const Scenario& scenario);

/// Weights that one accelerator holds for itself (before any sharding over data parallel), in numbers.
struct HeldWeights {
    double dense = 0;    ///< attention, dense feed-forward, shared experts, router, norms, embeddings
    double experts = 0;  ///< routed
};
/// What one rank of `stage` holds.
HeldWeights held_weights(const Scenario& scenario, std::int64_t stage);

/// Messages that keep the data-parallel ranks alike, of one whole stage.
struct DataMessages {
    std::vector<Operation> gradients;  ///< after the last backward pass; sharding 2 and 3: after every one
    std::vector<Operation> weights;    ///< sharding 1, 2: once a step; 3: in every forward and backward pass
};
DataMessages data_messages(const Scenario& scenario, const HeldWeights& held, std::int64_t replicas);
/// Reads gradients, reads and writes the states of this rank's share, writes the weights.
Operation optimiser_operation(const Scenario& scenario, const HeldWeights& held, std::int64_t replicas);

/// Data-parallel ranks of the dense weights (context ranks among them) and of the experts.
double data_ranks(const Parallelism& layout, std::int64_t replicas);
double expert_data_ranks(std::int64_t replicas);

}  // namespace crosspoint
