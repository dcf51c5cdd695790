// What-if switches: a link, device or domain marked failed, degraded or whole again, as edits.
#pragma once

#include <string>
#include <vector>

#include "core/scenario/edit.hpp"

namespace crosspoint {

struct WhatIf {
    std::vector<Edit> edits;  ///< empty: everything is in that state already, or nothing of it has one
    std::string text;         ///< for the undo menu: "mark 2 objects failed"
};

/// Links and devices carry a state; a domain's is that of its fabric; a container without a fabric stands for the
/// devices inside it, at any depth. All instances of an object share its state. `factor`: the share of bandwidth or
/// speed that is left when degraded. Marked whole, a domain gets its planes back, too. Unknown ids are passed over.
WhatIf mark(const Scenario& scenario, const std::vector<std::string>& ids, Health health, double factor = 1.0);

/// One more plane of these domains out of service (`by` = 1), or one less (-1); where none is left to take, no edit.
WhatIf move_planes(const Scenario& scenario, const std::vector<std::string>& ids, int by);

/// Everything that is not whole.
std::vector<std::string> impaired(const Topology& topology);

}  // namespace crosspoint
