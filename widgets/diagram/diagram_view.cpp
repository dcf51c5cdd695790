#include "widgets/diagram/diagram_view.hpp"

#include <algorithm>
#include <cmath>

#include <QPaintEvent>

#include "widgets/diagram/diagram_view_private.hpp"

namespace crosspoint::ui {
namespace {

constexpr double minZoom = 0.01, maxZoom = 8, fitMaxZoom = 1.4;
constexpr double margin = 24;

/// Where a drawing goes between its captions.
QRectF roomIn(const QRectF& area, const DiagramData& data, const Theme& theme) {
    const CaptionSpace space = captionSpace(data, area.width(), theme);
    return area.adjusted(margin, std::max(margin, space.top + 8), -margin, -std::max(margin, space.bottom + 8));
}

double scaleInto(const QRectF& content, const QRectF& room) {
    return std::min(room.width() / std::max(content.width(), 1.0), room.height() / std::max(content.height(), 1.0));
}

DiagramZoom centred(const QRectF& content, const QRectF& room, double scale) {
    return {scale, room.center() - content.center() * scale};
}

}  // namespace

DiagramView::DiagramView(QWidget* parent) : QWidget(parent), d_(new Private(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Drawing"));
    d_->describe();
}

DiagramView::~DiagramView() = default;

// ---- data

void DiagramView::setData(DiagramData data) {
    const QRectF before = d_->scene.bounds();
    const double foot = captionSpace(d_->scene.data(), width(), d_->theme).bottom;
    const DiagramChange change = difference(d_->scene.data(), data);
    d_->scene.set(std::move(data));
    if (!d_->overlay.selected_ids.isEmpty()) d_->overlay.selected_ids.intersect(d_->scene.ids());
    {
        const QSignalBlocker quiet(this);
        d_->keepPicked();
    }
    if (d_->drag == Private::Drag::moving) d_->overlay.moving_keys = d_->scene.withInside(d_->overlay.selected_ids);
    if (!d_->scene.box(d_->connectFrom)) d_->connectFrom.clear();
    const bool resized =
        before != d_->scene.bounds() || foot != captionSpace(d_->scene.data(), width(), d_->theme).bottom;
    if (d_->fitted && resized) d_->fitTo(d_->scene.bounds());
    d_->describe();
    d_->updateChanged(change);
}

void DiagramView::Private::updateChanged(const DiagramChange& change) {
    const bool dragging = drag != Drag::none && drag != Drag::pressed;
    if (change.everything || change.captions || dragging) return q->update();
    for (const QRectF& area : change.areas) q->update(zoom.map(area).adjusted(-5, -5, 5, 5).toAlignedRect());
    if (change.geometry) q->update(map().frame.toAlignedRect());
}

const DiagramData& DiagramView::data() const { return d_->scene.data(); }

void DiagramView::setTheme(const Theme& theme) {
    d_->theme = theme;
    d_->sprites.forget();
    update();
}

void DiagramView::Private::describe() const {
    const DiagramData& data = scene.data();
    QString text = DiagramView::tr("%1 boxes and %2 cables; %3 selected.")
                       .arg(data.boxes.size())
                       .arg(data.cables.size())
                       .arg(overlay.selected_ids.size());
    for (const QString& part : {data.caption, data.critical})
        if (!part.isEmpty()) text += QLatin1Char(' ') + part + QLatin1Char('.');
    if (data.boxes.empty()) text += QLatin1Char(' ') + data.empty_text;
    else text += QLatin1Char(' ') + DiagramView::tr("The outline lists every object.");
    q->setAccessibleDescription(text);
}

// ---- selection

void DiagramView::setSelection(const QStringList& ids) {
    const QSet<QString> wanted(ids.begin(), ids.end());
    if (wanted == d_->overlay.selected_ids) return;
    d_->overlay.selected_ids = wanted;
    {
        const QSignalBlocker quiet(this);
        d_->keepPicked();
    }
    d_->describe();
    update();
}

QStringList DiagramView::pickedBoxes() const { return d_->overlay.picked_keys; }

void DiagramView::Private::setPicked(const QStringList& keys) {
    if (keys == overlay.picked_keys) return;
    overlay.picked_keys = keys;
    q->update();
    Q_EMIT q->pickedChanged(keys);
}

/// Boxes that are gone or no longer selected are not picked.
void DiagramView::Private::keepPicked() {
    QStringList kept = overlay.picked_keys;
    kept.removeIf([this](const QString& key) {
        const DiagramBox* found = scene.box(key);
        return !found || !overlay.selected_ids.contains(found->id);
    });
    setPicked(kept);
}

QStringList DiagramView::selection() const {
    QStringList ids = d_->overlay.selected_ids.values();
    ids.sort();
    return ids;
}

void DiagramView::Private::select(const QSet<QString>& ids) {
    if (ids == overlay.selected_ids) return;
    overlay.selected_ids = ids;
    keepPicked();
    describe();
    q->update();
    Q_EMIT q->selectionChanged(q->selection());
}

void DiagramView::selectAll() { d_->select(d_->scene.outermostIds()); }

void DiagramView::Private::clickSelect(const QString& id, bool toggle) {
    QSet<QString> ids = toggle ? overlay.selected_ids : QSet<QString>();
    if (!id.isEmpty() && !(toggle && ids.remove(id))) ids.insert(id);
    select(ids);
}

/// A second device of the same id joins the first one instead of taking it away.
void DiagramView::Private::click(QPointF at, bool toggle) {
    const DiagramBox* box = scene.boxAt(zoom.unmap(at));
    const QString id = idAt(at);
    if (!box || box->id != id || !takesCables(*box)) {
        clickSelect(id, toggle);
        return setPicked({});
    }
    const QString key = box->key;
    QStringList keys = toggle ? overlay.picked_keys : QStringList();
    const bool again = keys.removeAll(key) > 0;
    const bool shared = std::any_of(keys.begin(), keys.end(), [&](const QString& other) {
        const DiagramBox* picked = scene.box(other);
        return picked && picked->id == id;
    });
    if (!shared) clickSelect(id, toggle);
    if (!again && overlay.selected_ids.contains(id)) keys << key;
    setPicked(keys.mid(std::max<qsizetype>(0, keys.size() - 2)));
}

/// Walks through boxes in drawing order.
void DiagramView::Private::step(int by) {
    const QStringList ids = scene.boxIds();
    if (ids.isEmpty()) return;
    const auto n = ids.size();
    const auto at = overlay.selected_ids.size() == 1 ? ids.indexOf(*overlay.selected_ids.begin()) : -1;
    const auto next = at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n;
    select({ids[next]});
}

// ---- zoom

double DiagramView::zoom() const { return d_->zoom.scale; }
QPointF DiagramView::toView(QPointF canvas) const { return d_->zoom.map(canvas); }
QPointF DiagramView::toCanvas(QPointF view) const { return d_->zoom.unmap(view); }
QPointF DiagramView::visibleCentre() const { return toCanvas(QRectF(rect()).center()); }

QRectF DiagramView::contentRect() const {
    const QRectF& bounds = d_->scene.bounds();
    const double widest = std::max(bounds.width() + 2 * margin, captionWidth(data(), d_->theme));
    const CaptionSpace space = captionSpace(data(), widest, d_->theme);
    const double sides = (widest - bounds.width()) / 2;
    return bounds.adjusted(-sides, -std::max(margin, space.top + 8), sides, std::max(margin, space.bottom + 8));
}

void DiagramView::Private::setZoom(const DiagramZoom& next) {
    const bool scaled = next.scale != zoom.scale;
    zoom = next;
    q->update();
    if (scaled) Q_EMIT q->zoomChanged(zoom.scale);
}

void DiagramView::Private::fitTo(const QRectF& content) {
    const QRectF room = roomIn(QRectF(q->rect()), scene.data(), theme);
    if (content.isNull() || room.width() <= 0 || room.height() <= 0) return;
    setZoom(centred(content, room, std::clamp(scaleInto(content, room), minZoom, fitMaxZoom)));
}

void DiagramView::fitAll() {
    d_->fitted = true;
    d_->fitTo(d_->scene.bounds());
}

void DiagramView::fitSelection() {
    const QRectF area = d_->scene.areaOf(d_->overlay.selected_ids);
    if (area.isEmpty()) return;
    d_->userMoved();
    d_->fitTo(area);
}

void DiagramView::reveal(const QStringList& ids) {
    constexpr double readable = 0.7;  // zoom
    const QRectF area = d_->scene.areaOf(QSet<QString>(ids.begin(), ids.end()));
    if (area.isEmpty() || (d_->seen().contains(area) && zoom() >= LevelOfDetail::text)) return;
    const QRectF room = roomIn(QRectF(rect()), data(), d_->theme);
    if (room.width() <= 0 || room.height() <= 0) return;
    d_->userMoved();
    const double scale = std::min(std::max(zoom(), readable), scaleInto(area, room));
    d_->setZoom(centred(area, room, std::clamp(scale, minZoom, maxZoom)));
}

void DiagramView::Private::zoomAbout(QPointF at, double factor) {
    const double scale = std::clamp(zoom.scale * factor, minZoom, maxZoom);
    userMoved();
    setZoom({scale, at - zoom.unmap(at) * scale});
}

void DiagramView::zoomBy(double factor) { d_->zoomAbout(QRectF(rect()).center(), factor); }

void DiagramView::resizeEvent(QResizeEvent*) {
    if (d_->fitted) d_->fitTo(d_->scene.bounds());
}

// ---- painting

void DiagramView::Private::paintOverlays(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    if (const DiagramBox* box = scene.box(hoverKey)) {
        painter.setPen(QPen(theme.accent, 2, Qt::DashLine));
        painter.drawRoundedRect(zoom.map(box->rect).adjusted(-2, -2, 2, 2), 5, 5);
    }
    if (const DiagramBox* from = scene.box(connectFrom)) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRoundedRect(zoom.map(from->rect).adjusted(-2, -2, 2, 2), 5, 5);
        painter.drawLine(zoom.map(from->rect.center()), lastAt);
        painter.setBrush(theme.accent);
        painter.drawEllipse(lastAt, 3, 3);
    }
    if (drag != Drag::band) return;
    QColor fill = theme.accent;
    fill.setAlphaF(0.08f);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
    painter.setBrush(fill);
    painter.drawRect(QRectF(pressAt, lastAt).normalized());
}

void DiagramView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), d_->theme.canvas);
    if (data().boxes.empty()) paintEmptyHint(painter, data().empty_text, rect(), d_->theme);
    else {
        d_->sprites.begin(d_->zoom, d_->theme, painter.device()->devicePixelRatioF());
        paintDiagram(painter, d_->scene, d_->zoom, event->rect(), d_->theme, d_->overlay, &d_->sprites);
        paintCaptions(painter, data(), rect(), d_->theme);
        paintCard(painter, d_->scene, d_->zoom, rect(), d_->theme);
        paintMinimap(painter, d_->map(), data(), d_->seen(), d_->theme);
    }
    d_->paintOverlays(painter);
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(d_->theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void DiagramView::renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const {
    painter.save();
    painter.setClipRect(target, Qt::IntersectClip);
    painter.fillRect(target, theme.canvas);
    const QRectF room = roomIn(target, data(), theme);
    const QRectF& bounds = d_->scene.bounds();
    if (data().boxes.empty()) paintEmptyHint(painter, data().empty_text, target, theme);
    else if (room.width() > 0 && room.height() > 0)
        paintDiagram(painter, d_->scene, centred(bounds, room, scaleInto(bounds, room)), target, theme, {});
    paintCaptions(painter, data(), target, theme);
    painter.restore();
}

}  // namespace crosspoint::ui
