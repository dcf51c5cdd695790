// Rule 19. What stops when one thing fails.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

constexpr std::string_view lost = "single-failure.lost-share";

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = lost;
    v.threshold = threshold(f.scenario, lost);
    v.threshold_text = fmt::format("attention when one failed accelerator stops more than {} of the service ({})",
                                   format_percent(*v.threshold), lost);
    const auto replicas = std::max<std::int64_t>(1, f.prediction.layout.replicas);
    const double share = 1.0 / double(replicas);
    v.value_si = share;
    v.confidence = Confidence::exact;
    v.outcome = share > *v.threshold ? Outcome::attention : Outcome::pass;
    v.title = replicas == 1 ? "One failure stops everything" : "One failure stops one replica";
    v.figure = fmt::format("{} replica{} of {} accelerators", replicas, replicas == 1 ? "" : "s",
                           f.prediction.layout.replica_size);
    std::string cuts;
    for (const Impairment& i : f.impairments)
        if (i.cut) {
            cuts += (cuts.empty() ? "" : ", ") + i.what;
            v.evidence.links.push_back(i.link);
        }
    v.explanation = fmt::format("All ranks of a replica work in step: without one of them none goes on. {}",
                                cuts.empty() ? "No cable in use is without a second way."
                                             : "Without a second way in the drawing: " + cuts + ".");
    if (v.outcome == Outcome::attention && f.prediction.layout.idle == 0)
        v.suggestions.push_back(
            {"smaller replicas, or spare accelerators that can take a failed one's place", {}, {}, {}, {}, {}, {}});
    return v;
}

}  // namespace

Rule single_point() {
    return {"single-point-of-failure",
            19,
            "What stops when one accelerator, cable or switch fails?",
            {{lost, 0.5, "share of the service that one failed accelerator stops: attention above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
