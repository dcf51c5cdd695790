// From one edit to every view painted, and the part of it that presenters take, for the largest sample.
#include <QApplication>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "app/windows/main_window.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"

using namespace crosspoint;

namespace {

constexpr const char* largest = "rail-pod-64-nodes";  // of the samples: 512 accelerators, 61 layers

Scenario largestSample() {
    for (const Sample& sample : builtin_samples())
        if (sample.name == largest) return parse_document(sample.text, sample.name, *builtin_catalogue())->scenario;
    return {};
}

/// Everything that MainWindow::present() turns into view data; argument: 1 the whole step in the timeline.
void presenters_all(benchmark::State& state) {
    const Scenario scenario = largestSample();
    Evaluator evaluator;
    const Report report = evaluator.evaluate(scenario);
    const Arrangement arrangement = arrange(*scenario.topology);
    app::ViewState view;
    if (state.range(0) == 1) view.scope = app::ViewState::Scope::step;
    for (auto _ : state) {
        benchmark::DoNotOptimize(app::presentDiagram(scenario, arrangement, report, view));
        benchmark::DoNotOptimize(app::presentTimeline(report, view));
        benchmark::DoNotOptimize(app::presentCrossover(report, view));
        benchmark::DoNotOptimize(app::presentWhy(report, view));
        benchmark::DoNotOptimize(app::presentOperations(report, view));
        benchmark::DoNotOptimize(app::presentFigures(report, nullptr));
        benchmark::DoNotOptimize(app::presentBatch(scenario, report, nullptr));
        benchmark::DoNotOptimize(app::presentScaling(scenario, report));
        benchmark::DoNotOptimize(app::presentMemory(report));
        benchmark::DoNotOptimize(app::presentChecklist(report));
    }
}
BENCHMARK(presenters_all)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void arrange_drawing(benchmark::State& state) {
    const Scenario scenario = largestSample();
    for (auto _ : state) benchmark::DoNotOptimize(arrange(*scenario.topology));
}
BENCHMARK(arrange_drawing)->Unit(benchmark::kMillisecond);

void waitUntilSettled(const app::MainWindow& window) {
    while (!window.isSettled()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    QCoreApplication::processEvents();  // the paints that it asked for
}

/// One batch edit until it is evaluated, with suggestions, and every visible view is painted.
void window_batch_edit(benchmark::State& state, const char* sample) {
    app::MainWindow window(*builtin_catalogue());
    window.resize(1600, 960);
    window.show();
    window.openSampleNamed(sample);
    waitUntilSettled(window);
    std::int64_t batch = 1000;
    double worker = 0;
    for (auto _ : state) {
        window.document().edit(SetBatch{batch ^= 8});
        waitUntilSettled(window);
        worker += window.shownEvaluation()->milliseconds;
    }
    state.counters["worker_ms"] = worker / double(state.iterations());
}
BENCHMARK_CAPTURE(window_batch_edit, llama_70b, "llama-70b-hgx-h100")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(window_batch_edit, nvl72, "nvl72-deepseek-v3")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(window_batch_edit, rail_pod, largest)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toUtf8());
    QApplication application(argc, argv);
    QApplication::setOrganizationName("crosspoint");
    QApplication::setApplicationName("crosspoint-bench");
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
