// Rule 4. The batches between the price target and the latency target, and where the current batch stands.
#include <fmt/format.h>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view narrow = "batch-window.narrow";

Suggestion set_batch(std::int64_t batch, std::string why, std::string metric) {
    return {fmt::format("batch {}: {}", batch, why), {SetBatch{batch}}, std::move(metric), {}, {}, {}, {}};
}

bool has_latency_target(const Scenario& s) {
    return s.workload.phase == Phase::decode ? s.targets.inter_token.has_value() : s.targets.first_token.has_value();
}

/// The batches that meet one end of an empty window.
void suggest_targets(const ReviewFacts& f, const BatchWindow& w, Verdict& v) {
    if (w.smallest) v.suggestions.push_back(set_batch(*w.smallest, "meets the price, not the latency", "unit price"));
    if (w.largest)
        v.suggestions.push_back(set_batch(*w.largest, "meets the latency, not the price", latency_metric(f.scenario)));
    if (v.suggestions.empty())
        v.suggestions.push_back({"move an end of the window, as the finding says", {}, {}, {}, {}, {}, {}});
}

void judge_open(const ReviewFacts& f, const BatchWindow& w, Verdict& v) {
    const std::int64_t batch = f.scenario.workload.batch;
    const double width = double(*w.largest) / double(std::max<std::int64_t>(1, *w.smallest));
    v.value_si = width;
    v.figure = fmt::format("{} to {}, now {}", *w.smallest, *w.largest, batch);
    if (batch > *w.largest) {
        v.outcome = Outcome::attention;
        v.title = "Batch is above its window";
        v.suggestions.push_back(
            set_batch(*w.largest, "the largest within " + w.high_reason, latency_metric(f.scenario)));
    } else if (batch < *w.smallest) {
        v.outcome = Outcome::attention;
        v.title = "Batch is below its window";
        v.suggestions.push_back(set_batch(*w.smallest, "the smallest within " + w.low_reason, "unit price"));
    } else if (width < threshold(f.scenario, narrow)) {
        v.outcome = Outcome::attention;
        v.title = "Batch window is narrow";
    } else {
        v.outcome = Outcome::pass;
        v.title = "Batch is inside its window";
        if (*w.largest > batch)
            v.suggestions.push_back(set_batch(*w.largest, "the cheap end of the window", "unit price"));
    }
}

Verdict judge(const ReviewFacts& f) {
    Verdict v;
    v.threshold_name = narrow;
    v.threshold = threshold(f.scenario, narrow);
    if (f.scenario.workload.phase == Phase::training) {
        v.title = "No latency to keep";
        v.explanation = "The batch of a training step is chosen for the optimiser, not for a latency.";
        return v;
    }
    v.threshold_text = fmt::format("largest over smallest batch at least {} ({}); the ends come from the targets",
                                   shortest(*v.threshold), narrow);
    if (!has_latency_target(f.scenario) && !f.scenario.targets.output_price) {
        v.title = "No target is set";
        v.explanation =
            "Without a latency or price target every batch that fits is as good as another; set one under "
            "Scenario > Targets.";
        return v;
    }
    if (f.batch_sweep.empty()) {
        v.title = "Batch was not swept";
        v.explanation = "The batch sweep was not computed, so the window is not known.";
        return v;
    }
    const BatchWindow w = batch_window(f.batch_sweep, f.scenario.targets, f.scenario.workload.phase);
    v.confidence = weaker(f.prediction.confidence, f.prediction.price_confidence);
    v.explanation = w.finding;
    if (const auto terms = two_largest_terms(f.prediction); !terms.empty())
        v.explanation += " At the present batch the largest are " + terms + ".";
    if (!w.empty) {
        judge_open(f, w, v);
        return v;
    }
    v.outcome = Outcome::fail;
    v.title = "Batch window is empty";
    v.value_si = 0;
    v.figure =
        fmt::format("needs {} for {}, {} for {}", w.smallest ? std::to_string(*w.smallest) + " or more" : "no batch",
                    w.low_reason, w.largest ? std::to_string(*w.largest) + " or fewer" : "no batch", w.high_reason);
    suggest_targets(f, w, v);
    return v;
}

}  // namespace

Rule batch_window_open() {
    return {"batch-window",
            4,
            "Which batch window does the target latency allow, and is its unit cost acceptable?",
            {{narrow, 2, "largest over smallest batch of the window below which it counts as narrow; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
