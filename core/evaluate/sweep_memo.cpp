#include "core/evaluate/sweep_memo.hpp"

#include "core/evaluate/stages.hpp"

namespace crosspoint::stages {
namespace {

constexpr std::size_t most_points = 4096;  // a long drag adds a few each time; some 400 kB

/// Without what no prediction reads, and without the batch.
Scenario batch_key(Scenario s) {
    s.title.clear();
    s.notes.clear();
    s.targets = {};
    s.thresholds.clear();
    s.workload.batch = 1;
    return s;
}

/// Without what the tensor sweep sets itself too; of the layout it keeps only the form of the collectives.
Scenario tensor_key(const Scenario& s) {
    Scenario key = batch_key(s);
    key.workload.phase = Phase::decode;
    key.layout = {};
    key.layout.sequence_parallel = s.layout.sequence_parallel;
    return key;
}

/// True when `held` was another scenario and is this one now.
bool replaced(std::optional<Scenario>& held, Scenario key) {
    if (held && *held == key) return false;
    held = std::move(key);
    return true;
}

}  // namespace

std::optional<BatchPoint> SweepMemo::point(const Scenario& scenario, std::int64_t batch, PredictionCache& cache) {
    if (replaced(points_of_, batch_key(scenario)) || points_.size() > most_points) points_.clear();
    if (const auto it = points_.find(batch); it != points_.end()) return it->second;
    return points_.emplace(batch, batch_point(scenario, batch, cache)).first->second;
}

const TensorSweep& SweepMemo::tensor(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache) {
    if (replaced(tensor_of_, tensor_key(scenario))) tensor_ = tensor_sweep(scenario, prediction, cache);
    return tensor_;
}

}  // namespace crosspoint::stages
