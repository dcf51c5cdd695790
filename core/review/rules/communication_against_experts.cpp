// Rule 3. Dispatch and combine against the expert products, over all expert layers.
#include <fmt/format.h>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view attention = "expert-communication.attention", failing = "expert-communication.fail";

bool expert_part(const OperationResult& r) { return of_experts(r) || r.op.kind == OpKind::experts; }

void add_expert_evidence(const Prediction& p, Verdict& v) {
    each_operation(p, [&](const OperationResult& r, double) {
        if (expert_part(r)) add_evidence(v.evidence, p, r, true);
    });
}

void suggest(const ReviewFacts& f, Verdict& v) {
    v.suggestions = review_layouts::inside_domain(f);
    for (auto extra :
         {review_layouts::overlapped(f), review_layouts::narrower_dispatch(f), review_layouts::larger_batch(f)})
        if (extra) v.suggestions.push_back(*extra);
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = attention;
    v.threshold = threshold(f.scenario, attention);
    v.threshold_text =
        fmt::format("attention above {}, fail above {} times the expert products ({}, {})", shortest(*v.threshold),
                    shortest(threshold(f.scenario, failing)), attention, failing);
    if (!has_experts(f.scenario)) {
        v.title = "No expert layer";
        v.explanation = "The model is dense: it has no expert communication.";
        return v;
    }
    const ExpertTimes sums = expert_times(f.prediction);
    add_expert_evidence(f.prediction, v);
    if (!(sums.communication.si() > 0) || !(sums.products.si() > 0)) {
        v.title = "Experts do not communicate";
        v.explanation = "Every rank holds all experts: there is neither dispatch nor combine.";
        return v;
    }
    const double ratio = sums.ratio();
    v.value_si = ratio;
    v.outcome = grade(ratio, *v.threshold, threshold(f.scenario, failing));
    v.confidence = f.prediction.confidence;
    v.title = ratio > 1 ? "Communication dominates the experts" : "Expert products outweigh their communication";
    v.figure = fmt::format("{} against {} a layer", format(sums.communication / sums.layers),
                           format(sums.products / sums.layers));
    v.explanation = fmt::format(
        "When the exchange takes longer than the products, faster accelerators gain nothing. "
        "Largest: {}.",
        two_largest_terms(f.prediction, expert_part));
    if (v.outcome != Outcome::pass) suggest(f, v);
    return v;
}

}  // namespace

Rule communication_against_experts() {
    return {"communication-against-experts",
            3,
            "Does communication already dominate expert compute?",
            {{attention, 1, "dispatch and combine over expert products: attention above; equal times"},
             {failing, 2, "dispatch and combine over expert products: fail above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
