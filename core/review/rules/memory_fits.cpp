// Rule 9. The fullest pipeline stage against what the engine may use.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/layouts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

using namespace review_facts;

constexpr std::string_view headroom = "memory.headroom";

std::string two_largest_parts(const StageMemory& m) {
    std::vector<std::pair<std::string_view, Bytes>> parts{
        {"dense weights", m.dense_weights}, {"expert weights", m.expert_weights},
        {"embeddings", m.embeddings},       {"cache", m.cache},
        {"activations", m.activations},     {"buffers", m.buffers},
        {"gradients", m.gradients},         {"optimiser", m.optimiser}};
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return fmt::format("{} {} and {} {}", parts[0].first, format(parts[0].second), parts[1].first,
                       format(parts[1].second));
}

bool fits_with(const ReviewFacts& f, const Precision& precision) {
    return f.scenario.model && f.prediction.accelerator &&
           memory_report(*f.scenario.model, f.scenario.layout, precision, f.scenario.workload, f.scenario.calibration,
                         *f.prediction.accelerator)
               .fits;
}

void suggest_narrower(const ReviewFacts& f, Verdict& v) {
    Precision cache = f.scenario.precision, weights = f.scenario.precision;
    cache.cache = weights.weights = weights.experts = Dtype::fp8;
    const bool wide_cache = size_of(f.scenario.precision.cache) > size_of(Dtype::fp8);
    const bool wide_weights = size_of(f.scenario.precision.weights) > size_of(Dtype::fp8);
    if (wide_cache && fits_with(f, cache))
        v.suggestions.push_back({"cache in fp8", {SetPrecision{cache}}, "memory used", {}, {}, {}, {}});
    if (wide_weights && fits_with(f, weights))
        v.suggestions.push_back({"weights in fp8", {SetPrecision{weights}}, "memory used", {}, {}, {}, {}});
}

void suggest(const ReviewFacts& f, Verdict& v) {
    const MemoryReport& m = f.prediction.memory;
    const auto& now = f.scenario.workload;
    if (m.largest_batch > 0 && m.largest_batch < now.batch)
        v.suggestions.push_back({fmt::format("batch {}: the largest that fits", m.largest_batch),
                                 {SetBatch{m.largest_batch}},
                                 "memory used",
                                 {},
                                 {},
                                 {},
                                 {}});
    if (m.longest_context > 0 && m.longest_context < now.context)
        v.suggestions.push_back({fmt::format("context {}: the longest that fits", m.longest_context),
                                 {SetContext{m.longest_context}},
                                 "memory used",
                                 {},
                                 {},
                                 {},
                                 {}});
    suggest_narrower(f, v);
    if (v.suggestions.empty())
        v.suggestions.push_back(
            {"use more accelerators a replica (tensor, expert or pipeline degree), or ones with more "
             "memory",
             {},
             {},
             {},
             {},
             {},
             {}});
}

Verdict judge(const ReviewFacts& f) {
    const MemoryReport& m = f.prediction.memory;
    Verdict v;
    if (m.stages.empty() || m.fullest >= m.stages.size()) {
        v.title = "Memory was not computed";
        v.explanation = "The prediction carries no memory report.";
        return v;
    }
    const StageMemory& stage = m.stages[m.fullest];
    const double free_share = m.usable.si() > 0 ? m.margin / m.usable : -1;
    v.value_si = free_share;
    v.threshold_name = headroom;
    v.threshold = threshold(f.scenario, headroom);
    v.threshold_text = fmt::format("must fit; attention below {} free ({})", format_percent(*v.threshold), headroom);
    v.confidence = f.prediction.confidence;
    v.outcome = !m.fits ? Outcome::fail : free_share < *v.threshold ? Outcome::attention : Outcome::pass;
    v.title = !m.fits                      ? "It does not fit in memory"
              : v.outcome == Outcome::pass ? "It fits in memory"
                                           : "Memory is nearly full";
    v.figure = fmt::format("{} of {} usable", format(stage.used()), format(m.usable));
    if (!m.fits) v.figure += fmt::format(", {} too much", format(-m.margin));
    v.explanation = fmt::format(
        "Stage {} is the fullest: {}. Largest batch that fits {}, longest context {} tokens. "
        "Nothing is swapped: offloading is not modelled.",
        stage.stage, two_largest_parts(stage), m.largest_batch, m.longest_context);
    v.evidence.objects = f.prediction.network ? f.prediction.network->accelerator_devices : std::vector<std::string>{};
    if (!m.fits) suggest(f, v);
    else if (v.outcome == Outcome::attention) suggest_narrower(f, v);
    return v;
}

}  // namespace

Rule memory_fits() {
    return {"memory-fits",
            9,
            "Does it all fit in memory, and is anything swapped on the critical path?",
            {{headroom, 0.05, "free share of the usable memory below which the rule asks for attention; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
