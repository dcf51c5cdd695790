// Severity shapes and action icons, drawn: no icon theme exists on a bare machine.
#include <cmath>
#include <vector>

#include <QIconEngine>
#include <QPainterPath>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {
namespace {

/// Icons are drawn on a square of 16 units.
constexpr double unit = 16.0;

QPainterPath polyline(std::initializer_list<QPointF> points) {
    QPainterPath path;
    for (const QPointF& p : points) path.elementCount() == 0 ? path.moveTo(p) : path.lineTo(p);
    return path;
}

QPainterPath pageOutline() { return polyline({{4, 2}, {10, 2}, {13, 5}, {13, 14}, {4, 14}, {4, 2}}); }

QPainterPath arrow(double x1, double y1, double x2, double y2) {
    QPainterPath path = polyline({{x1, y1}, {x2, y2}});
    const QPointF d = QPointF(x2 - x1, y2 - y1) / std::hypot(x2 - x1, y2 - y1) * 3.5, n(-d.y(), d.x());
    path.addPath(polyline({QPointF(x2, y2) - d + n, {x2, y2}, QPointF(x2, y2) - d - n}));
    return path;
}

QPainterPath turn(bool left) {
    QPainterPath path;
    path.moveTo(left ? 3.0 : 13.0, 6);
    path.cubicTo(8, 2, left ? 15.0 : 1.0, 6, left ? 12.0 : 4.0, 13);
    path.addPath(left ? polyline({{3, 2}, {3, 6}, {7, 6}}) : polyline({{13, 2}, {13, 6}, {9, 6}}));
    return path;
}

QPainterPath joined(std::initializer_list<QPainterPath> parts) {
    QPainterPath path;
    for (const QPainterPath& part : parts) path.addPath(part);
    return path;
}

QPainterPath rectangle(double x, double y, double w, double h) {
    QPainterPath path;
    path.addRect(x, y, w, h);
    return path;
}

QPainterPath circle(double x, double y, double radius) {
    QPainterPath path;
    path.addEllipse(QPointF(x, y), radius, radius);
    return path;
}

QPainterPath folder() {
    return polyline(
        {{2, 13}, {2, 3}, {6, 3}, {8, 5}, {13, 5}, {13, 7}, {4.5, 7}, {2, 13}, {12, 13}, {14.5, 7}, {13, 7}});
}

QPainterPath disk() {
    const QPainterPath body = polyline({{2, 2}, {11.5, 2}, {14, 4.5}, {14, 14}, {2, 14}, {2, 2}});
    return joined({body, rectangle(5, 9, 6, 5), rectangle(5, 2, 5, 3.5)});
}

QPainterPath pointer() {
    return polyline({{4, 2}, {4, 13}, {7, 10}, {9, 14}, {10.5, 13.2}, {8.6, 9.4}, {12.5, 9.2}, {4, 2}});
}

QPainterPath cable() { return joined({polyline({{5, 11}, {11, 5}}), circle(3.5, 12.5, 2.2), circle(12.5, 3.5, 2.2)}); }

QPainterPath frame() {
    return joined({polyline({{2, 6}, {2, 2}, {6, 2}}), polyline({{10, 2}, {14, 2}, {14, 6}}),
                   polyline({{14, 10}, {14, 14}, {10, 14}}), polyline({{6, 14}, {2, 14}, {2, 10}}),
                   rectangle(5.5, 5.5, 5, 5)});
}

QPainterPath bin() {
    return joined({polyline({{3, 4.5}, {13, 4.5}}), polyline({{4.5, 4.5}, {5.2, 14}, {10.8, 14}, {11.5, 4.5}}),
                   polyline({{6, 4}, {6.5, 2}, {9.5, 2}, {10, 4}})});
}

QPainterPath twoPages() {
    return joined({rectangle(2, 2, 8.5, 8.5), polyline({{12.5, 5.5}, {14, 5.5}, {14, 14}, {5.5, 14}, {5.5, 12.5}})});
}

QPainterPath outOfTray() {
    return joined({arrow(8, 11, 8, 2), polyline({{2.5, 9}, {2.5, 14}, {13.5, 14}, {13.5, 9}})});
}

QPainterPath writtenPage() {
    return joined(
        {pageOutline(), polyline({{6, 6}, {11, 6}}), polyline({{6, 8.5}, {11, 8.5}}), polyline({{6, 11}, {11, 11}})});
}

struct NamedPath {
    const char* name;
    QPainterPath path;
};

const std::vector<NamedPath>& actionPaths() {
    static const std::vector<NamedPath> paths{
        {"new", pageOutline()}, {"open", folder()},        {"save", disk()},        {"undo", turn(true)},
        {"redo", turn(false)},  {"select", pointer()},     {"connect", cable()},    {"fit", frame()},
        {"delete", bin()},      {"duplicate", twoPages()}, {"export", outOfTray()}, {"report", writtenPage()}};
    return paths;
}

/// Draws its path at whatever size and pixel ratio is asked for.
class PathEngine : public QIconEngine {
public:
    PathEngine(QPainterPath path, QColor normal, QColor disabled)
        : path_(std::move(path)), normal_(std::move(normal)), disabled_(std::move(disabled)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const double side = std::min(rect.width(), rect.height());
        painter->translate(rect.center().x() + 0.5 - side / 2, rect.center().y() + 0.5 - side / 2);
        painter->scale(side / unit, side / unit);
        painter->setPen(
            QPen(mode == QIcon::Disabled ? disabled_ : normal_, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPath(path_);
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new PathEngine(*this); }

private:
    QPainterPath path_;
    QColor normal_, disabled_;
};

void drawCross(QPainter& painter, const QRectF& r) {
    painter.drawLine(r.topLeft(), r.bottomRight());
    painter.drawLine(r.topRight(), r.bottomLeft());
}

}  // namespace

void drawSeverity(QPainter& painter, const QRectF& rect, Severity severity, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(rect.width(), rect.height());
    const QRectF r(rect.center().x() - side * 0.36, rect.center().y() - side * 0.36, side * 0.72, side * 0.72);
    painter.setPen(QPen(theme.severity(severity), std::max(1.5, side / 7), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    switch (severity) {
        case Severity::fail: drawCross(painter, r); break;
        case Severity::attention:
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.severity(severity));
            painter.drawPolygon(QPolygonF{{r.center().x(), r.top()}, r.bottomRight(), r.bottomLeft()});
            break;
        case Severity::pass:
            painter.drawPolyline(QPolygonF{{r.left(), r.top() + r.height() * 0.55},
                                           {r.left() + r.width() * 0.38, r.bottom() - r.height() * 0.08},
                                           {r.right(), r.top() + r.height() * 0.08}});
            break;
        case Severity::not_applicable:
            painter.drawLine(QPointF(r.left(), r.center().y()), QPointF(r.right(), r.center().y()));
            break;
    }
    painter.restore();
}

QIcon severityIcon(Severity severity, const Theme& theme, int size) {
    QPixmap pixmap(size * 2, size * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawSeverity(painter, QRectF(0, 0, size, size), severity, theme);
    return QIcon(pixmap);
}

QStringList iconNames() {
    QStringList names;
    for (const NamedPath& named : actionPaths()) names << QLatin1String(named.name);
    return names;
}

QIcon icon(const QString& name, const Theme& theme) {
    for (const NamedPath& named : actionPaths())
        if (name == QLatin1String(named.name)) return QIcon(new PathEngine(named.path, theme.text, theme.disabled));
    return {};
}

}  // namespace crosspoint::ui
