// One function per Edit: checks the value, then writes it into `next`. Private to core/scenario.
#pragma once

#include "core/scenario/edit.hpp"

namespace crosspoint::edits {

Result<void> write(Scenario& next, const SetTitle& edit);
Result<void> write(Scenario& next, const SetPhase& edit);
Result<void> write(Scenario& next, const SetBatch& edit);
Result<void> write(Scenario& next, const SetContext& edit);
Result<void> write(Scenario& next, const SetOutput& edit);
Result<void> write(Scenario& next, const SetExpertCv& edit);
Result<void> write(Scenario& next, const SetTraining& edit);
Result<void> write(Scenario& next, const SetModel& edit);
Result<void> write(Scenario& next, const SetPrecision& edit);
Result<void> write(Scenario& next, const SetParallelism& edit);
Result<void> write(Scenario& next, const SetPlacement& edit);
Result<void> write(Scenario& next, const SetCalibration& edit);
Result<void> write(Scenario& next, const SetPathCalibration& edit);
Result<void> write(Scenario& next, const RemovePathCalibration& edit);
Result<void> write(Scenario& next, const SetPrices& edit);
Result<void> write(Scenario& next, const SetTargets& edit);
Result<void> write(Scenario& next, const SetService& edit);
Result<void> write(Scenario& next, const SetTier& edit);
Result<void> write(Scenario& next, const SetThreshold& edit);

Result<void> write(Scenario& next, const SetTopology& edit);
Result<void> write(Scenario& next, const AddParts& edit);
Result<void> write(Scenario& next, const PutContainer& edit);
Result<void> write(Scenario& next, const PutDevice& edit);
Result<void> write(Scenario& next, const PutLink& edit);
Result<void> write(Scenario& next, const RemoveObjects& edit);
Result<void> write(Scenario& next, const MoveObjects& edit);
Result<void> write(Scenario& next, const DuplicateObjects& edit);

/// The drawing of a scenario; an empty one when it has none.
const Topology& drawing(const Scenario& scenario);
/// Puts a changed drawing into the scenario, or says why it is not valid.
Result<void> adopt(Scenario& next, Topology topology);

}  // namespace crosspoint::edits
