#include "core/units/unit_table.hpp"

#include <array>
#include <span>

namespace crosspoint::units {
namespace {

struct Scale {
    std::string_view prefix;
    double numerator = 1;
    double denominator = 1;
    bool written = true;
};
using Scales = std::span<const Scale>;

// SI brochure (9th edition), table 7; IEC 80000-13 for the binary prefixes. Upper-case K is common for kilo.
constexpr Scale small[] = {{"", 1, 1}, {"m", 1, 1e3}, {"u", 1, 1e6}, {"n", 1, 1e9}, {"p", 1, 1e12}};
constexpr Scale large[] = {{"", 1},    {"k", 1e3},  {"K", 1e3, 1, false}, {"M", 1e6},
                           {"G", 1e9}, {"T", 1e12}, {"P", 1e15},          {"E", 1e18}};
constexpr Scale binary[] = {
    {"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"Ti", 1099511627776.0}, {"Pi", 1125899906842624.0}};
constexpr Scale money[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"bn", 1e9}};

void add(std::vector<Unit>& units, Scales scales, std::string_view before, std::string_view after, double numerator = 1,
         double denominator = 1, bool written = true) {
    for (const Scale& s : scales) {
        std::string symbol(before);
        symbol.append(s.prefix).append(after);
        units.push_back({symbol, s.numerator * numerator, s.denominator * denominator, written && s.written});
    }
}

std::vector<Unit> time_units() {
    std::vector<Unit> units;
    add(units, small, "", "s");
    units.push_back({"min", 60, 1, false});
    units.push_back({"h", 3600, 1, false});
    units.push_back({"d", 86400, 1, false});
    return units;
}

/// Bytes and bits, followed by `per` ("" or "/s").
std::vector<Unit> data_units(std::string_view per, bool write_binary) {
    std::vector<Unit> units;
    const std::string tail(per);
    add(units, large, "", "B" + tail);
    add(units, binary, "", "B" + tail, 1, 1, write_binary);
    for (const char* bit : {"b", "bit"}) {
        add(units, large, "", bit + tail, 1, 8, false);
        add(units, binary, "", bit + tail, 1, 8, false);
    }
    return units;
}

std::vector<Unit> bandwidth_units() {
    std::vector<Unit> units = data_units("/s", false);
    add(units, large, "", "bps", 1, 8, false);
    add(units, large, "", "Bps", 1, 1, false);
    return units;
}

std::vector<Unit> work_units() {
    std::vector<Unit> units;
    add(units, large, "", "FLOP");
    add(units, large, "", "FLOPs", 1, 1, false);
    return units;
}

std::vector<Unit> speed_units() {
    std::vector<Unit> units;
    add(units, large, "", "FLOP/s");
    for (const char* spelling : {"FLOPS", "FLOPs/s", "flop/s", "flops", "Flop/s", "Flops"})
        add(units, large, "", spelling, 1, 1, false);
    return units;
}

std::vector<Unit> money_units() {
    std::vector<Unit> units;
    add(units, money, "USD", "");
    return units;
}

std::vector<Unit> price_rate_units() {
    std::vector<Unit> units;
    add(units, money, "USD", "/s");
    add(units, money, "USD", "/h", 1, 3600);
    for (const char* spelling : {"/hr", "/hour"}) add(units, money, "USD", spelling, 1, 3600, false);
    add(units, money, "USD", "/d", 1, 86400, false);
    add(units, money, "USD", "/day", 1, 86400, false);
    return units;
}

std::vector<Unit> token_price_units() {
    std::vector<Unit> units;
    add(units, money, "USD", "/token");
    add(units, money, "USD", "/Mtokens", 1, 1e6);
    for (const char* spelling : {"/tok", "/tokens"}) add(units, money, "USD", spelling, 1, 1, false);
    for (const char* spelling : {"/M", "/Mtok", "/Mtoken"}) add(units, money, "USD", spelling, 1, 1e6, false);
    for (const char* spelling : {"/k", "/ktok", "/ktokens", "/K", "/Ktok", "/Ktokens"})
        add(units, money, "USD", spelling, 1, 1e3, false);
    return units;
}

std::vector<Unit> token_rate_units() {
    std::vector<Unit> units;
    add(units, large, "", "tok/s");
    add(units, large, "", "token/s", 1, 1, false);
    add(units, large, "", "tokens/s", 1, 1, false);
    return units;
}

std::vector<Unit> power_units() {
    std::vector<Unit> units;
    add(units, large, "", "W");
    units.push_back({"mW", 1, 1e3, true});
    return units;
}

std::array<DimensionInfo, dimension_count> build() {
    return {DimensionInfo{"a time", "'5 us' or '1.2 ms'", time_units()},
            DimensionInfo{"an amount of data", "'80 GB' or '80 GiB'", data_units("", true)},
            DimensionInfo{"a bandwidth", "'400 GB/s' or '400 Gb/s'", bandwidth_units()},
            DimensionInfo{"an amount of work", "'2 TFLOP'", work_units()},
            DimensionInfo{"a compute speed", "'989 TFLOP/s'", speed_units()},
            DimensionInfo{"an amount of money", "'$1.05' or '1.05 USD'", money_units()},
            DimensionInfo{"a price per time", "'$2.99 /h' or '2.99 USD/h'", price_rate_units()},
            DimensionInfo{"a price per token", "'$1.05 /M tokens'", token_price_units()},
            DimensionInfo{"a token rate", "'66 tok/s'", token_rate_units()},
            DimensionInfo{"a power", "'700 W' or '1.2 kW'", power_units()}};
}

}  // namespace

const DimensionInfo& info(Dimension dimension) {
    static const std::array<DimensionInfo, dimension_count> table = build();
    return table[static_cast<std::size_t>(dimension)];
}

const Unit* find_unit(Dimension dimension, std::string_view symbol) {
    for (const Unit& unit : info(dimension).units)
        if (unit.symbol == symbol) return &unit;
    return nullptr;
}

std::string with_unit(std::string_view number, std::string_view symbol) {
    const bool dollars = symbol.substr(0, 3) == "USD";
    if (dollars) symbol.remove_prefix(3);
    std::string text;
    if (dollars && !number.empty() && number.front() == '-') {
        text += '-';
        number.remove_prefix(1);
    }
    if (dollars) text += '$';
    text += number;
    if (!symbol.empty()) text.append(" ").append(symbol);
    return text;
}

}  // namespace crosspoint::units
