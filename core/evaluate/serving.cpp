#include "core/economics/serving.hpp"

#include <algorithm>

#include "core/evaluate/stages.hpp"

namespace crosspoint::stages {
namespace {

/// A prompt on every attention rank of a replica, which leaves none idle; nothing where it cannot be predicted.
std::optional<Prediction> prompts(const Scenario& scenario, PredictionCache& cache) {
    Scenario prompt = scenario;
    prompt.workload.phase = Phase::prefill;
    prompt.workload.batch = std::max<std::int64_t>(1, scenario.layout.attention_data);
    auto p = predict(prompt, cache, Detail::figures);
    if (!p) return std::nullopt;
    return std::move(*p);
}

}  // namespace

void add_serving(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache, Report& report) {
    if (scenario.workload.phase != Phase::decode || report.batch_sweep.empty()) return;
    report.tier_points = tier_points(report.batch_sweep, scenario.workload.batch);
    report.tiers = judge_tiers(report.batch_sweep, scenario.workload.batch, scenario.tiers);
    if (!scenario.service.offered) return;
    ServingInput in;
    in.points = report.batch_sweep;
    in.offered = *scenario.service.offered;
    in.output = double(scenario.workload.output);
    in.replicas = double(prediction.layout.replicas);
    in.accelerators_per_replica = double(prediction.layout.replica_size);
    in.price = prediction.price;
    in.latency = scenario.targets.inter_token;
    if (const auto prompt = prompts(scenario, cache)) {
        in.prefill = prompt->step_time;
        in.input_price = prompt->unit_price;
    }
    report.serving = serve(in);
}

}  // namespace crosspoint::stages
