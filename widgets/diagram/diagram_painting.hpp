// Painting of a diagram through a zoom, shared by screen and export (private to widgets/diagram).
#pragma once

#include <QHash>
#include <QSet>

#include "widgets/diagram/diagram_data.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

/// From canvas units to pixels: pixel = canvas * scale + offset.
struct DiagramZoom {
    double scale = 1;
    QPointF offset;
    [[nodiscard]] QPointF map(QPointF p) const { return p * scale + offset; }
    [[nodiscard]] QRectF map(const QRectF& r) const { return {map(r.topLeft()), r.size() * scale}; }
    [[nodiscard]] QPointF unmap(QPointF p) const { return (p - offset) / scale; }
};

/// What differs from the data while something is being dragged.
struct DiagramOverlay {
    QSet<QString> selected_ids;
    QSet<QString> moving_keys;  ///< boxes shifted by `shift`
    QPointF shift;
};

/// Below these zooms details are left out: text, then single outlines, then everything inside a container.
struct LevelOfDetail {
    static constexpr double text = 0.6, outline = 0.25, inside = 0.05;
};

void paintDiagram(QPainter& painter, const DiagramData& data, const DiagramZoom& zoom, const QRectF& visible,
                  const Theme& theme, const DiagramOverlay& overlay);
/// Caption, legend and critical text, in pixels of the area.
void paintCaptions(QPainter& painter, const DiagramData& data, const QRectF& area, const Theme& theme);
double cableWidth(double load);

}  // namespace crosspoint::ui
