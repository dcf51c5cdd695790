// The parts of a shape, each from its fields (private to core/io).
#pragma once

#include <optional>
#include <vector>

#include "core/io/hf_config_family.hpp"
#include "core/io/hf_config_fields.hpp"
#include "core/model/model.hpp"

namespace crosspoint::hf {

/// What mixes the tokens of a layer.
enum class Mixer { full, windowed, chunked, linear, none };
/// `placed`: dense or experts, as the placement fields say.
enum class Feed { placed, dense, experts, none };

struct LayerRole {
    Mixer mixer = Mixer::full;
    Feed feed = Feed::placed;
};

/// The number of layers: stated, or the length of the list or pattern that describes each.
std::size_t read_layer_count(Fields& fields);
/// What every layer does, from the one field that lists it, else by the rule of the class.
std::vector<LayerRole> read_roles(Fields& fields, const Family& family, std::size_t layers);
/// The window that the file states and the class uses.
std::optional<std::int64_t> read_window(Fields& fields, const Family& family);
/// Attention of every layer.
std::vector<AttentionShape> read_attention(Fields& fields, const Family& family, std::int64_t hidden,
                                           const std::vector<LayerRole>& roles);
/// The layer that carries a constant state.
RecurrentShape read_recurrent(Fields& fields, const Family& family, std::int64_t hidden);
/// Compression and scoring of the cache, layer by layer, put onto `attention`.
void read_sparsity(Fields& fields, std::vector<AttentionShape>& attention);
/// Feed-forward of every layer: dense or experts.
std::vector<FeedForwardShape> read_feed_forward(Fields& fields, const Family& family, std::int64_t hidden,
                                                const std::vector<LayerRole>& roles);
/// A model whose blocks differ one by one (block_configs): fills both lists, false when the file has no such list.
bool read_blocks(Fields& fields, std::int64_t hidden, std::vector<AttentionShape>& attention,
                 std::vector<FeedForwardShape>& feed_forward);
/// Storage of the weights: the quantisation's number format, else torch_dtype.
Dtype read_storage(Fields& fields);

}  // namespace crosspoint::hf
