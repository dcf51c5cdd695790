// Real configuration files, where a collection of them is at hand; it is not part of the source tree.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/io/hf_config.hpp"

using namespace crosspoint;

namespace {

/// The folder that CROSSPOINT_CORPUS names: index.jsonl and a folder hf_config beside it.
QDir collection() { return QDir(qEnvironmentVariable("CROSSPOINT_CORPUS", "nowhere")); }

std::string read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// The families that are read by their own rules have to give every number.
bool is_checked(const ImportedModel& m) {
    for (const std::string& line : m.warnings)
        if (line.find("not one of the checked families") != std::string::npos) return false;
    return true;
}

}  // namespace

class TestHfConfigCorpus : public QObject {
    Q_OBJECT
private slots:
    void everyFile_data();
    void everyFile();
};

void TestHfConfigCorpus::everyFile_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("entry");
    QFile index(collection().filePath("index.jsonl"));
    if (!index.open(QIODevice::ReadOnly)) QSKIP("no collection of real files here");
    while (!index.atEnd()) {
        const QByteArray line = index.readLine();
        const auto entry = nlohmann::json::parse(line.toStdString());
        const QString path =
            QString::fromStdString(entry.at("kind").get<std::string>() + "/" + entry.at("name").get<std::string>());
        QTest::newRow(qPrintable(path)) << collection().filePath(path) << line;
    }
}

void TestHfConfigCorpus::everyFile() {
    QFETCH(QString, path);
    QFETCH(QByteArray, entry);
    const auto json = nlohmann::json::parse(entry.toStdString());
    const std::string text = read(path);
    QVERIFY2(!text.empty(), qPrintable(path));
    const auto imported = import_hf_config(text, path.toStdString());
    if (json.at("kind") != "hf_config") {
        QVERIFY2(!imported, "a file of another format was accepted");
        return;
    }
    if (!imported) {
        QCOMPARE(imported.error().code, ErrorCode::unsupported);
        QVERIFY(imported.error().line > 0 && !imported.error().pointer.empty());
        return;
    }
    const auto& expected = json.at("expected");
    const ModelShape& model = imported->model;
    const AttentionShape& a = model.kinds.at(0).attention;
    const auto same = [&](const char* key, double got) {
        if (!expected.contains(key) || !expected.at(key).is_number() || expected.at(key).get<double>() == got)
            return true;
        qWarning("%s: got %.15g, expected %.15g", key, got, expected.at(key).get<double>());
        return false;
    };
    QVERIFY(same("hidden", double(model.hidden)));
    QVERIFY(same("layers", double(model.layers.size())));
    QVERIFY(same("vocab", double(model.vocabulary)));
    QVERIFY(same("q_heads", double(a.q_heads)));
    QVERIFY(same("kv_heads", double(a.kv_heads)));
    if (a.kind == AttentionKind::grouped) QVERIFY(same("head_dim", double(a.head_dim)));
    QVERIFY(same("kv_bytes_per_token_bf16", kv_bytes_per_token(model, Dtype::bf16).si()));
    QCOMPARE(model.tied_embeddings, expected.at("tied_embeddings").get<bool>());
    for (const LayerShape& layer : model.kinds) {
        if (!layer.feed_forward.experts) continue;
        QVERIFY(same("experts", double(layer.feed_forward.experts->experts)));
        QVERIFY(same("top_k", double(layer.feed_forward.experts->top_k)));
    }
    if (!is_checked(*imported)) return;
    QVERIFY(same("params_total_computed", double(count_parameters(model).total)));
    QVERIFY(same("params_active_computed", double(count_parameters(model).active)));
}

QTEST_APPLESS_MAIN(TestHfConfigCorpus)
#include "tst_hf_config_corpus.moc"
