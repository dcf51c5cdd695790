// Words on boxes (private to widgets/diagram).
#pragma once

#include "widgets/diagram/diagram_painting.hpp"

namespace crosspoint::ui {

/// Name, count and side note of a box, in canvas units from its top-left corner. A name too long is shortened, its
/// count never; a side note that does not fit is left out.
void paintLabel(QPainter& painter, const DiagramBox& box, const QSizeF& size, const Theme& theme);
/// The name of a container across it, in pixels; false and nothing painted when it does not fit.
bool paintFarLabel(QPainter& painter, const DiagramBox& box, const QRectF& pixels, const Theme& theme);
/// Fill of the bar of a fabric: its load, or its state when it is not whole.
QColor fabricFill(const DiagramBox& box, const Theme& theme);

}  // namespace crosspoint::ui
