#include <fmt/format.h>

#include <cmath>

#include "core/units/quantity_dimension.hpp"
#include "core/units/text.hpp"
#include "core/units/unit_table.hpp"

namespace crosspoint {
namespace {

using units::Dimension;
using units::DimensionInfo;
using units::Unit;

struct Outcome {
    std::optional<double> si;
    QuantityError error;
};

Outcome refuse(std::size_t offset, std::string message, std::string hint = {}) {
    return {std::nullopt, {offset, std::move(message), std::move(hint)}};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of the blank at `at`: space, tab, no-break space (U+00A0), narrow no-break space (U+202F); 0 when none.
std::size_t blank_at(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.empty()) return 0;
    if (rest[0] == ' ' || rest[0] == '\t') return 1;
    if (rest.substr(0, 2) == "\xC2\xA0") return 2;
    return rest.substr(0, 3) == "\xE2\x80\xAF" ? 3 : 0;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (const std::size_t step = blank_at(text, at)) at += step;
    return at;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

/// End of the exponent that starts at `at`, or `at` when there is none ("5E" of "5 EB" is no exponent).
std::size_t skip_exponent(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
    std::size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const std::size_t end = skip_digits(text, digits);
    return end == digits ? at : end;
}

std::size_t number_end(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_digit(text[at]) || text[at] == '.' || text[at] == ',')) ++at;
    return skip_exponent(text, at);
}

/// "1,500" may be meant as 1500 or as 1.5; "0,125" and "1,5" may not.
bool ambiguous_comma(std::string_view number) {
    const std::size_t comma = number.find(',');
    if (comma == 0 || comma > 3 || number[0] == '0') return false;
    return skip_digits(number, comma + 1) == comma + 4 && comma + 4 == number.size();
}

/// The number with '.' as its decimal mark; empty with a message when its separators cannot be read.
std::string with_point(std::string_view number, std::string& problem) {
    const std::size_t comma = number.find(',');
    std::string text(number);
    if (comma == std::string_view::npos) return text;
    if (number.find(',', comma + 1) != std::string_view::npos || number.find('.') != std::string_view::npos)
        problem = fmt::format("'{}' has thousands separators", number.substr(0, 40));
    else if (ambiguous_comma(number))
        problem = fmt::format("'{}' can be read as {}{} and as {}.{}", number, number.substr(0, comma),
                              number.substr(comma + 1), number.substr(0, comma), number.substr(comma + 1));
    text[comma] = '.';
    return text;
}

/// Blanks dropped, 'µ' (U+00B5) and 'μ' (U+03BC) written as 'u'.
std::string plain_symbol(std::string_view text) {
    std::string symbol;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view two = text.substr(at, 2);
        if (const std::size_t step = blank_at(text, at)) {
            at += step;
        } else if (two == "\xC2\xB5" || two == "\xCE\xBC") {
            symbol += 'u';
            at += 2;
        } else {
            symbol += text[at++];
        }
    }
    return symbol;
}

std::string expected(const DimensionInfo& wanted) {
    return fmt::format("expected {} such as {}", wanted.phrase, wanted.examples);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

/// The units of the wanted dimension that differ from the symbol by case alone, as "'GB/s' or 'Gb/s'".
std::string differing_by_case(const DimensionInfo& wanted, std::string_view symbol) {
    const std::string plain = lower(symbol);
    std::string found;
    for (const Unit& unit : wanted.units)
        if (lower(unit.symbol) == plain) found += fmt::format("{}'{}'", found.empty() ? "" : " or ", unit.symbol);
    return found;
}

Outcome refuse_unit(Dimension dimension, std::string_view symbol, std::size_t offset) {
    const DimensionInfo& wanted = units::info(dimension);
    for (int other = 0; other < units::dimension_count; ++other) {
        const auto found = static_cast<Dimension>(other);
        if (units::find_unit(found, symbol))
            return refuse(offset, fmt::format("{}, got {}", expected(wanted), units::info(found).phrase),
                          fmt::format("write {}", wanted.examples));
    }
    std::string hint = fmt::format("write {}", wanted.examples);
    if (const std::string near = differing_by_case(wanted, symbol); !near.empty())
        hint = fmt::format("case matters: write {}", near);
    return refuse(offset, fmt::format("{}, got the unknown unit '{}'", expected(wanted), symbol.substr(0, 40)),
                  std::move(hint));
}

/// A word or nothing where the number should be.
Outcome refuse_start(Dimension dimension, std::string_view rest, std::size_t offset) {
    const DimensionInfo& wanted = units::info(dimension);
    const std::string word = lower(rest.substr(0, 3));
    if (word == "inf" || word == "nan" || rest.substr(0, 3) == "\xE2\x88\x9E")
        return refuse(offset, fmt::format("{} must be finite", wanted.phrase),
                      fmt::format("write {}", wanted.examples));
    return refuse(
        offset,
        fmt::format("{}, got {}", expected(wanted), rest.empty() ? "nothing" : fmt::format("'{}'", rest.substr(0, 40))),
        fmt::format("write {}", wanted.examples));
}

Outcome scaled(const DimensionInfo& wanted, double number, const Unit& unit, bool negative, std::size_t offset) {
    if (negative)
        return refuse(offset, fmt::format("{} cannot be negative, got -{}", wanted.phrase, shortest(number)),
                      "drop the minus sign");
    const double si = number * unit.numerator / unit.denominator;
    if (!std::isfinite(si))
        return refuse(offset, fmt::format("{} {} is too large", shortest(number), unit.symbol),
                      "write a smaller value");
    return {si, {}};
}

/// Where the parts of a quantity lie in its text.
struct Parts {
    bool negative = false;
    bool dollars = false;
    std::size_t number = 0;
    std::size_t number_end = 0;
    std::size_t unit = 0;
};

Parts split(std::string_view text) {
    Parts parts;
    std::size_t at = skip_blanks(text, 0);
    const auto take = [&](char c) {
        if (at >= text.size() || text[at] != c) return false;
        at = skip_blanks(text, at + 1);
        return true;
    };
    parts.negative = take('-');
    if (!parts.negative) take('+');
    parts.dollars = take('$');
    if (parts.dollars && take('-')) parts.negative = true;
    parts.number = at;
    parts.number_end = number_end(text, at);
    parts.unit = skip_blanks(text, parts.number_end);
    return parts;
}

Outcome read(Dimension dimension, std::string_view text) {
    const DimensionInfo& wanted = units::info(dimension);
    const Parts parts = split(text);
    if (parts.number == parts.number_end) return refuse_start(dimension, text.substr(parts.number), parts.number);

    std::string problem;
    const std::string digits = with_point(text.substr(parts.number, parts.number_end - parts.number), problem);
    if (!problem.empty())
        return refuse(parts.number, problem, "write digits without separators and '.' before the decimals");
    const std::optional<double> number = parse_number(digits);
    if (!number)
        return refuse(parts.number, fmt::format("'{}' is not a number that can be stored", digits.substr(0, 40)),
                      fmt::format("write {}", wanted.examples));

    const std::string symbol = (parts.dollars ? "USD" : "") + plain_symbol(text.substr(parts.unit));
    if (symbol.empty())
        return refuse(parts.unit, fmt::format("{}, got a number without a unit", expected(wanted)),
                      fmt::format("write {}", wanted.examples));
    const Unit* unit = units::find_unit(dimension, symbol);
    if (!unit) return refuse_unit(dimension, symbol, parts.unit);
    return scaled(wanted, *number, *unit, parts.negative, parts.number);
}

/// The shorter of two spellings of `value` that reads back as `si` through `unit`; empty when neither does.
std::string exact_number(double value, double si, const Unit& unit) {
    std::string best;
    for (const std::string& text : {fmt::format("{:.15g}", value), shortest(value)}) {
        const std::optional<double> back = parse_number(text);
        if (!back || *back * unit.numerator / unit.denominator != si) continue;
        if (best.empty() || text.size() < best.size()) best = text;
    }
    return best;
}

std::string write_exact(Dimension dimension, double si) {
    const std::vector<Unit>& all = units::info(dimension).units;
    std::string best = units::with_unit(shortest(si), all.front().symbol);
    for (const Unit& unit : all) {
        if (!unit.written || si == 0) continue;
        const std::string number = exact_number(si * unit.denominator / unit.numerator, si, unit);
        if (number.empty()) continue;
        std::string text = units::with_unit(number, unit.symbol);
        if (text.size() < best.size()) best = std::move(text);
    }
    return best;
}

}  // namespace

template <class Q>
Parsed<Q> parse(std::string_view text) {
    Outcome outcome = read(units::dimension_of(Q{}), text);
    Parsed<Q> parsed;
    if (outcome.si) parsed.value = Q(*outcome.si);
    parsed.error = std::move(outcome.error);
    return parsed;
}

template <class Q>
std::string format_exact(Q q) {
    return write_exact(units::dimension_of(Q{}), q.si());
}

template Parsed<Seconds> parse<Seconds>(std::string_view);
template Parsed<Bytes> parse<Bytes>(std::string_view);
template Parsed<BytesPerSecond> parse<BytesPerSecond>(std::string_view);
template Parsed<Flops> parse<Flops>(std::string_view);
template Parsed<FlopsPerSecond> parse<FlopsPerSecond>(std::string_view);
template Parsed<Dollars> parse<Dollars>(std::string_view);
template Parsed<DollarsPerSecond> parse<DollarsPerSecond>(std::string_view);
template Parsed<DollarsPerToken> parse<DollarsPerToken>(std::string_view);
template Parsed<TokensPerSecond> parse<TokensPerSecond>(std::string_view);
template Parsed<Watts> parse<Watts>(std::string_view);

template std::string format_exact(Seconds);
template std::string format_exact(Bytes);
template std::string format_exact(BytesPerSecond);
template std::string format_exact(Flops);
template std::string format_exact(FlopsPerSecond);
template std::string format_exact(Dollars);
template std::string format_exact(DollarsPerSecond);
template std::string format_exact(DollarsPerToken);
template std::string format_exact(TokensPerSecond);
template std::string format_exact(Watts);

}  // namespace crosspoint
