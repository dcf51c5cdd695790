// What lies over a diagram: caption, legend, critical text, the small map, the hint of an empty canvas (private to
// widgets/diagram). Pixels throughout.
#pragma once

#include "widgets/diagram/diagram_painting.hpp"

namespace crosspoint::ui {

/// Height of the strips above and below the drawing that captions need in an area of this width.
struct CaptionSpace {
    double top = 0, bottom = 0;
};
CaptionSpace captionSpace(const DiagramData& data, double width, const Theme& theme);
/// Width below which some caption would be shortened.
double captionWidth(const DiagramData& data, const Theme& theme);
void paintCaptions(QPainter& painter, const DiagramData& data, const QRectF& area, const Theme& theme);

/// Facts about the selection on a plate, in the corner of the area where it hides the fewest devices.
void paintCard(QPainter& painter, const DiagramScene& scene, const DiagramZoom& zoom, const QRectF& area,
               const Theme& theme);

/// What to drop or click, in the middle of an empty canvas.
void paintEmptyHint(QPainter& painter, const QString& text, const QRectF& area, const Theme& theme);

/// The whole drawing small, with the part in view framed.
struct DiagramMinimap {
    QRectF frame;      ///< empty: everything is in view anyway, or there is no room
    DiagramZoom zoom;  ///< from canvas units into the frame
};
DiagramMinimap minimap(const QRectF& bounds, const DiagramZoom& zoom, const QSizeF& view);
void paintMinimap(QPainter& painter, const DiagramMinimap& map, const DiagramData& data, const QRectF& seen,
                  const Theme& theme);

}  // namespace crosspoint::ui
