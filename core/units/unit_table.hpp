// The named units of every dimension that text can hold. Private to core/units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crosspoint::units {

enum class Dimension { time, data, bandwidth, work, speed, money, price_rate, token_price, token_rate, power };

/// SI value = number * numerator / denominator. Both are whole numbers, so that a short decimal such as "5 us"
/// becomes the double nearest to 5e-6.
struct Unit {
    std::string symbol;  ///< blanks removed, micro written 'u', a leading '$' written "USD"
    double numerator = 1;
    double denominator = 1;
    bool written = false;  ///< format_exact may choose it
};

struct DimensionInfo {
    std::string_view phrase;    ///< "a bandwidth"
    std::string_view examples;  ///< "'400 GB/s' or '400 Gb/s'"
    std::vector<Unit> units;    ///< the SI base unit first
};

inline constexpr int dimension_count = 10;

const DimensionInfo& info(Dimension dimension);
const Unit* find_unit(Dimension dimension, std::string_view symbol);

/// "USD" units are shown with the sign in front: "$2.99 /h"; all others as "5 us".
std::string with_unit(std::string_view number, std::string_view symbol);

}  // namespace crosspoint::units
