#include "core/evaluate/data_plan.hpp"

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

DataPlan::ByFit by_fit(const LossFit& fit, const DataPlan& plan) {
    DataPlan::ByFit by;
    by.fit = fit.name;
    by.source = fit.source;
    by.uncertainty = fit.uncertainty;
    by.loss = loss(fit, plan.active, plan.tokens);
    by.same_compute = compute_optimal(fit, plan.compute);
    by.same_loss = equal_loss(fit, plan.active, plan.tokens);
    by.serving_ratio = plan.active > 0 ? by.same_loss.parameters / plan.active : 0;
    return by;
}

/// Tokens a second of all accelerators, without failures.
TokensPerSecond rate_of(const Scenario& s, const Prediction& p, DataPlan& plan) {
    if (p.training) {
        plan.basis = "the training step of this document";
        plan.confidence = p.confidence;
        return p.total;
    }
    const auto it = p.accelerator->dense_peak.find(Dtype::bf16);
    const double mfu = s.workload.training.assumed_mfu;
    plan.basis = fmt::format("{} of the dense bf16 peak of {} accelerators, assumed (workload.training.assumed_mfu)",
                             format_percent(mfu), p.network->accelerators);
    if (it == p.accelerator->dense_peak.end() || !(plan.active > 0)) return TokensPerSecond(0);
    return TokensPerSecond(it->second.value.si() * mfu * double(p.network->accelerators) / (6 * plan.active));
}

}  // namespace

std::optional<DataPlan> data_plan(const Scenario& s, const Prediction& p) {
    if (!s.model || s.model->training_tokens <= 0 || !p.accelerator || !p.network) return std::nullopt;
    const ParameterCount count = count_parameters(*s.model);
    DataPlan plan;
    plan.active = double(count.active);
    plan.total = double(count.total);
    plan.tokens = double(s.model->training_tokens);
    plan.compute = training_compute(plan.active, plan.tokens);
    plan.multiple_active = data_multiple(plan.active, plan.tokens);
    plan.multiple_total = data_multiple(plan.total, plan.tokens);
    plan.optimal_tokens = optimal_tokens(plan.active);
    for (const LossFit& fit : loss_fits()) plan.fits.push_back(by_fit(fit, plan));
    const TokensPerSecond rate = rate_of(s, p, plan);
    const double used =
        p.training ? double(p.layout.replica_size * p.layout.replicas) : double(p.network->accelerators);
    const Watts power = p.accelerator->power ? p.accelerator->power->value : Watts(0);
    const double share = p.training ? p.training->goodput.share : 1;
    plan.run = run_cost(plan.tokens, rate, used, share, p.price, power);
    return plan;
}

}  // namespace crosspoint
