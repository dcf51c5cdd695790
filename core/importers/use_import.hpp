// What becomes of an import: a document of its own, or an addition to the drawing at hand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/importers/importer.hpp"
#include "core/scenario/edit.hpp"

namespace crosspoint {

/// A new document: the drawing, its own parts, everything else as in File > New. What was assumed goes into its notes.
Scenario scenario_of(const Imported& imported, std::shared_ptr<const Catalogue> builtin);

struct ImportInsertion {
    std::vector<Edit> edits;           ///< to be applied together: one undo step
    std::vector<std::string> objects;  ///< ids of the new outermost objects, to be selected
};
/// The import added beside what is drawn: ids that are taken are replaced by fresh ones, own parts are added under
/// names of their own where another part has theirs.
ImportInsertion insertion_of(const Imported& imported, const Scenario& scenario);

/// "8 accelerators, 4 containers, 30 devices, 27 links": what the drawing stands for and what is drawn.
std::string summary_of(const Imported& imported);

}  // namespace crosspoint
