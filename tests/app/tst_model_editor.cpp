// The model editor: rows, a change with its difference, a refusal in words, nothing to do without a difference.
#include <QComboBox>
#include <QLabel>
#include <QTableWidget>
#include <QTreeWidget>
#include <QtTest>

#include "app/windows/model_editor_dialog.hpp"
#include "core/io/builtin.hpp"

using namespace crosspoint;
using app::ModelEditorDialog;

namespace {

Scenario scenarioWith(const std::string& name, const std::vector<std::shared_ptr<const ModelShape>>& models) {
    Scenario scenario;
    for (const auto& model : models)
        if (model->name == name) scenario.model = model;
    scenario.catalogue = builtin_catalogue().value();
    return scenario;
}

QString cellOf(const QTableWidget& table, const QString& label, int column) {
    for (int i = 0; i < table.rowCount(); ++i)
        if (table.item(i, 0)->text() == label) return table.item(i, column)->text();
    return {};
}

}  // namespace

class TestModelEditor : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { models_ = builtin_models().value(); }

    void oneFieldChanges() {
        const Scenario scenario = scenarioWith("Llama-3.1-8B", models_);
        ModelEditorDialog dialog(scenario, models_);
        QVERIFY(!dialog.model());
        dialog.change("model.kinds.0.attention.kv_heads", "4");
        QVERIFY(dialog.model());
        QCOMPARE(dialog.model()->kinds[0].attention.kv_heads, 4);
        const auto* table = dialog.findChild<QTableWidget*>("changes");
        QCOMPARE(cellOf(*table, "KV per token", 3), QString("-50 %"));
        dialog.change("model.kinds.0.attention.kv_heads", "8");
        QVERIFY(!dialog.model());  // as it was
    }

    void refusalsAreSaid() {
        const Scenario scenario = scenarioWith("Llama-3.1-8B", models_);
        ModelEditorDialog dialog(scenario, models_);
        dialog.change("model.kinds.0.attention.kv_heads", "5");
        QVERIFY(dialog.findChild<QLabel*>("problem")->text().contains("5"));
        QVERIFY(!dialog.model());
        dialog.change("model.hidden", "many");
        QVERIFY(!dialog.findChild<QLabel*>("problem")->text().isEmpty());
        QVERIFY(!dialog.model());
    }

    void everyBuiltinModelCanBeTheStart() {
        ModelEditorDialog dialog(scenarioWith("Llama-3.1-8B", models_), models_);
        auto* start = dialog.findChild<QComboBox*>("start");
        QCOMPARE(start->count(), int(models_.size()) + 1);
        for (int i = 1; i < start->count(); ++i) {
            start->setCurrentIndex(i);
            Q_EMIT start->activated(i);
            QVERIFY(dialog.findChild<QTreeWidget*>("fields")->topLevelItemCount() > 8);
        }
        QVERIFY(dialog.model());
    }

private:
    std::vector<std::shared_ptr<const ModelShape>> models_;
};

QTEST_MAIN(TestModelEditor)
#include "tst_model_editor.moc"
