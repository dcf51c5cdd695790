// What the canvas does on mouse, keys and drops.
#include <cmath>

#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QMimeData>
#include <QNativeGestureEvent>
#include <QTextDocument>
#include <QToolTip>

#include "widgets/diagram/diagram_view_private.hpp"

namespace crosspoint::ui {
namespace {

constexpr double dragThreshold = 4, cablePick = 5;  // pixels
constexpr double wheelStep = 1.2, keyStep = 1.2;

double snapped(double v) { return std::round(v / DiagramView::grid) * DiagramView::grid; }

/// Names that look like markup are shown as they are.
QString plain(const QString& text) { return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text; }

bool adds(Qt::KeyboardModifiers modifiers) { return modifiers & (Qt::ControlModifier | Qt::ShiftModifier); }

}  // namespace

// ---- modes

void DiagramView::setMode(Mode mode) {
    d_->cancelDrag();
    d_->mode = mode;
    d_->showCursor();
    update();
}

DiagramView::Mode DiagramView::mode() const { return d_->mode; }

void DiagramView::Private::showCursor() const {
    if (drag == Drag::panning) return q->setCursor(Qt::ClosedHandCursor);
    if (spaceHeld || mode == Mode::pan) return q->setCursor(Qt::OpenHandCursor);
    q->setCursor(mode == Mode::connect ? Qt::CrossCursor : Qt::ArrowCursor);
}

// ---- picking

QString DiagramView::Private::idAt(QPointF view) const { return scene.idAt(zoom.unmap(view), cablePick / zoom.scale); }

const DiagramBox* DiagramView::Private::cableEndAt(QPointF view) const {
    const DiagramBox* box = scene.boxAt(zoom.unmap(view));
    return box && takesCables(*box) ? box : nullptr;
}

void DiagramView::Private::hover(const QString& key) {
    if (key == hoverKey) return;
    hoverKey = key;
    q->update();
}

// ---- mouse

void DiagramView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;  // Alt turns the wheel sideways
    if (notches != 0) d_->zoomAbout(event->position(), std::pow(wheelStep, notches));
    event->accept();
}

void DiagramView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    d_->press(event);
}

void DiagramView::Private::press(QMouseEvent* event) {
    if (drag != Drag::none) return;  // a second button does not disturb what the first has begun
    pressAt = lastAt = event->position();
    const bool left = event->button() == Qt::LeftButton;
    if (event->button() == Qt::MiddleButton || (left && (spaceHeld || mode == Mode::pan))) {
        drag = Drag::panning;
        return showCursor();
    }
    if (!left) return;
    if (map().frame.contains(pressAt)) {
        drag = Drag::mapping;
        return goToMap(pressAt);
    }
    if (mode == Mode::connect) return pressConnect(pressAt);
    if (pressMark(pressAt)) return;
    drag = Drag::pressed;
    const QString id = idAt(pressAt);
    if (!adds(event->modifiers()) && !id.isEmpty() && !overlay.selected_ids.contains(id)) clickSelect(id, false);
}

/// The mark before a container's name.
bool DiagramView::Private::pressMark(QPointF at) {
    const DiagramBox* box = scene.containerAt(zoom.unmap(at));
    if (!box || !box->collapsible || !collapseMark(*box, zoom).contains(at)) return false;
    Q_EMIT q->collapseRequested(box->id, !box->collapsed);
    return true;
}

void DiagramView::Private::hoverCable(QPointF at) {
    const DiagramBox* box = scene.boxAt(zoom.unmap(at));
    const bool covered = box && !holdsOthers(*box);
    const DiagramCable* cable = covered ? nullptr : scene.cableAt(zoom.unmap(at), cablePick / zoom.scale);
    const QString id = cable ? cable->id : QString();
    if (id == overlay.hovered_cable) return;
    overlay.hovered_cable = id;
    q->update();
}

void DiagramView::Private::pressConnect(QPointF at) {
    if (!connectFrom.isEmpty()) return finishConnect(at);
    const DiagramBox* box = cableEndAt(at);
    if (!box) return;
    connectFrom = box->key;
    drag = Drag::connecting;
    q->update();
}

/// A press has turned into a drag: of the selection when it began on it, else of a rubber band.
void DiagramView::Private::beginDrag(QMouseEvent* event) {
    const QString id = idAt(pressAt);
    const QStringList movable = scene.topmost(overlay.selected_ids);
    const bool onBox = scene.boxAt(zoom.unmap(pressAt)) && overlay.selected_ids.contains(id) && !movable.isEmpty();
    drag = onBox && !adds(event->modifiers()) ? Drag::moving : Drag::band;
    if (drag == Drag::moving) overlay.moving_keys = scene.withInside(overlay.selected_ids);
}

void DiagramView::Private::dragMove(QPointF at, bool freely) {
    const QPointF way = (at - pressAt) / zoom.scale;
    const QPointF shift = freely ? way : QPointF(snapped(way.x()), snapped(way.y()));
    if (shift == overlay.shift) return;
    overlay.shift = shift;
    Q_EMIT q->moving(scene.topmost(overlay.selected_ids), shift);
}

void DiagramView::mouseMoveEvent(QMouseEvent* event) {
    using Drag = Private::Drag;
    const QPointF at = event->position();
    if (d_->drag == Drag::pressed && (at - d_->pressAt).manhattanLength() >= dragThreshold) d_->beginDrag(event);
    if (d_->drag == Drag::panning) {
        d_->userMoved();
        d_->setZoom({d_->zoom.scale, d_->zoom.offset + at - d_->lastAt});
    }
    if (d_->drag == Drag::moving) d_->dragMove(at, event->modifiers() & Qt::AltModifier);
    if (d_->drag == Drag::mapping) d_->goToMap(at);
    d_->lastAt = at;
    if (d_->drag == Drag::none && d_->mode == Mode::select) d_->hoverCable(at);
    if (d_->mode == Mode::connect) {
        const DiagramBox* end = d_->cableEndAt(at);
        d_->hover(end ? end->key : QString());
    }
    if (d_->drag != Drag::none || !d_->connectFrom.isEmpty()) update();
}

void DiagramView::Private::finishMove() {
    const QPointF way = std::exchange(overlay.shift, {});
    overlay.moving_keys.clear();
    q->update();
    const QStringList ids = scene.topmost(overlay.selected_ids);
    if (way.isNull() || ids.isEmpty()) return;
    userMoved();
    Q_EMIT q->moveRequested(ids, way);
}

void DiagramView::Private::finishBand(bool add) {
    const QStringList ids = scene.enclosedBy(zoom.unmap(QRectF(pressAt, lastAt).normalized()));
    QSet<QString> all = add ? overlay.selected_ids : QSet<QString>();
    all.unite(QSet<QString>(ids.begin(), ids.end()));
    select(all);
}

/// On open ground or on the box where it began, a cable is given up.
void DiagramView::Private::finishConnect(QPointF at) {
    const DiagramBox* from = scene.box(std::exchange(connectFrom, {}));
    const DiagramBox* to = cableEndAt(at);
    q->update();
    if (from && to && from != to) Q_EMIT q->connectRequested(from->id, to->id);
}

void DiagramView::mouseReleaseEvent(QMouseEvent* event) {
    using Drag = Private::Drag;
    if (event->button() != Qt::LeftButton && d_->drag != Drag::panning) return;
    const Drag drag = std::exchange(d_->drag, Drag::none);
    const bool far = (event->position() - d_->pressAt).manhattanLength() >= dragThreshold;
    d_->lastAt = event->position();
    switch (drag) {
        case Drag::pressed: d_->click(d_->pressAt, adds(event->modifiers())); break;
        case Drag::moving: d_->finishMove(); break;
        case Drag::band: d_->finishBand(adds(event->modifiers())); break;
        case Drag::panning: d_->showCursor(); break;
        case Drag::connecting:
            if (far) d_->finishConnect(event->position());  // else a click: the next one connects
            break;
        case Drag::mapping:
        case Drag::none: break;
    }
    update();
}

void DiagramView::Private::goToMap(QPointF at) {
    const DiagramMinimap shown = map();
    if (shown.frame.isEmpty()) return;
    userMoved();
    setZoom({zoom.scale, QRectF(q->rect()).center() - shown.zoom.unmap(at) * zoom.scale});
}

void DiagramView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || d_->mode != Mode::select || d_->map().frame.contains(event->position()))
        return d_->press(event);
    const QString id = d_->idAt(event->position());
    const DiagramBox* box = d_->scene.boxAt(toCanvas(event->position()));
    if (id.isEmpty()) fitAll();
    else if (box && box->id == id && box->collapsible) Q_EMIT collapseRequested(id, !box->collapsed);
    else Q_EMIT openRequested(id);
}

void DiagramView::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QString id =
        byKey && d_->overlay.selected_ids.size() == 1 ? *d_->overlay.selected_ids.begin() : d_->idAt(event->pos());
    if (!id.isEmpty() && !d_->overlay.selected_ids.contains(id)) d_->clickSelect(id, false);
    Q_EMIT contextMenuRequested(id, event->globalPos());
}

void DiagramView::leaveEvent(QEvent* event) {
    d_->hover({});
    d_->overlay.hovered_cable.clear();
    update();
    QWidget::leaveEvent(event);
}

bool DiagramView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // What has begun here is given up before an action of the window that Escape runs, too.
        const bool escape = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (escape && (d_->isBusy() || d_->mode != Mode::select)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture) return QWidget::event(event);
        d_->zoomAbout(gesture->position(), 1 + gesture->value());
        return true;
    }
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QPointF at = toCanvas(help->pos());
    const DiagramBox* box = d_->scene.boxAt(at);
    const bool device = box && !holdsOthers(*box);
    const DiagramCable* cable = device ? nullptr : d_->scene.cableAt(at, cablePick / d_->zoom.scale);
    const QString text = cable ? cable->tooltip : box ? box->tooltip : QString();
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), plain(text), this);
    return true;
}

// ---- keys

/// Moves the selection; without one, the view.
void DiagramView::Private::nudge(QPointF by) {
    if (drag != Drag::none) return;
    if (overlay.selected_ids.isEmpty()) {
        userMoved();
        return setZoom({zoom.scale, zoom.offset - by * 4});
    }
    overlay.shift = by;
    finishMove();
}

void DiagramView::Private::cancelDrag() {
    drag = Drag::none;
    overlay.shift = {};
    overlay.moving_keys.clear();
    connectFrom.clear();
    hoverKey.clear();
    q->update();
}

/// Escape: what has begun, else the mode, else the selection.
void DiagramView::Private::cancel() {
    const bool busy = isBusy();
    cancelDrag();
    showCursor();
    if (busy) return;
    if (mode == Mode::select) return select({});
    q->setMode(Mode::select);
    Q_EMIT q->modeChanged(Mode::select);
}

void DiagramView::keyPressEvent(QKeyEvent* event) {
    const double reach = event->modifiers() & Qt::AltModifier ? 1 : grid;
    const QSet<QString>& selected = d_->overlay.selected_ids;
    switch (event->key()) {
        case Qt::Key_Space:
            d_->spaceHeld = true;
            d_->showCursor();
            break;
        case Qt::Key_Left: d_->nudge({-reach, 0}); break;
        case Qt::Key_Right: d_->nudge({reach, 0}); break;
        case Qt::Key_Up: d_->nudge({0, -reach}); break;
        case Qt::Key_Down: d_->nudge({0, reach}); break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            if (!selected.isEmpty()) Q_EMIT deleteRequested(selection());
            break;
        case Qt::Key_D:
            if (!(event->modifiers() & Qt::ControlModifier)) return QWidget::keyPressEvent(event);
            if (!selected.isEmpty()) Q_EMIT duplicateRequested(selection());
            break;
        case Qt::Key_Escape: d_->cancel(); break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (selected.size() == 1) Q_EMIT openRequested(*selected.begin());
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomBy(keyStep); break;
        case Qt::Key_Minus: zoomBy(1 / keyStep); break;
        case Qt::Key_0: fitAll(); break;
        case Qt::Key_PageDown: d_->step(1); break;
        case Qt::Key_PageUp: d_->step(-1); break;
        default: return QWidget::keyPressEvent(event);
    }
    event->accept();
}

void DiagramView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
    d_->spaceHeld = false;
    d_->showCursor();
}

void DiagramView::focusOutEvent(QFocusEvent* event) {
    d_->spaceHeld = false;
    d_->showCursor();
    QWidget::focusOutEvent(event);
}

// ---- drops

void DiagramView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(partMimeType)) event->acceptProposedAction();
}

void DiagramView::dragMoveEvent(QDragMoveEvent* event) {
    const DiagramBox* container = d_->scene.containerAt(toCanvas(event->position()));
    d_->hover(container ? container->key : QString());
    event->acceptProposedAction();
}

void DiagramView::dragLeaveEvent(QDragLeaveEvent*) { d_->hover({}); }

void DiagramView::dropEvent(QDropEvent* event) {
    d_->hover({});
    const QByteArray part = event->mimeData()->data(partMimeType);
    if (part.isEmpty()) return;
    const QPointF at = toCanvas(event->position());
    const DiagramBox* container = d_->scene.containerAt(at);
    event->acceptProposedAction();
    Q_EMIT partDropped(QString::fromUtf8(part), at, container ? container->id : QString());
}

}  // namespace crosspoint::ui
