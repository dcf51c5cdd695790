// Derivations: formula, numbers and sources behind a figure (private to core/evaluate).
#pragma once

#include "core/evaluate/report.hpp"

namespace crosspoint::stages {

/// "inter-token latency", "time to first token", "training step"
std::string_view step_name(Phase phase);
/// The step time as a term of other figures.
DerivationTerm step_term(const Scenario& scenario, const Prediction& prediction);
Derivation derive_step(const Scenario& scenario, const Prediction& prediction);
Derivation derive_memory(const Scenario& scenario, const Prediction& prediction, const StageMemory& stage);
/// The operations that take most of the step, most first; communication only, or all.
void add_largest_operations(const Prediction& prediction, bool communication_only, Derivation& why);
/// The links in use with capacity and source, busiest first.
void add_links(const Prediction& prediction, Derivation& why);

}  // namespace crosspoint::stages
