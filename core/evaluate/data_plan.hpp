// Section 9 of the report: how much data the model was or is to be trained on, against its size, and what that costs.
#pragma once

#include <string>
#include <vector>

#include "core/economics/scaling_law.hpp"
#include "core/prediction/prediction.hpp"

namespace crosspoint {

struct DataPlan {
    double active = 0, total = 0;  ///< parameters; the fits are of dense models, `active` enters them
    double tokens = 0;
    Flops compute;               ///< 6 x active x tokens
    double multiple_active = 0;  ///< tokens / (20 x parameters)
    double multiple_total = 0;
    double optimal_tokens = 0;  ///< for `active`, table 3 of Hoffmann et al. 2022
    struct ByFit {
        std::string fit, source, uncertainty;
        double loss = 0;
        Optimum same_compute;      ///< least loss with the compute spent
        Optimum same_loss;         ///< least compute with the loss reached
        double serving_ratio = 0;  ///< parameters of `same_loss` over `active`: what a token of it costs to serve
    };
    std::vector<ByFit> fits;
    RunCost run;
    std::string basis;  ///< what the rate comes from
    Confidence confidence = Confidence::assumed;
};

/// Empty when the model states no `training_tokens`. The rate is the step's in the training phase, else the peak of the
/// drawn accelerators times Training::assumed_mfu.
std::optional<DataPlan> data_plan(const Scenario& scenario, const Prediction& prediction);

}  // namespace crosspoint
