// The rows of the model editor: every field of the schema is there, and every row's value can be set again.
#include "core/io/model_fields.hpp"

#include <QtTest>
#include <algorithm>

#include "document_support.hpp"

using namespace document_support;

namespace {

const ModelField* find(const std::vector<ModelField>& fields, const std::string& path) {
    const auto it = std::find_if(fields.begin(), fields.end(), [&](const ModelField& f) { return f.path == path; });
    return it == fields.end() ? nullptr : &*it;
}

}  // namespace

class TestModelFields : public QObject {
    Q_OBJECT
private slots:
    void rowsOfBuiltinModels();
    void everyValueSetsAgain();
    void absentObjectsTakeJson();
    void defaultsComeBack();
};

void TestModelFields::rowsOfBuiltinModels() {
    const auto models = builtin_models();
    QVERIFY(models);
    for (const auto& model : *models) {
        const auto fields = model_fields(*model);
        const ModelField* hidden = find(fields, "model.hidden");
        QVERIFY(hidden && hidden->value == std::to_string(model->hidden) && !hidden->description.empty());
        for (std::size_t i = 0; i < model->kinds.size(); ++i)
            QVERIFY(find(fields, "model.kinds." + std::to_string(i) + ".attention.qk_norm_wide"));
        QVERIFY(find(fields, "model.layers")->value.starts_with("[{"));
    }
}

void TestModelFields::everyValueSetsAgain() {
    const auto scenario = read(small_text())->scenario;
    for (const ModelField& field : model_fields(*scenario.model)) {
        if (field.group || field.value.empty()) continue;
        const auto set = set_field(scenario, field.path, field.value);
        QVERIFY2(set, set ? "" : describe(set.error()).c_str());
        QVERIFY2(*set->model == *scenario.model, field.path.c_str());
    }
}

void TestModelFields::absentObjectsTakeJson() {
    const auto scenario = read(small_text())->scenario;
    const auto fields = model_fields(*scenario.model);
    const ModelField* indexer = find(fields, "model.kinds.0.attention.indexer");
    QVERIFY(indexer && indexer->value.empty() && !indexer->group);
    QCOMPARE(indexer->description, std::string("none; as JSON with head_dim, heads, top_k"));
    const auto set = set_field(scenario, indexer->path, R"({"heads": 2, "head_dim": 8, "top_k": 4})");
    QVERIFY2(set, set ? "" : describe(set.error()).c_str());
    const auto after = model_fields(*set->model);
    QVERIFY(find(after, indexer->path)->group);
    QCOMPARE(find(after, indexer->path + ".top_k")->value, std::string("4"));
}

void TestModelFields::defaultsComeBack() {
    const auto scenario = read(small_text())->scenario;
    const auto set = set_field(scenario, "model.kinds.0.attention.window", "128");
    QVERIFY(set && set->model->kinds[0].attention.window == 128);
    const auto back = set_field(*set, "model.kinds.0.attention.window", "null");
    QVERIFY(back && !back->model->kinds[0].attention.window);
    const auto fields = model_fields(*back->model);
    const ModelField* sinks = find(fields, "model.kinds.0.attention.sinks");
    QVERIFY(sinks && sinks->choices.size() == 2);
}

QTEST_APPLESS_MAIN(TestModelFields)
#include "tst_model_fields.moc"
