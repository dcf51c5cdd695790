// A measurement of this machine in place of the catalogue's figures.
#pragma once

#include <span>

#include "core/catalogue/path_calibration.hpp"
#include "core/collective/group_fabric.hpp"

namespace crosspoint {

/// The calibration for this operation over the highest link class on the group's slowest path; null when there is none.
const PathCalibration* calibration_of(std::span<const PathCalibration> paths, const GroupRoutes& routes,
                                      const Network& network, CollectiveOp op);

/// The cost with the time of the calibration; algorithm, traffic and alternatives stay those of the catalogue. Other
/// ranks than measured: the same alpha, and the bandwidth term of the same bus bandwidth.
CollectiveCost calibrated(CollectiveCost cost, Bytes bytes, double ranks, const PathCalibration& path);

}  // namespace crosspoint
