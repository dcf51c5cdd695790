// Report to view data: pure functions, one for each view. Texts come from core/units, numbers from the report.
#pragma once

#include "app/presenters/view_state.hpp"
#include "core/evaluate/report.hpp"
#include "widgets/checklist/checklist_data.hpp"
#include "widgets/controls/figure_strip.hpp"
#include "widgets/controls/memory_bars.hpp"
#include "widgets/controls/operations_table.hpp"
#include "widgets/controls/why_panel.hpp"
#include "widgets/plot/plot_data.hpp"
#include "widgets/timeline/timeline_data.hpp"

namespace crosspoint::app {

/// Changes are against `baseline` when it has figures of the same ids.
ui::FigureStripData presentFigures(const Report& report, const Report* baseline);
ui::TimelineData presentTimeline(const Report& report, const ViewState& view);
ui::CrossoverData presentCrossover(const Report& report, const ViewState& view);
ui::BatchPlotData presentBatch(const Scenario& scenario, const Report& report, const Report* baseline);
ui::ScalingData presentScaling(const Scenario& scenario, const Report& report);
ui::ChecklistData presentChecklist(const Report& report);
ui::MemoryBarsData presentMemory(const Report& report);
ui::TableData presentOperations(const Report& report, const ViewState& view);
/// The derivation of the chosen figure or verdict, or of the selected operation.
ui::WhyData presentWhy(const Report& report, const ViewState& view);

/// Why there are no figures, in a short sentence with how to mend it; empty while nothing was evaluated yet.
QString missingText(const Report& report);

/// Layer kind that the view shows: the chosen one, or the one that most layers are of. Null without a prediction.
const LayerResult* shownLayer(const Report& report, const ViewState& view);
/// The result of an operation in the shown layer, in any layer, or at the ends of the step.
const OperationResult* findOperation(const Report& report, const ViewState& view);

}  // namespace crosspoint::app
