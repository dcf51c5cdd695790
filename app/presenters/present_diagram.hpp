// The drawing with what the selected operation, layer or step puts on its links.
#pragma once

#include "app/presenters/selection_facts.hpp"
#include "app/presenters/view_state.hpp"
#include "core/evaluate/report.hpp"
#include "core/topology/arrange.hpp"
#include "widgets/diagram/diagram_data.hpp"

namespace crosspoint::app {

ui::DiagramData presentDiagram(const Scenario& scenario, const Arrangement& arrangement, const Report& report,
                               const ViewState& view, const SelectionFacts& facts = {});

/// Link use of what is selected: the operation, the shown layer, or the whole step.
std::vector<LinkUse> shownLinkUse(const Report& report, const ViewState& view);

/// For the status line: "HGX H100 node selected · 8 accelerators", or what is shown when nothing is selected.
QString selectionSummary(const Scenario& scenario, const Report* report, const ViewState& view);

}  // namespace crosspoint::app
