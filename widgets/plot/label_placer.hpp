// Puts labels where they cover neither each other nor more of the curves than they must. Private to widgets/plot.
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>

namespace crosspoint::ui {

class LabelPlacer {
public:
    explicit LabelPlacer(const QRectF& bounds) : bounds_(bounds) {}

    /// Labels avoid these where they can (curves), and always (markers, other labels).
    void avoid(const QPolygonF& line) { lines_.push_back(line); }
    void block(const QRectF& rect) { blocked_.push_back(rect); }

    /// The candidate top-left corner with the least covered curve, earlier ones first; empty when none is free.
    std::optional<QRectF> place(const QSizeF& size, const std::vector<QPointF>& candidates);
    [[nodiscard]] const std::vector<QRectF>& placed() const { return placed_; }

private:
    [[nodiscard]] bool isFree(const QRectF& rect) const;
    [[nodiscard]] double covered(const QRectF& rect) const;
    QRectF bounds_;
    std::vector<QPolygonF> lines_;
    std::vector<QRectF> blocked_, placed_;
};

/// Top-left corners around a point: right and left of it, above and below, then further away.
std::vector<QPointF> corners_around(QPointF point, const QSizeF& size, double gap);
/// Top-left corners above and below a line, from its right end to its left.
std::vector<QPointF> corners_along(const QPolygonF& line, const QSizeF& size, double gap);

}  // namespace crosspoint::ui
