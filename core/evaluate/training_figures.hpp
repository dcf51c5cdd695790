// The strip's figures of a training step (private to core/evaluate).
#pragma once

#include "core/evaluate/report.hpp"

namespace crosspoint::stages {

/// Step, tokens/s an accelerator, utilisation (model and hardware FLOPs), price, memory, communication, bubble,
/// cross-domain; `common` are those that the other phases show too.
std::vector<ShownFigure> training_figures(const Scenario& scenario, const Prediction& prediction,
                                          std::vector<ShownFigure> common);

}  // namespace crosspoint::stages
