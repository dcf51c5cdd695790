// Sparse attention (index_topk) and compressed caches (compress_ratios).
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/io/hf_config_shape.hpp"

namespace crosspoint::hf {
namespace {

std::optional<IndexerShape> read_indexer(Fields& fields) {
    const std::int64_t top_k = fields.count("index_topk").value_or(0);
    if (top_k <= 0) return std::nullopt;
    constexpr std::string_view heads[] = {"index_n_heads"}, head_dim[] = {"index_head_dim"};
    IndexerShape indexer;
    indexer.top_k = top_k;
    indexer.heads = fields.required_count("number of indexer heads", heads);
    indexer.head_dim = fields.required_count("size of an indexer head", head_dim);
    return indexer;
}

/// Layers that score for themselves; the others take over the choice of an earlier one (indexer_types).
std::vector<bool> scoring_layers(Fields& fields, std::size_t layers) {
    std::vector<bool> scoring(layers, true);
    if (!fields.has("indexer_types")) return scoring;
    const auto types = fields.texts("indexer_types").value_or(std::vector<std::string>{});
    for (std::size_t i = 0; i < layers && i < types.size(); ++i) scoring[i] = types[i] == "full";
    return scoring;
}

void compress(Fields& fields, const std::vector<std::int64_t>& ratios, const std::optional<IndexerShape>& indexer,
              std::vector<AttentionShape>& attention) {
    if (ratios.size() < attention.size())
        return fields.wrong(
            "compress_ratios", ErrorCode::schema,
            fmt::format("compress_ratios has {} entries for {} layers", ratios.size(), attention.size()),
            "Give one entry a layer.");
    constexpr std::string_view window_keys[] = {"sliding_window"};
    const std::int64_t window = fields.required_count("window beside the compressed cache", window_keys);
    for (std::size_t i = 0; i < attention.size(); ++i) {
        AttentionShape& a = attention[i];
        a.window = window;
        a.keys_are_values = a.sinks = true;
        if (ratios[i] <= 0) continue;
        a.compression = CompressionShape{ratios[i], ratios[i] == 4};
        if (ratios[i] == 4) a.indexer = indexer;
    }
    fields.assume(
        "Compressed layers: ratio 4 pools overlapping blocks and scores its entries (index_topk), other ratios "
        "attend to all of their entries; one vector is key and value");
}

}  // namespace

void read_sparsity(Fields& fields, std::vector<AttentionShape>& attention) {
    const auto indexer = read_indexer(fields);
    if (fields.is_list("compress_ratios"))
        return compress(fields, fields.counts("compress_ratios").value_or(std::vector<std::int64_t>{}), indexer,
                        attention);
    if (!indexer) return;
    const std::vector<bool> scoring = scoring_layers(fields, attention.size());
    for (std::size_t i = 0; i < attention.size(); ++i)
        if (attention[i].kind == AttentionKind::latent || attention[i].kind == AttentionKind::grouped)
            if (scoring[i]) attention[i].indexer = indexer;
    if (std::find(scoring.begin(), scoring.end(), false) != scoring.end())
        fields.warn(
            "indexer_types: layers that take over another layer's choice of tokens are modelled as full attention");
}

}  // namespace crosspoint::hf
