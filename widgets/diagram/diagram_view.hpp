// The canvas: nested boxes and cables with zoom, pan, selection, moving, connecting and dropping.
//
// Mouse: wheel zooms about the cursor, middle button or space + drag pans, click selects, Ctrl or Shift + click
// toggles (two devices so are the ends of a path), a double click or the mark before a container's name closes and
// opens it, a drag on empty ground (with Ctrl or Shift: anywhere) selects what it encloses, a drag on a box moves the
// selection by whole grid steps (Alt: freely), a click in the small map goes there. Keys: arrows nudge by one grid step
// (Alt: one unit), Delete, Ctrl+D duplicates, Page Up and Page Down walk through the boxes, Enter opens, + and - zoom,
// 0 fits, Escape gives up what has begun. Moving, deleting and connecting are requests: the data changes only when it
// is set again.
#pragma once

#include <memory>

#include <QWidget>

#include "widgets/diagram/diagram_data.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

class DiagramView : public QWidget {
    Q_OBJECT
public:
    enum class Mode { select, connect, pan };
    static constexpr double grid = 12;
    static constexpr const char* partMimeType = "application/x-crosspoint-part";

    explicit DiagramView(QWidget* parent = nullptr);
    ~DiagramView() override;

    /// Keeps zoom, position and the selected ids that still exist; repaints only what differs.
    void setData(DiagramData data);
    [[nodiscard]] const DiagramData& data() const;
    void setTheme(const Theme& theme);
    void setMode(Mode mode);
    [[nodiscard]] Mode mode() const;

    /// No signal. Boxes picked by click stay picked where their id is still selected.
    void setSelection(const QStringList& ids);
    /// Keys of the devices that were clicked themselves, at most two, the last one last: several boxes share an id.
    [[nodiscard]] QStringList pickedBoxes() const;
    [[nodiscard]] QStringList selection() const;
    void selectAll();

    void fitAll();
    void fitSelection();
    /// Brings these into view, at a zoom at which they can be read; nothing moves when they can already be seen.
    void reveal(const QStringList& ids);
    void zoomBy(double factor);
    [[nodiscard]] double zoom() const;
    [[nodiscard]] QPointF toView(QPointF canvas) const;
    [[nodiscard]] QPointF toCanvas(QPointF view) const;
    [[nodiscard]] QPointF visibleCentre() const;  ///< in canvas units
    [[nodiscard]] QRectF contentRect() const;     ///< of everything drawn, with a margin, captions included

    /// Draws everything (not only what is in view) into `target`; the painter is left as it was.
    void renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const;

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 160}; }

Q_SIGNALS:
    void selectionChanged(const QStringList& ids);
    /// Once at the end of a drag or per nudge. Objects inside a moved one are not listed: they come along.
    void moveRequested(const QStringList& ids, QPointF delta);
    /// While a drag goes on, whenever `delta` changes; the canvas draws the preview by itself.
    void moving(const QStringList& ids, QPointF delta);
    void deleteRequested(const QStringList& ids);
    void duplicateRequested(const QStringList& ids);
    void connectRequested(const QString& a, const QString& b);
    /// `container` is the id of the innermost container under the drop, empty when there is none.
    void partDropped(const QString& part, QPointF canvas, const QString& container);
    void openRequested(const QString& id);
    void collapseRequested(const QString& id, bool collapsed);
    void pickedChanged(const QStringList& keys);
    void modeChanged(crosspoint::ui::DiagramView::Mode mode);  ///< when Escape leaves a mode
    void contextMenuRequested(const QString& id, QPoint global);
    void zoomChanged(double zoom);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
