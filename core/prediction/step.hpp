// The timeline of a whole step: ends, layers in model order, pipeline stages (private to core/prediction).
#pragma once

#include "core/prediction/layers.hpp"

namespace crosspoint {

/// Layers whose bars are kept in the step's timeline; the rest of a deeper model counts, unseen.
inline constexpr std::int64_t kLayersWithBars = 300;

/// The end of the timeline is the step time. What the further groups of a pipelined prefill take is part of its
/// shares, without bars; the wait of a pipelined decode for the slowest stage is idle.
Timeline step_timeline(const Context& context, const std::vector<CostedLayer>& layers, const CostedEnds& ends);

}  // namespace crosspoint
