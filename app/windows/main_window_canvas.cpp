// Editing and selecting in the main window: canvas, outline, checklist and figures.
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMessageBox>

#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"
#include "app/windows/canvas_places.hpp"
#include "app/windows/main_window.hpp"
#include "app/windows/outline_panel.hpp"
#include "app/windows/scenario_panel.hpp"
#include "core/scenario/templates.hpp"
#include "widgets/checklist/checklist_view.hpp"
#include "widgets/diagram/diagram_view.hpp"

namespace crosspoint::app {
namespace {

struct Chosen {
    std::vector<ContainerId> containers;
    std::vector<DeviceId> devices;
    std::vector<LinkId> links;
};

Chosen sortedOut(const Topology& drawing, const QStringList& ids) {
    Chosen chosen;
    for (const QString& text : ids) {
        const std::string id = text.toStdString();
        if (drawing.containers.contains(ContainerId(id))) chosen.containers.emplace_back(id);
        else if (drawing.devices.contains(DeviceId(id))) chosen.devices.emplace_back(id);
        else if (drawing.links.contains(LinkId(id))) chosen.links.emplace_back(id);
    }
    return chosen;
}

/// Such a box moves along with what it stands in.
bool isInsideOneOf(const Arrangement& arrangement, const ArrangedBox& box, const QStringList& ids) {
    for (const ArrangedBox* around = boxByKey(arrangement, box.parent); around;
         around = boxByKey(arrangement, around->parent))
        if (ids.contains(qs(around->id))) return true;
    return false;
}

}  // namespace

const Arrangement& MainWindow::arrangementOf(const std::shared_ptr<const Topology>& topology) {
    if (arranged_ != topology) {
        arrangement_ = arrange(*topology);
        arranged_ = topology;
    }
    return arrangement_;
}

// ---- selecting

void MainWindow::selectObjects(const QStringList& ids) {
    if (ids != view_.objects) view_.picked.clear();
    view_.objects = ids;
    presentCanvas();
    presentSelection();
    refreshActions();
}

/// What an undo or a deletion took away is no longer selected.
void MainWindow::forgetGoneObjects() {
    const Topology& drawing = *document_.scenario().topology;
    view_.objects.removeIf([&](const QString& text) {
        const std::string id = text.toStdString();
        return !drawing.containers.contains(ContainerId(id)) && !drawing.devices.contains(DeviceId(id)) &&
               !drawing.links.contains(LinkId(id));
    });
}

void MainWindow::selectOperation(const QString& operation) {
    view_.operation = operation;
    view_.derivation.clear();
    present(selectionOnly);
}

void MainWindow::activateFigure(const QString& id) {
    view_.derivation = id;
    present(selectionOnly);
    docks_.value("why")->show();
    docks_.value("why")->raise();
}

void MainWindow::activateVerdict(const QString& rule) {
    if (!shown_) return;
    for (const Verdict& verdict : shown_->report.verdicts) {
        if (qs(verdict.rule) != rule) continue;
        view_.objects.clear();
        for (const LinkRef& ref : verdict.evidence.links) view_.objects << qs(ref.id);
        for (const std::string& id : verdict.evidence.objects)
            if (!view_.objects.contains(qs(id))) view_.objects << qs(id);
        view_.operation = verdict.evidence.operations.empty() ? QString() : qs(verdict.evidence.operations.front());
        if (!view_.operation.isEmpty()) view_.scope = ViewState::Scope::layer;
        view_.derivation = rule;
    }
    present(selectionOnly);
    refreshActions();
}

void MainWindow::clearSelection() {
    view_.objects.clear();
    view_.picked.clear();
    view_.operation.clear();
    view_.derivation.clear();
    present(selectionOnly);
    refreshActions();
}

void MainWindow::selectAll() { canvas_->selectAll(); }

// ---- editing

void MainWindow::applySuggestion(const QString& rule, int index) {
    if (!shown_) return;
    for (const Verdict& verdict : shown_->report.verdicts)
        if (qs(verdict.rule) == rule && index >= 0 && std::size_t(index) < verdict.suggestions.size()) {
            const Suggestion& suggestion = verdict.suggestions[std::size_t(index)];
            if (document_.edit(suggestion.edits, qs(suggestion.text)))
                showMessage(tr("Applied: %1. Ctrl+Z takes it back.").arg(qs(suggestion.text)));
            return;
        }
}

void MainWindow::deleteSelection() {
    Chosen chosen = sortedOut(*document_.scenario().topology, view_.objects);
    if (chosen.containers.empty() && chosen.devices.empty() && chosen.links.empty()) return;
    if (document_.edit(RemoveObjects{std::move(chosen.containers), std::move(chosen.devices), std::move(chosen.links)}))
        selectObjects({});
}

void MainWindow::duplicateSelection() {
    Chosen chosen = sortedOut(*document_.scenario().topology, view_.objects);
    if (chosen.containers.empty() && chosen.devices.empty())
        return showMessage(tr("Select containers or devices to duplicate."));
    document_.edit(DuplicateObjects{std::move(chosen.containers), std::move(chosen.devices)});
}

void MainWindow::moveObjects(const QStringList& ids, const QPointF& delta) {
    const Arrangement& arrangement = arrangementOf(document_.scenario().topology);
    MoveObjects edit;
    for (const QString& id : ids) {
        const ArrangedBox* box = firstBox(arrangement, id.toStdString());
        if (!box || isInsideOneOf(arrangement, *box, ids)) continue;
        CanvasBox place = *placeOf(*document_.scenario().topology, arrangement, box->id);
        place.x += delta.x();
        place.y += delta.y();
        edit.boxes.push_back({id.toStdString(), place});
    }
    if (!edit.boxes.empty()) document_.edit(edit);
}

void MainWindow::insertFromPalette(const QString& key, const QPointF& at, const QString& container) {
    std::optional<ContainerId> parent;
    CanvasBox place{at.x(), at.y(), {}, {}};
    if (!container.isEmpty()) {
        parent = ContainerId(container.toStdString());
        if (const ArrangedBox* box = firstBox(arrangementOf(document_.scenario().topology), container.toStdString())) {
            place.x -= box->x;
            place.y -= box->y;
        }
    }
    const bool wasEmpty = document_.scenario().topology->devices.empty();
    auto insertion = insert_template(document_.scenario(), key.toStdString(), parent, place);
    if (!insertion) return showMessage(qs(describe(insertion.error())));
    if (!document_.edit({insertion->edit}, tr("insert %1").arg(key))) return;
    QStringList ids;
    for (const std::string& id : insertion->objects) ids << qs(id);
    present(everything);
    selectObjects(ids);
    if (wasEmpty) canvas_->fitAll();
}

void MainWindow::connectDevices(const QString& a, const QString& b) {
    Topology ids = *document_.scenario().topology;
    auto link = suggest_link(document_.scenario(), DeviceId(a.toStdString()), DeviceId(b.toStdString()), ids);
    if (!link) return showMessage(qs(describe(link.error())));
    if (!document_.edit(PutLink{*link})) return;
    present(everything);
    selectObjects({qs(link->id.value)});
    docks_.value("inspector")->raise();
}

void MainWindow::showCanvasMenu(const QString& id, const QPoint& global) {
    QMenu menu(this);
    if (!id.isEmpty()) {
        menu.addAction(tr("&Inspect"), this, [this] { docks_.value("inspector")->raise(); });
        menu.addSeparator();
        const auto offer = [&](std::initializer_list<const char*> ids) {
            for (const char* action : ids)
                if (actions_.value(action)->isEnabled()) menu.addAction(actions_.value(action));
            menu.addSeparator();
        };
        offer({"whatif.fail", "whatif.degrade", "whatif.plane", "whatif.plane_back", "whatif.restore"});
        offer({"arrange.collapse", "arrange.pin"});
        offer({"edit.duplicate", "edit.delete", "view.fit_selection"});
    }
    QMenu* arrange = menu.addMenu(tr("Arran&ge"));
    for (const char* action :
         {"arrange.automatic", "arrange.rows", "arrange.tiers", "arrange.rails", "arrange.ring", "arrange.grid"})
        arrange->addAction(actions_.value(action));
    for (const char* action : {"view.fit", "edit.select_all", "file.export_diagram"})
        menu.addAction(actions_.value(action));
    menu.exec(global);
}

// ---- view

void MainWindow::selectMode() {
    canvas_->setMode(ui::DiagramView::Mode::select);
    actions_.value("view.select")->setChecked(true);
}

void MainWindow::connectMode() {
    canvas_->setMode(ui::DiagramView::Mode::connect);
    actions_.value("view.connect")->setChecked(true);
    showMessage(tr("Drag from one device to another to link them; V or Escape returns to selecting."));
}

void MainWindow::fitAll() { canvas_->fitAll(); }
void MainWindow::fitSelection() { canvas_->fitSelection(); }
void MainWindow::zoomIn() { canvas_->zoomBy(1.2); }
void MainWindow::zoomOut() { canvas_->zoomBy(1 / 1.2); }
void MainWindow::toggleFullScreen() { isFullScreen() ? showNormal() : showFullScreen(); }
void MainWindow::resetLayout() { arrangeDocks(); }

void MainWindow::showLayer() {
    view_.scope = ViewState::Scope::layer;
    present(selectionOnly);
}

void MainWindow::showStep() {
    view_.scope = ViewState::Scope::step;
    view_.operation.clear();
    present(selectionOnly);
}

void MainWindow::pinBaseline() {
    baseline_ = shown_;
    present(everything);
    showMessage(tr("Baseline pinned: every figure now shows its change."));
}

void MainWindow::clearBaseline() {
    baseline_.reset();
    present(everything);
}

void MainWindow::showKeys() {
    QString rows;
    for (const ActionSpec& spec : actionTable()) {
        const QString keys = actions_.value(spec.id)->shortcut().toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                        .arg(keys.toHtmlEscaped(), tr(spec.tip).toHtmlEscaped());
    }
    QMessageBox box(QMessageBox::NoIcon, tr("Keys"), QStringLiteral("<table>%1</table>").arg(rows), QMessageBox::Close,
                    this);
    box.exec();
}

void MainWindow::showAbout() {
    QMessageBox::about(
        this, tr("About Crosspoint"),
        tr("<b>Crosspoint %1</b><p>Draw the hardware that language models run on and see what it means.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later. Every figure names its source: "
           "click it.</p>")
            .arg(QStringLiteral(CROSSPOINT_VERSION)));
}

}  // namespace crosspoint::app
