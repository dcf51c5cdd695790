// File actions of the main window: open, save, import, export, recent files, drops.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>

#include "app/export/export.hpp"
#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"
#include "app/windows/main_window.hpp"
#include "app/windows/measurement_dialog.hpp"
#include "app/windows/model_editor_dialog.hpp"
#include "app/windows/outline_panel.hpp"
#include "app/windows/scenario_panel.hpp"
#include "core/importers/importer.hpp"
#include "core/io/builtin.hpp"
#include "core/io/hf_config.hpp"
#include "core/measure/measurement.hpp"
#include "widgets/diagram/diagram_view.hpp"
#include "widgets/plot/batch_plot.hpp"
#include "widgets/plot/crossover_plot.hpp"
#include "widgets/plot/scaling_plot.hpp"
#include "widgets/timeline/timeline_view.hpp"

namespace crosspoint::app {
namespace {

constexpr int maxRecent = 8;
const char* const documentFilter = QT_TRANSLATE_NOOP(
    "MainWindow", "Crosspoint documents (*.crosspoint.json);;Model configs (config.json *.json);;All files (*)");
const char* const figureFilter =
    QT_TRANSLATE_NOOP("MainWindow", "SVG picture (*.svg);;PDF document (*.pdf);;PNG picture (*.png)");

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    return files;
}

QString bulleted(const QString& heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    QString text = heading + QStringLiteral("\n");
    for (const std::string& line : lines) text += QStringLiteral("  • ") + qs(line) + QLatin1Char('\n');
    return text;
}

}  // namespace

void MainWindow::showError(const QString& title, const Error& error) {
    QMessageBox box(QMessageBox::Warning, title, qs(describe(error)), QMessageBox::Ok, this);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.exec();
}

void MainWindow::showMessage(const QString& text) { statusBar()->showMessage(text, 8000); }

bool MainWindow::mayDiscard() {
    if (!document_.isModified()) return true;
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                    tr("Save the changes to “%1”?").arg(document_.displayName()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
        case QMessageBox::Save: return saveDocument();
        case QMessageBox::Discard: return true;
        default: return false;
    }
}

void MainWindow::newDocument() {
    if (mayDiscard()) document_.reset();
}

void MainWindow::openDocument() {
    if (!mayDiscard()) return;
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), QFileInfo(document_.filePath()).path(), tr(documentFilter));
    if (!path.isEmpty()) openPath(path);
}

void MainWindow::openSample() {
    if (!mayDiscard()) return;
    QStringList titles;
    for (const Sample& sample : builtin_samples()) titles << qs(sample.title);
    bool chosen = false;
    const QString title =
        QInputDialog::getItem(this, tr("Open sample"), tr("Worked example"), titles, 0, false, &chosen);
    if (chosen) openSampleNamed(qs(builtin_samples()[std::size_t(titles.indexOf(title))].name));
}

bool MainWindow::openSampleNamed(const QString& name) {
    for (const Sample& sample : builtin_samples()) {
        if (qs(sample.name) != name) continue;
        const auto opened = document_.openText(sample.text, qs(sample.title));
        if (!opened) showError(tr("Open sample"), opened.error());
        return opened.has_value();
    }
    return false;
}

bool MainWindow::openPath(const QString& path) {
    const auto text = read_file(path.toStdString());
    if (!text) {
        showError(tr("Open"), text.error());
        return false;
    }
    if (auto opened = document_.open(path); opened) {
        rememberFile(path);
        return true;
    } else if (!import_hf_config(*text, path.toStdString())) {
        if (recognise(*text)) return importDrawingFile(path);
        showError(tr("Open"), opened.error());
        return false;
    }
    return importModelFile(path);
}

bool MainWindow::saveDocument() {
    if (document_.filePath().isEmpty()) return saveDocumentAs();
    const auto saved = document_.save();
    if (!saved) showError(tr("Save"), saved.error());
    else showMessage(tr("Saved %1").arg(document_.filePath()));
    return saved.has_value();
}

QString MainWindow::askSavePath(const QString& title, const QString& suggestion, const QString& filter) {
    return QFileDialog::getSaveFileName(this, title, suggestion, filter);
}

bool MainWindow::saveDocumentAs() {
    const QString suggestion = document_.filePath().isEmpty()
                                   ? fileNameFor(document_.displayName()) + ".crosspoint.json"
                                   : document_.filePath();
    QString path = askSavePath(tr("Save as"), suggestion, tr("Crosspoint documents (*.crosspoint.json)"));
    if (path.isEmpty()) return false;
    if (!path.endsWith(".json")) path += ".crosspoint.json";
    const auto saved = document_.saveAs(path);
    if (!saved) {
        showError(tr("Save as"), saved.error());
        return false;
    }
    rememberFile(path);
    showMessage(tr("Saved %1").arg(path));
    return true;
}

void MainWindow::importModel() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import model"), {},
                                                      tr("Model configs (config.json *.json);;All files (*)"));
    if (!path.isEmpty()) importModelFile(path);
}

void MainWindow::editModel() {
    ModelEditorDialog dialog(document_.scenario(), models_, this);
    if (dialog.exec() != QDialog::Accepted || !dialog.model()) return;
    const auto model = dialog.model();
    document_.edit({SetModel{model}}, tr("edit model %1").arg(qs(model->name)));
}

bool MainWindow::importModelFile(const QString& path) {
    const auto text = read_file(path.toStdString());
    if (!text) {
        showError(tr("Import model"), text.error());
        return false;
    }
    auto imported = import_hf_config(*text, path.toStdString());
    if (!imported) {
        showError(tr("Import model"), imported.error());
        return false;
    }
    const auto model = std::make_shared<const ModelShape>(imported->model);
    if (!document_.edit({SetModel{model}}, tr("import model %1").arg(qs(model->name)))) return false;
    showMessage(tr("Model %1 imported: %2 assumed, %3 fields ignored")
                    .arg(qs(model->name))
                    .arg(imported->assumed.size())
                    .arg(imported->ignored.size()));
    const QString details = bulleted(tr("Warnings"), imported->warnings) + bulleted(tr("Assumed"), imported->assumed) +
                            bulleted(tr("Ignored fields"), imported->ignored);
    if (imported->warnings.empty()) return true;
    QMessageBox box(QMessageBox::Information, tr("Import model"),
                    tr("%1 was imported with remarks.").arg(qs(model->name)), QMessageBox::Ok, this);
    box.setDetailedText(details);
    box.exec();
    return true;
}

// ---- measurements

void MainWindow::openMeasurement(const QString& text, const QString& name) {
    MeasurementDialog dialog(document_.scenario(), theme_, this);
    if (!text.isEmpty()) dialog.setLog(text, name);
    if (dialog.exec() != QDialog::Accepted || !dialog.calibration()) return;
    if (document_.edit(SetPathCalibration{*dialog.calibration()}))
        showMessage(tr("Calibrated: %1").arg(qs(describe(Edit(SetPathCalibration{*dialog.calibration()})))));
}

void MainWindow::paste() {
    const QString text = QApplication::clipboard()->text();
    if (recognise_log(text.toStdString())) openMeasurement(text, tr("pasted text"));
    else showMessage(tr("The clipboard holds no measurement that is known here."));
}

// ---- export

void MainWindow::exportDiagram() {
    const QString path =
        askSavePath(tr("Export diagram"), fileNameFor(document_.displayName()) + "-diagram.svg", tr(figureFilter));
    if (path.isEmpty()) return;
    const QRectF content = canvas_->contentRect();
    const auto written = writeFigure(path, content.size().toSize(), [this](QPainter& painter, const QRectF& target) {
        canvas_->renderTo(painter, target, ui::Theme::light());
    });
    if (!written) showError(tr("Export diagram"), written.error());
    else showMessage(tr("Wrote %1").arg(path));
}

void MainWindow::exportTimeline() {
    const QString path =
        askSavePath(tr("Export timeline"), fileNameFor(document_.displayName()) + "-timeline.svg", tr(figureFilter));
    if (path.isEmpty()) return;
    const auto written = writeFigure(path, QSize(1200, 320), [this](QPainter& painter, const QRectF& target) {
        timeline_->renderTo(painter, target, ui::Theme::light());
    });
    if (!written) showError(tr("Export timeline"), written.error());
    else showMessage(tr("Wrote %1").arg(path));
}

ui::PlotView* MainWindow::frontPlot() const {
    const std::pair<const char*, ui::PlotView*> plots[] = {
        {"crossover", crossover_}, {"batch", batch_}, {"scaling", scaling_}};
    for (const auto& [id, plot] : plots)
        if (!docks_.value(id)->visibleRegion().isEmpty()) return plot;
    return crossover_;
}

void MainWindow::exportPlot() {
    const QString path =
        askSavePath(tr("Export plot"), fileNameFor(document_.displayName()) + "-plot.svg", tr(figureFilter));
    if (path.isEmpty()) return;
    QString problem;
    const auto format = ui::figure_format(path).value_or(ui::FigureFormat::svg);
    if (frontPlot()->exportTo(path, format, ui::Theme::light(), {900, 560}, &problem))
        showMessage(tr("Wrote %1").arg(path));
    else
        showError(tr("Export plot"), Error{ErrorCode::io, problem.toStdString(), {}, {}, path.toStdString(), {}, 0, 0});
}

void MainWindow::exportReport() {
    const QString path = askSavePath(tr("Export report"), fileNameFor(document_.displayName()) + "-report.html",
                                     tr("HTML page (*.html);;Markdown (*.md)"));
    if (path.isEmpty() || !shown_) return;
    const auto written = writeReport(path, document_.scenario());
    if (!written) showError(tr("Export report"), written.error());
    else showMessage(tr("Wrote %1").arg(path));
}

// ---- recent files and drops

void MainWindow::rememberFile(const QString& path) {
    QSettings settings;
    QStringList recent = settings.value("files/recent").toStringList();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    settings.setValue("files/recent", recent.mid(0, maxRecent));
    rebuildRecentFiles();
}

void MainWindow::rebuildRecentFiles() {
    recent_->clear();
    for (const QString& path : QSettings().value("files/recent").toStringList())
        recent_->addAction(path, this, [this, path] {
            if (mayDiscard()) openPath(path);
        });
    recent_->setEnabled(!recent_->isEmpty());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QMimeData* mime = event->mimeData();
    const bool log = !mime->hasUrls() && mime->hasText() && recognise_log(mime->text().toStdString());
    if (log || !localFiles(mime).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = localFiles(event->mimeData());
    event->acceptProposedAction();
    if (files.isEmpty()) return openMeasurement(event->mimeData()->text(), tr("dropped text"));
    const auto text = read_file(files.first().toStdString());
    const bool model = text && import_hf_config(*text, files.first().toStdString());
    const bool document = text && parse_document(*text, {}, document_.builtinCatalogue());
    if (text && recognise_log(*text)) return openMeasurement(QString::fromStdString(*text), files.first());
    if (model) importModelFile(files.first());
    else if (text && !document && recognise(*text)) importDrawingFile(files.first());
    else if (mayDiscard()) openPath(files.first());
}

}  // namespace crosspoint::app
