#include "core/workload/attention_reach.hpp"

#include <algorithm>
#include <cmath>

namespace crosspoint {
namespace {

constexpr double everything = 1e300;  // no window

double positive(std::int64_t n) { return static_cast<double>(std::max<std::int64_t>(n, 1)); }

/// Mean number of cached tokens that one new token attends to. With n new of c tokens and window w, w' = min(w, c):
/// w' - max(0, w' - (c - n))^2 / 2n under the causal mask; c / 2 when all c are new, c for a single token.
double attended(const StepShape& step, double window) {
    const double reach = std::min(window, step.context);
    if (!step.causal || step.new_tokens <= 0) return reach;
    const double cut = std::max(0.0, reach - std::max(0.0, step.context - step.new_tokens));
    return reach - cut * cut / (2 * step.new_tokens);
}

/// Cached tokens that have to be read for one sequence: a single new token needs the window only.
double tokens_read(const StepShape& step, double window) {
    return std::min(step.context, window + std::max(0.0, step.new_tokens - 1));
}

/// Pairs that the first `tokens` tokens score when each sees its own block only.
double pairs_in_chunks(double tokens, double chunk) {
    const double whole = std::floor(tokens / chunk), rest = tokens - whole * chunk;
    return (whole * chunk * chunk + rest * rest) / 2;
}

/// A single token stands in the middle of its block on average.
Reach chunked(const StepShape& step, double chunk) {
    if (!step.causal || step.new_tokens <= 0) {
        const double seen = step.context <= chunk ? step.context : chunk / 2;
        return {seen, seen, 0};
    }
    const double before = std::max(0.0, step.context - step.new_tokens);
    const double pairs = pairs_in_chunks(step.context, chunk) - pairs_in_chunks(before, chunk);
    return {pairs / step.new_tokens, tokens_read(step, chunk), 0};
}

/// The window of recent tokens and one entry for every `ratio` older ones, or the best `top_k` of those.
Reach compressed(const StepShape& step, const AttentionShape& a) {
    const double ratio = positive(a.compression->ratio), window = a.window ? positive(*a.window) : 0;
    const double chosen = a.indexer ? positive(a.indexer->top_k) : everything;
    const double entries = step.context / ratio;
    Reach reach;
    reach.seen = attended(step, window) + attended(step, chosen * ratio) / ratio;
    reach.read = tokens_read(step, window) + std::min(entries, chosen * std::max(1.0, step.new_tokens));
    reach.scored = a.indexer ? attended(step, everything) / ratio : 0;
    return reach;
}

}  // namespace

Reach reach_of(const StepShape& step, const AttentionShape& a) {
    if (a.compression) return compressed(step, a);
    if (a.window && a.chunked) return chunked(step, positive(*a.window));
    const double window = a.window ? static_cast<double>(*a.window) : everything;
    if (!a.indexer) return {attended(step, window), tokens_read(step, window), 0};
    const double top_k = positive(a.indexer->top_k);
    return {attended(step, std::min(window, top_k)), std::min(step.context, top_k * std::max(1.0, step.new_tokens)),
            attended(step, window)};
}

}  // namespace crosspoint
