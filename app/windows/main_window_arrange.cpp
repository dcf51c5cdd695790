// Arranging, closing and opening, pinning, finding, and what-if switches in the main window.
#include <algorithm>

#include <QDockWidget>
#include <QInputDialog>

#include "app/presenters/text.hpp"
#include "app/windows/canvas_places.hpp"
#include "app/windows/main_window.hpp"
#include "app/windows/outline_panel.hpp"
#include "widgets/diagram/diagram_view.hpp"

namespace crosspoint::app {
namespace {

std::optional<ContainerId> parentOf(const Topology& drawing, const std::string& id) {
    if (const Container* c = drawing.containers.find(ContainerId(id))) return c->parent;
    if (const Device* d = drawing.devices.find(DeviceId(id))) return d->parent;
    return std::nullopt;
}

bool hasInside(const Topology& drawing, const ContainerId& id) {
    const auto inside = [&](const auto& row) { return row.parent == id; };
    return std::any_of(drawing.containers.begin(), drawing.containers.end(), inside) ||
           std::any_of(drawing.devices.begin(), drawing.devices.end(), inside);
}

}  // namespace

std::vector<std::string> MainWindow::selectedIds() const {
    std::vector<std::string> ids;
    for (const QString& id : view_.objects) ids.push_back(id.toStdString());
    return ids;
}

// ---- paths and groups

void MainWindow::pickBoxes(const QStringList& keys) {
    view_.picked = keys;
    presentCanvas();
}

const SelectionFacts& MainWindow::factsOf(const Scenario& scenario) {
    if (told_.topology == scenario.topology && told_.objects == view_.objects && told_.picked == view_.picked)
        return told_.facts;
    told_ = {scenario.topology, view_.objects, view_.picked,
             selectionFacts(scenario, arrangementOf(scenario.topology), view_)};
    return told_.facts;
}

// ---- finding

void MainWindow::findObject() {
    docks_.value("outline")->show();
    docks_.value("outline")->raise();
    outline_->focusFilter();
}

/// What lies in a closed container is shown by the container.
void MainWindow::revealObjects(const QStringList& ids) {
    const Topology& drawing = *document_.scenario().topology;
    QSet<QString> drawn;
    for (const ui::DiagramBox& box : canvas_->data().boxes) drawn.insert(box.id);
    QStringList shown;
    for (const QString& id : ids) {
        QString at = id;
        for (int depth = 0; depth < 64 && !drawn.contains(at); ++depth) {
            const auto parent = parentOf(drawing, at.toStdString());
            if (!parent) break;
            at = qs(parent->value);
        }
        shown << at;
    }
    canvas_->reveal(shown);
}

// ---- arranging

void MainWindow::arrangeAs(ArrangeStyle style) {
    const Topology& drawing = *document_.scenario().topology;
    std::vector<Edit> edits;
    MoveObjects moves;
    for (const ArrangedPlace& place : arrange_as(drawing, style, selectedIds())) {
        if (place.box) {
            moves.boxes.push_back({place.id, *place.box});
        } else if (const Container* c = drawing.containers.find(ContainerId(place.id))) {
            Container changed = *c;
            changed.box.reset();
            edits.emplace_back(PutContainer{std::move(changed)});
        } else if (const Device* d = drawing.devices.find(DeviceId(place.id))) {
            Device changed = *d;
            changed.box.reset();
            edits.emplace_back(PutDevice{std::move(changed)});
        }
    }
    if (!moves.boxes.empty()) edits.emplace_back(std::move(moves));
    if (edits.empty()) return showMessage(tr("Everything stands there already, or is pinned."));
    if (!document_.edit(edits, tr("arrange: %1").arg(qs(to_string(style))))) return;
    present(everything);
    if (view_.objects.isEmpty()) canvas_->fitAll();
}

/// All are pinned where they stand now; when all are pinned already, none is any more.
void MainWindow::togglePinned() {
    const Topology& drawing = *document_.scenario().topology;
    const Arrangement& arrangement = arrangementOf(document_.scenario().topology);
    MoveObjects pins, releases;
    for (const std::string& id : selectedIds()) {
        const auto place = placeOf(drawing, arrangement, id);
        if (!place) continue;
        CanvasBox box = *place;
        box.pinned = !box.pinned;
        (box.pinned ? pins : releases).boxes.push_back({id, box});
    }
    const bool pinning = !pins.boxes.empty();
    if (!pinning && releases.boxes.empty()) return showMessage(tr("Select containers or devices to pin."));
    document_.edit({pinning ? pins : releases}, pinning ? tr("pin") : tr("unpin"));
}

void MainWindow::setCollapsed(const QStringList& ids, bool collapsed) {
    const Topology& drawing = *document_.scenario().topology;
    std::vector<Edit> edits;
    for (const QString& id : ids) {
        const Container* container = drawing.containers.find(ContainerId(id.toStdString()));
        if (!container || container->collapsed == collapsed) continue;
        if (collapsed && !hasInside(drawing, container->id)) continue;
        Container changed = *container;
        changed.collapsed = collapsed;
        edits.emplace_back(PutContainer{std::move(changed)});
    }
    if (edits.empty()) return;
    document_.edit(edits, collapsed ? tr("close") : tr("open"));
    present(everything);
}

void MainWindow::toggleCollapsed() {
    const Topology& drawing = *document_.scenario().topology;
    bool anyOpen = false;
    for (const std::string& id : selectedIds()) {
        const Container* container = drawing.containers.find(ContainerId(id));
        anyOpen |= container && !container->collapsed && hasInside(drawing, container->id);
    }
    setCollapsed(view_.objects, anyOpen);
}

void MainWindow::collapseAll(bool collapsed) {
    QStringList ids;
    for (const Container& container : document_.scenario().topology->containers)
        if (!collapsed || !container.parent) ids << qs(container.id.value);
    setCollapsed(ids, collapsed);
    canvas_->fitAll();
}

// ---- what if

void MainWindow::applyWhatIf(const WhatIf& change, const QString& nothing) {
    if (change.edits.empty()) return showMessage(nothing);
    if (document_.edit(change.edits, qs(change.text)))
        showMessage(tr("What if: %1. Ctrl+Z takes it back.").arg(qs(change.text)));
}

void MainWindow::markFailed() {
    applyWhatIf(mark(document_.scenario(), selectedIds(), Health::down), tr("It is marked failed already."));
}

void MainWindow::markDegraded() {
    bool chosen = false;
    const double percent =
        QInputDialog::getDouble(this, tr("Mark degraded"), tr("Share of the bandwidth or speed that is left, in %:"),
                                50, 1, 100, 1, &chosen, {}, 5);
    if (chosen)
        applyWhatIf(mark(document_.scenario(), selectedIds(), Health::degraded, percent / 100),
                    tr("It is degraded to that share already."));
}

void MainWindow::restore() {
    applyWhatIf(mark(document_.scenario(), selectedIds(), Health::up), tr("It is whole already."));
}

void MainWindow::restoreAll() {
    applyWhatIf(mark(document_.scenario(), impaired(*document_.scenario().topology), Health::up),
                tr("Everything is whole already."));
}

void MainWindow::movePlanes(int by) {
    applyWhatIf(move_planes(document_.scenario(), selectedIds(), by),
                by > 0 ? tr("The last plane is the domain itself: mark it failed.") : tr("No plane is down."));
}

}  // namespace crosspoint::app
