// OSU micro-benchmarks and Intel MPI Benchmarks.
#include <fmt/format.h>

#include <algorithm>

#include "core/measure/formats.hpp"

namespace crosspoint::measure {
namespace {

/// Ranks that an Intel MPI start-up listing names: "MPI startup(): 3       3243     host  {0,4}".
std::int64_t startup_rank(const Line& line) {
    if (!line.text.starts_with("MPI startup():") || line.words.size() < 5) return -1;
    const auto rank = whole(line.words[2]);
    return rank && *rank < 1e9 && whole(line.words[3]) ? std::int64_t(*rank) : -1;
}

struct Osu {
    enum class Columns { none, latency, rate, barrier } columns = Columns::none;
    MeasuredTable table;
    double share = 1;  ///< of the printed rate that belongs to one pair and direction
    double pairs = 1;
};

void begin_osu(Osu& osu, const Line& line, std::int64_t ranks) {
    const std::size_t name = line.text.find("OSU ");
    std::string_view title = std::string_view(line.text).substr(name);
    osu = Osu{};
    osu.table.title = std::string(title.substr(0, title.find(" Test")));
    osu.table.line = line.number;
    const std::string low = lower(title);
    osu.table.operation = operation_named(title);
    if (!osu.table.operation && (contains(low, "latency") || contains(low, "bandwidth")))
        osu.table.operation = CollectiveOp::point_to_point;
    osu.table.operation_source = "stated";
    if (ranks > 0) osu.table.ranks = ranks, osu.table.ranks_source = "the start-up listing";
    if (contains(low, "bi-directional")) {
        osu.share = 0.5;
        osu.table.warnings.push_back("The log adds up both directions; half of it is one direction.");
    }
}

void osu_header(Osu& osu, const Line& line) {
    const std::string low = lower(line.text);
    if (contains(low, "mb/s")) {
        osu.columns = Osu::Columns::rate;
        osu.table.throughput = true;
    } else if (contains(low, "latency")) {
        osu.columns = contains(low, "size") ? Osu::Columns::latency : Osu::Columns::barrier;
    }
}

void osu_row(Osu& osu, const Line& line) {
    const bool barrier = osu.columns == Osu::Columns::barrier;
    const auto first = line.words.empty() ? std::nullopt : number(line.words[0]);
    const auto second = line.words.size() < 2 ? std::nullopt : number(line.words[1]);
    if (!first || *first < 0 || (!barrier && (!second || *second < 0))) return;
    if (osu.columns == Osu::Columns::rate) {
        const double rate = *second * 1e6 * osu.share / osu.pairs;
        if (!(rate > 0)) return;
        MeasuredRow row = timed_row(Bytes(*first), Seconds(*first / rate), line.number);
        row.out_of_place->algorithm_bandwidth = BytesPerSecond(rate);
        osu.table.rows.push_back(row);
    } else {
        osu.table.rows.push_back(
            timed_row(Bytes(barrier ? 0 : *first), Seconds((barrier ? *first : *second) * 1e-6), line.number));
    }
}

void end_osu(Osu& osu, Tables& tables) {
    if (osu.table.line == 0) return;
    if (osu.table.operation == CollectiveOp::point_to_point && !osu.table.throughput)
        osu.table.warnings.push_back("Times are one way: half of a round trip.");
    if (osu.table.operation == CollectiveOp::point_to_point) osu.table.ranks = 2, osu.table.ranks_source = "a pair";
    if (osu.table.rows.empty()) osu.table.failure = "the benchmark printed no row";
    sizes_from_per_rank(osu.table);
    tables.push_back(std::move(osu.table));
    osu = Osu{};
}

}  // namespace

Tables read_osu(const std::vector<Line>& lines) {
    Tables tables;
    Osu osu;
    Ignored ignored;
    std::int64_t ranks = 0;
    for (const Line& line : lines) {
        if (line.words.empty()) continue;
        ranks = std::max(ranks, startup_rank(line) + 1);
        if (contains(line.text, "OSU ") && contains(line.text, " Test")) {
            end_osu(osu, tables);
            begin_osu(osu, line, ranks);
        } else if (is_environment(line)) {
            ignored.count("environment variables, not kept");
        } else if (line.text.starts_with("MPI startup()")) {
            ignored.count("start-up lines");
        } else if (const auto pairs = number_after(line.text, "pairs"); pairs && *pairs >= 1 && *pairs < 1e9) {
            osu.pairs = *pairs;
            osu.table.warnings.push_back(
                fmt::format("The log adds up {} pairs; figures here are those of one pair.", *pairs));
        } else if (contains(line.text, "Latency") || contains(line.text, "MB/s")) {
            osu_header(osu, line);
        } else if (osu.columns != Osu::Columns::none) {
            osu_row(osu, line);
        }
    }
    end_osu(osu, tables);
    if (!tables.empty()) tables.front().ignored = ignored.sentences();
    return tables;
}

namespace {

struct Imb {
    MeasuredTable table;
    bool rows = false, barrier = false, single = false;  ///< inside a table; without sizes; "t[usec]" alone
    bool percentiles = false;
};

std::optional<CollectiveOp> imb_operation(std::string_view name) {
    if (const auto op = operation_named(name)) return op;
    return contains(lower(name), "exchange") ? std::optional(CollectiveOp::point_to_point) : std::nullopt;
}

void imb_header(Imb& imb, const Line& line) {
    imb.rows = true;
    imb.barrier = !contains(line.text, "#bytes");
    imb.single = !contains(line.text, "t_avg");
    if (contains(line.text, "Mbytes/sec"))
        imb.table.ignored.push_back("Mbytes/sec: 10^6 or 2^20 by version, which the log does not say; times are used");
}

void imb_row(Imb& imb, const Line& line) {
    const std::size_t time = (imb.barrier ? 1 : 2) + (imb.single ? 0 : 2);
    if (line.text.starts_with('[')) imb.percentiles = true;
    if (line.words.size() <= time || !whole(line.words[0])) return;
    const auto bytes = whole(line.words[0]), us = number(line.words[time]);
    if (!us || *us < 0) return;
    imb.table.rows.push_back(timed_row(Bytes(imb.barrier ? 0 : *bytes), Seconds(*us * 1e-6), line.number));
}

void end_imb(Imb& imb, Tables& tables) {
    if (imb.table.line == 0) return;
    if (imb.percentiles) imb.table.ignored.push_back("percentiles below the rows");
    if (imb.table.rows.empty()) imb.table.failure = "the benchmark printed no row";
    sizes_from_per_rank(imb.table);
    tables.push_back(std::move(imb.table));
    imb = Imb{};
}

void imb_groups(Imb& imb, const Line& line) {
    const auto ranks = number_after(line.text, contains(line.text, "#processes") ? "#processes" : "groups of");
    if (!ranks || *ranks < 1 || *ranks > 1e9) return;
    imb.table.ranks = std::int64_t(*ranks);
    imb.table.ranks_source = "stated";
    if (contains(line.text, "groups of"))
        imb.table.warnings.push_back("Several groups ran at once and shared the network:" + line.text.substr(1));
}

}  // namespace

Tables read_imb(const std::vector<Line>& lines) {
    Tables tables;
    Imb imb;
    Ignored ignored;
    for (const Line& line : lines) {
        const std::size_t name = line.text.find("Benchmarking ");
        if (name != std::string::npos) {
            end_imb(imb, tables);
            imb.table.title = line.text.substr(name + 13);
            imb.table.line = line.number;
            imb.table.operation = imb_operation(imb.table.title);
            imb.table.operation_source = "stated";
        } else if (is_environment(line)) {
            ignored.count("environment variables, not kept");
        } else if (contains(line.text, "#processes") || contains(line.text, "groups of")) {
            imb_groups(imb, line);
        } else if (contains(line.text, "#repetitions")) {
            imb_header(imb, line);
        } else if (imb.rows) {
            imb_row(imb, line);
        }
    }
    end_imb(imb, tables);
    if (!tables.empty())
        for (std::string& sentence : ignored.sentences()) tables.front().ignored.push_back(std::move(sentence));
    return tables;
}

}  // namespace crosspoint::measure
