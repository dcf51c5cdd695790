#include "widgets/timeline/timeline_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "core/units/text.hpp"
#include "widgets/timeline/timeline_painting.hpp"

namespace crosspoint::ui {

namespace {
constexpr double kZoomPerNotch = 1.2;  // factor of one wheel notch of 120 eighths of a degree
constexpr double kDragThreshold = 4;   // px before a press becomes a pan
constexpr double kDeepestZoom = 1e-6;  // share of the whole that may fill the view

QRectF inside(const QRectF& whole) { return whole.adjusted(8, 6, -8, -6); }

QString seconds_text(double seconds) { return QString::fromStdString(format(Seconds(seconds))); }
}  // namespace

struct TimelineView::Private {
    TimelineView* view;
    Theme theme = Theme::light();
    TimelineData data;
    std::vector<int> order;  ///< bars by start, then stream
    QSet<QString> selected;
    double start = 0, end = 1;
    int hovered = -1, current = -1;
    QPointF press_point;
    double press_start = 0, press_end = 0;
    bool pressed = false, panning = false;

    [[nodiscard]] QRectF area() const { return inside(view->rect()); }
    [[nodiscard]] TimelineLayout layout() const { return timeline_layout(data, area(), theme, start, end); }
    [[nodiscard]] bool empty() const { return data.bars.empty() || !(data.end > 0); }
    [[nodiscard]] bool showsAll() const { return start <= 0 && end >= data.end; }
    void sortBars();
    void setRange(double from, double to);
    void choose(int index);
    void step(int by);
    void stepLane(int by);
    void reveal(int index);
    void describe();
    void zoom(double factor, double about);
};

void TimelineView::Private::sortBars() {
    order.resize(data.bars.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
    std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
        const TimelineBar &x = data.bars[std::size_t(a)], &y = data.bars[std::size_t(b)];
        return x.start != y.start ? x.start < y.start : x.stream < y.stream;
    });
}

void TimelineView::Private::setRange(double from, double to) {
    const double whole = data.end > 0 ? data.end : 1;
    const double span = std::clamp(to - from, whole * kDeepestZoom, whole);
    from = std::clamp(from, 0.0, whole - span);
    if (from == start && from + span == end) return;
    start = from;
    end = from + span;
    view->update();
    Q_EMIT view->visibleRangeChanged(start, end);
}

void TimelineView::Private::zoom(double factor, double about) {
    const double span = (end - start) / factor;
    const double share = (about - start) / (end - start);
    setRange(about - span * share, about - span * share + span);
}

void TimelineView::Private::choose(int index) {
    current = index;
    selected.clear();
    QString operation;
    int layer = -1;
    if (index >= 0) {
        const TimelineBar& bar = data.bars[std::size_t(index)];
        operation = bar.operation;
        layer = bar.layer;
        selected.insert(operation);
    }
    describe();
    view->update();
    Q_EMIT view->barSelected(operation, layer);
}

void TimelineView::Private::step(int by) {
    if (order.empty()) return;
    const auto at = std::find(order.begin(), order.end(), current);
    const int last = int(order.size()) - 1;
    const int next = at == order.end() ? (by > 0 ? 0 : last) : std::clamp(int(at - order.begin()) + by, 0, last);
    reveal(order[std::size_t(next)]);
    choose(order[std::size_t(next)]);
}

/// To the bar of the next lane that is nearest in time.
void TimelineView::Private::stepLane(int by) {
    if (current < 0) return step(1);
    const TimelineBar& from = data.bars[std::size_t(current)];
    const double middle = from.start + from.length / 2;
    for (int lane = from.stream + by; lane >= 0 && lane < data.streams.size(); lane += by) {
        int best = -1;
        double best_distance = 0;
        for (const int i : order) {
            const TimelineBar& bar = data.bars[std::size_t(i)];
            const double distance = std::abs(bar.start + bar.length / 2 - middle);
            if (bar.stream != lane || (best >= 0 && distance >= best_distance)) continue;
            best = i;
            best_distance = distance;
        }
        if (best < 0) continue;
        reveal(best);
        return choose(best);
    }
}

void TimelineView::Private::reveal(int index) {
    const TimelineBar& bar = data.bars[std::size_t(index)];
    if (bar.start >= start && bar.start + bar.length <= end) return;
    const double span = end - start;
    const double from = bar.start + bar.length / 2 - span / 2;
    setRange(from, from + span);
}

void TimelineView::Private::describe() {
    if (empty()) return view->setAccessibleDescription(data.empty_text);
    QString text = tr("%1. %2 bars in %3 lanes, %4.")
                       .arg(data.title)
                       .arg(data.bars.size())
                       .arg(data.streams.size())
                       .arg(seconds_text(data.end));
    if (data.note) text += ' ' + data.note->text + '.';
    if (current >= 0) {
        const TimelineBar& bar = data.bars[std::size_t(current)];
        text += tr(" Selected: %1, %2 from %3.").arg(bar.label, seconds_text(bar.length), seconds_text(bar.start));
    }
    view->setAccessibleDescription(text);
}

TimelineView::TimelineView(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->view = this;
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setObjectName(QStringLiteral("timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    d_->describe();
}

TimelineView::~TimelineView() = default;

void TimelineView::setData(TimelineData data) {
    const bool all = d_->showsAll() || !(d_->data.end > 0);
    const double from = d_->start / std::max(d_->data.end, 1e-300), to = d_->end / std::max(d_->data.end, 1e-300);
    QString key;
    if (d_->current >= 0) key = d_->data.bars[std::size_t(d_->current)].key;
    const bool same_streams = data.streams == d_->data.streams;
    d_->data = std::move(data);
    if (!std::isfinite(d_->data.end)) d_->data.end = 0;
    d_->sortBars();
    d_->hovered = d_->current = -1;
    for (std::size_t i = 0; i < d_->data.bars.size(); ++i) {
        if (!key.isEmpty() && d_->data.bars[i].key == key) d_->current = int(i);
        if (d_->data.bars[i].selected) d_->selected.insert(d_->data.bars[i].operation);
    }
    const double whole = d_->data.end > 0 ? d_->data.end : 1;
    if (all || !same_streams) {
        d_->start = 0;
        d_->end = whole;
    } else {
        d_->start = from * whole;
        d_->end = to * whole;
    }
    d_->describe();
    update();
}

const TimelineData& TimelineView::data() const { return d_->data; }

void TimelineView::setTheme(const Theme& theme) {
    d_->theme = theme;
    update();
}

void TimelineView::setSelectedOperations(const QSet<QString>& operations) {
    if (d_->selected == operations) return;
    d_->selected = operations;
    if (d_->current >= 0 && !operations.contains(d_->data.bars[std::size_t(d_->current)].operation)) d_->current = -1;
    update();
}

const QSet<QString>& TimelineView::selectedOperations() const { return d_->selected; }
double TimelineView::visibleStart() const { return d_->start; }
double TimelineView::visibleEnd() const { return d_->end; }
void TimelineView::setVisibleRange(double start, double end) { d_->setRange(start, end); }
void TimelineView::zoomAll() { d_->setRange(0, d_->data.end > 0 ? d_->data.end : 1); }

QRectF TimelineView::barRect(int index) const {
    if (index < 0 || std::size_t(index) >= d_->data.bars.size()) return {};
    const TimelineLayout layout = d_->layout();
    return layout.bar(d_->data.bars[std::size_t(index)]) & layout.lanes;
}

int TimelineView::barAt(QPointF point) const {
    const TimelineLayout layout = d_->layout();
    if (d_->empty() || !layout.lanes.contains(point)) return -1;
    int best = -1;
    double best_distance = 2.5;  // px: what is thinner can still be hit
    for (std::size_t i = 0; i < d_->data.bars.size(); ++i) {
        const QRectF bar = layout.bar(d_->data.bars[i]);
        if (point.y() < bar.top() || point.y() > bar.bottom()) continue;
        const double distance = std::max({bar.left() - point.x(), point.x() - bar.right(), 0.0});
        if (distance >= best_distance) continue;
        best = int(i);
        best_distance = distance;
    }
    return best;
}

void TimelineView::renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const {
    painter.save();
    const double end = d_->data.end > 0 ? d_->data.end : 1;
    const TimelineHighlight highlight{&d_->selected, -1, -1};
    const QRectF area = inside(target);
    painter.fillRect(target, theme.panel);
    draw_timeline(painter, d_->data, timeline_layout(d_->data, area, theme, 0, end), area, theme, highlight);
    painter.restore();
}

std::vector<QStringList> TimelineView::tableRows() const {
    std::vector<QStringList> rows{
        {tr("Stream"), tr("Operation"), tr("Layer"), tr("Start"), tr("Length"), tr("Exposed")}};
    for (const int i : d_->order) {
        const TimelineBar& bar = d_->data.bars[std::size_t(i)];
        const QString stream =
            bar.stream >= 0 && bar.stream < d_->data.streams.size() ? d_->data.streams[bar.stream] : QString();
        rows.push_back({stream, bar.label.isEmpty() ? bar.operation : bar.label,
                        bar.layer < 0 ? tr("ends") : QString::number(bar.layer), seconds_text(bar.start),
                        seconds_text(bar.length), bar.exposed ? tr("yes") : QString()});
    }
    return rows;
}

QSize TimelineView::sizeHint() const { return {760, 240}; }
QSize TimelineView::minimumSizeHint() const { return {280, 130}; }

bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = barAt(help->pos());
        if (index < 0) QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), d_->data.bars[std::size_t(index)].tooltip, this,
                               barRect(index).toAlignedRect().adjusted(-1, -1, 1, 1));
        return true;
    }
    return QWidget::event(event);
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const TimelineHighlight highlight{&d_->selected, d_->hovered, hasFocus() ? d_->current : -1};
    painter.fillRect(rect(), d_->theme.panel);
    draw_timeline(painter, d_->data, d_->layout(), d_->area(), d_->theme, highlight);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (d_->empty()) return event->ignore();
    const TimelineLayout layout = d_->layout();
    const QPoint angle = event->angleDelta();
    if (angle.x() != 0 && std::abs(angle.x()) > std::abs(angle.y())) {
        const double shift = -double(angle.x()) / 1200.0 * (d_->end - d_->start);
        d_->setRange(d_->start + shift, d_->end + shift);
    } else {
        const double x = std::clamp(event->position().x(), layout.lanes.left(), layout.lanes.right());
        d_->zoom(std::pow(kZoomPerNotch, angle.y() / 120.0), layout.time(x));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return event->ignore();
    d_->pressed = true;
    d_->panning = false;
    d_->press_point = event->position();
    d_->press_start = d_->start;
    d_->press_end = d_->end;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!d_->pressed) {
        const int hovered = barAt(event->position());
        if (hovered == d_->hovered) return;
        d_->hovered = hovered;
        setCursor(hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return update();
    }
    const double dx = event->position().x() - d_->press_point.x();
    if (!d_->panning && std::abs(dx) < kDragThreshold) return;
    d_->panning = true;
    setCursor(Qt::ClosedHandCursor);
    const TimelineLayout layout = d_->layout();
    const double shift = -dx / std::max(layout.lanes.width(), 1.0) * (d_->press_end - d_->press_start);
    d_->setRange(d_->press_start + shift, d_->press_end + shift);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = d_->pressed && !d_->panning && event->button() == Qt::LeftButton;
    d_->pressed = d_->panning = false;
    unsetCursor();
    if (!click || d_->empty()) return;
    const int index = barAt(event->position());
    if (index >= 0 || !d_->selected.isEmpty()) d_->choose(index);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) zoomAll();
}

void TimelineView::leaveEvent(QEvent*) {
    if (d_->hovered < 0) return;
    d_->hovered = -1;
    update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = (d_->start + d_->end) / 2;
    switch (event->key()) {
        case Qt::Key_Right: return d_->step(1);
        case Qt::Key_Left: return d_->step(-1);
        case Qt::Key_Down: return d_->stepLane(1);
        case Qt::Key_Up: return d_->stepLane(-1);
        case Qt::Key_Home: return d_->step(-int(d_->order.size()));
        case Qt::Key_End: return d_->step(int(d_->order.size()));
        case Qt::Key_Plus:
        case Qt::Key_Equal: return d_->zoom(kZoomPerNotch, middle);
        case Qt::Key_Minus: return d_->zoom(1 / kZoomPerNotch, middle);
        case Qt::Key_0: return zoomAll();
        case Qt::Key_Escape:
            if (!d_->selected.isEmpty()) return d_->choose(-1);
            break;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace crosspoint::ui
