// The parts of a shape, each from its fields (private to core/io).
#pragma once

#include <optional>
#include <vector>

#include "core/io/hf_config_family.hpp"
#include "core/io/hf_config_fields.hpp"
#include "core/model/model.hpp"

namespace crosspoint::hf {

/// Attention of every layer.
std::vector<AttentionShape> read_attention(Fields& fields, const Family& family, std::int64_t hidden,
                                           std::size_t layers);
/// Feed-forward of every layer: dense or experts.
std::vector<FeedForwardShape> read_feed_forward(Fields& fields, const Family& family, std::int64_t hidden,
                                                std::size_t layers);
/// Storage of the weights: the quantisation's number format, else torch_dtype.
Dtype read_storage(Fields& fields);

}  // namespace crosspoint::hf
