#include "widgets/diagram/diagram_view.hpp"

#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QMimeData>
#include <QToolTip>

#include "widgets/diagram/diagram_painting.hpp"

namespace crosspoint::ui {
namespace {

constexpr double minZoom = 0.01, maxZoom = 8, fitMaxZoom = 1.4;
constexpr double dragThreshold = 4, cablePick = 5;
constexpr double captionSpace = 34, margin = 24;

double distanceToSegment(QPointF p, QPointF a, QPointF b) {
    const QPointF ab = b - a;
    const double length2 = QPointF::dotProduct(ab, ab);
    const double t = length2 > 0 ? std::clamp(QPointF::dotProduct(p - a, ab) / length2, 0.0, 1.0) : 0.0;
    const QPointF d = p - (a + ab * t);
    return std::sqrt(QPointF::dotProduct(d, d));
}

double snapped(double v) { return std::round(v / DiagramView::grid) * DiagramView::grid; }

bool holdsOthers(const DiagramBox& box) { return box.role == BoxRole::container || box.role == BoxRole::domain; }

}  // namespace

struct DiagramView::Private {
    enum class Drag { none, pressed, moving, band, panning, connecting };

    explicit Private(DiagramView* view) : q(view) {}

    DiagramView* q;
    DiagramData data;
    Theme theme = Theme::light();
    Mode mode = Mode::select;
    DiagramZoom zoom;
    bool fitted = true;  // follow the size until the user zooms or pans
    bool spaceHeld = false;
    Drag drag = Drag::none;
    QPointF pressAt, lastAt;
    QString pressedKey;
    QString connectFrom;    // id
    QPointF connectAnchor;  // canvas
    DiagramOverlay overlay;
    QHash<QString, int> byKey;
    QRectF bounds;

    [[nodiscard]] const DiagramBox* boxOf(const QString& key) const {
        const auto it = byKey.constFind(key);
        return it == byKey.constEnd() ? nullptr : &data.boxes[std::size_t(*it)];
    }
    void index();
    [[nodiscard]] QSet<QString> knownIds() const;
    [[nodiscard]] QString boxAt(QPointF canvas) const;
    [[nodiscard]] const DiagramCable* cableAt(QPointF canvas) const;
    [[nodiscard]] QString idAt(QPointF canvas) const;
    [[nodiscard]] QString containerAt(QPointF canvas) const;
    [[nodiscard]] QSet<QString> withInside(const QSet<QString>& ids) const;
    [[nodiscard]] QStringList enclosedBy(const QRectF& canvas) const;

    void fitTo(const QRectF& content);
    void zoomAbout(QPointF at, double factor);
    void userMoved() { fitted = false; }
    void select(const QSet<QString>& ids);
    void clickSelect(const QString& id, bool toggle);
    void step(int by);
    void nudge(QPointF by);
    void finishMove();
    void finishBand(bool add);
    void finishConnect(QPointF canvas);
    void paintOverlays(QPainter& painter) const;
    void paintMinimap(QPainter& painter) const;
    void describe() const;
};

DiagramView::DiagramView(QWidget* parent) : QWidget(parent), d_(new Private(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setAccessibleName(tr("Drawing"));
    d_->describe();
}

DiagramView::~DiagramView() = default;

// ---- data

void DiagramView::Private::index() {
    byKey.clear();
    bounds = {};
    for (std::size_t i = 0; i < data.boxes.size(); ++i) {
        byKey.insert(data.boxes[i].key, int(i));
        bounds |= data.boxes[i].rect;
    }
}

QSet<QString> DiagramView::Private::knownIds() const {
    QSet<QString> ids;
    for (const DiagramBox& box : data.boxes) ids.insert(box.id);
    for (const DiagramCable& cable : data.cables) ids.insert(cable.id);
    return ids;
}

void DiagramView::setData(DiagramData data) {
    const QRectF before = d_->bounds;
    d_->data = std::move(data);
    d_->index();
    d_->overlay.selected_ids.intersect(d_->knownIds());
    if (d_->drag == Private::Drag::moving) d_->overlay.moving_keys = d_->withInside(d_->overlay.selected_ids);
    if (d_->fitted && before != d_->bounds) d_->fitTo(d_->bounds);
    d_->describe();
    update();
}

const DiagramData& DiagramView::data() const { return d_->data; }

void DiagramView::setTheme(const Theme& theme) {
    d_->theme = theme;
    update();
}

void DiagramView::setMode(Mode mode) {
    d_->mode = mode;
    d_->connectFrom.clear();
    setCursor(mode == Mode::connect ? Qt::CrossCursor : Qt::ArrowCursor);
    update();
}

DiagramView::Mode DiagramView::mode() const { return d_->mode; }

void DiagramView::Private::describe() const {
    q->setAccessibleDescription(
        DiagramView::tr("%1 boxes and %2 cables; %3 selected. %4. The outline lists every object.")
            .arg(data.boxes.size())
            .arg(data.cables.size())
            .arg(overlay.selected_ids.size())
            .arg(data.critical));
}

// ---- selection

void DiagramView::setSelection(const QStringList& ids) {
    const QSet<QString> wanted(ids.begin(), ids.end());
    if (wanted == d_->overlay.selected_ids) return;
    d_->overlay.selected_ids = wanted;
    d_->describe();
    update();
}

QStringList DiagramView::selection() const {
    QStringList ids = d_->overlay.selected_ids.values();
    ids.sort();
    return ids;
}

void DiagramView::Private::select(const QSet<QString>& ids) {
    if (ids == overlay.selected_ids) return;
    overlay.selected_ids = ids;
    describe();
    q->update();
    Q_EMIT q->selectionChanged(q->selection());
}

void DiagramView::selectAll() {
    QSet<QString> ids;
    for (const DiagramBox& box : d_->data.boxes)
        if (box.parent.isEmpty()) ids.insert(box.id);
    for (const DiagramCable& cable : d_->data.cables) ids.insert(cable.id);
    d_->select(ids);
}

void DiagramView::Private::clickSelect(const QString& id, bool toggle) {
    QSet<QString> ids = toggle ? overlay.selected_ids : QSet<QString>();
    if (!id.isEmpty() && !(toggle && ids.remove(id))) ids.insert(id);
    select(ids);
}

/// Walks through boxes in drawing order.
void DiagramView::Private::step(int by) {
    QStringList ids;
    for (const DiagramBox& box : data.boxes)
        if (box.role != BoxRole::fabric && !ids.contains(box.id)) ids << box.id;
    if (ids.isEmpty()) return;
    const auto n = ids.size();
    const auto at = overlay.selected_ids.size() == 1 ? ids.indexOf(*overlay.selected_ids.begin()) : -1;
    select({ids[at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n]});
}

// ---- picking

QString DiagramView::Private::boxAt(QPointF canvas) const {
    for (auto box = data.boxes.rbegin(); box != data.boxes.rend(); ++box)
        if (box->rect.contains(canvas)) return box->key;
    return {};
}

const DiagramCable* DiagramView::Private::cableAt(QPointF canvas) const {
    const DiagramCable* nearest = nullptr;
    double least = cablePick / zoom.scale;
    for (const DiagramCable& cable : data.cables) {
        const double distance = distanceToSegment(canvas, cable.start, cable.end);
        if (distance > least) continue;
        least = distance;
        nearest = &cable;
    }
    return nearest;
}

/// Devices before cables before containers, as they are painted.
QString DiagramView::Private::idAt(QPointF canvas) const {
    const DiagramBox* box = boxOf(boxAt(canvas));
    if (box && !holdsOthers(*box)) return box->id;
    if (const DiagramCable* cable = cableAt(canvas)) return cable->id;
    return box ? box->id : QString();
}

QString DiagramView::Private::containerAt(QPointF canvas) const {
    for (auto box = data.boxes.rbegin(); box != data.boxes.rend(); ++box)
        if (holdsOthers(*box) && box->rect.contains(canvas)) return box->id;
    return {};
}

/// Keys of the boxes of these ids and of everything inside them.
QSet<QString> DiagramView::Private::withInside(const QSet<QString>& ids) const {
    QSet<QString> keys;
    for (const DiagramBox& box : data.boxes)
        if (ids.contains(box.id) || keys.contains(box.parent)) keys.insert(box.key);
    return keys;
}

/// Outermost boxes inside the band.
QStringList DiagramView::Private::enclosedBy(const QRectF& canvas) const {
    QSet<QString> keys;
    QStringList ids;
    for (const DiagramBox& box : data.boxes) {
        const bool covered = keys.contains(box.parent);
        if (!covered && !canvas.contains(box.rect)) continue;
        keys.insert(box.key);
        if (!covered && box.role != BoxRole::fabric) ids << box.id;
    }
    return ids;
}

// ---- zoom

double DiagramView::zoom() const { return d_->zoom.scale; }
QPointF DiagramView::toView(QPointF canvas) const { return d_->zoom.map(canvas); }
QPointF DiagramView::toCanvas(QPointF view) const { return d_->zoom.unmap(view); }
QPointF DiagramView::visibleCentre() const { return toCanvas(QRectF(rect()).center()); }

QRectF DiagramView::contentRect() const {
    return d_->bounds.adjusted(-margin, -margin - captionSpace, margin, margin + captionSpace);
}

void DiagramView::Private::fitTo(const QRectF& content) {
    const QRectF room = QRectF(q->rect()).adjusted(margin, captionSpace + 8, -margin, -captionSpace - 4);
    if (content.isEmpty() || room.width() <= 0 || room.height() <= 0) return;
    zoom.scale =
        std::clamp(std::min(room.width() / content.width(), room.height() / content.height()), minZoom, fitMaxZoom);
    zoom.offset = room.center() - content.center() * zoom.scale;
    q->update();
    Q_EMIT q->zoomChanged(zoom.scale);
}

void DiagramView::fitAll() {
    d_->fitted = true;
    d_->fitTo(d_->bounds);
}

void DiagramView::fitSelection() {
    QRectF area;
    for (const DiagramBox& box : d_->data.boxes)
        if (d_->overlay.selected_ids.contains(box.id)) area |= box.rect;
    for (const DiagramCable& cable : d_->data.cables)
        if (d_->overlay.selected_ids.contains(cable.id))
            area |= QRectF(cable.start, cable.end).normalized().adjusted(-1, -1, 1, 1);
    if (area.isEmpty()) return;
    d_->userMoved();
    d_->fitTo(area);
}

void DiagramView::Private::zoomAbout(QPointF at, double factor) {
    const QPointF fixed = zoom.unmap(at);
    zoom.scale = std::clamp(zoom.scale * factor, minZoom, maxZoom);
    zoom.offset = at - fixed * zoom.scale;
    userMoved();
    q->update();
    Q_EMIT q->zoomChanged(zoom.scale);
}

void DiagramView::zoomBy(double factor) { d_->zoomAbout(QRectF(rect()).center(), factor); }

void DiagramView::resizeEvent(QResizeEvent*) {
    if (d_->fitted) d_->fitTo(d_->bounds);
}

void DiagramView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches != 0) d_->zoomAbout(event->position(), std::pow(1.2, notches));
    event->accept();
}

// ---- mouse

void DiagramView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    d_->pressAt = d_->lastAt = event->position();
    const QPointF at = toCanvas(event->position());
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && d_->spaceHeld)) {
        d_->drag = Private::Drag::panning;
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    if (d_->mode == Mode::connect) {
        const DiagramBox* box = d_->boxOf(d_->boxAt(at));
        if (!box || holdsOthers(*box) || box->role == BoxRole::fabric) return;
        if (!d_->connectFrom.isEmpty()) return d_->finishConnect(at);
        d_->connectFrom = box->id;
        d_->connectAnchor = box->rect.center();
        d_->drag = Private::Drag::connecting;
        return;
    }
    const QString id = d_->idAt(at);
    d_->pressedKey = d_->boxAt(at);
    d_->drag = Private::Drag::pressed;
    const bool toggle = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (toggle || (!id.isEmpty() && !d_->overlay.selected_ids.contains(id))) d_->clickSelect(id, toggle);
}

void DiagramView::mouseMoveEvent(QMouseEvent* event) {
    using Drag = Private::Drag;
    const QPointF at = event->position();
    const bool far = (at - d_->pressAt).manhattanLength() >= dragThreshold;
    if (d_->drag == Drag::pressed && far) {
        const QString id = d_->idAt(toCanvas(d_->pressAt));
        const bool onBox = !id.isEmpty() && d_->overlay.selected_ids.contains(id) && d_->boxOf(d_->pressedKey);
        d_->drag = onBox ? Drag::moving : Drag::band;
        if (onBox) d_->overlay.moving_keys = d_->withInside(d_->overlay.selected_ids);
    }
    if (d_->drag == Drag::panning) {
        d_->zoom.offset += at - d_->lastAt;
        d_->userMoved();
    }
    if (d_->drag == Drag::moving) {
        const QPointF way = (at - d_->pressAt) / d_->zoom.scale;
        const bool free = event->modifiers() & Qt::AltModifier;
        d_->overlay.shift = free ? way : QPointF(snapped(way.x()), snapped(way.y()));
    }
    d_->lastAt = at;
    if (d_->drag != Drag::none || !d_->connectFrom.isEmpty()) update();
}

void DiagramView::Private::finishMove() {
    const QPointF way = overlay.shift;
    overlay.shift = {};
    overlay.moving_keys.clear();
    if (way.isNull()) return;
    QStringList ids;
    for (const DiagramBox& box : data.boxes)
        if (overlay.selected_ids.contains(box.id) && !ids.contains(box.id)) ids << box.id;
    fitted = false;
    Q_EMIT q->moveRequested(ids, way);
}

void DiagramView::Private::finishBand(bool add) {
    const QRectF band = QRectF(zoom.unmap(pressAt), zoom.unmap(lastAt)).normalized();
    const QStringList ids = enclosedBy(band);
    QSet<QString> all = add ? overlay.selected_ids : QSet<QString>();
    all.unite(QSet<QString>(ids.begin(), ids.end()));
    select(all);
}

void DiagramView::Private::finishConnect(QPointF canvas) {
    const DiagramBox* box = boxOf(boxAt(canvas));
    const QString from = std::exchange(connectFrom, {});
    q->update();
    if (box && !holdsOthers(*box) && box->role != BoxRole::fabric && !from.isEmpty())
        Q_EMIT q->connectRequested(from, box->id);
}

void DiagramView::mouseReleaseEvent(QMouseEvent* event) {
    using Drag = Private::Drag;
    const Drag drag = std::exchange(d_->drag, Drag::none);
    const bool far = (event->position() - d_->pressAt).manhattanLength() >= dragThreshold;
    d_->lastAt = event->position();
    switch (drag) {
        case Drag::pressed: {
            const bool toggle = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
            if (!toggle) d_->clickSelect(d_->idAt(toCanvas(event->position())), false);
            break;
        }
        case Drag::moving: d_->finishMove(); break;
        case Drag::band: d_->finishBand(event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)); break;
        case Drag::panning: setCursor(d_->mode == Mode::connect ? Qt::CrossCursor : Qt::ArrowCursor); break;
        case Drag::connecting:
            if (far) d_->finishConnect(toCanvas(event->position()));  // else: a click, the second click connects
            break;
        case Drag::none: break;
    }
    update();
}

void DiagramView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QString id = d_->idAt(toCanvas(event->position()));
    if (id.isEmpty()) fitAll();
    else Q_EMIT openRequested(id);
}

void DiagramView::contextMenuEvent(QContextMenuEvent* event) {
    const QString id = d_->idAt(toCanvas(event->pos()));
    if (!id.isEmpty() && !d_->overlay.selected_ids.contains(id)) d_->clickSelect(id, false);
    Q_EMIT contextMenuRequested(id, event->globalPos());
}

bool DiagramView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QPointF at = toCanvas(help->pos());
    const DiagramBox* box = d_->boxOf(d_->boxAt(at));
    const DiagramCable* cable = box && !holdsOthers(*box) ? nullptr : d_->cableAt(at);
    const QString text = cable ? cable->tooltip : box ? box->tooltip : QString();
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
}

// ---- keys

void DiagramView::Private::nudge(QPointF by) {
    if (overlay.selected_ids.isEmpty()) {
        zoom.offset -= by * 4;
        userMoved();
        return q->update();
    }
    overlay.shift = by;
    finishMove();
}

void DiagramView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Space:
            d_->spaceHeld = true;
            setCursor(Qt::OpenHandCursor);
            break;
        case Qt::Key_Left: d_->nudge({-grid, 0}); break;
        case Qt::Key_Right: d_->nudge({grid, 0}); break;
        case Qt::Key_Up: d_->nudge({0, -grid}); break;
        case Qt::Key_Down: d_->nudge({0, grid}); break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            if (!d_->overlay.selected_ids.isEmpty()) Q_EMIT deleteRequested(selection());
            break;
        case Qt::Key_Escape:
            d_->connectFrom.clear();
            d_->select({});
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (d_->overlay.selected_ids.size() == 1) Q_EMIT openRequested(*d_->overlay.selected_ids.begin());
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomBy(1.2); break;
        case Qt::Key_Minus: zoomBy(1 / 1.2); break;
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
    setCursor(d_->mode == Mode::connect ? Qt::CrossCursor : Qt::ArrowCursor);
}

void DiagramView::focusOutEvent(QFocusEvent* event) {
    d_->spaceHeld = false;
    QWidget::focusOutEvent(event);
}

void DiagramView::leaveEvent(QEvent* event) { QWidget::leaveEvent(event); }

// ---- drops

void DiagramView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(partMimeType)) event->acceptProposedAction();
}

void DiagramView::dragMoveEvent(QDragMoveEvent* event) { event->acceptProposedAction(); }

void DiagramView::dragLeaveEvent(QDragLeaveEvent*) { update(); }

void DiagramView::dropEvent(QDropEvent* event) {
    const QByteArray part = event->mimeData()->data(partMimeType);
    if (part.isEmpty()) return;
    const QPointF at = toCanvas(event->position());
    event->acceptProposedAction();
    Q_EMIT partDropped(QString::fromUtf8(part), at, d_->containerAt(at));
}

// ---- painting

void DiagramView::Private::paintOverlays(QPainter& painter) const {
    painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
    QColor fill = theme.accent;
    fill.setAlphaF(0.08f);
    painter.setBrush(fill);
    if (drag == Drag::band) painter.drawRect(QRectF(pressAt, lastAt).normalized());
    if (!connectFrom.isEmpty()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(zoom.map(connectAnchor), lastAt);
    }
}

/// The whole drawing small, with the part in view framed; only when something lies outside of the view.
void DiagramView::Private::paintMinimap(QPainter& painter) const {
    const QRectF seen(zoom.unmap(QPointF(0, 0)), zoom.unmap(QPointF(q->width(), q->height())));
    if (bounds.isEmpty() || seen.contains(bounds) || q->width() < 360 || q->height() < 220) return;
    const QRectF frame(q->width() - 152, 38, 140, 84);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(frame, 4, 4);
    const QRectF inside = frame.adjusted(6, 6, -6, -6);
    const double scale = std::min(inside.width() / bounds.width(), inside.height() / bounds.height());
    const QPointF offset = inside.center() - bounds.center() * scale;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    for (const DiagramBox& box : data.boxes)
        if (box.parent.isEmpty())
            painter.drawRect(QRectF(box.rect.topLeft() * scale + offset, box.rect.size() * scale));
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(seen.topLeft() * scale + offset, seen.size() * scale).intersected(frame.adjusted(2, 2, -2, -2)));
}

void DiagramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), d_->theme.canvas);
    if (d_->data.boxes.empty()) {
        painter.setFont(d_->theme.textFont());
        painter.setPen(d_->theme.secondary);
        painter.drawText(rect().adjusted(40, 40, -40, -40), Qt::AlignCenter | Qt::TextWordWrap, d_->data.empty_text);
        return;
    }
    paintDiagram(painter, d_->data, d_->zoom, rect(), d_->theme, d_->overlay);
    paintCaptions(painter, d_->data, rect(), d_->theme);
    d_->paintMinimap(painter);
    d_->paintOverlays(painter);
    if (hasFocus()) {
        painter.setPen(QPen(d_->theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void DiagramView::renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const {
    painter.save();
    painter.setClipRect(target);
    painter.fillRect(target, theme.canvas);
    const QRectF room = target.adjusted(margin, captionSpace + 8, -margin, -captionSpace);
    if (!d_->bounds.isEmpty()) {
        DiagramZoom zoom;
        zoom.scale = std::min(room.width() / d_->bounds.width(), room.height() / d_->bounds.height());
        zoom.offset = room.center() - d_->bounds.center() * zoom.scale;
        paintDiagram(painter, d_->data, zoom, target, theme, {});
    }
    paintCaptions(painter, d_->data, target, theme);
    painter.restore();
}

}  // namespace crosspoint::ui
