// A YAML or JSON text as a plain tree that remembers lines. Private to importers.
//
// Both are read by one reader (JSON is YAML in flow form). Bounded in size, depth and number of values, so that
// aliases cannot multiply. Scalars stay texts until they are asked for as numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace crosspoint {

struct TextMember;

struct TextTree {
    // Out of line: a member of a map holds a tree, which is complete only after this type.
    TextTree();
    ~TextTree();
    TextTree(const TextTree&);
    TextTree(TextTree&&) noexcept;
    TextTree& operator=(const TextTree&);
    TextTree& operator=(TextTree&&) noexcept;

    enum class Kind { null, scalar, list, map };
    Kind kind = Kind::null;
    std::string text;  ///< of a scalar
    int line = 0;      ///< 1-based
    std::vector<TextTree> items;
    std::vector<TextMember> members;

    /// The member of a map; null when there is none.
    [[nodiscard]] const TextTree* find(std::string_view key) const;
    [[nodiscard]] bool is_list() const { return kind == Kind::list; }
    [[nodiscard]] bool is_map() const { return kind == Kind::map; }
    [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
    /// A finite number, quoted or not.
    [[nodiscard]] std::optional<double> number() const;
    /// "a list", "a map", "the text 'tbd'": for messages.
    [[nodiscard]] std::string describe() const;
};

struct TextMember {
    std::string key;
    TextTree value;
};

/// `syntax` with the line where the text is neither YAML nor JSON.
Result<TextTree> read_tree(std::string_view text);

/// An error at a place in the text.
tl::unexpected<Error> fail_at(int line, ErrorCode code, std::string message, std::string hint = {});

/// The member `key` as a positive finite number; fails with its line, saying what was found.
Result<double> positive_member(const TextTree& map, std::string_view key, std::string_view unit);
/// A whole number in 1 .. 1e9.
Result<std::int64_t> count_of(const TextTree& value, std::string_view what);

/// Does some line start with `key` and a colon (after blanks, a dash, quotes)? Cheap evidence for recognition.
bool has_key(std::string_view text, std::string_view key);

}  // namespace crosspoint
