#include "core/importers/text_tree.hpp"

#include <cmath>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {

TextTree::TextTree() = default;
TextTree::~TextTree() = default;
TextTree::TextTree(const TextTree&) = default;
TextTree::TextTree(TextTree&&) noexcept = default;
TextTree& TextTree::operator=(const TextTree&) = default;
TextTree& TextTree::operator=(TextTree&&) noexcept = default;

namespace {

constexpr int depth_limit = 64;
constexpr std::size_t value_limit = 1'000'000;
constexpr std::size_t shown_text = 40;

class Copier {
public:
    Result<TextTree> copy(const YAML::Node& node, int depth) {
        const int line = node.Mark().line + 1;
        if (depth > depth_limit)
            return fail_at(line, ErrorCode::syntax, fmt::format("values are nested more than {} deep", depth_limit));
        if (++values_ > value_limit)
            return fail_at(line, ErrorCode::unsupported, fmt::format("more than {} values", value_limit));
        TextTree tree;
        tree.line = line;
        if (node.IsScalar()) {
            tree.kind = TextTree::Kind::scalar;
            tree.text = node.Scalar();
        } else if (node.IsSequence()) {
            return copy_list(node, std::move(tree), depth);
        } else if (node.IsMap()) {
            return copy_map(node, std::move(tree), depth);
        }
        return tree;
    }

private:
    Result<TextTree> copy_list(const YAML::Node& node, TextTree tree, int depth) {
        tree.kind = TextTree::Kind::list;
        for (const auto& item : node) {
            auto copied = copy(item, depth + 1);
            if (!copied) return copied;
            tree.items.push_back(std::move(*copied));
        }
        return tree;
    }

    Result<TextTree> copy_map(const YAML::Node& node, TextTree tree, int depth) {
        tree.kind = TextTree::Kind::map;
        for (const auto& item : node) {
            if (!item.first.IsScalar())
                return fail_at(tree.line, ErrorCode::syntax, "a key of a map is not a plain text");
            auto copied = copy(item.second, depth + 1);
            if (!copied) return copied;
            copied->line = std::max(copied->line, item.first.Mark().line + 1);
            tree.members.push_back({item.first.Scalar(), std::move(*copied)});
        }
        return tree;
    }

    std::size_t values_ = 0;
};

}  // namespace

const TextTree* TextTree::find(std::string_view key) const {
    for (const auto& [name, value] : members)
        if (name == key) return &value;
    return nullptr;
}

std::optional<double> TextTree::number() const {
    if (kind != Kind::scalar) return std::nullopt;
    return parse_number(trimmed(text));
}

std::string TextTree::describe() const {
    switch (kind) {
        case Kind::null: return "nothing";
        case Kind::list: return "a list";
        case Kind::map: return "a map";
        case Kind::scalar: break;
    }
    return number() ? text : fmt::format("the text '{}'", text.substr(0, shown_text));
}

tl::unexpected<Error> fail_at(int line, ErrorCode code, std::string message, std::string hint) {
    auto error = fail(code, std::move(message), std::move(hint));
    error.value().line = line;
    return error;
}

Result<TextTree> read_tree(std::string_view text) {
    try {
        return Copier().copy(YAML::Load(std::string(text)), 0);
    } catch (const YAML::Exception& e) {
        return fail_at(e.mark.is_null() ? 0 : e.mark.line + 1, ErrorCode::syntax,
                       fmt::format("this is neither YAML nor JSON: {}", e.msg));
    }
}

Result<double> positive_member(const TextTree& map, std::string_view key, std::string_view unit) {
    const TextTree* value = map.find(key);
    if (!value)
        return fail_at(map.line, ErrorCode::schema, fmt::format("'{}' is missing", key),
                       fmt::format("give it in {}", unit));
    const auto number = value->number();
    if (!number || !(*number > 0))
        return fail_at(value->line, ErrorCode::schema,
                       fmt::format("'{}' is {}, where a positive number ({}) is needed", key, value->describe(), unit),
                       "put a number there");
    return *number;
}

Result<std::int64_t> count_of(const TextTree& value, std::string_view what) {
    constexpr double most = 1e9;
    const auto number = value.number();
    if (!number || *number < 1 || *number > most || std::floor(*number) != *number)
        return fail_at(value.line, ErrorCode::schema,
                       fmt::format("{} is {}, where a whole number from 1 on is needed", what, value.describe()),
                       "put a count there");
    return std::int64_t(*number);
}

bool has_key(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        std::size_t before = at, after = at + key.size();
        bool quoted = false;
        if (before > 0 && (text[before - 1] == '"' || text[before - 1] == '\'')) --before, ++after, quoted = true;
        const char left = before == 0 ? '\n' : text[before - 1];
        const bool starts = left == '\n' || left == ' ' || left == '\t' || left == '{' || left == ',';
        if (quoted)
            while (after < text.size() && text[after] == ' ') ++after;
        if (starts && after < text.size() && text[after] == ':') return true;
    }
    return false;
}

}  // namespace crosspoint
