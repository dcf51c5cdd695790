#include "widgets/plot/batch_plot.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/plot/plot_base.hpp"

namespace crosspoint::ui {

namespace {

constexpr int kLatencyCurve = 1, kRateCurve = 2;  // of curve_colour
constexpr double kWindowTint = 0.14;              // share of the colour in the shaded window
constexpr double kBaselineTint = 0.55;
constexpr double kBaselineUnfitTint = 0.4;  // where it does not fit in memory

bool usable(const BatchPlotPoint& p) {
    return std::isfinite(p.batch) && std::isfinite(p.latency) && p.batch > 0 && p.latency > 0;
}

}  // namespace

struct BatchPlot::Private {
    BatchPlotData data;
    RightAxis right = RightAxis::tokens_per_second;
    std::vector<QCPGraph*> graphs;  ///< latency and right-hand curves of the current points

    [[nodiscard]] double rightValue(const BatchPlotPoint& p) const {
        return right == RightAxis::price ? p.price : p.tokens_per_second;
    }
    [[nodiscard]] QString rightLabel() const {
        return right == RightAxis::price ? tr("$ per million tokens") : tr("tokens/s per accelerator");
    }
    [[nodiscard]] TickUnit rightUnit() const {
        return right == RightAxis::price ? TickUnit::price : TickUnit::tokens_per_second;
    }
    void curves(Base& base, const std::vector<BatchPlotPoint>& points, bool fits, Qt::PenStyle style, double share);
    void setRanges(Base& base) const;
    /// Log-log between the points; empty outside.
    [[nodiscard]] std::optional<BatchPlotPoint> at(double batch) const;
};

namespace {
double between(double a, double b, double share) { return a > 0 && b > 0 ? a * std::pow(b / a, share) : 0; }
}  // namespace

std::optional<BatchPlotPoint> BatchPlot::Private::at(double batch) const {
    for (std::size_t i = 1; i < data.points.size(); ++i) {
        const BatchPlotPoint &a = data.points[i - 1], &b = data.points[i];
        if (!usable(a) || !usable(b) || batch < a.batch || batch > b.batch || b.batch <= a.batch) continue;
        const double share = std::log(batch / a.batch) / std::log(b.batch / a.batch);
        return BatchPlotPoint{batch, between(a.latency, b.latency, share),
                              between(a.tokens_per_second, b.tokens_per_second, share),
                              between(a.price, b.price, share), a.fits && b.fits};
    }
    return std::nullopt;
}

/// The part that fits in memory, or the rest with the last point that fits.
void BatchPlot::Private::curves(Base& base, const std::vector<BatchPlotPoint>& points, bool fits, Qt::PenStyle style,
                                double share) {
    QVector<double> x, latency, rate;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool joint = !fits && i + 1 < points.size() && points[i].fits && !points[i + 1].fits;
        if (!usable(points[i]) || (points[i].fits != fits && !joint)) continue;
        x.push_back(points[i].batch);
        latency.push_back(points[i].latency);
        rate.push_back(rightValue(points[i]));
    }
    if (x.size() < 2) return;
    const auto pen = [&](int curve) {
        return base.curvePen(tint(base.theme, curve_colour(base.theme, curve), share), style);
    };
    graphs.push_back(base.addGraph(x, latency, pen(kLatencyCurve)));
    graphs.push_back(base.addGraph(x, rate, pen(kRateCurve), base.plot->yAxis2));
}

void BatchPlot::Private::setRanges(Base& base) const {
    double x_low = 1e300, x_high = 0, y_low = 1e300, y_high = 0, r_low = 1e300, r_high = 0;
    for (const auto* points : {&data.points, &data.baseline})
        for (const BatchPlotPoint& p : *points) {
            if (!usable(p)) continue;
            x_low = std::min(x_low, p.batch);
            x_high = std::max(x_high, p.batch);
            y_low = std::min(y_low, p.latency);
            y_high = std::max(y_high, p.latency);
            if (rightValue(p) > 0) r_low = std::min(r_low, rightValue(p));
            r_high = std::max(r_high, rightValue(p));
        }
    if (data.latency_target && *data.latency_target > 0) {
        y_low = std::min(y_low, *data.latency_target);
        y_high = std::max(y_high, *data.latency_target);
    }
    base.plot->xAxis->setRange(x_low, std::max(x_high, x_low * 2));
    base.plot->yAxis->setRange(y_low / 1.6, y_high * 1.6);
    const bool log_right = right == RightAxis::price;
    base.plot->yAxis2->setScaleType(log_right ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    base.plot->yAxis2->setTicker(log_right ? log_ticker(rightUnit()) : linear_ticker(rightUnit()));
    base.plot->yAxis2->setRange(log_right ? std::min(r_low, r_high) / 1.6 : 0, r_high > 0 ? r_high * 1.15 : 1);
}

BatchPlot::BatchPlot(QWidget* parent) : PlotView(parent), d_(std::make_unique<Private>()) {
    setAccessibleName(tr("Latency and throughput against batch"));
    base_->refresh();
}

BatchPlot::~BatchPlot() = default;

void BatchPlot::setData(BatchPlotData data) {
    d_->data = std::move(data);
    setAccessibleDescription(
        QStringList{d_->data.current_text, d_->data.window_text, d_->data.latency_target_text}.join("; "));
    base_->refresh();
}

const BatchPlotData& BatchPlot::data() const { return d_->data; }

void BatchPlot::setRightAxis(RightAxis axis) {
    if (d_->right == axis) return;
    d_->right = axis;
    base_->refresh();
}

BatchPlot::RightAxis BatchPlot::rightAxis() const { return d_->right; }
std::vector<QRectF> BatchPlot::labelRects() const { return base_->label_rects; }

std::vector<QStringList> BatchPlot::tableRows() const {
    std::vector<QStringList> rows{
        {tr("Batch"), tr("Latency"), tr("Tokens/s per accelerator"), tr("Price per million"), tr("Fits")}};
    for (const BatchPlotPoint& p : d_->data.points)
        rows.push_back({tick_text(TickUnit::count, p.batch), tick_text(TickUnit::seconds, p.latency),
                        tick_text(TickUnit::tokens_per_second, p.tokens_per_second),
                        tick_text(TickUnit::price, p.price), p.fits ? tr("yes") : QStringLiteral("no")});
    return rows;
}

void BatchPlot::rebuild() {
    base_->clear();
    d_->graphs.clear();
    QCustomPlot& plot = *base_->plot;
    const auto count = std::count_if(d_->data.points.begin(), d_->data.points.end(), usable);
    if (count < 2)
        return base_->showEmpty(d_->data.empty_text.isEmpty()
                                    ? tr("Choose a model to see latency\nand throughput against batch")
                                    : d_->data.empty_text);
    plot.xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.xAxis->setTicker(binary_ticker());
    plot.yAxis->setTicker(log_ticker(TickUnit::seconds));
    const Theme& theme = base_->theme;
    base_->styleAxis(plot.xAxis, d_->data.x_label.isEmpty() ? tr("sequences per accelerator") : d_->data.x_label);
    base_->styleAxis(plot.yAxis, {}, text_colour(theme, curve_colour(theme, kLatencyCurve)));
    base_->styleAxis(plot.yAxis2, {}, text_colour(theme, curve_colour(theme, kRateCurve)));
    d_->setRanges(*base_);
    if (d_->data.window_low && d_->data.window_high && *d_->data.window_high >= *d_->data.window_low)
        base_->band(*d_->data.window_low, *d_->data.window_high,
                    tint(theme, curve_colour(theme, kRateCurve), kWindowTint));
    d_->curves(*base_, d_->data.baseline, true, Qt::DashLine, kBaselineTint);
    d_->curves(*base_, d_->data.baseline, false, Qt::DotLine, kBaselineUnfitTint);
    d_->graphs.clear();  // labels keep off the current curves only
    d_->curves(*base_, d_->data.points, true, Qt::SolidLine, 1);
    d_->curves(*base_, d_->data.points, false, Qt::DotLine, kBaselineTint);
    if (d_->data.latency_target && *d_->data.latency_target > 0) {
        const QCPRange x = plot.xAxis->range();
        const double target = *d_->data.latency_target;
        base_->addGraph({x.lower, x.upper}, {target, target}, QPen(theme.severity(Severity::fail), 1, Qt::DashLine));
    }
    if (d_->data.current)
        if (const auto point = d_->at(*d_->data.current)) {
            base_->verticalLine(point->batch, theme.secondary);
            base_->square({point->batch, point->latency}, curve_colour(theme, kLatencyCurve), true);
        }
}

void BatchPlot::placeLabels() {
    if (d_->graphs.size() < 2) return;
    const Theme& theme = base_->theme;
    LabelPlacer placer = base_->placer();
    for (const QCPGraph* graph : d_->graphs) placer.avoid(base_->pixels(*graph));
    const QRectF area = base_->plot->axisRect()->rect();
    const auto target = d_->data.latency_target;
    double target_y = 0;
    if (target && *target > 0) {
        target_y = base_->plot->yAxis->coordToPixel(*target);
        placer.avoid({QPointF(area.left(), target_y), QPointF(area.right(), target_y)});
    }
    if (const auto point = d_->data.current ? d_->at(*d_->data.current) : std::nullopt) {
        const QPointF at = base_->pixel({point->batch, point->latency});
        placer.block({at.x() - 6, at.y() - 6, 12, 12});
        placer.avoid({QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom())}, 0.4);
        base_->label(placer, d_->data.current_text, theme.text, true,
                     corners_around(at, base_->labelSize(d_->data.current_text, true), 8));
    }
    if (target_y > 0) {
        const QSizeF size = base_->labelSize(d_->data.latency_target_text, false);
        std::vector<QPointF> corners;
        for (const double y : {target_y - size.height() - 2, target_y + 2})
            for (const double x : {area.left() + 6, area.center().x(), area.right() - size.width() - 6})
                corners.emplace_back(x, y);
        base_->label(placer, d_->data.latency_target_text, theme.severityText(Severity::fail), false, corners);
    }
    const std::pair<QString, int> names[] = {
        {d_->data.latency_label.isEmpty() ? tr("latency") : d_->data.latency_label, kLatencyCurve},
        {d_->rightLabel(), kRateCurve}};
    for (std::size_t i = 0; i < 2; ++i) {
        const QSizeF size = base_->labelSize(names[i].first, true);
        base_->label(placer, names[i].first, text_colour(theme, curve_colour(theme, names[i].second)), true,
                     corners_along(base_->pixels(*d_->graphs[i]), size, 5), LabelPlacer::kAnywhere);
    }
    if (d_->data.window_low && d_->data.window_high && *d_->data.window_high >= *d_->data.window_low) {
        const QSizeF size = base_->labelSize(d_->data.window_text, false);
        const double low = base_->plot->xAxis->coordToPixel(*d_->data.window_low);
        const double high = base_->plot->xAxis->coordToPixel(*d_->data.window_high);
        std::vector<QPointF> corners;
        for (const double y : {area.bottom() - size.height() - 3, area.top() + 3})
            for (const double x : {(low + high - size.width()) / 2, high + 4, low - size.width() - 4})
                corners.emplace_back(x, y);
        base_->label(placer, d_->data.window_text, theme.secondary, false, corners);
    }
}

QString BatchPlot::readoutAt(QPointF coordinates) const {
    const double batch = std::max(1.0, std::round(coordinates.x()));
    QString text = tr("batch %1").arg(batch, 0, 'f', 0);
    if (const auto p = d_->at(batch))
        text += '\n' + tick_text(TickUnit::seconds, p->latency) + '\n' +
                tick_text(TickUnit::tokens_per_second, p->tokens_per_second) + tr(" tok/s per accelerator\n") +
                tick_text(TickUnit::price, p->price) + tr(" per million") +
                (p->fits ? QString() : tr("\ndoes not fit in memory"));
    return text;
}

void BatchPlot::clicked(QPointF, QPointF coordinates) {
    Q_EMIT batchPicked(std::max(1.0, std::round(coordinates.x())));
}

}  // namespace crosspoint::ui
