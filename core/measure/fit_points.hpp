// Private to core/measure: the points of a table that a fit may use, and what speaks against a fit.
#pragma once

#include <string>
#include <vector>

#include "core/measure/fit.hpp"

namespace crosspoint::measure {

/// Medians by size, ascending. Size 0 and rows whose bandwidth times time differs from their size by more than 1 %
/// (beyond rounding) are left out, with a warning; single spikes are marked as not used.
std::vector<FitPoint> points_of(const MeasuredTable& table, Block block, std::vector<std::string>& warnings);

/// Why these points must not be fitted, in a sentence; empty when they may.
std::string objection(const std::vector<FitPoint>& points);

double median(std::vector<double> values);

}  // namespace crosspoint::measure
