#include "widgets/plot/plot_base.hpp"

#include <algorithm>

#include <QFontMetricsF>

namespace crosspoint::ui {

namespace {
constexpr double kLabelGap = 6;       // px between a point and its label
constexpr double kCornerSpacing = 6;  // px between the corners of a line that labels avoid

/// Broken between words so that no line is wider than `width`: texts of QCustomPlot do not wrap by themselves.
QString wrapped(const QString& text, const QFontMetricsF& metrics, double width) {
    QStringList lines;
    for (const QString& word : text.simplified().split(QLatin1Char(' '))) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (lines.isEmpty() || metrics.horizontalAdvance(longer) > width) lines << word;
        else lines.back() = longer;
    }
    return lines.join(QLatin1Char('\n'));
}

void style_line(QCPItemStraightLine& line, const QColor& colour) {
    line.setPen(QPen(colour, 1, Qt::DotLine));
    line.setLayer("cursor");
    line.setVisible(false);
}
}  // namespace

PlotView::Base::Base(PlotView* owner) : view(owner), plot(new QCustomPlot(owner)), zoom(plot) {
    plot->setObjectName(QStringLiteral("canvas"));
    plot->setAutoAddPlottableToLegend(false);
    plot->setInteractions(QCP::iNone);
    plot->setNoAntialiasingOnDrag(true);
    plot->setAntialiasedElements(QCP::aeAll);
    plot->setMinimumSize(1, 1);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->addLayer("bands", plot->layer("grid"), QCustomPlot::limBelow);
    plot->addLayer("marks", plot->layer("main"), QCustomPlot::limAbove);
    plot->addLayer("labels", plot->layer("axes"), QCustomPlot::limAbove);
    plot->addLayer("cursor", plot->layer("labels"), QCustomPlot::limAbove);
    plot->layer("cursor")->setMode(QCPLayer::lmBuffered);
    plot->axisRect()->setAutoMargins(QCP::msAll);
    plot->axisRect()->setMinimumMargins(QMargins(6, 8, 14, 4));
}

void PlotView::Base::refresh() {
    view->rebuild();
    zoom.apply();
    plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::Base::clear() {
    labels.clear();
    label_rects.clear();
    plot->clearItems();
    plot->clearPlottables();
    plot->setBackground(QBrush(theme.panel));
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) styleAxis(axis, {});
    plot->yAxis2->setVisible(false);
    plot->axisRect()->setVisible(true);
    cross_x = new QCPItemStraightLine(plot);
    cross_y = new QCPItemStraightLine(plot);
    style_line(*cross_x, theme.secondary);
    style_line(*cross_y, theme.secondary);
    cross_text = new QCPItemText(plot);
    cross_text->setLayer("cursor");
    cross_text->setClipToAxisRect(false);
    cross_text->setFont(theme.secondaryFont());
    cross_text->setColor(theme.text);
    cross_text->setBrush(QBrush(theme.panel));
    cross_text->setPen(QPen(theme.border, 1));
    cross_text->setPadding(QMargins(5, 2, 5, 2));
    cross_text->setTextAlignment(Qt::AlignLeft);
    cross_text->setVisible(false);
    readout_text.clear();
}

void PlotView::Base::showEmpty(const QString& text) {
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis, plot->yAxis2}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    auto* item = new QCPItemText(plot);
    item->setLayer("labels");
    item->setClipToAxisRect(false);
    item->position->setType(QCPItemPosition::ptViewportRatio);
    item->position->setCoords(0.5, 0.5);
    item->setPositionAlignment(Qt::AlignCenter);
    item->setTextAlignment(Qt::AlignCenter);
    item->setFont(theme.textFont());
    item->setColor(theme.secondary);
    item->setText(wrapped(text, QFontMetricsF(item->font()), std::max(120, plot->width() - 40)));
}

QPen PlotView::Base::curvePen(const QColor& colour, Qt::PenStyle style) const {
    QPen pen(colour, penWidth(), style);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

QCPGraph* PlotView::Base::addGraph(const QVector<double>& x, const QVector<double>& y, const QPen& pen,
                                   QCPAxis* value) {
    QCPGraph* graph = plot->addGraph(plot->xAxis, value ? value : plot->yAxis);
    graph->setData(x, y, true);
    graph->setPen(pen);
    graph->setLayer("main");
    return graph;
}

void PlotView::Base::styleAxis(QCPAxis* axis, const QString& label, const QColor& label_colour) {
    const QColor label_text = label_colour.isValid() ? label_colour : theme.secondary;
    axis->setVisible(true);
    axis->setBasePen(QPen(theme.border, 1));
    axis->setTickPen(QPen(theme.border, 1));
    axis->setSubTickPen(QPen(theme.border, 1));
    axis->setSubTicks(false);
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(3);
    axis->setTickLabelFont(theme.secondaryFont());
    axis->setTickLabelColor(label_text);
    axis->setTickLabelPadding(4);
    axis->setLabelFont(theme.secondaryFont());
    axis->setLabelColor(label_text);
    axis->setLabelPadding(3);
    axis->setLabel(label);
    axis->grid()->setVisible(axis != plot->yAxis2);
    axis->grid()->setPen(QPen(theme.grid, 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->grid()->setSubGridVisible(false);
}

void PlotView::Base::dropLine(QPointF from, double to_y, const QColor& colour) {
    auto* line = new QCPItemLine(plot);
    line->setLayer("marks");
    line->start->setCoords(from);
    line->end->setCoords(from.x(), to_y);
    line->setPen(QPen(colour, 1, Qt::DashLine));
}

void PlotView::Base::verticalLine(double x, const QColor& colour) {
    dropLine({x, plot->yAxis->range().upper}, plot->yAxis->range().lower, colour);
}

void PlotView::Base::dot(QPointF at, const QColor& colour) {
    QCPGraph* graph = addGraph({at.x()}, {at.y()}, QPen(colour, 1));
    graph->setLayer("marks");
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(colour, 1), QBrush(colour), 8));
}

void PlotView::Base::square(QPointF at, const QColor& colour, bool filled) {
    QCPGraph* graph = addGraph({at.x()}, {at.y()}, QPen(colour, 2));
    graph->setLayer("marks");
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(colour, 2), QBrush(filled ? colour : theme.panel), 9));
}

void PlotView::Base::band(double x_low, double x_high, const QColor& fill) {
    auto* rect = new QCPItemRect(plot);
    rect->setLayer("bands");
    const QCPRange x = plot->xAxis->range(), y = plot->yAxis->range();
    rect->topLeft->setCoords(std::clamp(x_low, x.lower, x.upper), y.upper);
    rect->bottomRight->setCoords(std::clamp(x_high, x.lower, x.upper), y.lower);
    rect->setPen(Qt::NoPen);
    rect->setBrush(QBrush(fill));
}

QPointF PlotView::Base::pixel(QPointF coordinates, QCPAxis* value) const {
    return {plot->xAxis->coordToPixel(coordinates.x()), (value ? value : plot->yAxis)->coordToPixel(coordinates.y())};
}

QPolygonF PlotView::Base::pixels(const QCPGraph& graph) const {
    QPolygonF line;
    const QRectF bounds = QRectF(plot->axisRect()->rect()).adjusted(-1, -1, 1, 1);
    for (const QCPGraphData& point : *graph.data()) {
        const QPointF at = pixel({point.key, point.value}, graph.valueAxis());
        if (!bounds.contains(at)) continue;
        // A corner every few pixels is as good for keeping labels off, and much cheaper.
        if (line.size() > 1 && (at - line[line.size() - 2]).manhattanLength() < kCornerSpacing) line.back() = at;
        else line.push_back(at);
    }
    return line;
}

QSizeF PlotView::Base::labelSize(const QString& text, bool bold) const {
    QFont font = theme.secondaryFont();
    font.setBold(bold);
    const QFontMetricsF metrics(font);
    return {metrics.horizontalAdvance(text) + 4, metrics.height()};
}

bool PlotView::Base::label(LabelPlacer& placer, const QString& text, const QColor& colour, bool bold,
                           const std::vector<QPointF>& corners, double later) {
    if (text.isEmpty()) return true;
    const std::optional<QRectF> rect = placer.place(labelSize(text, bold), corners, later);
    if (!rect) return false;
    QFont font = theme.secondaryFont();
    font.setBold(bold);
    auto* item = new QCPItemText(plot);
    item->setLayer("labels");
    item->setClipToAxisRect(false);
    item->position->setType(QCPItemPosition::ptAbsolute);
    item->position->setCoords(rect->topLeft() + QPointF(2, 0));
    item->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    item->setFont(font);
    item->setColor(colour);
    item->setText(text);
    labels.push_back(item);
    label_rects.push_back(*rect);
    return true;
}

void PlotView::Base::clearLabels() {
    for (QCPItemText* item : labels) plot->removeItem(item);
    labels.clear();
    label_rects.clear();
}

LabelPlacer PlotView::Base::placer() const {
    return LabelPlacer(QRectF(plot->axisRect()->rect()).adjusted(2, 2, -2, -2));
}

void PlotView::Base::hover(QPointF at) {
    if (!cross_x || !plot->xAxis->visible()) return;
    if (!QRectF(plot->axisRect()->rect()).contains(at)) return leave();
    const QPointF coordinates(plot->xAxis->pixelToCoord(at.x()), plot->yAxis->pixelToCoord(at.y()));
    readout_text = view->readoutAt(coordinates);
    cross_x->point1->setCoords(coordinates);
    cross_x->point2->setCoords(coordinates.x(), plot->yAxis->range().upper * 2 + 1);
    cross_y->point1->setCoords(coordinates);
    cross_y->point2->setCoords(plot->xAxis->range().upper * 2 + 1, coordinates.y());
    const QRectF area = plot->axisRect()->rect();
    const bool right = at.x() > area.center().x(), low = at.y() > area.center().y();
    cross_text->position->setType(QCPItemPosition::ptAbsolute);
    cross_text->position->setCoords(at + QPointF(right ? -kLabelGap : kLabelGap, low ? -kLabelGap : kLabelGap));
    cross_text->setPositionAlignment((right ? Qt::AlignRight : Qt::AlignLeft) | (low ? Qt::AlignBottom : Qt::AlignTop));
    cross_text->setText(readout_text);
    for (QCPAbstractItem* item : {static_cast<QCPAbstractItem*>(cross_x), static_cast<QCPAbstractItem*>(cross_y),
                                  static_cast<QCPAbstractItem*>(cross_text)})
        item->setVisible(true);
    plot->layer("cursor")->replot();
}

void PlotView::Base::leave() {
    if (!cross_x || !cross_x->visible()) return;
    readout_text.clear();
    cross_x->setVisible(false);
    cross_y->setVisible(false);
    cross_text->setVisible(false);
    plot->layer("cursor")->replot();
}

QColor curve_colour(const Theme& theme, int index) {
    // The slow link first in vermillion, then blue, green, purple, orange, sky. On a dark panel the blue is weak even
    // where its contrast is enough: sky takes its place, and lines are as bright as text.
    constexpr int kOrder[] = {3, 0, 2, 4, 1, 5}, kDarkOrder[] = {3, 5, 2, 4, 1, 0};
    constexpr double kLineContrast = 3, kDarkLineContrast = 4.5;  // WCAG 2.1, 1.4.11 asks 3 of graphics
    const int at = ((index % 6) + 6) % 6;
    return readable(theme.category(theme.is_dark ? kDarkOrder[at] : kOrder[at]), theme.panel,
                    theme.is_dark ? kDarkLineContrast : kLineContrast);
}

QColor text_colour(const Theme& theme, const QColor& colour) { return readable(colour, theme.panel); }

QColor tint(const Theme& theme, const QColor& colour, double share) {
    const QColor& base = theme.panel;
    return QColor::fromRgbF(float(base.redF() + (colour.redF() - base.redF()) * share),
                            float(base.greenF() + (colour.greenF() - base.greenF()) * share),
                            float(base.blueF() + (colour.blueF() - base.blueF()) * share));
}

}  // namespace crosspoint::ui
