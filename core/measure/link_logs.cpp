// perftest (ib_write_bw, ib_send_lat, ...), nvbandwidth and ucc_perftest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/measure/formats.hpp"

namespace crosspoint::measure {
namespace {

constexpr double mib = 1048576;

struct Perftest {
    MeasuredTable table;
    enum class Columns { none, rate, latency } columns = Columns::none;
    double unit = mib;      ///< bytes/s of one printed unit
    std::size_t value = 3;  ///< its column
    int headers = 0;
};

/// Columns up to the times have names of one word.
std::size_t column_of(const Line& header, std::string_view name) {
    const auto it = std::find_if(header.words.begin(), header.words.end(), [&](auto w) { return w.starts_with(name); });
    return std::size_t(it - header.words.begin());
}

void perftest_header(Perftest& test, const Line& line) {
    ++test.headers;
    test.table.throughput = contains(line.text, "BW");
    test.columns = test.table.throughput ? Perftest::Columns::rate : Perftest::Columns::latency;
    if (test.table.throughput) {
        test.value = 3;
        test.unit = contains(line.text, "Gb/sec") ? 1e9 / 8 : mib;
        return;
    }
    test.value = contains(line.text, "t_typical") ? column_of(line, "t_typical") : column_of(line, "t_avg");
}

void perftest_row(Perftest& test, const Line& line) {
    if (line.words.size() <= test.value || !whole(line.words[0]) || !whole(line.words[1])) return;
    const auto size = whole(line.words[0]), value = number(line.words[test.value]);
    if (!value || !(*value > 0) || !(*size > 0)) return;  // a server that counts nothing prints zeros
    if (test.columns == Perftest::Columns::latency) {
        test.table.rows.push_back(timed_row(Bytes(*size), Seconds(*value * 1e-6), line.number));
        return;
    }
    const double rate = *value * test.unit;
    MeasuredRow row = timed_row(Bytes(*size), Seconds(*size / rate), line.number);
    row.out_of_place->algorithm_bandwidth = BytesPerSecond(rate);
    test.table.rows.push_back(row);
}

void begin_perftest(Perftest& test, const Line& line) {
    test.table.line = line.number;
    test.table.operation = CollectiveOp::point_to_point;
    test.table.operation_source = "stated";
    test.table.ranks = 2;
    test.table.ranks_source = "a pair";
}

void end_perftest(Perftest& test, Tables& tables) {
    if (test.table.line == 0) return;
    if (test.table.rows.empty()) test.table.failure = "the benchmark printed no row";
    if (test.headers > 1)
        test.table.warnings.push_back("Server and client print into each other: rows of one size count as one.");
    if (contains(test.table.title, "Read Latency") || contains(test.table.title, "READ Latency"))
        test.table.warnings.push_back("A read takes the whole round trip; write and send tests print half of it.");
    tables.push_back(std::move(test.table));
    test = Perftest{};
}

}  // namespace

Tables read_perftest(const std::vector<Line>& lines) {
    Tables tables;
    Perftest test;
    Ignored ignored;
    for (const Line& line : lines) {
        if (line.text.ends_with(" BW Test") || line.text.ends_with(" Latency Test")) {
            // The other side of the same run prints its title before the first row.
            if (!test.table.rows.empty() || (test.table.line > 0 && test.table.title != line.text))
                end_perftest(test, tables);
            begin_perftest(test, line);
            test.table.title = line.text;
        } else if (contains(line.text, "#bytes")) {
            if (test.table.line == 0) begin_perftest(test, line);
            perftest_header(test, line);
        } else if (is_environment(line)) {
            ignored.count("environment variables, not kept");
        } else if (contains(lower(line.text), "bidirectional")) {
            test.table.warnings.push_back("A bidirectional test adds up both directions.");
        } else if (contains(line.text, "address:")) {
            ignored.count("connection lines");
        } else if (test.columns != Perftest::Columns::none) {
            perftest_row(test, line);
        }
    }
    end_perftest(test, tables);
    if (!tables.empty()) tables.front().ignored = ignored.sentences();
    return tables;
}

namespace {

struct Matrix {
    MeasuredTable table;
    std::vector<std::string> columns;
    bool latency = false, both = false;
};

void end_matrix(Matrix& matrix, Tables& tables) {
    if (matrix.table.line == 0) return;
    if (matrix.both)
        matrix.table.warnings.push_back("Both directions are busy in this test; the figures are of one direction.");
    if (matrix.table.figures.empty()) matrix.table.failure = "waived or without values";
    tables.push_back(std::move(matrix.table));
    matrix = Matrix{};
}

void matrix_row(Matrix& matrix, const Line& line) {
    for (std::size_t i = 1; i < line.words.size() && i <= matrix.columns.size(); ++i) {
        const auto value = number(line.words[i]);
        if (!value || *value < 0) continue;
        MeasuredFigure figure{
            fmt::format("row {}, column {}", line.words[0], matrix.columns[i - 1]), {}, {}, line.number};
        if (matrix.latency) figure.time = Seconds(*value * 1e-9);
        else figure.rate = BytesPerSecond(*value * 1e9);
        matrix.table.figures.push_back(std::move(figure));
    }
}

bool only_indices(const Line& line) {
    return !line.words.empty() && std::all_of(line.words.begin(), line.words.end(), [](auto w) { return whole(w); });
}

}  // namespace

Tables read_nvbandwidth(const std::vector<Line>& lines) {
    Tables tables;
    Matrix matrix;
    Ignored ignored;
    std::string device;
    for (const Line& line : lines) {
        if (line.text.starts_with("Running ")) {
            end_matrix(matrix, tables);
            std::string_view name = std::string_view(line.text).substr(8);
            if (name.ends_with('.')) name.remove_suffix(1);
            matrix.table.title = std::string(name);
            matrix.table.line = line.number;
            matrix.table.device = device;
            matrix.both = contains(name, "bidirectional");
        } else if (line.text.starts_with("Device ") && contains(line.text, ": ") && device.empty()) {
            device = line.text.substr(line.text.find(": ") + 2);
            device = device.substr(0, device.rfind(" ("));
        } else if (line.text.starts_with("SUM ")) {
            ignored.count("SUM lines: sums over all cells are no rate of a link");
        } else if (line.text.starts_with("Waived")) {
            ignored.count("waived tests");
        } else if (contains(line.text, "(GB/s)") || contains(line.text, "(ns)")) {
            matrix.latency = contains(line.text, "(ns)");
            matrix.columns.clear();
        } else if (matrix.table.line > 0 && matrix.columns.empty() && only_indices(line)) {
            matrix.columns.assign(line.words.begin(), line.words.end());
        } else if (!matrix.columns.empty() && !line.words.empty() && whole(line.words[0])) {
            matrix_row(matrix, line);
        }
    }
    end_matrix(matrix, tables);
    if (!tables.empty()) tables.front().ignored = ignored.sentences();
    return tables;
}

namespace {

/// Ranks from the first row with a rate: its bus bandwidth is the count per peer times the peers (gather kinds), or
/// 2(n-1)/n of the whole (all-reduce), over the time.
void ucc_ranks(MeasuredTable& table) {
    for (auto it = table.rows.rbegin(); it != table.rows.rend(); ++it) {
        const auto& bus = it->out_of_place->bus_bandwidth;
        if (!bus || !table.operation || !(it->size.si() > 0)) continue;
        const double ratio = *bus * it->out_of_place->time / it->size;
        double ranks = 0;
        if (per_rank_count(*table.operation)) ranks = std::round(ratio) + 1;
        else if (*table.operation == CollectiveOp::all_reduce && ratio < 1.995) ranks = std::round(2 / (2 - ratio));
        if (!(ranks >= 2) || ranks > 1e6) return;
        table.ranks = std::int64_t(ranks);
        table.ranks_source = "read from the bandwidth column";
        return;
    }
}

void ucc_row(MeasuredTable& table, const Line& line) {
    if (line.words.size() < 3 || !whole(line.words[0]) || !whole(line.words[1])) return;
    const auto size = whole(line.words[1]), us = number(line.words[2]);
    if (!us || *us < 0) return;
    MeasuredRow row = timed_row(Bytes(*size), Seconds(*us * 1e-6), line.number);
    if (line.words.size() >= 6) {
        const auto rate = number(line.words[5]);
        if (rate && *rate > 0) row.out_of_place->bus_bandwidth = BytesPerSecond(*rate * 1e9);
    }
    table.rows.push_back(row);
}

}  // namespace

Tables read_ucc(const std::vector<Line>& lines) {
    Tables tables;
    MeasuredTable table;
    bool rows = false, in_place = false;
    const auto finish = [&] {
        if (table.line == 0) return;
        if (table.rows.empty()) table.failure = "the benchmark printed no row";
        ucc_ranks(table);
        sizes_from_per_rank(table);
        if (in_place)
            for (MeasuredRow& row : table.rows) std::swap(row.in_place, row.out_of_place);
        tables.push_back(std::move(table));
        table = MeasuredTable{};
        rows = in_place = false;
    };
    for (const Line& line : lines) {
        if (contains(line.text, "Collective:") && line.words.size() >= 2) {
            finish();
            table.title = std::string(line.words.back());
            table.operation = operation_named(table.title);
            table.operation_source = "stated";
            table.line = line.number;
        } else if (line.text.starts_with("Inplace:")) {
            in_place = number(line.words.back()).value_or(0) > 0;
        } else if (contains(line.text, "Count") && contains(line.text, "Size")) {
            rows = true;
        } else if (rows) {
            ucc_row(table, line);
        }
    }
    finish();
    return tables;
}

}  // namespace crosspoint::measure
