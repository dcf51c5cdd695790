#include "widgets/timeline/timeline_painting.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QFontMetricsF>
#include <QPainter>

#include "widgets/timeline/time_ticks.hpp"

namespace crosspoint::ui {
namespace {

constexpr double kBarInset = 3;      // px between lane border and bar
constexpr double kLabelMargin = 6;   // px left and right of a label inside a bar
constexpr double kTickSpacing = 90;  // px that a tick label needs at least

QColor bar_colour(BarRole role, const Theme& theme) {
    constexpr int kBlue = 0, kOrange = 1, kGreen = 2, kVermillion = 3, kPurple = 4, kSky = 5;
    switch (role) {
        case BarRole::attention: return theme.category(kBlue);
        case BarRole::product: return theme.category(kSky);
        case BarRole::elementwise: return theme.category(kPurple).darker(175);
        case BarRole::experts: return theme.category(kGreen);
        case BarRole::communication_inside: return theme.category(kPurple);
        case BarRole::communication_out: return theme.category(kVermillion);
        case BarRole::communication_back: return theme.category(kOrange);
        case BarRole::overhead: break;
    }
    return theme.overhead;
}

struct Canvas {
    QPainter& painter;
    const TimelineData& data;
    const TimelineLayout& layout;
    const QRectF& area;
    const Theme& theme;
    const TimelineHighlight& highlight;
};

void draw_empty(const Canvas& c) {
    c.painter.setFont(c.theme.textFont());
    c.painter.setPen(c.theme.secondary);
    const QString text = c.data.empty_text.isEmpty()
                             ? QStringLiteral("Draw accelerators and choose a model to see the bars of a layer")
                             : c.data.empty_text;
    c.painter.drawText(c.area.adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void draw_lanes(const Canvas& c) {
    const QFont font = c.theme.textFont();
    const QFontMetricsF metrics(font);
    for (int stream = 0; stream < c.data.streams.size(); ++stream) {
        const QRectF lane = c.layout.lane(stream);
        c.painter.setPen(QPen(c.theme.border, 1));
        c.painter.setBrush(c.theme.lane);
        c.painter.drawRoundedRect(lane, 3, 3);
        c.painter.setFont(font);
        c.painter.setPen(c.theme.secondary);
        const QRectF name(c.layout.names.left(), lane.top(), c.layout.names.width() - 8, lane.height());
        c.painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                           metrics.elidedText(c.data.streams[stream], Qt::ElideRight, name.width()));
    }
}

void draw_axis(const Canvas& c) {
    c.painter.setFont(c.theme.secondaryFont());
    const QFontMetricsF metrics(c.theme.secondaryFont());
    const double top = c.layout.lanes.bottom() + 3;
    const int count = std::max(1, int(c.layout.lanes.width() / kTickSpacing));
    for (const TimeTick& tick : time_ticks(c.layout.start, c.layout.end, count)) {
        const double x = c.layout.x(tick.time);
        c.painter.setPen(QPen(c.theme.secondary, 1));
        c.painter.drawLine(QPointF(x, top), QPointF(x, top + 4));
        const double width = metrics.horizontalAdvance(tick.text);
        const double left = std::clamp(x - width / 2, c.area.left(), std::max(c.area.left(), c.area.right() - width));
        c.painter.drawText(QPointF(left, top + 6 + metrics.ascent()), tick.text);
    }
}

/// Label only when it fits whole, or loses little: a stump of a word says nothing.
void draw_label(const Canvas& c, const TimelineBar& bar, const QRectF& visible, const QColor& fill) {
    if (bar.label.isEmpty() || visible.width() < 16) return;
    QFont font = c.theme.secondaryFont();
    font.setBold(true);
    const QFontMetricsF metrics(font);
    const double room = visible.width() - 2 * kLabelMargin;
    QString label = bar.label;
    if (metrics.horizontalAdvance(label) > room) {
        label = label.section(' ', 0, 0);
        if (metrics.horizontalAdvance(label) > room) return;
    }
    c.painter.setFont(font);
    c.painter.setPen(c.theme.textOn(fill));
    c.painter.drawText(visible.adjusted(kLabelMargin, 0, -kLabelMargin, 0), Qt::AlignVCenter | Qt::AlignLeft, label);
}

void draw_bar(const Canvas& c, int index) {
    const TimelineBar& bar = c.data.bars[std::size_t(index)];
    const QRectF visible = c.layout.bar(bar) & c.layout.lanes.adjusted(-1, -1, 1, 1);
    const QColor fill = bar_colour(bar.role, c.theme);
    const bool selected = bar.selected || (c.highlight.operations && c.highlight.operations->contains(bar.operation));
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(index == c.highlight.hovered ? fill.lighter(112) : fill);
    const double radius = visible.width() > 6 ? 2 : 0;
    c.painter.drawRoundedRect(visible, radius, radius);
    if (bar.exposed && visible.width() > 2)
        c.painter.fillRect(QRectF(visible.left(), visible.bottom() - 3, visible.width(), 3), fill.darker(150));
    draw_label(c, bar, visible, fill);
    if (!selected && index != c.highlight.current) return;
    c.painter.setBrush(Qt::NoBrush);
    c.painter.setPen(QPen(c.theme.text, 2, index == c.highlight.current && !selected ? Qt::DotLine : Qt::SolidLine));
    c.painter.drawRoundedRect(visible.adjusted(-1, -1, 1, 1), radius + 1, radius + 1);
}

/// Bars narrower than a pixel of one lane and colour become one rectangle: thousands of bars cost a few hundred.
class Merger {
public:
    explicit Merger(const Canvas& canvas)
        : c_(canvas), runs_(std::size_t(std::max<qsizetype>(canvas.data.streams.size(), 1))) {}
    void add(const TimelineBar& bar, const QRectF& rect) {
        Run& run = runs_[std::size_t(bar.stream)];
        if (run.open && (bar.role != run.role || rect.left() > run.rect.right() + 1)) flush(run);
        run.rect = run.open ? run.rect | rect : rect;
        run.role = bar.role;
        run.open = true;
    }
    void flush() {
        for (Run& run : runs_) flush(run);
    }

private:
    struct Run {
        QRectF rect;
        BarRole role = BarRole::product;
        bool open = false;
    };
    void flush(Run& run) {
        if (run.open)
            c_.painter.fillRect(
                QRectF(run.rect.left(), run.rect.top(), std::max(run.rect.width(), 0.7), run.rect.height()),
                bar_colour(run.role, c_.theme));
        run.open = false;
    }
    const Canvas& c_;
    std::vector<Run> runs_;
};

bool drawable(const TimelineBar& bar, const TimelineData& data) {
    return std::isfinite(bar.start) && std::isfinite(bar.length) && bar.length >= 0 && bar.stream >= 0 &&
           bar.stream < data.streams.size();
}

void draw_bars(const Canvas& c) {
    Merger merger(c);
    std::vector<int> wide, marked;
    for (std::size_t i = 0; i < c.data.bars.size(); ++i) {
        const TimelineBar& bar = c.data.bars[i];
        if (!drawable(bar, c.data) || bar.start > c.layout.end || bar.start + bar.length < c.layout.start) continue;
        const QRectF rect = c.layout.bar(bar);
        if (rect.width() < 1) merger.add(bar, rect);
        else if (c.highlight.operations && c.highlight.operations->contains(bar.operation)) marked.push_back(int(i));
        else wide.push_back(int(i));
    }
    merger.flush();
    for (const int i : wide) draw_bar(c, i);
    for (const int i : marked) draw_bar(c, i);
    if (c.highlight.current >= 0 && drawable(c.data.bars[std::size_t(c.highlight.current)], c.data))
        draw_bar(c, c.highlight.current);
}

void draw_note(const Canvas& c, double right) {
    if (!c.data.note) return;
    const double x = c.layout.x(c.data.note->time);
    if (x < c.layout.lanes.left() - 1 || x > c.layout.lanes.right() + 1) return;
    QPen pen(c.theme.text, 1, Qt::CustomDashLine);
    pen.setDashPattern({4, 3});
    c.painter.setPen(pen);
    c.painter.drawLine(QPointF(x, c.layout.title_y - 8), QPointF(x, c.layout.lanes.bottom() + 4));
    QFont font = c.theme.secondaryFont();
    font.setBold(true);
    const QFontMetricsF metrics(font);
    const double width = metrics.horizontalAdvance(c.data.note->text);
    // Beside its line: right of it when there is room, else left of it; never over the title.
    double left = x + 6;
    if (left + width > right) left = x - 6 - width;
    const double room = right - std::max(left, c.area.left());
    c.painter.setFont(font);
    c.painter.setPen(c.theme.severityText(Severity::fail));
    c.painter.drawText(QPointF(std::max(left, c.area.left()), c.layout.title_y),
                       metrics.elidedText(c.data.note->text, Qt::ElideRight, std::max(room, 40.0)));
}

/// Left edge of the title, the right limit of the note.
double draw_title(const Canvas& c) {
    const QFontMetricsF metrics(c.theme.secondaryFont());
    const double width = metrics.horizontalAdvance(c.data.title);
    c.painter.setFont(c.theme.secondaryFont());
    c.painter.setPen(c.theme.secondary);
    c.painter.drawText(QPointF(c.area.right() - width, c.layout.title_y), c.data.title);
    return c.area.right() - width - 16;
}

}  // namespace

double TimelineLayout::x(double t) const { return lanes.left() + (t - start) / (end - start) * lanes.width(); }
double TimelineLayout::time(double position) const {
    return start + (position - lanes.left()) / std::max(lanes.width(), 1.0) * (end - start);
}
QRectF TimelineLayout::lane(int stream) const {
    return {lanes.left(), lanes.top() + stream * lane_pitch, lanes.width(), lane_height};
}
QRectF TimelineLayout::bar(const TimelineBar& bar) const {
    // Far outside the view the coordinates of a deep zoom exceed what painters take.
    const double left = std::clamp(x(bar.start), lanes.left() - 1e4, lanes.right() + 1e4);
    const double right = std::clamp(x(bar.start + bar.length), lanes.left() - 1e4, lanes.right() + 1e4);
    const QRectF row = lane(bar.stream);
    return {left, row.top() + kBarInset, right - left, row.height() - 2 * kBarInset};
}

TimelineLayout timeline_layout(const TimelineData& data, const QRectF& area, const Theme& theme, double start,
                               double end) {
    const QFontMetricsF text(theme.textFont()), small(theme.secondaryFont());
    double names = 0;
    for (const QString& name : data.streams) names = std::max(names, text.horizontalAdvance(name));
    names = std::min(names + 14, area.width() * 0.3);
    TimelineLayout layout;
    const double header = small.height() + 6, axis = small.height() + 10;
    const double last_tick = small.horizontalAdvance(QStringLiteral("250 µs")) / 2;
    layout.lanes = QRectF(area.left() + names, area.top() + header, std::max(area.width() - names - last_tick, 10.0),
                          std::max(area.height() - header - axis, 10.0));
    layout.names = QRectF(area.left(), layout.lanes.top(), names, layout.lanes.height());
    const auto count = double(std::max<qsizetype>(data.streams.size(), 1));
    layout.lane_pitch = std::min(layout.lanes.height() / count, 46.0);
    layout.lane_height = std::max(std::min(layout.lane_pitch - 4, 30.0), 4.0);
    layout.lanes.setHeight(layout.lane_pitch * (count - 1) + layout.lane_height);
    layout.title_y = area.top() + small.ascent();
    layout.start = start;
    layout.end = end > start ? end : start + 1;
    return layout;
}

void draw_timeline(QPainter& painter, const TimelineData& data, const TimelineLayout& layout, const QRectF& area,
                   const Theme& theme, const TimelineHighlight& highlight) {
    painter.setRenderHint(QPainter::Antialiasing);
    const Canvas canvas{painter, data, layout, area, theme, highlight};
    if (data.bars.empty() || !(data.end > 0)) return draw_empty(canvas);
    draw_lanes(canvas);
    draw_axis(canvas);
    painter.save();
    painter.setClipRect(layout.lanes.adjusted(-2, -2, 2, 2));
    draw_bars(canvas);
    painter.restore();
    draw_note(canvas, draw_title(canvas));
}

}  // namespace crosspoint::ui
