// Changed layouts that rules suggest. Only layouts that are valid on this drawing and fit in memory are returned.
#pragma once

#include <optional>
#include <vector>

#include "core/review/verdict.hpp"

namespace crosspoint::review_layouts {

/// True when the layout is valid for model and accelerators, and the workload fits in memory with it.
bool works(const ReviewFacts& facts, const Parallelism& layout, const Workload& workload);

/// Layouts whose stage (expert and tensor groups) lies in one scale-up domain: as more replicas, or with the
/// pipeline across domains instead. Empty when there is none, or the stage is inside already.
std::vector<Suggestion> inside_domain(const ReviewFacts& facts);

/// The same accelerators with another tensor degree: attention data parallel (experts) or replicas take the rest.
std::optional<Suggestion> with_tensor(const ReviewFacts& facts, std::int64_t degree, std::string_view why);

/// Two half batches that overlap; empty when already on or not applicable.
std::optional<Suggestion> overlapped(const ReviewFacts& facts);
/// Dispatch in fp8; empty when it is not wider.
std::optional<Suggestion> narrower_dispatch(const ReviewFacts& facts);
/// Twice the batch; empty when it does not fit.
std::optional<Suggestion> larger_batch(const ReviewFacts& facts);

}  // namespace crosspoint::review_layouts
