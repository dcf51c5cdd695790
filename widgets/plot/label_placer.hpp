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

    /// Labels avoid these where they can (curves; drop lines with less weight), and always (markers, other labels).
    void avoid(const QPolygonF& line, double weight = 1) { lines_.push_back({line, weight}); }
    void block(const QRectF& rect) { blocked_.push_back(rect); }

    /// The free candidate (a top-left corner) that covers the least of the lines, earlier ones preferred; empty when
    /// none is free.
    /// `later`: px of covered curve that the next candidate must save.
    std::optional<QRectF> place(const QSizeF& size, const std::vector<QPointF>& candidates, double later = kNearby);
    static constexpr double kNearby = 2.5;    ///< for places around a point: the nearest matters
    static constexpr double kAnywhere = 0.3;  ///< for places along a line
    [[nodiscard]] const std::vector<QRectF>& placed() const { return placed_; }

private:
    [[nodiscard]] bool isFree(const QRectF& rect) const;
    [[nodiscard]] double covered(const QRectF& rect) const;
    QRectF bounds_;
    struct Line {
        QPolygonF points;
        double weight = 1;
    };
    std::vector<Line> lines_;
    std::vector<QRectF> blocked_, placed_;
};

/// Top-left corners around a point: right and left of it, above and below, then further away.
std::vector<QPointF> corners_around(QPointF point, const QSizeF& size, double gap);
/// Top-left corners above and below a line, from its right end to its left.
std::vector<QPointF> corners_along(const QPolygonF& line, const QSizeF& size, double gap);

}  // namespace crosspoint::ui
