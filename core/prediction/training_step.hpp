// The training step of a scenario: operations priced over its routes, then put together (private to core/prediction).
#pragma once

#include "core/prediction/costing.hpp"

namespace crosspoint {

/// Fails as predict() does. Layers hold one micro-batch forward and backward; `ends` the two ends of the model, the
/// stage transfer, gradients, weights and optimiser of the stage that has most of them.
Result<Prediction> predict_training(Context& context);

}  // namespace crosspoint
