// Lanes of bars against time: zoom by wheel about the cursor, pan by drag, double click for everything.
//
// Keys: left/right step through the bars in order of time (up/down between lanes), Home/End first and last,
// +/- zoom, 0 everything. Bars below one pixel are merged, so that a step of thousands of bars paints fast.
#pragma once

#include <memory>

#include <QSet>
#include <QWidget>

#include "widgets/theme/theme.hpp"
#include "widgets/timeline/timeline_data.hpp"

class QPainter;

namespace crosspoint::ui {

class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    ~TimelineView() override;

    /// Keeps the zoom when the shown share of the old picture still makes sense, and the current bar by key.
    void setData(TimelineData data);
    [[nodiscard]] const TimelineData& data() const;
    void setTheme(const Theme& theme);
    /// Outlines every bar of these operations; no signal.
    void setSelectedOperations(const QSet<QString>& operations);
    [[nodiscard]] const QSet<QString>& selectedOperations() const;

    /// Seconds shown, left and right edge of the lanes.
    [[nodiscard]] double visibleStart() const;
    [[nodiscard]] double visibleEnd() const;
    void setVisibleRange(double start, double end);
    void zoomAll();

    /// Rectangle of a bar in widget coordinates; empty when it is outside the view. Index into data().bars.
    [[nodiscard]] QRectF barRect(int index) const;
    /// Index into data().bars under the point, or -1.
    [[nodiscard]] int barAt(QPointF point) const;

    /// Draws everything (not only the zoomed part) into `target`; the painter is left as it was.
    void renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const;
    /// Header and one row a bar: for copying and for readers who do not see the picture.
    [[nodiscard]] std::vector<QStringList> tableRows() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A click or key chose a bar; an empty operation means that nothing is chosen any more (layer is then -1).
    void barSelected(const QString& operation, int layer);
    void visibleRangeChanged(double start, double end);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
