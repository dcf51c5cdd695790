// A JSON value that remembers where it stood in its text. Private to core/io.
//
// Stricter than RFC 8259 where a document needs it: a key occurs once in an object, texts are UTF-8, numbers are
// finite as doubles, nesting and the number of values are bounded. Numbers keep their spelling, so that writing a
// value that was not changed gives the same characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace crosspoint::json {

struct Limits {
    std::size_t bytes = std::size_t{64} << 20;
    int depth = 64;                  ///< arrays and objects inside each other
    std::size_t values = 2'000'000;  ///< bounds the memory that a hostile text can take
};

struct Member;

struct Node {
    enum class Kind { null, boolean, number, string, array, object };
    Kind kind = Kind::null;
    bool boolean = false;
    std::string text;             ///< of a string (decoded) or a number (as spelled)
    std::vector<Node> items;      ///< of an array
    std::vector<Member> members;  ///< of an object, in the order of the text
    std::size_t offset = 0;       ///< of its first character in the text

    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);
};

struct Member {
    std::string key;
    Node value;
    std::size_t key_offset = 0;
};

Node string_node(std::string text);
Node number_node(std::string text);
Node boolean_node(bool value);
Node array_node();
Node object_node();
/// Adds a member at its place in the order of keys, or replaces the one of that key.
void put(Node& object, std::string key, Node value);

/// "an object", "a number": for messages.
std::string_view kind_name(Node::Kind kind);

/// The tree, or an error with pointer, line and column. `file` is only for the message.
Result<Node> parse(std::string_view text, std::string_view file, const Limits& limits = {});
/// Members in the order of their keys, two blanks a level, one value a line, '\n' at the end.
std::string write(const Node& node);
/// The same without line breaks.
std::string write_compact(const Node& node);

/// `pointer` with one more step, escaped by RFC 6901.
std::string child_pointer(std::string_view pointer, std::string_view key);
/// Fills file, pointer, line and column (1-based, in characters) of an error.
Error located(Error error, std::string_view text, std::string_view file, std::string pointer, std::size_t offset);

}  // namespace crosspoint::json
