// Measurements as read from a log: tables of message size against time, and single figures where a log has no sizes.
//
// `size` follows nccl-tests: the full tensor on each rank (the larger of send and receive). Logs that count a
// per-rank or per-peer message are converted, and keep what they printed beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/catalogue/parts.hpp"
#include "core/units/quantity.hpp"

namespace crosspoint {

enum class LogFormat {
    nccl_tests,
    rccl_tests,
    nccl_tests_json,
    rccl_tests_json,
    osu,
    imb,
    perftest,
    nvbandwidth,
    ucc_perftest,
    deepep,
};
std::string_view to_string(LogFormat format);  // "nccl-tests", "rccl-tests JSON", ...

/// One block of a row. Bandwidths are as printed; an absent one was not printed, or not finite.
struct Timing {
    Seconds time;
    std::optional<BytesPerSecond> algorithm_bandwidth;
    std::optional<BytesPerSecond> bus_bandwidth;
    double time_step = 0;       ///< half of the last printed digit of the time, in seconds
    double bandwidth_step = 0;  ///< the same of the algorithm bandwidth, in bytes/s
    bool operator==(const Timing&) const = default;
};

struct MeasuredRow {
    Bytes size;                    ///< full tensor
    std::optional<Bytes> printed;  ///< where the log counts another way
    std::optional<Timing> out_of_place;
    std::optional<Timing> in_place;
    int line = 0;  ///< 1-based; 0 when the log has no lines (JSON)
    bool operator==(const MeasuredRow&) const = default;
};

/// A figure of a log that names no message size.
struct MeasuredFigure {
    std::string label;  ///< "row 0, column 1"
    std::optional<BytesPerSecond> rate;
    std::optional<Seconds> time;
    int line = 0;
    bool operator==(const MeasuredFigure&) const = default;
};

struct MeasuredTable {
    std::string title;                      ///< program or benchmark as the log names it
    std::optional<CollectiveOp> operation;  ///< empty when the log leaves it open, or it is no collective
    std::vector<CollectiveOp> choices;      ///< when it is open: what it can be
    std::string operation_source;           ///< "stated", or what it was read from
    std::optional<std::int64_t> ranks;
    std::string ranks_source;
    std::optional<std::int64_t> nodes;  ///< hosts in the rank list
    std::string device;                 ///< "NVIDIA H100 80GB HBM3"
    bool throughput = false;            ///< many messages in flight: size / rate is no latency
    std::vector<MeasuredRow> rows;      ///< in the order of the log
    std::vector<MeasuredFigure> figures;
    std::string failure;  ///< why the run ended early, as the log says
    int line = 0;         ///< where it begins
    std::vector<std::string> warnings;
    std::vector<std::string> ignored;  ///< what was read past; never its values where they can be private
    [[nodiscard]] bool empty() const { return rows.empty() && figures.empty(); }
};

struct MeasurementLog {
    LogFormat format = LogFormat::nccl_tests;
    std::vector<MeasuredTable> tables;
    /// The first table with a measurement; read_measurements() never hands out a log without one.
    [[nodiscard]] const MeasuredTable& first() const;
};

/// Recognises by content and reads. Environment variables are dropped and never kept.
/// Fails with line and file; says what the text really is, or "no measurement" for a run that failed before its
/// first row.
Result<MeasurementLog> read_measurements(std::string_view text, std::string_view file);

/// The format of a text, by its content alone; empty when it is none of them.
std::optional<LogFormat> recognise_log(std::string_view text);

}  // namespace crosspoint
