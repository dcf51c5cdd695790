// Rule 2. Time in which only links outside a domain work, as a share of the step.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view attention = "cross-domain.attention", failing = "cross-domain.fail";

void add_crossing_evidence(const Prediction& p, Verdict& v) {
    each_operation(p, [&](const OperationResult& r, double) {
        if (bytes_outside(p, r).si() > 0) add_evidence(v.evidence, p, r);
    });
}

void suggest(const ReviewFacts& f, Verdict& v) {
    v.suggestions = review_layouts::inside_domain(f);
    for (auto extra : {review_layouts::overlapped(f), review_layouts::narrower_dispatch(f)})
        if (extra && (has_experts(f.scenario) || !extra->text.starts_with("dispatch"))) v.suggestions.push_back(*extra);
}

std::string explain(const Prediction& p) {
    std::string text =
        "Links outside a domain are slower and share their exits; time that no compute hides adds to every "
        "step.";
    if (const LinkUse* use = busiest_outside(p))
        text += fmt::format(" Busiest: {}, busy {} of the step.", describe_link(p, use->link),
                            format_percent(use->utilisation));
    const auto terms = two_largest_terms(p, [&](const OperationResult& r) { return bytes_outside(p, r).si() > 0; });
    return terms.empty() ? text : text + " Largest: " + terms + ".";
}

Verdict judge(const ReviewFacts& f) {
    const Prediction& p = f.prediction;
    Verdict v;
    if (!p.network || p.layout.replica_size <= 1) {
        v.title = "Nothing to communicate";
        v.explanation = "A replica is a single accelerator: nothing crosses any network.";
        return v;
    }
    const double share = p.step_time.si() > 0 ? exposed_outside(p) / p.step_time : 0;
    v.value_si = share;
    v.threshold_name = attention;
    v.threshold = threshold(f.scenario, attention);
    v.threshold_text = share_thresholds(f.scenario, attention, failing);
    v.outcome = grade(share, *v.threshold, threshold(f.scenario, failing));
    v.confidence = p.confidence;
    v.explanation = explain(p);
    if (!(p.cross_domain > 0)) {
        v.title = "No traffic leaves a domain";
        v.figure = "0 % of bytes cross";
        v.explanation = "All communication stays on the scale-up fabric.";
        return v;
    }
    v.title = v.outcome == Outcome::pass ? "Cross-domain traffic is off the critical path"
                                         : "Cross-domain traffic is on the critical path";
    v.figure = fmt::format("{} of bytes cross, {} of the step waits for them", format_percent(p.cross_domain),
                           format_percent(share));
    add_crossing_evidence(p, v);
    if (v.outcome != Outcome::pass) suggest(f, v);
    return v;
}

}  // namespace

Rule cross_domain_critical() {
    return {"cross-domain-critical",
            2,
            "Does cross-domain traffic form the critical path on slow links, and what is its ratio?",
            {{attention, 0.25, "share of the step that waits for links outside a domain: attention above; assumed"},
             {failing, 0.5, "share of the step that waits for links outside a domain: fail above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
