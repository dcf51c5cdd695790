#include "core/io/hf_config_fields.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/io/hf_config_text.hpp"

namespace crosspoint::hf {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_list = 100000;
constexpr std::string_view nested_names[] = {"text_config", "llm_config", "language_config"};

const Json* member(const Json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

/// A value as it stands in the file, cut to a readable length.
std::string shown(const Json& value) {
    if (value.is_string()) return value.get<std::string>().substr(0, 40);
    if (value.is_array()) return fmt::format("a list of {}", value.size());
    if (value.is_object()) return "an object";
    return value.dump();
}

std::optional<std::int64_t> as_whole(const Json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{1} << 62) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double number = value.get<double>();
    if (std::floor(number) != number || std::abs(number) > 1e15) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

}  // namespace

Fields::Fields(const Json& root, std::string_view text) : root_(root), text_(text) {
    for (const std::string_view name : nested_names) {
        const Json* inner = member(root, name);
        if (inner == nullptr || !inner->is_object() || inner->empty()) continue;
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
        return {member(*outer.value, key.substr(dot + 1)), fmt::format("{}/{}", outer.pointer, key.substr(dot + 1))};
    }
    if (nested_ != nullptr)
        if (const Json* value = member(*nested_, key)) return {value, fmt::format("/{}/{}", nested_key_, key)};
    return {member(root_, key), fmt::format("/{}", key)};
}

Fields::Found Fields::take(std::string_view key) {
    Found found = find(key);
    if (found.value == nullptr) return found;
    used_.insert(found.pointer);
    used_.insert(fmt::format("/{}", key.substr(0, key.find('.'))));  // the outer twin of a nested field too
    if (found.value->is_null()) found.value = nullptr;
    return found;
}

void Fields::wrong(std::string_view key, ErrorCode code, std::string message, std::string hint) {
    if (error_) return;
    Error error;
    error.code = code;
    error.message = std::move(message);
    error.hint = std::move(hint);
    if (const Found found = find(key); found.value != nullptr) {
        error.pointer = found.pointer;
        const Position at = position_of(text_, offset_of(text_, found.pointer));
        error.line = at.line;
        error.column = at.column;
    }
    error_ = std::move(error);
}

void Fields::wrong_type(std::string_view key, std::string_view expected, const Json& value) {
    wrong(key, ErrorCode::schema, fmt::format("{} is {}, expected {}", key, shown(value), expected),
          fmt::format("Give {} as {}.", key, expected));
}

std::optional<std::int64_t> Fields::whole(std::string_view key, const Json& value, std::int64_t least,
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
        const auto number = whole(key, *found.value, least, most);
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
    if (found.value->is_boolean()) return found.value->get<bool>();
    wrong_type(key, "true or false", *found.value);
    return std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view key) {
    const Found found = take(key);
    if (found.value == nullptr || !found.value->is_string()) return std::nullopt;
    return found.value->get<std::string>();
}

std::optional<std::string> Fields::first_text(std::string_view key) {
    const Found found = take(key);
    if (found.value == nullptr) return std::nullopt;
    if (found.value->is_string()) return found.value->get<std::string>();
    if (found.value->is_array() && !found.value->empty() && found.value->front().is_string())
        return found.value->front().get<std::string>();
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> Fields::counts(std::string_view key) {
    const Found found = take(key);
    if (found.value == nullptr) return std::nullopt;
    if (!found.value->is_array() || found.value->size() > longest_list) {
        wrong_type(key, "a list of whole numbers", *found.value);
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const Json& value : *found.value) {
        const auto number = value.is_boolean() ? std::optional<std::int64_t>(value.get<bool>()) : as_whole(value);
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
    std::vector<std::string> all;
    if (found.value->is_array() && found.value->size() <= longest_list)
        for (const Json& value : *found.value)
            if (value.is_string()) all.push_back(value.get<std::string>());
    if (found.value->is_array() && all.size() == found.value->size()) return all;
    wrong_type(key, "a list of texts", *found.value);
    return std::nullopt;
}

bool Fields::has(std::string_view key) const {
    const Found found = find(key);
    return found.value != nullptr && !found.value->is_null();
}

bool Fields::is_list(std::string_view key) const {
    const Found found = find(key);
    return found.value != nullptr && found.value->is_array();
}

std::optional<std::string> Fields::outer_text(std::string_view key) {
    const Json* value = member(root_, key);
    if (value != nullptr) used_.insert(fmt::format("/{}", key));
    if (value != nullptr && value->is_array() && !value->empty()) value = &value->front();
    return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<std::string> Fields::nested_text(std::string_view key) {
    return nested_ != nullptr && member(*nested_, key) != nullptr ? first_text(key) : std::nullopt;
}

std::vector<std::string> Fields::ignored() const {
    std::vector<std::string> names;
    for (const auto& [key, value] : root_.items())
        if (key != nested_key_ && !used_.contains("/" + key)) names.push_back(key);
    if (nested_ != nullptr)
        for (const auto& [key, value] : nested_->items())
            if (!used_.contains(fmt::format("/{}/{}", nested_key_, key))) names.push_back(nested_key_ + "." + key);
    return names;
}

}  // namespace crosspoint::hf
