// Rule 8. Tensor and expert bytes that leave the domain, over all bytes sent; pipeline bytes may leave.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view attention = "slow-links.attention", failing = "slow-links.fail";

bool dense(const OperationResult& r) { return r.op.communication && r.op.communication->group != GroupKind::pipeline; }

struct Traffic {
    Bytes dense, sparse, all;
    [[nodiscard]] double dense_share() const { return all.si() > 0 ? std::min(1.0, dense / all) : 0; }
};

Traffic outside(const Prediction& p, VerdictEvidence& evidence) {
    Traffic t;
    each_operation(p, [&](const OperationResult& r, double times) {
        t.all += bytes_sent(r) * times;
        const Bytes bytes = bytes_outside(p, r) * times;
        if (!(bytes.si() > 0)) return;
        (dense(r) ? t.dense : t.sparse) += bytes;
        if (dense(r)) add_evidence(evidence, p, r);
    });
    return t;
}

std::string explain(const Prediction& p) {
    std::string text =
        "Pipeline and data traffic goes once a step and may wait; tensor and expert traffic goes in every "
        "layer and the next product waits for it.";
    const auto terms =
        two_largest_terms(p, [&](const OperationResult& r) { return dense(r) && bytes_outside(p, r).si() > 0; });
    return terms.empty() ? text : text + " Largest: " + terms + ".";
}

Verdict judge(const ReviewFacts& f) {
    const Prediction& p = f.prediction;
    Verdict v;
    v.threshold_name = attention;
    v.threshold = threshold(f.scenario, attention);
    v.threshold_text = share_thresholds(f.scenario, attention, failing);
    v.confidence = p.confidence;
    if (!p.network || p.network->accelerators <= domain_size(p)) {
        v.title = "There is no slow link";
        v.explanation = "All accelerators are in one scale-up domain.";
        return v;
    }
    const Traffic t = outside(p, v.evidence);
    const double share = t.dense_share();
    v.value_si = share;
    v.outcome = grade(share, *v.threshold, threshold(f.scenario, failing));
    v.explanation = explain(p);
    if (t.dense.si() > 0) {
        v.title =
            v.outcome == Outcome::pass ? "Hardly any dense traffic on slow links" : "Dense traffic uses the slow links";
        v.figure = fmt::format("{} of all bytes are tensor or expert traffic outside", format_percent(share));
        if (v.outcome != Outcome::pass) v.suggestions = review_layouts::inside_domain(f);
        std::reverse(v.suggestions.begin(), v.suggestions.end());
    } else {
        v.title = "Only sparse traffic uses the slow links";
        v.figure = t.sparse.si() > 0 ? format(t.sparse) + " of pipeline traffic a step" : "nothing leaves a domain";
    }
    return v;
}

}  // namespace

Rule sparse_traffic_on_slow_links() {
    return {"sparse-traffic-on-slow-links",
            8,
            "Does only sparse traffic (pipeline, data) use the slow links?",
            {{attention, 0.05, "tensor and expert bytes outside a domain over all bytes: attention above; assumed"},
             {failing, 0.5, "tensor and expert bytes outside a domain over all bytes: fail above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
