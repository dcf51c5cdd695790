// What every step of painting needs to know (private to widgets/diagram).
#pragma once

#include <vector>

#include "widgets/diagram/diagram_painting.hpp"

namespace crosspoint::ui {

struct DiagramCanvas {
    QPainter& painter;
    const DiagramScene& scene;
    const DiagramZoom& zoom;
    const QRectF& visible;  ///< pixels
    const Theme& theme;
    const DiagramOverlay& overlay;

    [[nodiscard]] const DiagramData& data() const { return scene.data(); }
    [[nodiscard]] bool near() const { return zoom.scale >= LevelOfDetail::outline; }
    [[nodiscard]] bool moving(const DiagramBox& box) const {
        return !overlay.moving_keys.isEmpty() && overlay.moving_keys.contains(box.key);
    }
    [[nodiscard]] bool selected(const DiagramBox& box) const {
        return box.role != BoxRole::fabric && !overlay.selected_ids.isEmpty() && overlay.selected_ids.contains(box.id);
    }
    [[nodiscard]] QRectF pixels(const DiagramBox& box) const {
        return zoom.map(moving(box) ? box.rect.translated(overlay.shift) : box.rect);
    }
};

/// Lines of fabrics inside their domains.
void paintStrokes(const DiagramCanvas& canvas);
/// Cables of one look are drawn in one call; the busiest and the selected last, so that they lie on top.
void paintCables(const DiagramCanvas& canvas);
/// Figures beside busy cables, the busiest first, none over a device or another figure.
void paintCableLabels(const DiagramCanvas& canvas, const std::vector<QRectF>& devices);

}  // namespace crosspoint::ui
