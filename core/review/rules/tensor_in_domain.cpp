// Rule 7. Tensor degree against domain size, turn-over of single-stream decode and KV heads.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view slack = "tensor-parallel.slack";

bool tensor_traffic(const OperationResult& r) {
    return r.op.communication && r.op.communication->group == GroupKind::tensor;
}

/// Bytes of tensor groups that leave the domain, over a step.
Bytes crossing(const Prediction& p, VerdictEvidence& evidence) {
    Bytes sum(0);
    each_operation(p, [&](const OperationResult& r, double times) {
        if (!tensor_traffic(r)) return;
        add_evidence(evidence, p, r, true);
        sum += bytes_outside(p, r) * times;
    });
    return sum;
}

/// How many ranks the cache can be split over: the fewest KV heads of any caching layer; latent caches are not split.
std::int64_t cache_split(const ModelShape& m) {
    std::int64_t fewest = 0;
    for (const auto& kind : m.kinds) {
        if (kind.attention.kind == AttentionKind::linear || kind.attention.kind == AttentionKind::none) continue;
        const auto heads = kind.attention.kind == AttentionKind::latent ? 1 : kind.attention.kv_heads;
        fewest = fewest == 0 ? heads : std::min(fewest, heads);
    }
    return fewest;
}

struct TurnOver {
    std::int64_t degree = 0;  ///< with the shortest step; 0 = not known
    double loss = 0;          ///< step at the present degree over the shortest, minus 1
};

TurnOver turn_over(const ReviewFacts& f) {
    TurnOver t;
    const auto& sweep = f.tensor_sweep;
    const auto best =
        std::min_element(sweep.begin(), sweep.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto now =
        std::find_if(sweep.begin(), sweep.end(), [&](const auto& p) { return p.first == f.scenario.layout.tensor; });
    if (best == sweep.end() || now == sweep.end() || !(best->second.si() > 0)) return t;
    t.degree = best->first;
    t.loss = best->first < now->first ? now->second / best->second - 1 : 0;
    return t;
}

void add(Verdict& v, std::optional<Suggestion> s) {
    if (s) v.suggestions.push_back(std::move(*s));
}

void judge_outside(const ReviewFacts& f, Verdict& v) {
    const auto domain = domain_size(f.prediction);
    v.outcome = Outcome::fail;
    v.title = "Tensor parallel leaves the domain";
    v.figure = fmt::format("TP {} > {} in domain", f.scenario.layout.tensor, domain);
    v.suggestions = review_layouts::inside_domain(f);
    if (v.suggestions.empty()) add(v, review_layouts::with_tensor(f, domain, "inside one domain"));
}

void judge_inside(const ReviewFacts& f, Verdict& v) {
    const auto tensor = f.scenario.layout.tensor;
    const auto heads = cache_split(*f.scenario.model);
    const TurnOver turn = turn_over(f);
    v.outcome = Outcome::pass;
    v.title = "Tensor parallel inside one domain";
    v.figure = fmt::format("TP {}, domain of {}", tensor, domain_size(f.prediction));
    if (turn.loss > threshold(f.scenario, slack)) {
        v.outcome = Outcome::attention;
        v.title = "Tensor parallel beyond its turn-over";
        v.figure = fmt::format("TP {} is {} slower than TP {} for one sequence", tensor, format_percent(turn.loss),
                               turn.degree);
        v.value_si = turn.loss;
        add(v, review_layouts::with_tensor(f, turn.degree, "the shortest single-stream step"));
    }
    if (heads > 0 && tensor > heads) {
        const bool latent = heads == 1;
        v.outcome = Outcome::attention;
        if (v.title == "Tensor parallel inside one domain")
            v.title = latent ? "Tensor ranks hold copies of one cache" : "Tensor parallel above the KV heads";
        v.figure += fmt::format("; the cache splits over {} at most", heads);
        add(v, review_layouts::with_tensor(f, heads, "no copy of the cache"));
    }
}

std::string explain(const ReviewFacts& f) {
    std::string text =
        "Tensor parallel pays two collectives in every layer, and its ranks above the KV heads hold copies "
        "of the cache.";
    const auto terms = two_largest_terms(f.prediction, tensor_traffic);
    return terms.empty() ? text : text + " Largest: " + terms + ".";
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = slack;
    v.threshold = threshold(f.scenario, slack);
    v.threshold_text = fmt::format(
        "outside the domain fails; attention when a smaller degree is more than {} faster ({}) "
        "or above the KV heads",
        format_percent(*v.threshold), slack);
    v.confidence = f.prediction.confidence;
    if (f.scenario.layout.tensor <= 1 || !f.scenario.model) {
        v.title = "No tensor parallelism";
        v.figure = "TP 1";
        v.explanation = "Tensor degree 1: no layer is split, so there is nothing to place.";
        return v;
    }
    v.value_si = double(f.scenario.layout.tensor);
    v.explanation = explain(f);
    v.evidence.objects = domain_ids(f.prediction);
    if (crossing(f.prediction, v.evidence).si() > 0) judge_outside(f, v);
    else judge_inside(f, v);
    return v;
}

}  // namespace

Rule tensor_in_domain() {
    return {"tensor-in-domain",
            7,
            "Is tensor parallelism inside one domain, before its turn-over, and not above the KV heads?",
            {{slack, 0.05, "how much slower than the best degree a single stream may be; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
