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

/// Of the first layer that attends to cached tokens.
const AttentionShape& first_attention(const ModelShape& model) {
    for (const int kind : model.layers) {
        const AttentionShape& a = model.kinds.at(static_cast<std::size_t>(kind)).attention;
        if (a.kind == AttentionKind::grouped || a.kind == AttentionKind::latent) return a;
    }
    return model.kinds.at(0).attention;
}

double window_of(const ModelShape& model) {
    for (const LayerShape& kind : model.kinds)
        if (kind.attention.window) return double(*kind.attention.window);
    return 0;
}

/// Layers of one sort, as the index counts them.
int count_of(const ModelShape& model, const std::string& sort) {
    int count = 0;
    for (const int kind : model.layers) {
        const LayerShape& layer = model.kinds.at(static_cast<std::size_t>(kind));
        const AttentionShape& a = layer.attention;
        const bool attends = a.kind == AttentionKind::grouped || a.kind == AttentionKind::latent;
        if (sort == "full" || sort == "attention(*)") count += attends && !a.window;
        if (sort == "sliding") count += attends && a.window.has_value();
        if (sort == "linear" || sort == "mamba(M)") count += a.kind == AttentionKind::linear;
        if (sort == "mlp(-)") count += a.kind == AttentionKind::none && layer.feed_forward.width > 0;
        if (sort == "moe(E)") count += layer.feed_forward.experts.has_value();
        if (sort == "pattern_length") ++count;
    }
    return count;
}

void compareKinds(const nlohmann::json& counts, const ModelShape& model) {
    for (const auto& [sort, count] : counts.items())
        if (count_of(model, sort) != count.get<int>())
            QFAIL(qPrintable(QString("%1 layers: got %2, expected %3")
                                 .arg(QString::fromStdString(sort))
                                 .arg(count_of(model, sort))
                                 .arg(count.get<int>())));
}

/// Within 7 % of a published total ("120B"): names round, and some count vision or prediction layers too.
void comparePublished(const nlohmann::json& expected, const ModelShape& model) {
    if (!expected.contains("published_total")) return;
    const QString text = QString::fromStdString(expected.at("published_total").get<std::string>());
    const double unit = text.endsWith('T') ? 1e12 : 1e9;
    const double published = text.chopped(1).toDouble() * unit;
    const double total = double(count_parameters(model).total);
    qInfo("total %.4g, active %.4g; published %s / %s", total, double(count_parameters(model).active), qPrintable(text),
          expected.value("published_active", "-").c_str());
    QVERIFY2(std::abs(total / published - 1) < 0.07, qPrintable(text));
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
    if (json.at("kind") == "calculon_model") {
        QVERIFY2(imported.has_value(), imported ? "" : describe(imported.error()).c_str());
        const ParameterCount count = count_parameters(imported->model);
        QCOMPARE(double(count.attention + count.dense_feed_forward),
                 json.at("expected").at("block_params_weights_only").get<double>());
        QCOMPARE(double(imported->model.layers.size()), json.at("expected").at("blocks").get<double>());
        return;
    }
    if (json.at("kind") != "hf_config") {
        QVERIFY2(!imported, "a file of another format was accepted");
        return;
    }
    QVERIFY2(imported.has_value(), imported ? "" : describe(imported.error()).c_str());
    const auto& expected = json.at("expected");
    const ModelShape& model = imported->model;
    const AttentionShape& a = first_attention(model);
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
    QVERIFY(same("kv_bytes_per_token_bf16_full_layers_only", growing_kv_bytes_per_token(model, Dtype::bf16).si()));
    QVERIFY(same("kv_bytes_sliding_layers_cap_per_sequence", cache_bytes(model, 1 << 20, Dtype::bf16).windowed.si()));
    QVERIFY(same("sliding_window", window_of(model)));
    QVERIFY(same("mtp_layers", double(model.next_token_modules)));
    if (expected.contains("layer_type_counts")) compareKinds(expected.at("layer_type_counts"), model);
    comparePublished(expected, model);
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
