#include "widgets/plot/label_placer.hpp"

#include <algorithm>
#include <cmath>

#include <QLineF>

namespace crosspoint::ui {
namespace {

/// Length of the segment inside the rectangle (Liang-Barsky clipping).
double length_inside(QPointF a, QPointF b, const QRectF& r) {
    if (std::max(a.x(), b.x()) < r.left() || std::min(a.x(), b.x()) > r.right()) return 0;
    const double dx = b.x() - a.x(), dy = b.y() - a.y();
    const double p[4] = {-dx, dx, -dy, dy};
    const double q[4] = {a.x() - r.left(), r.right() - a.x(), a.y() - r.top(), r.bottom() - a.y()};
    double from = 0, to = 1;
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0) return 0;
            continue;
        }
        const double t = q[i] / p[i];
        if (p[i] < 0) from = std::max(from, t);
        else to = std::min(to, t);
    }
    return from < to ? (to - from) * std::hypot(dx, dy) : 0;
}

}  // namespace

bool LabelPlacer::isFree(const QRectF& rect) const {
    const auto hits = [&rect](const QRectF& other) { return other.intersects(rect); };
    return bounds_.contains(rect) && std::none_of(blocked_.begin(), blocked_.end(), hits) &&
           std::none_of(placed_.begin(), placed_.end(), hits);
}

double LabelPlacer::covered(const QRectF& rect) const {
    double length = 0;
    for (const Line& line : lines_)
        for (qsizetype i = 1; i < line.points.size(); ++i)
            length += line.weight * length_inside(line.points[i - 1], line.points[i], rect);
    return length;
}

std::optional<QRectF> LabelPlacer::place(const QSizeF& size, const std::vector<QPointF>& candidates, double later) {
    std::optional<QRectF> best;
    double best_cost = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const QRectF rect(candidates[i], size);
        if (!isFree(rect)) continue;
        const double handicap = later * double(i);
        if (best && handicap >= best_cost) break;
        const double cost = covered(rect) + handicap;
        if (best && cost >= best_cost) continue;
        best = rect;
        best_cost = cost;
    }
    if (best) placed_.push_back(*best);
    return best;
}

std::vector<QPointF> corners_around(QPointF point, const QSizeF& size, double gap) {
    std::vector<QPointF> corners;
    const double w = size.width(), h = size.height();
    for (int ring = 0; ring < 5; ++ring) {
        const double far = gap + ring * h;
        const double right = point.x() + gap, left = point.x() - gap - w;
        const double above = point.y() - far - h, below = point.y() + far;
        if (ring == 0) corners.insert(corners.end(), {{right, point.y() - h / 2}, {left, point.y() - h / 2}});
        corners.insert(corners.end(), {{right, above},
                                       {left, above},
                                       {right, below},
                                       {left, below},
                                       {point.x() - w / 2, above},
                                       {point.x() - w / 2, below}});
    }
    return corners;
}

std::vector<QPointF> corners_along(const QPolygonF& line, const QSizeF& size, double gap) {
    std::vector<QPointF> corners;
    constexpr int kSteps = 32;
    double length = 0;
    for (qsizetype i = 1; i < line.size(); ++i) length += QLineF(line[i - 1], line[i]).length();
    double passed = 0;
    int step = 0;
    for (qsizetype i = line.size() - 1; i > 0; --i) {
        const QLineF segment(line[i], line[i - 1]);
        for (; step <= kSteps && passed + segment.length() >= length * step / kSteps; ++step) {
            const QPointF at = segment.pointAt((length * step / kSteps - passed) / std::max(segment.length(), 1e-9));
            corners.emplace_back(at.x() - size.width(), at.y() - gap - size.height());
            corners.emplace_back(at.x() - size.width() / 2, at.y() - gap - size.height());
            corners.emplace_back(at.x() + gap, at.y() + gap);
            corners.emplace_back(at.x() - size.width(), at.y() + gap);
        }
        passed += segment.length();
    }
    return corners;
}

}  // namespace crosspoint::ui
