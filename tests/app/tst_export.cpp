// Pictures and reports that leave the program: of the format asked for, not empty, and the same as the core writes.
#include <QDir>
#include <QImage>

#include "app/export/export.hpp"
#include "app/export/figures_to_folder.hpp"
#include "core/io/report_writers.hpp"
#include "tests/support/window.hpp"

using namespace crosspoint;

namespace {

bool looksLike(const QByteArray& bytes, const QString& suffix) {
    if (suffix == "svg") return bytes.startsWith("<?xml") && bytes.contains("<svg") && bytes.contains("</svg>");
    if (suffix == "pdf") return bytes.startsWith("%PDF-") && bytes.trimmed().endsWith("%%EOF");
    return bytes.startsWith("\x89PNG\r\n\x1a\n");
}

/// Colours in the picture: a blank one has one.
int coloursOf(const QByteArray& png) {
    const QImage image = QImage::fromData(png);
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
    return int(colours.size());
}

}  // namespace

class TestExport : public WindowTest {
    Q_OBJECT

    void addActions() const {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("suffix");
        for (const char* action : {"file.export_diagram", "file.export_timeline", "file.export_plot"})
            for (const char* suffix : {"svg", "pdf", "png"})
                QTest::addRow("%s %s", action, suffix) << QByteArray(action) << QString(suffix);
    }

private Q_SLOTS:
    void initTestCase() { prepareProgram(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void theWindowWritesItsFigures_data() { addActions(); }
    void theWindowWritesItsFigures() {
        QFETCH(QByteArray, action);
        QFETCH(QString, suffix);
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        const QString file = path("figure." + suffix);
        DialogAnswers answers({choose_file(file)});
        run(action.constData());
        QVERIFY(answers.allAsked());
        QCOMPARE(answers.unexpected(), 0);
        const QByteArray bytes = bytes_of(file);
        QVERIFY2(bytes.size() > 3000, qPrintable(QString::number(bytes.size())));
        QVERIFY(looksLike(bytes, suffix));
        if (suffix == "png") QVERIFY(coloursOf(bytes) > 20);
        if (suffix == "svg") QVERIFY(bytes.contains("<text"));
    }

    void aDiagramOfAnyThemeIsPrintedLight() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const auto written = [this](const QString& name) {
            DialogAnswers answers({choose_file(path(name))});
            run("file.export_diagram");
            return bytes_of(path(name));
        };
        const QByteArray light = written("light.svg");
        run("view.dark");
        QCOMPARE(written("dark.svg"), light);
        run("view.dark");
    }

    void theReportIsThatOfTheCore() {
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        Evaluator evaluator;
        const Report whole = evaluator.evaluate(scenario());
        {
            DialogAnswers answers({choose_file(path("review.html"))});
            run("file.export_report");
            QVERIFY(answers.allAsked());
        }
        QCOMPARE(bytes_of(path("review.html")), QByteArray::fromStdString(report_html(scenario(), whole)));
        {
            DialogAnswers answers({choose_file(path("review.md"))});
            run("file.export_report");
            QVERIFY(answers.allAsked());
        }
        QCOMPARE(bytes_of(path("review.md")), QByteArray::fromStdString(report_markdown(scenario(), whole, "review-")));
        for (const char* figure : {"diagram", "layer", "step", "crossover", "batch", "tensor"})
            QVERIFY2(bytes_of(path(QStringLiteral("review-%1.svg").arg(figure))).contains("<svg"), figure);
    }

    void aReportAfterAnEditIsOfTheEdit() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        QVERIFY(document().edit(SetBatch{7}));
        DialogAnswers answers({choose_file(path("now.html"))});
        run("file.export_report");  // without waiting for the views
        Evaluator evaluator;
        QCOMPARE(bytes_of(path("now.html")),
                 QByteArray::fromStdString(report_html(scenario(), evaluator.evaluate(scenario()))));
        QVERIFY(settle());
    }

    void anUnknownSuffixIsSaid() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        const auto figure = app::writeFigure(path("figure.bmp"), {10, 10}, [](QPainter&, const QRectF&) {});
        QVERIFY(!figure);
        QVERIFY(figure.error().hint.find(".svg") != std::string::npos);
        const auto written = app::writeReport(path("report.docx"), scenario());
        QVERIFY(!written);
        QVERIFY(!QFile::exists(path("figure.bmp")) && !QFile::exists(path("report.docx")));
    }

    void aFolderThatIsMissingIsSaid() {
        QVERIFY(openSample("llama-70b-hgx-h100"));
        QVERIFY(!app::writeFigure(path("no/such/figure.svg"), {10, 10}, [](QPainter&, const QRectF&) {}));
        QVERIFY(!app::writeReport(path("no/such/report.html"), scenario()));
    }

    void namesOfFilesComeFromTitles() {
        QCOMPARE(app::fileNameFor("DeepSeek-V3 on one GB200 NVL72"), QString("deepseek-v3-on-one-gb200-nvl72"));
        QCOMPARE(app::fileNameFor("../../etc/passwd"), QString("etc-passwd"));
        QCOMPARE(app::fileNameFor(""), QString("untitled"));
        QCOMPARE(app::fileNameFor("///"), QString("untitled"));
    }

    void everyFigureIntoAFolder() {
        const QString file = path("pod.crosspoint.json"), folderPath = path("figures");
        QVERIFY(write_bytes(file, sample_text("hgx-h100-x4-deepseek-v3")));
        QVERIFY(app::exportFigures(file, folderPath, *builtin_catalogue()));
        for (const char* name : {"diagram", "timeline-layer", "timeline-step", "crossover", "batch", "scaling"})
            for (const char* suffix : {"svg", "pdf", "png"}) {
                const QByteArray bytes = bytes_of(QStringLiteral("%1/%2.%3").arg(folderPath, name, suffix));
                QVERIFY2(bytes.size() > 2000, name);
                QVERIFY2(looksLike(bytes, suffix), name);
            }
        QCOMPARE(QDir(folderPath).entryList(QDir::Files).size(), 18);
        QVERIFY(!app::exportFigures(path("missing.json"), folderPath, *builtin_catalogue()));
    }

    /// A picture names what it shows: its texts are in it, not only its lines.
    void theDiagramNamesItsParts() {
        QVERIFY(openSample("hgx-h100-x4-deepseek-v3"));
        DialogAnswers answers({choose_file(path("named.svg"))});
        run("file.export_diagram");
        const QString svg = QString::fromUtf8(bytes_of(path("named.svg")));
        for (const char* text : {"HGX H100 node", "Spine", "Rail leaf"}) QVERIFY2(svg.contains(text), text);
    }
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
