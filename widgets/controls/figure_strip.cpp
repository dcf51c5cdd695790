#include "widgets/controls/figure_strip.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/controls/figure_layout.hpp"

namespace crosspoint::ui {

struct FigureStrip::Private {
    FigureStrip* view;
    FigureStripData data;
    Theme theme = Theme::light();
    FigureLayout layout;
    int hovered = -1, pressed = -1, current = 0;

    void arrange();
    void activate(int index);
    [[nodiscard]] int at(QPoint point) const;
    [[nodiscard]] QString tooltip(int index) const;
    void describe() const;
    void paintCard(QPainter& painter, int index) const;
    void paintFigure(QPainter& painter, const QRect& inner, const FigureCardData& card) const;
    void paintReview(QPainter& painter, const QRect& inner) const;
    [[nodiscard]] QColor changeColour(FigureCardData::Change change) const;
};

namespace {

QString review_text(const ReviewCounts& counts) {
    QString text = FigureStrip::tr("Review: %1 fail, %2 attention, %3 pass")
                       .arg(counts.fail)
                       .arg(counts.attention)
                       .arg(counts.pass);
    if (counts.not_applicable > 0) text += FigureStrip::tr(", %1 not applicable").arg(counts.not_applicable);
    return text;
}

/// Filled: exact or measured; half: fitted; ring: from a datasheet; broken ring: assumed.
void draw_confidence(QPainter& painter, QPointF centre, const QString& confidence, const Theme& theme) {
    constexpr double kRadius = 3;
    const QRectF circle(centre.x() - kRadius, centre.y() - kRadius, 2 * kRadius, 2 * kRadius);
    const bool assumed = confidence == QLatin1String("assumed");
    painter.setPen(QPen(theme.secondary, 1.2, assumed ? Qt::DotLine : Qt::SolidLine));
    const bool sure = confidence == QLatin1String("exact") || confidence == QLatin1String("measured");
    painter.setBrush(sure ? QBrush(theme.secondary) : QBrush(Qt::NoBrush));
    painter.drawEllipse(circle);
    if (confidence != QLatin1String("fitted")) return;
    painter.setBrush(theme.secondary);
    painter.drawPie(circle, 90 * 16, 180 * 16);
}

}  // namespace

void FigureStrip::Private::arrange() {
    layout = figure_layout(data, theme, std::max(view->width(), 1));
    view->setMinimumHeight(layout.height);
    view->update();
}

int FigureStrip::Private::at(QPoint point) const {
    for (std::size_t i = 0; i < layout.cards.size(); ++i)
        if (layout.cards[i].contains(point)) return int(i);
    return -1;
}

void FigureStrip::Private::activate(int index) {
    if (index < 0 || std::size_t(index) >= layout.cards.size()) return;
    if (std::size_t(index) < data.figures.size()) Q_EMIT view->figureActivated(data.figures[std::size_t(index)].id);
    else Q_EMIT view->reviewActivated();
}

QString FigureStrip::Private::tooltip(int index) const {
    if (index < 0) return {};
    if (std::size_t(index) >= data.figures.size()) return data.review ? review_text(*data.review) : QString();
    const FigureCardData& card = data.figures[std::size_t(index)];
    QStringList lines{card.label + ": " + card.text};
    if (!card.change.isEmpty()) lines << tr("%1 against the baseline").arg(card.change);
    if (!card.note.isEmpty()) lines << card.note;
    if (!card.confidence.isEmpty()) lines << tr("confidence: %1").arg(card.confidence);
    if (!card.tooltip.isEmpty()) lines << card.tooltip;
    return lines.join('\n');
}

void FigureStrip::Private::describe() const {
    QStringList parts;
    for (const FigureCardData& card : data.figures)
        parts << (card.label + ' ' + card.text + (card.change.isEmpty() ? QString() : ", " + card.change));
    if (data.review) parts << review_text(*data.review);
    view->setAccessibleDescription(parts.isEmpty() ? data.empty_text : parts.join("; "));
}

QColor FigureStrip::Private::changeColour(FigureCardData::Change change) const {
    switch (change) {
        case FigureCardData::Change::better: return theme.severityText(Severity::pass);
        case FigureCardData::Change::worse: return theme.severityText(Severity::fail);
        default: return theme.secondary;
    }
}

void FigureStrip::Private::paintFigure(QPainter& painter, const QRect& inner, const FigureCardData& card) const {
    const QFont small = theme.secondaryFont();
    const QFontMetrics metrics(small);
    painter.setFont(small);
    painter.setPen(theme.secondary);
    const QRect top(inner.left(), inner.top(), inner.width(), metrics.height());
    painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter, card.label);
    if (!card.confidence.isEmpty())
        draw_confidence(painter,
                        QPointF(inner.left() + metrics.horizontalAdvance(card.label) + 9, top.center().y() + 1.5),
                        card.confidence, theme);
    painter.setFont(small);
    painter.setPen(card.change.isEmpty() ? theme.secondary : changeColour(card.direction));
    const bool beside = layout.lines == CardLines::two;
    const QRect remark =
        beside ? top : QRect(inner.left(), inner.bottom() - metrics.height() + 1, inner.width(), metrics.height());
    painter.drawText(remark, (beside ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, card_remark(card));
    painter.setFont(theme.figureFont());
    painter.setPen(theme.text);
    const QRect value(inner.left(), top.bottom() + 1, inner.width(), 26);
    painter.drawText(value, Qt::AlignLeft | Qt::AlignVCenter, card.text);
}

void FigureStrip::Private::paintReview(QPainter& painter, const QRect& inner) const {
    const QFont small = theme.secondaryFont();
    const QFontMetrics metrics(small), big(theme.figureFont());
    painter.setFont(small);
    painter.setPen(theme.secondary);
    painter.drawText(QRect(inner.left(), inner.top(), inner.width(), metrics.height()), Qt::AlignLeft, tr("Review"));
    const auto counts = review_counts(*data.review);
    const std::vector<int> columns = review_columns(*data.review, theme, layout.lines);
    const int spare = std::max(inner.width() - std::accumulate(columns.begin(), columns.end(), 0), 0) / 3;
    const int y = inner.top() + metrics.height();
    int x = inner.left();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto& [severity, count] = counts[i];
        drawSeverity(painter, QRectF(x, y + 6, 14, 14), severity, theme);
        painter.setFont(theme.figureFont());
        painter.setPen(theme.severityText(severity));
        const QString number = QString::number(count);
        painter.drawText(QRect(x + 19, y, 40, 26), Qt::AlignLeft | Qt::AlignVCenter, number);
        painter.setFont(small);
        painter.setPen(theme.secondary);
        const QString word = severityWord(severity);
        if (layout.lines == CardLines::two)
            painter.drawText(QPoint(x + 19 + big.horizontalAdvance(number) + 5, y + 13 + big.ascent() / 2 - 2), word);
        else painter.drawText(QPoint(x, inner.bottom() - metrics.descent() + 1), word);
        x += columns[i] + spare;
    }
}

void FigureStrip::Private::paintCard(QPainter& painter, int index) const {
    const QRect card = layout.cards[std::size_t(index)];
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = view->hasFocus() && index == current;
    painter.setPen(QPen(focused || index == hovered ? theme.accent : theme.border, 1));
    painter.setBrush(index == pressed ? theme.hover : theme.panel);
    painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    const QRect inner = card.adjusted(10, 8, -10, -6);
    if (std::size_t(index) < data.figures.size()) paintFigure(painter, inner, data.figures[std::size_t(index)]);
    else if (data.review) paintReview(painter, inner);
}

FigureStrip::FigureStrip(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->view = this;
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Figures"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    d_->arrange();
}

FigureStrip::~FigureStrip() = default;

void FigureStrip::setData(FigureStripData data) {
    d_->data = std::move(data);
    const int count = int(d_->data.figures.size()) + (d_->data.review ? 1 : 0);
    d_->current = std::clamp(d_->current, 0, std::max(count - 1, 0));
    d_->hovered = d_->pressed = -1;
    const int height = d_->layout.height;
    d_->arrange();
    if (height != d_->layout.height) updateGeometry();
    d_->describe();
}

const FigureStripData& FigureStrip::data() const { return d_->data; }

void FigureStrip::setTheme(const Theme& theme) {
    d_->theme = theme;
    d_->arrange();
}

QRect FigureStrip::cardRect(const QString& id) const {
    if (id.isEmpty()) return d_->data.review && !d_->layout.cards.empty() ? d_->layout.cards.back() : QRect();
    for (std::size_t i = 0; i < d_->data.figures.size() && i < d_->layout.cards.size(); ++i)
        if (d_->data.figures[i].id == id) return d_->layout.cards[i];
    return {};
}

QSize FigureStrip::sizeHint() const { return {1240, heightForWidth(std::max(width(), 1240))}; }
QSize FigureStrip::minimumSizeHint() const { return {smallest_width(d_->data, d_->theme), d_->layout.height}; }
int FigureStrip::heightForWidth(int width) const { return figure_layout(d_->data, d_->theme, width).height; }

bool FigureStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = d_->at(help->pos());
    if (index < 0) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), d_->tooltip(index), this, d_->layout.cards[std::size_t(index)]);
    return true;
}

void FigureStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (int i = 0; i < int(d_->layout.cards.size()); ++i) d_->paintCard(painter, i);
    if (!d_->layout.cards.empty()) return;
    painter.setFont(d_->theme.textFont());
    painter.setPen(d_->theme.secondary);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     d_->data.empty_text.isEmpty() ? tr("Draw accelerators and choose a model to see figures")
                                                   : d_->data.empty_text);
}

void FigureStrip::resizeEvent(QResizeEvent*) {
    const int height = d_->layout.height;
    d_->arrange();
    if (height != d_->layout.height) updateGeometry();
}

void FigureStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    d_->pressed = d_->at(event->position().toPoint());
    if (d_->pressed >= 0) d_->current = d_->pressed;
    update();
}

void FigureStrip::mouseReleaseEvent(QMouseEvent* event) {
    const int released = d_->at(event->position().toPoint());
    const bool click = d_->pressed >= 0 && released == d_->pressed && event->button() == Qt::LeftButton;
    d_->pressed = -1;
    update();
    if (click) d_->activate(released);
}

void FigureStrip::mouseMoveEvent(QMouseEvent* event) {
    const int hovered = d_->at(event->position().toPoint());
    if (hovered == d_->hovered) return;
    d_->hovered = hovered;
    setCursor(hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void FigureStrip::leaveEvent(QEvent*) {
    d_->hovered = -1;
    update();
}

void FigureStrip::keyPressEvent(QKeyEvent* event) {
    const int last = int(d_->layout.cards.size()) - 1;
    switch (event->key()) {
        case Qt::Key_Right: d_->current = std::min(d_->current + 1, std::max(last, 0)); break;
        case Qt::Key_Left: d_->current = std::max(d_->current - 1, 0); break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space: d_->activate(d_->current); break;
        default: return QWidget::keyPressEvent(event);
    }
    update();
}

void FigureStrip::focusInEvent(QFocusEvent*) { update(); }
void FigureStrip::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace crosspoint::ui
