// Reads fields of a model configuration by their aliases and remembers what was read (private to core/io).
//
// The text model may be nested (text_config); nested values win over the top level. The first problem is kept and
// later reads give defaults, so that a reader is written without a check after every field.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/io/json_tree.hpp"

namespace crosspoint::hf {

using Keys = std::span<const std::string_view>;

class Fields {
public:
    /// `root` is the object that `text` holds; all three outlive the reader.
    Fields(const json::Node& root, std::string_view text, std::string_view file);

    /// Whole number in [least, most]; absent and null are nullopt, anything else is the reader's error. Aliases
    /// "a.b" read member b of object a. Aliases that disagree give a warning, the first wins. Of a list under a key
    /// about experts the first entry counts (ERNIE: text, then vision; Hunyuan: one a layer), with a warning when
    /// the entries differ.
    std::optional<std::int64_t> count(Keys keys, std::int64_t least = 0, std::int64_t most = std::int64_t{1} << 30);
    std::optional<std::int64_t> count(std::string_view key, std::int64_t least = 0);
    /// The same, and an error that lists the aliases when absent.
    std::int64_t required_count(std::string_view what, Keys keys);
    std::optional<bool> flag(std::string_view key);
    /// A text, or the first one of a list.
    std::optional<std::string> text(std::string_view key);
    std::optional<std::vector<std::int64_t>> counts(std::string_view key);
    std::optional<std::vector<std::string>> texts(std::string_view key);
    /// The first of the flags that is stated.
    std::optional<bool> flag(Keys keys);
    /// The value itself, for fields with a structure of their own; null when absent.
    const json::Node* node(std::string_view key) { return take(key).value; }

    /// Present and not null; does not count as read.
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] bool is_list(std::string_view key) const;
    [[nodiscard]] bool nested() const { return nested_ != nullptr; }
    /// From the top level only, whatever is nested.
    std::optional<std::string> outer_text(std::string_view key);
    std::optional<std::string> nested_text(std::string_view key);

    /// Keeps the error if it is the first; pointer and line are those of `key`.
    void wrong(std::string_view key, ErrorCode code, std::string message, std::string hint);
    void assume(std::string text) { assumed_.push_back(std::move(text)); }
    void warn(std::string text) { warnings_.push_back(std::move(text)); }

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] std::vector<std::string> ignored() const;
    [[nodiscard]] const std::vector<std::string>& assumed() const { return assumed_; }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

private:
    struct Found {
        const json::Node* value = nullptr;
        std::string pointer;
    };
    [[nodiscard]] Found find(std::string_view key) const;
    Found take(std::string_view key);
    std::optional<std::int64_t> whole(std::string_view key, const json::Node& value, std::int64_t least,
                                      std::int64_t most);
    /// The entry of a list that stands for all of it.
    const json::Node* single(std::string_view key, const json::Node& value);
    void wrong_type(std::string_view key, std::string_view expected, const json::Node& value);

    const json::Node& root_;
    const json::Node* nested_ = nullptr;
    std::string nested_key_;
    std::string_view text_, file_;
    std::set<std::string, std::less<>> used_;  ///< pointers of fields that were read
    std::optional<Error> error_;
    std::vector<std::string> assumed_, warnings_;
};

}  // namespace crosspoint::hf
