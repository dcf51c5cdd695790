// Rule 1. Bytes of dispatch and combine that leave the scale-up domain, and what that domain is.
#include <fmt/format.h>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view remote_fail = "expert-domain.fail", slow_domain = "expert-domain.min-bandwidth";

struct Measured {
    Bytes sent, outside;
    bool any = false;
    [[nodiscard]] double remote() const { return sent.si() > 0 ? std::min(1.0, outside / sent) : 0; }
};

Measured measure(const Prediction& p, VerdictEvidence& evidence) {
    Measured m;
    each_operation(p, [&](const OperationResult& r, double times) {
        if (!of_experts(r)) return;
        m.any = true;
        m.sent += times * (r.exchange     ? r.exchange->sent_per_rank
                           : r.collective ? r.collective->sent_per_rank
                                          : Bytes(0));
        m.outside += times * bytes_outside(p, r);
        add_evidence(evidence, p, r, true);
    });
    return m;
}

const NetworkLink* domain_link(const Prediction& p) {
    for (const auto& link : p.network->links)
        if (link.ref.kind == LinkRef::Kind::domain) return &link;
    return nullptr;
}

std::string domain_text(const Prediction& p) {
    const NetworkLink* link = domain_link(p);
    if (!link) return "the drawing has no scale-up domain";
    return fmt::format("a domain has {} accelerators with {} each, {} ({})", domain_size(p),
                       format(link->capacity.value), link->name, to_string(link->capacity.confidence));
}

/// The layer is inside: is the domain itself sound?
void judge_domain(const ReviewFacts& f, Verdict& v) {
    const NetworkLink* link = domain_link(f.prediction);
    v.outcome = Outcome::pass;
    v.title = "Expert layer stays inside one domain";
    if (!link) return;
    v.confidence = link->capacity.confidence;
    if (link->capacity.value.si() < threshold(f.scenario, slow_domain)) {
        v.outcome = Outcome::attention;
        v.title = "Expert layer stays inside, but the domain is slow";
    } else if (link->capacity.value.si() < 0.5 * link->nominal.value.si()) {
        v.outcome = Outcome::attention;
        v.title = "Expert layer stays inside a degraded domain";
    }
}

void judge_leaving(const ReviewFacts& f, double remote, Verdict& v) {
    v.title = "Expert layer leaves the domain";
    v.outcome = remote > threshold(f.scenario, remote_fail) ? Outcome::fail : Outcome::attention;
    v.suggestions = review_layouts::inside_domain(f);
    if (auto s = review_layouts::narrower_dispatch(f)) v.suggestions.push_back(*s);
    if (v.suggestions.empty())
        v.suggestions.push_back(
            {fmt::format("use a domain of at least {} accelerators: no smaller expert group of this "
                         "model fits in memory",
                         f.scenario.layout.expert),
             {},
             {},
             {},
             {},
             {},
             {}});
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    if (!has_experts(f.scenario)) {
        v.title = "No expert layer";
        v.explanation = "The model is dense: it has no expert layer to place.";
        return v;
    }
    const Measured m = measure(f.prediction, v.evidence);
    if (!m.any) {
        v.title = "Experts are not exchanged";
        v.explanation = "Every rank holds a part of every expert: there is neither dispatch nor combine.";
        return v;
    }
    const double remote = m.remote();
    v.value_si = remote;
    v.threshold_name = remote_fail;
    v.threshold = threshold(f.scenario, remote_fail);
    v.threshold_text = fmt::format("attention as soon as bytes leave, fail above {} ({}); domain at least {} ({})",
                                   format_percent(*v.threshold), remote_fail,
                                   format(BytesPerSecond(threshold(f.scenario, slow_domain))), slow_domain);
    v.confidence = f.prediction.confidence;
    v.evidence.objects = domain_ids(f.prediction);
    const auto ranks = f.scenario.layout.expert * f.scenario.layout.expert_tensor;
    const auto domain = domain_size(f.prediction);
    if (m.outside.si() > 0) {
        judge_leaving(f, remote, v);
        v.figure = fmt::format("EP {} > {} in domain, {} of bytes cross", ranks, domain, format_percent(remote));
    } else {
        judge_domain(f, v);
        v.figure = fmt::format("EP {}, domain of {}", ranks, domain);
    }
    const auto terms = two_largest_terms(f.prediction, of_experts);
    v.explanation = fmt::format("Dispatch and combine run in every expert layer, and {}.{}", domain_text(f.prediction),
                                terms.empty() ? "" : " Largest: " + terms + ".");
    return v;
}

}  // namespace

Rule expert_layer_in_domain() {
    return {
        "expert-layer-in-domain",
        1,
        "Does the expert layer fall completely inside one high-speed domain, and how large is that domain in usable "
        "accelerators and stable bandwidth?",
        {{remote_fail, 0.25, "share of expert bytes outside the domain above which the rule fails; assumed"},
         {slow_domain, 100e9,
          "bytes/s an accelerator below which a domain counts as slow; assumed, between PCIe 5 x16 (63 GB/s) and "
          "NVLink 3 (300 GB/s)"}},
        judge};
}

}  // namespace crosspoint::review_rules
