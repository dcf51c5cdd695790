// Painting of boxes and cables through a zoom, shared by screen and export (private to widgets/diagram).
#pragma once

#include <QPainter>
#include <QSet>

#include "widgets/diagram/diagram_scene.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

/// From canvas units to pixels: pixel = canvas * scale + offset.
struct DiagramZoom {
    double scale = 1;
    QPointF offset;
    [[nodiscard]] QPointF map(QPointF p) const { return p * scale + offset; }
    [[nodiscard]] QRectF map(const QRectF& r) const { return {map(r.topLeft()), r.size() * scale}; }
    [[nodiscard]] QPointF unmap(QPointF p) const { return (p - offset) / scale; }
    [[nodiscard]] QRectF unmap(const QRectF& r) const { return {unmap(r.topLeft()), r.size() / scale}; }
};

/// What differs from the data while something is selected or dragged.
struct DiagramOverlay {
    QSet<QString> selected_ids;
    QStringList picked_keys;    ///< boxes that were clicked themselves: at most two, the ends of a path
    QSet<QString> moving_keys;  ///< boxes shifted by `shift`
    QPointF shift;              ///< canvas units
    QString hovered_cable;      ///< id of the link under the cursor
};

/// Below these zooms details are left out: text, then rounded outlines, then everything inside a container. From afar
/// inner boxes lower than `least` pixels are left out, too, and more cables than `smooth` are drawn without smoothing.
struct LevelOfDetail {
    static constexpr double text = 0.4, outline = 0.25, inside = 0.05;
    static constexpr double least = 3;
    static constexpr std::size_t smooth = 400;
};

class DiagramSprites;

/// Containers, fabrics' lines, cables, devices, then labels, so that no cable hides a label; what is being moved lies
/// on top. `visible` (pixels) culls. `sprites` keeps pictures of devices between repaints of a screen.
void paintDiagram(QPainter& painter, const DiagramScene& scene, const DiagramZoom& zoom, const QRectF& visible,
                  const Theme& theme, const DiagramOverlay& overlay, DiagramSprites* sprites = nullptr);
/// Width in pixels of a cable whose link is busy for `load` of the time: 1 to 5.
double cableWidth(double load);

}  // namespace crosspoint::ui
