#include "app/presenters/presenters.hpp"

#include <cmath>

#include <QCoreApplication>

#include "app/presenters/text.hpp"
#include "core/cost/link.hpp"

namespace crosspoint::app {
namespace {

constexpr double smallestMessage = 1e3, largestMessage = 1e9;
constexpr int curvePoints = 121;

QString tr(const char* text) { return QCoreApplication::translate("Plots", text); }

std::vector<QPointF> curvePointsOf(const LinkCost& link) {
    std::vector<QPointF> points;
    points.reserve(curvePoints);
    for (int i = 0; i < curvePoints; ++i) {
        const double bytes = smallestMessage * std::pow(largestMessage / smallestMessage, i / double(curvePoints - 1));
        points.emplace_back(bytes, transfer_time(link, Bytes(bytes)).si());
    }
    return points;
}

ui::CrossoverCurveData present(const CrossoverCurve& curve) {
    ui::CrossoverCurveData data;
    data.id = qs(curve.part.value + "/" + curve.use);
    data.name = qs(curve.name);
    data.points = curvePointsOf(curve.link);
    data.crossover = QPointF(curve.crossover.si(), transfer_time(curve.link, curve.crossover).si());
    for (const MeasuredTime& point : curve.measured) data.measured.emplace_back(point.size.si(), point.time.si());
    data.crossover_text = QStringLiteral("n* %1").arg(shown(curve.crossover, 2));
    data.detail = tr("%1: alpha %2, %3 per accelerator, %4. Half bandwidth at %5. %6")
                      .arg(qs(curve.use), shown(curve.link.alpha), shown(curve.link.beta),
                           qs(to_string(curve.confidence)), shown(curve.half_bandwidth), qs(curve.source));
    return data;
}

/// One link class can carry several operations with figures of their own.
bool sharesName(const std::vector<CrossoverCurve>& curves, std::size_t index) {
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (i != index && curves[i].name == curves[index].name) return true;
    return false;
}

ui::BatchPlotPoint present(const BatchPoint& point) {
    return {double(point.batch), point.step.si(), point.per_accelerator.si(), point.price.si(), point.fits};
}

void addTargets(ui::BatchPlotData& data, const Scenario& scenario) {
    const bool decode = scenario.workload.phase == Phase::decode;
    const auto& target = decode ? scenario.targets.inter_token : scenario.targets.first_token;
    data.latency_label = decode ? tr("inter-token latency") : tr("time to first token");
    if (!target) return;
    data.latency_target = target->si();
    data.latency_target_text = tr("target %1").arg(shown(*target));
}

void addWindow(ui::BatchPlotData& data, const BatchWindow& window) {
    if (window.empty) {
        data.window_text = qs(window.finding);
        return;
    }
    data.window_low = double(window.smallest.value_or(1));
    data.window_high = double(*window.largest);
    data.window_text = tr("window %1 … %2").arg(window.smallest.value_or(1)).arg(*window.largest);
}

}  // namespace

ui::CrossoverData presentCrossover(const Report& report, const ViewState& view) {
    ui::CrossoverData data;
    data.x_label = tr("message size per accelerator");
    data.empty_text = tr("Draw links or a domain, and choose a layout that communicates");
    for (const CrossoverCurve& curve : report.curves) data.curves.push_back(present(curve));
    for (std::size_t i = 0; i < data.curves.size(); ++i)
        if (sharesName(report.curves, i))
            data.curves[i].name = data.curves[i].name.section(": ", 0, 0) + QStringLiteral(", ") +
                                  qs(report.curves[i].use).section(" of ", 0, 0);
    for (const CrossoverMessage& message : report.messages) {
        ui::CrossoverMarker marker;
        marker.operation = qs(message.op);
        marker.text = qs(message.label);
        marker.curve = int(message.curve);
        marker.bytes = message.bytes.si();
        marker.seconds = message.time.si();
        marker.selected = marker.operation == view.operation;
        data.messages.push_back(std::move(marker));
    }
    return data;
}

ui::BatchPlotData presentBatch(const Scenario& scenario, const Report& report, const Report* baseline) {
    ui::BatchPlotData data;
    data.x_label = tr("sequences in flight per replica");
    data.empty_text = report.prediction ? tr("No batch sweep") : missingText(report);
    for (const BatchPoint& point : report.batch_sweep) data.points.push_back(present(point));
    if (baseline)
        for (const BatchPoint& point : baseline->batch_sweep) data.baseline.push_back(present(point));
    addTargets(data, scenario);
    if (data.points.empty()) return data;
    addWindow(data, report.window);
    if (!report.prediction) return data;
    data.current = double(scenario.workload.batch);
    data.current_text = tr("now %1: %2").arg(scenario.workload.batch).arg(shown(report.prediction->step_time));
    return data;
}

ui::ScalingData presentScaling(const Scenario& scenario, const Report& report) {
    ui::ScalingData data;
    data.x_label = tr("tensor degree (one sequence)");
    data.empty_text = report.prediction ? tr("No other tensor degree fits") : missingText(report);
    for (const TensorPoint& point : report.tensor_sweep.points)
        data.points.push_back({double(point.degree), point.step.si(), point.weights.si(), point.communication.si(),
                               point.step.si() > 0 ? 1.0 / point.step.si() : 0.0});
    if (const auto degree = report.tensor_sweep.turns_over_at) {
        data.turn_over = double(*degree);
        for (const TensorPoint& point : report.tensor_sweep.points)
            if (point.degree == *degree)
                data.turn_over_text = tr("turns over at TP %1: %2").arg(*degree).arg(shown(point.step));
    }
    data.current = double(scenario.layout.tensor);
    data.current_text = tr("layout: TP %1").arg(scenario.layout.tensor);
    return data;
}

}  // namespace crosspoint::app
