// Every figure of a document into a folder, as the window would export them.
#pragma once

#include <memory>

#include <QString>

#include "core/base/error.hpp"
#include "core/catalogue/parts.hpp"

namespace crosspoint::app {

/// diagram, timeline-layer, timeline-step, crossover, batch and scaling, each as SVG, PDF and PNG.
Result<void> exportFigures(const QString& documentPath, const QString& folder,
                           std::shared_ptr<const Catalogue> catalogue);

}  // namespace crosspoint::app
