#include "app/export/figures_to_folder.hpp"

#include <QDir>

#include "app/export/export.hpp"
#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "core/io/document.hpp"
#include "widgets/diagram/diagram_view.hpp"
#include "widgets/plot/batch_plot.hpp"
#include "widgets/plot/crossover_plot.hpp"
#include "widgets/plot/scaling_plot.hpp"
#include "widgets/timeline/timeline_view.hpp"

namespace crosspoint::app {
namespace {

const ui::Theme& paper() {
    static const ui::Theme theme = ui::Theme::light();
    return theme;
}

Result<void> writeAll(const QDir& folder, const QString& name, QSize size, const PaintFigure& paint) {
    for (const char* suffix : {"svg", "pdf", "png"})
        if (auto done = writeFigure(folder.filePath(name + "." + suffix), size, paint); !done) return done;
    return {};
}

Result<void> writePlot(const QDir& folder, const QString& name, ui::PlotView& plot) {
    plot.setTheme(paper());
    for (const char* suffix : {"svg", "pdf", "png"}) {
        QString problem;
        const QString path = folder.filePath(name + "." + suffix);
        if (!plot.exportTo(path, *ui::figure_format(path), paper(), {900, 560}, &problem))
            return fail(ErrorCode::io, problem.toStdString(), "choose a folder that can be written");
    }
    return {};
}

Result<void> writeTimeline(const QDir& folder, const QString& name, const Report& report, ViewState::Scope scope) {
    ViewState view;
    view.scope = scope;
    ui::TimelineView timeline;
    timeline.setData(presentTimeline(report, view));
    return writeAll(folder, name, {1200, 320},
                    [&](QPainter& painter, const QRectF& target) { timeline.renderTo(painter, target, paper()); });
}

}  // namespace

Result<void> exportFigures(const QString& documentPath, const QString& folderPath,
                           std::shared_ptr<const Catalogue> catalogue) {
    auto document = load_document(documentPath.toStdString(), std::move(catalogue));
    if (!document) return tl::unexpected(document.error());
    const QDir folder(folderPath);
    if (!folder.mkpath("."))
        return fail(ErrorCode::io, "the folder '" + folderPath.toStdString() + "' cannot be made",
                    "choose another one");
    const Scenario& scenario = document->scenario;
    Evaluator evaluator;
    const Report report = evaluator.evaluate(scenario);
    ViewState step;
    step.scope = ViewState::Scope::step;

    ui::DiagramView diagram;
    diagram.setData(presentDiagram(scenario, arrange(*scenario.topology), report, step));
    const QSize size = diagram.contentRect().size().toSize();
    auto done = writeAll(folder, "diagram", size,
                         [&](QPainter& painter, const QRectF& target) { diagram.renderTo(painter, target, paper()); });
    if (done) done = writeTimeline(folder, "timeline-layer", report, ViewState::Scope::layer);
    if (done) done = writeTimeline(folder, "timeline-step", report, ViewState::Scope::step);
    ui::CrossoverPlot crossover;
    crossover.setData(presentCrossover(report, {}));
    if (done) done = writePlot(folder, "crossover", crossover);
    ui::BatchPlot batch;
    batch.setData(presentBatch(scenario, report, nullptr));
    if (done) done = writePlot(folder, "batch", batch);
    ui::ScalingPlot scaling;
    scaling.setData(presentScaling(scenario, report));
    if (done) done = writePlot(folder, "scaling", scaling);
    return done;
}

}  // namespace crosspoint::app
