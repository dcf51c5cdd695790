// Files of other tools: read into a document or the drawing, and written from it.
#include <QFileDialog>
#include <QFileInfo>
#include <QStringList>

#include "app/export/export.hpp"
#include "app/presenters/text.hpp"
#include "app/windows/import_dialog.hpp"
#include "app/windows/main_window.hpp"
#include "core/importers/exporter.hpp"
#include "core/importers/use_import.hpp"

namespace crosspoint::app {

void MainWindow::importDrawing() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import"), {}, tr("All files (*)"));
    if (!path.isEmpty()) importDrawingFile(path);
}

bool MainWindow::importDrawingFile(const QString& path) {
    const auto text = read_file(path.toStdString());
    if (!text) {
        showError(tr("Import"), text.error());
        return false;
    }
    auto imported = import_any(*text, {document_.builtinCatalogue(), {}});
    if (!imported) {
        Error error = imported.error();
        error.file = path.toStdString();
        showError(tr("Import"), error);
        return false;
    }
    const auto& drawn = document_.scenario().topology;
    ImportDialog dialog(*text, std::move(*imported), document_.builtinCatalogue(), drawn && !drawn->devices.empty(),
                        this);
    if (dialog.exec() != QDialog::Accepted) return false;
    return dialog.use() == ImportDialog::Use::insert ? insertImported(dialog.imported())
                                                     : openImported(dialog.imported(), path);
}

bool MainWindow::openImported(const Imported& imported, const QString& path) {
    if (!mayDiscard()) return false;
    const crosspoint::Document fresh{scenario_of(imported, document_.builtinCatalogue()), nullptr};
    const auto opened = document_.openText(write_document(fresh), QFileInfo(path).completeBaseName());
    if (!opened) showError(tr("Import"), opened.error());
    else showMessage(tr("%1 imported: %2").arg(QFileInfo(path).fileName(), qs(summary_of(imported))));
    return opened.has_value();
}

bool MainWindow::insertImported(const Imported& imported) {
    const ImportInsertion insertion = insertion_of(imported, document_.scenario());
    if (!document_.edit(insertion.edits, tr("import %1").arg(qs(imported.name)))) return false;
    QStringList ids;
    for (const std::string& id : insertion.objects) ids << qs(id);
    selectObjects(ids);
    showMessage(tr("Inserted %1").arg(qs(summary_of(imported))));
    return true;
}

void MainWindow::exportDrawing() {
    QStringList filters;
    for (const ExportFormat& f : export_formats()) filters << QStringLiteral("%1 (*%2)").arg(qs(f.label), qs(f.ending));
    QString chosen;
    QString path = QFileDialog::getSaveFileName(this, tr("Export drawing as"), fileNameFor(document_.displayName()),
                                                filters.join(QStringLiteral(";;")), &chosen);
    if (path.isEmpty()) return;
    const auto at = std::max<qsizetype>(0, filters.indexOf(chosen));
    const ExportFormat* format = &export_formats()[std::size_t(at)];
    for (const ExportFormat& f : export_formats())  // the ending typed says more than the filter left as it was
        if (path.endsWith(qs(f.ending)) && !path.endsWith(qs(format->ending))) format = &f;
    if (QFileInfo(path).suffix().isEmpty()) path += qs(format->ending);
    const auto exported = format->exporter(document_.scenario());
    if (!exported) {
        showError(tr("Export drawing as"), exported.error());
        return;
    }
    if (const auto written = write_file(path.toStdString(), exported->text); !written) {
        showError(tr("Export drawing as"), written.error());
        return;
    }
    QString message = tr("Wrote %1").arg(path);
    for (const ImportNote& note : exported->notes) message += QStringLiteral(" · ") + qs(note.text);
    showMessage(message);
}

}  // namespace crosspoint::app
