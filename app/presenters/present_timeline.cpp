#include "app/presenters/presenters.hpp"

#include <QCoreApplication>
#include <QHash>

#include "app/presenters/text.hpp"

namespace crosspoint::app {
namespace {

ui::BarRole communicationRole(const Prediction& prediction, const OperationResult& result, int level) {
    const bool inside = level >= 0 && prediction.network->levels[std::size_t(level)].in_domain;
    if (inside) return ui::BarRole::communication_inside;
    const bool back = result.op.communication && result.op.communication->op == CollectiveOp::expert_combine;
    return back ? ui::BarRole::communication_back : ui::BarRole::communication_out;
}

ui::BarRole role(const Prediction& prediction, const OperationResult& result, int level) {
    switch (result.op.kind) {
        case OpKind::product: return ui::BarRole::product;
        case OpKind::attention: return ui::BarRole::attention;
        case OpKind::experts: return ui::BarRole::experts;
        case OpKind::elementwise: return ui::BarRole::elementwise;
        case OpKind::overhead: return ui::BarRole::overhead;
        case OpKind::communication: return communicationRole(prediction, result, level);
    }
    return ui::BarRole::product;
}

/// Operations of every layer kind and of the ends, by kind and id.
class ResultIndex {
public:
    explicit ResultIndex(const Prediction& prediction) {
        for (const LayerResult& layer : prediction.layers)
            for (const OperationResult& result : layer.operations) byId_.insert(qs(result.op.id), &result);
        for (const OperationResult& result : prediction.ends) byId_.insert(qs(result.op.id), &result);
    }
    explicit ResultIndex(const LayerResult& layer) {
        for (const OperationResult& result : layer.operations) byId_.insert(qs(result.op.id), &result);
    }
    [[nodiscard]] const OperationResult* find(const std::string& id) const { return byId_.value(qs(id)); }

private:
    QHash<QString, const OperationResult*> byId_;
};

QString barTooltip(const Bar& bar, const OperationResult* result) {
    const QString name = result ? qs(result->op.label) : qs(bar.label);
    QString text = QStringLiteral("%1: %2, %3").arg(name, shown(bar.length, 4), qs(to_string(bar.bound)));
    if (result && !result->why.empty()) text += QLatin1Char('\n') + qs(result->why);
    return text;
}

struct Picture {
    const Prediction& prediction;
    const Timeline& timeline;
    const ResultIndex& results;
    const ViewState& view;
};

ui::TimelineBar present(const Picture& picture, const Bar& bar) {
    const OperationResult* result = picture.results.find(bar.op);
    const int level = picture.timeline.streams[std::size_t(bar.stream)].level;
    ui::TimelineBar b;
    b.operation = qs(bar.op);
    b.key = QStringLiteral("%1/%2/%3/%4").arg(bar.layer).arg(qs(bar.op)).arg(bar.stream).arg(bar.micro_batch);
    b.stream = bar.stream;
    b.layer = bar.layer;
    b.start = bar.start.si();
    b.length = bar.length.si();
    b.label = qs(bar.label);
    b.tooltip = barTooltip(bar, result);
    b.role = result ? role(picture.prediction, *result, level) : ui::BarRole::overhead;
    b.selected = b.operation == picture.view.operation;
    return b;
}

/// The longest stretch in which compute waits for communication, as (start of the wait's end, length).
std::optional<ui::TimelineNote> longestWait(const Timeline& timeline) {
    double busyUntil = 0, longest = 0, at = 0;
    for (const Bar& bar : timeline.bars) {
        if (timeline.streams[std::size_t(bar.stream)].level >= 0) continue;
        const double gap = bar.start.si() - busyUntil;
        if (gap > longest) {
            longest = gap;
            at = bar.start.si();
        }
        busyUntil = std::max(busyUntil, bar.end().si());
    }
    if (timeline.end.si() - busyUntil > longest) {
        longest = timeline.end.si() - busyUntil;
        at = timeline.end.si();
    }
    if (longest < 0.02 * timeline.end.si()) return std::nullopt;
    return ui::TimelineNote{
        at, QCoreApplication::translate("Timeline", "compute waits %1 for communication").arg(shown(Seconds(longest)))};
}

ui::TimelineData present(const Picture& picture, const QString& title) {
    ui::TimelineData data;
    for (const Stream& stream : picture.timeline.streams) data.streams << qs(stream.name);
    data.bars.reserve(picture.timeline.bars.size());
    for (const Bar& bar : picture.timeline.bars) data.bars.push_back(present(picture, bar));
    data.end = picture.timeline.end.si();
    data.title = title;
    return data;
}

}  // namespace

const LayerResult* shownLayer(const Report& report, const ViewState& view) {
    if (!report.prediction) return nullptr;
    const LayerResult* most = nullptr;
    for (const LayerResult& layer : report.prediction->layers) {
        if (layer.kind == view.kind) return &layer;
        if (!most || layer.count > most->count) most = &layer;
    }
    return most;
}

const OperationResult* findOperation(const Report& report, const ViewState& view) {
    if (!report.prediction || view.operation.isEmpty()) return nullptr;
    if (const LayerResult* layer = shownLayer(report, view))
        if (const auto* result = ResultIndex(*layer).find(view.operation.toStdString())) return result;
    return ResultIndex(*report.prediction).find(view.operation.toStdString());
}

ui::TimelineData presentTimeline(const Report& report, const ViewState& view) {
    ui::TimelineData data;
    if (!report.prediction) {
        data.empty_text = missingText(report);
        return data;
    }
    const Prediction& prediction = *report.prediction;
    if (view.scope == ViewState::Scope::step) {
        const ResultIndex results(prediction);
        const QString title =
            QCoreApplication::translate("Timeline", "whole step · %1").arg(shown(prediction.step.end));
        return present({prediction, prediction.step, results, view}, title);
    }
    const LayerResult* layer = shownLayer(report, view);
    if (!layer) return data;
    const ResultIndex results(*layer);
    const QString title = QCoreApplication::translate("Timeline", "one layer of %1 (%2) · %3")
                              .arg(layer->count)
                              .arg(qs(layer->label), shown(layer->timeline.end));
    data = present({prediction, layer->timeline, results, view}, title);
    data.note = longestWait(layer->timeline);
    return data;
}

}  // namespace crosspoint::app
