// The document: one undo step a gesture, refusals that change nothing, files that round-trip.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "app/document/document.hpp"
#include "core/io/builtin.hpp"

using namespace crosspoint;
using app::Gesture;

namespace {
std::shared_ptr<const Catalogue> catalogue() {
    static const auto loaded = builtin_catalogue();
    return loaded ? *loaded : nullptr;
}
std::string_view sampleText() {
    for (const auto& sample : builtin_samples())
        if (sample.name == "nvl72-deepseek-v3") return sample.text;
    return {};
}
QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
}  // namespace

class TestDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(catalogue());
        QVERIFY(!sampleText().empty());
    }

    void aDragOf200EventsIsOneUndoStep() {
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        const auto before = document.scenario();
        const auto gesture = Gesture::begin();
        for (int batch = 100; batch < 300; ++batch) QVERIFY(document.edit(SetBatch{batch}, gesture));
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(document.scenario().workload.batch, 299);
        QVERIFY(document.isModified());
        document.undoStack().undo();
        QVERIFY(document.scenario() == before);
        QVERIFY(!document.isModified());
        document.undoStack().redo();
        QCOMPARE(document.scenario().workload.batch, 299);
    }

    void twoGesturesAreTwoSteps() {
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        QVERIFY(document.edit(SetBatch{101}, Gesture::begin()));
        QVERIFY(document.edit(SetBatch{102}, Gesture::begin()));
        QCOMPARE(document.undoStack().count(), 2);
    }

    void aRefusedEditSaysWhyAndChangesNothing() {
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        const auto before = document.scenario();
        const auto generation = document.generation();
        QSignalSpy refused(&document, &app::Document::editRefused);
        QVERIFY(!document.edit(SetBatch{0}));
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused.at(0).at(0).toString().contains("batch"));
        QVERIFY(document.scenario() == before);
        QCOMPARE(document.generation(), generation);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void aCompoundEditLeavesNothingBehindWhenAMemberFails() {
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        const auto before = document.scenario();
        QVERIFY(!document.edit({SetBatch{77}, SetContext{-1}}, "both"));
        QVERIFY(document.scenario() == before);
    }

    void editingDoesNotCopyTheDrawing() {
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        const auto topology = document.scenario().topology;
        QVERIFY(document.edit(SetBatch{100}));
        QCOMPARE(document.scenario().topology.get(), topology.get());
    }

    void saveAndReopenIsIdentical() {
        QTemporaryDir folder;
        const QString first = folder.filePath("a.crosspoint.json"), second = folder.filePath("b.crosspoint.json");
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        QVERIFY(document.edit(SetBatch{1234}));
        QVERIFY(document.saveAs(first));
        QVERIFY(!document.isModified());
        app::Document again(catalogue());
        QVERIFY(again.open(first));
        QVERIFY(again.scenario() == document.scenario());
        QVERIFY(again.saveAs(second));
        QCOMPARE(bytesOf(second), bytesOf(first));
    }

    void aFileThatCannotBeReadLeavesTheOpenDocument() {
        QTemporaryDir folder;
        const QString path = folder.filePath("broken.crosspoint.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\": ");
        file.close();
        app::Document document(catalogue());
        QVERIFY(document.openText(sampleText(), "sample"));
        const auto before = document.scenario();
        const auto opened = document.open(path);
        QVERIFY(!opened);
        QVERIFY(opened.error().file.find("broken") != std::string::npos);
        QVERIFY(opened.error().line > 0);
        QVERIFY(document.scenario() == before);
    }
};

QTEST_APPLESS_MAIN(TestDocument)
#include "tst_document.moc"
