#include "widgets/diagram/diagram_labels.hpp"

#include <algorithm>
#include <cmath>

#include "widgets/diagram/diagram_scene.hpp"

namespace crosspoint::ui {
namespace {

constexpr double titleStrip = 24, inset = 10, badgeHeight = 14, badgePadding = 4, markSide = 11;
constexpr double chevronRoom = 14, pinRoom = 12;
constexpr double leastPixels = 9;      // of a font
constexpr double leastName = 24;       // canvas units; less is not worth a shortened name
constexpr qsizetype leastLetters = 3;  // of a shortened name, the ellipsis included

QFont grown(QFont font, double by) {
    font.setPixelSize(int(std::lround(font.pixelSize() * by)));
    return font;
}

QFont strongFont(const Theme& theme) {
    QFont font = theme.secondaryFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

QString countText(const DiagramBox& box) {
    return box.stands_for > 1 ? QStringLiteral("×%1").arg(box.stands_for) : QString();
}

double widthOf(const QFont& font, const QString& text) {
    return text.isEmpty() ? 0 : QFontMetricsF(font).horizontalAdvance(text) + 1;
}

}  // namespace

QRectF collapseMark(const DiagramBox& box, const DiagramZoom& zoom) {
    if (!box.collapsible || zoom.scale < LevelOfDetail::text) return {};
    const QPointF corner = zoom.map(box.rect.topLeft() + QPointF(0, box.title_y));
    return {corner, QSizeF(inset + chevronRoom, titleStrip) * zoom.scale};
}

QColor fabricFill(const DiagramBox& box, const Theme& theme) {
    if (box.health == BoxHealth::down) return theme.severity(Severity::fail);
    if (box.health == BoxHealth::degraded) return theme.severity(Severity::attention);
    const LoadClass load = loadClass(box.load);
    if (load == LoadClass::none) return theme.border;
    return theme.is_dark ? theme.load(load).darker(170) : theme.load(load);
}

LabelPainter::LabelPainter(QPainter& painter, const Theme& theme, double scale)
    : painter_(painter),
      theme_(theme),
      grow_(std::max(1.0, leastPixels / (theme.secondaryFont().pixelSize() * scale))),
      bold_(grown(theme.boldFont(), grow_)),
      small_(grown(theme.secondaryFont(), grow_)),
      strong_(grown(strongFont(theme), grow_)) {}

void LabelPainter::paint(const DiagramBox& box, const QSizeF& size) const {
    if (holdsOthers(box)) paintContainer(box, size);
    else if (box.role == BoxRole::fabric) paintFabric(box, size);
    else paintDevice(box, size);
}

void LabelPainter::paintText(const QFont& font, const QColor& colour, const QRectF& area, int side,
                             const QString& text) const {
    const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width());
    if (shown != text && shown.size() < leastLetters) return;
    painter_.setFont(font);
    painter_.setPen(colour);
    painter_.drawText(area, side | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

double LabelPainter::badgeWidth(const DiagramBox& box) const {
    const double text = widthOf(strong_, countText(box));
    return text > 0 ? text + 2 * badgePadding * grow_ : 0;
}

void LabelPainter::paintBadge(const DiagramBox& box, QPointF leftMiddle) const {
    const double height = badgeHeight * grow_;
    const QRectF pill(leftMiddle.x(), leftMiddle.y() - height / 2, badgeWidth(box), height);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.border);
    painter_.drawRoundedRect(pill, 3 * grow_, 3 * grow_);
    paintText(strong_, theme_.textOn(theme_.border), pill, Qt::AlignHCenter, countText(box));
}

/// A shape for what is not whole, so that colour is not the only sign; its width.
double LabelPainter::paintMark(const DiagramBox& box, QPointF rightMiddle) const {
    if (box.health == BoxHealth::up) return 0;
    const double side = markSide * grow_;
    const QRectF mark(rightMiddle.x() - side, rightMiddle.y() - side / 2, side, side);
    drawSeverity(painter_, mark, box.health == BoxHealth::down ? Severity::fail : Severity::attention, theme_);
    return side + 4;
}

/// A triangle: to the right when closed, down when open.
void LabelPainter::paintChevron(QPointF middle, bool collapsed) const {
    constexpr double a = 4, b = 2.6;
    const QPolygonF open{QPointF(-a, -b), QPointF(a, -b), QPointF(0, a - 0.4)};
    const QPolygonF closed{QPointF(-b, -a), QPointF(a - 0.4, 0), QPointF(-b, a)};
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.secondary);
    painter_.drawPolygon((collapsed ? closed : open).translated(middle));
}

void LabelPainter::paintPin(QPointF middle) const {
    painter_.setPen(QPen(theme_.secondary, 1.2));
    painter_.setBrush(theme_.secondary);
    painter_.drawEllipse(middle - QPointF(0, 2.5), 2.6, 2.6);
    painter_.drawLine(middle, middle + QPointF(0, 5));
}

void LabelPainter::paintContainer(const DiagramBox& box, const QSizeF& size) const {
    QRectF strip(inset, box.title_y, size.width() - 2 * inset, std::min(titleStrip, size.height() - box.title_y));
    if (box.collapsible) {
        paintChevron({strip.left() + 3, strip.center().y()}, box.collapsed);
        strip.setLeft(strip.left() + chevronRoom);
    }
    if (box.pinned) {
        paintPin({strip.right() - 3, strip.center().y()});
        strip.setRight(strip.right() - pinRoom);
    }
    strip.setRight(strip.right() - paintMark(box, {strip.right(), strip.center().y()}));
    const double badge = badgeWidth(box), badgeRoom = badge > 0 ? badge + 6 * grow_ : 0;
    const double title = std::min(widthOf(bold_, box.title), strip.width() - badgeRoom);
    const double note = widthOf(small_, box.subtitle);
    const QRectF named(strip.left(), strip.top() + 2, title, strip.height() - 4);
    painter_.fillRect(named, theme_.container);  // hides cables behind the words
    paintText(bold_, theme_.text, named, Qt::AlignLeft, box.title);
    if (badge > 0) paintBadge(box, {named.right() + 6 * grow_, strip.center().y()});
    if (note <= 0 || note + 12 > strip.width() - title - badgeRoom) return;
    const QRectF noted(strip.right() - note, named.top(), note, named.height());
    painter_.fillRect(noted, theme_.container);
    paintText(small_, theme_.secondary, noted, Qt::AlignRight, box.subtitle);
}

/// Width of the name of a device beside its count; 0 where only the count has room.
double LabelPainter::nameWidth(const DiagramBox& box, double room) const {
    const double natural = widthOf(small_, box.title);
    if (natural <= room) return natural;
    return box.stands_for > 1 && room < leastName * grow_ ? 0 : room;
}

void LabelPainter::paintDevice(const DiagramBox& box, const QSizeF& size) const {
    if (size.height() < 12 * grow_) return;
    QRectF room(3, 0, size.width() - 6, size.height());
    room.setRight(room.right() - paintMark(box, {room.right(), room.center().y()}));
    if (box.pinned) {
        paintPin({room.right() - 3, room.center().y()});
        room.setRight(room.right() - pinRoom);
    }
    const double badge = badgeWidth(box), gap = badge > 0 ? 5 * grow_ : 0;
    const double name = nameWidth(box, room.width() - badge - gap);
    const double used = name > 0 ? name + gap + badge : badge;
    const double left = room.left() + std::max(0.0, room.width() - used) / 2;
    if (name > 0) paintText(small_, theme_.text, QRectF(left, 0, name, size.height()), Qt::AlignHCenter, box.title);
    if (badge > 0) paintBadge(box, {left + used - badge, room.center().y()});
}

void LabelPainter::paintFabric(const DiagramBox& box, const QSizeF& size) const {
    if (size.height() < 12 * grow_) return;
    const QRectF room(6, 0, size.width() - 12, size.height());
    const bool fits = widthOf(strong_, box.title) <= room.width();
    paintText(fits ? strong_ : small_, theme_.textOn(fabricFill(box, theme_)), room, Qt::AlignHCenter, box.title);
}

bool LabelPainter::paintAcross(const DiagramBox& box, const QRectF& pixels) const {
    if (pixels.height() < 16 || pixels.width() < 20) return false;
    const QFont font = theme_.secondaryFont();
    const QString text = box.stands_for > 1 ? box.title + QLatin1Char(' ') + countText(box) : box.title;
    const double width = widthOf(font, text);
    if (width > pixels.width() - 8) return false;
    QRectF named(0, 0, width + 6, 15);
    named.moveCenter(pixels.center());
    QColor ground = theme_.container;
    ground.setAlphaF(0.9f);
    painter_.fillRect(named, ground);
    paintText(font, theme_.text, named, Qt::AlignHCenter, text);
    return true;
}

}  // namespace crosspoint::ui
