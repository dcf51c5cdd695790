#include "core/io/hf_config_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace crosspoint::hf {
namespace {

constexpr std::array<std::string_view, 3> python_tokens{"-Infinity", "Infinity", "NaN"};

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// Past the closing quote of the string that starts at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

/// The class name of a print-out such as "Gemma2Config {"; empty when the text starts otherwise.
std::string_view printed_class(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && is_name(text[end])) ++end;
    const std::size_t brace = skip_blanks(text, end);
    return end > 0 && brace < text.size() && text[brace] == '{' ? text.substr(0, end) : std::string_view{};
}

/// The token that starts at `at`, when it is a whole word.
std::string_view python_token_at(std::string_view text, std::size_t at) {
    if (at > 0 && (is_name(text[at - 1]) || text[at - 1] == '-')) return {};
    for (const std::string_view token : python_tokens) {
        const std::size_t end = at + token.size();
        if (text.substr(at, token.size()) == token && (end >= text.size() || !is_name(text[end]))) return token;
    }
    return {};
}

std::string quote_python_tokens(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 64);
    for (std::size_t at = 0; at < text.size();) {
        const bool quoted = text[at] == '"';
        const std::string_view token = quoted ? std::string_view{} : python_token_at(text, at);
        const std::size_t next = quoted ? skip_string(text, at) : at + std::max<std::size_t>(token.size(), 1);
        if (!token.empty()) out += '"';
        out += text.substr(at, next - at);
        if (!token.empty()) out += '"';
        at = next;
    }
    return out;
}

}  // namespace

PreparedText prepare(std::string_view text) {
    const std::size_t mark = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
    const std::size_t start = skip_blanks(text, mark);
    const std::string_view name = printed_class(text.substr(start));
    if (mark == 0 && name.empty()) return {quote_python_tokens(text), {}};
    std::string blanked(text);  // of the same length, so that positions stay right
    std::fill_n(blanked.begin(), mark, ' ');
    std::fill_n(blanked.begin() + static_cast<std::ptrdiff_t>(start), name.size(), ' ');
    return {quote_python_tokens(blanked), std::string(name)};
}

}  // namespace crosspoint::hf
