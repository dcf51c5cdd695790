// The main window: layout of panels and wiring of signals. What things mean is decided elsewhere.
#pragma once

#include <memory>

#include <QAction>
#include <QHash>
#include <QMainWindow>

#include "app/actions/action_table.hpp"
#include "app/document/document.hpp"
#include "app/evaluation/evaluation_service.hpp"
#include "app/presenters/selection_facts.hpp"
#include "app/presenters/view_state.hpp"
#include "core/scenario/what_if.hpp"
#include "core/topology/arrange.hpp"
#include "widgets/theme/theme.hpp"

class QComboBox;
class QDockWidget;
class QLabel;

namespace crosspoint::ui {
class BatchPlot;
class ChecklistView;
class CrossoverPlot;
class DiagramView;
class FigureStrip;
class MemoryBars;
class OperationsTable;
class PlotView;
class ScalingPlot;
class TimelineView;
class WhyPanel;
}  // namespace crosspoint::ui

namespace crosspoint {
struct Imported;
}  // namespace crosspoint

namespace crosspoint::app {

class InspectorPanel;
class OutlinePanel;
class PalettePanel;
class ScenarioPanel;

class MainWindow : public QMainWindow, public ActionTarget {
    Q_OBJECT
public:
    explicit MainWindow(std::shared_ptr<const Catalogue> catalogue, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// A document, or a model's config.json. Shows a dialog and returns false when it cannot be read.
    bool openPath(const QString& path);
    bool openSampleNamed(const QString& name);
    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] const Evaluation* shownEvaluation() const { return shown_.get(); }
    /// The newest edit has been evaluated and shown.
    [[nodiscard]] bool isSettled() const;
    void applyTheme(bool dark);
    [[nodiscard]] const ui::Theme& theme() const { return theme_; }
    [[nodiscard]] QAction* action(const QString& id) const { return actions_.value(id); }

    // ActionTarget
    void newDocument() override;
    void openDocument() override;
    void openSample() override;
    bool saveDocument() override;
    bool saveDocumentAs() override;
    void importModel() override;
    void importDrawing() override;
    void exportDrawing() override;
    void fitMeasurement() override { openMeasurement({}, {}); }
    void editModel() override;
    void exportDiagram() override;
    void exportTimeline() override;
    void exportPlot() override;
    void exportReport() override;
    void quit() override { close(); }
    void undo() override { document_.undoStack().undo(); }
    void redo() override { document_.undoStack().redo(); }
    void paste() override;
    void deleteSelection() override;
    void duplicateSelection() override;
    void selectAll() override;
    void clearSelection() override;
    void selectMode() override;
    void connectMode() override;
    void fitAll() override;
    void fitSelection() override;
    void zoomIn() override;
    void zoomOut() override;
    void toggleDark() override { applyTheme(!dark_); }
    void toggleContrast() override;
    void toggleFullScreen() override;
    void resetLayout() override;
    void showLayer() override;
    void showStep() override;
    void pinBaseline() override;
    void clearBaseline() override;
    void findObject() override;
    void arrangeAs(ArrangeStyle style) override;
    void togglePinned() override;
    void toggleCollapsed() override;
    void collapseAll(bool collapsed) override;
    void markFailed() override;
    void markDegraded() override;
    void restore() override;
    void restoreAll() override;
    void movePlanes(int by) override;
    void showKeys() override;
    void showAbout() override;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    enum PresentPart { everything, selectionOnly };

    void buildActions();
    void buildCentre();
    void buildDocks();
    void buildStatus();
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void arrangeDocks();
    void refreshDockTitles();
    void wireDocument();
    void wireCanvas();
    void wireViews();
    void showTheme(const ui::Theme& theme);
    void restoreSession();
    void saveSession() const;

    void requestEvaluation();
    void take(std::shared_ptr<const Evaluation> evaluation);
    void completeAtRest();
    void present(PresentPart part);
    void presentCanvas();
    void presentSelection();
    void presentOutline(const std::shared_ptr<const Topology>& topology);
    void presentLayerChoice(const Report& report);
    void refreshActions();
    void refreshTitle();
    void rememberFile(const QString& path);
    void rebuildRecentFiles();

    void selectObjects(const QStringList& ids);
    void pickBoxes(const QStringList& keys);
    void revealObjects(const QStringList& ids);
    void setCollapsed(const QStringList& ids, bool collapsed);
    void applyWhatIf(const WhatIf& change, const QString& nothing);
    [[nodiscard]] std::vector<std::string> selectedIds() const;
    /// Kept while drawing, selection and picked boxes are the same.
    const SelectionFacts& factsOf(const Scenario& scenario);
    void forgetGoneObjects();
    void selectOperation(const QString& operation);
    void activateFigure(const QString& id);
    void activateVerdict(const QString& rule);
    void applySuggestion(const QString& rule, int index);
    void insertFromPalette(const QString& key, const QPointF& at, const QString& container);
    void showCanvasMenu(const QString& id, const QPoint& global);
    void connectDevices(const QString& a, const QString& b);
    void moveObjects(const QStringList& ids, const QPointF& delta);
    /// Kept while the drawing is the same object: a drag of a slider arranges nothing.
    const Arrangement& arrangementOf(const std::shared_ptr<const Topology>& topology);
    bool importModelFile(const QString& path);
    bool importDrawingFile(const QString& path);
    bool openImported(const Imported& imported, const QString& path);
    bool insertImported(const Imported& imported);
    /// The dialog that fits a log; what it makes of it becomes one undoable edit.
    void openMeasurement(const QString& text, const QString& name);
    bool mayDiscard();
    void showError(const QString& title, const Error& error);
    void showMessage(const QString& text);
    QString askSavePath(const QString& title, const QString& suggestion, const QString& filter);
    ui::PlotView* frontPlot() const;

    Document document_;
    EvaluationService evaluation_;
    std::shared_ptr<const Evaluation> shown_, baseline_;
    ViewState view_;
    ui::Theme theme_;
    bool dark_ = false, contrast_ = false;
    std::shared_ptr<const Topology> arranged_, outlined_;
    Arrangement arrangement_;
    struct {
        std::shared_ptr<const Topology> topology;
        QStringList objects, picked;
        SelectionFacts facts;
    } told_;
    std::vector<std::shared_ptr<const ModelShape>> models_;

    ui::FigureStrip* strip_ = nullptr;
    ui::DiagramView* canvas_ = nullptr;
    ui::TimelineView* timeline_ = nullptr;
    ui::OperationsTable* operations_ = nullptr;
    ui::MemoryBars* memory_ = nullptr;
    ui::WhyPanel* why_ = nullptr;
    ui::CrossoverPlot* crossover_ = nullptr;
    ui::BatchPlot* batch_ = nullptr;
    ui::ScalingPlot* scaling_ = nullptr;
    ui::ChecklistView* checklist_ = nullptr;
    ScenarioPanel* scenario_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    PalettePanel* palette_ = nullptr;
    OutlinePanel* outline_ = nullptr;
    QComboBox* layerChoice_ = nullptr;
    QLabel* timelineTitle_ = nullptr;
    QLabel *statusLeft_ = nullptr, *statusRight_ = nullptr;
    QHash<QString, QDockWidget*> docks_;
    QHash<QString, QAction*> actions_;
    QMenu* recent_ = nullptr;
};

}  // namespace crosspoint::app
