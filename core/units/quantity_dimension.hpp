// From a Quantity type to its entry in the unit table. Private to core/units.
#pragma once

#include "core/units/quantity.hpp"
#include "core/units/unit_table.hpp"

namespace crosspoint::units {

constexpr Dimension dimension_of(Seconds) { return Dimension::time; }
constexpr Dimension dimension_of(Bytes) { return Dimension::data; }
constexpr Dimension dimension_of(BytesPerSecond) { return Dimension::bandwidth; }
constexpr Dimension dimension_of(Flops) { return Dimension::work; }
constexpr Dimension dimension_of(FlopsPerSecond) { return Dimension::speed; }
constexpr Dimension dimension_of(Dollars) { return Dimension::money; }
constexpr Dimension dimension_of(DollarsPerSecond) { return Dimension::price_rate; }
constexpr Dimension dimension_of(DollarsPerToken) { return Dimension::token_price; }
constexpr Dimension dimension_of(TokensPerSecond) { return Dimension::token_rate; }
constexpr Dimension dimension_of(Watts) { return Dimension::power; }

}  // namespace crosspoint::units
