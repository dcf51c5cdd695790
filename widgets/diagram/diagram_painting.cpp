#include "widgets/diagram/diagram_painting.hpp"

#include <array>
#include <cmath>
#include <map>
#include <vector>

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

/// A box in view, with its rectangle in pixels.
struct Seen {
    const DiagramBox* box;
    QRectF pixels;
};

struct Layer {
    std::vector<Seen> containers, devices;  // fabrics are among the devices
};

/// Layer 0 stands still, layer 1 is being moved. Culled once here, not by every step of painting.
std::array<Layer, 2> layersOf(const Canvas& c, const DiagramData& data) {
    std::array<Layer, 2> layers;
    for (const DiagramBox& box : data.boxes) {
        const bool moving = c.moving(box);
        const QRectF r = c.zoom.map(moving ? box.rect.translated(c.overlay.shift) : box.rect);
        if (c.culled(r, box)) continue;
        Layer& layer = layers[moving ? 1 : 0];
        (holdsOthers(box) ? layer.containers : layer.devices).push_back({&box, r});
    }
    return layers;
}

QColor farFill(const Canvas& c, const DiagramBox& box) {
    if (c.selected(box)) return c.theme.accent;
    if (box.health == BoxHealth::down) return c.theme.severity(Severity::fail);
    if (box.health == BoxHealth::degraded) return c.theme.severity(Severity::attention);
    if (box.role == BoxRole::fabric) return fabricFill(box, c.theme);
    return box.parent.isEmpty() ? c.theme.box_border : c.theme.box;
}

/// From afar a device is a plain rectangle; those of one colour are drawn in one call.
void drawFarDevices(const Canvas& c, const Layer& layer) {
    std::map<QRgb, QVector<QRectF>> fills;
    for (const Seen& seen : layer.devices) fills[farFill(c, *seen.box).rgba()].append(seen.pixels);
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

void drawLabels(const Canvas& c, const std::vector<Seen>& boxes) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    for (const Seen& seen : boxes) {
        const QTransform before = c.painter.transform();
        c.painter.translate(seen.pixels.topLeft());
        c.painter.scale(c.zoom.scale, c.zoom.scale);
        labels.paint(*seen.box, seen.box->rect.size());
        c.painter.setTransform(before);
    }
}

/// From afar only the outermost containers with room for it bear their name.
void drawFarLabels(const Canvas& c, const Layer& layer) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    QSet<QString> named;  // keys of boxes that bear a name or lie in one that does
    for (const Seen& seen : layer.containers)
        if (named.contains(seen.box->parent) || labels.paintAcross(*seen.box, seen.pixels)) named.insert(seen.box->key);
}

void drawLayer(const Canvas& c, const Layer& layer, const DiagramData* cables) {
    for (const Seen& seen : layer.containers) drawContainer(c, seen.pixels, *seen.box);
    if (cables) drawCables(c, *cables);
    if (!c.near()) drawFarDevices(c, layer);
    else
        for (const Seen& seen : layer.devices) drawDevice(c, seen.pixels, *seen.box);
    if (c.zoom.scale < LevelOfDetail::text) return drawFarLabels(c, layer);
    drawLabels(c, layer.containers);
    drawLabels(c, layer.devices);
}

}  // namespace

double cableWidth(double load) { return load > 0 ? 1.0 + 4.0 * std::min(load, 1.0) : 1.0; }

void paintDiagram(QPainter& painter, const DiagramData& data, const DiagramZoom& zoom, const QRectF& visible,
                  const Theme& theme, const DiagramOverlay& overlay) {
    painter.save();
    const Canvas canvas{painter, zoom, visible, theme, overlay};
    painter.setRenderHint(QPainter::Antialiasing, canvas.near());
    const auto layers = layersOf(canvas, data);
    drawLayer(canvas, layers[0], &data);
    drawLayer(canvas, layers[1], nullptr);
    painter.restore();
}

}  // namespace crosspoint::ui
