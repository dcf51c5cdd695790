// Money and the batch window (cost-model section 8, the part that needs no arrival process).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/scenario/scenario.hpp"

namespace crosspoint {

/// accelerators x price / rate. 32 accelerators at $2 /h and 16,896 tok/s give $1.05 per million tokens.
DollarsPerToken unit_price(double accelerators, DollarsPerSecond price, TokensPerSecond rate);

/// One point of a batch sweep.
struct BatchPoint {
    std::int64_t batch = 0;
    Seconds step;              ///< inter-token latency (decode) or time to first token (prefill)
    TokensPerSecond per_user;  ///< decode only
    TokensPerSecond per_accelerator;
    DollarsPerToken price;
    bool fits = true;  ///< in memory
};

/// Smallest batch whose unit cost is acceptable .. largest batch that meets the latency target and fits in memory.
struct BatchWindow {
    std::optional<std::int64_t> smallest;  ///< empty: no batch is cheap enough
    std::optional<std::int64_t> largest;   ///< empty: no batch is fast enough or fits
    bool empty = true;
    std::string low_reason, high_reason;  ///< "price $1.20 /M", "latency 20 ms", "memory", "no price target"
    std::string finding;                  ///< a sentence; says which end to move when empty
};
/// `points` ascending in batch. Interpolates to whole batches between points (log-log).
BatchWindow batch_window(std::span<const BatchPoint> points, const Targets& targets, Phase phase);

}  // namespace crosspoint
