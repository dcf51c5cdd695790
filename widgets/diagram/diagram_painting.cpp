#include "widgets/diagram/diagram_painting.hpp"

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "widgets/diagram/diagram_canvas.hpp"
#include "widgets/diagram/diagram_labels.hpp"
#include "widgets/diagram/diagram_sprites.hpp"

namespace crosspoint::ui {
namespace {

constexpr double containerRadius = 8, deviceRadius = 4;

void drawOutline(const DiagramCanvas& c, const QRectF& r, const QColor& fill, const QPen& pen, double radius) {
    c.painter.setBrush(fill);
    c.painter.setPen(pen);
    if (c.near()) c.painter.drawRoundedRect(r, radius * c.zoom.scale, radius * c.zoom.scale);
    else c.painter.drawRect(r);
}

/// Two sheets behind, offset up and to the right.
void drawStack(const DiagramCanvas& c, const QRectF& r, const DiagramBox& box, const QColor& fill, double radius) {
    if (box.stands_for <= 1) return;
    for (int sheet = 2; sheet >= 1; --sheet) {
        const double offset = stackDepth(box) / 2 * sheet * c.zoom.scale;
        drawOutline(c, r.translated(offset, -offset), fill, QPen(c.theme.border, 1), radius);
    }
}

QPen outlinePen(const DiagramCanvas& c, const DiagramBox& box, const QColor& normal, double width) {
    if (c.selected(box)) return {c.theme.accent, 2.5};
    switch (box.health) {
        case BoxHealth::down: return {c.theme.severity(Severity::fail), 1.5, Qt::DashLine};
        case BoxHealth::degraded: return {c.theme.severity(Severity::attention), 1.5, Qt::DashLine};
        case BoxHealth::up: break;
    }
    return {normal, width};
}

void drawContainer(const DiagramCanvas& c, const QRectF& r, const DiagramBox& box) {
    drawStack(c, r, box, c.theme.container, containerRadius);
    const double width = box.role == BoxRole::domain ? 1.5 : 1.0;
    drawOutline(c, r, c.theme.container, outlinePen(c, box, c.theme.border, width), containerRadius);
}

void drawDevice(const DiagramCanvas& c, const QRectF& r, const DiagramBox& box) {
    if (box.role == BoxRole::fabric) return drawOutline(c, r, fabricFill(box, c.theme), QPen(Qt::NoPen), deviceRadius);
    const bool port = box.role == BoxRole::nic && loadClass(box.load) != LoadClass::none;
    if (port)
        return drawOutline(c, r, fabricFill(box, c.theme), outlinePen(c, box, c.theme.box_border, 1), deviceRadius);
    drawStack(c, r, box, c.theme.box, deviceRadius);
    const bool strong = box.role == BoxRole::network_switch;
    drawOutline(c, r, c.theme.box, outlinePen(c, box, strong ? c.theme.secondary : c.theme.box_border, 1),
                deviceRadius);
}

/// A box in view, with its rectangle in pixels.
struct Seen {
    const DiagramBox* box;
    int depth;
    QRectF pixels;
};

struct Layer {
    std::vector<Seen> containers, devices;  // fabrics are among the devices
};

/// Boxes in view of what stands still, or of what is being moved. Culled once here, not by every step of painting:
/// from afar what lies inside a container is passed over at once where it would be too small to be told apart.
Layer layerOf(const DiagramCanvas& c, bool moving) {
    Layer layer;
    const QRectF area =
        c.zoom.unmap(c.visible.adjusted(-3, -3, 3, 3)).translated(moving ? -c.overlay.shift : QPointF());
    const DiagramTree& tree = c.scene.tree();
    tree.visit(area, [&](int i) {
        const DiagramBox& box = c.data().boxes[std::size_t(i)];
        const bool far = !c.near();
        const bool inside = !box.parent.isEmpty();
        if (far && inside && box.rect.height() * c.zoom.scale < LevelOfDetail::least) return false;
        if (c.moving(box) == moving)
            (holdsOthers(box) ? layer.containers : layer.devices).push_back({&box, tree.depth(i), c.pixels(box)});
        return !far ||
               (c.zoom.scale >= LevelOfDetail::inside && tree.tallestInside(i) * c.zoom.scale >= LevelOfDetail::least);
    });
    return layer;
}

// ---- from afar: plain rectangles, those of one look in one call

using Rects = QVector<QRect>;

void fillRects(const DiagramCanvas& c, const QColor& colour, const Rects& rects) {
    c.painter.setBrush(colour);
    c.painter.drawRects(rects);
}

QColor farFill(const DiagramCanvas& c, const DiagramBox& box) {
    if (c.selected(box)) return c.theme.accent;
    if (box.health == BoxHealth::down) return c.theme.severity(Severity::fail);
    if (box.health == BoxHealth::degraded) return c.theme.severity(Severity::attention);
    if (box.role == BoxRole::fabric) return fabricFill(box, c.theme);
    return box.parent.isEmpty() ? c.theme.box_border : c.theme.box;
}

void drawFarDevices(const DiagramCanvas& c, const Layer& layer) {
    std::map<QRgb, Rects> fills;
    for (const Seen& seen : layer.devices) fills[farFill(c, *seen.box).rgba()].append(seen.pixels.toRect());
    c.painter.setPen(Qt::NoPen);
    for (const auto& [colour, rects] : fills) fillRects(c, QColor::fromRgba(colour), rects);
}

/// Outer ones first. What is selected, broken or stands for several is drawn by itself on top of its depth.
void drawFarContainers(const DiagramCanvas& c, const Layer& layer) {
    struct Depth {
        Rects outer, inner;
        std::vector<const Seen*> special;
    };
    std::map<int, Depth> depths;
    for (const Seen& seen : layer.containers) {
        Depth& depth = depths[seen.depth];
        if (c.selected(*seen.box) || seen.box->health != BoxHealth::up || seen.box->stands_for > 1) {
            depth.special.push_back(&seen);
            continue;
        }
        const QRect outer = seen.pixels.toRect();
        depth.outer.append(outer);
        depth.inner.append(outer.adjusted(1, 1, -1, -1));
    }
    for (const auto& [level, depth] : depths) {
        c.painter.setPen(Qt::NoPen);
        fillRects(c, c.theme.border, depth.outer);
        fillRects(c, c.theme.container, depth.inner);
        for (const Seen* seen : depth.special) drawContainer(c, seen->pixels, *seen->box);
    }
}

/// Only the outermost containers with room for it bear their name.
void drawFarLabels(const DiagramCanvas& c, const Layer& layer) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    QSet<QString> named;  // keys of boxes that bear a name or lie in one that does
    for (const Seen& seen : layer.containers)
        if ((!seen.box->parent.isEmpty() && named.contains(seen.box->parent)) ||
            labels.paintAcross(*seen.box, seen.pixels))
            named.insert(seen.box->key);
}

// ---- near

/// Moves the painter to the corner of a box, in canvas units.
void paintLabel(const DiagramCanvas& c, const LabelPainter& labels, const DiagramBox& box, QPointF corner) {
    const QTransform before = c.painter.transform();
    c.painter.translate(corner);
    c.painter.scale(c.zoom.scale, c.zoom.scale);
    labels.paint(box, box.rect.size());
    c.painter.setTransform(before);
}

void drawWhole(const DiagramCanvas& c, const LabelPainter& labels, const DiagramBox& box, const QRectF& pixels) {
    drawDevice(c, pixels, box);
    if (c.zoom.scale >= LevelOfDetail::text) paintLabel(c, labels, box, pixels.topLeft());
}

void drawDevices(const DiagramCanvas& c, const Layer& layer, DiagramSprites* sprites) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    for (const Seen& seen : layer.devices) {
        const DiagramBox& box = *seen.box;
        const bool usual = sprites && box.health == BoxHealth::up && !c.selected(box) && box.stands_for <= 1;
        if (!usual) {
            drawWhole(c, labels, box, seen.pixels);
            continue;
        }
        sprites->draw(c.painter, box, seen.pixels, [&](QPainter& painter, const QRectF& place) {
            const DiagramCanvas within{painter, c.scene, c.zoom, c.visible, c.theme, c.overlay};
            drawWhole(within, LabelPainter(painter, c.theme, c.zoom.scale), box, place);
        });
    }
}

void drawContainerLabels(const DiagramCanvas& c, const Layer& layer) {
    const LabelPainter labels(c.painter, c.theme, c.zoom.scale);
    for (const Seen& seen : layer.containers) paintLabel(c, labels, *seen.box, seen.pixels.topLeft());
}

/// Rings around the boxes that were clicked, and around the ends of a path.
void drawPicked(const DiagramCanvas& c, const Layer& layer) {
    c.painter.setBrush(Qt::NoBrush);
    for (const Seen& seen : layer.devices) {
        if (!seen.box->on_path && !c.overlay.picked_keys.contains(seen.box->key)) continue;
        c.painter.setPen(QPen(c.theme.accent, 2));
        c.painter.drawRoundedRect(seen.pixels.adjusted(-3, -3, 3, 3), 6, 6);
    }
}

void drawLayer(const DiagramCanvas& c, const Layer& layer, bool cables, DiagramSprites* sprites) {
    if (c.near())
        for (const Seen& seen : layer.containers) drawContainer(c, seen.pixels, *seen.box);
    else drawFarContainers(c, layer);
    if (cables) {
        paintStrokes(c);
        paintCables(c);
    }
    if (c.near()) drawDevices(c, layer, sprites);
    else drawFarDevices(c, layer);
    if (c.zoom.scale < LevelOfDetail::text) drawFarLabels(c, layer);
    else drawContainerLabels(c, layer);
    if (!c.overlay.picked_keys.isEmpty() || !c.data().card.isEmpty()) drawPicked(c, layer);
}

}  // namespace

void paintDiagram(QPainter& painter, const DiagramScene& scene, const DiagramZoom& zoom, const QRectF& visible,
                  const Theme& theme, const DiagramOverlay& overlay, DiagramSprites* sprites) {
    painter.save();
    const DiagramCanvas canvas{painter, scene, zoom, visible, theme, overlay};
    painter.setRenderHint(QPainter::Antialiasing, canvas.near());
    const Layer standing = layerOf(canvas, false);
    drawLayer(canvas, standing, true, sprites);
    if (!overlay.moving_keys.isEmpty()) drawLayer(canvas, layerOf(canvas, true), false, sprites);
    std::vector<QRectF> devices;
    for (const Seen& seen : standing.devices) devices.push_back(seen.pixels);
    for (const Seen& seen : standing.containers)  // their titles
        devices.push_back(zoom.map(
            QRectF(seen.box->rect.topLeft() + QPointF(0, seen.box->title_y), QSizeF(seen.box->rect.width(), 24))));
    paintCableLabels(canvas, devices);
    painter.restore();
}

}  // namespace crosspoint::ui
