#include "core/measure/log_lines.hpp"

#include <algorithm>
#include <cmath>

#include "core/units/text.hpp"

namespace crosspoint::measure {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Text without escape sequences: ESC [ ... letter, ESC ] ... BEL, ESC x.
std::string without_codes(std::string_view line) {
    std::string out;
    out.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\x1b') {
            const char kind = i + 1 < line.size() ? line[++i] : '\0';
            if (kind == '[') {
                while (i + 1 < line.size() && !(line[++i] >= '@' && line[i] <= '~')) continue;
            } else if (kind == ']') {
                while (i + 1 < line.size() && line[++i] != '\a') continue;
            }
        } else if (c == '\xc2' && i + 1 < line.size() && line[i + 1] == '\xa0') {
            out += ' ';  // a no-break space of a web page
            ++i;
        } else if (c != '\0' && c != '\r') {
            out += c;
        }
    }
    return out;
}

/// Length of a rank label at the start of `text`: "0:", "[0]", "[1,0]<stdout>:"; 0 when there is none.
std::size_t label_length(std::string_view text) {
    std::size_t i = 0;
    const bool bracket = !text.empty() && text[0] == '[';
    if (bracket) ++i;
    const std::size_t digits = i;
    while (i < text.size() && (digit(text[i]) || (bracket && text[i] == ','))) ++i;
    if (i == digits || i - digits > 15) return 0;
    if (!bracket) return i < text.size() && text[i] == ':' ? i + 1 : 0;
    if (i >= text.size() || text[i] != ']') return 0;
    ++i;
    for (const std::string_view stream : {"<stdout>", "<stderr>", "<stddiag>"})
        if (text.substr(i).starts_with(stream)) i += stream.size();
    if (i < text.size() && text[i] == ':') ++i;
    return i;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view without_prefixes(std::string_view line) {
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        if (line.front() == '>') {
            line.remove_prefix(1);
            continue;
        }
        const std::size_t label = label_length(line);
        const bool apart = label == line.size() || (label > 0 && (blank(line[label]) || line[label - 1] == ':'));
        const bool clock = label > 0 && label < line.size() && digit(line[label]);  // "12:30:05"
        if (label == 0 || !apart || clock) break;
        line.remove_prefix(label);
    }
    return line;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t i = 0;
    while (i < text.size()) {
        while (i < text.size() && blank(text[i])) ++i;
        const std::size_t start = i;
        while (i < text.size() && !blank(text[i])) ++i;
        const std::string_view word = text.substr(start, i - start);
        if (!word.empty() && label_length(word) != word.size()) words.push_back(word);
    }
    return words;
}

}  // namespace

std::vector<Line> clean_lines(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<Line> lines;
    for (int n = 1; !text.empty(); ++n) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string plain = without_codes(text.substr(0, end));
        lines.push_back({n, std::string(without_prefixes(plain))});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (Line& line : lines) line.words = words_of(line.text);
    return lines;
}

std::optional<double> number(std::string_view word) { return parse_number(word); }

std::optional<double> whole(std::string_view word) {
    if (word.empty() || !std::all_of(word.begin(), word.end(), digit)) return std::nullopt;
    return parse_number(word);
}

double half_digit(std::string_view word) {
    const std::size_t e = word.find_first_of("eE");
    const std::string_view mantissa = word.substr(0, e);
    const std::size_t point = mantissa.find('.');
    double step = 0.5;
    if (point != std::string_view::npos) step *= std::pow(10.0, -double(mantissa.size() - point - 1));
    if (e == std::string_view::npos) return step;
    std::string_view exponent = word.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    return step * std::pow(10.0, std::clamp(number(exponent).value_or(0.0), -300.0, 300.0));
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

std::optional<double> number_after(std::string_view text, std::string_view label) {
    const std::size_t at = text.find(label);
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t i = at + label.size();
    while (i < text.size() && (blank(text[i]) || text[i] == ':' || text[i] == '=')) ++i;
    std::size_t end = i;
    while (end < text.size() && digit(text[end])) ++end;
    return whole(text.substr(i, end - i));
}

bool is_environment(const Line& line) {
    std::string_view text = line.text;
    for (const std::string_view lead : {"export ", "declare -x ", "+ export "})
        if (text.starts_with(lead)) text.remove_prefix(lead.size());
    if (text.starts_with("MPI startup(): ")) text.remove_prefix(15);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || !letter(text[0])) return false;
    return std::all_of(text.begin(), text.begin() + std::ptrdiff_t(equals),
                       [](char c) { return (c >= 'A' && c <= 'Z') || digit(c) || c == '_'; });
}

}  // namespace crosspoint::measure
