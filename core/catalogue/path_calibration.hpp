// A measurement that stands for one link class and one collective: constants, or the measured table itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/parts.hpp"

namespace crosspoint {

struct MeasuredTime {
    Bytes size;  ///< the full tensor on each rank, as nccl-tests counts
    Seconds time;
    bool operator==(const MeasuredTime&) const = default;
};

/// t(n) = alpha + n/bandwidth + kappa sqrt(alpha n/bandwidth), or `table`, interpolated in log size and log time.
struct PathCalibration {
    std::string link;  ///< id of a link part, or the name of a level of the network; the highest one on the path counts
    CollectiveOp operation = CollectiveOp::all_reduce;
    std::int64_t ranks = 2;        ///< that the measurement had
    std::optional<Seconds> alpha;  ///< of the whole operation; absent: not measured, the catalogue's is kept
    BytesPerSecond bandwidth;      ///< algorithm bandwidth: full tensor over time
    double kappa = 0;
    std::vector<MeasuredTime> table;  ///< ascending sizes; wins over the constants inside and beyond its range
    Confidence confidence = Confidence::fitted;
    std::string source;
    bool operator==(const PathCalibration&) const = default;
};

/// Alpha and kappa at least 0, bandwidth positive, two ranks or more, a table of growing sizes, a source; not an expert
/// exchange, which is priced from the path's own figures.
Result<void> validate(const PathCalibration& path);

/// The size at the measured ranks that puts the same load on a link as `bytes` over `ranks`: equal bus bandwidth.
Bytes equivalent_size(const PathCalibration& path, Bytes bytes, double ranks);
/// Time by the table at a size of the measured ranks. Below the first size its time holds; beyond the last its rate.
Seconds table_time(const PathCalibration& path, Bytes size);

}  // namespace crosspoint
