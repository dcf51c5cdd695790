// Drawing in the window: insert, move, connect, duplicate and delete, each one undo step; selections that are shared.
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QTreeWidget>

#include "core/scenario/templates.hpp"
#include "tests/support/window.hpp"
#include "widgets/checklist/checklist_row_widget.hpp"
#include "widgets/checklist/checklist_view.hpp"
#include "widgets/controls/figure_strip.hpp"
#include "widgets/controls/operations_table.hpp"
#include "widgets/controls/why_panel.hpp"
#include "widgets/plot/crossover_plot.hpp"

using namespace crosspoint;

class TestWindowCanvas : public WindowTest {
    Q_OBJECT

    const Topology& drawing() const { return *scenario().topology; }
    const ui::DiagramBox* boxOf(const QString& id) const {
        for (const ui::DiagramBox& box : canvas().data().boxes)
            if (box.id == id && box.role != ui::BoxRole::fabric) return &box;
        return nullptr;
    }
    QPointF centreOf(const QString& id) const { return canvas().toView(boxOf(id)->rect.center()); }
    /// A point of the container that nothing inside covers: its left edge.
    QPointF edgeOf(const QString& id) const {
        const QRectF r = boxOf(id)->rect;
        return canvas().toView({r.left() + 2, r.center().y()});
    }
    QTreeWidgetItem* paletteItem(const QString& name) const {
        const auto found = find<QTreeWidget>("palette").findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? nullptr : found.first();
    }
    bool drop(const char* key, QPointF at) const {
        QMimeData part;
        part.setData(ui::DiagramView::partMimeType, key);
        return drop_on(canvas(), at, part);
    }
    /// Draws a switch and a node beside each other on the empty canvas.
    void drawNodeAndLeaf() {
        QVERIFY(drop("hgx-h100-node", {200, 100}));
        QVERIFY(settle());
        QVERIFY(drop("leaf-switch", QPointF(30, canvas().height() - 60)));
        QVERIFY(settle());
        run("view.fit");
    }
    const Device* deviceOf(DeviceKind kind) const {
        for (const Device& device : drawing().devices)
            if (device.kind == kind) return &device;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void theEmptyWindowSaysWhatToDo() {
        QVERIFY(canvas().data().boxes.empty());
        QVERIFY2(canvas().data().empty_text.contains("Ctrl+Shift+O"), qPrintable(canvas().data().empty_text));
        QVERIFY(!timeline().data().empty_text.isEmpty());
        QVERIFY(!find<ui::CrossoverPlot>().data().empty_text.isEmpty());
        QVERIFY(!find<ui::ChecklistView>().data().empty_text.isEmpty());
        QVERIFY(!window->action("view.fit")->isEnabled());
        QVERIFY(!window->action("file.export_diagram")->isEnabled());
        for (const char* id : {"view.select", "view.connect", "edit.find", "edit.select_all", "edit.delete",
                               "edit.duplicate", "edit.undo", "analyse.step"})
            run(id);  // nothing to do is no reason to fail
        QVERIFY(!document().isModified());
    }

    void aPartDroppedIsOneStep() {
        QVERIFY(drop("hgx-h100-node", {300, 200}));
        QCOMPARE(drawing().containers.size(), std::size_t(1));
        QCOMPARE(drawing().devices.size(), std::size_t(2));  // 8 accelerators and 8 NICs
        QCOMPARE(document().undoStack().count(), 1);
        QVERIFY(settle());
        QCOMPARE(canvas().selection(), QStringList{QString::fromStdString(drawing().containers.begin()->id.value)});
        QVERIFY(boxOf(canvas().selection().first()));
        run("edit.undo");
        QVERIFY(drawing().containers.empty());
        QVERIFY(settle());
        QVERIFY(canvas().data().boxes.empty());
        run("edit.redo");
        QCOMPARE(drawing().devices.size(), std::size_t(2));
    }

    void aPartDroppedIntoARackIsInsideIt() {
        QVERIFY(drop("rack", {300, 200}));
        QVERIFY(settle());
        const QString rack = QString::fromStdString(drawing().containers.begin()->id.value);
        QVERIFY(drop("hgx-h100-node", centreOf(rack)));
        QCOMPARE(drawing().containers.size(), std::size_t(2));
        int inside = 0;
        for (const Container& container : drawing().containers)
            inside += container.parent && QString::fromStdString(container.parent->value) == rack;
        QCOMPARE(inside, 1);
        QVERIFY(settle());
    }

    void returnInThePaletteInserts() {
        auto& palette = find<QTreeWidget>("palette");
        QTreeWidgetItem* entry = paletteItem("Leaf switch");
        QVERIFY(entry);
        palette.setCurrentItem(entry);
        QTest::keyClick(&palette, Qt::Key_Return);
        QCOMPARE(drawing().devices.size(), std::size_t(1));
        QVERIFY(settle());
        QCOMPARE(canvas().data().boxes.size(), std::size_t(1));
    }

    void everyPaletteEntryCanBeInserted() {
        for (const TemplateEntry& entry : palette_entries(*document().builtinCatalogue())) {
            QVERIFY2(drop(entry.key.c_str(), {200, 200}), entry.key.c_str());
            QVERIFY2(document().undoStack().count() == 1, entry.key.c_str());
            run("edit.undo");
            QVERIFY(drawing().devices.empty() && drawing().containers.empty());
            document().undoStack().clear();
        }
        QVERIFY(settle());
    }

    void aDragMovesByWholeStepsAndUndoPutsItBack() {
        QVERIFY(drop("hgx-h100-node", {200, 100}));
        QVERIFY(settle());
        const QString node = canvas().selection().first();
        run("view.fit");
        const QRectF before = boxOf(node)->rect;
        drag_mouse(canvas(), edgeOf(node), edgeOf(node) + QPointF(48, 24) * canvas().zoom());
        QCOMPARE(document().undoStack().count(), 2);
        QVERIFY(settle());
        QCOMPARE(boxOf(node)->rect.topLeft() - before.topLeft(), QPointF(48, 24));
        run("edit.undo");
        QVERIFY(settle());
        QCOMPARE(boxOf(node)->rect, before);
    }

    /// What is inside moves along once, also when it is selected together with its container.
    void aContainerAndItsInsideMoveTogether() {
        QVERIFY(drop("hgx-h100-node", {200, 100}));
        QVERIFY(settle());
        const QString node = canvas().selection().first();
        const Device* gpus = deviceOf(DeviceKind::accelerator);
        QVERIFY(gpus);
        const QString gpu = QString::fromStdString(gpus->id.value);
        const QPointF inside = boxOf(gpu)->rect.topLeft() - boxOf(node)->rect.topLeft();
        Q_EMIT canvas().selectionChanged({node, gpu});
        QCOMPARE(canvas().selection().size(), 2);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QVERIFY(settle());
        QCOMPARE(boxOf(gpu)->rect.topLeft() - boxOf(node)->rect.topLeft(), inside);
    }

    void deleteRemovesWithItsInside() {
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        const Scenario before = scenario();
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, edgeOf("node").toPoint());
        QCOMPARE(canvas().selection(), QStringList{"node"});
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Delete);
        QVERIFY(drawing().containers.empty());
        QVERIFY(!drawing().devices.contains(DeviceId("gpu")));
        QVERIFY(drawing().devices.contains(DeviceId("leaf")));
        QVERIFY(canvas().selection().isEmpty());
        QCOMPARE(document().undoStack().count(), 1);
        QVERIFY(settle());
        QVERIFY(!report().prediction);
        run("edit.undo");
        QVERIFY(scenario() == before);
        QVERIFY(settle());
        QVERIFY(report().prediction.has_value());
    }

    void duplicateCopiesWithItsInside() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        QVERIFY(!window->action("edit.duplicate")->isEnabled());
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, edgeOf("node").toPoint());
        QVERIFY(window->action("edit.duplicate")->isEnabled());
        run("edit.duplicate");
        QCOMPARE(drawing().containers.size(), std::size_t(2));
        QCOMPARE(accelerator_count(drawing()), std::int64_t(16));
        QCOMPARE(document().undoStack().count(), 1);
        QVERIFY(settle());
        run("edit.undo");
        QCOMPARE(accelerator_count(drawing()), std::int64_t(8));
        QVERIFY(settle());
    }

    void connectingDrawsALink() {
        drawNodeAndLeaf();
        const QString nic = QString::fromStdString(deviceOf(DeviceKind::nic)->id.value);
        const QString leaf = QString::fromStdString(deviceOf(DeviceKind::network_switch)->id.value);
        const std::size_t links = drawing().links.size();
        const int steps = document().undoStack().count();
        run("view.connect");
        drag_mouse(canvas(), centreOf(nic), centreOf(leaf));
        QCOMPARE(drawing().links.size(), links + 1);
        QCOMPARE(document().undoStack().count(), steps + 1);
        QVERIFY(settle());
        QCOMPARE(canvas().selection().size(), 1);
        QVERIFY(drawing().links.contains(LinkId(canvas().selection().first().toStdString())));
        run("edit.undo");
        QCOMPARE(drawing().links.size(), links);
        QVERIFY(settle());
        QVERIFY(canvas().selection().isEmpty());
    }

    void aDeviceIsNotConnectedToItself() {
        drawNodeAndLeaf();
        const QString leaf = QString::fromStdString(deviceOf(DeviceKind::network_switch)->id.value);
        const std::size_t links = drawing().links.size();
        run("view.connect");
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, centreOf(leaf).toPoint());
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, centreOf(leaf).toPoint());
        QCOMPARE(drawing().links.size(), links);
    }

    // ---- what is selected is selected everywhere

    void aBarSelectsItsOperationEverywhere() {
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        auto& crossover = find<ui::CrossoverPlot>();
        const auto& messages = crossover.data().messages;
        int chosen = -1;
        for (std::size_t i = 0; i < timeline().data().bars.size() && chosen < 0; ++i)
            for (const auto& message : messages)
                if (timeline().data().bars[i].operation == message.operation && timeline().barRect(int(i)).width() > 4)
                    chosen = int(i);
        QVERIFY2(chosen >= 0, "no bar sends a message");
        const QString operation = timeline().data().bars[std::size_t(chosen)].operation;
        const QString layerCaption = canvas().data().caption;
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, timeline().barRect(chosen).center().toPoint());
        QVERIFY(timeline().selectedOperations().contains(operation));
        QVERIFY(canvas().data().caption != layerCaption);
        bool labelled = false;
        for (const LayerResult& layer : report().prediction->layers)
            for (const OperationResult& result : layer.operations)
                labelled |= result.op.id == operation.toStdString() &&
                            canvas().data().caption == QString::fromStdString(result.op.label);
        QVERIFY2(labelled, qPrintable(canvas().data().caption));
        int marked = 0;
        for (const auto& message : crossover.data().messages)
            if (message.selected) {
                ++marked;
                QCOMPARE(message.operation, operation);
            }
        QVERIFY(marked >= 1);
        QCOMPARE(find<ui::OperationsTable>().selectedIds(), QStringList{operation});
        run("analyse.step");
        QCOMPARE(canvas().data().caption, QString("Whole step"));
    }

    void aVerdictSelectsItsEvidence() {
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        auto& checklist = find<ui::ChecklistView>();
        int tried = 0;
        for (auto* row : checklist.findChildren<ui::ChecklistRowWidget*>()) {
            QStringList expected;
            for (const Verdict& verdict : report().verdicts) {
                if (QString::fromStdString(verdict.rule) != row->row().rule) continue;
                for (const LinkRef& ref : verdict.evidence.links) expected << QString::fromStdString(ref.id);
                for (const std::string& id : verdict.evidence.objects) expected << QString::fromStdString(id);
            }
            if (expected.isEmpty()) continue;
            expected.removeDuplicates();
            expected.sort();
            QTest::mouseClick(row, Qt::LeftButton, {}, {10, 8});
            QCOMPARE(canvas().selection(), expected);
            ++tried;
        }
        QVERIFY(tried >= 2);
        QVERIFY(document().undoStack().count() == 0);
    }

    void theOutlineAndTheCanvasShareTheSelection() {
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        auto* tree = find<QDockWidget>("dock.outline").findChild<QTreeWidget*>();
        QVERIFY(tree);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, edgeOf("node").toPoint());
        QCOMPARE(tree->selectedItems().size(), 1);
        QCOMPARE(tree->selectedItems().first()->data(0, Qt::UserRole).toString(), QString("node"));
        const auto spines = tree->findItems("Spine", Qt::MatchStartsWith | Qt::MatchRecursive);
        QVERIFY(!spines.isEmpty());
        tree->setCurrentItem(spines.first());
        QCOMPARE(canvas().selection(), QStringList{"spine"});
    }

    void theLayerChoiceChangesThePicture() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        auto& choice = find<QComboBox>("layerChoice");
        QVERIFY(choice.count() == 3);  // 3 dense layers, 58 expert layers, the whole step
        const double end = timeline().data().end;
        choice.setCurrentIndex(choice.count() - 1);
        Q_EMIT choice.activated(choice.count() - 1);
        QVERIFY(timeline().data().end > 10 * end);
        run("analyse.layer");
        QCOMPARE(timeline().data().end, end);
    }

    void aClickedFigureShowsWhy() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        auto& strip = find<ui::FigureStrip>("strip");
        const QString id = strip.data().figures.at(1).id;
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.cardRect(id).center());
        QCOMPARE(find<ui::WhyPanel>().data().title, strip.data().figures.at(1).label);
        QVERIFY(!find<ui::WhyPanel>().data().formula.isEmpty());
    }

    void theWindowCanBeDarkAndLight() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        const QImage light = window->grab().toImage();
        run("view.dark");
        const QImage dark = window->grab().toImage();
        QVERIFY(qGray(canvas().grab().toImage().pixel(2, 60)) < 60);
        run("view.dark");
        QVERIFY(light != dark);
        QVERIFY(qGray(canvas().grab().toImage().pixel(2, 60)) > 220);
    }
};

QTEST_MAIN(TestWindowCanvas)
#include "tst_window_canvas.moc"
