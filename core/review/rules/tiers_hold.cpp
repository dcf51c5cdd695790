// Rule 6. Promised tiers against what the batch alone can change on this hardware.
#include <fmt/format.h>

#include <algorithm>

#include "core/economics/serving.hpp"
#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

constexpr std::string_view reserve = "tiers.reserve";

std::string range_text(const std::vector<TierPoint>& points) {
    std::string text = "On this hardware, by batch alone:";
    for (const TierPoint& p : points)
        text += fmt::format(" {} (batch {}) {:.3g} x the speed at {:.3g} x the cost;", p.name, p.batch, p.speed_ratio,
                            p.price_ratio);
    text.back() = '.';
    return text;
}

/// Published: 2 x the price for up to 2.5 x the speed, later 6 x for the same, and half the price offline.
constexpr std::string_view published =
    " For reference: list prices of fast tiers stood at 2 to 6 x for up to 2.5 x the speed, those of offline batches "
    "at "
    "0.5 x (public price lists, 2025-2026).";

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = reserve;
    v.threshold = threshold(f.scenario, reserve);
    v.threshold_text = fmt::format(
        "a promised speed that no batch gives fails; attention where a tier costs more than {} of its price ({})",
        format_percent(*v.threshold), reserve);
    const auto points = tier_points(f.batch_sweep, f.scenario.workload.batch);
    if (f.scenario.workload.phase != Phase::decode || points.empty()) {
        v.title = "Tiers are about decoding";
        v.explanation = "There is no sweep of decode batches to judge tiers by.";
        return v;
    }
    v.confidence = f.prediction.confidence;
    if (f.scenario.tiers.empty()) {
        v.title = "No tiers are promised";
        v.explanation = range_text(points) +
                        " Enter the tiers that are sold (price and speed multiples) to have them judged." +
                        std::string(published);
        return v;
    }
    const auto all = judge_tiers(f.batch_sweep, f.scenario.workload.batch, f.scenario.tiers);
    v.outcome = Outcome::pass;
    double worst = 0;
    for (const TierJudgement& j : all) {
        const double share = j.price > 0 ? j.cost / j.price : 0;
        const Outcome one = j.kind == TierJudgement::Kind::false_promise ? Outcome::fail
                            : share > *v.threshold                       ? Outcome::attention
                                                                         : Outcome::pass;
        v.outcome = std::max(v.outcome, one);
        worst = std::max(worst, share);
        v.explanation += j.finding + " ";
        if (j.kind == TierJudgement::Kind::false_promise)
            v.figure = fmt::format("{}: {:.3g} x promised, {:.3g} x possible", j.name, j.speed, j.fastest);
    }
    v.value_si = worst;
    if (v.figure.empty()) v.figure = fmt::format("costs at most {} of their price", format_percent(worst));
    v.title = v.outcome == Outcome::fail        ? "A tier promises a speed that the hardware cannot give"
              : v.outcome == Outcome::attention ? "A tier hardly pays for its batch"
                                                : "The tiers differ in scheduling only";
    v.explanation += range_text(points) + std::string(published);
    return v;
}

}  // namespace

Rule tiers_hold() {
    return {"tiers-hold",
            6,
            "Do fast and slow tiers differ only in scheduling, or does one promise a speed-up that the hardware cannot "
            "give?",
            {{reserve, 1,
              "cost of a tier over its price, both as multiples of the standard one: attention above; break-even"}},
            judge};
}

}  // namespace crosspoint::review_rules
