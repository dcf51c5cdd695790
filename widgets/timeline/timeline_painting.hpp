// Geometry and drawing of the timeline, for the widget and for exports alike. Private to widgets/timeline.
#pragma once

#include <QRectF>
#include <QSet>

#include "widgets/theme/theme.hpp"
#include "widgets/timeline/timeline_data.hpp"

class QPainter;

namespace crosspoint::ui {

/// Where lanes, axis and note lie in a rectangle, and how time maps to x.
struct TimelineLayout {
    QRectF lanes;               ///< all lanes, without names and axis
    QRectF names;               ///< left of the lanes
    double lane_pitch = 0;      ///< px from lane to lane
    double lane_height = 0;     ///< px
    double title_y = 0;         ///< baseline of title and note
    double start = 0, end = 0;  ///< s shown

    [[nodiscard]] double x(double time) const;
    [[nodiscard]] double time(double x_position) const;
    [[nodiscard]] QRectF lane(int stream) const;
    /// Whole, not cut at the edges.
    [[nodiscard]] QRectF bar(const TimelineBar& bar) const;
};

TimelineLayout timeline_layout(const TimelineData& data, const QRectF& area, const Theme& theme, double start,
                               double end);

struct TimelineHighlight {
    const QSet<QString>* operations = nullptr;
    int hovered = -1;  ///< index into bars
    int current = -1;  ///< index into bars; a focus frame
};

void draw_timeline(QPainter& painter, const TimelineData& data, const TimelineLayout& layout, const QRectF& area,
                   const Theme& theme, const TimelineHighlight& highlight);

}  // namespace crosspoint::ui
