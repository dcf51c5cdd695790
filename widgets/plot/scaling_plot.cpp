#include "widgets/plot/scaling_plot.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/plot/plot_base.hpp"

namespace crosspoint::ui {

namespace {

constexpr int kWeightsCurve = 1, kCommunicationCurve = 0, kSpeedCurve = 2;  // of curve_colour
constexpr double kAreaTint = 0.45;

bool usable(const ScalingPoint& p) {
    return std::isfinite(p.degree) && std::isfinite(p.step) && std::isfinite(p.weights) &&
           std::isfinite(p.communication) && p.degree > 0 && p.step > 0;
}

}  // namespace

struct ScalingPlot::Private {
    ScalingData data;
    QCPGraph *weights = nullptr, *communication = nullptr, *step = nullptr, *speed = nullptr;

    [[nodiscard]] const ScalingPoint* nearest(double degree) const {
        const ScalingPoint* best = nullptr;
        for (const ScalingPoint& p : data.points)
            if (usable(p) &&
                (!best || std::abs(std::log(p.degree / degree)) < std::abs(std::log(best->degree / degree))))
                best = &p;
        return best;
    }
    void addCurves(Base& base);
    [[nodiscard]] std::vector<QPointF> insideArea(Base& base, bool of_weights, const QSizeF& size) const;
};

ScalingPlot::ScalingPlot(QWidget* parent) : PlotView(parent), d_(std::make_unique<Private>()) {
    setAccessibleName(tr("Step time against tensor degree"));
    base_->refresh();
}

ScalingPlot::~ScalingPlot() = default;

void ScalingPlot::setData(ScalingData data) {
    d_->data = std::move(data);
    setAccessibleDescription(QStringList{d_->data.turn_over_text, d_->data.current_text}.join("; "));
    base_->refresh();
}

const ScalingData& ScalingPlot::data() const { return d_->data; }
std::vector<QRectF> ScalingPlot::labelRects() const { return base_->label_rects; }

std::vector<QStringList> ScalingPlot::tableRows() const {
    std::vector<QStringList> rows{
        {tr("Degree"), tr("Step"), tr("Weight reads"), tr("Communication"), tr("Tokens/s per user")}};
    for (const ScalingPoint& p : d_->data.points)
        rows.push_back({tick_text(TickUnit::count, p.degree), tick_text(TickUnit::seconds, p.step),
                        tick_text(TickUnit::seconds, p.weights), tick_text(TickUnit::seconds, p.communication),
                        tick_text(TickUnit::tokens_per_second, p.tokens_per_second)});
    return rows;
}

void ScalingPlot::Private::addCurves(Base& base) {
    QVector<double> x, w, c, s, speeds;
    for (const ScalingPoint& p : data.points) {
        if (!usable(p)) continue;
        x.push_back(p.degree);
        w.push_back(p.weights);
        c.push_back(p.weights + p.communication);
        s.push_back(p.step);
        speeds.push_back(p.tokens_per_second);
    }
    const Theme& theme = base.theme;
    communication = base.addGraph(x, c, base.curvePen(curve_colour(theme, kCommunicationCurve)));
    communication->setBrush(QBrush(tint(theme, curve_colour(theme, kCommunicationCurve), kAreaTint)));
    weights = base.addGraph(x, w, base.curvePen(curve_colour(theme, kWeightsCurve)));
    weights->setBrush(QBrush(tint(theme, curve_colour(theme, kWeightsCurve), kAreaTint)));
    communication->setChannelFillGraph(weights);
    step = base.addGraph(x, s, base.curvePen(theme.text));
    speed = nullptr;
    const double fastest = *std::max_element(speeds.begin(), speeds.end());
    if (!(fastest > 0)) return;
    base.styleAxis(base.plot->yAxis2, {}, text_colour(theme, curve_colour(theme, kSpeedCurve)));
    base.plot->yAxis2->setTicker(linear_ticker(TickUnit::tokens_per_second));
    base.plot->yAxis2->setRange(0, fastest * 1.15);
    speed = base.addGraph(x, speeds, base.curvePen(curve_colour(theme, kSpeedCurve), Qt::DashLine), base.plot->yAxis2);
}

/// Places within the area of a term where the label fits between its edges.
std::vector<QPointF> ScalingPlot::Private::insideArea(Base& base, bool of_weights, const QSizeF& size) const {
    std::vector<QPointF> corners;
    for (const ScalingPoint& p : data.points) {
        if (!usable(p)) continue;
        const QPointF low = base.pixel({p.degree, of_weights ? 0 : p.weights});
        const QPointF high = base.pixel({p.degree, of_weights ? p.weights : p.weights + p.communication});
        if (low.y() - high.y() < size.height() + 6) continue;
        const double y = of_weights ? low.y() - size.height() - 4 : (low.y() + high.y() - size.height()) / 2;
        for (const double x : {low.x() + 6, low.x() - size.width() / 2, low.x() - size.width() - 6})
            corners.emplace_back(x, y);
    }
    return corners;
}

void ScalingPlot::rebuild() {
    base_->clear();
    d_->weights = d_->communication = d_->step = d_->speed = nullptr;
    QCustomPlot& plot = *base_->plot;
    if (std::count_if(d_->data.points.begin(), d_->data.points.end(), usable) < 2)
        return base_->showEmpty(d_->data.empty_text.isEmpty()
                                    ? tr("Choose a model to see how one user's\nspeed scales with the tensor degree")
                                    : d_->data.empty_text);
    double low = 1e300, high = 0, longest = 0;
    for (const ScalingPoint& p : d_->data.points) {
        if (!usable(p)) continue;
        low = std::min(low, p.degree);
        high = std::max(high, p.degree);
        longest = std::max({longest, p.step, p.weights + p.communication});
    }
    plot.xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setScaleType(QCPAxis::stLinear);
    plot.xAxis->setTicker(binary_ticker());
    plot.yAxis->setTicker(linear_ticker(TickUnit::seconds));
    plot.xAxis->setLabel(d_->data.x_label.isEmpty() ? tr("tensor degree") : d_->data.x_label);
    plot.xAxis->setRange(low, std::max(high, low * 2));
    plot.yAxis->setRange(0, longest * 1.12);
    d_->addCurves(*base_);
    if (d_->data.current)
        if (const ScalingPoint* p = d_->nearest(*d_->data.current))
            base_->square({p->degree, p->step}, base_->theme.text, true);
    if (!d_->data.turn_over) return;
    if (const ScalingPoint* p = d_->nearest(*d_->data.turn_over)) {
        base_->dropLine({p->degree, p->step}, 0, base_->theme.severity(Severity::fail));
        base_->dot({p->degree, p->step}, base_->theme.severity(Severity::fail));
    }
}

void ScalingPlot::placeLabels() {
    if (!d_->step) return;
    const Theme& theme = base_->theme;
    LabelPlacer placer = base_->placer();
    for (const QCPGraph* graph : {d_->weights, d_->communication, d_->step, d_->speed})
        if (graph) placer.avoid(base_->pixels(*graph));
    const auto mark = [&](const std::optional<double>& degree, const QString& text, const QColor& colour) {
        const ScalingPoint* p = degree ? d_->nearest(*degree) : nullptr;
        if (!p) return;
        const QPointF at = base_->pixel({p->degree, p->step});
        placer.block({at.x() - 6, at.y() - 6, 12, 12});
        base_->label(placer, text, colour, true, corners_around(at, base_->labelSize(text, true), 8));
    };
    mark(d_->data.turn_over, d_->data.turn_over_text, theme.severityText(Severity::fail));
    mark(d_->data.current, d_->data.current_text, theme.text);
    const auto name = [&](const QCPGraph* graph, const QString& text, const QColor& colour) {
        if (!graph) return;
        base_->label(placer, text, colour, true, corners_along(base_->pixels(*graph), base_->labelSize(text, true), 4),
                     LabelPlacer::kAnywhere);
    };
    name(d_->step, tr("step of one sequence"), theme.text);
    name(d_->speed, tr("tokens/s per user"), text_colour(theme, curve_colour(theme, kSpeedCurve)));
    for (const bool weights : {true, false}) {
        const QString text = weights ? tr("weight reads") : tr("communication");
        const QSizeF size = base_->labelSize(text, true);
        std::vector<QPointF> corners = d_->insideArea(*base_, weights, size);
        for (const QPointF& corner : corners_along(base_->pixels(weights ? *d_->weights : *d_->communication), size, 4))
            corners.push_back(corner);
        base_->label(placer, text, theme.text, true, corners, LabelPlacer::kAnywhere);
    }
}

QString ScalingPlot::readoutAt(QPointF coordinates) const {
    const ScalingPoint* p = coordinates.x() > 0 ? d_->nearest(coordinates.x()) : nullptr;
    if (!p) return {};
    return tr("degree %1\nstep %2\nweights %3\ncommunication %4")
        .arg(tick_text(TickUnit::count, p->degree), tick_text(TickUnit::seconds, p->step),
             tick_text(TickUnit::seconds, p->weights), tick_text(TickUnit::seconds, p->communication));
}

void ScalingPlot::clicked(QPointF, QPointF coordinates) {
    if (const ScalingPoint* p = coordinates.x() > 0 ? d_->nearest(coordinates.x()) : nullptr)
        Q_EMIT degreePicked(p->degree);
}

}  // namespace crosspoint::ui
