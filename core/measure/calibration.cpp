#include "core/measure/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crosspoint {
namespace {

constexpr double close_enough = 0.15;

std::string source_of(const MeasuredTable& table, const Fit& fit, LogFormat format) {
    std::string text = fmt::format("{} log", to_string(format));
    if (!table.title.empty()) text += ", " + table.title;
    if (!table.device.empty()) text += ", " + table.device;
    if (table.nodes && *table.nodes > 1) text += fmt::format(" on {} nodes", *table.nodes);
    text += fmt::format(", {}", to_string(fit.block));
    return text;
}

void take_constants(PathCalibration& path, const MeasuredTable& table, const Fit& fit) {
    const bool single = fit.segments.size() <= 1;
    const Fit used = single ? fit : fit_table(table, {fit.block, FitForm::pipelined});
    path.alpha = used.alpha;
    path.bandwidth = used.bandwidth.value_or(BytesPerSecond(0));
    path.kappa = used.kappa;
    path.confidence = Confidence::fitted;
    if (used.worst_relative_error)
        path.source +=
            fmt::format("; {}, worst error {:.0f} %", to_string(used.form), *used.worst_relative_error * 100);
}

void take_table(PathCalibration& path, const Fit& fit) {
    path.alpha = fit.alpha;
    path.bandwidth = fit.bandwidth.value_or(BytesPerSecond(0));
    path.kappa = fit.kappa;
    path.confidence = Confidence::measured;
    for (const FitPoint& point : fit.points)
        if (point.used) path.table.push_back({point.size, point.measured});
    path.source += fmt::format("; {} measured sizes", path.table.size());
}

}  // namespace

CalibrationKind suggested_kind(const Fit& fit) {
    for (const FitCandidate& c : fit.candidates) {
        const bool single = c.form == FitForm::line || c.form == FitForm::pipelined;
        if (single && c.worst_relative_error <= close_enough) return CalibrationKind::constants;
    }
    return fit.candidates.empty() ? CalibrationKind::constants : CalibrationKind::table;
}

Result<PathCalibration> calibration_from(const MeasuredTable& table, const Fit& fit, LogFormat format,
                                         const CalibrationChoice& choice) {
    if (!fit.refused.empty())
        return fail(ErrorCode::invalid_value, "this measurement was not fitted: " + fit.refused,
                    "mend the path, or measure again");
    if (!fit.bandwidth)
        return fail(ErrorCode::invalid_value, "this measurement does not reach the bandwidth of the path",
                    "measure messages up to several hundred megabytes");
    PathCalibration path;
    path.link = choice.link;
    path.operation = choice.operation;
    path.ranks = choice.ranks;
    path.source = source_of(table, fit, format);
    if (choice.kind == CalibrationKind::table) take_table(path, fit);
    else take_constants(path, table, fit);
    if (const auto ok = validate(path); !ok) return tl::unexpected(ok.error());
    return path;
}

}  // namespace crosspoint
