#include "app/windows/main_window.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"
#include "app/windows/inspector_panel.hpp"
#include "app/windows/outline_panel.hpp"
#include "app/windows/palette_panel.hpp"
#include "app/windows/scenario_panel.hpp"
#include "core/io/builtin.hpp"
#include "widgets/checklist/checklist_view.hpp"
#include "widgets/controls/figure_strip.hpp"
#include "widgets/controls/memory_bars.hpp"
#include "widgets/controls/operations_table.hpp"
#include "widgets/controls/why_panel.hpp"
#include "widgets/diagram/diagram_view.hpp"
#include "widgets/plot/batch_plot.hpp"
#include "widgets/plot/crossover_plot.hpp"
#include "widgets/plot/scaling_plot.hpp"
#include "widgets/timeline/timeline_view.hpp"

namespace crosspoint::app {
namespace {

constexpr int stateVersion = 1;  // of the saved dock layout

}  // namespace

MainWindow::MainWindow(std::shared_ptr<const Catalogue> catalogue, QWidget* parent)
    : QMainWindow(parent), document_(std::move(catalogue)) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
    if (auto models = builtin_models()) models_ = *std::move(models);
    buildActions();
    buildCentre();
    buildDocks();
    buildStatus();
    wireDocument();
    wireCanvas();
    wireViews();
    scenario_->setModels(models_);
    palette_->setEntries(palette_entries(*document_.builtinCatalogue()));
    restoreSession();
    scenario_->setScenario(document_.scenario());
    presentOutline(document_.scenario().topology);
    requestEvaluation();
    refreshActions();
    refreshTitle();
}

MainWindow::~MainWindow() {
    // The worker must not deliver into a window that is half gone.
    evaluation_.disconnect(this);
    // Members go before the base class, and a stack with steps says so while it is cleared.
    document_.undoStack().disconnect(this);
}

// ---- construction

void MainWindow::buildActions() {
    QHash<QString, QMenu*> menus;
    for (const char* name : {"File", "Edit", "View", "Arrange", "Analyse", "Help"})
        menus.insert(name, menuBar()->addMenu(QStringLiteral("&") + tr(name)));
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName("toolbar");
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    for (const ActionSpec& spec : actionTable()) {
        auto* action = new QAction(tr(spec.text), this);
        action->setObjectName(spec.id);
        action->setShortcut(QKeySequence(QString::fromLatin1(spec.shortcut), QKeySequence::PortableText));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? tr(spec.tip) : QStringLiteral("%1 (%2)").arg(tr(spec.tip), keys));
        connect(action, &QAction::triggered, this, [this, run = spec.run] { run(*this); });
        QMenu* menu = menus.value(spec.menu);
        if (spec.separatorBefore) menu->addSeparator();
        menu->addAction(action);
        if (spec.toolbar) {
            if (spec.separatorBefore || QByteArray(spec.id).endsWith(".undo")) bar->addSeparator();
            bar->addAction(action);
        }
        actions_.insert(spec.id, action);
        if (QByteArray(spec.id) == "file.sample") recent_ = menu->addMenu(tr("Open re&cent"));
    }
    auto* tools = new QActionGroup(this);  // one of the two is in hand
    for (const char* id : {"view.select", "view.connect"}) {
        actions_.value(id)->setCheckable(true);
        tools->addAction(actions_.value(id));
    }
    actions_.value("view.select")->setChecked(true);
    rebuildRecentFiles();
}

void MainWindow::buildCentre() {
    strip_ = new ui::FigureStrip;
    canvas_ = new ui::DiagramView;
    canvas_->setObjectName("canvas");
    strip_->setObjectName("strip");
    auto* stripBar = new QToolBar(tr("Figures"));
    stripBar->setObjectName("figures");
    stripBar->setMovable(false);
    stripBar->addWidget(strip_);
    addToolBarBreak();
    addToolBar(stripBar);
    setCentralWidget(canvas_);
}

QDockWidget* MainWindow::addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName("dock." + id);
    dock->setWidget(content);
    addDockWidget(area, dock);
    const auto later = [this] { QTimer::singleShot(0, this, &MainWindow::refreshDockTitles); };
    connect(dock, &QDockWidget::dockLocationChanged, this, later);
    connect(dock, &QDockWidget::topLevelChanged, this, later);
    connect(dock, &QDockWidget::visibilityChanged, this, later);
    docks_.insert(id, dock);
    return dock;
}

void MainWindow::buildDocks() {
    palette_ = new PalettePanel;
    outline_ = new OutlinePanel;
    scenario_ = new ScenarioPanel;
    inspector_ = new InspectorPanel;
    checklist_ = new ui::ChecklistView;
    timeline_ = new ui::TimelineView;
    operations_ = new ui::OperationsTable;
    memory_ = new ui::MemoryBars;
    why_ = new ui::WhyPanel;
    crossover_ = new ui::CrossoverPlot;
    batch_ = new ui::BatchPlot;
    scaling_ = new ui::ScalingPlot;
    layerChoice_ = new QComboBox;
    layerChoice_->setObjectName("layerChoice");
    layerChoice_->setAccessibleName(tr("Layer kind or whole step"));
    auto* timelinePage = new QWidget;
    auto* box = new QVBoxLayout(timelinePage);
    box->setContentsMargins(6, 4, 6, 4);
    box->setSpacing(2);
    timelineTitle_ = new QLabel;
    timelineTitle_->setObjectName("secondary");
    layerChoice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* header = new QHBoxLayout;
    header->addWidget(layerChoice_);
    header->addWidget(timelineTitle_, 1, Qt::AlignRight);
    box->addLayout(header);
    box->addWidget(timeline_, 1);

    addDock("parts", tr("Parts"), palette_, Qt::LeftDockWidgetArea);
    addDock("outline", tr("Outline"), outline_, Qt::LeftDockWidgetArea);
    addDock("scenario", tr("Scenario"), scenario_, Qt::RightDockWidgetArea);
    addDock("inspector", tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
    addDock("checklist", tr("Checklist"), checklist_, Qt::RightDockWidgetArea);
    addDock("timeline", tr("Timeline"), timelinePage, Qt::BottomDockWidgetArea);
    addDock("layers", tr("Operations"), operations_, Qt::BottomDockWidgetArea);
    addDock("memory", tr("Memory"), memory_, Qt::BottomDockWidgetArea);
    addDock("why", tr("Why"), why_, Qt::BottomDockWidgetArea);
    addDock("crossover", tr("Crossover"), crossover_, Qt::BottomDockWidgetArea);
    addDock("batch", tr("Batch"), batch_, Qt::BottomDockWidgetArea);
    addDock("scaling", tr("Scaling"), scaling_, Qt::BottomDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    QMenu* view = nullptr;
    for (QAction* top : menuBar()->actions())
        if (top->text().contains(tr("View"))) view = top->menu();
    if (view) {
        QMenu* shown = view->addMenu(tr("&Panels"));
        for (const char* id : {"parts", "outline", "scenario", "inspector", "checklist", "timeline", "layers", "memory",
                               "why", "crossover", "batch", "scaling"})
            shown->addAction(docks_.value(id)->toggleViewAction());
    }
}

/// Each dock goes out and in again: splitting a dock that is already tabbed would only move it to another tab.
void MainWindow::arrangeDocks() {
    const auto d = [this](const char* id) { return docks_.value(id); };
    for (QDockWidget* dock : docks_) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, d("parts"));
    addDockWidget(Qt::RightDockWidgetArea, d("scenario"));
    addDockWidget(Qt::BottomDockWidgetArea, d("timeline"));
    splitDockWidget(d("scenario"), d("checklist"), Qt::Vertical);
    splitDockWidget(d("timeline"), d("crossover"), Qt::Horizontal);
    const std::pair<const char*, const char*> tabs[] = {
        {"parts", "outline"}, {"scenario", "inspector"}, {"timeline", "layers"}, {"layers", "memory"},
        {"memory", "why"},    {"crossover", "batch"},    {"batch", "scaling"}};
    for (const auto& [first, second] : tabs) tabifyDockWidget(d(first), d(second));
    for (QDockWidget* dock : docks_) dock->show();
    for (const char* id : {"parts", "scenario", "timeline", "crossover"}) d(id)->raise();
    resizeDocks({d("parts"), d("scenario")}, {190, 330}, Qt::Horizontal);
    resizeDocks({d("timeline"), d("crossover")}, {width() * 6 / 10, width() * 4 / 10}, Qt::Horizontal);
    resizeDocks({d("timeline")}, {std::clamp(height() * 3 / 10, 190, 320)}, Qt::Vertical);
    resizeDocks({d("scenario"), d("checklist")}, {300, 260}, Qt::Vertical);
}

/// A dock among tabs shows its name in the tab alone.
void MainWindow::refreshDockTitles() {
    for (QDockWidget* dock : docks_) {
        const bool tabbed = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr)) continue;
        QWidget* old = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget(dock) : nullptr);
        delete old;
    }
}

void MainWindow::buildStatus() {
    statusLeft_ = new QLabel;
    statusRight_ = new QLabel;
    statusLeft_->setObjectName("statusLeft");
    statusLeft_->setTextFormat(Qt::PlainText);
    statusRight_->setObjectName("statusRight");
    statusBar()->addWidget(statusLeft_, 1);
    statusBar()->addPermanentWidget(statusRight_);
}

// ---- wiring

void MainWindow::wireDocument() {
    connect(&document_, &Document::scenarioChanged, this, [this] {
        scenario_->setScenario(document_.scenario());
        forgetGoneObjects();
        // Not before the field that asked for the edit has ended its signal; not as late as the evaluation, or the next
        // field would bring back what an edit in between has changed.
        QTimer::singleShot(0, inspector_, [this] { inspector_->show(document_.scenario(), view_.objects); });
        requestEvaluation();
        refreshActions();
    });
    connect(&document_, &Document::replaced, this, [this] {
        view_ = {};
        baseline_.reset();
        shown_.reset();
        present(everything);
        QTimer::singleShot(0, canvas_, [this] { canvas_->fitAll(); });
    });
    connect(&document_, &Document::fileStateChanged, this, &MainWindow::refreshTitle);
    // Queued: the field that asked is still in its own signal.
    connect(
        &document_, &Document::editRefused, this,
        [this](const QString& message) {
            showMessage(message);
            scenario_->setScenario(document_.scenario());
            inspector_->showRefusal(document_.scenario(), message);
        },
        Qt::QueuedConnection);
    connect(&document_.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshActions);
    connect(&evaluation_, &EvaluationService::evaluated, this, &MainWindow::take);
    connect(scenario_, &ScenarioPanel::editRequested, this, [this](const Edit& edit, Gesture gesture) {
        document_.edit(edit, gesture);
        completeAtRest();
    });
    connect(scenario_, &ScenarioPanel::importModelRequested, this, &MainWindow::importModel);
    connect(inspector_, &InspectorPanel::editRequested, this, [this](const Edit& edit) { document_.edit(edit); });
}

void MainWindow::wireCanvas() {
    connect(canvas_, &ui::DiagramView::selectionChanged, this, &MainWindow::selectObjects);
    connect(canvas_, &ui::DiagramView::moveRequested, this, &MainWindow::moveObjects);
    connect(canvas_, &ui::DiagramView::deleteRequested, this, &MainWindow::deleteSelection);
    connect(canvas_, &ui::DiagramView::duplicateRequested, this, [this] { duplicateSelection(); });
    connect(canvas_, &ui::DiagramView::contextMenuRequested, this, &MainWindow::showCanvasMenu);
    connect(canvas_, &ui::DiagramView::connectRequested, this, &MainWindow::connectDevices);
    connect(canvas_, &ui::DiagramView::partDropped, this, &MainWindow::insertFromPalette);
    connect(canvas_, &ui::DiagramView::pickedChanged, this, &MainWindow::pickBoxes);
    connect(canvas_, &ui::DiagramView::modeChanged, this, [this] { actions_.value("view.select")->setChecked(true); });
    connect(canvas_, &ui::DiagramView::collapseRequested, this,
            [this](const QString& id, bool collapsed) { setCollapsed({id}, collapsed); });
    connect(canvas_, &ui::DiagramView::openRequested, this, [this](const QString& id) {
        selectObjects({id});
        docks_.value("inspector")->raise();
    });
    connect(outline_, &OutlinePanel::selectionChanged, this, [this](const QStringList& ids) {
        selectObjects(ids);
        revealObjects(ids);
    });
    connect(palette_, &PalettePanel::insertRequested, this,
            [this](const QString& key) { insertFromPalette(key, canvas_->visibleCentre(), {}); });
}

void MainWindow::wireViews() {
    connect(timeline_, &ui::TimelineView::barSelected, this,
            [this](const QString& operation, int) { selectOperation(operation); });
    connect(operations_, &ui::OperationsTable::rowSelected, this, &MainWindow::selectOperation);
    connect(crossover_, &ui::CrossoverPlot::operationSelected, this, &MainWindow::selectOperation);
    connect(batch_, &ui::BatchPlot::batchPicked, this,
            [this](double batch) { document_.edit(SetBatch{std::int64_t(batch)}); });
    connect(strip_, &ui::FigureStrip::figureActivated, this, &MainWindow::activateFigure);
    connect(strip_, &ui::FigureStrip::reviewActivated, this, [this] { docks_.value("checklist")->raise(); });
    connect(checklist_, &ui::ChecklistView::evidenceActivated, this, &MainWindow::activateVerdict);
    connect(checklist_, &ui::ChecklistView::suggestionActivated, this, &MainWindow::applySuggestion);
    connect(why_, &ui::WhyPanel::objectActivated, this, [this](const QString& id) {
        const Topology& drawing = *document_.scenario().topology;
        const std::string key = id.toStdString();
        if (drawing.containers.contains(ContainerId(key)) || drawing.devices.contains(DeviceId(key)) ||
            drawing.links.contains(LinkId(key)))
            selectObjects({id});
        else selectOperation(id);
    });
    connect(layerChoice_, &QComboBox::activated, this, [this](int index) {
        const int kind = layerChoice_->itemData(index).toInt();
        view_.scope = kind < 0 ? ViewState::Scope::step : ViewState::Scope::layer;
        view_.kind = kind;
        view_.operation.clear();
        present(everything);
    });
}

// ---- one edit, end to end

void MainWindow::requestEvaluation() {
    evaluation_.request(document_.generation(), document_.scenario(), scenario_->isDragging());
}

bool MainWindow::isSettled() const {
    return shown_ && shown_->generation == document_.generation() && shown_->complete && evaluation_.idle();
}

void MainWindow::take(std::shared_ptr<const Evaluation> evaluation) {
    shown_ = std::move(evaluation);
    present(everything);
    refreshActions();
    completeAtRest();
}

/// A drag leaves the suggested changes out; once it rests they are computed, also when its end changes nothing more.
void MainWindow::completeAtRest() {
    const bool wanting = shown_ && !shown_->complete && shown_->generation == document_.generation();
    if (wanting && !scenario_->isDragging() && evaluation_.idle()) requestEvaluation();
}

void MainWindow::present(PresentPart part) {
    static const Report empty;
    const Scenario& scenario = shown_ ? shown_->scenario : document_.scenario();
    const Report& report = shown_ ? shown_->report : empty;
    const Report* baseline = baseline_ ? &baseline_->report : nullptr;
    const bool live = scenario_->isDragging();
    presentCanvas();
    ui::TimelineData timeline = presentTimeline(report, view_);
    timelineTitle_->setText(std::exchange(timeline.title, {}));  // beside the choice of layer, not in the picture
    timeline_->setData(std::move(timeline));
    crossover_->setLive(live);
    batch_->setLive(live);
    scaling_->setLive(live);
    crossover_->setData(presentCrossover(report, view_));
    why_->setData(presentWhy(report, view_));
    operations_->setData(presentOperations(report, view_));
    if (part == everything) {
        strip_->setData(presentFigures(report, baseline));
        batch_->setData(presentBatch(scenario, report, baseline));
        scaling_->setData(presentScaling(scenario, report));
        memory_->setData(presentMemory(report));
        checklist_->setData(presentChecklist(report));
        scenario_->setReport(report);
        presentOutline(scenario.topology);
        presentLayerChoice(report);
    }
    presentSelection();
}

void MainWindow::presentCanvas() {
    static const Report empty;
    const Scenario& scenario = shown_ ? shown_->scenario : document_.scenario();
    canvas_->setData(presentDiagram(scenario, arrangementOf(scenario.topology), shown_ ? shown_->report : empty, view_,
                                    factsOf(scenario)));
}

/// A drag of a slider leaves the drawing the same object: nothing to rebuild then.
void MainWindow::presentOutline(const std::shared_ptr<const Topology>& topology) {
    if (outlined_ == topology) return;
    outlined_ = topology;
    outline_->setTopology(*topology);
}

void MainWindow::presentLayerChoice(const Report& report) {
    QList<std::pair<QString, int>> wanted;
    if (report.prediction) {
        for (const LayerResult& layer : report.prediction->layers)
            wanted.emplaceBack(tr("%1 × %2").arg(layer.count).arg(qs(layer.label)), layer.kind);
        wanted.emplaceBack(tr("whole step"), -1);
    }
    layerChoice_->setVisible(!wanted.isEmpty());
    bool same = wanted.size() == layerChoice_->count();
    for (int i = 0; same && i < wanted.size(); ++i)
        same = layerChoice_->itemText(i) == wanted[i].first && layerChoice_->itemData(i).toInt() == wanted[i].second;
    if (same) return;
    layerChoice_->clear();
    for (const auto& [text, kind] : wanted) layerChoice_->addItem(text, kind);
}

void MainWindow::presentSelection() {
    const LayerResult* layer = shown_ ? shownLayer(shown_->report, view_) : nullptr;
    const int kind = view_.scope == ViewState::Scope::step || !layer ? -1 : layer->kind;
    layerChoice_->setCurrentIndex(layerChoice_->findData(kind));
    canvas_->setSelection(view_.objects);
    outline_->setSelection(view_.objects);
    inspector_->show(document_.scenario(), view_.objects);
    timeline_->setSelectedOperations(view_.operation.isEmpty() ? QSet<QString>() : QSet<QString>{view_.operation});
    operations_->setSelectedIds(view_.operation.isEmpty() ? QStringList() : QStringList{view_.operation});
    crossover_->setSelectedOperation(view_.operation);
    statusLeft_->setText(selectionSummary(document_.scenario(), shown_ ? &shown_->report : nullptr, view_));
    if (shown_)
        statusRight_->setText(
            tr("%1evaluated in %2")
                .arg(baseline_ ? tr("baseline pinned · ") : QString(), shown(Seconds(shown_->milliseconds / 1000))));
}

void MainWindow::refreshActions() {
    ActionContext context;
    context.canUndo = document_.undoStack().canUndo();
    context.canRedo = document_.undoStack().canRedo();
    context.hasSelection = !view_.objects.isEmpty();
    for (const QString& id : view_.objects) {
        const Container* container = document_.scenario().topology->containers.find(ContainerId(id.toStdString()));
        context.hasContainer |= container != nullptr;
        context.hasDomain |= container && container->interconnect && container->interconnect->planes > 1;
    }
    context.isImpaired = !impaired(*document_.scenario().topology).empty();
    context.hasDrawing =
        !document_.scenario().topology->devices.empty() || !document_.scenario().topology->containers.empty();
    context.hasReport = shown_ && shown_->report.prediction;
    context.hasModel = document_.scenario().model != nullptr;
    for (const ActionSpec& spec : actionTable()) actions_.value(spec.id)->setEnabled(spec.enabled(context));
    const QString undo = document_.undoStack().undoText(), redo = document_.undoStack().redoText();
    actions_.value("edit.undo")->setToolTip(undo.isEmpty() ? tr("Nothing to undo") : tr("Undo: %1 (Ctrl+Z)").arg(undo));
    actions_.value("edit.redo")
        ->setToolTip(redo.isEmpty() ? tr("Nothing to redo") : tr("Redo: %1 (Ctrl+Shift+Z)").arg(redo));
}

void MainWindow::refreshTitle() {
    setWindowTitle(QStringLiteral("%1[*] — Crosspoint").arg(document_.displayName()));
    setWindowModified(document_.isModified());
}

// ---- what is remembered between runs

void MainWindow::restoreSession() {
    QSettings settings;
    if (!restoreGeometry(settings.value("window/geometry").toByteArray())) resize(1600, 960);
    if (!restoreState(settings.value("window/state").toByteArray(), stateVersion)) arrangeDocks();
    applyTheme(settings.value("window/dark", false).toBool());
    if (settings.value("window/contrast", false).toBool()) toggleContrast();
}

void MainWindow::saveSession() const {
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", saveState(stateVersion));
    settings.setValue("window/dark", dark_);
    settings.setValue("window/contrast", contrast_);
}

void MainWindow::applyTheme(bool dark) {
    dark_ = dark;
    contrast_ = false;
    showTheme(dark ? ui::Theme::dark() : ui::Theme::light());
}

/// Off again, the window is as light or dark as it was.
void MainWindow::toggleContrast() {
    contrast_ = !contrast_;
    showTheme(contrast_ ? ui::Theme::highContrast() : dark_ ? ui::Theme::dark() : ui::Theme::light());
}

void MainWindow::showTheme(const ui::Theme& theme) {
    theme_ = theme;
    ui::applyTheme(*qApp, theme_);
    strip_->setTheme(theme_);
    canvas_->setTheme(theme_);
    timeline_->setTheme(theme_);
    operations_->setTheme(theme_);
    memory_->setTheme(theme_);
    why_->setTheme(theme_);
    crossover_->setTheme(theme_);
    batch_->setTheme(theme_);
    scaling_->setTheme(theme_);
    checklist_->setTheme(theme_);
    scenario_->setTheme(theme_);
    for (const ActionSpec& spec : actionTable())
        if (spec.icon[0] != '\0') actions_.value(spec.id)->setIcon(ui::icon(QString::fromLatin1(spec.icon), theme_));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayDiscard()) return event->ignore();
    saveSession();
    event->accept();
}

}  // namespace crosspoint::app
