// Rule 17. The context that is served against what the model was made for and what memory holds.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"
#include "core/review/rules/rules.hpp"
#include "core/units/text.hpp"

namespace crosspoint::review_rules {
namespace {

constexpr std::string_view share = "context.cache-share";

Verdict judge(const ReviewFacts& f) {
    const auto& w = f.scenario.workload;
    const MemoryReport& m = f.prediction.memory;
    Verdict v;
    v.threshold_name = share;
    v.threshold = threshold(f.scenario, share);
    v.threshold_text = fmt::format(
        "longer than the model's own context fails; attention when the cache takes more than {} "
        "of the used memory ({})",
        format_percent(*v.threshold), share);
    v.confidence = f.prediction.confidence;
    if (!f.scenario.model || w.phase == Phase::training || m.fullest >= m.stages.size()) {
        v.title = "No cache is kept";
        v.explanation = "Training keeps no cache.";
        return v;
    }
    const std::int64_t longest = f.scenario.model->max_context,
                       asked = w.context + (w.phase == Phase::decode ? 0 : w.output);
    const StageMemory& stage = m.stages[m.fullest];
    const double cache = stage.used() > Bytes(0) ? stage.cache / stage.used() : 0;
    v.value_si = double(asked);
    v.figure = fmt::format("{} tokens; cache {} of {} used", asked, format(stage.cache), format(stage.used()));
    const bool too_long = longest > 0 && asked > longest;
    v.outcome = too_long ? Outcome::fail : cache > *v.threshold ? Outcome::attention : Outcome::pass;
    v.title = too_long                          ? "Longer than the model's own context"
              : v.outcome == Outcome::attention ? "The cache is most of the memory"
                                                : "The context fits";
    v.explanation = fmt::format(
        "The model states {}; memory holds {} tokens at this batch. Cache is read once a token, so a "
        "long context also slows every step.",
        longest > 0 ? fmt::format("a context of {} tokens", longest) : "no longest context", m.longest_context);
    v.evidence.objects = f.prediction.network ? f.prediction.network->accelerator_devices : std::vector<std::string>{};
    if (too_long)
        v.suggestions.push_back(
            {fmt::format("context {}", longest), {SetContext{longest}}, "memory used", {}, {}, {}, {}});
    else if (v.outcome == Outcome::attention && size_of(f.scenario.precision.cache) > size_of(Dtype::fp8)) {
        Precision narrow = f.scenario.precision;
        narrow.cache = Dtype::fp8;
        v.suggestions.push_back({"cache in fp8", {SetPrecision{narrow}}, "memory used", {}, {}, {}, {}});
    }
    return v;
}

}  // namespace

Rule context_fits() {
    return {"context-fits",
            17,
            "Is the context within the model's own, and what share of the memory is its cache?",
            {{share, 0.5, "cache over used memory: attention above; assumed"}},
            judge};
}

}  // namespace crosspoint::review_rules
