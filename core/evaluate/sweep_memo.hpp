// Sweep results that outlive one report: while a slider is dragged most points are asked for again (private to
// core/evaluate).
#pragma once

#include <map>
#include <optional>

#include "core/evaluate/report.hpp"

namespace crosspoint::stages {

/// Holds the points of the scenario asked for last. Each result is a pure function of what its key compares, so a
/// remembered one equals a fresh one to the bit. Not thread-safe: one evaluator owns it.
class SweepMemo {
public:
    /// The point at `batch`; empty when its prediction fails. Remembered until anything but batch, title, notes,
    /// targets and thresholds changes.
    std::optional<BatchPoint> point(const Scenario& scenario, std::int64_t batch, PredictionCache& cache);
    /// Remembered until anything but those, phase and the parallel degrees changes.
    const TensorSweep& tensor(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache);

private:
    std::optional<Scenario> points_of_, tensor_of_;
    std::map<std::int64_t, std::optional<BatchPoint>> points_;
    TensorSweep tensor_;
};

}  // namespace crosspoint::stages
