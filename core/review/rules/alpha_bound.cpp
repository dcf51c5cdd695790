// Rule 14. How much of the step is latency of messages, which no bandwidth shortens.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view attention = "alpha-bound.attention", failing = "alpha-bound.fail";

Seconds latency_of(const OperationResult& r) {
    return r.exchange ? r.exchange->latency : r.collective ? r.collective->latency : Seconds(0);
}

void suggest(const ReviewFacts& f, Verdict& v) {
    v.suggestions = review_layouts::inside_domain(f);
    if (f.scenario.layout.tensor > 1)
        if (auto s = review_layouts::with_tensor(f, f.scenario.layout.tensor / 2, "fewer steps in every collective"))
            v.suggestions.push_back(*s);
    if (auto s = review_layouts::overlapped(f)) v.suggestions.push_back(*s);
}

Verdict judge(const ReviewFacts& f) {
    const Prediction& p = f.prediction;
    Verdict v;
    v.threshold_name = attention;
    v.threshold = threshold(f.scenario, attention);
    v.threshold_text = share_thresholds(f.scenario, attention, failing);
    v.confidence = p.confidence;
    Seconds latency{0};
    each_operation(p, [&](const OperationResult& r, double times) {
        if (!(latency_of(r) > Seconds(0))) return;
        latency += latency_of(r) * times;
        add_evidence(v.evidence, p, r, true);
    });
    if (!(latency > Seconds(0)) || !(p.step_time > Seconds(0))) {
        v.title = "Nothing is communicated";
        v.explanation = "No operation of this layout sends a message.";
        return v;
    }
    const double share = std::min(1.0, latency / p.step_time);
    v.value_si = share;
    v.outcome = grade(share, *v.threshold, threshold(f.scenario, failing));
    v.title = v.outcome == Outcome::pass ? "Message latency is a small part of the step" : "The step waits for latency";
    v.figure = fmt::format("{} of {} is alpha ({})", format(latency), format(p.step_time), format_percent(share));
    v.explanation = fmt::format(
        "The latency terms of all messages of the step, hidden or not. More bandwidth shortens none of it; fewer or "
        "shorter steps do: a smaller group, a group inside one domain, a larger batch that shares them. Largest: {}.",
        two_largest_terms(p, [](const OperationResult& r) { return latency_of(r) > Seconds(0); }));
    if (v.outcome != Outcome::pass) suggest(f, v);
    return v;
}

}  // namespace

Rule alpha_bound() {
    return {"alpha-bound",
            14,
            "How much of the step is message latency, which no bandwidth shortens?",
            {{attention, 0.3, "latency terms over the step: attention above; assumed"},
             {failing, 0.6, "latency terms over the step: fail above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
