// What all plots share: theme, live mode, crosshair, data table and export.
//
// Vector output: QSvgGenerator of Qt 6.4 knows no clip paths, so everything outside the axis rectangle is covered by
// a mask of the background colour before the axes are drawn over it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QStringList>
#include <QWidget>

#include "widgets/theme/theme.hpp"

class QMouseEvent;
class QPainter;

namespace crosspoint::ui {

enum class FigureFormat { svg, pdf, png };

/// "svg", "pdf", "png" in any case, or the suffix of a path; empty when it is none of them.
std::optional<FigureFormat> figure_format(const QString& name_or_path);

class PlotView : public QWidget {
    Q_OBJECT
public:
    struct Base;
    ~PlotView() override;

    void setTheme(const Theme& theme);
    /// While something is dragged: pens of width 1, which paint ten times as fast as width 2.
    void setLive(bool live);
    [[nodiscard]] bool isLive() const;

    /// Header and rows: for copying and for readers who do not see the picture.
    [[nodiscard]] virtual std::vector<QStringList> tableRows() const = 0;

    /// Draws into `target` of any painter, in `theme`; the picture is laid out for the size of `target`.
    void renderTo(QPainter& painter, const QRectF& target, const Theme& theme);
    /// Writes the plot with `size` (in pixels of the screen; empty: as shown), PNG at twice that. False with a
    /// sentence in `error` when the file cannot be written. Drawn in `theme`.
    bool exportTo(const QString& path, FigureFormat format, const Theme& theme, QSize size = {},
                  QString* error = nullptr);

    /// The axis rectangle in widget coordinates, and widget coordinates of a point of the left axes.
    [[nodiscard]] QRectF axisRectangle() const;
    [[nodiscard]] QPointF pixelOf(QPointF coordinates) const;
    /// The text beside the crosshair; empty when the cursor is not over the axes.
    [[nodiscard]] QString readout() const;

    /// Wheel and drag zoom, Shift + drag or the middle button pan; a double click shows everything again.
    [[nodiscard]] bool isZoomed() const;
    void resetZoom();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    explicit PlotView(QWidget* parent);
    /// Builds everything of the figure from data and theme; called before a replot when either changed.
    virtual void rebuild() = 0;
    /// Places labels once the axis rectangle is known.
    virtual void placeLabels() = 0;
    /// The sentence for the crosshair at these coordinates.
    [[nodiscard]] virtual QString readoutAt(QPointF coordinates) const = 0;
    virtual void clicked(QPointF pixel, QPointF coordinates) = 0;
    /// Index of what a click would pick at this pixel; -1 nothing. Changes the cursor.
    [[nodiscard]] virtual int pickAt(QPointF pixel) const;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    std::unique_ptr<Base> base_;

private:
    void screenChanged();
    void moved(const QMouseEvent& event);
    void released(const QMouseEvent& event);
};

}  // namespace crosspoint::ui
