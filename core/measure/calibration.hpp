// What a document keeps of a fitted measurement.
#pragma once

#include "core/catalogue/path_calibration.hpp"
#include "core/measure/fit.hpp"

namespace crosspoint {

enum class CalibrationKind { constants, table };

/// The kind that is closer: the table where the best single line or line with kappa misses a size by more than 15 %.
CalibrationKind suggested_kind(const Fit& fit);

struct CalibrationChoice {
    std::string link;  ///< id of a link part, or the name of a level
    CollectiveOp operation = CollectiveOp::all_reduce;
    std::int64_t ranks = 2;
    CalibrationKind kind = CalibrationKind::constants;
};
/// Constants are those of a line with kappa where the fit itself is in segments. Fails where the measurement has no
/// bandwidth, and as validate(PathCalibration).
Result<PathCalibration> calibration_from(const MeasuredTable& table, const Fit& fit, LogFormat format,
                                         const CalibrationChoice& choice);

}  // namespace crosspoint
