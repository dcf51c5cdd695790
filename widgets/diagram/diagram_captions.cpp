#include "widgets/diagram/diagram_captions.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <QCoreApplication>

namespace crosspoint::ui {
namespace {

constexpr double edge = 12;      // captions to the sides of the area
constexpr double topStrip = 34;  // caption
constexpr double footRow = 22;   // legend, critical text
constexpr double gap = 20;       // between neighbours
constexpr double swatch = 24, swatchGap = 6;

QString tr(const char* text) { return QCoreApplication::translate("Diagram", text); }

QFont strong(const Theme& theme) {
    QFont font = theme.secondaryFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

struct LegendEntry {
    LoadClass load;
    QString text;
};

std::array<LegendEntry, 3> legendEntries() {
    return {LegendEntry{LoadClass::low, tr("< 40 %")}, LegendEntry{LoadClass::middle, tr("40–80 %")},
            LegendEntry{LoadClass::high, tr("> 80 % of usable")}};
}

double legendWidth(const Theme& theme) {
    const QFontMetricsF metrics(theme.secondaryFont());
    double width = -gap;
    for (const LegendEntry& entry : legendEntries())
        width += swatch + swatchGap + metrics.horizontalAdvance(entry.text) + gap;
    return width;
}

double criticalWidth(const DiagramData& data, const Theme& theme) {
    return data.critical.isEmpty() ? 0 : QFontMetricsF(strong(theme)).horizontalAdvance(data.critical) + 1;
}

/// Legend and critical text stand in one row where both fit, else in two.
struct Foot {
    bool legend = false;
    int rows = 0;
};

Foot footOf(const DiagramData& data, double width, const Theme& theme) {
    const double room = width - 2 * edge, legend = legendWidth(theme);
    Foot foot;
    foot.legend = data.legend && legend <= room;
    foot.rows = (foot.legend ? 1 : 0) + (data.critical.isEmpty() ? 0 : 1);
    if (foot.rows == 2 && legend + gap + criticalWidth(data, theme) <= room) foot.rows = 1;
    return foot;
}

double footHeight(const Foot& foot) { return foot.rows == 0 ? 0 : foot.rows * footRow + 8; }

void paintLine(QPainter& painter, const QFont& font, const QColor& colour, const QRectF& area, int side,
               const QString& text) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(area, side | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width()));
}

void paintLegend(QPainter& painter, QPointF left, const Theme& theme) {
    const QFontMetricsF metrics(theme.secondaryFont());
    for (const LegendEntry& entry : legendEntries()) {
        painter.fillRect(QRectF(left.x(), left.y() - 2, swatch, 4), theme.load(entry.load));
        const double width = metrics.horizontalAdvance(entry.text) + 1;
        paintLine(painter, theme.secondaryFont(), theme.secondary,
                  QRectF(left.x() + swatch + swatchGap, left.y() - 10, width, 20), Qt::AlignLeft, entry.text);
        left.rx() += swatch + swatchGap + width - 1 + gap;
    }
}

void paintHead(QPainter& painter, const DiagramData& data, const QRectF& area, const Theme& theme) {
    if (data.caption.isEmpty() && data.caption_detail.isEmpty()) return;
    painter.fillRect(QRectF(area.topLeft(), QSizeF(area.width(), topStrip - 4)), theme.canvas);
    const QRectF row(area.left() + edge, area.top() + 5, area.width() - 2 * edge, 20);
    paintLine(painter, theme.boldFont(), theme.text, row, Qt::AlignLeft, data.caption);
    const double used =
        data.caption.isEmpty() ? 0 : QFontMetricsF(theme.boldFont()).horizontalAdvance(data.caption) + gap;
    if (row.width() - used > 60)
        paintLine(painter, theme.secondaryFont(), theme.secondary, row.adjusted(used, 0, 0, 0), Qt::AlignLeft,
                  data.caption_detail);
}

void paintFoot(QPainter& painter, const DiagramData& data, const QRectF& area, const Theme& theme) {
    const Foot foot = footOf(data, area.width(), theme);
    if (foot.rows == 0) return;
    const double height = footHeight(foot);
    painter.fillRect(QRectF(area.left(), area.bottom() - height, area.width(), height), theme.canvas);
    const double lowest = area.bottom() - 4 - footRow / 2;
    if (foot.legend) paintLegend(painter, {area.left() + edge, lowest}, theme);
    const double y = foot.legend && foot.rows == 2 ? lowest - footRow : lowest;
    paintLine(painter, strong(theme), theme.loadText(loadClass(data.critical_load)),
              QRectF(area.left() + edge, y - 10, area.width() - 2 * edge, 20), Qt::AlignRight, data.critical);
}

constexpr double cardRow = 16, cardPadding = 8;

QSizeF cardSize(const DiagramData& data, double widest, const Theme& theme) {
    double width = 0;
    for (const QString& line : data.card)
        width = std::max(width, QFontMetricsF(&line == &data.card.front() ? theme.boldFont() : theme.secondaryFont())
                                    .horizontalAdvance(line));
    return {std::min(width + 2 * cardPadding + 1, widest), cardRow * double(data.card.size()) + 2 * cardPadding - 4};
}

int hidden(const DiagramScene& scene, const DiagramZoom& zoom, const QRectF& plate) {
    int boxes = 0;
    scene.tree().visit(zoom.unmap(plate), [&](int i) {
        boxes += !holdsOthers(scene.data().boxes[std::size_t(i)]);
        return true;
    });
    return boxes;
}

}  // namespace

CaptionSpace captionSpace(const DiagramData& data, double width, const Theme& theme) {
    const bool head = !data.caption.isEmpty() || !data.caption_detail.isEmpty();
    return {head ? topStrip : 0, footHeight(footOf(data, width, theme))};
}

double captionWidth(const DiagramData& data, const Theme& theme) {
    const double head = QFontMetricsF(theme.boldFont()).horizontalAdvance(data.caption) + gap +
                        QFontMetricsF(theme.secondaryFont()).horizontalAdvance(data.caption_detail) + 1;
    const double legend = data.legend ? legendWidth(theme) : 0;
    return 2 * edge + std::max({head, legend, criticalWidth(data, theme)});
}

void paintCaptions(QPainter& painter, const DiagramData& data, const QRectF& area, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintHead(painter, data, area, theme);
    paintFoot(painter, data, area, theme);
    painter.restore();
}

void paintCard(QPainter& painter, const DiagramScene& scene, const DiagramZoom& zoom, const QRectF& area,
               const Theme& theme) {
    const DiagramData& data = scene.data();
    if (data.card.isEmpty()) return;
    const CaptionSpace space = captionSpace(data, area.width(), theme);
    const QRectF room = area.adjusted(edge, std::max(space.top, edge) + 2, -edge, -std::max(space.bottom, edge) - 2);
    QRectF plate(room.topLeft(), cardSize(data, room.width(), theme));
    int least = hidden(scene, zoom, plate);
    for (const Qt::Corner corner : {Qt::TopRightCorner, Qt::BottomLeftCorner, Qt::BottomRightCorner}) {
        QRectF other = plate;
        if (corner == Qt::TopRightCorner) other.moveTopRight(room.topRight());
        if (corner == Qt::BottomLeftCorner) other.moveBottomLeft(room.bottomLeft());
        if (corner == Qt::BottomRightCorner) other.moveBottomRight(room.bottomRight());
        const int boxes = hidden(scene, zoom, other);
        if (boxes < least) std::tie(least, plate) = std::tie(boxes, other);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.box_border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(plate.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    QRectF line(plate.left() + cardPadding, plate.top() + cardPadding - 2, plate.width() - 2 * cardPadding, cardRow);
    for (const QString& text : data.card) {
        const bool first = &text == &data.card.front();
        paintLine(painter, first ? theme.boldFont() : theme.secondaryFont(), first ? theme.text : theme.secondary, line,
                  Qt::AlignLeft, text);
        line.translate(0, cardRow);
    }
    painter.restore();
}

void paintEmptyHint(QPainter& painter, const QString& text, const QRectF& area, const Theme& theme) {
    if (text.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(theme.textFont());
    const double width = std::min(380.0, area.width() - 48);
    const QRectF wrapped = metrics.boundingRect(QRectF(0, 0, width, 1000), Qt::AlignCenter | Qt::TextWordWrap, text);
    QRectF plate(0, 0, width + 40, wrapped.height() + 40);
    plate.moveCenter(area.center());
    painter.setPen(QPen(theme.box_border, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(plate, 8, 8);
    painter.setFont(theme.textFont());
    painter.setPen(theme.secondary);
    painter.drawText(plate.adjusted(20, 10, -20, -10), Qt::AlignCenter | Qt::TextWordWrap, text);
    painter.restore();
}

DiagramMinimap minimap(const QRectF& bounds, const DiagramZoom& zoom, const QSizeF& view) {
    DiagramMinimap map;
    const QRectF seen(zoom.unmap({0, 0}), view / zoom.scale);
    if (bounds.isEmpty() || seen.contains(bounds) || view.width() < 360 || view.height() < 220) return map;
    map.frame = QRectF(view.width() - 150, 38, 138, 82);
    const QRectF inside = map.frame.adjusted(6, 6, -6, -6);
    map.zoom.scale = std::min(inside.width() / bounds.width(), inside.height() / bounds.height());
    map.zoom.offset = inside.center() - bounds.center() * map.zoom.scale;
    return map;
}

void paintMinimap(QPainter& painter, const DiagramMinimap& map, const DiagramData& data, const QRectF& seen,
                  const Theme& theme) {
    if (map.frame.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(map.frame.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QVector<QRectF> blocks;
    for (const DiagramBox& box : data.boxes)
        if (box.parent.isEmpty()) blocks.append(map.zoom.map(box.rect));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.box_border);
    painter.setRenderHint(QPainter::Antialiasing, blocks.size() < 1000);
    painter.drawRects(blocks);
    painter.setPen(QPen(theme.accent, 1.5));
    QColor glass = theme.accent;
    glass.setAlphaF(0.10f);
    painter.setBrush(glass);
    painter.drawRect(map.zoom.map(seen).intersected(map.frame.adjusted(2, 2, -2, -2)));
    painter.restore();
}

}  // namespace crosspoint::ui
