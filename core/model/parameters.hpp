// Parameters of the parts of a layer (private to core/model). Sums and products stop at the largest 64-bit number
// instead of wrapping: a garbage shape gives a huge count, which validate() refuses, and never undefined behaviour.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/model/model.hpp"

namespace crosspoint::parameters {

/// Saturating; negative sizes count as zero.
std::int64_t sum(std::initializer_list<std::int64_t> terms);
std::int64_t product(std::initializer_list<std::int64_t> factors);

std::int64_t attention(std::int64_t hidden, const AttentionShape& shape);
/// The scorer of sparse attention, 0 without one.
std::int64_t indexer(std::int64_t hidden, const AttentionShape& shape);
std::int64_t recurrent(std::int64_t hidden, const RecurrentShape& shape);
/// Channels that pass the short convolution.
std::int64_t convolved_channels(const RecurrentShape& shape);
std::int64_t dense_feed_forward(std::int64_t hidden, const FeedForwardShape& shape);
/// One routed expert, biases included.
std::int64_t one_expert(std::int64_t hidden, const FeedForwardShape& shape);
/// The shared experts and their gate.
std::int64_t shared_experts(std::int64_t hidden, const FeedForwardShape& shape);
/// The router, and the products into and out of the dimensions that latent experts work in.
std::int64_t router(std::int64_t hidden, const ExpertShape& shape);

}  // namespace crosspoint::parameters
