// How many cached entries a new token attends to, by kind of attention (private to core/workload).
#pragma once

#include "core/workload/operations.hpp"

namespace crosspoint {

struct Reach {
    double seen = 0;    ///< cached entries that one new token attends to, on average
    double read = 0;    ///< cached entries that have to be read for one sequence
    double scored = 0;  ///< entries that the indexer rates for one new token; 0 without one
};

/// Full: the context; windowed: at most the window; chunked: the token's own block; sparse: the best top_k;
/// compressed: the window and the entries of older blocks. Causal: means over the new tokens.
Reach reach_of(const StepShape& step, const AttentionShape& attention);

}  // namespace crosspoint
