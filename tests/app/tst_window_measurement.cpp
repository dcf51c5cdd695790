// The dialog that fits a measurement: paste, drop, choose, use; and one undo that takes it back.
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QUrl>

#include "core/io/document.hpp"
#include "tests/support/window.hpp"
#include "widgets/plot/crossover_plot.hpp"

using namespace crosspoint;

class TestWindowMeasurement : public WindowTest {
    Q_OBJECT

    /// All-reduce of eight: 25 us + n / 250 GB/s.
    static QString log() {
        QString text = "# nThread 1 nGpus 8 minBytes 8 maxBytes 1073741824 step: 2(factor)\n";
        for (int i = 0; i < 8; ++i)
            text += QString("#  Rank  %1 Group  0 Pid 1 on a device  0 [0x1b] NVIDIA H100\n").arg(i);
        for (double n = 8; n <= 1073741824; n *= 4) {
            const double us = 25 + n / 250e3;
            text += QString("%1 %2 float sum -1 %3 %4 %5 0\n")
                        .arg(n, 0, 'f', 0)
                        .arg(n / 4, 0, 'f', 0)
                        .arg(us, 0, 'f', 4)
                        .arg(n / us / 1e3, 0, 'f', 6)
                        .arg(1.75 * n / us / 1e3, 0, 'f', 6);
        }
        return text;
    }
    template <class W>
    static W& part(QDialog& dialog, const char* name) {
        W* found = dialog.findChild<W*>(name);
        if (!found) qFatal("the dialog has no '%s'", name);
        return *found;
    }
    static void use(QDialog& dialog) {
        QTest::mouseClick(&part<QPushButton>(dialog, "measurement.use"), Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void aPastedLogBecomesACalibration() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const Scenario before = scenario();
        QGuiApplication::clipboard()->setText(log());
        DialogAnswers answers({[](QDialog& dialog) {
            QVERIFY(part<QLabel>(dialog, "measurement.format").text().contains("nccl-tests"));
            const QString summary = part<QLabel>(dialog, "measurement.summary").text();
            QVERIFY2(summary.contains("alpha 25.00") && summary.contains("worst error"), qPrintable(summary));
            const auto* plot = dialog.findChild<ui::CrossoverPlot*>();
            QCOMPARE(plot->data().curves.front().measured.size(), std::size_t(14));
            QCOMPARE(part<QComboBox>(dialog, "measurement.operation").currentText(), QString("all-reduce"));
            QCOMPARE(part<QComboBox>(dialog, "measurement.link").currentData().toString(), QString("nvlink4"));
            use(dialog);
        }});
        run("edit.paste");
        QVERIFY(answers.allAsked());
        QVERIFY(settle());
        QCOMPARE(scenario().calibration.paths.size(), std::size_t(1));
        QVERIFY(std::abs(scenario().calibration.paths[0].bandwidth.si() / 250e9 - 1) < 0.01);
        bool said = false;
        for (const LayerResult& layer : report().prediction->layers)
            for (const OperationResult& r : layer.operations) said |= r.why.find("calibrated") != std::string::npos;
        QVERIFY(said);
        run("edit.undo");
        QVERIFY(scenario() == before);
        run("edit.redo");
        QCOMPARE(scenario().calibration.paths.size(), std::size_t(1));
    }

    void aDroppedFileOpensTheDialog() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const QString file = path("run.log");
        QVERIFY(write_bytes(file, log().toUtf8()));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        DialogAnswers answers({[](QDialog& dialog) {
            auto& kind = part<QComboBox>(dialog, "measurement.kind");
            QCOMPARE(kind.currentIndex(), 0);
            kind.setFocus();
            QTest::keyClick(&kind, Qt::Key_Down);  // the measured table instead of the constants
            use(dialog);
        }});
        QVERIFY(drop_on(canvas(), {200, 200}, data));
        QVERIFY(answers.allAsked());
        QVERIFY(settle());
        QCOMPARE(scenario().calibration.paths.size(), std::size_t(1));
        QCOMPARE(scenario().calibration.paths[0].table.size(), std::size_t(14));
        // The points are on the crossover plot too, and the document keeps them.
        bool drawn = false;
        for (const auto& curve : find<ui::CrossoverPlot>().data().curves) drawn |= curve.measured.size() == 14;
        QVERIFY(drawn);
        const std::string text = write_document(Document{scenario(), nullptr});
        QVERIFY(parse_document(text, "x", *builtin_catalogue())->scenario == scenario());
    }

    void typedTextIsReadAsItComes() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        DialogAnswers answers({[](QDialog& dialog) {
            auto& text = part<QPlainTextEdit>(dialog, "measurement.text");
            auto& button = part<QPushButton>(dialog, "measurement.use");
            QVERIFY(!button.isEnabled());
            QTest::keyClicks(&text, "hello");
            QVERIFY(part<QLabel>(dialog, "measurement.format").text().contains("not a measurement"));
            QVERIFY(!button.isEnabled());
            text.setPlainText(log().section('\n', 0, 10));  // two rows of latency alone
            QVERIFY(!button.isEnabled());
            QVERIFY(part<QLabel>(dialog, "measurement.problem").text().contains("bandwidth"));
            bool warned = false;
            const auto& remarks = part<QListWidget>(dialog, "measurement.remarks");
            for (int i = 0; i < remarks.count(); ++i) warned |= remarks.item(i)->text().contains("Bandwidth unknown");
            QVERIFY(warned);
            dialog.reject();
        }});
        run("file.fit_measurement");
        QVERIFY(answers.allAsked());
        QVERIFY(scenario().calibration.paths.empty());
        QVERIFY(!document().isModified());
    }

    void otherTextOnTheClipboardDoesNothing() {
        QGuiApplication::clipboard()->setText("hello");
        run("edit.paste");
        QVERIFY(!QApplication::activeModalWidget());
    }
};

QTEST_MAIN(TestWindowMeasurement)
#include "tst_window_measurement.moc"
