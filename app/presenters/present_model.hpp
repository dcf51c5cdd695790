// What a change of the model shape does to the figures: pure.
#pragma once

#include <vector>

#include <QString>

#include "core/evaluate/report.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint::app {

struct ModelChange {
    QString label, before, after, change;  ///< change is empty where nothing moved
};

/// Parameters, cache and the step of two evaluated scenarios, row by row.
std::vector<ModelChange> presentModelChange(const Scenario& before, const Report& beforeReport, const Scenario& after,
                                            const Report& afterReport);

}  // namespace crosspoint::app
