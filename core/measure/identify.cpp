#include "core/measure/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/catalogue/bus_bandwidth.hpp"

namespace crosspoint::measure {
namespace {

struct Element {
    std::string_view name;
    double bytes;
};
constexpr std::array elements{
    Element{"float", 4},   Element{"half", 2},    Element{"double", 8},   Element{"bfloat16", 2}, Element{"int8", 1},
    Element{"uint8", 1},   Element{"int32", 4},   Element{"uint32", 4},   Element{"int64", 8},    Element{"uint64", 8},
    Element{"f8e4m3", 1},  Element{"f8e5m2", 1},  Element{"fp8_e4m3", 1}, Element{"fp8_e5m2", 1}, Element{"float16", 2},
    Element{"float32", 4}, Element{"float64", 8}, Element{"char", 1},     Element{"int", 4},
};

using Op = CollectiveOp;

/// Bus over algorithm bandwidth of the row with the largest algorithm bandwidth, where two decimals say most.
std::optional<double> bus_ratio(const MeasuredTable& table) {
    double best = 0;
    std::optional<double> ratio;
    for (const MeasuredRow& row : table.rows) {
        for (const auto* timing : {&row.out_of_place, &row.in_place}) {
            if (!*timing || !(*timing)->algorithm_bandwidth || !(*timing)->bus_bandwidth) continue;
            const double algorithm = (*timing)->algorithm_bandwidth->si();
            if (!(algorithm > best) || algorithm < 1e8) continue;  // below 0.1 GB/s rounding decides
            best = algorithm;
            ratio = (*timing)->bus_bandwidth->si() / algorithm;
        }
    }
    return ratio;
}

struct Guess {
    std::vector<Op> choices;
    std::optional<double> ranks;
};

bool near(double a, double b) { return std::abs(a - b) < 0.012; }

Guess with_root(bool reduces, double shares) {
    if (shares > 1.5) return {{Op::gather, Op::scatter}, shares};
    return {{reduces ? Op::reduce : Op::broadcast}, std::nullopt};
}

Guess reducing(double shares, std::optional<double> ratio, std::optional<std::int64_t> ranks) {
    if (shares > 1.5) return {{Op::reduce_scatter}, shares};
    if (!ratio) return {{Op::all_reduce}, std::nullopt};
    if (!near(*ratio, 1)) {
        const bool possible = *ratio > 1 && *ratio < 1.995;
        return {{Op::all_reduce}, possible ? std::optional(std::round(2 / (2 - *ratio))) : std::nullopt};
    }
    if (ranks && *ranks != 2) return {{Op::point_to_point}, std::nullopt};
    return {{Op::all_reduce, Op::point_to_point}, 2.0};
}

Guess moving(double shares, std::optional<double> ratio) {
    if (shares > 1.5) return {{Op::all_gather, Op::all_to_all}, shares};
    if (ratio && near(*ratio, 1)) return {{Op::point_to_point}, std::nullopt};
    if (ratio && *ratio < 1) return {{Op::all_gather, Op::all_to_all}, std::round(1 / (1 - *ratio))};
    return {};
}

Guess guess(const MeasuredTable& table, const RowIds& ids) {
    const auto element = element_bytes(ids.type);
    double shares = 1;
    if (element && ids.count && ids.bytes && *ids.count > 0) shares = std::round(*ids.bytes / (*ids.count * *element));
    const bool reduces = !ids.reduction.empty() && ids.reduction != "none";
    if (ids.root && *ids.root >= 0) return with_root(reduces, shares);
    const auto ratio = bus_ratio(table);
    return reduces ? reducing(shares, ratio, table.ranks) : moving(shares, ratio);
}

void adopt_operation(MeasuredTable& table, const Guess& found) {
    if (table.operation || found.choices.empty()) return;
    table.operation_source = "read from element count, reduction, root and bus over algorithm bandwidth";
    if (found.choices.size() == 1) {
        table.operation = found.choices.front();
        return;
    }
    table.choices = found.choices;
    table.warnings.push_back(fmt::format("The log does not name its operation; {} and {} print the same columns here.",
                                         to_string(found.choices[0]), to_string(found.choices[1])));
}

/// Two decimals of bandwidth cannot tell large numbers of ranks apart.
bool differ(Op op, double stated, double read) {
    return std::abs(bus_bandwidth_factor(op, stated) - bus_bandwidth_factor(op, read)) > 0.03;
}

void adopt_ranks(MeasuredTable& table, const Guess& found) {
    if (!found.ranks || !(*found.ranks >= 1) || *found.ranks > 1e9) return;
    const auto ranks = std::int64_t(*found.ranks);
    if (!table.ranks) {
        table.ranks = ranks;
        table.ranks_source = "read from the rows";
    } else if (table.ranks != ranks && differ(found.choices.front(), double(*table.ranks), double(ranks))) {
        table.warnings.push_back(fmt::format("The rank list says {} ranks, the rows {}.", *table.ranks, ranks));
    }
}

}  // namespace

std::optional<double> element_bytes(std::string_view type) {
    const auto it = std::find_if(elements.begin(), elements.end(), [&](const Element& e) { return e.name == type; });
    if (it == elements.end()) return std::nullopt;
    return it->bytes;
}

void identify(MeasuredTable& table, const RowIds& ids) {
    if (table.rows.empty()) return;
    const Guess found = guess(table, ids);
    adopt_operation(table, found);
    // What the columns say of the ranks holds for the operation that they say; a stated one may be another.
    const bool agrees = !table.operation ||
                        std::find(found.choices.begin(), found.choices.end(), *table.operation) != found.choices.end();
    if (agrees) adopt_ranks(table, found);
}

}  // namespace crosspoint::measure
