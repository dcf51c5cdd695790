#include "core/importers/host_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/importers/text_probe.hpp"

namespace crosspoint {
namespace {

using Names = std::vector<std::string>;

tl::unexpected<Error> bad(std::string_view text, std::string_view what) {
    constexpr std::size_t shown = 60;
    return fail(ErrorCode::syntax, fmt::format("host list '{}': {}", text.substr(0, shown), what),
                "write it as name[01-16,20]");
}

bool is_number(std::string_view text) {
    constexpr std::size_t most_digits = 15;
    return !text.empty() && text.size() <= most_digits &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

long long value_of(std::string_view digits) {
    long long value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    return value;
}

/// "01-16" or "20": appended to `out`, padded as the first number is.
Result<void> expand_range(std::string_view range, std::string_view whole, std::size_t limit, Names& out) {
    const std::size_t dash = range.find('-');
    const std::string_view first = trimmed(range.substr(0, dash));
    const std::string_view last = dash == std::string_view::npos ? first : trimmed(range.substr(dash + 1));
    if (!is_number(first) || !is_number(last)) return bad(whole, fmt::format("'{}' is no range of numbers", range));
    const long long from = value_of(first), to = value_of(last);
    if (to < from) return bad(whole, fmt::format("the range '{}' runs backwards", range));
    if (std::size_t(to - from) >= limit - std::min(limit, out.size()))
        return bad(whole, fmt::format("more than {} names", limit));
    for (long long n = from; n <= to; ++n) out.push_back(fmt::format("{:0{}}", n, first.size()));
    return {};
}

Result<void> append_bracket(std::string_view inside, std::string_view whole, std::size_t limit, Names& names) {
    Names numbers;
    while (true) {
        const std::size_t comma = inside.find(',');
        if (auto ok = expand_range(inside.substr(0, comma), whole, limit, numbers); !ok) return ok;
        if (comma == std::string_view::npos) break;
        inside.remove_prefix(comma + 1);
    }
    if (names.size() * numbers.size() > limit) return bad(whole, fmt::format("more than {} names", limit));
    Names product;
    product.reserve(names.size() * numbers.size());
    for (const std::string& name : names)
        for (const std::string& number : numbers) product.push_back(name + number);
    names = std::move(product);
    return {};
}

/// One name with its brackets.
Result<Names> expand_name(std::string_view name, std::string_view whole, std::size_t limit) {
    Names names{""};
    while (!name.empty()) {
        const std::size_t open = name.find('[');
        const std::string_view plain = name.substr(0, open);
        if (plain.find(']') != std::string_view::npos) return bad(whole, "a ']' without its '['");
        for (std::string& n : names) n += plain;
        if (open == std::string_view::npos) break;
        const std::size_t close = name.find(']', open);
        if (close == std::string_view::npos) return bad(whole, "a '[' without its ']'");
        const auto inside = name.substr(open + 1, close - open - 1);
        if (auto ok = append_bracket(inside, whole, limit, names); !ok) return tl::unexpected(ok.error());
        name.remove_prefix(close + 1);
    }
    return names;
}

std::size_t comma_outside_brackets(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[') ++depth;
        if (text[i] == ']') --depth;
        if (text[i] == ',' && depth <= 0) return i;
    }
    return text.size();
}

}  // namespace

Result<Names> expand_host_list(std::string_view text, std::size_t limit) {
    Names all;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t comma = comma_outside_brackets(rest);
        const std::string_view name = trimmed(rest.substr(0, comma));
        rest.remove_prefix(std::min(rest.size(), comma + 1));
        if (name.empty()) continue;
        auto names = expand_name(name, text, limit);
        if (!names) return names;
        if (all.size() + names->size() > limit) return bad(text, fmt::format("more than {} names", limit));
        all.insert(all.end(), std::make_move_iterator(names->begin()), std::make_move_iterator(names->end()));
    }
    return all;
}

}  // namespace crosspoint
