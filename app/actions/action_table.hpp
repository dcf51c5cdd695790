// Every action of the window as data: id, text, menu, shortcut, when it is enabled, what it runs.
#pragma once

#include <span>

#include "core/topology/arrange_style.hpp"

namespace crosspoint::app {

/// What "enabled" may depend on.
struct ActionContext {
    bool canUndo = false;
    bool canRedo = false;
    bool hasSelection = false;
    bool hasContainer = false;  ///< one with something inside is selected
    bool hasDomain = false;     ///< one with several planes is selected
    bool isImpaired = false;    ///< something drawn is failed, degraded or lacks a plane
    bool hasDrawing = false;
    bool hasReport = false;
    bool hasModel = false;
};

/// What actions do; the main window implements it.
class ActionTarget {
public:
    virtual ~ActionTarget() = default;
    virtual void newDocument() = 0;
    virtual void openDocument() = 0;
    virtual void openSample() = 0;
    virtual bool saveDocument() = 0;
    virtual bool saveDocumentAs() = 0;
    virtual void importModel() = 0;
    virtual void importDrawing() = 0;
    virtual void exportDrawing() = 0;
    virtual void fitMeasurement() = 0;
    virtual void editModel() = 0;
    virtual void exportDiagram() = 0;
    virtual void exportTimeline() = 0;
    virtual void exportPlot() = 0;
    virtual void exportReport() = 0;
    virtual void quit() = 0;
    virtual void undo() = 0;
    virtual void redo() = 0;
    virtual void paste() = 0;
    virtual void deleteSelection() = 0;
    virtual void duplicateSelection() = 0;
    virtual void selectAll() = 0;
    virtual void clearSelection() = 0;
    virtual void selectMode() = 0;
    virtual void connectMode() = 0;
    virtual void fitAll() = 0;
    virtual void fitSelection() = 0;
    virtual void zoomIn() = 0;
    virtual void zoomOut() = 0;
    virtual void toggleDark() = 0;
    virtual void toggleContrast() = 0;
    virtual void toggleFullScreen() = 0;
    virtual void resetLayout() = 0;
    virtual void showLayer() = 0;
    virtual void showStep() = 0;
    virtual void pinBaseline() = 0;
    virtual void clearBaseline() = 0;
    virtual void findObject() = 0;
    virtual void arrangeAs(ArrangeStyle style) = 0;
    virtual void togglePinned() = 0;
    virtual void toggleCollapsed() = 0;
    virtual void collapseAll(bool collapsed) = 0;
    virtual void markFailed() = 0;
    virtual void markDegraded() = 0;
    virtual void restore() = 0;
    virtual void restoreAll() = 0;
    virtual void movePlanes(int by) = 0;
    virtual void showKeys() = 0;
    virtual void showAbout() = 0;
};

struct ActionSpec {
    const char* id;        ///< stable; objectName of the QAction
    const char* menu;      ///< File, Edit, View, Arrange, Analyse, Help
    const char* text;      ///< with its mnemonic
    const char* shortcut;  ///< portable text, empty when none; never the platform's standard key (some are empty)
    const char* icon;      ///< of theme icon(), empty when none
    const char* tip;
    bool toolbar;
    bool separatorBefore;
    bool (*enabled)(const ActionContext&);
    void (*run)(ActionTarget&);
};

std::span<const ActionSpec> actionTable();

}  // namespace crosspoint::app
