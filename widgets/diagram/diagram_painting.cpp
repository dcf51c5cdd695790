#include "widgets/diagram/diagram_painting.hpp"

#include <map>

#include <QCoreApplication>

namespace crosspoint::ui {
namespace {

constexpr double titleStrip = 24;
constexpr double inset = 8;

struct Canvas {
    QPainter& painter;
    const DiagramZoom& zoom;
    const QRectF& visible;  // pixels
    const Theme& theme;
    const DiagramOverlay& overlay;

    [[nodiscard]] QPointF shiftOf(const QString& key) const {
        return overlay.moving_keys.contains(key) ? overlay.shift : QPointF();
    }
    [[nodiscard]] QRectF pixels(const DiagramBox& box) const { return zoom.map(box.rect.translated(shiftOf(box.key))); }
    [[nodiscard]] bool selected(const DiagramBox& box) const {
        return box.role != BoxRole::fabric && overlay.selected_ids.contains(box.id);
    }
};

QFont scaled(QFont font, double scale) {
    font.setPixelSize(std::max(1, int(std::lround(font.pixelSize() * std::clamp(scale, 0.1, 2.5)))));
    return font;
}

bool isContainer(const DiagramBox& box) { return box.role == BoxRole::container || box.role == BoxRole::domain; }

void drawText(const Canvas& c, const QFont& font, const QColor& colour, const QRectF& area, int flags,
              const QString& text) {
    const QFontMetricsF metrics(font);
    const QString elided = metrics.elidedText(text, Qt::ElideRight, area.width());
    if (elided.size() < 2 && text.size() > 1) return;
    c.painter.setFont(font);
    c.painter.setPen(colour);
    c.painter.drawText(area, flags | Qt::TextSingleLine, elided);
}

void drawOutline(const Canvas& c, const QRectF& r, const QColor& fill, const QPen& pen, double radius) {
    c.painter.setBrush(fill);
    c.painter.setPen(pen);
    if (c.zoom.scale < LevelOfDetail::outline) c.painter.drawRect(r);
    else c.painter.drawRoundedRect(r, radius * c.zoom.scale, radius * c.zoom.scale);
}

void drawStack(const Canvas& c, const QRectF& r, const DiagramBox& box, double radius) {
    if (box.stands_for <= 1) return;
    for (int sheet = 2; sheet >= 1; --sheet)
        drawOutline(c, r.translated(4.0 * sheet * c.zoom.scale, -4.0 * sheet * c.zoom.scale), c.theme.box,
                    QPen(c.theme.border, 1), radius);
}

QPen outlinePen(const Canvas& c, const DiagramBox& box, const QColor& normal, double width) {
    if (c.selected(box)) return {c.theme.accent, std::max(2.0, width)};
    switch (box.health) {
        case BoxHealth::down: return {c.theme.severity(Severity::fail), std::max(1.5, width), Qt::DashLine};
        case BoxHealth::degraded: return {c.theme.severity(Severity::attention), std::max(1.5, width), Qt::DashLine};
        case BoxHealth::up: break;
    }
    return {normal, width};
}

QString counted(const DiagramBox& box) {
    return box.stands_for > 1 ? QStringLiteral("%1 ×%2").arg(box.title).arg(box.stands_for) : box.title;
}

void drawContainerTitle(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    if (c.zoom.scale < LevelOfDetail::text) return;
    const double s = c.zoom.scale;
    const QFont bold = scaled(c.theme.boldFont(), s), small = scaled(c.theme.secondaryFont(), s);
    const QRectF strip(r.left() + inset * s, r.top() + box.title_y * s, r.width() - 2 * inset * s, titleStrip * s);
    const double titleWidth = QFontMetricsF(bold).horizontalAdvance(counted(box));
    const double room = strip.width() - titleWidth - 10 * s;
    drawText(c, bold, c.theme.text, strip, Qt::AlignLeft | Qt::AlignVCenter, counted(box));
    if (QFontMetricsF(small).horizontalAdvance(box.subtitle) <= room)
        drawText(c, small, c.theme.secondary, strip, Qt::AlignRight | Qt::AlignVCenter, box.subtitle);
}

/// A container far away is one block with its name across.
void drawAggregate(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    const QFont font = c.theme.secondaryFont();
    if (r.width() > 40 && r.height() > 14) drawText(c, font, c.theme.secondary, r, Qt::AlignCenter, counted(box));
}

void drawContainer(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    drawStack(c, r, box, 8);
    const QColor fill = c.selected(box) ? c.theme.accent_fill : c.theme.container;
    drawOutline(c, r, fill, outlinePen(c, box, c.theme.border, box.role == BoxRole::domain ? 1.5 : 1.0), 8);
    if (c.zoom.scale < LevelOfDetail::inside * 2) drawAggregate(c, r, box);
    else drawContainerTitle(c, r, box);
}

void drawFabric(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    const LoadClass load = loadClass(box.load);
    QColor fill = load == LoadClass::none ? c.theme.border : c.theme.load(load);
    if (c.theme.is_dark && load != LoadClass::none) fill = fill.darker(165);
    if (box.health != BoxHealth::up)
        fill = c.theme.severity(box.health == BoxHealth::down ? Severity::fail : Severity::attention);
    drawOutline(c, r, fill, QPen(Qt::NoPen), 3);
    if (c.zoom.scale >= LevelOfDetail::text)
        drawText(c, scaled(c.theme.secondaryFont(), c.zoom.scale), c.theme.textOn(fill), r.adjusted(4, 0, -4, 0),
                 Qt::AlignCenter, box.title);
}

void drawDevice(const Canvas& c, const QRectF& r, const DiagramBox& box) {
    const bool strong = box.role == BoxRole::network_switch;
    drawStack(c, r, box, 3);
    const QColor fill = c.selected(box) ? c.theme.accent_fill : c.theme.box;
    drawOutline(c, r, fill, outlinePen(c, box, strong ? c.theme.text : c.theme.box_border, strong ? 1.2 : 1.0), 3);
    if (c.zoom.scale < LevelOfDetail::text || r.height() < 12) return;
    drawText(c, scaled(c.theme.secondaryFont(), c.zoom.scale), c.theme.text, r.adjusted(2, 0, -2, 0), Qt::AlignCenter,
             counted(box));
}

void drawBox(const Canvas& c, const DiagramBox& box) {
    const QRectF r = c.pixels(box);
    if (!r.adjusted(-2, -12, 12, 2).intersects(c.visible)) return;
    if (c.zoom.scale < LevelOfDetail::inside && !isContainer(box) && !box.parent.isEmpty()) return;
    if (isContainer(box)) drawContainer(c, r, box);
    else if (box.role == BoxRole::fabric) drawFabric(c, r, box);
    else drawDevice(c, r, box);
}

struct CableStyle {
    int load = 0;    // LoadClass
    int width = 1;   // tenths of a pixel
    int health = 0;  // BoxHealth
    bool selected = false;
    auto operator<=>(const CableStyle&) const = default;
};

QPen penOf(const Canvas& c, const CableStyle& style) {
    const double width = style.width / 10.0 * std::clamp(c.zoom.scale, 0.3, 1.5);
    if (style.selected) return {c.theme.accent, std::max(2.5, width)};
    if (style.health == int(BoxHealth::down)) return {c.theme.severity(Severity::fail), 1.5, Qt::DotLine};
    const Qt::PenStyle line = style.health == int(BoxHealth::degraded) ? Qt::DashLine : Qt::SolidLine;
    return {c.theme.load(LoadClass(style.load)), std::max(0.5, width), line, Qt::FlatCap};
}

/// Cables of one look are drawn in one call; the busiest last, so that they lie on top.
void drawCables(const Canvas& c, const DiagramData& data) {
    std::map<CableStyle, QVector<QLineF>> batches;
    for (const DiagramCable& cable : data.cables) {
        const QLineF line(c.zoom.map(cable.start + c.shiftOf(cable.from)), c.zoom.map(cable.end + c.shiftOf(cable.to)));
        const QRectF bounds = QRectF(line.p1(), line.p2()).normalized().adjusted(-3, -3, 3, 3);
        if (!bounds.intersects(c.visible)) continue;
        const CableStyle style{int(loadClass(cable.load)), int(cableWidth(cable.load) * 10), int(cable.health),
                               c.overlay.selected_ids.contains(cable.id)};
        batches[style].append(line);
    }
    for (const auto& [style, lines] : batches) {
        c.painter.setPen(penOf(c, style));
        c.painter.drawLines(lines);
    }
}

/// Cables lie between containers and what is in them, so that a cable never hides a label.
void drawInOrder(const Canvas& c, const DiagramData& data) {
    for (const DiagramBox& box : data.boxes)
        if (isContainer(box)) drawBox(c, box);
    drawCables(c, data);
    for (const DiagramBox& box : data.boxes)
        if (!isContainer(box)) drawBox(c, box);
}

double legendEntry(QPainter& painter, double x, double y, LoadClass load, const QString& text, const Theme& theme) {
    painter.setPen(QPen(theme.load(load), 4, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(x, y), QPointF(x + 24, y));
    painter.setPen(theme.secondary);
    painter.setFont(theme.secondaryFont());
    const QFontMetricsF metrics(theme.secondaryFont());
    painter.drawText(QPointF(x + 30, y + metrics.ascent() / 2 - 1), text);
    return x + 30 + metrics.horizontalAdvance(text) + 20;
}

}  // namespace

double cableWidth(double load) { return load <= 0 ? 1.0 : 1.2 + 2.6 * std::min(load, 1.0); }

void paintDiagram(QPainter& painter, const DiagramData& data, const DiagramZoom& zoom, const QRectF& visible,
                  const Theme& theme, const DiagramOverlay& overlay) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, zoom.scale >= LevelOfDetail::outline);
    drawInOrder({painter, zoom, visible, theme, overlay}, data);
    painter.restore();
}

void paintCaptions(QPainter& painter, const DiagramData& data, const QRectF& area, const Theme& theme) {
    painter.save();
    const QFontMetricsF bold(theme.boldFont()), small(theme.secondaryFont());
    const double left = area.left() + 12, top = area.top() + 8;
    const double captionWidth = bold.horizontalAdvance(data.caption);
    QRectF plate(area.left(), area.top(), area.width(), 30);
    if (!data.caption.isEmpty()) {
        QColor ground = theme.canvas;
        ground.setAlphaF(0.85f);
        painter.fillRect(plate, ground);
    }
    painter.setFont(theme.boldFont());
    painter.setPen(theme.text);
    painter.drawText(QPointF(left, top + bold.ascent()), data.caption);
    painter.setFont(theme.secondaryFont());
    painter.setPen(theme.secondary);
    const double room = area.right() - 12 - (left + captionWidth + 16);
    painter.drawText(QPointF(left + captionWidth + 16, top + bold.ascent()),
                     small.elidedText(data.caption_detail, Qt::ElideRight, room));
    const double bottom = area.bottom() - 14;
    double x = left;
    if (data.legend) {
        QColor ground = theme.canvas;
        ground.setAlphaF(0.85f);
        painter.fillRect(QRectF(area.left(), area.bottom() - 28, area.width(), 28), ground);
        x = legendEntry(painter, x, bottom, LoadClass::low, QCoreApplication::translate("Diagram", "< 40 %"), theme);
        x = legendEntry(painter, x, bottom, LoadClass::middle, QCoreApplication::translate("Diagram", "40–80 %"),
                        theme);
        x = legendEntry(painter, x, bottom, LoadClass::high,
                        QCoreApplication::translate("Diagram", "> 80 % of the time busy"), theme);
    }
    painter.setFont(theme.secondaryFont());
    painter.setPen(theme.loadText(loadClass(data.critical_load)));
    const QRectF critical(x, bottom - 10, area.right() - 12 - x, 20);
    if (critical.width() > 60)
        painter.drawText(critical, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                         small.elidedText(data.critical, Qt::ElideRight, critical.width()));
    painter.restore();
}

}  // namespace crosspoint::ui
