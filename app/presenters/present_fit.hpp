// A fitted measurement as view data.
#pragma once

#include <QStringList>
#include <vector>

#include "core/measure/fit.hpp"
#include "core/scenario/scenario.hpp"
#include "widgets/plot/plot_data.hpp"

namespace crosspoint::app {

/// Measured points, those left out, and the fitted curve.
ui::CrossoverData presentFit(const MeasuredTable& table, const Fit& fit);
/// Alpha, bandwidth, kappa, the two sizes and the worst error, in two lines.
QString fitSummary(const Fit& fit);
/// "all_reduce_perf: all-reduce, 8 ranks"
QString tableName(const MeasuredTable& table);
/// Warnings of the table and the fit, then what was ignored.
QStringList fitRemarks(const MeasuredTable& table, const Fit& fit);

struct LinkChoice {
    QString id, name;
};
/// Link classes of the drawing; all of the catalogue where it has none.
std::vector<LinkChoice> linkChoices(const Scenario& scenario);

}  // namespace crosspoint::app
