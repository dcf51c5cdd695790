#include "core/importers/text_probe.hpp"

#include <charconv>

namespace crosspoint {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == ':' || c == '.';
}

/// Text after `end`, or nothing.
std::string_view after(std::string_view text, std::string_view end) {
    const auto at = text.find(end);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + end.size());
}

}  // namespace

std::string_view skip_blanks(std::string_view text) {
    const auto at = text.find_first_not_of(blanks);
    return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

std::string_view trimmed(std::string_view text) {
    text = skip_blanks(text);
    const auto last = text.find_last_not_of(blanks);
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.push_back(line);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (!(line = skip_blanks(line)).empty()) {
        const auto end = line.find_first_of(blanks);
        words.push_back(line.substr(0, end));
        line = end == std::string_view::npos ? std::string_view() : line.substr(end);
    }
    return words;
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return result;
}

std::string without_escapes(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            plain += text[i];
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '[') {
            i += 2;
            while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
        }
    }
    return plain;
}

std::string_view xml_root(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    for (text = skip_blanks(text); text.starts_with("<"); text = skip_blanks(text)) {
        if (text.starts_with("<!--")) text = after(text, "-->");
        else if (text.starts_with("<?")) text = after(text, "?>");
        else if (text.starts_with("<!")) text = after(text, ">");
        else {
            std::size_t end = 1;
            while (end < text.size() && is_name_char(text[end])) ++end;
            return text.substr(1, end - 1);
        }
    }
    return {};
}

std::optional<long long> whole_number(std::string_view text) {
    text = trimmed(text);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2), base = 16;
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace crosspoint
