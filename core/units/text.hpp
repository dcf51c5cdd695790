// Quantities to text and back, independent of the process locale.
//
// Two writers, because two readers exist:
//   format(q)        for people: at most 3-4 significant digits and the unit that keeps the number
//                    between 1 and 999 ("120.96 µs" style rounding is chosen by `digits`).
//   format_exact(q)  for files: the shortest text that parse<Q>() turns back into the same double.
// One reader: parse<Q>("400 Gb/s"). A bare number is refused with a suggestion; so is a unit of another
// dimension ("expected a bandwidth such as '400 GB/s' or '400 Gb/s', got a time"). Case matters where it
// carries meaning (Gb against GB, m against M). 'u', 'µ' and 'μ' all mean micro. Blanks between number and
// unit are optional.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/units/quantity.hpp"

namespace crosspoint {

/// What went wrong while reading a quantity, with the byte offset in the text.
struct QuantityError {
    std::size_t offset = 0;
    std::string message;  ///< what was expected and what was found
    std::string hint;     ///< how to mend it; may be empty
};

/// Value or error of a parse; exactly one of the two is set.
template <class Q>
struct Parsed {
    std::optional<Q> value;
    QuantityError error;
    explicit operator bool() const { return value.has_value(); }
};

/// Instantiated for every alias in quantity.hpp that a document or text field can hold: Seconds, Bytes,
/// BytesPerSecond, Flops, FlopsPerSecond, Dollars, DollarsPerSecond, DollarsPerToken, TokensPerSecond, Watts.
template <class Q>
Parsed<Q> parse(std::string_view text);

template <class Q>
std::string format_exact(Q q);

/// Significant digits for people; 4 shows 120.96 µs as "121.0 µs", 5 as "120.96 µs".
std::string format(Seconds t, int digits = 3);
std::string format(Bytes n, int digits = 3);                // decimal: 2.00 MB
std::string format_binary(Bytes n, int digits = 3);         // 2.00 MiB
std::string format(BytesPerSecond b, int digits = 3);       // 400 GB/s
std::string format_bits(BytesPerSecond b, int digits = 3);  // 3.20 Tb/s
std::string format(Flops f, int digits = 3);
std::string format(FlopsPerSecond f, int digits = 3);
std::string format(FlopsPerByte f, int digits = 3);
std::string format(Dollars d, int digits = 3);           // $1.05
std::string format(DollarsPerSecond d, int digits = 3);  // $2.99 /h
std::string format(DollarsPerToken d, int digits = 3);   // $1.05 /M tokens
std::string format(TokensPerSecond t, int digits = 3);   // 66.2 tok/s
std::string format(Watts w, int digits = 3);
std::string format_count(double n, int digits = 4);        // 671.0 G, 8.030 G, 12
std::string format_percent(double share, int digits = 2);  // 0.92 -> "92 %"

/// Shortest decimal text that reads back as the same double; '.' is the decimal mark in every locale.
std::string shortest(double value);
/// Reads a whole decimal number; empty when the text is not one, or is not finite.
std::optional<double> parse_number(std::string_view text);

namespace literals {
constexpr Seconds operator""_s(long double v) { return Seconds(double(v)); }
constexpr Seconds operator""_us(long double v) { return Seconds(double(v) / 1e6); }
constexpr Seconds operator""_us(unsigned long long v) { return Seconds(double(v) / 1e6); }
constexpr Seconds operator""_ms(long double v) { return Seconds(double(v) / 1e3); }
constexpr Seconds operator""_ms(unsigned long long v) { return Seconds(double(v) / 1e3); }
constexpr Bytes operator""_B(unsigned long long v) { return Bytes(double(v)); }
constexpr Bytes operator""_MB(unsigned long long v) { return Bytes(double(v) * 1e6); }
constexpr Bytes operator""_GB(unsigned long long v) { return Bytes(double(v) * 1e9); }
constexpr Bytes operator""_KiB(unsigned long long v) { return Bytes(double(v) * 1024.0); }
constexpr Bytes operator""_MiB(unsigned long long v) { return Bytes(double(v) * 1048576.0); }
constexpr Bytes operator""_GiB(unsigned long long v) { return Bytes(double(v) * 1073741824.0); }
constexpr BytesPerSecond operator""_GBps(unsigned long long v) { return BytesPerSecond(double(v) * 1e9); }
constexpr BytesPerSecond operator""_GBps(long double v) { return BytesPerSecond(double(v) * 1e9); }
constexpr BytesPerSecond operator""_Gbps(unsigned long long v) { return BytesPerSecond(double(v) * 1e9 / 8.0); }
}  // namespace literals

}  // namespace crosspoint
