// Rule 12. Nominal figures, oversubscribed tiers, and what one slow or failed thing does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view slowdown = "one-failure.slowdown", taper = "oversubscription.attention";

/// The switch whose cables towards the accelerators outrun most those away from them; null when none leads further up.
const TierRatio* worst_taper(const Network& n) {
    const TierRatio* worst = nullptr;
    for (const TierRatio& tier : n.tiers)
        if (tier.oversubscription() > (worst ? worst->oversubscription() : 0)) worst = &tier;
    return worst;
}

std::vector<int> nominal_only(const Prediction& p) {
    std::vector<int> all;
    for (const LinkUse& use : p.links)
        if (use.bytes > Bytes(0) &&
            p.network->links[std::size_t(use.link)].capacity.confidence == Confidence::datasheet)
            all.push_back(use.link);
    return all;
}

const Impairment* worst_impairment(const ReviewFacts& f) {
    const Impairment* worst = nullptr;
    for (const Impairment& i : f.impairments)
        if (!i.cut && (!worst || i.step > worst->step)) worst = &i;
    return worst;
}

std::string explain(const ReviewFacts& f, const TierRatio* tier, const std::vector<int>& nominal) {
    std::string text;
    for (const Impairment& i : f.impairments)
        text += i.cut ? fmt::format("{}: nothing else carries its traffic. ", i.what)
                      : fmt::format("{}: step {}. ", i.what, format(i.step));
    if (tier) text += fmt::format("Most oversubscribed: {} at {:.3g} : 1. ", tier->device, tier->oversubscription());
    if (!nominal.empty())
        text += fmt::format("Only nominal: {}. ", f.prediction.network->links[std::size_t(nominal.front())].name);
    text +=
        "The step waits for the slowest member, so one slow cable is as bad as all of them for the replica that uses "
        "it.";
    return text;
}

Verdict judge(const ReviewFacts& f) {
    const Prediction& p = f.prediction;
    Verdict v;
    v.threshold_name = slowdown;
    v.threshold = threshold(f.scenario, slowdown);
    v.threshold_text = fmt::format(
        "attention when one slow or failed thing makes the step more than {} longer ({}), a tier in use is more than "
        "{} : 1 "
        "oversubscribed ({}), or a bandwidth in use is only nominal",
        format_percent(*v.threshold), slowdown, shortest(threshold(f.scenario, taper)), taper);
    if (!p.network || p.links.empty()) {
        v.title = "Nothing is sent over the drawing";
        v.explanation = "No link carries traffic in this layout.";
        return v;
    }
    const TierRatio* tier = worst_taper(*p.network);
    const auto nominal = nominal_only(p);
    const Impairment* worst = worst_impairment(f);
    const double longer = worst && p.step_time > Seconds(0) ? worst->step / p.step_time - 1 : 0;
    const bool tapered = tier && tier->oversubscription() > threshold(f.scenario, taper) * 1.001 && busiest_outside(p);
    v.confidence = p.confidence;
    v.value_si = longer;
    v.outcome = longer > *v.threshold || tapered || !nominal.empty() ? Outcome::attention : Outcome::pass;
    v.title = longer > *v.threshold ? "One slow link is felt in every step"
              : tapered             ? "A tier in use is oversubscribed"
              : !nominal.empty()    ? "A bandwidth is only nominal"
                                    : "The fabric has reserves";
    v.figure = worst ? fmt::format("{}: {} longer", worst->what, format_percent(longer))
                     : fmt::format("{:.3g} : 1 at most", std::max(1.0, tier ? tier->oversubscription() : 0));
    v.explanation = explain(f, tier, nominal);
    if (tapered) v.evidence.objects.push_back(tier->device);
    if (worst) v.evidence.links.push_back(worst->link);
    for (const int link : nominal) v.evidence.links.push_back(p.network->links[std::size_t(link)].ref);
    return v;
}

}  // namespace

Rule fabric_health() {
    return {
        "fabric-health",
        12,
        "Which bandwidths are only nominal; which fabric tier is oversubscribed; what does one failed or slow link or "
        "device do?",
        {{slowdown, 0.25, "how much longer one slow or failed thing may make the step: attention above; assumed"},
         {taper, 1, "capacity down over capacity up of a switch in use: attention above; 1 = non-blocking"}},
        judge};
}

}  // namespace crosspoint::review_rules
