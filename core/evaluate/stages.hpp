// The parts of a report, each made from a scenario and its prediction (private to core/evaluate).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/evaluate/report.hpp"

namespace crosspoint::stages {

class SweepMemo;

std::vector<ShownFigure> shown_figures(const Scenario& scenario, const Prediction& prediction);
/// The last figure of the strip: how many verdicts passed, need attention or failed.
ShownFigure review_figure(const std::vector<Verdict>& verdicts);

/// The link classes that the layout's groups use, and the messages of the step's operations on them.
void add_curves(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache, Report& report);

/// About forty batches, from one sequence a rank to twice what fits in memory, the present batch among them.
std::vector<BatchPoint> batch_sweep(const Scenario& scenario, const Prediction& prediction, SweepMemo& memo,
                                    PredictionCache& cache);
/// One point of it; empty when its prediction fails.
std::optional<BatchPoint> batch_point(const Scenario& scenario, std::int64_t batch, PredictionCache& cache);
/// The window, its ends evaluated and added to the sweep until they no longer move.
BatchWindow refined_window(const Scenario& scenario, SweepMemo& memo, PredictionCache& cache,
                           std::vector<BatchPoint>& points);
/// One sequence in decode, over the tensor degrees that divide heads and model and fit on the accelerators.
TensorSweep tensor_sweep(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache);

/// The metrics of the monitoring plan with their predicted ranges.
std::vector<MonitoredMetric> monitoring(const Scenario& scenario, const Prediction& prediction, const Report& report);

/// Effective batch, queue, tiers and fleet size, from the batch sweep.
void add_serving(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache, Report& report);

/// Applies each suggestion to a copy and fills in its figure before and after. Suggestions that fail, or do not
/// improve their figure, are dropped (the closest stays as advice when nothing helps); the best comes first.
void weigh_suggestions(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache,
                       std::vector<Verdict>& verdicts);

std::vector<Assumption> assumptions(const Scenario& scenario, const Prediction& prediction);
std::vector<std::string> warnings(const Scenario& scenario, const Prediction& prediction);

/// The links of the drawing that carry traffic in this step, as indices into Network::links.
std::vector<int> links_in_use(const Prediction& prediction);

}  // namespace crosspoint::stages
