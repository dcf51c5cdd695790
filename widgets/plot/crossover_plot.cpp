#include "widgets/plot/crossover_plot.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/plot/plot_base.hpp"

namespace crosspoint::ui {

namespace {

constexpr double kPickRadius = 10;       // px around a marker
constexpr double kDropLineWeight = 0.4;  // a thin dashed line under a label hurts less than a curve

bool positive(QPointF p) { return std::isfinite(p.x()) && std::isfinite(p.y()) && p.x() > 0 && p.y() > 0; }

struct Extent {
    double x_low = 1e300, x_high = 0, y_low = 1e300, y_high = 0;
    void add(QPointF p) {
        if (!positive(p)) return;
        x_low = std::min(x_low, p.x());
        x_high = std::max(x_high, p.x());
        y_low = std::min(y_low, p.y());
        y_high = std::max(y_high, p.y());
    }
    [[nodiscard]] bool valid() const { return x_high > x_low && y_high >= y_low && y_high > 0; }
};

Extent extent_of(const CrossoverData& data) {
    Extent extent;
    for (const CrossoverCurveData& curve : data.curves)
        for (const QPointF& point : curve.points) extent.add(point);
    for (const CrossoverCurveData& curve : data.curves)
        for (const QPointF& point : curve.measured) extent.add(point);
    for (const CrossoverMarker& marker : data.messages) extent.add({marker.bytes, marker.seconds});
    return extent;
}

/// Time on a curve at a size, log-log between its points; empty outside.
std::optional<double> time_at(const CrossoverCurveData& curve, double bytes) {
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
        const QPointF a = curve.points[i - 1], b = curve.points[i];
        if (!positive(a) || !positive(b) || bytes < a.x() || bytes > b.x() || b.x() <= a.x()) continue;
        const double share = std::log(bytes / a.x()) / std::log(b.x() / a.x());
        return a.y() * std::pow(b.y() / a.y(), share);
    }
    return std::nullopt;
}

void drawMeasured(PlotView::Base& base, const std::vector<QPointF>& points, const QColor& colour) {
    if (points.empty()) return;
    QVector<double> x, y;
    for (const QPointF& point : points) {
        if (!positive(point)) continue;
        x.push_back(point.x());
        y.push_back(point.y());
    }
    QCPGraph* dots = base.addGraph(x, y, QPen(Qt::NoPen));
    dots->setLineStyle(QCPGraph::lsNone);
    dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour), QBrush(base.theme.panel), 6));
}

}  // namespace

struct CrossoverPlot::Private {
    CrossoverData data;
    QString selected;
    std::vector<QCPGraph*> graphs;  ///< one per curve; rebuilt with the figure

    [[nodiscard]] bool isSelected(const CrossoverMarker& m) const {
        return selected.isEmpty() ? m.selected : m.operation == selected;
    }
};

CrossoverPlot::CrossoverPlot(QWidget* parent) : PlotView(parent), d_(std::make_unique<Private>()) {
    setAccessibleName(tr("Crossover plot"));
    base_->refresh();
}

CrossoverPlot::~CrossoverPlot() = default;

void CrossoverPlot::setData(CrossoverData data) {
    d_->data = std::move(data);
    QStringList parts;
    for (const CrossoverCurveData& curve : d_->data.curves) parts << curve.name + ' ' + curve.crossover_text;
    for (const CrossoverMarker& message : d_->data.messages) parts << message.text;
    setAccessibleDescription(parts.isEmpty() ? d_->data.empty_text : parts.join(QStringLiteral("; ")));
    base_->refresh();
}

const CrossoverData& CrossoverPlot::data() const { return d_->data; }

void CrossoverPlot::setSelectedOperation(const QString& operation) {
    if (d_->selected == operation) return;
    d_->selected = operation;
    base_->refresh();
}

std::vector<QRectF> CrossoverPlot::labelRects() const { return base_->label_rects; }

std::vector<QStringList> CrossoverPlot::tableRows() const {
    std::vector<QStringList> rows{{tr("Kind"), tr("Name"), tr("Size"), tr("Time"), tr("Detail")}};
    for (const CrossoverCurveData& curve : d_->data.curves) {
        const QPointF at = curve.crossover.value_or(QPointF());
        rows.push_back({QStringLiteral("n*"), curve.name, tick_text(TickUnit::bytes, at.x()),
                        tick_text(TickUnit::seconds, at.y()), curve.detail});
    }
    for (const CrossoverMarker& marker : d_->data.messages) {
        const bool known = marker.curve >= 0 && std::size_t(marker.curve) < d_->data.curves.size();
        rows.push_back({tr("message"), marker.operation, tick_text(TickUnit::bytes, marker.bytes),
                        tick_text(TickUnit::seconds, marker.seconds),
                        known ? d_->data.curves[std::size_t(marker.curve)].name : QString()});
    }
    return rows;
}

void CrossoverPlot::rebuild() {
    base_->clear();
    d_->graphs.clear();
    QCustomPlot& plot = *base_->plot;
    const Extent extent = extent_of(d_->data);
    if (!extent.valid())
        return base_->showEmpty(d_->data.empty_text.isEmpty()
                                    ? tr("Draw links to see where latency ends\nand bandwidth begins")
                                    : d_->data.empty_text);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) axis->setScaleType(QCPAxis::stLogarithmic);
    plot.xAxis->setTicker(log_ticker(TickUnit::bytes));
    plot.yAxis->setTicker(log_ticker(TickUnit::seconds));
    plot.xAxis->setLabel(d_->data.x_label.isEmpty() ? tr("message size per accelerator") : d_->data.x_label);
    plot.xAxis->setRange(extent.x_low, extent.x_high);
    plot.yAxis->setRange(extent.y_low / 2.5, extent.y_high * 1.4);
    for (std::size_t i = 0; i < d_->data.curves.size(); ++i) {
        const CrossoverCurveData& curve = d_->data.curves[i];
        const QColor colour = curve_colour(base_->theme, int(i));
        QVector<double> x, y;
        for (const QPointF& point : curve.points) {
            if (!positive(point)) continue;
            x.push_back(point.x());
            y.push_back(point.y());
        }
        d_->graphs.push_back(base_->addGraph(x, y, base_->curvePen(colour)));
        drawMeasured(*base_, curve.measured, colour);
        if (curve.crossover && positive(*curve.crossover)) {
            base_->dropLine(*curve.crossover, plot.yAxis->range().lower, colour);
            base_->dot(*curve.crossover, colour);
        }
    }
    for (const CrossoverMarker& marker : d_->data.messages)
        if (positive({marker.bytes, marker.seconds}))
            base_->square({marker.bytes, marker.seconds}, curve_colour(base_->theme, marker.curve),
                          d_->isSelected(marker));
}

void CrossoverPlot::placeLabels() {
    if (d_->graphs.empty()) return;
    LabelPlacer placer = base_->placer();
    for (const QCPGraph* graph : d_->graphs) placer.avoid(base_->pixels(*graph));
    const auto centred = [](QPointF at, double size) {
        return QRectF(at.x() - size / 2, at.y() - size / 2, size, size);
    };
    for (const CrossoverCurveData& curve : d_->data.curves) {
        if (!curve.crossover || !positive(*curve.crossover)) continue;
        const QPointF at = base_->pixel(*curve.crossover);
        placer.block(centred(at, 9));
        placer.avoid({at, QPointF(at.x(), base_->plot->axisRect()->rect().bottom())}, kDropLineWeight);
    }
    for (const CrossoverMarker& marker : d_->data.messages)
        placer.block(centred(base_->pixel({marker.bytes, marker.seconds}), 12));
    // The selected message first, then n*, then the other messages, then the names of curves without n*.
    const auto message = [&](const CrossoverMarker& marker) {
        const QSizeF size = base_->labelSize(marker.text, true);
        base_->label(placer, marker.text, base_->theme.text, true,
                     corners_around(base_->pixel({marker.bytes, marker.seconds}), size, 8));
    };
    for (const CrossoverMarker& marker : d_->data.messages)
        if (d_->isSelected(marker)) message(marker);
    for (std::size_t i = 0; i < d_->data.curves.size(); ++i) {
        const CrossoverCurveData& curve = d_->data.curves[i];
        const QColor colour = text_colour(base_->theme, curve_colour(base_->theme, int(i)));
        const bool marked = curve.crossover && positive(*curve.crossover);
        const auto name = [&](const QString& text) {
            const QSizeF size = base_->labelSize(text, true);
            std::vector<QPointF> corners;
            if (marked) corners = corners_around(base_->pixel(*curve.crossover), size, 6);
            for (const QPointF& corner : corners_along(base_->pixels(*d_->graphs[i]), size, 4))
                corners.push_back(corner);
            return base_->label(placer, text, colour, true, corners);
        };
        // No curve stays without a name: what has no room is said in fewer words.
        const QString full = marked ? (curve.name + ' ' + curve.crossover_text).trimmed() : curve.name;
        for (const QString& text : {full, curve.name, curve.name.section(": ", 0, 0), curve.name.section(' ', 0, 0)})
            if (name(text)) break;
    }
    for (const CrossoverMarker& marker : d_->data.messages)
        if (!d_->isSelected(marker)) message(marker);
}

QString CrossoverPlot::readoutAt(QPointF coordinates) const {
    QStringList lines{tick_text(TickUnit::bytes, coordinates.x())};
    for (const CrossoverCurveData& curve : d_->data.curves)
        if (const auto time = time_at(curve, coordinates.x()))
            lines << curve.name + ' ' + tick_text(TickUnit::seconds, *time);
    return lines.join('\n');
}

int CrossoverPlot::pickAt(QPointF pixel) const {
    int best = -1;
    double best_distance = kPickRadius;
    for (std::size_t i = 0; i < d_->data.messages.size(); ++i) {
        const CrossoverMarker& marker = d_->data.messages[i];
        if (!positive({marker.bytes, marker.seconds})) continue;
        const QPointF away = base_->pixel({marker.bytes, marker.seconds}) - pixel;
        const double distance = std::hypot(away.x(), away.y());
        if (distance > best_distance) continue;
        best = int(i);
        best_distance = distance;
    }
    return best;
}

void CrossoverPlot::clicked(QPointF pixel, QPointF) {
    const int index = pickAt(pixel);
    if (index >= 0) Q_EMIT operationSelected(d_->data.messages[std::size_t(index)].operation);
}

}  // namespace crosspoint::ui
