#include "core/economics/serving.hpp"

#include "core/evaluate/stages.hpp"

namespace crosspoint::stages {
namespace {

/// One prompt on one replica; nothing where it cannot be predicted.
std::optional<Prediction> one_prompt(const Scenario& scenario, PredictionCache& cache) {
    Scenario prompt = scenario;
    prompt.workload.phase = Phase::prefill;
    prompt.workload.batch = 1;
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
    if (const auto prompt = one_prompt(scenario, cache)) {
        in.prefill = prompt->step_time;
        in.input_price = prompt->unit_price;
    }
    report.serving = serve(in);
}

}  // namespace crosspoint::stages
