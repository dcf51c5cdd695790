// What a selection on the canvas tells: the path between two accelerators, or what the halves of a group can exchange.
#pragma once

#include <QSet>
#include <QStringList>

#include "app/presenters/view_state.hpp"
#include "core/scenario/scenario.hpp"
#include "core/topology/arrange.hpp"

namespace crosspoint::app {

struct SelectionFacts {
    QStringList card;            ///< heading and lines; empty when the selection tells nothing more
    QSet<QString> path_cables;   ///< keys of cables, see cableKey()
    QSet<QString> path_boxes;    ///< keys of boxes at the ends and on the way
    QSet<QString> path_domains;  ///< ids of containers whose fabric is crossed
};

/// One drawn cable among those of its link.
QString cableKey(const ArrangedCable& cable);

/// The path where two accelerators are picked; the exchange between halves where containers or several accelerators are
/// selected. Pure; takes the time of one or two routes.
SelectionFacts selectionFacts(const Scenario& scenario, const Arrangement& arrangement, const ViewState& view);

}  // namespace crosspoint::app
