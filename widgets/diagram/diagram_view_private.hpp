// State of a DiagramView, shared by its drawing (diagram_view.cpp) and its events (diagram_input.cpp).
#pragma once

#include "widgets/diagram/diagram_captions.hpp"
#include "widgets/diagram/diagram_labels.hpp"
#include "widgets/diagram/diagram_painting.hpp"
#include "widgets/diagram/diagram_scene.hpp"
#include "widgets/diagram/diagram_sprites.hpp"
#include "widgets/diagram/diagram_view.hpp"

namespace crosspoint::ui {

struct DiagramView::Private {
    enum class Drag { none, pressed, moving, band, panning, connecting, mapping };

    explicit Private(DiagramView* view) : q(view) {}

    DiagramView* q;
    DiagramScene scene;
    Theme theme = Theme::light();
    Mode mode = Mode::select;
    DiagramZoom zoom;
    bool fitted = true;  ///< follow size and content until the user zooms, pans or moves something
    DiagramOverlay overlay;
    DiagramSprites sprites;

    Drag drag = Drag::none;
    bool spaceHeld = false;
    QPointF pressAt, lastAt;  ///< pixels
    QString connectFrom;      ///< key of the box where a cable begins; empty: none
    QString hoverKey;         ///< outlined: the target of a cable or of a drop

    // zoom
    void fitTo(const QRectF& content);
    void zoomAbout(QPointF at, double factor);
    void setZoom(const DiagramZoom& next);
    void userMoved() { fitted = false; }
    [[nodiscard]] QRectF seen() const { return zoom.unmap(QRectF(q->rect())); }
    [[nodiscard]] DiagramMinimap map() const { return minimap(scene.bounds(), zoom, q->size()); }

    // selection
    void select(const QSet<QString>& ids);
    void clickSelect(const QString& id, bool toggle);
    void click(QPointF at, bool toggle);
    void setPicked(const QStringList& keys);
    void keepPicked();
    void step(int by);
    void describe() const;

    // gestures
    [[nodiscard]] QString idAt(QPointF view) const;
    [[nodiscard]] const DiagramBox* cableEndAt(QPointF view) const;
    void showCursor() const;
    void hover(const QString& key);
    void hoverCable(QPointF at);
    [[nodiscard]] bool pressMark(QPointF at);
    [[nodiscard]] bool isBusy() const { return drag != Drag::none || !connectFrom.isEmpty(); }
    void press(QMouseEvent* event);
    void pressConnect(QPointF at);
    void beginDrag(QMouseEvent* event);
    void dragMove(QPointF at, bool freely);
    void cancelDrag();
    void nudge(QPointF by);
    void finishMove();
    void finishBand(bool add);
    void finishConnect(QPointF at);
    void goToMap(QPointF at);
    void cancel();

    void updateChanged(const DiagramChange& change);
    void paintOverlays(QPainter& painter) const;
};

}  // namespace crosspoint::ui
