// The distinct layers of a model and the ends of a step, costed and turned into tasks (private to core/prediction).
#pragma once

#include "core/prediction/costing.hpp"

namespace crosspoint {

/// Operations of one place in the step with what they send together.
struct CostedPart {
    std::vector<OperationResult> operations;
    std::vector<Task> tasks;
    Bytes sent, crossing;

    void add(const Context& context, Costed costed);
};

struct CostedLayer {
    LayerResult result;
    std::vector<Task> tasks;
    Bytes sent, crossing;  ///< of one micro-batch
};

/// One per kind that occurs.
Result<std::vector<CostedLayer>> cost_layers(Context& context);

/// What a group passes through before the first layer, between stages, and after the last layer.
struct CostedEnds {
    CostedPart before, transfer, after;
    Costed overhead;  ///< once per step
};
Result<CostedEnds> cost_ends(Context& context);

}  // namespace crosspoint
