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

constexpr std::string_view layer_keys[] = {"num_hidden_layers", "n_layers", "n_layer", "num_layers"};
constexpr std::string_view hidden_keys[] = {"hidden_size", "d_model", "n_embd", "dim", "hidden_dim"};
constexpr std::string_view vocabulary_keys[] = {"vocab_size", "padded_vocab_size", "n_vocab"};
constexpr std::string_view context_keys[] = {"max_position_embeddings", "max_seq_len", "n_positions", "n_ctx",
                                             "seq_length"};
constexpr std::string_view next_token_keys[] = {"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers"};
constexpr std::int64_t most_layers = 16384;

tl::unexpected<Error> in_file(Error error, std::string_view file) {
    error.file = file;
    return tl::unexpected(std::move(error));
}

/// The configuration's own name, else that of its file, else of the file's folder when it is a plain config.json.
std::string name_of(Fields& fields, std::string_view file) {
    for (const std::string_view key : {"_name", "_name_or_path"}) {
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
    fields.assume(fmt::format("tie_word_embeddings is absent: {}, as {} classes are", family.tied ? "tied" : "not tied",
                              family.name));
    return family.tied;
}

void put_layers(ModelShape& model, const std::vector<AttentionShape>& attention,
                const std::vector<FeedForwardShape>& feed_forward) {
    for (std::size_t i = 0; i < attention.size(); ++i) {
        const LayerShape layer{attention[i], feed_forward[i], 2};
        const auto it = std::find(model.kinds.begin(), model.kinds.end(), layer);
        model.layers.push_back(static_cast<int>(it - model.kinds.begin()));
        if (it == model.kinds.end()) model.kinds.push_back(layer);
    }
}

ModelShape read_shape(Fields& fields, std::string_view file) {
    ModelShape model;
    model.name = name_of(fields, file);
    model.family = fields.outer_text("model_type").value_or(fields.text("model_type").value_or(""));
    model.source = fields.text("_source").value_or(std::string(file));
    hf::refuse_unmodelled_attention(fields);
    if (fields.error()) return model;
    const hf::Family& family = hf::family_of(fields);
    model.hidden = fields.required_count("hidden size", hidden_keys);
    model.vocabulary = fields.required_count("vocabulary", vocabulary_keys);
    const auto stated_layers = fields.count(layer_keys, 1, most_layers);
    const auto layers = static_cast<std::size_t>(stated_layers ? *stated_layers
                                                               : fields.required_count("number of layers", layer_keys));
    if (fields.error()) return model;
    model.tied_embeddings = read_tied(fields, family);
    model.max_context = fields.count(context_keys).value_or(0);
    model.next_token_modules = fields.count(next_token_keys).value_or(0);
    model.stored = hf::read_storage(fields);
    const auto attention = hf::read_attention(fields, family, model.hidden, layers);
    put_layers(model, attention, hf::read_feed_forward(fields, family, model.hidden, layers));
    return model;
}

Result<ImportedModel> import_object(const json::Node& root, std::string_view text, const std::string& class_name,
                                    std::string_view file) {
    if (auto ok = hf::recognise(root); !ok) return tl::unexpected(ok.error());
    Fields fields(root, text, file);
    if (!class_name.empty()) fields.warn(fmt::format("The text is a print-out of a {} object", class_name));
    ImportedModel imported;
    imported.model = read_shape(fields, file);
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
