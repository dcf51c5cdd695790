// Rule 10. The hottest expert rank against the mean, and how many ranks a token's experts lie on.
#include <fmt/format.h>

#include <algorithm>

#include "core/model/experts.hpp"
#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view attention = "expert-load.attention", failing = "expert-load.fail",
                           densest = "expert-load.activation-ratio";

/// The routed products that the load multiplies most, weighed by the time that they take.
const OperationResult* hottest(const Prediction& p) {
    const OperationResult* most = nullptr;
    each_operation(p, [&](const OperationResult& r, double) {
        if (r.op.kind == OpKind::experts && (!most || r.op.imbalance > most->op.imbalance)) most = &r;
    });
    return most;
}

const ExpertShape* expert_shape(const Scenario& s) {
    for (const auto& kind : s.model->kinds)
        if (kind.feed_forward.experts) return &*kind.feed_forward.experts;
    return nullptr;
}

/// What the hottest rank adds to the operation: its products take longer, unless reading weights hides it.
Seconds waiting(const OperationResult& r) {
    const Seconds balanced = std::max(r.cost.compute / std::max(1.0, r.op.imbalance), r.cost.memory);
    return std::max(Seconds(0), std::max(r.cost.compute, r.cost.memory) - balanced);
}

void add_suggestions(const ReviewFacts& f, double ratio, Verdict& v) {
    if (f.scenario.workload.expert_cv > 0)
        v.suggestions.push_back({"balance the experts (redundant copies of the hot ones): spread of popularity 0",
                                 {SetExpertCv{0}},
                                 latency_metric(f.scenario),
                                 {},
                                 {},
                                 {},
                                 {}});
    if (ratio > threshold(f.scenario, densest))
        v.suggestions.push_back(
            {"a sparser model (more experts of the same width, or a smaller top k)", {}, {}, {}, {}, {}, {}});
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = attention;
    v.threshold = threshold(f.scenario, attention);
    v.threshold_text = fmt::format(
        "hottest rank over mean: attention above {}, fail above {} where it adds to the step; activation ratio at most "
        "{} ({}, {}, {})",
        shortest(*v.threshold), shortest(threshold(f.scenario, failing)),
        format_percent(threshold(f.scenario, densest)), attention, failing, densest);
    const ExpertShape* shape = f.scenario.model ? expert_shape(f.scenario) : nullptr;
    const OperationResult* hot = hottest(f.prediction);
    if (!shape || !hot) {
        v.title = "No expert layer";
        v.explanation = "The model is dense: there is no expert load to balance.";
        return v;
    }
    const double load = hot->op.imbalance,
                 ratio = double(shape->top_k) / double(std::max<std::int64_t>(1, shape->experts));
    const Seconds wait = waiting(*hot);
    const bool felt = wait > hot->time * 0.01;
    v.value_si = load;
    v.confidence =
        weaker(f.prediction.confidence, f.scenario.workload.expert_cv > 0 ? Confidence::assumed : Confidence::fitted);
    v.outcome = felt ? grade(load, *v.threshold, threshold(f.scenario, failing)) : Outcome::pass;
    if (ratio > threshold(f.scenario, densest)) v.outcome = std::max(v.outcome, Outcome::attention);
    v.title = v.outcome == Outcome::pass               ? "The hottest expert does not set the pace"
              : ratio > threshold(f.scenario, densest) ? "The experts are nearly dense"
                                                       : "The hottest expert sets the pace";
    v.figure = fmt::format("hottest rank {:.2f} x mean; {} of {} experts a token ({})", load, shape->top_k,
                           shape->experts, format_percent(ratio));
    v.explanation = fmt::format(
        "Each layer waits for its hottest rank: {} of {} here{}. A token's {} experts lie on up to {} ranks, so a "
        "denser "
        "choice sends more messages and a sparser one is harder to balance.",
        format(wait), format(hot->time), felt ? "" : ", hidden behind reading the weights", shape->top_k,
        std::min(shape->top_k, f.scenario.layout.expert));
    add_evidence(v.evidence, f.prediction, *hot, true);
    if (v.outcome != Outcome::pass) add_suggestions(f, ratio, v);
    return v;
}

}  // namespace

Rule expert_load() {
    return {"expert-load",
            10,
            "Is the hottest expert within bounds; is the activation ratio in its sweet spot (fan-out against density)?",
            {{attention, 1.3, "load of the hottest expert rank over the mean: attention above; assumed"},
             {failing, 2, "load of the hottest expert rank over the mean: fail above; assumed"},
             {densest, 0.25,
              "experts that a token uses over all: above it the exchange nears that of a dense model; Mixtral-8x7B "
              "stands at 0.25, DeepSeek-V3 at 0.031"}},
            judge};
}

}  // namespace crosspoint::review_rules
