#include <cmath>

#include <fmt/format.h>

#include "app/cli/command.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {

template <class Q>
Result<Q> quantity(std::string_view option, std::string_view text) {
    const Parsed<Q> parsed = parse<Q>(text);
    if (parsed) return *parsed.value;
    return fail(ErrorCode::schema, std::string(option) + " '" + std::string(text) + "': " + parsed.error.message,
                parsed.error.hint);
}

template Result<Seconds> quantity<Seconds>(std::string_view, std::string_view);
template Result<Bytes> quantity<Bytes>(std::string_view, std::string_view);
template Result<BytesPerSecond> quantity<BytesPerSecond>(std::string_view, std::string_view);

Result<Dtype> dtype(std::string_view option, std::string_view text) {
    if (const auto found = dtype_from(text)) return *found;
    std::string names;
    for (const Dtype d : all_dtypes) names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(d));
    return fail(ErrorCode::invalid_value, fmt::format("{} '{}' is not a number format", option, text),
                "one of " + names);
}

CLI::Validator number(double low, double high, bool whole) {
    const std::string wanted =
        fmt::format("a {}number from {} to {}", whole ? "whole " : "", shortest(low), shortest(high));
    const auto check = [=](std::string& text) -> std::string {
        const auto value = parse_number(text);
        const bool good = value && *value >= low && *value <= high && (!whole || *value == std::floor(*value));
        return good ? std::string() : fmt::format("expected {}, got '{}'", wanted, text);
    };
    return CLI::Validator(check, "");
}

}  // namespace crosspoint::cli
