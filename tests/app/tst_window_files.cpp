// Files of the window: what is saved and reopened, what is asked before something is lost, what a bad file does.
#include <QMenu>
#include <QMenuBar>
#include <QUrl>

#include "core/io/document.hpp"
#include "tests/support/window.hpp"

using namespace crosspoint;

class TestWindowFiles : public WindowTest {
    Q_OBJECT

    /// A document on disk, opened.
    QString openedCopy(const char* sample) const {
        const QString file = path("opened.crosspoint.json");
        if (!write_bytes(file, sample_text(sample)) || !window->openPath(file) || !settle()) return {};
        return file;
    }
    QMimeData* urlOf(const QString& file) const {
        auto* data = new QMimeData;
        data->setUrls({QUrl::fromLocalFile(file)});
        return data;
    }
    bool dropFile(const QString& file) const {
        const std::unique_ptr<QMimeData> data(urlOf(file));
        return drop_on(canvas(), {200, 200}, *data);  // the canvas leaves files to the window
    }
    QMenu* recentMenu() const {
        for (QMenu* menu : window->findChildren<QMenu*>())
            if (menu->title().remove("&").contains("recent")) return menu;
        return nullptr;
    }
    /// Shape of Llama-2-7B as its model card states it.
    QByteArray configText() const {
        return R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
 "intermediate_size": 11008, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
 "vocab_size": 32000, "tie_word_embeddings": false, "max_position_embeddings": 4096, "torch_dtype": "float16"})";
    }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void everySampleOpensAndIsEvaluated_data() {
        QTest::addColumn<QByteArray>("name");
        for (const Sample& sample : builtin_samples())
            QTest::newRow(std::string(sample.name).c_str()) << QByteArray(sample.name.data(), sample.name.size());
    }
    void everySampleOpensAndIsEvaluated() {
        QFETCH(QByteArray, name);
        QVERIFY(openSample(name.constData()));
        QVERIFY2(report().prediction.has_value(), name.constData());
        QVERIFY(!document().isModified());
        QVERIFY(document().filePath().isEmpty());
        QVERIFY(window->windowTitle().contains(document().displayName()));
        QVERIFY(!canvas().data().boxes.empty());
    }

    void openSampleAsksWhichOne() {
        DialogAnswers answers({[](QDialog& dialog) { dialog.accept(); }});
        run("file.sample");
        QVERIFY(answers.allAsked());
        QVERIFY(settle());
        QVERIFY(report().prediction.has_value());
    }

    void savedAndReopenedIsTheSameToTheByte() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        const QString first = path("first.crosspoint.json"), second = path("second.crosspoint.json");
        {
            DialogAnswers answers({choose_file(first)});
            run("file.save");  // a sample has no file yet
            QVERIFY(answers.allAsked());
            QCOMPARE(answers.unexpected(), 0);
        }
        QCOMPARE(bytes_of(first), sample_text("nvl72-deepseek-v3"));
        QCOMPARE(document().filePath(), first);
        QVERIFY(document().edit(SetBatch{777}));
        QVERIFY(window->isWindowModified());
        run("file.save");
        QVERIFY(!window->isWindowModified());
        const QByteArray saved = bytes_of(first);
        QVERIFY(saved != sample_text("nvl72-deepseek-v3"));
        QVERIFY(window->openPath(first));
        QVERIFY(settle());
        QCOMPARE(scenario().workload.batch, std::int64_t(777));
        DialogAnswers answers({choose_file(second)});
        run("file.save_as");
        QVERIFY(answers.allAsked());
        QCOMPARE(bytes_of(second), saved);
    }

    void aNameWithoutSuffixGetsOne() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        DialogAnswers answers({choose_file(path("plain"))});
        run("file.save_as");
        QCOMPARE(document().filePath(), path("plain.crosspoint.json"));
        QVERIFY(QFile::exists(document().filePath()));
    }

    void anUnknownFieldSurvivesAnEdit() {
        QByteArray text = sample_text("llama-70b-hgx-h100");
        QVERIFY(text.startsWith("{\n"));
        text.insert(2, "  \"author_note\": \"measured on a Tuesday\",\n");
        const QString file = path("noted.crosspoint.json");
        QVERIFY(write_bytes(file, text));
        QVERIFY(window->openPath(file));
        QVERIFY(document().edit(SetBatch{33}));
        run("file.save");
        const QByteArray saved = bytes_of(file);
        QVERIFY(saved.contains("\"author_note\": \"measured on a Tuesday\""));
        QVERIFY(saved.contains("\"batch\": 33"));
        QVERIFY(settle());
    }

    void aFileThatCannotBeWrittenIsSaid() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        QVERIFY(document().edit(SetBatch{33}));
        DialogAnswers answers({choose_file(path("no/such/folder/x.crosspoint.json")), press(QMessageBox::Ok)});
        // Qt's own dialog refuses a missing folder; the document must stay modified either way.
        run("file.save_as");
        QVERIFY(document().isModified());
        QVERIFY(document().filePath().isEmpty());
        QVERIFY(!document().saveAs(path("no/such/folder/x.crosspoint.json")).has_value());
    }

    // ---- nothing is lost without being asked

    void closingUnchangedAsksNothing() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        DialogAnswers answers({});
        QVERIFY(window->close());
        QCOMPARE(answers.unexpected(), 0);
    }

    void cancelKeepsTheWindow() {
        const QString file = openedCopy("llama-70b-hgx-h100");
        QVERIFY(document().edit(SetBatch{33}));
        DialogAnswers answers({press(QMessageBox::Cancel)});
        QVERIFY(!window->close());
        QVERIFY(answers.allAsked());
        QVERIFY(window->isVisible());
        QVERIFY(document().isModified());
        QCOMPARE(bytes_of(file), sample_text("llama-70b-hgx-h100"));
    }

    void discardClosesAndWritesNothing() {
        const QString file = openedCopy("llama-70b-hgx-h100");
        QVERIFY(document().edit(SetBatch{33}));
        DialogAnswers answers({press(QMessageBox::Discard)});
        QVERIFY(window->close());
        QCOMPARE(bytes_of(file), sample_text("llama-70b-hgx-h100"));
    }

    void saveClosesAndWrites() {
        const QString file = openedCopy("llama-70b-hgx-h100");
        QVERIFY(document().edit(SetBatch{33}));
        DialogAnswers answers({press(QMessageBox::Save)});
        QVERIFY(window->close());
        QVERIFY(bytes_of(file).contains("\"batch\": 33"));
    }

    void saveOfANewDocumentThatIsCancelledKeepsTheWindow() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        QVERIFY(document().edit(SetBatch{33}));
        DialogAnswers answers({press(QMessageBox::Save), [](QDialog& dialog) { dialog.reject(); }});
        QVERIFY(!window->close());
        QVERIFY(answers.allAsked());
        QVERIFY(document().isModified());
    }

    void newAndSampleAskBeforeTheyReplace() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        QVERIFY(document().edit(SetBatch{33}));
        const auto before = scenario();
        {
            DialogAnswers answers({press(QMessageBox::Cancel), press(QMessageBox::Cancel)});
            run("file.new");
            run("file.sample");
            QVERIFY(answers.allAsked());
            QCOMPARE(answers.unexpected(), 0);
        }
        QVERIFY(scenario() == before);
        DialogAnswers answers({press(QMessageBox::Discard)});
        run("file.new");
        QVERIFY(scenario().topology->devices.empty());
        QVERIFY(!document().isModified());
        QVERIFY(settle());
        QVERIFY(canvas().data().boxes.empty());
    }

    // ---- recent files, drops

    void openedFilesAreRemembered() {
        const QString file = openedCopy("llama-70b-hgx-h100");
        QMenu* recent = recentMenu();
        QVERIFY(recent);
        QCOMPARE(recent->actions().size(), 1);
        QCOMPARE(QSettings().value("files/recent").toStringList(), QStringList{file});
        QVERIFY(openSample("nvl72-deepseek-v3"));
        recent->actions().first()->trigger();
        QVERIFY(settle());
        QCOMPARE(document().filePath(), file);
        QCOMPARE(recentMenu()->actions().size(), 1);
        for (int i = 0; i < 10; ++i) {
            const QString copy = path(QStringLiteral("copy%1.crosspoint.json").arg(i));
            QVERIFY(write_bytes(copy, sample_text("llama-70b-hgx-h100")));
            QVERIFY(window->openPath(copy));
        }
        QCOMPARE(recentMenu()->actions().size(), 8);
        QVERIFY(recentMenu()->actions().first()->text().contains("copy9"));
        QVERIFY(settle());
    }

    void aRecentFileThatIsGoneIsSaid() {
        const QString file = openedCopy("llama-70b-hgx-h100");
        QVERIFY(QFile::remove(file));
        const auto before = scenario();
        DialogAnswers answers({press(QMessageBox::Ok)});
        recentMenu()->actions().first()->trigger();
        QVERIFY(answers.allAsked());
        QVERIFY2(answers.texts().first().contains("opened.crosspoint.json"), qPrintable(answers.texts().first()));
        QVERIFY(scenario() == before);
    }

    void aDocumentDroppedOnTheCanvasOpens() {
        const QString file = path("dropped.crosspoint.json");
        QVERIFY(write_bytes(file, sample_text("llama-70b-hgx-h100")));
        QVERIFY(dropFile(file));
        QVERIFY(settle());
        QCOMPARE(document().filePath(), file);
        QVERIFY(report().prediction.has_value());
    }

    void aDroppedDocumentAsksBeforeItReplaces() {
        QVERIFY(openSample("nvl72-deepseek-v3"));
        QVERIFY(document().edit(SetBatch{33}));
        const auto before = scenario();
        const QString file = path("dropped.crosspoint.json");
        QVERIFY(write_bytes(file, sample_text("llama-70b-hgx-h100")));
        DialogAnswers answers({press(QMessageBox::Cancel)});
        QVERIFY(dropFile(file));
        QVERIFY(answers.allAsked());
        QVERIFY(scenario() == before);
    }

    void aDroppedConfigBecomesTheModelInOneStep() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const auto before = scenario();
        const QString file = path("config.json");
        QVERIFY(write_bytes(file, configText()));
        DialogAnswers answers({press(QMessageBox::Ok)});  // remarks, if there are any
        QVERIFY(dropFile(file));
        QCOMPARE(document().undoStack().count(), 1);
        QVERIFY(settle());
        QVERIFY(report().model.has_value());
        // 6,738,415,616 parameters: "7B" of the Llama 2 paper; the sum of the shapes of the published checkpoint.
        QCOMPARE(report().model->parameters.total, std::int64_t(6738415616));
        run("edit.undo");
        QVERIFY(scenario() == before);
        QVERIFY(settle());
    }

    void aConfigOpenedAsAFileIsImportedToo() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const QString file = path("config.json");
        QVERIFY(write_bytes(file, configText()));
        DialogAnswers answers({press(QMessageBox::Ok)});
        QVERIFY(window->openPath(file));
        QCOMPARE(document().undoStack().count(), 1);
        QVERIFY(document().filePath().isEmpty());
        QVERIFY(settle());
    }

    // ---- bad files

    void aBrokenFileSaysTheLineAndChangesNothing() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const auto before = scenario();
        const QString file = path("broken.crosspoint.json");
        QVERIFY(write_bytes(file, "{\n  \"schema\": \"crosspoint/document\",\n  \"version\": oops\n}\n"));
        DialogAnswers answers({press(QMessageBox::Ok)});
        QVERIFY(!window->openPath(file));
        QVERIFY(answers.allAsked());
        QCOMPARE(answers.unexpected(), 0);
        QVERIFY2(answers.texts().first().contains("broken.crosspoint.json:3:"), qPrintable(answers.texts().first()));
        QVERIFY(scenario() == before);
        QVERIFY(!document().isModified());
    }

    void aWrongValueSaysLineAndPointer() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const auto before = scenario();
        QByteArray text = sample_text("llama-70b-hgx-h100");
        const auto at = text.indexOf("\"batch\": 32");
        QVERIFY(at > 0);
        text.replace(at, 11, "\"batch\": -4");
        const auto line = text.left(at).count('\n') + 1;
        const QString file = path("wrong.crosspoint.json");
        QVERIFY(write_bytes(file, text));
        DialogAnswers answers({press(QMessageBox::Ok)});
        QVERIFY(!window->openPath(file));
        QVERIFY(answers.allAsked());
        const QString said = answers.texts().first();
        QVERIFY2(said.contains("/workload/batch"), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral(":%1:").arg(line)), qPrintable(said));
        QVERIFY(scenario() == before);
    }

    void aFileOfSomethingElseIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("binary") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0", 11);
        QTest::newRow("array") << QByteArray("[1, 2, 3]");
        QTest::newRow("deep") << QByteArray(100000, '[');
    }
    void aFileOfSomethingElseIsRefused() {
        QFETCH(QByteArray, bytes);
        const QString file = path("something.json");
        QVERIFY(write_bytes(file, bytes));
        DialogAnswers answers({press(QMessageBox::Ok)});
        QVERIFY(!window->openPath(file));
        QVERIFY(answers.allAsked());
        QVERIFY(!answers.texts().first().isEmpty());
        QVERIFY(scenario().topology->devices.empty());
    }

    // ---- session

    void panelsAndThemeComeBack() {
        run("view.dark");
        window->findChild<QWidget*>("dock.checklist")->hide();
        QVERIFY(window->close());
        showWindow();
        QVERIFY(!window->findChild<QWidget*>("dock.checklist")->isVisible());
        QVERIFY(qGray(canvas().grab().toImage().pixel(2, 60)) < 60);
        run("view.reset_layout");
        QVERIFY(window->findChild<QWidget*>("dock.checklist")->isVisible());
    }

    void damagedSettingsGiveTheDefaultLayout() {
        window.reset();
        QSettings().setValue("window/state", QByteArray("not a state"));
        QSettings().setValue("window/geometry", QByteArray("nor this"));
        showWindow();
        QVERIFY(window->findChild<QWidget*>("dock.scenario")->isVisible());
        QVERIFY(canvas().width() > 400);
    }
};

QTEST_MAIN(TestWindowFiles)
#include "tst_window_files.moc"
