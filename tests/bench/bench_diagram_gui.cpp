// What one repaint of a large drawing costs: 20,000 boxes, all in view and at full size.
#include <QApplication>
#include <QImage>
#include <QKeyEvent>

#include <benchmark/benchmark.h>

#include "widgets/diagram/diagram_view.hpp"

using namespace crosspoint::ui;

namespace {

constexpr int nodes = 2000, perNode = 9;  // with their containers 20,000 boxes

DiagramBox device(int node, int index, QPointF corner) {
    DiagramBox box;
    box.key = QStringLiteral("gpu-%1-%2").arg(node).arg(index);
    box.id = "gpu";
    box.parent = QStringLiteral("node-%1").arg(node);
    box.rect = QRectF(corner + QPointF(12 + index % 3 * 60, 36 + index / 3 * 30), QSizeF(52, 24));
    box.role = BoxRole::accelerator;
    box.title = QString::number(index);
    return box;
}

DiagramData field() {
    DiagramData data;
    data.boxes.reserve(nodes * (perNode + 1));
    for (int node = 0; node < nodes; ++node) {
        const QPointF corner(node % 50 * 220, node / 50 * 150);
        DiagramBox box;
        box.key = QStringLiteral("node-%1").arg(node);
        box.id = box.key;
        box.rect = QRectF(corner, QSizeF(204, 134));
        box.role = BoxRole::domain;
        box.title = "HGX H100 node";
        data.boxes.push_back(box);
        for (int i = 0; i < perNode; ++i) data.boxes.push_back(device(node, i, corner));
    }
    for (int node = 1; node < nodes; ++node) {
        DiagramCable cable;
        cable.id = "link";
        cable.from = QStringLiteral("gpu-%1-0").arg(node - 1);
        cable.to = QStringLiteral("gpu-%1-0").arg(node);
        cable.start = QPointF((node - 1) % 50 * 220 + 40.0, (node - 1) / 50 * 150 + 48.0);
        cable.end = QPointF(node % 50 * 220 + 40.0, node / 50 * 150 + 48.0);
        cable.load = node % 10 / 10.0;
        data.cables.push_back(cable);
    }
    data.legend = true;
    data.caption = "Whole step";
    return data;
}

/// Moves the view by some pixels, there and back: every repaint shows another part.
void pan(DiagramView& view, int step) {
    QKeyEvent press(QEvent::KeyPress, step % 200 < 100 ? Qt::Key_Right : Qt::Key_Left, Qt::NoModifier);
    QCoreApplication::sendEvent(&view, &press);
}

/// Zoom: 0 everything in view, 1 full size. While panning, or while zooming in and out by 2 % steps.
void diagram_paint(benchmark::State& state, bool zooming) {
    DiagramView view;
    view.resize(1280, 720);
    view.setData(field());
    view.fitAll();
    if (state.range(0) == 1) view.zoomBy(1 / view.zoom());
    QImage image(view.size(), QImage::Format_RGB32);
    int step = 0;
    for (auto _ : state) {
        if (zooming) view.zoomBy(++step % 20 < 10 ? 1.02 : 1 / 1.02);
        else pan(view, ++step);
        view.render(&image);
    }
    state.SetLabel(state.range(0) == 1 ? "1:1" : "fit");
}
BENCHMARK_CAPTURE(diagram_paint, pan, false)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(diagram_paint, zoom, true)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void diagram_update(benchmark::State& state) {
    DiagramView view;
    view.resize(1280, 720);
    const DiagramData data = field();
    for (auto _ : state) view.setData(data);
}
BENCHMARK(diagram_update)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
