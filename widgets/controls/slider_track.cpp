#include "widgets/controls/slider_track.hpp"

#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QWheelEvent>

namespace crosspoint::ui {
namespace {
constexpr int kPositions = 1000;     // of the QSlider behind, for assistive technology
constexpr double kHandleRadius = 7;  // px
constexpr double kTrackHeight = 4;   // px
constexpr int kPageStops = 8;        // Page Up and Page Down: about an octave
constexpr int kWheelNotch = 120;     // eighths of a degree, as QWheelEvent counts
}  // namespace

SliderTrack::SliderTrack(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setRange(0, kPositions);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void SliderTrack::setScale(const LogScale& scale) {
    scale_ = scale;
    setNumber(number_);
}

void SliderTrack::setNumber(double value) {
    number_ = value;
    const QSignalBlocker blocker(this);
    QSlider::setValue(int(std::lround(scale_.share(value) * kPositions)));
    update();
}

void SliderTrack::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

QPointF SliderTrack::handle() const {
    const double room = std::max(width() - 2 * kHandleRadius - 2, 1.0);
    return {kHandleRadius + 1 + scale_.share(number_) * room, height() / 2.0};
}

double SliderTrack::shareAt(double x) const {
    return (x - kHandleRadius - 1) / std::max(width() - 2 * kHandleRadius - 2, 1.0);
}

void SliderTrack::moveTo(double value, GesturePhase phase) {
    if (value == number_) return;
    setNumber(value);
    Q_EMIT changed(value, phase);
}

void SliderTrack::step(int by) { moveTo(scale_.stepped(number_, by), GesturePhase::typed); }

void SliderTrack::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre = handle();
    const QRectF groove(1, centre.y() - kTrackHeight / 2, width() - 2, kTrackHeight);
    const QColor colour = isEnabled() ? theme_.accent : theme_.disabled;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.border);
    painter.drawRoundedRect(groove, 2, 2);
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(groove.left(), groove.top(), centre.x() - groove.left(), groove.height()), 2, 2);
    if (hasFocus()) {
        painter.setBrush(theme_.accent_fill);
        painter.drawEllipse(centre, kHandleRadius + 2.5, kHandleRadius + 2.5);
    }
    painter.setPen(QPen(colour, 2));
    painter.setBrush(dragging_ ? theme_.accent_fill : theme_.panel);
    painter.drawEllipse(centre, kHandleRadius - 1, kHandleRadius - 1);
}

void SliderTrack::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    dragging_ = true;
    const double away = event->position().x() - handle().x();
    const bool on_handle = std::abs(away) <= kHandleRadius + 2;
    grab_offset_ = on_handle ? away : 0;
    Q_EMIT changed(number_, GesturePhase::press);
    if (!on_handle) moveTo(scale_.snapped(shareAt(event->position().x())), GesturePhase::move);
    update();
}

void SliderTrack::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_) return;
    moveTo(scale_.snapped(shareAt(event->position().x() - grab_offset_)), GesturePhase::move);
}

void SliderTrack::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) finish();
}

/// A slider that disappears in the middle of a drag still ends its gesture.
void SliderTrack::hideEvent(QHideEvent* event) {
    finish();
    QSlider::hideEvent(event);
}

void SliderTrack::finish() {
    if (!dragging_) return;
    dragging_ = false;
    update();
    Q_EMIT changed(number_, GesturePhase::release);
}

void SliderTrack::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Up: return step(1);
        case Qt::Key_Left:
        case Qt::Key_Down: return step(-1);
        case Qt::Key_PageUp: return step(kPageStops);
        case Qt::Key_PageDown: return step(-kPageStops);
        case Qt::Key_Home: return moveTo(scale_.stops().front(), GesturePhase::typed);
        case Qt::Key_End: return moveTo(scale_.stops().back(), GesturePhase::typed);
        default: QWidget::keyPressEvent(event);
    }
}

/// Only with the focus: scrolling a panel over a slider must not change the scenario.
void SliderTrack::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) return event->ignore();
    wheel_rest_ += event->angleDelta().y();
    const int notches = wheel_rest_ / kWheelNotch;
    wheel_rest_ -= notches * kWheelNotch;
    if (notches != 0) step(notches);
    event->accept();
}

}  // namespace crosspoint::ui
