// What a redraw costs: timeline, plots, checklist and strip with fresh data, painted off screen.
#include <cmath>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <benchmark/benchmark.h>

#include "widgets/checklist/checklist_view.hpp"
#include "widgets/controls/figure_strip.hpp"
#include "widgets/plot/crossover_plot.hpp"
#include "widgets/timeline/timeline_view.hpp"

using namespace crosspoint::ui;

namespace {

TimelineData step_of(int bars) {
    TimelineData d;
    d.streams = {"Compute", "NVSwitch", "NIC / leaf", "Spine"};
    d.end = bars * 1e-6;
    for (int i = 0; i < bars; ++i) {
        TimelineBar bar;
        bar.operation = QStringLiteral("op%1").arg(i % 20);
        bar.label = "experts";
        bar.stream = i % 4;
        bar.start = i * 1e-6;
        bar.length = 2e-6;
        bar.role = BarRole(i % 8);
        d.bars.push_back(bar);
    }
    return d;
}

void timeline_paint(benchmark::State& state) {
    TimelineView view;
    view.resize(900, 250);
    view.setData(step_of(int(state.range(0))));
    QImage image(view.size(), QImage::Format_RGB32);
    for (auto _ : state) view.render(&image);
}
BENCHMARK(timeline_paint)->Arg(20)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

void timeline_update(benchmark::State& state) {
    TimelineView view;
    view.resize(900, 250);
    const TimelineData data = step_of(int(state.range(0)));
    for (auto _ : state) view.setData(data);
}
BENCHMARK(timeline_update)->Arg(2000)->Unit(benchmark::kMillisecond);

CrossoverData crossover() {
    CrossoverData d;
    for (int c = 0; c < 6; ++c) {
        CrossoverCurveData curve;
        curve.name = QStringLiteral("link %1").arg(c);
        const double alpha = 2e-6 * (c + 1), bandwidth = 4e10 * (c + 1);
        for (int i = 0; i < 400; ++i) {
            const double bytes = 1e3 * std::pow(10, 6.0 * i / 399);
            curve.points.emplace_back(bytes, alpha + bytes / bandwidth);
        }
        curve.crossover = QPointF(alpha * bandwidth, 2 * alpha);
        curve.crossover_text = "n*";
        d.curves.push_back(curve);
        d.messages.push_back({"op", "dispatch now: 2 MB", c, 2e6, alpha + 2e6 / bandwidth, false});
    }
    return d;
}

void crossover_redraw(benchmark::State& state) {
    CrossoverPlot plot;
    plot.resize(600, 300);
    plot.setLive(state.range(0) != 0);
    plot.show();
    const CrossoverData data = crossover();
    for (auto _ : state) {
        plot.setData(data);
        QCoreApplication::processEvents();
    }
}
BENCHMARK(crossover_redraw)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void checklist_update(benchmark::State& state) {
    ChecklistData data;
    for (int i = 0; i < 13; ++i) {
        ChecklistRow row;
        row.rule = QStringLiteral("rule%1").arg(i);
        row.severity = Severity(i % 4);
        row.title = "Expert layer leaves the domain";
        row.figure = "EP 32 > 8 in domain";
        row.suggestions = {{"EP 8", {}, "15.1 ms", "6.9 ms", true}};
        data.rows.push_back(row);
    }
    ChecklistView view;
    view.resize(340, 400);
    view.show();
    int turn = 0;
    for (auto _ : state) {
        for (ChecklistRow& row : data.rows) row.figure = QStringLiteral("EP 32 > %1 in domain").arg(++turn);
        view.setData(data);
        QCoreApplication::processEvents();
    }
}
BENCHMARK(checklist_update)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
