// From a record of a training run to the scenario that a user would set up for it.
#pragma once

#include <tl/expected.hpp>

#include "accuracy/record.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint::accuracy {

struct TrainingSetup {
    Scenario scenario;
    double accelerators = 0;
    std::string how;  ///< "64 x 8 nvlink4; TP 8 x PP 8 x DP 4, fp8, recompute none"
};
/// The error is the reason why it cannot be mapped. What a record leaves open takes the usual setting of its software
/// generation, said in docs/accuracy.md.
tl::expected<TrainingSetup, std::string> training_setup(const Record& record, const Catalogue& catalogue);

}  // namespace crosspoint::accuracy
