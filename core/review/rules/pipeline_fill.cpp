// Rule 16. Enough micro-batches or sequences to fill the pipeline.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view attention = "pipeline-idle.attention", failing = "pipeline-idle.fail";

/// Groups that pass the stages in turn in one step: micro-batches in training, sequences of a rank otherwise.
double groups(const Scenario& s) {
    const auto& l = s.layout;
    if (s.workload.phase != Phase::training)
        return double(s.workload.batch) / double(std::max<std::int64_t>(1, l.attention_data));
    const double micro = double(std::max<std::int64_t>(1, s.workload.training.micro_batch));
    return double(s.workload.batch) / micro;
}

/// Share of the stages' time that is idle with `m` groups over `p` stages: a decode step keeps min(p, m) in flight, a
/// pass of the whole batch fills and drains.
double idle_share(const Scenario& s, double m, double p) {
    if (s.workload.phase == Phase::decode) return m >= p ? 0 : 1 - m / p;
    return (p - 1) / (m + p - 1);
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = attention;
    v.threshold = threshold(f.scenario, attention);
    v.threshold_text = share_thresholds(f.scenario, attention, failing);
    const double stages = double(f.scenario.layout.pipeline);
    if (stages <= 1) {
        v.title = "No pipeline";
        v.figure = "PP 1";
        v.explanation = "One stage: nothing waits for another.";
        return v;
    }
    double m = groups(f.scenario);
    if (f.scenario.workload.phase == Phase::training)
        m /= double(std::max<std::int64_t>(1, f.prediction.layout.replicas)) *
             double(std::max<std::int64_t>(1, f.scenario.layout.attention_data));
    const double idle = idle_share(f.scenario, std::max(m, 1.0), stages);
    v.value_si = idle;
    v.confidence = Confidence::exact;
    v.outcome = grade(idle, *v.threshold, threshold(f.scenario, failing));
    v.title = v.outcome == Outcome::pass ? "The pipeline is full" : "The pipeline runs partly empty";
    v.figure = fmt::format("{} groups over {} stages: {} idle", shortest(std::floor(m)), shortest(stages),
                           format_percent(idle));
    v.explanation =
        f.scenario.workload.phase == Phase::decode
            ? "In decode at most one group works in each stage; fewer groups than stages leave stages without work."
            : "The first stage starts and the last one ends alone: (p-1)/(m+p-1) of the time is the bubble, with a "
              "plain "
              "one-forward-one-backward order.";
    if (v.outcome != Outcome::pass && f.scenario.workload.batch < 1'000'000)
        v.suggestions.push_back({fmt::format("batch {}", 2 * f.scenario.workload.batch),
                                 {SetBatch{2 * f.scenario.workload.batch}},
                                 "tokens/s per accelerator",
                                 {},
                                 {},
                                 {},
                                 {}});
    return v;
}

}  // namespace

Rule pipeline_fill() {
    return {"pipeline-fill",
            16,
            "Are there enough micro-batches to fill the pipeline?",
            {{attention, 0.2, "idle share of the stages: attention above; assumed"},
             {failing, 0.5, "idle share of the stages: fail above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
