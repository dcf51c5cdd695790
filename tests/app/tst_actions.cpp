// The table of actions: every one in a menu, with a name, an icon that exists, and a key of its own.
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include "app/actions/action_table.hpp"
#include "tests/support/window.hpp"
#include "widgets/theme/theme.hpp"

using namespace crosspoint;

class TestActions : public WindowTest {
    Q_OBJECT

    static QList<QAction*> inMenus(const QMenu* menu) {
        QList<QAction*> actions;
        for (QAction* action : menu->actions()) {
            if (action->menu()) actions << inMenus(action->menu());
            else if (!action->isSeparator()) actions << action;
        }
        return actions;
    }
    QList<QMenu*> menus() const {
        QList<QMenu*> found;
        for (QAction* top : window->menuBar()->actions()) found << top->menu();
        return found;
    }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void everyActionIsInItsMenu() {
        QList<QAction*> all;
        for (const QMenu* menu : menus()) all << inMenus(menu);
        for (const app::ActionSpec& spec : app::actionTable()) {
            QAction* action = window->action(QString::fromLatin1(spec.id));
            QVERIFY2(action, spec.id);
            QCOMPARE(all.count(action), 1);
            QVERIFY2(!action->text().isEmpty() && !action->toolTip().isEmpty(), spec.id);
        }
        for (const QToolBar* bar : window->findChildren<QToolBar*>())
            for (QAction* action : bar->actions())
                if (!action->isSeparator() && !action->objectName().isEmpty()) QVERIFY(all.contains(action));
    }

    void noTwoActionsShareAKey() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        QHash<QString, QString> users;
        for (const QAction* action : window->findChildren<QAction*>())
            for (const QKeySequence& keys : action->shortcuts()) {
                const QString text = keys.toString(QKeySequence::PortableText);
                QVERIFY2(!users.contains(text),
                         qPrintable(text + ": " + users.value(text) + " and " + action->objectName()));
                users.insert(text, action->objectName());
            }
        QVERIFY(users.size() > 20);
    }

    void keysAreOnesThatQtKnows() {
        for (const app::ActionSpec& spec : app::actionTable())
            if (spec.shortcut[0] != '\0')
                QCOMPARE(window->action(QString::fromLatin1(spec.id))->shortcut().toString(QKeySequence::PortableText),
                         QString::fromLatin1(spec.shortcut));
    }

    void mnemonicsOfAMenuDiffer() {
        for (const QMenu* menu : menus()) {
            QSet<QChar> used;
            for (const QAction* action : menu->actions()) {
                const auto at = action->text().indexOf('&');
                if (action->isSeparator() || at < 0) continue;
                const QChar letter = action->text().at(at + 1).toLower();
                QVERIFY2(!used.contains(letter), qPrintable(menu->title() + ": " + action->text()));
                used.insert(letter);
            }
        }
    }

    void everyIconExists() {
        int icons = 0;
        for (const app::ActionSpec& spec : app::actionTable()) {
            if (spec.icon[0] == '\0') continue;
            ++icons;
            for (const ui::Theme& theme : {ui::Theme::light(), ui::Theme::dark()})
                QVERIFY2(!ui::icon(QString::fromLatin1(spec.icon), theme).isNull(), spec.icon);
            QVERIFY2(!window->action(QString::fromLatin1(spec.id))->icon().isNull(), spec.id);
        }
        QVERIFY(icons >= 10);
    }

    void idsAreUnique() {
        QSet<QString> ids;
        for (const app::ActionSpec& spec : app::actionTable()) ids.insert(QString::fromLatin1(spec.id));
        QCOMPARE(std::size_t(ids.size()), app::actionTable().size());
    }

    void whatNeedsSomethingIsDisabledWithoutIt() {
        for (const char* id : {"edit.undo", "edit.redo", "edit.delete", "edit.duplicate", "view.fit", "edit.find",
                               "file.export_report", "file.export_diagram", "analyse.pin"})
            QVERIFY2(!window->action(id)->isEnabled(), id);
        QVERIFY(openSample("nvl72-deepseek-v3"));
        for (const char* id : {"view.fit", "edit.find", "file.export_report", "file.export_diagram", "analyse.pin"})
            QVERIFY2(window->action(id)->isEnabled(), id);
        QVERIFY(!window->action("edit.delete")->isEnabled());
        run("edit.select_all");
        QVERIFY(window->action("edit.delete")->isEnabled());
        run("edit.clear_selection");
        QVERIFY(!window->action("edit.delete")->isEnabled());
    }

    /// Single letters are keys of the canvas and must not be stolen from an entry.
    void lettersTypedIntoAFieldStayThere() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        run("view.connect");
        auto* entry = find<ui::LogSlider>("batch").findChild<QLineEdit*>("value");
        window->activateWindow();
        entry->setFocus();
        entry->clear();
        for (const Qt::Key key : {Qt::Key_V, Qt::Key_F, Qt::Key_S, Qt::Key_L}) QTest::keyClick(entry, key);
        QCOMPARE(canvas().mode(), ui::DiagramView::Mode::connect);
        QCOMPARE(entry->text(), QString("vfsl"));
        canvas().setFocus();
        QTest::keyClick(window->windowHandle(), Qt::Key_V);
        QCOMPARE(canvas().mode(), ui::DiagramView::Mode::select);
    }

    void keysAreListed() {
        DialogAnswers answers({press(QMessageBox::Close), press(QMessageBox::Ok)});
        run("help.keys");
        run("help.about");
        QVERIFY(answers.allAsked());
        for (const app::ActionSpec& spec : app::actionTable())
            if (spec.shortcut[0] != '\0')
                QVERIFY2(answers.texts().first().contains(QString::fromLatin1(spec.tip).toHtmlEscaped()), spec.id);
        QVERIFY(answers.texts().last().contains(CROSSPOINT_VERSION));
    }
};

QTEST_MAIN(TestActions)
#include "tst_actions.moc"
