#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/evaluate/stages.hpp"
#include "core/review/facts.hpp"
#include "core/units/text.hpp"

namespace crosspoint::stages {
namespace {

struct Metric {
    std::string_view name;
    bool higher_is_better;
    double (*value)(const Prediction&);
    std::string (*text)(double);
};

double step_time(const Prediction& p) { return p.step_time.si(); }
std::string seconds_text(double v) { return format(Seconds(v)); }

constexpr Metric metrics[] = {
    {"inter-token latency", false, step_time, seconds_text},
    {"time to first token", false, step_time, seconds_text},
    {"training step", false, step_time, seconds_text},
    {"unit price", false, [](const Prediction& p) { return p.unit_price.si(); },
     [](double v) { return format(DollarsPerToken(v)); }},
    {"tokens/s per accelerator", true, [](const Prediction& p) { return p.per_accelerator.si(); },
     [](double v) { return format(TokensPerSecond(v)); }},
    {"communication over expert products", false,
     [](const Prediction& p) { return review_facts::expert_times(p).ratio(); },
     [](double v) { return fmt::format("{:.2f}", v); }},
    {"memory used", false,
     [](const Prediction& p) {
         return p.memory.fullest < p.memory.stages.size() ? p.memory.stages[p.memory.fullest].used().si() : 0.0;
     },
     [](double v) { return format(Bytes(v)); }},
};

const Metric* metric_of(const Suggestion& s) {
    const auto it =
        std::find_if(std::begin(metrics), std::end(metrics), [&](const Metric& m) { return m.name == s.metric; });
    return it == std::end(metrics) ? nullptr : it;
}

/// False when the change cannot be made, or no longer fits in memory.
bool weigh(const Scenario& scenario, const Prediction& before, PredictionCache& cache, Suggestion& s) {
    const Metric* metric = metric_of(s);
    if (s.edits.empty() || !metric) return s.edits.empty();
    const auto changed = crosspoint::apply(scenario, s.edits);
    if (!changed) return false;
    const auto after = predict(*changed, cache, Detail::figures);
    if (!after || (!after->memory.fits && before.memory.fits)) return false;
    s.before_si = metric->value(before);
    s.after_si = metric->value(*after);
    s.before = metric->text(*s.before_si);
    s.after = metric->text(*s.after_si);
    return true;
}

/// After over before, below 1 when better; advice without a figure counts as no change.
double gain(const Suggestion& s) {
    const Metric* metric = metric_of(s);
    if (!metric || !s.before_si || !s.after_si || !(*s.before_si > 0) || !(*s.after_si > 0)) return 1;
    return metric->higher_is_better ? *s.before_si / *s.after_si : *s.after_si / *s.before_si;
}

/// Best first. A change without gain is dropped; when no change helps, the closest stays as advice that says so, and
/// the explanation names the terms that hide it.
void keep_the_useful(const Prediction& prediction, Verdict& verdict) {
    std::vector<Suggestion>& all = verdict.suggestions;
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return gain(a) < gain(b); });
    constexpr double noticeable = 0.999;
    const auto idle = [](const Suggestion& s) { return s.before_si && gain(s) >= noticeable; };
    const auto first = std::find_if(all.begin(), all.end(), idle);
    if (first == all.end()) return;
    Suggestion closest = *first;
    std::erase_if(all, idle);
    if (!all.empty()) return;
    closest.text = "tried without gain: " + closest.text;
    verdict.explanation += fmt::format(" No change that was tried helps: the step is held by {}.",
                                       review_facts::two_largest_terms(prediction));
    closest.edits.clear();
    all.push_back(std::move(closest));
}

}  // namespace

void weigh_suggestions(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache,
                       std::vector<Verdict>& verdicts) {
    for (Verdict& verdict : verdicts) {
        std::erase_if(verdict.suggestions, [&](Suggestion& s) { return !weigh(scenario, prediction, cache, s); });
        keep_the_useful(prediction, verdict);
    }
}

}  // namespace crosspoint::stages
