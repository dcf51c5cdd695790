#include "widgets/controls/memory_bars.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace crosspoint::ui {
namespace {

constexpr double kMargin = 10, kBarHeight = 26, kMostPitch = 58, kLeastPitch = 34;  // px
constexpr double kOverRoom = 1.04;  // of the largest amount, so that a line at the end is seen

QColor role_colour(MemoryRole role, const Theme& theme) {
    switch (role) {
        case MemoryRole::dense_weights: return theme.category(0);
        case MemoryRole::expert_weights: return theme.category(2);
        case MemoryRole::embeddings: return theme.category(5);
        case MemoryRole::cache: return theme.category(1);
        case MemoryRole::activations: return theme.category(4);
        case MemoryRole::buffers: return theme.category(4).darker(175);
        case MemoryRole::reserve: break;
    }
    return theme.overhead;
}

double sum(const MemoryStage& stage) {
    double bytes = 0;
    for (const MemoryPart& part : stage.parts)
        if (part.bytes > 0 && std::isfinite(part.bytes)) bytes += part.bytes;
    return bytes;
}

/// Where bars lie in an area and how bytes map to x.
struct MemoryLayout {
    QRectF bars;
    double pitch = kMostPitch;
    double full = 1;  ///< bytes at the right edge
    [[nodiscard]] double x(double bytes) const { return bars.left() + bytes / full * bars.width(); }
    [[nodiscard]] QRectF bar(int stage) const {
        return {bars.left(), bars.top() + stage * pitch + 16, bars.width(), kBarHeight};
    }
};

MemoryLayout layout_of(const MemoryBarsData& data, const QRectF& area, const Theme& theme) {
    MemoryLayout layout;
    const double header = QFontMetricsF(theme.secondaryFont()).height() + 6;
    layout.bars = area.adjusted(kMargin, kMargin + header, -kMargin, -kMargin);
    layout.full = std::max(data.capacity, 1.0);
    for (const MemoryStage& stage : data.stages) layout.full = std::max(layout.full, sum(stage));
    layout.full *= kOverRoom;
    const double count = std::max(double(data.stages.size()), 1.0);
    const double foot = data.note.isEmpty() ? 0 : header;
    layout.pitch = std::clamp((layout.bars.height() - foot) / count, kLeastPitch + 12, kMostPitch + 8);
    return layout;
}

struct MemoryPainting {
    QPainter& painter;
    const MemoryBarsData& data;
    const MemoryLayout& layout;
    const Theme& theme;

    void stage(int index) const;
    void part(const MemoryPart& part, const QRectF& rect, QStringList& left_out) const;
    void limit(double bytes, const QString& text, bool solid, bool right_of_line) const;
};

void MemoryPainting::part(const MemoryPart& part, const QRectF& rect, QStringList& left_out) const {
    const QColor fill = role_colour(part.role, theme);
    painter.fillRect(rect.adjusted(0, 0, rect.width() > 3 ? -1 : 0, 0), fill);
    QFont font = theme.secondaryFont();
    font.setBold(true);
    const QFontMetricsF metrics(font);
    const QString whole = part.label + ' ' + part.text;
    const QString shown = metrics.horizontalAdvance(whole) + 12 <= rect.width() ? whole : QString();
    if (shown.isEmpty()) {
        left_out << whole;
        return;
    }
    painter.setFont(font);
    painter.setPen(theme.textOn(fill));
    painter.drawText(rect.adjusted(6, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft, shown);
}

void MemoryPainting::stage(int index) const {
    const MemoryStage& stage = data.stages[std::size_t(index)];
    const QRectF bar = layout.bar(index);
    painter.setFont(theme.secondaryFont());
    painter.setPen(theme.secondary);
    const QFontMetricsF metrics(theme.secondaryFont());
    painter.drawText(QPointF(bar.left(), bar.top() - 4), stage.label);
    painter.setPen(stage.fits ? theme.text : theme.severityText(Severity::fail));
    const double label = metrics.horizontalAdvance(stage.label) + 12;
    painter.drawText(QPointF(bar.left() + label, bar.top() - 4), stage.total);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.lane);
    painter.drawRect(QRectF(bar.left(), bar.top(), layout.x(data.capacity) - bar.left(), bar.height()));
    QStringList left_out;
    double at = 0;
    for (const MemoryPart& item : stage.parts) {
        if (!(item.bytes > 0) || !std::isfinite(item.bytes)) continue;
        const double from = layout.x(at), to = layout.x(at + item.bytes);
        part(item, QRectF(from, bar.top() + 3, to - from, bar.height() - 6), left_out);
        at += item.bytes;
    }
    if (left_out.isEmpty()) return;
    painter.setFont(theme.secondaryFont());
    painter.setPen(theme.secondary);
    const QString also = metrics.elidedText(left_out.join(QStringLiteral(" · ")), Qt::ElideRight,
                                            bar.width() - label - metrics.horizontalAdvance(stage.total) - 24);
    painter.drawText(QPointF(bar.right() - metrics.horizontalAdvance(also), bar.top() - 4), also);
}

void MemoryPainting::limit(double bytes, const QString& text, bool solid, bool right_of_line) const {
    if (!(bytes > 0)) return;
    const double x = layout.x(bytes);
    painter.setPen(QPen(theme.text, 1, solid ? Qt::SolidLine : Qt::DashLine));
    // Across the bars only: between them stand texts.
    for (int i = 0; i < int(data.stages.size()); ++i)
        painter.drawLine(QPointF(x, layout.bar(i).top()), QPointF(x, layout.bar(i).bottom() + 3));
    painter.drawLine(QPointF(x, layout.bars.top() - 4), QPointF(x, layout.bars.top()));
    painter.setFont(theme.secondaryFont());
    const double width = QFontMetricsF(theme.secondaryFont()).horizontalAdvance(text);
    const double left = right_of_line ? std::min(x - width / 2, layout.bars.right() - width) : x - width - 5;
    painter.drawText(QPointF(left, layout.bars.top() - 8), text);
}

void draw(QPainter& painter, const MemoryBarsData& data, const QRectF& area, const Theme& theme) {
    painter.fillRect(area, theme.panel);
    if (data.stages.empty() || !(data.capacity > 0)) {
        painter.setFont(theme.textFont());
        painter.setPen(theme.secondary);
        painter.drawText(area.adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         data.empty_text.isEmpty()
                             ? MemoryBars::tr("Choose a model and an accelerator to see what fills its memory")
                             : data.empty_text);
        return;
    }
    const MemoryLayout layout = layout_of(data, area, theme);
    const MemoryPainting painting{painter, data, layout, theme};
    for (int i = 0; i < int(data.stages.size()); ++i) painting.stage(i);
    const QFontMetricsF metrics(theme.secondaryFont());
    // Two lines close together would write over each other: the texts then share one place.
    const double apart = layout.x(data.capacity) - layout.x(data.usable);
    const bool crowded = data.usable > 0 && apart < metrics.horizontalAdvance(data.capacity_text) / 2 + 8;
    painting.limit(data.capacity, crowded ? QString() : data.capacity_text, true, true);
    painting.limit(data.usable,
                   crowded ? data.usable_text + QStringLiteral(" / ") + data.capacity_text : data.usable_text, false,
                   false);
    if (data.note.isEmpty()) return;
    painter.setFont(theme.secondaryFont());
    painter.setPen(theme.secondary);
    const double y = layout.bar(int(data.stages.size()) - 1).bottom() + metrics.height() + 8;
    painter.drawText(QPointF(layout.bars.left(), y),
                     metrics.elidedText(data.note, Qt::ElideRight, layout.bars.width()));
}

}  // namespace

struct MemoryBars::Private {
    MemoryBarsData data;
    Theme theme = Theme::light();

    [[nodiscard]] int stageAt(QPointF point, const QRectF& area) const {
        const MemoryLayout layout = layout_of(data, area, theme);
        for (int i = 0; i < int(data.stages.size()); ++i)
            if (layout.bar(i).adjusted(0, -16, 0, 4).contains(point)) return i;
        return -1;
    }
};

MemoryBars::MemoryBars(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    setAccessibleName(tr("Memory of one accelerator by stage"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

MemoryBars::~MemoryBars() = default;

void MemoryBars::setData(MemoryBarsData data) {
    const bool other_size = data.stages.size() != d_->data.stages.size();
    d_->data = std::move(data);
    QStringList parts;
    for (const MemoryStage& stage : d_->data.stages) parts << stage.label + ": " + stage.total;
    setAccessibleDescription(parts.join("; "));
    if (other_size) updateGeometry();
    update();
}

const MemoryBarsData& MemoryBars::data() const { return d_->data; }

void MemoryBars::setTheme(const Theme& theme) {
    d_->theme = theme;
    update();
}

void MemoryBars::renderTo(QPainter& painter, const QRectF& target, const Theme& theme) const {
    painter.save();
    draw(painter, d_->data, target, theme);
    painter.restore();
}

std::vector<QStringList> MemoryBars::tableRows() const {
    std::vector<QStringList> rows{{tr("Stage"), tr("Part"), tr("Size")}};
    for (const MemoryStage& stage : d_->data.stages) {
        for (const MemoryPart& part : stage.parts) rows.push_back({stage.label, part.label, part.text});
        rows.push_back({stage.label, tr("total"), stage.total});
    }
    return rows;
}

QSize MemoryBars::sizeHint() const { return {600, minimumSizeHint().height() + 20}; }
QSize MemoryBars::minimumSizeHint() const {
    const double stages = std::max(double(d_->data.stages.size()), 1.0);
    return {320, int(2 * kMargin + 40 + stages * (kLeastPitch + 12))};
}

bool MemoryBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = d_->stageAt(help->pos(), rect());
    QStringList lines;
    if (index >= 0) {
        const MemoryStage& stage = d_->data.stages[std::size_t(index)];
        lines << stage.label + ": " + stage.total;
        for (const MemoryPart& part : stage.parts) lines << part.label + ' ' + part.text;
    }
    QToolTip::showText(help->globalPos(), lines.join('\n'), this);
    return true;
}

void MemoryBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw(painter, d_->data, rect(), d_->theme);
}

void MemoryBars::mouseReleaseEvent(QMouseEvent* event) {
    const int index = d_->stageAt(event->position(), rect());
    if (index >= 0 && event->button() == Qt::LeftButton) Q_EMIT stageActivated(index);
}

}  // namespace crosspoint::ui
