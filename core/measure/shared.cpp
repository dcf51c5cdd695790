#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/measure/formats.hpp"

namespace crosspoint {
namespace measure {
namespace {

struct Named {
    std::string_view word;
    CollectiveOp op;
};

/// Longer names first: "allreduce" holds "reduce".
constexpr std::array names{
    Named{"allreduce", CollectiveOp::all_reduce},
    Named{"reducescatter", CollectiveOp::reduce_scatter},
    Named{"allgather", CollectiveOp::all_gather},
    Named{"alltoall", CollectiveOp::all_to_all},
    Named{"personalizedexchange", CollectiveOp::all_to_all},
    Named{"sendrecv", CollectiveOp::point_to_point},
    Named{"sendreceive", CollectiveOp::point_to_point},
    Named{"pingpong", CollectiveOp::point_to_point},
    Named{"pingping", CollectiveOp::point_to_point},
    Named{"broadcast", CollectiveOp::broadcast},
    Named{"bcast", CollectiveOp::broadcast},
    Named{"reduce", CollectiveOp::reduce},
    Named{"gather", CollectiveOp::gather},
    Named{"scatter", CollectiveOp::scatter},
};

}  // namespace

std::optional<CollectiveOp> operation_named(std::string_view name) {
    std::string plain;
    for (const char c : lower(name))
        if (c >= 'a' && c <= 'z') plain += c;
    for (const Named& n : names)
        if (contains(plain, n.word)) return n.op;
    return std::nullopt;
}

bool per_rank_count(CollectiveOp op) {
    switch (op) {
        case CollectiveOp::all_gather:
        case CollectiveOp::reduce_scatter:
        case CollectiveOp::all_to_all:
        case CollectiveOp::gather:
        case CollectiveOp::scatter:
        case CollectiveOp::expert_dispatch:
        case CollectiveOp::expert_combine: return true;
        default: return false;
    }
}

MeasuredRow timed_row(Bytes size, Seconds time, int line) {
    MeasuredRow row;
    row.size = size;
    row.line = line;
    row.out_of_place = Timing{};
    row.out_of_place->time = time;
    return row;
}

void sizes_from_per_rank(MeasuredTable& table) {
    if (!table.operation || !per_rank_count(*table.operation) || *table.operation == CollectiveOp::reduce_scatter)
        return;
    if (!table.ranks) {
        table.warnings.push_back(
            fmt::format("Sizes are one rank's message and the number of ranks is not stated: the full tensor of this "
                        "{} is larger by that number.",
                        to_string(*table.operation)));
        return;
    }
    for (MeasuredRow& row : table.rows) {
        row.printed = row.size;
        row.size *= double(*table.ranks);
    }
    table.warnings.push_back(fmt::format(
        "The log counts one rank's message; sizes here are the full tensor, {} times as large.", *table.ranks));
}

void Ignored::count(std::string_view what) {
    const auto it = std::find_if(counts_.begin(), counts_.end(), [&](const auto& c) { return c.first == what; });
    if (it == counts_.end()) counts_.emplace_back(std::string(what), 1);
    else ++it->second;
}

std::vector<std::string> Ignored::sentences() const {
    std::vector<std::string> all;
    for (const auto& [what, n] : counts_) all.push_back(n == 1 ? what : fmt::format("{} ({} lines)", what, n));
    return all;
}

}  // namespace measure

std::string_view to_string(LogFormat format) {
    switch (format) {
        case LogFormat::nccl_tests: return "nccl-tests";
        case LogFormat::rccl_tests: return "rccl-tests";
        case LogFormat::nccl_tests_json: return "nccl-tests JSON";
        case LogFormat::rccl_tests_json: return "rccl-tests JSON";
        case LogFormat::osu: return "OSU micro-benchmarks";
        case LogFormat::imb: return "Intel MPI Benchmarks";
        case LogFormat::perftest: return "perftest";
        case LogFormat::nvbandwidth: return "nvbandwidth";
        case LogFormat::ucc_perftest: return "UCC perftest";
        case LogFormat::deepep: return "DeepEP";
    }
    return "unknown";
}

const MeasuredTable& MeasurementLog::first() const {
    const auto it = std::find_if(tables.begin(), tables.end(), [](const MeasuredTable& t) { return !t.empty(); });
    return it == tables.end() ? tables.front() : *it;
}

}  // namespace crosspoint
