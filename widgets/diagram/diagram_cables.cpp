#include <algorithm>
#include <cmath>
#include <map>

#include "widgets/diagram/diagram_canvas.hpp"

namespace crosspoint::ui {
namespace {

constexpr double wrapMark = 3;          // px, radius of the mark where a line goes on at the other side
constexpr std::size_t mostLabels = 60;  // figures beside cables in one picture

struct CableStyle {
    int emphasis = 0;  // 1: others are on the path; 2: hovered; 3: on the path; 4: selected
    int load = 0;      // LoadClass
    int width = 10;    // tenths of a pixel
    int health = 0;    // BoxHealth
    auto operator<=>(const CableStyle&) const = default;
};
enum Emphasis { plain = 0, hovered = 2, onPath = 3, selected = 4 };

QPen penOf(const DiagramCanvas& c, const CableStyle& style) {
    const double width = style.width / 10.0 * std::clamp(c.zoom.scale, 0.3, 1.5);
    if (style.emphasis == selected) return {c.theme.accent, std::max(3.0, width), Qt::SolidLine, Qt::FlatCap};
    if (style.emphasis == onPath) return {c.theme.accent, std::max(4.0, width), Qt::SolidLine, Qt::RoundCap};
    if (style.health == int(BoxHealth::down)) return {c.theme.severity(Severity::fail), 1.5, Qt::DotLine, Qt::FlatCap};
    const Qt::PenStyle line = style.health == int(BoxHealth::degraded) ? Qt::DashLine : Qt::SolidLine;
    const QColor colour = c.theme.load(LoadClass(style.load));
    if (style.emphasis == hovered) return {colour, std::max(3.0, width + 1.5), line, Qt::FlatCap};
    return {colour, std::max(0.5, width), line, Qt::FlatCap};
}

/// Without smoothing a line of one pixel is many times as fast as any other.
QPen plainPen(const DiagramCanvas& c, const CableStyle& style) {
    QPen pen = penOf(c, style);
    if (style.emphasis == plain) pen.setWidthF(pen.widthF() < 1.6 ? 1 : 2);
    return pen;
}

QLineF lineOf(const DiagramCanvas& c, const DiagramCable& cable) {
    QLineF line(cable.start, cable.end);
    if (!c.overlay.moving_keys.isEmpty()) {
        if (c.overlay.moving_keys.contains(cable.from)) line.setP1(line.p1() + c.overlay.shift);
        if (c.overlay.moving_keys.contains(cable.to)) line.setP2(line.p2() + c.overlay.shift);
    }
    return {c.zoom.map(line.p1()), c.zoom.map(line.p2())};
}

bool inView(const DiagramCanvas& c, const QLineF& line) {
    const auto [left, right] = std::minmax({line.x1(), line.x2()});
    const auto [top, bottom] = std::minmax({line.y1(), line.y2()});
    return left < c.visible.right() + 4 && right > c.visible.left() - 4 && top < c.visible.bottom() + 4 &&
           bottom > c.visible.top() - 4;
}

CableStyle styleOf(const DiagramCanvas& c, const DiagramCable& cable) {
    CableStyle style;
    style.load = int(loadClass(cable.load));
    style.width = int(std::lround(cableWidth(cable.load) * 10));
    style.health = int(cable.health);
    if (cable.on_path) style.emphasis = onPath;
    else if (!c.overlay.selected_ids.isEmpty() && c.overlay.selected_ids.contains(cable.id)) style.emphasis = selected;
    else if (!c.overlay.hovered_cable.isEmpty() && c.overlay.hovered_cable == cable.id) style.emphasis = hovered;
    return style;
}

QPen strokePen(const DiagramCanvas& c, const DiagramStroke& stroke) {
    if (stroke.health == BoxHealth::down) return {c.theme.severity(Severity::fail), 1.2, Qt::DotLine};
    const double width = std::max(0.5, cableWidth(stroke.load) * std::clamp(c.zoom.scale, 0.3, 1.5));
    return {c.theme.load(loadClass(stroke.load)), width,
            stroke.health == BoxHealth::degraded ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap};
}

}  // namespace

double cableWidth(double load) { return load > 0 ? 1.0 + 4.0 * std::min(load, 1.0) : 1.0; }

void paintStrokes(const DiagramCanvas& c) {
    if (c.data().strokes.empty() || c.zoom.scale < LevelOfDetail::outline / 2) return;
    c.painter.setRenderHint(QPainter::Antialiasing, c.near());
    for (const DiagramStroke& stroke : c.data().strokes) {
        const bool moved = !c.overlay.moving_keys.isEmpty() && c.overlay.moving_keys.contains(stroke.owner);
        const QPointF shift = moved ? c.overlay.shift : QPointF();
        const QLineF line(c.zoom.map(stroke.line.p1() + shift), c.zoom.map(stroke.line.p2() + shift));
        if (!inView(c, line)) continue;
        c.painter.setPen(strokePen(c, stroke));
        c.painter.setBrush(Qt::NoBrush);
        c.painter.drawLine(line);
        if (stroke.wrap && c.near()) c.painter.drawEllipse(line.p2(), wrapMark, wrapMark);
    }
}

void paintCables(const DiagramCanvas& c) {
    std::map<CableStyle, QVector<QLineF>> batches;
    std::size_t lines = 0;
    for (const DiagramCable& cable : c.data().cables) {
        const QLineF line = lineOf(c, cable);
        if (!inView(c, line)) continue;
        batches[styleOf(c, cable)].append(line);
        ++lines;
    }
    const bool smooth = lines <= LevelOfDetail::smooth;
    for (const auto& [style, batch] : batches) {
        c.painter.setRenderHint(QPainter::Antialiasing, smooth || style.emphasis != plain);
        c.painter.setPen(smooth ? penOf(c, style) : plainPen(c, style));
        c.painter.drawLines(batch);
    }
    c.painter.setRenderHint(QPainter::Antialiasing, c.near());
}

void paintCableLabels(const DiagramCanvas& c, const std::vector<QRectF>& devices) {
    if (c.zoom.scale < LevelOfDetail::text) return;
    std::vector<const DiagramCable*> labelled;
    for (const DiagramCable& cable : c.data().cables)
        if (!cable.label.isEmpty() && inView(c, lineOf(c, cable))) labelled.push_back(&cable);
    std::stable_sort(labelled.begin(), labelled.end(), [](const auto* a, const auto* b) { return a->load > b->load; });
    const QFont font = c.theme.secondaryFont();
    const QFontMetricsF metrics(font);
    std::vector<QRectF> taken;
    QSet<QString> said;
    c.painter.setFont(font);
    for (const DiagramCable* cable : labelled) {
        if (taken.size() >= mostLabels) break;
        if (said.contains(cable->id)) continue;
        const QLineF line = lineOf(c, *cable);
        const QSizeF size(metrics.horizontalAdvance(cable->label) + 8, 15);
        if (line.length() < size.height() * 2) continue;
        for (const double at : {0.5, 0.35, 0.65, 0.22, 0.78}) {
            QRectF plate(QPointF(), size);
            plate.moveCenter(line.pointAt(at));
            const auto hits = [&](const QRectF& other) { return other.intersects(plate); };
            if (!c.visible.contains(plate) || std::any_of(taken.begin(), taken.end(), hits) ||
                std::any_of(devices.begin(), devices.end(), hits))
                continue;
            QColor ground = c.theme.canvas;
            ground.setAlphaF(0.92f);
            c.painter.fillRect(plate, ground);
            c.painter.setPen(c.theme.loadText(loadClass(cable->load)));
            c.painter.drawText(plate, Qt::AlignCenter | Qt::TextSingleLine, cable->label);
            taken.push_back(plate);
            said.insert(cable->id);
            break;
        }
    }
}

}  // namespace crosspoint::ui
