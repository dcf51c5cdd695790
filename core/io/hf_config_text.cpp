#include "core/io/hf_config_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace crosspoint::hf {
namespace {

constexpr std::size_t largest_text = std::size_t{64} << 20;
constexpr int deepest = 64;
constexpr std::array<std::string_view, 3> python_tokens{"-Infinity", "Infinity", "NaN"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

/// Past the closing quote of the string that starts at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

/// Past the value that starts at `at`, whatever its depth.
std::size_t skip_value(std::string_view text, std::size_t at) {
    int depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
        } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
            return at;
        } else {
            if (c == '{' || c == '[') ++depth;
            if (c == '}' || c == ']') --depth;
            ++at;
        }
        if (depth == 0 && (c == '"' || c == '}' || c == ']')) return at;
    }
    return at;
}

/// Moves from the container at `at` to the value of one of its members; npos when there is none.
std::size_t enter(std::string_view text, std::size_t at, std::string_view step) {
    if (at >= text.size() || (text[at] != '{' && text[at] != '[')) return std::string_view::npos;
    const bool object = text[at] == '{';
    at = skip_blanks(text, at + 1);
    for (std::size_t index = 0; at < text.size() && text[at] != '}' && text[at] != ']'; ++index) {
        bool found = !object && fmt::to_string(index) == step;
        if (object) {
            const std::size_t end = skip_string(text, at);
            found = end >= at + 2 && text.substr(at + 1, end - at - 2) == step;
            at = skip_blanks(text, end);
            if (at < text.size() && text[at] == ':') at = skip_blanks(text, at + 1);
        }
        if (found) return at;
        const std::size_t before = at;
        at = skip_blanks(text, skip_value(text, at));
        if (at < text.size() && text[at] == ',') at = skip_blanks(text, at + 1);
        if (at == before) break;
    }
    return std::string_view::npos;
}

/// The class name of a print-out such as "Gemma2Config {"; empty when the text starts otherwise.
std::string_view printed_class(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && is_name(text[end])) ++end;
    const std::size_t brace = skip_blanks(text, end);
    return end > 0 && brace < text.size() && text[brace] == '{' ? text.substr(0, end) : std::string_view{};
}

std::string_view python_token_at(std::string_view text, std::size_t at) {
    if (at > 0 && (is_name(text[at - 1]) || text[at - 1] == '-')) return {};
    for (const std::string_view token : python_tokens)
        if (text.substr(at, token.size()) == token &&
            (at + token.size() >= text.size() || !is_name(text[at + token.size()])))
            return token;
    return {};
}

Result<std::string> quote_python_tokens(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    int depth = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (depth > deepest)
            return fail(ErrorCode::syntax, fmt::format("The text is nested deeper than {} levels", deepest),
                        "A model configuration has three or four levels.");
        const std::string_view token = c == '"' ? std::string_view{} : python_token_at(text, at);
        if (!token.empty()) out.append("\"").append(token).append("\"");
        const std::size_t next = c == '"' ? skip_string(text, at) : at + std::max<std::size_t>(token.size(), 1);
        if (token.empty()) out.append(text.substr(at, next - at));
        at = next;
    }
    return out;
}

}  // namespace

Result<PreparedText> prepare(std::string_view text) {
    if (text.size() > largest_text)
        return fail(ErrorCode::syntax, fmt::format("The text has {} bytes, more than 64 MiB", text.size()),
                    "A model configuration has a few kilobytes.");
    std::string blanked;  // the same length and lines, so that positions stay right
    const std::size_t mark = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
    const std::size_t start = skip_blanks(text, mark);
    const std::string_view name = printed_class(text.substr(start));
    blanked.assign(text);
    std::fill_n(blanked.begin(), mark, ' ');
    std::fill_n(blanked.begin() + static_cast<std::ptrdiff_t>(start), name.size(), ' ');
    auto quoted = quote_python_tokens(blanked);
    if (!quoted) return tl::unexpected(quoted.error());
    return PreparedText{std::move(*quoted), std::string(name)};
}

std::size_t offset_of(std::string_view json, std::string_view pointer) {
    std::size_t at = json.find_first_of("{[");
    while (at < json.size() && !pointer.empty()) {
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        at = enter(json, at, pointer.substr(1, end - 1));
        pointer.remove_prefix(end);
    }
    return at;
}

Position position_of(std::string_view text, std::size_t offset) {
    if (offset > text.size()) return {};
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n');
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t column = line_start == std::string_view::npos ? offset + 1 : offset - line_start;
    return {static_cast<int>(lines) + 1, static_cast<int>(column)};
}

}  // namespace crosspoint::hf
