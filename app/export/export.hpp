// Pictures and reports to files, atomically.
#pragma once

#include <functional>

#include <QPainter>
#include <QString>

#include "core/base/error.hpp"
#include "core/scenario/scenario.hpp"

namespace crosspoint::app {

/// Paints into `target`, whose size is that of the picture.
using PaintFigure = std::function<void(QPainter&, const QRectF& target)>;

/// SVG, PDF or PNG by the suffix; PNG at twice the size.
Result<void> writeFigure(const QString& path, QSize size, const PaintFigure& paint);

/// HTML or Markdown by the suffix; Markdown writes its figures beside it. Evaluates completely, so that the report is
/// the one that crosspoint-cli writes.
Result<void> writeReport(const QString& path, const Scenario& scenario);

/// A file name stem from a title: letters, digits and dashes.
QString fileNameFor(const QString& title);

}  // namespace crosspoint::app
