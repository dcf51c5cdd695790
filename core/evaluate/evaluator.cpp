#include <algorithm>

#include <fmt/format.h>

#include "core/evaluate/impairments.hpp"
#include "core/evaluate/stages.hpp"
#include "core/evaluate/sweep_memo.hpp"

namespace crosspoint {
namespace {

Result<ModelSummary> summarise(const Scenario& s) {
    if (!s.model) return fail(ErrorCode::reference, "the scenario has no model", "choose or import a model");
    if (auto valid = validate(*s.model); !valid) return tl::unexpected(valid.error());
    ModelSummary m;
    m.parameters = count_parameters(*s.model);
    m.kv_per_token = kv_bytes_per_token(*s.model, s.precision.cache);
    const double experts = double(m.parameters.routed_experts);
    m.weights =
        experts * size_of(s.precision.experts) + (double(m.parameters.total) - experts) * size_of(s.precision.weights);
    return m;
}

Result<LayoutFacts> lay_out(const Scenario& s, PredictionCache& cache) {
    if (!s.model) return fail(ErrorCode::reference, "no layout without a model", "choose or import a model");
    const auto network = network_of(s, cache);
    if (!network) return tl::unexpected(network.error());
    return layout_facts(s.layout, *s.model, (*network)->accelerators);
}

/// What stands in the checklist when there is no prediction to judge.
std::vector<Verdict> unjudged(const Error& error) {
    std::vector<Verdict> all;
    for (const Rule& rule : rules()) {
        Verdict v;
        v.rule = rule.id;
        v.number = rule.number;
        v.question = rule.question;
        v.title = "Not evaluated";
        v.explanation = "There is no prediction to judge: " + error.message + ".";
        all.push_back(std::move(v));
    }
    return all;
}

void add_without_prediction(Report& report) {
    const Error& error = report.prediction.error();
    report.window.finding = "Not computed: " + error.message + ".";
    report.verdicts = unjudged(error);
    report.warnings.push_back(error.hint.empty() ? error.message + "." : error.message + ": " + error.hint + ".");
}

std::vector<std::pair<std::int64_t, Seconds>> degrees(const TensorSweep& sweep) {
    std::vector<std::pair<std::int64_t, Seconds>> all;
    for (const auto& p : sweep.points) all.emplace_back(p.degree, p.step);
    return all;
}

void add_sweeps(const Scenario& s, stages::SweepMemo& memo, PredictionCache& cache, Report& report) {
    report.batch_sweep = stages::batch_sweep(s, *report.prediction, memo, cache);
    if (s.workload.phase != Phase::training) report.tensor_sweep = memo.tensor(s, *report.prediction, cache);
    report.window = stages::refined_window(s, memo, cache, report.batch_sweep);
    stages::add_serving(s, *report.prediction, cache, report);
}

}  // namespace

int Report::count(Outcome outcome) const {
    return int(std::count_if(verdicts.begin(), verdicts.end(), [=](const auto& v) { return v.outcome == outcome; }));
}

Evaluator::Evaluator()
    : cache_(make_prediction_cache()),
      memo_(std::make_unique<stages::SweepMemo>()),
      impairments_(std::make_unique<stages::ImpairmentMemo>()) {}
Evaluator::~Evaluator() = default;

Report Evaluator::evaluate(const Scenario& scenario, const EvaluateOptions& options) {
    Report report;
    report.title = scenario.title;
    report.version = CROSSPOINT_VERSION;
    report.workload = scenario.workload;
    report.targets = scenario.targets;
    report.model = summarise(scenario);
    report.layout = lay_out(scenario, *cache_);
    report.prediction = predict(scenario, *cache_);
    if (!report.prediction) {
        add_without_prediction(report);
        return report;
    }
    const Prediction& prediction = *report.prediction;
    stages::add_curves(scenario, prediction, *cache_, report);
    if (options.sweeps) add_sweeps(scenario, *memo_, *cache_, report);
    else report.window.finding = "Not computed: the batch sweep was left out.";
    if (options.sweeps) report.impairments = impairments_->impairments(scenario, prediction);
    report.verdicts =
        review({scenario, prediction, report.batch_sweep, degrees(report.tensor_sweep), report.impairments});
    if (options.suggestions) stages::weigh_suggestions(scenario, prediction, *cache_, report.verdicts);
    report.figures = stages::shown_figures(scenario, prediction);
    report.figures.push_back(stages::review_figure(report.verdicts));
    report.data = data_plan(scenario, prediction);
    report.monitoring = stages::monitoring(scenario, prediction, report);
    report.assumptions = stages::assumptions(scenario, prediction);
    report.warnings = stages::warnings(scenario, prediction);
    return report;
}

}  // namespace crosspoint
