#include "widgets/plot/label_placer.hpp"

#include <algorithm>

namespace crosspoint::ui {
namespace {

/// Does the segment touch the rectangle? (Liang-Barsky clipping.)
bool crosses(QPointF a, QPointF b, const QRectF& r) {
    const double dx = b.x() - a.x(), dy = b.y() - a.y();
    const double p[4] = {-dx, dx, -dy, dy};
    const double q[4] = {a.x() - r.left(), r.right() - a.x(), a.y() - r.top(), r.bottom() - a.y()};
    double from = 0, to = 1;
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0) return false;
            continue;
        }
        const double t = q[i] / p[i];
        if (p[i] < 0) from = std::max(from, t);
        else to = std::min(to, t);
    }
    return from <= to;
}

}  // namespace

bool LabelPlacer::isFree(const QRectF& rect) const {
    const auto hits = [&rect](const QRectF& other) { return other.intersects(rect); };
    return bounds_.contains(rect) && std::none_of(blocked_.begin(), blocked_.end(), hits) &&
           std::none_of(placed_.begin(), placed_.end(), hits);
}

double LabelPlacer::covered(const QRectF& rect) const {
    double count = 0;
    for (const QPolygonF& line : lines_)
        for (qsizetype i = 1; i < line.size(); ++i)
            if (crosses(line[i - 1], line[i], rect)) ++count;
    return count;
}

std::optional<QRectF> LabelPlacer::place(const QSizeF& size, const std::vector<QPointF>& candidates) {
    std::optional<QRectF> best;
    double best_cost = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const QRectF rect(candidates[i], size);
        if (!isFree(rect)) continue;
        const double cost = covered(rect);
        if (best && cost >= best_cost) continue;
        best = rect;
        best_cost = cost;
        if (cost == 0) break;
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
    if (line.isEmpty()) return corners;
    constexpr int kSteps = 24;
    for (int i = 0; i <= kSteps; ++i) {
        const QPointF point = line[(line.size() - 1) * (kSteps - i) / kSteps];
        corners.emplace_back(point.x() - size.width(), point.y() - gap - size.height());
        corners.emplace_back(point.x() + gap, point.y() + gap);
        corners.emplace_back(point.x() - size.width() - gap, point.y() - size.height() / 2);
    }
    return corners;
}

}  // namespace crosspoint::ui
