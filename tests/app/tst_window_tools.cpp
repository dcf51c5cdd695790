// The canvas tools in the window: what-if switches, paths and bisections, finding, closing, arranging, pinning, themes.
#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>

#include "app/windows/outline_panel.hpp"
#include "tests/support/window.hpp"

using namespace crosspoint;

class TestWindowTools : public WindowTest {
    Q_OBJECT

    const Topology& drawing() const { return *scenario().topology; }
    const ui::DiagramBox* boxByKey(const QString& key) const {
        for (const ui::DiagramBox& box : canvas().data().boxes)
            if (box.key == key) return &box;
        return nullptr;
    }
    QPointF centre(const QString& key) const { return canvas().toView(boxByKey(key)->rect.center()); }
    void click(const QString& key, Qt::KeyboardModifiers m = {}) const {
        QTest::mouseClick(&canvas(), Qt::LeftButton, m, centre(key).toPoint());
    }
    void select(const QString& id) const {
        Q_EMIT canvas().selectionChanged({id});
        QVERIFY(canvas().selection() == QStringList{id});
    }
    QString anyLink(DeviceKind a, DeviceKind b) const {
        for (const Link& link : drawing().links) {
            const Device *x = drawing().devices.find(link.a), *y = drawing().devices.find(link.b);
            if (x && y && x->kind == a && y->kind == b) return QString::fromStdString(link.id.value);
        }
        return {};
    }
    double figure(const char* id) const {
        for (const ShownFigure& shown : report().figures)
            if (shown.id == id) return shown.value_si;
        return -1;
    }
    QList<const ui::DiagramBox*> accelerators() const {
        QList<const ui::DiagramBox*> found;
        for (const ui::DiagramBox& box : canvas().data().boxes)
            if (box.role == ui::BoxRole::accelerator) found << &box;
        return found;
    }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() {
        openWindow();
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
    }
    void cleanup() { closeWindow(); }

    void aFailedLinkIsOneStepAndChangesTheFigures() {
        const QString link = anyLink(DeviceKind::nic, DeviceKind::network_switch);
        QVERIFY(!link.isEmpty());
        const double before = figure("inter_token_latency");
        QVERIFY(!window->action("whatif.fail")->isEnabled());
        select(link);
        DialogAnswers answers{[](QDialog& dialog) {
            auto* input = qobject_cast<QInputDialog*>(&dialog);
            QVERIFY(input);
            input->setDoubleValue(25);
            input->accept();
        }};
        run("whatif.degrade");
        QVERIFY(answers.allAsked());
        QVERIFY(settle());
        QCOMPARE(drawing().links.find(LinkId(link.toStdString()))->state.factor, 0.25);
        QVERIFY(figure("inter_token_latency") > before);
        QCOMPARE(document().undoStack().count(), 1);
        run("whatif.fail");
        QVERIFY(settle());
        QCOMPARE(drawing().links.find(LinkId(link.toStdString()))->state.health, Health::down);
        run("whatif.restore_all");
        QVERIFY(settle());
        QCOMPARE(figure("inter_token_latency"), before);
        run("edit.undo");
        run("edit.undo");
        run("edit.undo");
        QVERIFY(!document().isModified());
    }

    void theMenuOnALinkOffersTheSwitches() {
        const QString link = anyLink(DeviceKind::nic, DeviceKind::network_switch);
        select(link);
        QStringList offered;
        QTimer::singleShot(100, window.get(), [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu) return;
            for (QAction* action : menu->actions()) offered << action->objectName();
            menu->close();
        });
        Q_EMIT canvas().contextMenuRequested(link, QPoint(200, 200));
        QVERIFY(offered.contains("whatif.fail"));
        QVERIFY(offered.contains("whatif.degrade"));
        QVERIFY(!offered.contains("whatif.restore"));  // nothing to restore yet
    }

    void twoAcceleratorsShowTheirPath() {
        const auto all = accelerators();
        QCOMPARE(all.size(), 32);
        const QString first = all.front()->key, last = all.back()->key, neighbour = all[1]->key;
        click(first);
        click(last, Qt::ControlModifier);
        const QStringList card = canvas().data().card;
        QVERIFY2(card.size() > 3, qPrintable(card.join('\n')));
        QVERIFY2(card[1].contains("ranks 0 and 31"), qPrintable(card.join('\n')));
        QVERIFY(card.join('\n').contains(QString::fromUtf8("α")));
        int onPath = 0;
        for (const ui::DiagramCable& cable : canvas().data().cables) onPath += cable.on_path;
        QVERIFY2(onPath >= 4, qPrintable(QString::number(onPath)));  // GPU, NIC, leaf, NIC, GPU
        QVERIFY(onPath <= 8);
        QVERIFY(boxByKey(first)->on_path && boxByKey(last)->on_path);
        click(first);
        click(neighbour, Qt::ControlModifier);
        QVERIFY(canvas().data().card[1].contains("ranks 0 and 1"));
        for (const ui::DiagramCable& cable : canvas().data().cables) QVERIFY(!cable.on_path);  // inside the domain
        run("edit.clear_selection");
        QVERIFY(canvas().data().card.isEmpty());
    }

    void aSelectedNodeShowsItsBisection() {
        const QString node = QString::fromStdString(drawing().containers.begin()->id.value);
        select(node);
        QVERIFY2(canvas().data().card.join('\n').contains("bisection"), qPrintable(canvas().data().card.join('\n')));
        select(anyLink(DeviceKind::nic, DeviceKind::network_switch));
        QVERIFY(canvas().data().card.isEmpty());
    }

    void hoveringALinkTellsWhoUsesIt() {
        for (const ui::DiagramCable& cable : canvas().data().cables) {
            if (cable.load <= 0) continue;
            QVERIFY2(cable.tooltip.contains("Used in one layer by"), qPrintable(cable.tooltip));
            QVERIFY2(cable.tooltip.contains("dispatch"), qPrintable(cable.tooltip));
            QVERIFY2(!cable.label.isEmpty(), qPrintable(cable.tooltip));
            return;
        }
        QFAIL("no cable carries anything");
    }

    void findingJumpsAndSelects() {
        for (int i = 0; i < 12; ++i) run("view.zoom_in");
        run("edit.find");
        auto& field = *find<app::OutlinePanel>().findChild<QLineEdit*>();
        field.setText("spine");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(canvas().selection().size(), 1);
        const std::string id = canvas().selection().first().toStdString();
        QVERIFY(drawing().devices.contains(DeviceId(id)));
        for (const ui::DiagramBox& box : canvas().data().boxes)
            if (box.id.toStdString() == id && canvas().rect().contains(centre(box.key).toPoint())) return;
        QFAIL("what was found is out of view");
    }

    void closingIsSavedAndOpensAgain() {
        const auto before = canvas().data().boxes.size();
        const QString node = QString::fromStdString(drawing().containers.begin()->id.value);
        const double latency = figure("inter_token_latency");
        Q_EMIT canvas().collapseRequested(node, true);
        QVERIFY(settle());
        QVERIFY(canvas().data().boxes.size() < before);
        QCOMPARE(accelerators().size(), 0);
        QCOMPARE(figure("inter_token_latency"), latency);  // only the picture differs
        for (const ui::DiagramCable& cable : canvas().data().cables)
            QVERIFY(boxByKey(cable.from) && boxByKey(cable.to));
        const QString file = path("closed.crosspoint.json");
        QVERIFY(document().saveAs(file));
        QVERIFY(window->openPath(file));
        QVERIFY(settle());
        QCOMPARE(accelerators().size(), 0);
        run("arrange.expand_all");
        QVERIFY(settle());
        QCOMPARE(canvas().data().boxes.size(), before);
    }

    void arrangingIsOneStepAndLeavesPinnedObjects() {
        QString spine;
        for (const Device& device : drawing().devices)
            if (device.kind == DeviceKind::network_switch) spine = QString::fromStdString(device.id.value);
        select(spine);
        run("arrange.pin");
        QVERIFY(settle());
        QCOMPARE(document().undoStack().count(), 1);
        QVERIFY(drawing().devices.find(DeviceId(spine.toStdString()))->box->pinned);
        const auto place = [&] {
            for (const ui::DiagramBox& box : canvas().data().boxes)
                if (box.id == spine) return box.rect.topLeft();
            return QPointF();
        };
        const QPointF before = place();
        run("edit.clear_selection");
        for (const char* style : {"arrange.rails", "arrange.ring", "arrange.rows", "arrange.tiers", "arrange.grid"}) {
            const int steps = document().undoStack().count();
            const auto topology = scenario().topology;
            run(style);
            QVERIFY(settle());
            QCOMPARE(document().undoStack().count(), steps + 1);
            QCOMPARE(place(), before);
            run("edit.undo");
            QVERIFY(*scenario().topology == *topology);
            run("edit.redo");
        }
        select(spine);
        run("arrange.pin");
        QVERIFY(!drawing().devices.find(DeviceId(spine.toStdString()))->box->pinned);
        run("edit.clear_selection");
        run("arrange.automatic");
        QVERIFY(settle());
        for (const Device& device : drawing().devices) QVERIFY(!device.box || device.parent);
    }

    void highContrastIsOfferedAndRemembered() {
        run("view.contrast");
        QCOMPARE(window->theme().text, ui::Theme::highContrast().text);
        QVERIFY(window->close());
        showWindow();
        QCOMPARE(window->theme().text, ui::Theme::highContrast().text);
        run("view.contrast");
        QCOMPARE(window->theme().text, ui::Theme::light().text);
    }

    void aDragOfTheBatchLeavesOutlineAndLayerChoiceAlone() {
        auto& tree = *find<app::OutlinePanel>().findChild<QTreeWidget*>();
        auto& choice = find<QComboBox>("layerChoice");
        const QTreeWidgetItem* item = tree.topLevelItem(0);
        QSignalSpy removed(choice.model(), &QAbstractItemModel::rowsRemoved);
        QVERIFY(document().edit(SetBatch{scenario().workload.batch + 32}));
        QVERIFY(settle());
        QCOMPARE(tree.topLevelItem(0), item);
        QCOMPARE(removed.size(), 0);
    }

    void copiesBearNamesOfTheirOwn() {
        QSet<std::string> names;
        select(QString::fromStdString(drawing().containers.begin()->id.value));
        run("edit.duplicate");
        QVERIFY(settle());
        for (const Container& container : drawing().containers) {
            QVERIFY2(!names.contains(container.name), container.name.c_str());
            names.insert(container.name);
        }
    }
};

QTEST_MAIN(TestWindowTools)
#include "tst_window_tools.moc"
