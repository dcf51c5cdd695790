// A paint device that keeps what is drawn as words and shapes, so that pictures are compared as text.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <vector>

struct Word {
    QString text;
    QRectF area;  ///< pixels
};

struct Shape {
    QRectF area;        ///< bounding box, pixels
    QColor fill, line;  ///< invalid: not filled, no outline
};

class Recorder : public QPaintDevice, public QPaintEngine {
public:
    explicit Recorder(QSize size) : QPaintEngine(QPaintEngine::AllFeatures), size_(size) {}
    std::vector<Word> words;
    std::vector<Shape> shapes;

    [[nodiscard]] QPaintEngine* paintEngine() const override { return const_cast<Recorder*>(this); }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath& path) override { add(path.boundingRect()); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode) override {
        add(QPolygonF(QList<QPointF>(points, points + count)).boundingRect());
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QRectF local(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        words.push_back({item.text(), painter()->transform().mapRect(local)});
    }
    [[nodiscard]] Type type() const override { return QPaintEngine::User; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth: return size_.width();
            case PdmHeight: return size_.height();
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY: return 96;
            case PdmDepth: return 32;
            case PdmDevicePixelRatio: return 1;
            case PdmDevicePixelRatioScaled: return int(devicePixelRatioFScale());
            default: return 0;
        }
    }

private:
    void add(const QRectF& local) {
        const QBrush brush = painter()->brush();
        const QPen pen = painter()->pen();
        shapes.push_back({painter()->transform().mapRect(local),
                          brush.style() == Qt::NoBrush ? QColor() : brush.color(),
                          pen.style() == Qt::NoPen ? QColor() : pen.color()});
    }
    QSize size_;
};
