// A topology file dropped on the window: what the dialog says and asks, and what becomes of the answer.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QUrl>

#include "core/io/document.hpp"
#include "tests/support/window.hpp"

using namespace crosspoint;

class TestWindowImport : public WindowTest {
    Q_OBJECT

    /// Two GPUs that are told by their PCI class alone, and a NIC without a speed: three things are asked.
    QString topologyFile() const {
        const QString file = path("topology.txt");  // the name tells nothing
        const QByteArray device =
            "<pci busid=\"0000:0%1:00.0\" class=\"%2\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"/>";
        QByteArray text = "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\">";
        for (const auto& [bus, kind] : {std::pair("1", "0x030200"), {"2", "0x030200"}, {"3", "0x020700"}})
            text += QByteArray(device).replace("%1", bus).replace("%2", kind);
        text += "<pci busid=\"0000:04:00.0\" class=\"0x010802\"/>";  // a disk, ignored
        return write_bytes(file, text + "</cpu></system>") ? file : QString();
    }
    bool dropFile(const QString& file) const {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        return drop_on(canvas(), {200, 200}, data);
    }
    static DialogAnswers::Answer pressNamed(const QString& name) {
        return [name](QDialog& dialog) {
            auto* button = dialog.findChild<QPushButton*>(name);
            if (!button) return dialog.reject();
            QTest::mouseClick(button, Qt::LeftButton);
        };
    }
    std::int64_t accelerators() const { return accelerator_count(*scenario().topology); }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void droppedFileIsExplainedAndOpened() {
        QString format, summary;
        int notes = 0;
        QStringList questions;
        DialogAnswers answers({[&](QDialog& dialog) {
            format = dialog.findChild<QLabel*>("importFormat")->text();
            summary = dialog.findChild<QLabel*>("importSummary")->text();
            notes = dialog.findChild<QTreeWidget*>("importNotes")->topLevelItemCount();
            for (auto* box : dialog.findChildren<QComboBox*>()) questions << box->objectName();
            QVERIFY(!dialog.findChild<QPushButton*>("importInsert")->isEnabled());
            auto* speed = dialog.findChild<QComboBox*>("question-nic-speed");
            speed->setFocus();
            QTest::keyClicks(speed, "200");
            QCOMPARE(speed->currentText(), QString("200 Gb/s"));
            pressNamed("importOpen")(dialog);
        }});
        QVERIFY(dropFile(topologyFile()));
        QVERIFY(QTest::qWaitFor([&] { return answers.allAsked() && accelerators() == 2; }));
        QVERIFY(format.contains("NCCL"));
        QVERIFY(summary.contains("2 accelerators"));
        QVERIFY(notes > 0);
        for (const char* asked : {"question-accelerator", "question-nic-speed", "question-scale-up"})
            QVERIFY2(questions.contains(asked), asked);
        const Device* nic = nullptr;
        for (const Device& d : scenario().topology->devices)
            if (d.kind == DeviceKind::nic) nic = &d;
        QVERIFY(nic);
        QCOMPARE(scenario().catalogue->nics.find(nic->part)->bandwidth.nominal.value.si(), 25e9);
        QVERIFY(document().filePath().isEmpty());
        QVERIFY(settle());
    }

    void insertedInOneStep() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const auto before = accelerators();
        const Scenario original = scenario();
        DialogAnswers answers({pressNamed("importInsert")});
        QVERIFY(dropFile(topologyFile()));
        QVERIFY(QTest::qWaitFor([&] { return answers.allAsked() && accelerators() == before + 2; }));
        run("edit.undo");
        QVERIFY(scenario() == original);
        run("edit.redo");
        QCOMPARE(accelerators(), before + 2);
        QVERIFY(settle());
    }

    void cancelledChangesNothing() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const Scenario original = scenario();
        DialogAnswers answers({[](QDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); }});
        QVERIFY(dropFile(topologyFile()));
        QVERIFY(QTest::qWaitFor([&] { return answers.allAsked(); }));
        QVERIFY(scenario() == original && !document().isModified());
    }

    void menuImportRefusesWithAName() {
        const QString file = path("config.json");
        QVERIFY(write_bytes(file, "<graphs version=\"1\"><graph id=\"0\"/></graphs>"));
        DialogAnswers answers({choose_file(file), press(QMessageBox::Ok)});
        run("file.import_drawing");
        QVERIFY(answers.allAsked());
        QVERIFY(answers.texts().join(" ").contains("NCCL graph"));
    }

    void exportedDrawingIsImportedAgain() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const QString file = path("node.xml");
        {
            DialogAnswers answers({choose_file(file)});
            run("file.export_drawing");
            QVERIFY(answers.allAsked());
        }
        QVERIFY(bytes_of(file).startsWith("<system version=\"1\""));
        DialogAnswers answers({pressNamed("importOpen")});
        QVERIFY(dropFile(file));
        QVERIFY(QTest::qWaitFor([&] { return answers.allAsked() && document().filePath().isEmpty(); }));
        QCOMPARE(accelerators(), std::int64_t(8));
        QVERIFY(settle());
    }
};

QTEST_MAIN(TestWindowImport)
#include "tst_window_import.moc"
