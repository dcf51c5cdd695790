#include "core/io/model_fields.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/io/document_tree.hpp"
#include "core/io/embedded.hpp"
#include "core/model/layer_label.hpp"

namespace crosspoint {
namespace {

using json::Node;

const Node& schema() {
    static const Node tree = [] {
        for (const EmbeddedFile& file : embedded_files())
            if (file.path == "resources/schema/crosspoint-1.schema.json")
                if (auto parsed = json::parse(file.text, file.path)) return *std::move(parsed);
        return Node{};
    }();
    return tree;
}

const Node& child(const Node& at, std::string_view key) {
    static const Node nothing;
    const Node* found = at.find(key);
    return found ? *found : nothing;
}

/// What a property is, its reference followed.
const Node& resolved(const Node& property) {
    const Node* reference = property.find("$ref");
    if (!reference) return property;
    return child(child(schema(), "$defs"),
                 std::string_view(reference->text).substr(std::string_view("#/$defs/").size()));
}

std::vector<std::string> words(const Node& list) {
    std::vector<std::string> all;
    for (const Node& item : list.items) all.push_back(item.text);
    return all;
}

std::string as_value(const Node& node) {
    return node.kind == Node::Kind::string || node.kind == Node::Kind::number ? node.text : json::write_compact(node);
}

class Rows {
public:
    explicit Rows(const ModelShape& model) : model_(model) {}

    void object(const Node& definition, const Node& value, const std::string& path, int depth) {
        for (const json::Member& property : child(definition, "properties").members)
            field(property, value.find(property.key), path + "." + property.key, depth);
    }
    std::vector<ModelField> take() { return std::move(rows_); }

private:
    void field(const json::Member& property, const Node* value, const std::string& path, int depth) {
        const Node& definition = resolved(property.value);
        ModelField row;
        row.path = path;
        row.label = property.key;
        row.description = child(property.value, "description").text;
        row.depth = depth;
        if (property.key == "kinds") return kinds(value, path, depth);
        const bool object_like = definition.find("properties") != nullptr;
        if (object_like && value) return group(std::move(row), definition, *value);
        if (object_like)
            row.description =
                fmt::format("none; as JSON with {}", fmt::join(words(child(definition, "required")), ", "));
        row.choices = choices(definition);
        if (value) row.value = as_value(*value);
        rows_.push_back(std::move(row));
    }

    static std::vector<std::string> choices(const Node& definition) {
        if (const Node* listed = definition.find("enum")) return words(*listed);
        if (child(definition, "type").text == "boolean") return {"false", "true"};
        return {};
    }

    void group(ModelField row, const Node& definition, const Node& value) {
        row.group = true;
        const std::string path = row.path;
        const int depth = row.depth;
        rows_.push_back(std::move(row));
        object(definition, value, path, depth + 1);
    }

    void kinds(const Node* list, const std::string& path, int depth) {
        const Node& definition = child(child(schema(), "$defs"), "layer_kind");
        for (std::size_t i = 0; list && i < list->items.size() && i < model_.kinds.size(); ++i) {
            ModelField row;
            row.path = fmt::format("{}.{}", path, i);
            row.label = fmt::format("kind {}: {}, {} layers", i, layer_label(model_.kinds[i]),
                                    std::count(model_.layers.begin(), model_.layers.end(), static_cast<int>(i)));
            row.depth = depth;
            group(std::move(row), definition, list->items[i]);
        }
    }

    const ModelShape& model_;
    std::vector<ModelField> rows_;
};

}  // namespace

std::vector<ModelField> model_fields(const ModelShape& model) {
    Scenario scenario;
    scenario.model = std::make_shared<const ModelShape>(model);
    const Node tree = document_tree(scenario, {}, nullptr);
    Rows rows(model);
    rows.object(child(child(schema(), "$defs"), "model"), child(tree, "model"), "model", 0);
    return rows.take();
}

}  // namespace crosspoint
