#include "widgets/diagram/diagram_labels.hpp"

#include "widgets/diagram/diagram_scene.hpp"

namespace crosspoint::ui {
namespace {

constexpr double titleStrip = 24, inset = 10, badgeHeight = 14, badgePadding = 4, markSide = 11;

QFont strong(const Theme& theme) {
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

double badgeWidth(const DiagramBox& box, const Theme& theme) {
    const double text = widthOf(strong(theme), countText(box));
    return text > 0 ? text + 2 * badgePadding : 0;
}

void paintText(QPainter& painter, const QFont& font, const QColor& colour, const QRectF& area, int side,
               const QString& text) {
    const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width());
    if (shown.size() < 2 && text.size() > 1) return;
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(area, side | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

void paintBadge(QPainter& painter, const DiagramBox& box, QPointF leftMiddle, const Theme& theme) {
    const QRectF pill(leftMiddle.x(), leftMiddle.y() - badgeHeight / 2, badgeWidth(box, theme), badgeHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(pill, 3, 3);
    paintText(painter, strong(theme), theme.textOn(theme.border), pill, Qt::AlignHCenter, countText(box));
}

/// A shape for what is not whole, so that colour is not the only sign.
double paintMark(QPainter& painter, const DiagramBox& box, QPointF rightMiddle, const Theme& theme) {
    if (box.health == BoxHealth::up) return 0;
    const QRectF mark(rightMiddle.x() - markSide, rightMiddle.y() - markSide / 2, markSide, markSide);
    drawSeverity(painter, mark, box.health == BoxHealth::down ? Severity::fail : Severity::attention, theme);
    return markSide + 4;
}

void paintContainerLabel(QPainter& painter, const DiagramBox& box, const QSizeF& size, const Theme& theme) {
    QRectF strip(inset, box.title_y, size.width() - 2 * inset, std::min(titleStrip, size.height() - box.title_y));
    strip.setRight(strip.right() - paintMark(painter, box, {strip.right(), strip.center().y()}, theme));
    const double badge = badgeWidth(box, theme), badgeRoom = badge > 0 ? badge + 6 : 0;
    const double title = std::min(widthOf(theme.boldFont(), box.title), strip.width() - badgeRoom);
    const double note = widthOf(theme.secondaryFont(), box.subtitle);
    const QRectF named(strip.left(), strip.top() + 4, title, strip.height() - 8);
    painter.fillRect(named, theme.container);  // hides cables behind the words
    paintText(painter, theme.boldFont(), theme.text, named, Qt::AlignLeft, box.title);
    if (badge > 0) paintBadge(painter, box, {named.right() + 6, strip.center().y()}, theme);
    if (note <= 0 || note + 12 > strip.width() - title - badgeRoom) return;
    const QRectF noted(strip.right() - note, named.top(), note, named.height());
    painter.fillRect(noted, theme.container);
    paintText(painter, theme.secondaryFont(), theme.secondary, noted, Qt::AlignRight, box.subtitle);
}

void paintDeviceLabel(QPainter& painter, const DiagramBox& box, const QSizeF& size, const Theme& theme) {
    if (size.height() < 12) return;
    QRectF room(3, 0, size.width() - 6, size.height());
    room.setRight(room.right() - paintMark(painter, box, {room.right(), room.center().y()}, theme));
    const double badge = badgeWidth(box, theme), badgeRoom = badge > 0 ? badge + 5 : 0;
    const double natural = widthOf(theme.secondaryFont(), box.title);
    double title = std::min(natural, room.width() - badgeRoom);
    if (title < 24 && title < natural && badge > 0) title = 0;  // no room for a name beside the count
    const double gap = title > 0 ? badgeRoom : badge;
    double x = room.left() + (room.width() - title - gap) / 2;
    if (title > 0)
        paintText(painter, theme.secondaryFont(), theme.text, QRectF(x, 0, title, size.height()), Qt::AlignLeft,
                  box.title);
    if (badge > 0) paintBadge(painter, box, {x + title + gap - badge, room.center().y()}, theme);
}

void paintFabricLabel(QPainter& painter, const DiagramBox& box, const QSizeF& size, const Theme& theme) {
    const QRectF room(6, 0, size.width() - 12, size.height());
    const bool fits = widthOf(strong(theme), box.title) <= room.width();
    paintText(painter, fits ? strong(theme) : theme.secondaryFont(), theme.textOn(fabricFill(box, theme)), room,
              Qt::AlignHCenter, box.title);
}

}  // namespace

QColor fabricFill(const DiagramBox& box, const Theme& theme) {
    if (box.health == BoxHealth::down) return theme.severity(Severity::fail);
    if (box.health == BoxHealth::degraded) return theme.severity(Severity::attention);
    const LoadClass load = loadClass(box.load);
    if (load == LoadClass::none) return theme.border;
    return theme.is_dark ? theme.load(load).darker(170) : theme.load(load);
}

void paintLabel(QPainter& painter, const DiagramBox& box, const QSizeF& size, const Theme& theme) {
    if (holdsOthers(box)) paintContainerLabel(painter, box, size, theme);
    else if (box.role == BoxRole::fabric) paintFabricLabel(painter, box, size, theme);
    else paintDeviceLabel(painter, box, size, theme);
}

bool paintFarLabel(QPainter& painter, const DiagramBox& box, const QRectF& pixels, const Theme& theme) {
    if (pixels.height() < 16) return false;
    const QString text = box.stands_for > 1 ? box.title + QLatin1Char(' ') + countText(box) : box.title;
    const QRectF room = pixels.adjusted(4, 0, -4, 0);
    if (widthOf(theme.secondaryFont(), text) > room.width()) return false;
    QRectF named(0, 0, widthOf(theme.secondaryFont(), text) + 6, 15);
    named.moveCenter(room.center());
    QColor ground = theme.container;
    ground.setAlphaF(0.9f);
    painter.fillRect(named, ground);
    paintText(painter, theme.secondaryFont(), theme.text, named, Qt::AlignHCenter, text);
    return true;
}

}  // namespace crosspoint::ui
