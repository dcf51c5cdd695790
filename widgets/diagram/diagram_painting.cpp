#include "widgets/diagram/diagram_painting.hpp"

#include <cmath>
#include <map>

#include "widgets/diagram/diagram_labels.hpp"
#include "widgets/diagram/diagram_scene.hpp"

namespace crosspoint::ui {
namespace {

constexpr double containerRadius = 8, deviceRadius = 4;

struct Canvas {
    QPainter& painter;
    const DiagramZoom& zoom;
    const QRectF& visible;  // pixels
    const Theme& theme;
    const DiagramOverlay& overlay;

    [[nodiscard]] bool near() const { return zoom.scale >= LevelOfDetail::outline; }
    [[nodiscard]] bool moving(const DiagramBox& box) const {
        return !overlay.moving_keys.isEmpty() && overlay.moving_keys.contains(box.key);
    }
    [[nodiscard]] QRectF pixels(const DiagramBox& box) const {
        return zoom.map(moving(box) ? box.rect.translated(overlay.shift) : box.rect);
    }
    [[nodiscard]] bool selected(const DiagramBox& box) const {
        return box.role != BoxRole::fabric && !overlay.selected_ids.isEmpty() && overlay.selected_ids.contains(box.id);
    }
    /// Out of view, or an inner box too small to be told apart.
    [[nodiscard]] bool culled(const QRectF& r, const DiagramBox& box) const {
        if (!near() && !box.parent.isEmpty() &&
            (zoom.scale < LevelOfDetail::inside || r.height() < LevelOfDetail::least))
            return true;
        const double depth = stackDepth(box) * zoom.scale;
        return !r.adjusted(-3, -3 - depth, 3 + depth, 3).intersects(visible);
    }
};

// ---- boxes

void drawOutline(const Canvas& c, const QRectF& r, const QColor& fill, const QPen& pen, double radius) {
    c.painter.setBrush(fill);
    c.painter.setPen(pen);
    if (c.near()) c.painter.drawRoundedRect(r, radius * c.zoom.scale, radius * c.zoom.scale);
    else c.painter.drawRect(r);
}

/// Two sheets behind, offset up and to the right.
void drawStack(const Canvas& c, const QRectF& r, const DiagramBox& box, const QColor& fill, double radius) {
    if (box.stands_for <= 1) return;
    for (int sheet = 2; sheet >= 1; --sheet) {
        const double offset = stackDepth(box) / 2 * sheet * c.zoom.scale;
        drawOutline(c, r.translated(offset, -offset), fill, QPen(c.theme.border, 1), radius);
    }
}

QPen outlinePen(const Canvas& c, const DiagramBox& box, const QColor& normal, double width) {
    if (c.selected(box)) return {c.theme.accent, 2.5};
    switch (box.health) {
        case BoxHealth::down: return {c.theme.severity(Severity::fail), 1.5, Qt::DashLine};
        case BoxHealth::degraded: return {c.theme.severity(Severity::attention), 1.5, Qt::DashLine};
        case BoxHealth::up: break;
    }
    return {normal, width};
}

void drawContainer(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    drawStack(c, r, box, c.theme.container, containerRadius);
    const double width = box.role == BoxRole::domain ? 1.5 : 1.0;
    drawOutline(c, r, c.theme.container, outlinePen(c, box, c.theme.border, width), containerRadius);
}

void drawDevice(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    if (box.role == BoxRole::fabric) return drawOutline(c, r, fabricFill(box, c.theme), QPen(Qt::NoPen), deviceRadius);
    const bool strong = box.role == BoxRole::network_switch;
    drawStack(c, r, box, c.theme.box, deviceRadius);
    drawOutline(c, r, c.selected(box) ? c.theme.accent_fill : c.theme.box,
                outlinePen(c, box, strong ? c.theme.secondary : c.theme.box_border, 1), deviceRadius);
}

void drawContainers(const Canvas& c, const DiagramData& data, bool moving) {
    for (const DiagramBox& box : data.boxes) {
        if (!holdsOthers(box) || c.moving(box) != moving) continue;
        const QRectF r = c.pixels(box);
        if (!c.culled(r, box)) drawContainer(c, r, box);
    }
}

void drawDevices(const Canvas& c, const DiagramData& data, bool moving) {
    for (const DiagramBox& box : data.boxes) {
        if (holdsOthers(box) || c.moving(box) != moving) continue;
        const QRectF r = c.pixels(box);
        if (!c.culled(r, box)) drawDevice(c, r, box);
    }
}

QColor farFill(const Canvas& c, const DiagramBox& box) {
    if (c.selected(box)) return c.theme.accent;
    if (box.health == BoxHealth::down) return c.theme.severity(Severity::fail);
    if (box.health == BoxHealth::degraded) return c.theme.severity(Severity::attention);
    if (box.role == BoxRole::fabric) return fabricFill(box, c.theme);
    return box.parent.isEmpty() ? c.theme.box_border : c.theme.box;
}

/// From afar a device is a plain rectangle; those of one colour are drawn in one call.
void drawFarDevices(const Canvas& c, const DiagramData& data, bool moving) {
    std::map<QRgb, QVector<QRectF>> fills;
    for (const DiagramBox& box : data.boxes) {
        if (holdsOthers(box) || c.moving(box) != moving) continue;
        const QRectF r = c.pixels(box);
        if (!c.culled(r, box)) fills[farFill(c, box).rgba()].append(r);
    }
    c.painter.setPen(Qt::NoPen);
    for (const auto& [colour, rects] : fills) {
        c.painter.setBrush(QColor::fromRgba(colour));
        c.painter.drawRects(rects);
    }
}

// ---- cables

struct CableStyle {
    bool selected = false;
    int load = 0;    // LoadClass
    int width = 1;   // tenths of a pixel
    int health = 0;  // BoxHealth
    auto operator<=>(const CableStyle&) const = default;
};

QPen penOf(const Canvas& c, const CableStyle& style) {
    const double width = style.width / 10.0 * std::clamp(c.zoom.scale, 0.3, 1.5);
    if (style.selected) return {c.theme.accent, std::max(3.0, width), Qt::SolidLine, Qt::FlatCap};
    if (style.health == int(BoxHealth::down)) return {c.theme.severity(Severity::fail), 1.5, Qt::DotLine, Qt::FlatCap};
    const Qt::PenStyle line = style.health == int(BoxHealth::degraded) ? Qt::DashLine : Qt::SolidLine;
    return {c.theme.load(LoadClass(style.load)), std::max(0.5, width), line, Qt::FlatCap};
}

QLineF lineOf(const Canvas& c, const DiagramCable& cable) {
    QLineF line(cable.start, cable.end);
    if (!c.overlay.moving_keys.isEmpty()) {
        if (c.overlay.moving_keys.contains(cable.from)) line.setP1(line.p1() + c.overlay.shift);
        if (c.overlay.moving_keys.contains(cable.to)) line.setP2(line.p2() + c.overlay.shift);
    }
    return {c.zoom.map(line.p1()), c.zoom.map(line.p2())};
}

/// Cables of one look are drawn in one call; the busiest and the selected last, so that they lie on top.
void drawCables(const Canvas& c, const DiagramData& data) {
    std::map<CableStyle, QVector<QLineF>> batches;
    for (const DiagramCable& cable : data.cables) {
        const QLineF line = lineOf(c, cable);
        const QRectF bounds = QRectF(line.p1(), line.p2()).normalized().adjusted(-4, -4, 4, 4);
        if (!bounds.intersects(c.visible)) continue;
        batches[{c.overlay.selected_ids.contains(cable.id), int(loadClass(cable.load)),
                 int(std::lround(cableWidth(cable.load) * 10)), int(cable.health)}]
            .append(line);
    }
    c.painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [style, lines] : batches) {
        c.painter.setPen(penOf(c, style));
        c.painter.drawLines(lines);
    }
    c.painter.setRenderHint(QPainter::Antialiasing, c.near());
}

// ---- labels

void drawLabels(const Canvas& c, const DiagramData& data, bool moving) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    for (const DiagramBox& box : data.boxes) {
        if (c.moving(box) != moving) continue;
        const QRectF r = c.pixels(box);
        if (c.culled(r, box)) continue;
        const QTransform before = c.painter.transform();
        c.painter.translate(r.topLeft());
        c.painter.scale(c.zoom.scale, c.zoom.scale);
        labels.paint(box, box.rect.size());
        c.painter.setTransform(before);
    }
}

/// From afar only the outermost containers with room for it bear their name.
void drawFarLabels(const Canvas& c, const DiagramData& data, bool moving) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    QSet<QString> named;  // keys of boxes that bear a name or lie in one that does
    for (const DiagramBox& box : data.boxes) {
        if (!holdsOthers(box) || c.moving(box) != moving) continue;
        const QRectF r = c.pixels(box);
        if (named.contains(box.parent) || (!c.culled(r, box) && labels.paintAcross(box, r))) named.insert(box.key);
    }
}

void drawLayer(const Canvas& c, const DiagramData& data, bool moving) {
    drawContainers(c, data, moving);
    if (!moving) drawCables(c, data);
    if (c.near()) drawDevices(c, data, moving);
    else drawFarDevices(c, data, moving);
    if (c.zoom.scale >= LevelOfDetail::text) drawLabels(c, data, moving);
    else drawFarLabels(c, data, moving);
}

}  // namespace

double cableWidth(double load) { return load > 0 ? 1.0 + 4.0 * std::min(load, 1.0) : 1.0; }

void paintDiagram(QPainter& painter, const DiagramData& data, const DiagramZoom& zoom, const QRectF& visible,
                  const Theme& theme, const DiagramOverlay& overlay) {
    painter.save();
    const Canvas canvas{painter, zoom, visible, theme, overlay};
    painter.setRenderHint(QPainter::Antialiasing, canvas.near());
    drawLayer(canvas, data, false);
    if (!overlay.moving_keys.isEmpty()) drawLayer(canvas, data, true);
    painter.restore();
}

}  // namespace crosspoint::ui
