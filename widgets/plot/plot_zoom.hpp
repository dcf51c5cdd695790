// Zoom and pan of a plot by wheel and drag. Private to widgets/plot.
#pragma once

#include <optional>

#include <QMouseEvent>
#include <QPointer>
#include <QRubberBand>

#include <qcustomplot.h>

namespace crosspoint::ui {

/// Wheel zooms about the cursor (Ctrl: along the horizontal axis alone), a drag frames what to see, a drag with the
/// middle button or Shift pans, a double click shows everything again. Never further out than the whole figure.
class PlotZoom {
public:
    explicit PlotZoom(QCustomPlot* plot) : plot_(plot) {}

    /// After the figure was rebuilt: remembers its whole ranges and shows the wanted part of them.
    void apply();
    void reset();
    [[nodiscard]] bool isZoomed() const { return wanted_.has_value(); }

    void wheel(const QWheelEvent& event);
    void press(const QMouseEvent& event);
    /// True while a drag goes on.
    bool move(const QMouseEvent& event);
    /// True when a drag ended, so that this is no click.
    bool release(const QMouseEvent& event);

private:
    struct Ranges {
        QCPRange x, y, y2;
    };
    enum class Drag { none, pressed, framing, panning };

    [[nodiscard]] Ranges shown() const;
    void show(const Ranges& ranges);
    void take(const Ranges& ranges);
    void pan(QPointF by);
    void frame(const QRectF& pixels);

    QCustomPlot* plot_;
    Ranges whole_;
    std::optional<Ranges> wanted_;  ///< shown instead of everything
    Drag drag_ = Drag::none;
    QPointF pressed_, last_;
    QPointer<QRubberBand> band_;
};

}  // namespace crosspoint::ui
