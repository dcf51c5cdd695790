#include "app/actions/action_table.hpp"

#include <QtGlobal>

namespace crosspoint::app {
namespace {

using C = const ActionContext&;
using T = ActionTarget&;
constexpr auto always = [](C) { return true; };
constexpr auto drawn = [](C c) { return c.hasDrawing; };
constexpr auto selected = [](C c) { return c.hasSelection; };
constexpr auto reported = [](C c) { return c.hasReport; };

// clang-format off
const ActionSpec table[] = {
    {"file.new", "File", QT_TR_NOOP("&New"), "Ctrl+N", "new", QT_TR_NOOP("Start an empty drawing"), true, false, always, [](T t) { t.newDocument(); }},
    {"file.open", "File", QT_TR_NOOP("&Open..."), "Ctrl+O", "open", QT_TR_NOOP("Open a document or a model's config.json"), true, false, always, [](T t) { t.openDocument(); }},
    {"file.sample", "File", QT_TR_NOOP("Open sa&mple..."), "Ctrl+Shift+O", "", QT_TR_NOOP("Open one of the worked examples"), false, false, always, [](T t) { t.openSample(); }},
    {"file.save", "File", QT_TR_NOOP("&Save"), "Ctrl+S", "save", QT_TR_NOOP("Save the document"), true, true, always, [](T t) { t.saveDocument(); }},
    {"file.save_as", "File", QT_TR_NOOP("Save &as..."), "Ctrl+Shift+S", "", QT_TR_NOOP("Save under another name"), false, false, always, [](T t) { t.saveDocumentAs(); }},
    {"file.import_model", "File", QT_TR_NOOP("&Import model..."), "Ctrl+I", "", QT_TR_NOOP("Take the model shape from a Hugging Face config.json"), false, true, always, [](T t) { t.importModel(); }},
    {"file.import_drawing", "File", QT_TR_NOOP("Import dra&wing..."), "Ctrl+Shift+I", "", QT_TR_NOOP("Read the hardware from a topology file of another tool"), false, false, always, [](T t) { t.importDrawing(); }},
    {"file.fit_measurement", "File", QT_TR_NOOP("&Fit a measurement..."), "Ctrl+M", "", QT_TR_NOOP("Read a log of a communication benchmark; use it as the calibration of a link class"), false, false, always, [](T t) { t.fitMeasurement(); }},
    {"file.edit_model", "File", QT_TR_NOOP("&Edit model..."), "Ctrl+Shift+M", "", QT_TR_NOOP("Start from a known shape, change any field, see the difference"), false, false, always, [](T t) { t.editModel(); }},
    {"file.export_diagram", "File", QT_TR_NOOP("Export &diagram..."), "Ctrl+E", "export", QT_TR_NOOP("Write the drawing as SVG, PDF or PNG"), false, true, drawn, [](T t) { t.exportDiagram(); }},
    {"file.export_drawing", "File", QT_TR_NOOP("Export drawin&g as..."), "", "", QT_TR_NOOP("Write the hardware as a file of another tool"), false, false, drawn, [](T t) { t.exportDrawing(); }},
    {"file.export_timeline", "File", QT_TR_NOOP("Export &timeline..."), "", "", QT_TR_NOOP("Write the timeline as SVG, PDF or PNG"), false, false, reported, [](T t) { t.exportTimeline(); }},
    {"file.export_plot", "File", QT_TR_NOOP("Export &plot..."), "Ctrl+Shift+E", "", QT_TR_NOOP("Write the plot in front as SVG, PDF or PNG"), false, false, reported, [](T t) { t.exportPlot(); }},
    {"file.export_report", "File", QT_TR_NOOP("Export &report..."), "Ctrl+R", "report", QT_TR_NOOP("Write the review as HTML or Markdown"), true, false, reported, [](T t) { t.exportReport(); }},
    {"file.quit", "File", QT_TR_NOOP("&Quit"), "Ctrl+Q", "", QT_TR_NOOP("Close the window"), false, true, always, [](T t) { t.quit(); }},

    {"edit.undo", "Edit", QT_TR_NOOP("&Undo"), "Ctrl+Z", "undo", QT_TR_NOOP("Take back the last change"), true, false, [](C c) { return c.canUndo; }, [](T t) { t.undo(); }},
    {"edit.redo", "Edit", QT_TR_NOOP("&Redo"), "Ctrl+Shift+Z", "redo", QT_TR_NOOP("Do the change again"), true, false, [](C c) { return c.canRedo; }, [](T t) { t.redo(); }},
    {"edit.paste", "Edit", QT_TR_NOOP("&Paste"), "Ctrl+V", "", QT_TR_NOOP("Fit the measurement on the clipboard"), false, true, always, [](T t) { t.paste(); }},
    {"edit.duplicate", "Edit", QT_TR_NOOP("Dup&licate"), "Ctrl+D", "duplicate", QT_TR_NOOP("Copy the selected objects with what is inside"), false, true, selected, [](T t) { t.duplicateSelection(); }},
    {"edit.delete", "Edit", QT_TR_NOOP("&Delete"), "Del", "delete", QT_TR_NOOP("Remove the selected objects, what is inside, and their links"), false, false, selected, [](T t) { t.deleteSelection(); }},
    {"edit.select_all", "Edit", QT_TR_NOOP("Select &all"), "Ctrl+A", "", QT_TR_NOOP("Select every object of the drawing"), false, true, drawn, [](T t) { t.selectAll(); }},
    {"edit.clear_selection", "Edit", QT_TR_NOOP("&Clear selection"), "Esc", "", QT_TR_NOOP("Select nothing"), false, false, selected, [](T t) { t.clearSelection(); }},
    {"edit.find", "Edit", QT_TR_NOOP("&Find object..."), "Ctrl+F", "", QT_TR_NOOP("Find a device, container or link by name"), false, false, drawn, [](T t) { t.findObject(); }},

    {"view.select", "View", QT_TR_NOOP("&Select tool"), "V", "select", QT_TR_NOOP("Select and move"), true, false, always, [](T t) { t.selectMode(); }},
    {"view.connect", "View", QT_TR_NOOP("&Connect tool"), "C", "connect", QT_TR_NOOP("Draw a link from device to device"), true, false, drawn, [](T t) { t.connectMode(); }},
    {"view.fit", "View", QT_TR_NOOP("&Fit drawing"), "F", "fit", QT_TR_NOOP("Show the whole drawing"), true, true, drawn, [](T t) { t.fitAll(); }},
    {"view.fit_selection", "View", QT_TR_NOOP("Fit s&election"), "Shift+F", "", QT_TR_NOOP("Zoom to the selected objects"), false, false, selected, [](T t) { t.fitSelection(); }},
    {"view.zoom_in", "View", QT_TR_NOOP("Zoom &in"), "Ctrl++", "", QT_TR_NOOP("Larger"), false, false, drawn, [](T t) { t.zoomIn(); }},
    {"view.zoom_out", "View", QT_TR_NOOP("Zoom &out"), "Ctrl+-", "", QT_TR_NOOP("Smaller"), false, false, drawn, [](T t) { t.zoomOut(); }},
    {"view.dark", "View", QT_TR_NOOP("&Dark or light"), "Ctrl+Shift+D", "", QT_TR_NOOP("Change between the dark and the light theme"), false, true, always, [](T t) { t.toggleDark(); }},
    {"view.contrast", "View", QT_TR_NOOP("&High contrast"), "", "", QT_TR_NOOP("Black on white with strong outlines, on or off"), false, false, always, [](T t) { t.toggleContrast(); }},
    {"view.full_screen", "View", QT_TR_NOOP("F&ull screen"), "F11", "", QT_TR_NOOP("Fill the screen"), false, false, always, [](T t) { t.toggleFullScreen(); }},
    {"view.reset_layout", "View", QT_TR_NOOP("&Reset panels"), "", "", QT_TR_NOOP("Put every panel back where it was at first"), false, false, always, [](T t) { t.resetLayout(); }},

    {"arrange.automatic", "Arrange", QT_TR_NOOP("&Automatic"), "Ctrl+Shift+L", "", QT_TR_NOOP("Put the selection, or everything, where it stands by itself; what is pinned stays"), false, false, drawn, [](T t) { t.arrangeAs(ArrangeStyle::automatic); }},
    {"arrange.rows", "Arrange", QT_TR_NOOP("Rack &rows"), "", "", QT_TR_NOOP("Racks in rows with an aisle between, switches above"), false, false, drawn, [](T t) { t.arrangeAs(ArrangeStyle::rows); }},
    {"arrange.tiers", "Arrange", QT_TR_NOOP("&Tiers"), "", "", QT_TR_NOOP("Switches by tier from the top down"), false, false, drawn, [](T t) { t.arrangeAs(ArrangeStyle::tiers); }},
    {"arrange.rails", "Arrange", QT_TR_NOOP("Ra&ils"), "", "", QT_TR_NOOP("Nodes in a column, their switches beside them"), false, false, drawn, [](T t) { t.arrangeAs(ArrangeStyle::rails); }},
    {"arrange.ring", "Arrange", QT_TR_NOOP("Rin&g"), "", "", QT_TR_NOOP("On a circle in the order of the names"), false, false, drawn, [](T t) { t.arrangeAs(ArrangeStyle::ring); }},
    {"arrange.grid", "Arrange", QT_TR_NOOP("Torus gri&d"), "", "", QT_TR_NOOP("Row by row, as square as possible"), false, false, drawn, [](T t) { t.arrangeAs(ArrangeStyle::grid); }},
    {"arrange.pin", "Arrange", QT_TR_NOOP("&Pin or unpin"), "P", "", QT_TR_NOOP("Keep the selection where it is when arranging"), false, true, selected, [](T t) { t.togglePinned(); }},
    {"arrange.collapse", "Arrange", QT_TR_NOOP("&Close or open"), "O", "", QT_TR_NOOP("Draw the selected containers as one closed box, or with what is inside"), false, true, [](C c) { return c.hasContainer; }, [](T t) { t.toggleCollapsed(); }},
    {"arrange.collapse_all", "Arrange", QT_TR_NOOP("Close a&ll"), "", "", QT_TR_NOOP("Close every container at the top"), false, false, drawn, [](T t) { t.collapseAll(true); }},
    {"arrange.expand_all", "Arrange", QT_TR_NOOP("Op&en all"), "", "", QT_TR_NOOP("Open every container"), false, false, drawn, [](T t) { t.collapseAll(false); }},

    {"analyse.layer", "Analyse", QT_TR_NOOP("Timeline of one &layer"), "L", "", QT_TR_NOOP("Show one layer, and its bytes on the links"), false, false, reported, [](T t) { t.showLayer(); }},
    {"analyse.step", "Analyse", QT_TR_NOOP("Timeline of the whole &step"), "S", "", QT_TR_NOOP("Show all layers, and the step's bytes on the links"), false, false, reported, [](T t) { t.showStep(); }},
    {"analyse.pin", "Analyse", QT_TR_NOOP("&Pin baseline"), "Ctrl+B", "", QT_TR_NOOP("Show every figure's change against this moment"), true, true, reported, [](T t) { t.pinBaseline(); }},
    {"analyse.unpin", "Analyse", QT_TR_NOOP("&Clear baseline"), "Ctrl+Shift+B", "", QT_TR_NOOP("Stop comparing"), false, false, reported, [](T t) { t.clearBaseline(); }},
    {"whatif.fail", "Analyse", QT_TR_NOOP("Mark &failed"), "Ctrl+K", "", QT_TR_NOOP("What if the selected links, devices or domains failed"), false, true, selected, [](T t) { t.markFailed(); }},
    {"whatif.degrade", "Analyse", QT_TR_NOOP("Mark &degraded..."), "Ctrl+Shift+K", "", QT_TR_NOOP("What if a share of their bandwidth or speed were left"), false, false, selected, [](T t) { t.markDegraded(); }},
    {"whatif.plane", "Analyse", QT_TR_NOOP("Fail &one plane"), "", "", QT_TR_NOOP("Take one switch plane of the selected domain out of service"), false, false, [](C c) { return c.hasDomain; }, [](T t) { t.movePlanes(1); }},
    {"whatif.plane_back", "Analyse", QT_TR_NOOP("Restore one pla&ne"), "", "", QT_TR_NOOP("Put one switch plane of the selected domain back into service"), false, false, [](C c) { return c.hasDomain && c.isImpaired; }, [](T t) { t.movePlanes(-1); }},
    {"whatif.restore", "Analyse", QT_TR_NOOP("&Restore"), "", "", QT_TR_NOOP("The selected objects are whole again"), false, false, [](C c) { return c.hasSelection && c.isImpaired; }, [](T t) { t.restore(); }},
    {"whatif.restore_all", "Analyse", QT_TR_NOOP("Restore &everything"), "", "", QT_TR_NOOP("Every failed or degraded object is whole again"), false, false, [](C c) { return c.isImpaired; }, [](T t) { t.restoreAll(); }},

    {"help.keys", "Help", QT_TR_NOOP("&Keys"), "F1", "", QT_TR_NOOP("List every action with its key"), false, false, always, [](T t) { t.showKeys(); }},
    {"help.about", "Help", QT_TR_NOOP("&About Crosspoint"), "", "", QT_TR_NOOP("Version, licence, sources"), false, false, always, [](T t) { t.showAbout(); }},
};
// clang-format on

}  // namespace

std::span<const ActionSpec> actionTable() { return table; }

}  // namespace crosspoint::app
