#include "core/io/hf_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/io/hf_config_fields.hpp"
#include "core/io/hf_config_format.hpp"
#include "core/io/hf_config_shape.hpp"
#include "core/io/hf_config_text.hpp"
#include "core/io/json_tree.hpp"

namespace crosspoint {
namespace {

using hf::Fields;

constexpr std::string_view hidden_keys[] = {"hidden_size", "d_model", "n_embd", "dim", "hidden_dim", "hidden"};
constexpr std::string_view vocabulary_keys[] = {"vocab_size", "padded_vocab_size", "n_vocab"};
constexpr std::string_view context_keys[] = {
    "max_position_embeddings", "max_seq_len", "n_positions", "n_ctx", "seq_length", "seq_size"};
constexpr std::string_view next_token_keys[] = {"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers",
                                                "num_mtp_layers", "mtp_num_layers"};
constexpr std::string_view gated_keys[] = {"mlp_gated_linear_units", "use_swiglu", "swiglu"};

tl::unexpected<Error> in_file(Error error, std::string_view file) {
    error.file = file;
    return tl::unexpected(std::move(error));
}

/// The configuration's own name, else that of its file, else of the file's folder when it is a plain config.json.
std::string name_of(Fields& fields, std::string_view file) {
    for (const std::string_view key : {"_name", "_name_or_path", "model_name", "name"}) {
        std::string name = fields.text(key).value_or("");
        while (!name.empty() && name.back() == '/') name.pop_back();
        if (const std::string last = name.substr(name.find_last_of('/') + 1); !last.empty() && last != ".") return last;
    }
    const auto stem = [](std::string_view path) {
        const std::string_view last = path.substr(path.find_last_of("/\\") + 1);
        return std::string(last.substr(0, last.size() - (last.ends_with(".json") ? 5 : 0)));
    };
    const std::size_t slash = file.find_last_of("/\\");
    std::string name = stem(file);
    if (name == "config" && slash != std::string_view::npos && slash > 0) name = stem(file.substr(0, slash));
    return name.empty() ? "imported model" : name;
}

bool read_tied(Fields& fields, const hf::Family& family) {
    if (const auto stated = fields.flag("tie_word_embeddings")) return *stated;
    if (const auto untied = fields.flag("untie_embeddings_and_output_weights")) return !*untied;
    if (family.vocabulary_free) return false;
    fields.assume(fmt::format("tie_word_embeddings is absent: {}, as {} classes are", family.tied ? "tied" : "not tied",
                              family.name));
    return family.tied;
}

/// Norm vectors of a layer: as many for each of its blocks.
int norms_of(const hf::Family& family, const LayerShape& layer) {
    const FeedForwardShape& f = layer.feed_forward;
    const bool feeds = f.width > 0 || f.experts || f.linear, mixes = layer.attention.kind != AttentionKind::none;
    const int both = f.width > 0 && f.experts ? family.expert_norms : 0;
    return family.norms * ((feeds ? 1 : 0) + (mixes ? 1 : 0)) / 2 + both;
}

void put_layer(ModelShape& model, const hf::Family& family, const AttentionShape& attention,
               const FeedForwardShape& feed_forward) {
    LayerShape layer{attention, feed_forward, 0};
    layer.norms = norms_of(family, layer);
    const auto it = std::find(model.kinds.begin(), model.kinds.end(), layer);
    model.layers.push_back(static_cast<int>(it - model.kinds.begin()));
    if (it == model.kinds.end()) model.kinds.push_back(layer);
}

/// Cache sharing layers of Gemma-4's small models are twice as wide.
void widen_sharing_layers(Fields& fields, const std::vector<AttentionShape>& attention,
                          std::vector<FeedForwardShape>& feed_forward) {
    if (!fields.flag("use_double_wide_mlp").value_or(false)) return;
    for (std::size_t i = 0; i < attention.size(); ++i)
        if (attention[i].shares_cache) feed_forward[i].width *= 2;
}

void put_layers(Fields& fields, const hf::Family& family, ModelShape& model,
                const std::vector<AttentionShape>& attention, std::vector<FeedForwardShape> feed_forward) {
    widen_sharing_layers(fields, attention, feed_forward);
    for (std::size_t i = 0; i < attention.size() && i < feed_forward.size(); ++i) {
        put_layer(model, family, attention[i], feed_forward[i]);
        if (!family.double_layers) continue;
        FeedForwardShape dense = feed_forward[i];
        dense.experts.reset();
        put_layer(model, family, attention[i], dense);
    }
    if (family.double_layers)
        fields.assume("Every layer holds two attentions and two dense parts: written as two layers");
}

void read_layers(Fields& fields, const hf::Family& family, ModelShape& model) {
    std::vector<AttentionShape> attention;
    std::vector<FeedForwardShape> feed_forward;
    const std::size_t layers = hf::read_layer_count(fields);
    if (fields.error()) return;
    if (!hf::read_blocks(fields, model.hidden, attention, feed_forward)) {
        const auto roles = hf::read_roles(fields, family, layers);
        if (fields.error()) return;
        attention = hf::read_attention(fields, family, model.hidden, roles);
        feed_forward = hf::read_feed_forward(fields, family, model.hidden, roles);
    } else if (attention.size() != layers) {
        fields.warn(fmt::format("num_hidden_layers is {} but block_configs has {} blocks: the blocks are followed",
                                layers, attention.size()));
    }
    if (!fields.error()) put_layers(fields, family, model, attention, std::move(feed_forward));
}

/// Sizes outside the layers.
void read_ends(Fields& fields, const hf::Family& family, ModelShape& model) {
    model.hidden = fields.required_count("hidden size", hidden_keys);
    if (family.vocabulary_free) fields.assume("The format states no vocabulary: tables are not counted");
    else model.vocabulary = fields.required_count("vocabulary", vocabulary_keys);
    model.tied_embeddings = read_tied(fields, family);
    model.max_context = fields.count(context_keys).value_or(0);
    model.next_token_modules = fields.count(next_token_keys).value_or(0);
    constexpr std::string_view bias_keys[] = {"lm_head_bias"};
    model.head_bias = fields.flag(hf::Keys(bias_keys)).value_or(family.head_bias);
    model.final_norms = family.final_norms;
    if (family.learned_positions) model.learned_positions = model.max_context;
    model.residual_streams = fields.count("hc_mult", 1).value_or(1);
    model.per_layer_input = fields.count("hidden_size_per_layer_input").value_or(0);
    if (model.per_layer_input > 0)
        fields.warn("hidden_size_per_layer_input: its tables and matrices are counted, their products are not timed");
    else fields.count("vocab_size_per_layer_input");
    model.stored = hf::read_storage(fields);
}

ModelShape read_shape(Fields& fields, std::string_view file, std::string& format) {
    ModelShape model;
    model.name = name_of(fields, file);
    model.family = fields.outer_text("model_type").value_or(fields.text("model_type").value_or(""));
    model.source = fields.text("_source").value_or(std::string(file));
    hf::refuse_unmodelled(fields);
    if (fields.error()) return model;
    hf::Family family = hf::family_of(fields);
    family.gated = fields.flag(hf::Keys(gated_keys)).value_or(family.gated);
    format = family.format;
    read_ends(fields, family, model);
    if (!fields.error()) read_layers(fields, family, model);
    return model;
}

Result<ImportedModel> import_object(const json::Node& root, std::string_view text, const std::string& class_name,
                                    std::string_view file) {
    if (auto ok = hf::recognise(root); !ok) return tl::unexpected(ok.error());
    Fields fields(root, text, file);
    if (!class_name.empty()) fields.warn(fmt::format("The text is a print-out of a {} object", class_name));
    ImportedModel imported;
    imported.model = read_shape(fields, file, imported.format);
    if (fields.error()) return tl::unexpected(*fields.error());
    if (auto ok = validate(imported.model); !ok) return tl::unexpected(ok.error());
    imported.ignored = fields.ignored();
    imported.assumed = fields.assumed();
    imported.warnings = fields.warnings();
    return imported;
}

}  // namespace

Result<ImportedModel> import_hf_config(std::string_view source, std::string_view file) {
    const hf::PreparedText text = hf::prepare(source);
    const std::size_t start = text.json.find_first_not_of(" \t\r\n");
    const char first = start == std::string::npos ? '\0' : text.json[start];
    if (first != '{' && first != '[') return in_file(hf::not_a_model(hf::text_format(source)), file);
    const auto root = json::parse(text.json, file);
    if (!root) {
        const std::string_view other = first == '[' ? hf::text_format(source) : std::string_view{};
        return other.empty() ? tl::unexpected(root.error()) : in_file(hf::not_a_model(other), file);
    }
    auto imported = import_object(*root, text.json, text.class_name, file);
    if (!imported) return in_file(imported.error(), file);
    return imported;
}

}  // namespace crosspoint
