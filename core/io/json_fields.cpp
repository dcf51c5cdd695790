#include "core/io/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crosspoint::json {
namespace {

// Whole numbers up to here are exact in a double, and so in every JSON reader (RFC 8259, section 6).
constexpr double largest_whole = 9007199254740992.0;

/// The next step of a pointer, unescaped; `rest` loses it.
std::string next_step(std::string_view& rest) {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    std::string step;
    for (std::size_t i = 0; i < end; ++i) {
        if (rest[i] != '~' || i + 1 >= end) step += rest[i];
        else step += rest[++i] == '1' ? '/' : '~';
    }
    rest.remove_prefix(end);
    return step;
}

const Node* child(const Node& node, const std::string& step) {
    if (node.kind == Node::Kind::object) return node.find(step);
    for (std::size_t i = 0; node.kind == Node::Kind::array && i < node.items.size(); ++i)
        if (std::to_string(i) == step) return &node.items[i];
    return nullptr;
}

const Node& deepest(const Node& root, std::string_view pointer) {
    const Node* at = &root;
    while (!pointer.empty()) {
        const Node* next = child(*at, next_step(pointer));
        if (!next) break;
        at = next;
    }
    return *at;
}

/// Whole and within the range of an exact double; otherwise an error and nothing.
std::optional<double> whole_number(Source& source, const Node& node, const std::string& pointer) {
    if (!expect(source, node, pointer, Node::Kind::number)) return std::nullopt;
    const double value = parse_number(node.text).value_or(0);
    if (std::abs(value) > largest_whole) {
        source.fail(node, pointer, ErrorCode::invalid_value,
                    fmt::format("{} is too large for a whole number", node.text.substr(0, 40)),
                    "write a number below 9e15");
        return std::nullopt;
    }
    if (value != std::floor(value)) {
        source.fail(node, pointer, ErrorCode::schema,
                    fmt::format("expected a whole number, got {}", node.text.substr(0, 40)), "drop the decimals");
        return std::nullopt;
    }
    return value;
}

}  // namespace

void Source::fail(const Node& node, const std::string& pointer, ErrorCode code, std::string message, std::string hint,
                  std::vector<std::string> objects) {
    if (!error_)
        error_ = located(Error{code, std::move(message), std::move(hint), std::move(objects), {}, {}, 0, 0}, text_,
                         file_, pointer, node.offset);
}

void Source::fail_at(const std::string& pointer, Error error) {
    if (!error_) error_ = located(std::move(error), text_, file_, pointer, deepest(root_, pointer).offset);
}

namespace {

/// How to write a value of this kind.
std::string_view way_to_write(Node::Kind kind) {
    switch (kind) {
        case Node::Kind::null: return "write null";
        case Node::Kind::boolean: return "write true or false, without quotes";
        case Node::Kind::number: return "write a plain number, without quotes and without a unit";
        case Node::Kind::string: return "write it in double quotes";
        case Node::Kind::array: return "write a list in square brackets";
        case Node::Kind::object: return "write fields in braces";
    }
    return {};
}

}  // namespace

bool expect(Source& source, const Node& node, const std::string& pointer, Node::Kind kind) {
    if (node.kind == kind) return true;
    source.fail(node, pointer, ErrorCode::schema,
                fmt::format("expected {}, got {}", kind_name(kind), kind_name(node.kind)),
                std::string(way_to_write(kind)));
    return false;
}

void refuse_quantity(Source& source, const Node& node, const std::string& pointer, const QuantityError& error) {
    std::string hint = error.hint;
    if (node.kind == Node::Kind::number) hint = "quantities are texts with a unit: " + hint;
    source.fail(node, pointer, ErrorCode::schema, error.message, std::move(hint));
}

void refuse_choice(Source& source, const Node& node, const std::string& pointer,
                   const std::vector<std::string_view>& names) {
    const bool text = node.kind == Node::Kind::string;
    const std::string got = text ? fmt::format("'{}'", node.text.substr(0, 40)) : std::string(kind_name(node.kind));
    source.fail(node, pointer, ErrorCode::schema,
                fmt::format("expected one of {}, got {}", fmt::join(names, ", "), got), "use one of these words");
}

void read(Source& source, const Node& node, const std::string& pointer, bool& out) {
    if (expect(source, node, pointer, Node::Kind::boolean)) out = node.boolean;
}

void read(Source& source, const Node& node, const std::string& pointer, int& out) {
    std::int64_t wide = 0;
    read(source, node, pointer, wide);
    constexpr std::int64_t limit = 1'000'000'000;
    if (wide >= -limit && wide <= limit) out = static_cast<int>(wide);
    else
        source.fail(node, pointer, ErrorCode::invalid_value, fmt::format("{} is too large here", wide),
                    "use at most 1e9");
}

void read(Source& source, const Node& node, const std::string& pointer, std::int64_t& out) {
    if (const auto value = whole_number(source, node, pointer)) out = static_cast<std::int64_t>(*value);
}

void read(Source& source, const Node& node, const std::string& pointer, std::uint64_t& out) {
    const auto value = whole_number(source, node, pointer);
    if (value && *value >= 0) out = static_cast<std::uint64_t>(*value);
    else if (value)
        source.fail(node, pointer, ErrorCode::invalid_value, "this number cannot be negative", "write 0 or more");
}

void read(Source& source, const Node& node, const std::string& pointer, double& out) {
    if (expect(source, node, pointer, Node::Kind::number)) out = parse_number(node.text).value_or(0);
}

void read(Source& source, const Node& node, const std::string& pointer, std::string& out) {
    if (expect(source, node, pointer, Node::Kind::string)) out = node.text;
}

Reader::Reader(Source& source, const Node& node, std::string pointer)
    : source_(source), node_(node), pointer_(std::move(pointer)) {}

const Node* Reader::take(std::string_view key) {
    names_.emplace_back(key);
    return node_.find(key);
}

void Reader::fail(std::string message, std::string hint) {
    source_.fail(node_, pointer_, ErrorCode::schema, std::move(message), std::move(hint));
}

void Reader::finish() {
    std::vector<Member> rest;
    for (const Member& member : node_.members)
        if (std::find(names_.begin(), names_.end(), member.key) == names_.end()) rest.push_back(member);
    if (!rest.empty()) source_.unknown[pointer_] = std::move(rest);
    if (source_.known) (*source_.known)[pointer_] = std::move(names_);
}

Node Writer::finish() {
    if (unknown_) {
        const auto aside = unknown_->find(pointer_);
        if (aside != unknown_->end())
            for (const Member& member : aside->second)
                if (!node_.find(member.key)) put(node_, member.key, member.value);
    }
    return std::move(node_);
}

}  // namespace crosspoint::json
