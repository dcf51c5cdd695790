// The terms of an accelerator's memory, one function each, for one pipeline stage (private to core/cost and tests).
#pragma once

#include <vector>

#include "core/workload/workload.hpp"

namespace crosspoint::memory {

/// Which layers a stage holds, as numbers of layers of each kind.
struct StagePlan {
    std::int64_t first_layer = 0, layers = 0;
    std::vector<std::int64_t> kind_counts;  ///< indexed like ModelShape::kinds
    bool first = false, last = false;
};
std::vector<StagePlan> stage_plans(const ModelShape& model, std::int64_t pipeline);

/// Prompts longer than this are processed in chunks of so many tokens, which bounds the working set of prefill.
/// Assumed: the engines' own defaults lie between 2048 and 16384.
inline constexpr double kPrefillChunk = 8192;
/// Low-latency expert exchange reserves room for at most so many tokens a rank; larger steps use the exchange whose
/// buffers follow the tokens sent. Source: DeepEP README, "the actual batch size in the decoding engine should be
/// less than 256".
inline constexpr double kLowLatencyTokens = 256;

/// Sequences whose cache one attention rank holds: batch / attention_data, rounded up.
double sequences_per_rank(const Workload& workload, const Parallelism& layout);
/// Tokens of one rank in one pass: a pipeline in decode keeps min(stages, sequences) groups in flight.
double tokens_per_pass(const Workload& workload, const Parallelism& layout);

/// Attention, dense feed-forward, shared experts, router and norms of one layer on one rank.
Bytes dense_weights(const ModelShape& model, const LayerShape& layer, const Parallelism& layout, Dtype weights);
Bytes expert_weights(const ModelShape& model, const LayerShape& layer, const Parallelism& layout, Dtype experts);
/// Input table on the first stage, output table on the last; a tied table is held by both, once when they coincide.
Bytes embedding_weights(const ModelShape& model, const StagePlan& stage, const Parallelism& layout, Dtype weights);
/// Cache of one sequence in one layer on one rank: grouped heads are split by at most their number, latent caches not.
Bytes cache_of_sequence(const LayerShape& layer, const Parallelism& layout, std::int64_t context, Dtype cache);
/// Working set of the widest layer kind, and the logits on the last stage.
Bytes activations(const ModelShape& model, const StagePlan& stage, const Parallelism& layout,
                  const Precision& precision, const Workload& workload);
/// Dispatch and combine buffers, and the two boundary tensors of a pipeline.
Bytes buffers(const ModelShape& model, const StagePlan& stage, const Parallelism& layout, const Precision& precision,
              const Workload& workload);

}  // namespace crosspoint::memory
