// Rule 18. Parts that hold each other back: mixed accelerators, a cable faster than its NIC.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

constexpr std::string_view slack = "parts.slack";

struct Waste {
    std::string text;
    double share = 0;  ///< of the cable's rate that its NIC cannot use
};

/// Links whose ends carry less than their cables.
std::vector<Waste> held_back(const Network& n, double tolerated, VerdictEvidence& evidence) {
    std::vector<Waste> all;
    for (const NetworkLink& l : n.links) {
        if (!(l.own > BytesPerSecond(0)) || !(l.unimpaired < l.own * (1 - tolerated))) continue;
        all.push_back({fmt::format("{}: {} of its {} cable", l.name, format(l.unimpaired), format(l.own)),
                       1 - l.unimpaired / l.own});
        evidence.links.push_back(l.ref);
    }
    std::stable_sort(all.begin(), all.end(), [](const Waste& a, const Waste& b) { return a.share > b.share; });
    return all;
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = slack;
    v.threshold = threshold(f.scenario, slack);
    v.threshold_text = fmt::format(
        "attention where a NIC or a port carries more than {} less than its cable ({}), or where "
        "accelerators differ",
        format_percent(*v.threshold), slack);
    if (!f.prediction.network) {
        v.title = "Nothing is drawn";
        v.explanation = "There is no network to look at.";
        return v;
    }
    const Network& n = *f.prediction.network;
    const auto waste = held_back(n, *v.threshold, v.evidence);
    v.confidence = Confidence::datasheet;
    v.value_si = waste.empty() ? 0 : waste.front().share;
    v.outcome = n.mixed_accelerators || !waste.empty() ? Outcome::attention : Outcome::pass;
    v.title = n.mixed_accelerators ? "Accelerators differ"
              : waste.empty()      ? "The parts match"
                                   : "A cable outruns its port";
    v.figure = n.mixed_accelerators ? fmt::format("{} is taken for all", n.accelerator_part.value)
               : waste.empty()      ? std::string("no cable outruns its ends")
                                    : waste.front().text;
    v.explanation = n.mixed_accelerators
                        ? "A group moves at the pace of its slowest member; here the first part stands for all of them."
                        : "What the cable can carry beyond its port is paid for and never used.";
    if (n.mixed_accelerators) v.evidence.objects = n.accelerator_devices;
    return v;
}

}  // namespace

Rule parts_match() {
    return {"parts-match",
            18,
            "Do the parts match, or does one hold another back?",
            {{slack, 0.1, "share of a cable's rate that its ends cannot use: attention above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
