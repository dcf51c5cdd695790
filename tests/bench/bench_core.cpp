// How long one edit takes in the core: apply, predict with warm and cold caches, the whole report; and, for each
// sample, the report live (as while a slider is dragged) and cold (as after an edit of the drawing).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <utility>

#include "core/evaluate/report.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/network/route.hpp"
#include "core/scenario/edit.hpp"
#include "tests/bench/fabrics.hpp"
#include "tests/core/prediction/scenarios.hpp"

namespace {

using namespace crosspoint;

Scenario expert_scenario() {
    Scenario s = testing::deepseek_on_h800(16, 64);
    s.layout.two_batch_overlap = false;
    return s;
}
Scenario overlapped_scenario() { return testing::deepseek_on_h800(16, 64); }
Scenario dense_scenario() {
    Scenario s = testing::scenario(testing::nodes_of_eight(1, "h100", "nvlink4"), testing::llama_3_70b());
    s.layout.tensor = 8;
    return s;
}

void stop(benchmark::State& state, const Error& error) { state.SkipWithError(describe(error).c_str()); }

/// The batch slider: same drawing and layout, another batch each time.
void predict_batches(benchmark::State& state, Scenario scenario, Detail detail) {
    const auto cache = make_prediction_cache();
    const std::int64_t first = scenario.workload.batch;
    std::int64_t i = 0;
    for (auto _ : state) {
        scenario.workload.batch = first + i++ % 256;
        auto p = predict(scenario, *cache, detail);
        if (!p) return stop(state, p.error());
        benchmark::DoNotOptimize(p->step_time);
    }
}

/// A new drawing or layout: everything is compiled and routed again.
void predict_cold(benchmark::State& state, const Scenario& scenario) {
    for (auto _ : state) {
        const auto cache = make_prediction_cache();
        auto p = predict(scenario, *cache);
        if (!p) return stop(state, p.error());
        benchmark::DoNotOptimize(p->step_time);
    }
}

void evaluate_batches(benchmark::State& state, Scenario scenario, EvaluateOptions options) {
    Evaluator evaluator;
    const std::int64_t first = scenario.workload.batch;
    std::int64_t i = 0;
    for (auto _ : state) {
        scenario.workload.batch = first + i++ % 256;
        const Report report = evaluator.evaluate(scenario, options);
        if (!report.prediction) return stop(state, report.prediction.error());
        benchmark::DoNotOptimize(report.figures.data());
    }
}

/// What a drag of the batch slider costs in the core: one edit, one report with its plots.
void drag_batch(benchmark::State& state, Scenario scenario) {
    Evaluator evaluator;
    const std::int64_t first = scenario.workload.batch;
    std::int64_t i = 0;
    for (auto _ : state) {
        auto next = crosspoint::apply(scenario, Edit(SetBatch{first + i++ % 256}));
        if (!next) return stop(state, next.error());
        scenario = std::move(*next);
        const Report report = evaluator.evaluate(scenario, {true, false});
        if (!report.prediction) return stop(state, report.prediction.error());
        benchmark::DoNotOptimize(report.figures.data());
    }
}

void evaluate_cold(benchmark::State& state, const Scenario& scenario, EvaluateOptions options) {
    for (auto _ : state) {
        Evaluator evaluator;
        const Report report = evaluator.evaluate(scenario, options);
        if (!report.prediction) return stop(state, report.prediction.error());
        benchmark::DoNotOptimize(report.figures.data());
    }
}

void apply_batch(benchmark::State& state) {
    Scenario scenario = expert_scenario();
    std::int64_t i = 1;
    for (auto _ : state) {
        auto next = crosspoint::apply(scenario, Edit(SetBatch{1 + i++ % 4096}));
        if (!next) return stop(state, next.error());
        scenario = std::move(*next);
        benchmark::DoNotOptimize(scenario.workload.batch);
    }
}

BENCHMARK_CAPTURE(predict_batches, dense, dense_scenario(), Detail::full)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_batches, experts, expert_scenario(), Detail::full)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_batches, overlapped, overlapped_scenario(), Detail::full)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_batches, dense_figures, dense_scenario(), Detail::figures)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_batches, experts_figures, expert_scenario(), Detail::figures)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_batches, overlapped_figures, overlapped_scenario(), Detail::figures)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_cold, dense, dense_scenario())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_cold, experts, expert_scenario())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate_batches, plain, expert_scenario(), EvaluateOptions{false, false})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate_batches, sweeps, expert_scenario(), EvaluateOptions{true, false})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate_batches, all, expert_scenario(), EvaluateOptions{})->Unit(benchmark::kMicrosecond);
BENCHMARK(apply_batch);

/// A drawing compiled and its all-to-all over all accelerators routed.
void route_all(benchmark::State& state, const Topology& topology) {
    const Catalogue parts = drawings::parts();
    for (auto _ : state) {
        const auto network = compile(topology, parts);
        if (!network) return stop(state, network.error());
        const auto all = route(*network, {{{network->accelerators, 1}}, {}}, Pattern::all_to_all);
        if (!all) return stop(state, all.error());
        benchmark::DoNotOptimize(all->seconds_per_byte);
        state.counters["accelerators"] = double(network->accelerators);
    }
}

BENCHMARK_CAPTURE(route_all, clos_1152, fabrics::clos(1, 144))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(route_all, clos_1048576, fabrics::clos(128, 1024))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(route_all, drawn_10000_devices_40000_links, fabrics::drawn(4096, 8))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_all, torus_16x20x28, fabrics::torus(16, 20, 28, true))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_all, mesh_16x16x16, fabrics::torus(16, 16, 16, false))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_all, dragonfly_74_groups, fabrics::dragonfly(74, 32, 4, 1))->Unit(benchmark::kMillisecond);

void add_sample(const std::string& name, const Scenario& scenario) {
    const auto add = [&](const std::string& what, auto run, auto... options) {
        benchmark::RegisterBenchmark((what + "/" + name).c_str(), run, scenario, options...)
            ->Unit(benchmark::kMicrosecond);
    };
    add("drag_batch", drag_batch);
    add("evaluate_cold", evaluate_cold, EvaluateOptions{true, false});
    add("evaluate_cold_all", evaluate_cold, EvaluateOptions{});
}

/// False, with a message, when the program's own files cannot be read.
bool add_samples() {
    const auto catalogue = builtin_catalogue();
    if (!catalogue) return std::fprintf(stderr, "%s\n", describe(catalogue.error()).c_str()), false;
    for (const Sample& sample : builtin_samples()) {
        const auto document = parse_document(sample.text, sample.name, *catalogue);
        if (!document) return std::fprintf(stderr, "%s\n", describe(document.error()).c_str()), false;
        add_sample(std::string(sample.name), document->scenario);
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (!add_samples()) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
