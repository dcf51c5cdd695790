// Rule 13. Whether the document says enough for every metric of the monitoring plan to have a range and an alert.
#include <fmt/format.h>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"

namespace crosspoint::review_rules {
namespace {

constexpr std::string_view most_missing = "monitoring.missing";

std::vector<std::string> missing(const Scenario& s) {
    std::vector<std::string> all;
    if (!s.service.offered) all.emplace_back("the offered load (batch-size distribution, queue)");
    if (!s.targets.inter_token) all.emplace_back("a target for the inter-token latency");
    if (!s.targets.first_token) all.emplace_back("a target for the time to first token");
    return all;
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = most_missing;
    v.threshold = threshold(f.scenario, most_missing);
    v.threshold_text =
        fmt::format("attention when more than {} inputs of the plan are missing ({})", *v.threshold, most_missing);
    if (f.scenario.workload.phase == Phase::training) {
        v.title = "The plan is about serving";
        v.explanation = "Training is watched by its step time and goodput.";
        return v;
    }
    const auto absent = missing(f.scenario);
    v.value_si = double(absent.size());
    v.confidence = Confidence::exact;
    v.outcome = double(absent.size()) > *v.threshold ? Outcome::attention : Outcome::pass;
    v.title = absent.empty() ? "Every metric has its range and alert" : "The monitoring plan has gaps";
    v.figure = fmt::format("{} of 3 inputs of the plan are missing", absent.size());
    v.explanation =
        "The plan lists first-token and inter-token latency split into queue, prefill and decode, the distribution of "
        "the "
        "batch, bytes inside and across domains, and the expert load, with ranges for this very design.";
    for (const auto& what : absent) v.explanation += fmt::format(" Missing: {}.", what);
    return v;
}

}  // namespace

Rule monitored() {
    return {"monitored",
            13,
            "Is everything needed for monitoring listed: first-token latency and inter-token interval split into "
            "queue, prefill, "
            "decode; batch-size distribution; in-domain and cross-domain bytes; expert-load variation?",
            {{most_missing, 0, "inputs of the monitoring plan that may be missing"}},
            judge};
}

}  // namespace crosspoint::review_rules
