#include "widgets/plot/plot_zoom.hpp"

#include <algorithm>
#include <cmath>

#include <QWheelEvent>

namespace crosspoint::ui {
namespace {

constexpr double kDragThreshold = 5, kSmallestFrame = 8;  // px
constexpr double kWheelStep = 1.2;
constexpr double kClosest = 1e-4;  // share of the whole (of its decades on a logarithmic axis)

bool logarithmic(const QCPAxis& axis) { return axis.scaleType() == QCPAxis::stLogarithmic; }

/// Positions along an axis on which zooming is even: logarithms where the axis is logarithmic.
double to_scale(const QCPAxis& axis, double value) { return logarithmic(axis) ? std::log(value) : value; }
double from_scale(const QCPAxis& axis, double value) { return logarithmic(axis) ? std::exp(value) : value; }

/// `range` kept inside `whole`: shifted where it sticks out, cut where it is longer.
QCPRange inside(const QCPAxis& axis, const QCPRange& range, const QCPRange& whole) {
    const double low = to_scale(axis, whole.lower), high = to_scale(axis, whole.upper);
    double from = to_scale(axis, range.lower), to = to_scale(axis, range.upper);
    const double span = std::clamp(to - from, (high - low) * kClosest, high - low);
    if (!std::isfinite(from) || !std::isfinite(span)) return whole;
    from = std::clamp(from, low, high - span);
    to = from + span;
    return {from_scale(axis, from), from_scale(axis, to)};
}

QCPRange scaled(const QCPAxis& axis, double about, double factor) {
    const double centre = to_scale(axis, about);
    const auto at = [&](double edge) { return from_scale(axis, centre + (to_scale(axis, edge) - centre) / factor); };
    return {at(axis.range().lower), at(axis.range().upper)};
}

QCPRange between(const QCPAxis& axis, double pixel_a, double pixel_b) {
    const double a = axis.pixelToCoord(pixel_a), b = axis.pixelToCoord(pixel_b);
    return {std::min(a, b), std::max(a, b)};
}

}  // namespace

PlotZoom::Ranges PlotZoom::shown() const {
    return {plot_->xAxis->range(), plot_->yAxis->range(), plot_->yAxis2->range()};
}

void PlotZoom::show(const Ranges& ranges) {
    plot_->xAxis->setRange(inside(*plot_->xAxis, ranges.x, whole_.x));
    plot_->yAxis->setRange(inside(*plot_->yAxis, ranges.y, whole_.y));
    plot_->yAxis2->setRange(inside(*plot_->yAxis2, ranges.y2, whole_.y2));
}

void PlotZoom::apply() {
    whole_ = shown();
    if (wanted_) show(*wanted_);
}

void PlotZoom::reset() {
    if (!std::exchange(wanted_, std::nullopt)) return;
    show(whole_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotZoom::take(const Ranges& ranges) {
    if (!wanted_) whole_ = shown();
    show(ranges);
    const Ranges now = shown();
    wanted_ = now.x == whole_.x && now.y == whole_.y ? std::nullopt : std::optional(now);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotZoom::wheel(const QWheelEvent& event) {
    const QPointF at = event.position();
    const double notches = event.angleDelta().y() / 120.0;
    if (notches == 0 || !plot_->xAxis->visible() || !QRectF(plot_->axisRect()->rect()).contains(at)) return;
    const double factor = std::pow(kWheelStep, notches);
    const auto zoomed = [factor](const QCPAxis& axis, double pixel) {
        return scaled(axis, axis.pixelToCoord(pixel), factor);
    };
    Ranges ranges = shown();
    ranges.x = zoomed(*plot_->xAxis, at.x());
    if (!(event.modifiers() & Qt::ControlModifier)) {
        ranges.y = zoomed(*plot_->yAxis, at.y());
        ranges.y2 = zoomed(*plot_->yAxis2, at.y());
    }
    take(ranges);
}

void PlotZoom::press(const QMouseEvent& event) {
    const bool usable = event.button() == Qt::LeftButton || event.button() == Qt::MiddleButton;
    if (!usable || !plot_->xAxis->visible() || !QRectF(plot_->axisRect()->rect()).contains(event.position())) return;
    pressed_ = last_ = event.position();
    const bool panning = event.button() == Qt::MiddleButton || (event.modifiers() & Qt::ShiftModifier);
    drag_ = panning ? Drag::panning : Drag::pressed;
}

bool PlotZoom::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (drag_ == Drag::pressed && (at - pressed_).manhattanLength() >= kDragThreshold) {
        drag_ = Drag::framing;
        if (!band_) band_ = new QRubberBand(QRubberBand::Rectangle, plot_);
        band_->show();
    }
    if (drag_ == Drag::panning) pan(at - last_);
    if (drag_ == Drag::framing) band_->setGeometry(QRectF(pressed_, at).normalized().toAlignedRect());
    last_ = at;
    return drag_ == Drag::framing || drag_ == Drag::panning;
}

bool PlotZoom::release(const QMouseEvent& event) {
    const Drag drag = std::exchange(drag_, Drag::none);
    if (band_) band_->hide();
    if (drag == Drag::framing) frame(QRectF(pressed_, event.position()).normalized());
    return drag == Drag::framing || drag == Drag::panning;
}

void PlotZoom::pan(QPointF by) {
    const QRectF area = plot_->axisRect()->rect();
    take({between(*plot_->xAxis, area.left() - by.x(), area.right() + 1 - by.x()),
          between(*plot_->yAxis, area.top() - by.y(), area.bottom() + 1 - by.y()),
          between(*plot_->yAxis2, area.top() - by.y(), area.bottom() + 1 - by.y())});
}

/// What is framed fills the figure; a frame that is hardly one is a slip of the hand.
void PlotZoom::frame(const QRectF& pixels) {
    const QRectF area = QRectF(plot_->axisRect()->rect()).intersected(pixels);
    if (area.width() < kSmallestFrame || area.height() < kSmallestFrame) return;
    take({between(*plot_->xAxis, area.left(), area.right()), between(*plot_->yAxis, area.top(), area.bottom()),
          between(*plot_->yAxis2, area.top(), area.bottom())});
}

}  // namespace crosspoint::ui
