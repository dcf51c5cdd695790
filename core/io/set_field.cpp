#include <fmt/format.h>

#include <algorithm>

#include "core/io/document.hpp"
#include "core/io/document_tree.hpp"

namespace crosspoint {
namespace {

using json::Node;

struct Step {
    std::string key;
    std::size_t length = 0;  ///< characters of the path, without the dot
};

/// The longest key of `node` that the path starts with: keys may contain dots ("thresholds.cross-domain.attention").
/// When none fits, the path up to the next dot.
Step next_step(const Node& node, std::string_view path) {
    Step best;
    for (const json::Member& member : node.members) {
        const std::size_t length = member.key.size();
        const bool fits = path.starts_with(member.key) && (length == path.size() || path[length] == '.');
        if (fits && length >= best.length) best = {member.key, length};
    }
    if (best.length > 0) return best;
    const std::size_t dot = std::min(path.find('.'), path.size());
    return {std::string(path.substr(0, dot)), dot};
}

std::string names_in(const Node& node) {
    std::string names;
    for (const json::Member& member : node.members) names += fmt::format("{}{}", names.empty() ? "" : ", ", member.key);
    return names;
}

tl::unexpected<Error> no_field(std::string_view path, const std::string& name, std::string names) {
    constexpr std::size_t longest = 400;
    if (names.size() > longest) names = names.substr(0, longest) + " ...";
    return fail(ErrorCode::reference, fmt::format("there is no field '{}' in '{}'", name, path),
                names.empty() ? std::string("it has no fields") : fmt::format("the fields here are {}", names));
}

struct Place {
    Node* parent = nullptr;
    std::string key;      ///< last step
    std::string pointer;  ///< of the parent
};

/// A list is entered by number.
Node* item(Node& list, const std::string& key) {
    const auto index = parse_number(key);
    if (!index || *index < 0 || *index >= static_cast<double>(list.items.size())) return nullptr;
    return &list.items[static_cast<std::size_t>(*index)];
}

/// Objects by id: a new entry would have to be complete, so that a missing one is a slip of the path.
bool is_table(const std::string& pointer) {
    return pointer == "/topology/containers" || pointer == "/topology/devices" || pointer == "/topology/links";
}

std::string entries_of(const Node& node) {
    if (node.kind != Node::Kind::array) return names_in(node);
    return node.items.empty() ? std::string() : fmt::format("0 to {}", node.items.size() - 1);
}

/// The list or object to walk into; optional objects that are absent are added.
Result<Node*> enter(const Place& place, std::string_view path) {
    Node& parent = *place.parent;
    Node* next = parent.kind == Node::Kind::array ? item(parent, place.key) : parent.find(place.key);
    if (!next && parent.kind == Node::Kind::object && !is_table(place.pointer)) {
        put(parent, place.key, json::object_node());
        next = parent.find(place.key);
    }
    if (!next) return no_field(path, place.key, entries_of(parent));
    if (next->kind == Node::Kind::object || next->kind == Node::Kind::array) return next;
    return fail(ErrorCode::reference, fmt::format("'{}' in '{}' is a single value", place.key, path),
                fmt::format("end the path at '{}'", place.key));
}

/// Walks to the object or list that holds the last step.
Result<Place> walk(Node& root, std::string_view path) {
    Place place{&root, {}, {}};
    std::string_view rest = path;
    for (;;) {
        Step step = next_step(*place.parent, rest);
        if (place.pointer == "/thresholds") step = {std::string(rest), rest.size()};  // names with dots, new ones too
        rest.remove_prefix(step.length);
        place.key = step.key;
        if (rest.empty()) return place;
        rest.remove_prefix(1);
        const auto next = enter(place, path);
        if (!next) return tl::unexpected(next.error());
        place.pointer = json::child_pointer(place.pointer, place.key);
        place.parent = *next;
    }
}

/// As a text, and as the number, word, list or object that it spells; in the order in which to try them.
std::vector<Node> readings(std::string_view value, const Node* now) {
    std::vector<Node> all;
    const auto spelled = json::parse(value, "");
    if (spelled && spelled->kind != Node::Kind::string) all.push_back(*spelled);
    all.push_back(json::string_node(std::string(value)));
    if (now && now->kind == Node::Kind::string && all.size() == 2 && spelled->kind != Node::Kind::null)
        std::swap(all.front(), all.back());
    return all;
}

void assign(const Place& place, Node value) {
    if (place.parent->kind == Node::Kind::array) {
        if (Node* at = item(*place.parent, place.key)) *at = std::move(value);
    } else if (value.kind == Node::Kind::null) {
        std::erase_if(place.parent->members, [&](const json::Member& member) { return member.key == place.key; });
    } else {
        put(*place.parent, place.key, std::move(value));
    }
}

/// Fields that no one reads are slips of the path.
Result<void> all_known(const DocumentTree& tree, std::string_view path) {
    if (tree.unknown.empty()) return {};
    const auto& [pointer, members] = *tree.unknown.begin();
    const auto known = tree.known.find(pointer);
    std::vector<std::string> names = known == tree.known.end() ? std::vector<std::string>() : known->second;
    std::sort(names.begin(), names.end());
    return no_field(path, members.front().key, fmt::format("{}", fmt::join(names, ", ")));
}

Error about_option(Error error, std::string_view path) {
    error.file = "--set " + std::string(path);
    error.line = error.column = 0;
    return error;
}

Result<Scenario> with_value(const Scenario& scenario, Node root, std::string_view path, Node value) {
    const auto place = walk(root, path);
    if (!place) return tl::unexpected(place.error());
    if (place->parent->kind == Node::Kind::array && !item(*place->parent, place->key))
        return no_field(path, place->key, entries_of(*place->parent));
    assign(*place, std::move(value));
    auto tree = read_document_tree(root, "", "", scenario.catalogue, true);
    if (!tree) return tl::unexpected(about_option(tree.error(), path));
    if (const auto ok = all_known(*tree, path); !ok) return tl::unexpected(ok.error());
    return std::move(tree->scenario);
}

}  // namespace

Result<Scenario> set_field(const Scenario& scenario, std::string_view path, std::string_view value) {
    const Node root = document_tree(scenario, {}, nullptr);
    if (path.empty()) return no_field(path, "", names_in(root));
    Node probe = root;
    const auto place = walk(probe, path);
    if (!place) return tl::unexpected(place.error());
    std::optional<Result<Scenario>> first;
    for (Node& reading : readings(value, place->parent->find(place->key))) {
        auto result = with_value(scenario, root, path, std::move(reading));
        if (result) return result;
        if (!first) first = std::move(result);
    }
    return *first;
}

}  // namespace crosspoint
