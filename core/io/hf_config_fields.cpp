#include "core/io/hf_config_fields.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units/text.hpp"

namespace crosspoint::hf {
namespace {

using json::Node;

constexpr std::size_t longest_list = 100000;
constexpr std::string_view nested_names[] = {"text_config", "llm_config", "language_config"};

/// A value as it stands in the file, cut to a readable length.
std::string shown(const Node& value) {
    switch (value.kind) {
        case Node::Kind::string:
        case Node::Kind::number: return value.text.substr(0, 40);
        case Node::Kind::boolean: return value.boolean ? "true" : "false";
        case Node::Kind::array: return fmt::format("a list of {}", value.items.size());
        default: return std::string(json::kind_name(value.kind));
    }
}

/// Also a number with a fraction of zero, such as 4096.0.
std::optional<std::int64_t> as_whole(const Node& value) {
    if (value.kind != Node::Kind::number) return std::nullopt;
    const auto number = parse_number(value.text);
    if (!number || std::floor(*number) != *number || std::abs(*number) > 1e15) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

std::optional<std::string> as_text(const Node* value) {
    if (value != nullptr && value->kind == Node::Kind::array && !value->items.empty()) value = &value->items.front();
    return value != nullptr && value->kind == Node::Kind::string ? std::optional(value->text) : std::nullopt;
}

}  // namespace

Fields::Fields(const Node& root, std::string_view text, std::string_view file) : root_(root), text_(text), file_(file) {
    for (const std::string_view name : nested_names) {
        const Node* inner = root.find(name);
        if (inner == nullptr || inner->members.empty()) continue;
        nested_ = inner;
        nested_key_ = name;
        return;
    }
}

Fields::Found Fields::find(std::string_view key) const {
    const std::size_t dot = key.find('.');
    if (dot != std::string_view::npos) {
        const Found outer = find(key.substr(0, dot));
        if (outer.value == nullptr) return {};
        const Node* at = outer.value;
        std::string pointer = outer.pointer;
        for (std::size_t from = dot + 1; at != nullptr && from <= key.size();) {
            const std::size_t end = std::min(key.find('.', from), key.size());
            pointer = fmt::format("{}/{}", pointer, key.substr(from, end - from));
            at = at->find(key.substr(from, end - from));
            from = end + 1;
        }
        return {at, pointer};
    }
    if (nested_ != nullptr)
        if (const Node* value = nested_->find(key)) return {value, fmt::format("/{}/{}", nested_key_, key)};
    return {root_.find(key), fmt::format("/{}", key)};
}

Fields::Found Fields::take(std::string_view key) {
    Found found = find(key);
    if (found.value == nullptr) return found;
    used_.insert(found.pointer);
    used_.insert(fmt::format("/{}", key.substr(0, key.find('.'))));  // the outer twin of a nested field too
    if (found.value->kind == Node::Kind::null) found.value = nullptr;
    return found;
}

void Fields::wrong(std::string_view key, ErrorCode code, std::string message, std::string hint) {
    if (error_) return;
    Error error;
    error.code = code;
    error.message = std::move(message);
    error.hint = std::move(hint);
    const Found found = find(key);
    if (found.value == nullptr) error.file = file_;
    else error = json::located(std::move(error), text_, file_, found.pointer, found.value->offset);
    error_ = std::move(error);
}

void Fields::wrong_type(std::string_view key, std::string_view expected, const Node& value) {
    wrong(key, ErrorCode::schema, fmt::format("{} is {}, expected {}", key, shown(value), expected),
          fmt::format("Give {} as {}.", key, expected));
}

const Node* Fields::single(std::string_view key, const Node& value) {
    const bool about_experts = key.find("moe") != key.npos || key.find("expert") != key.npos;
    if (value.kind != Node::Kind::array || value.items.empty() || !about_experts) return &value;
    const Node& first = value.items.front();
    for (const Node& item : value.items)
        if (item.text != first.text) {
            warn(
                fmt::format("{} is a list of {}: the first entry, {}, is used", key, value.items.size(), shown(first)));
            break;
        }
    return &first;
}

std::optional<std::int64_t> Fields::whole(std::string_view key, const Node& value, std::int64_t least,
                                          std::int64_t most) {
    const std::optional<std::int64_t> number = as_whole(value);
    if (!number) {
        wrong_type(key, "a whole number", value);
    } else if (*number < least || *number > most) {
        wrong(key, ErrorCode::invalid_value, fmt::format("{} is {}, expected {} to {}", key, *number, least, most),
              "Correct the number, or check that the file is complete.");
    } else {
        return number;
    }
    return std::nullopt;
}

std::optional<std::int64_t> Fields::count(Keys keys, std::int64_t least, std::int64_t most) {
    std::optional<std::int64_t> first;
    std::string_view first_key;
    for (const std::string_view key : keys) {
        const Found found = take(key);
        if (found.value == nullptr) continue;
        const auto number = whole(key, *single(key, *found.value), least, most);
        if (!number) return first;
        if (!first) first_key = key;
        if (first && *first != *number)
            warn(fmt::format("{} is {} but {} is {}: the first is used", first_key, *first, key, *number));
        if (!first) first = number;
    }
    return first;
}

std::optional<std::int64_t> Fields::count(std::string_view key, std::int64_t least) {
    return count(Keys(&key, 1), least);
}

std::int64_t Fields::required_count(std::string_view what, Keys keys) {
    const auto number = count(keys, 1);
    if (!number && !error_)
        wrong({}, ErrorCode::schema, fmt::format("The configuration does not state the {}", what),
              fmt::format("Expected one of: {}.", fmt::join(keys, ", ")));
    return number.value_or(1);
}

std::optional<bool> Fields::flag(std::string_view key) {
    const Found found = take(key);
    if (found.value == nullptr) return std::nullopt;
    if (found.value->kind == Node::Kind::boolean) return found.value->boolean;
    wrong_type(key, "true or false", *found.value);
    return std::nullopt;
}

std::optional<bool> Fields::flag(Keys keys) {
    std::optional<bool> first;
    for (const std::string_view key : keys)
        if (const auto stated = flag(key); stated && !first) first = stated;
    return first;
}

std::optional<std::string> Fields::text(std::string_view key) { return as_text(take(key).value); }

std::optional<std::vector<std::int64_t>> Fields::counts(std::string_view key) {
    const Found found = take(key);
    if (found.value == nullptr) return std::nullopt;
    if (found.value->kind != Node::Kind::array || found.value->items.size() > longest_list) {
        wrong_type(key, "a list of whole numbers", *found.value);
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const Node& value : found.value->items) {
        const bool truth = value.kind == Node::Kind::boolean;
        const auto number = truth ? std::optional<std::int64_t>(value.boolean) : as_whole(value);
        if (!number) {
            wrong_type(key, "a list of whole numbers", value);
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<std::string>> Fields::texts(std::string_view key) {
    const Found found = take(key);
    if (found.value == nullptr) return std::nullopt;
    const bool list = found.value->kind == Node::Kind::array && found.value->items.size() <= longest_list;
    std::vector<std::string> all;
    for (const Node& value : found.value->items)
        if (list && value.kind == Node::Kind::string) all.push_back(value.text);
    if (list && all.size() == found.value->items.size()) return all;
    wrong_type(key, "a list of texts", *found.value);
    return std::nullopt;
}

bool Fields::has(std::string_view key) const {
    const Found found = find(key);
    return found.value != nullptr && found.value->kind != Node::Kind::null;
}

bool Fields::is_list(std::string_view key) const {
    const Found found = find(key);
    return found.value != nullptr && found.value->kind == Node::Kind::array;
}

std::optional<std::string> Fields::outer_text(std::string_view key) {
    const Node* value = root_.find(key);
    if (value != nullptr) used_.insert(fmt::format("/{}", key));
    return as_text(value);
}

std::optional<std::string> Fields::nested_text(std::string_view key) {
    return nested_ != nullptr && nested_->find(key) != nullptr ? text(key) : std::nullopt;
}

std::vector<std::string> Fields::ignored() const {
    std::vector<std::string> names;
    for (const json::Member& m : root_.members)
        if (m.key != nested_key_ && !used_.contains("/" + m.key)) names.push_back(m.key);
    if (nested_ == nullptr) return names;
    for (const json::Member& m : nested_->members)
        if (!used_.contains(fmt::format("/{}/{}", nested_key_, m.key))) names.push_back(nested_key_ + "." + m.key);
    return names;
}

}  // namespace crosspoint::hf
