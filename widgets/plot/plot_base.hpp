// The QCustomPlot behind a PlotView, and what its figures are made of. Private to widgets/plot.
#pragma once

#include <qcustomplot.h>

#include "widgets/plot/label_placer.hpp"
#include "widgets/plot/plot_view.hpp"
#include "widgets/plot/plot_zoom.hpp"
#include "widgets/plot/tickers.hpp"

namespace crosspoint::ui {

struct PlotView::Base {
    Base(PlotView* owner);

    PlotView* view;
    QCustomPlot* plot;
    PlotZoom zoom;
    Theme theme = Theme::light();
    bool live = false;
    bool exporting = false;
    QString empty_text;
    QPointer<QCPItemStraightLine> cross_x, cross_y;
    QPointer<QCPItemText> cross_text;
    std::vector<QRectF> label_rects;
    std::vector<QCPItemText*> labels;

    /// Rebuilds and asks for one replot.
    void refresh();
    /// Everything away, axes in the theme's colours and without labels; the crosshair hidden.
    void clear();
    /// Only the sentence is shown.
    void showEmpty(const QString& text);
    [[nodiscard]] double penWidth() const { return live ? 1 : 2; }
    [[nodiscard]] QPen curvePen(const QColor& colour, Qt::PenStyle style = Qt::SolidLine) const;
    QCPGraph* addGraph(const QVector<double>& x, const QVector<double>& y, const QPen& pen, QCPAxis* value = nullptr);
    void styleAxis(QCPAxis* axis, const QString& label, const QColor& label_colour = {});
    void dropLine(QPointF from, double to_y, const QColor& colour);
    void verticalLine(double x, const QColor& colour);
    void dot(QPointF at, const QColor& colour);
    void square(QPointF at, const QColor& colour, bool filled);
    void band(double x_low, double x_high, const QColor& fill);

    [[nodiscard]] QPointF pixel(QPointF coordinates, QCPAxis* value = nullptr) const;
    [[nodiscard]] QPolygonF pixels(const QCPGraph& graph) const;
    /// Size of a label; bold ones are wider.
    [[nodiscard]] QSizeF labelSize(const QString& text, bool bold) const;
    /// Puts the text where the placer finds room; false and nothing when there is none.
    bool label(LabelPlacer& placer, const QString& text, const QColor& colour, bool bold,
               const std::vector<QPointF>& corners, double later = LabelPlacer::kNearby);
    void clearLabels();
    [[nodiscard]] LabelPlacer placer() const;

    void hover(QPointF pixel);
    void leave();
    void followScreen();
    /// Draws at `size` in `theme` with `painter`; the screen is as before afterwards.
    void draw(QCPPainter& painter, QSize size, const Theme& in_theme);
    QString readout_text;
};

/// Colour of curve `index`: Okabe-Ito, readable as a line on the panel.
QColor curve_colour(const Theme& theme, int index);
/// Readable darker or lighter variant of a curve colour for text on the panel.
QColor text_colour(const Theme& theme, const QColor& colour);
/// `share` of the colour over the panel, opaque.
QColor tint(const Theme& theme, const QColor& colour, double share);

}  // namespace crosspoint::ui
