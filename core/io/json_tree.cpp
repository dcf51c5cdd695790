#include "core/io/json_tree.hpp"

#include <algorithm>

namespace crosspoint::json {
namespace {

Node of_kind(Node::Kind kind) {
    Node node;
    node.kind = kind;
    return node;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
    for (const Member& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

Node* Node::find(std::string_view key) {
    for (Member& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

Node string_node(std::string text) {
    Node node = of_kind(Node::Kind::string);
    node.text = std::move(text);
    return node;
}

Node number_node(std::string text) {
    Node node = of_kind(Node::Kind::number);
    node.text = std::move(text);
    return node;
}

Node boolean_node(bool value) {
    Node node = of_kind(Node::Kind::boolean);
    node.boolean = value;
    return node;
}

Node array_node() { return of_kind(Node::Kind::array); }
Node object_node() { return of_kind(Node::Kind::object); }

void put(Node& object, std::string key, Node value) {
    auto& members = object.members;
    const auto at = std::lower_bound(members.begin(), members.end(), key,
                                     [](const Member& member, const std::string& k) { return member.key < k; });
    if (at != members.end() && at->key == key) at->value = std::move(value);
    else members.insert(at, Member{std::move(key), std::move(value), 0});
}

std::string_view kind_name(Node::Kind kind) {
    switch (kind) {
        case Node::Kind::null: return "null";
        case Node::Kind::boolean: return "true or false";
        case Node::Kind::number: return "a number";
        case Node::Kind::string: return "a text";
        case Node::Kind::array: return "a list";
        case Node::Kind::object: return "an object";
    }
    return "nothing";
}

std::string child_pointer(std::string_view pointer, std::string_view key) {
    std::string out(pointer);
    out += '/';
    for (const char c : key) {
        if (c == '~') out += "~0";
        else if (c == '/') out += "~1";
        else out += c;
    }
    return out;
}

Error located(Error error, std::string_view text, std::string_view file, std::string pointer, std::size_t offset) {
    error.file = file;
    error.pointer = std::move(pointer);
    error.line = 1;
    error.column = 1;
    for (const char c : text.substr(0, std::min(offset, text.size()))) {
        const bool inside_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (c == '\n') {
            ++error.line;
            error.column = 1;
        } else if (!inside_character) {
            ++error.column;
        }
    }
    return error;
}

}  // namespace crosspoint::json
