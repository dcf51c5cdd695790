// From boxes of an arrangement to places that a document keeps.
#pragma once

#include <optional>
#include <string>

#include "core/topology/arrange.hpp"

namespace crosspoint::app {

/// The box of the first instance; null when the object is not drawn.
const ArrangedBox* firstBox(const Arrangement& arrangement, const std::string& id);
const ArrangedBox* boxByKey(const Arrangement& arrangement, const std::string& key);
/// Where the object stands now inside its parent, with the size and pin that it has.
std::optional<CanvasBox> placeOf(const Topology& drawing, const Arrangement& arrangement, const std::string& id);

}  // namespace crosspoint::app
