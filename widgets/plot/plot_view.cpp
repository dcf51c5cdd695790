#include "widgets/plot/plot_view.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QMouseEvent>
#include <QPdfWriter>
#include <QPicture>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <QWindow>

#include "widgets/plot/plot_base.hpp"

namespace crosspoint::ui {
namespace {

constexpr double kPngScale = 2;    // pixels of a PNG per pixel of the screen
constexpr double kScreenDpi = 96;  // what the fonts of the theme are measured in
constexpr int kPdfDpi = 1200;
constexpr QSize kSmallest(200, 120);

/// Four rectangles of the background colour around the axis rectangle: vector formats that do not clip show nothing
/// outside it. Below the axes, above the curves.
class Mask {
public:
    Mask(QCustomPlot& plot, const QColor& background) : plot_(plot) {
        plot.addLayer("mask", plot.layer("marks"), QCustomPlot::limAbove);
        const QRect whole = plot.viewport(), inside = plot.axisRect()->rect().adjusted(-1, -1, 1, 1);
        add(QRect(whole.topLeft(), QPoint(whole.right(), inside.top() - 1)), background);
        add(QRect(QPoint(whole.left(), inside.bottom() + 1), whole.bottomRight()), background);
        add(QRect(QPoint(whole.left(), inside.top()), QPoint(inside.left() - 1, inside.bottom())), background);
        add(QRect(QPoint(inside.right() + 1, inside.top()), QPoint(whole.right(), inside.bottom())), background);
    }
    ~Mask() {
        for (QCPItemRect* item : items_) plot_.removeItem(item);
        plot_.removeLayer(plot_.layer("mask"));
    }
    Mask(const Mask&) = delete;
    Mask& operator=(const Mask&) = delete;

private:
    void add(const QRect& rect, const QColor& background) {
        auto* item = new QCPItemRect(&plot_);
        item->setLayer("mask");
        item->setClipToAxisRect(false);
        item->setPen(Qt::NoPen);
        item->setBrush(QBrush(background));
        for (QCPItemPosition* position : {item->topLeft, item->bottomRight})
            position->setType(QCPItemPosition::ptAbsolute);
        item->topLeft->setCoords(rect.left(), rect.top());
        item->bottomRight->setCoords(rect.left() + rect.width(), rect.top() + rect.height());
        items_.push_back(item);
    }
    QCustomPlot& plot_;
    std::vector<QCPItemRect*> items_;
};

void start(QCPPainter& painter, QPaintDevice* device) {
    painter.begin(device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setMode(QCPPainter::pmNonCosmetic);
}

bool write(const QString& path, const QByteArray& bytes, QString* error) {
    QSaveFile file(path);
    const bool done = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    if (!done && error) *error = QStringLiteral("'%1' cannot be written: %2").arg(path, file.errorString());
    return done;
}

}  // namespace

std::optional<FigureFormat> figure_format(const QString& name_or_path) {
    const QString suffix = QFileInfo(name_or_path).suffix();
    const QString name = (suffix.isEmpty() ? name_or_path : suffix).toLower();
    if (name == "svg") return FigureFormat::svg;
    if (name == "pdf") return FigureFormat::pdf;
    if (name == "png") return FigureFormat::png;
    return std::nullopt;
}

void PlotView::Base::draw(QCPPainter& painter, QSize size, const Theme& in_theme) {
    const Theme shown = theme;
    const QRect viewport = plot->viewport();
    const bool was_live = live;
    theme = in_theme;
    live = false;
    view->rebuild();
    zoom.apply();
    plot->setViewport(QRect(QPoint(0, 0), size));
    plot->replot(QCustomPlot::rpImmediateRefresh);  // lays out; the labels follow the axis rectangle
    {
        const Mask mask(*plot, theme.panel);
        plot->toPainter(&painter, size.width(), size.height());
    }
    theme = shown;
    live = was_live;
    view->rebuild();
    zoom.apply();
    plot->setViewport(viewport);
    plot->replot(QCustomPlot::rpQueuedReplot);
}

PlotView::PlotView(QWidget* parent) : QWidget(parent), base_(std::make_unique<Base>(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(base_->plot);
    base_->plot->setMouseTracking(true);
    base_->plot->installEventFilter(this);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(base_->plot, &QCustomPlot::afterLayout, this, [this] {
        base_->clearLabels();
        placeLabels();
    });
}

PlotView::~PlotView() = default;

void PlotView::setTheme(const Theme& theme) {
    base_->theme = theme;
    base_->refresh();
}

void PlotView::setLive(bool live) {
    if (base_->live == live) return;
    base_->live = live;
    base_->refresh();
}

bool PlotView::isLive() const { return base_->live; }
QRectF PlotView::axisRectangle() const { return base_->plot->axisRect()->rect(); }
QPointF PlotView::pixelOf(QPointF coordinates) const { return base_->pixel(coordinates); }
QString PlotView::readout() const { return base_->readout_text; }
int PlotView::pickAt(QPointF) const { return -1; }
QSize PlotView::sizeHint() const { return {480, 260}; }
QSize PlotView::minimumSizeHint() const { return {240, 150}; }

void PlotView::renderTo(QPainter& painter, const QRectF& target, const Theme& theme) {
    QPicture picture;
    {
        QCPPainter recorder;
        start(recorder, &picture);
        base_->draw(recorder, target.size().toSize().expandedTo(kSmallest), theme);
    }
    painter.save();
    painter.translate(target.topLeft());
    painter.drawPicture(0, 0, picture);
    painter.restore();
}

bool PlotView::exportTo(const QString& path, FigureFormat format, const Theme& theme, QSize size, QString* error) {
    const QSize area = (size.isEmpty() ? this->size() : size).expandedTo(kSmallest);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QCPPainter painter;
    if (format == FigureFormat::svg) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(area);
        generator.setViewBox(QRect(QPoint(0, 0), area));
        generator.setResolution(int(kScreenDpi));
        generator.setTitle(accessibleName());
        generator.setDescription(accessibleDescription());
        start(painter, &generator);
        base_->draw(painter, area, theme);
        painter.end();
    } else if (format == FigureFormat::pdf) {
        QPdfWriter writer(&buffer);
        writer.setResolution(kPdfDpi);
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setPageSize(
            QPageSize(QSizeF(area) * 72 / kScreenDpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setTitle(accessibleName());
        start(painter, &writer);
        painter.scale(kPdfDpi / kScreenDpi, kPdfDpi / kScreenDpi);
        base_->draw(painter, area, theme);
        painter.end();
    } else {
        QImage image((QSizeF(area) * kPngScale).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(theme.panel);
        painter.begin(&image);
        painter.setMode(QCPPainter::pmNoCaching);
        painter.scale(kPngScale, kPngScale);
        base_->draw(painter, area, theme);
        painter.end();
        image.save(&buffer, "PNG");
    }
    return write(path, bytes, error);
}

void PlotView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    base_->followScreen();
    if (const QWindow* handle = window()->windowHandle())
        connect(handle, &QWindow::screenChanged, this, &PlotView::screenChanged, Qt::UniqueConnection);
}

void PlotView::screenChanged() { base_->followScreen(); }

/// QCustomPlot does not follow a window to a screen of another density.
void PlotView::Base::followScreen() {
    if (plot->bufferDevicePixelRatio() == view->devicePixelRatioF()) return;
    plot->setBufferDevicePixelRatio(view->devicePixelRatioF());
    refresh();
}

bool PlotView::isZoomed() const { return base_->zoom.isZoomed(); }
void PlotView::resetZoom() { base_->zoom.reset(); }

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != base_->plot) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::Leave: base_->leave(); break;
        case QEvent::Wheel: base_->zoom.wheel(*static_cast<QWheelEvent*>(event)); return true;
        case QEvent::MouseButtonPress: base_->zoom.press(*static_cast<QMouseEvent*>(event)); break;
        case QEvent::MouseButtonDblClick: resetZoom(); break;
        case QEvent::MouseMove: moved(*static_cast<QMouseEvent*>(event)); break;
        case QEvent::MouseButtonRelease: released(*static_cast<QMouseEvent*>(event)); break;
        default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void PlotView::moved(const QMouseEvent& event) {
    if (base_->zoom.move(event)) return base_->leave();
    base_->hover(event.position());
    base_->plot->setCursor(pickAt(event.position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void PlotView::released(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (base_->zoom.release(event) || event.button() != Qt::LeftButton) return;
    if (axisRectangle().contains(at) && base_->plot->xAxis->visible())
        clicked(at, {base_->plot->xAxis->pixelToCoord(at.x()), base_->plot->yAxis->pixelToCoord(at.y())});
}

}  // namespace crosspoint::ui
