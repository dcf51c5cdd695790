// Ten thousand random edits of a real document, with undo and redo in between, then undo to the first: what is left
// is what was opened, to the byte.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <random>

#include "app/document/document.hpp"
#include "core/evaluate/report.hpp"
#include "core/io/builtin.hpp"
#include "core/topology/arrange.hpp"
#include "support/random_edits.hpp"

using namespace crosspoint;
using random_edits::Step;

namespace {

constexpr int edits = 10'000;
constexpr unsigned seed = 20261129;

class Dice {
public:
    explicit Dice(unsigned start) : engine_(start) {}
    /// [0, below); the engine is the same on every machine, the standard's distributions are not.
    unsigned operator()(unsigned below) { return unsigned(engine_() % below); }

private:
    std::mt19937 engine_;
};

Step step(Dice& dice) { return {dice(16), dice(40), dice(40), int(dice(14)) - 2}; }

/// Duplication doubles a drawing; a drawing this large is undone for a while instead.
bool large(const Scenario& scenario) { return scenario.topology->devices.size() > 80; }

QByteArray bytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestSoak : public QObject {
    Q_OBJECT
private slots:
    void undoOfEverythingLeavesTheFile() {
        qInfo("seed %u", seed);
        QTemporaryDir folder;
        const QString path = folder.filePath("soak.crosspoint.json");
        const std::string_view text = builtin_samples().front().text;
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), qint64(text.size()));
        file.close();

        app::Document document(builtin_catalogue().value());
        QVERIFY(document.open(path).has_value());
        const Scenario opened = document.scenario();
        QSignalSpy refused(&document, &app::Document::editRefused);
        Dice dice(seed);
        Evaluator evaluator;
        int accepted = 0, evaluated = 0;
        for (int i = 0; i < edits; ++i) {
            if (dice(16) == 0) document.undoStack().redo();
            if (large(document.scenario()) || dice(12) == 0) {
                for (unsigned n = dice(30); n > 0; --n) document.undoStack().undo();
                continue;
            }
            const app::Gesture gesture = dice(3) == 0 ? app::Gesture::begin() : app::Gesture{};
            for (unsigned n = gesture.id ? dice(4) + 1 : 1; n > 0; --n)
                accepted += document.edit(random_edits::edit_of(document.scenario(), step(dice)), gesture);
            if (i % 500 == 0) {
                evaluator.evaluate(document.scenario());  // whatever was drawn, it answers
                arrange(*document.scenario().topology);
                ++evaluated;
                app::Document reopened(document.builtinCatalogue());
                QVERIFY(document.saveAs(folder.filePath("midway.crosspoint.json")).has_value());
                QVERIFY(reopened.open(folder.filePath("midway.crosspoint.json")).has_value());
                QVERIFY(reopened.scenario() == document.scenario());
            }
        }
        QVERIFY2(accepted > edits / 4, qPrintable(QString::number(accepted)));
        QVERIFY2(refused.size() > edits / 20, qPrintable(QString::number(refused.size())));
        QVERIFY(evaluated >= 10);
        QVERIFY(document.scenario() != opened);
        while (document.undoStack().canUndo()) document.undoStack().undo();
        QVERIFY(document.scenario() == opened);
        const QString copy = folder.filePath("copy.crosspoint.json");
        QVERIFY(document.saveAs(copy).has_value());
        QCOMPARE(bytes(copy), bytes(path));
    }
};

QTEST_GUILESS_MAIN(TestSoak)
#include "tst_soak.moc"
