#include <QtTest>

#include "core/io/hf_config.hpp"

using namespace crosspoint;

namespace {

constexpr const char* small =
    "{\n"
    "  \"architectures\": [\"LlamaForCausalLM\"],\n"
    "  \"model_type\": \"llama\",\n"
    "  \"hidden_size\": 64,\n"
    "  \"num_hidden_layers\": 2,\n"
    "  \"num_attention_heads\": 8,\n"
    "  \"num_key_value_heads\": 2,\n"
    "  \"intermediate_size\": 160,\n"
    "  \"vocab_size\": 1000\n"
    "}\n";

/// The small Llama with one piece of its text replaced.
std::string with(const char* from, const char* to) {
    QString text(small);
    if (!text.contains(from)) qFatal("the text has no %s", from);
    return text.replace(from, to).toStdString();
}

std::string with_field(const char* field) {
    return with("\"vocab_size\"", (std::string(field) + ", \"vocab_size\"").c_str());
}

bool mentions(const std::vector<std::string>& lines, const char* part) {
    for (const std::string& line : lines)
        if (line.find(part) != std::string::npos) return true;
    return false;
}

std::vector<bool> windows(const ModelShape& model) {
    std::vector<bool> all;
    for (const int kind : model.layers)
        all.push_back(model.kinds[static_cast<std::size_t>(kind)].attention.window.has_value());
    return all;
}

std::vector<bool> expert_layers(const ModelShape& model) {
    std::vector<bool> all;
    for (const int kind : model.layers)
        all.push_back(model.kinds[static_cast<std::size_t>(kind)].feed_forward.experts.has_value());
    return all;
}

}  // namespace

class TestHfConfig : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void llama();
    void mistralWindow();
    void qwen2Window();
    void qwen2MoePlacement();
    void qwen3Nested();
    void mixtral();
    void deepseekV3();
    void deepseekV2();
    void gptOss();
    void pythonTokens();
    void printedObject();
    void unknownClass();
    void contradictingAliases();
    void storage_data();
    void storage();
    void placementFields_data();
    void placementFields();
    void refusals_data();
    void refusals();
    void badInput_data();
    void badInput();
    void nameFromFile();

private:
    ImportedModel load(const QString& name) {
        QFile file(fixtures_ + "/" + name);
        if (!file.open(QIODevice::ReadOnly)) qFatal("no fixture %s", qPrintable(name));
        const std::string text = file.readAll().toStdString();
        auto imported = import_hf_config(text, name.toStdString());
        if (!imported) qFatal("%s", describe(imported.error()).c_str());
        return *std::move(imported);
    }
    QString fixtures_;
};

void TestHfConfig::initTestCase() {
    const QString source = qEnvironmentVariable("CROSSPOINT_SOURCE_DIR");
    fixtures_ = source.isEmpty() ? QFINDTESTDATA("fixtures/hf") : source + "/tests/core/io/fixtures/hf";
    QVERIFY2(QDir(fixtures_).exists(), "set CROSSPOINT_SOURCE_DIR to the source tree");
}

void TestHfConfig::llama() {
    const ImportedModel m = load("llama.json");
    QCOMPARE(m.model.name, std::string("llama"));
    QCOMPARE(m.model.family, std::string("llama"));
    QCOMPARE(m.model.layers.size(), std::size_t{2});
    QCOMPARE(m.model.kinds.size(), std::size_t{1});
    QCOMPARE(m.model.kinds[0].attention.head_dim, 8);
    QCOMPARE(m.model.kinds[0].attention.kv_heads, 2);
    QVERIFY(!m.model.tied_embeddings);
    QVERIFY(mentions(m.assumed, "tie_word_embeddings is absent: not tied"));
    QVERIFY(mentions(m.assumed, "head_dim is absent: hidden / heads = 8"));
    QCOMPARE(m.ignored, std::vector<std::string>{"rope_theta"});
    QCOMPARE(m.model.stored, Dtype::fp16);
    QVERIFY(m.warnings.empty());
    // 2 x 64 x (64 + 16) attention + 3 x 64 x 160 feed-forward + 2 norms, two layers; tables and last norm.
    QCOMPARE(count_parameters(m.model).total, 2 * (2 * 64 * 80 + 3 * 64 * 160 + 128) + 2 * 64000 + 64);
}

void TestHfConfig::mistralWindow() {
    const ImportedModel m = load("mistral_window.json");
    QCOMPARE(m.model.kinds[0].attention.head_dim, 32);  // stated, and not 64 / 4
    QCOMPARE(m.model.kinds[0].attention.window.value_or(0), 4096);
    QCOMPARE(windows(m.model), (std::vector<bool>{true, true}));
}

void TestHfConfig::qwen2Window() {
    const ImportedModel m = load("qwen2_upper_window.json");
    QCOMPARE(windows(m.model), (std::vector<bool>{false, false, false, true}));
    const AttentionShape& a = m.model.kinds[0].attention;
    QVERIFY(a.q_bias && a.kv_bias && !a.o_bias && !a.qk_norm);
    QVERIFY(m.model.tied_embeddings);
}

void TestHfConfig::qwen2MoePlacement() {
    // decoder_sparse_step 2 makes layers 1, 3 and 5 sparse, mlp_only_layers takes 3 away.
    const ImportedModel m = load("qwen2_moe.json");
    QCOMPARE(expert_layers(m.model), (std::vector<bool>{false, true, false, false, false, true}));
    const ExpertShape e = m.model.kinds[1].feed_forward.experts.value_or(ExpertShape{});
    QCOMPARE(e.width, 32);
    QCOMPARE(e.shared_width, 128);
    QVERIFY(e.shared_gate);
    QCOMPARE(m.model.kinds[0].feed_forward.width, 160);
}

void TestHfConfig::qwen3Nested() {
    const ImportedModel m = load("qwen3_nested.json");
    QCOMPARE(m.model.hidden, 64);  // of the text model, not of the vision tower or the top level
    QCOMPARE(m.model.layers.size(), std::size_t{3});
    QCOMPARE(m.model.family, std::string("qwen3_vl"));
    QVERIFY(m.model.kinds[0].attention.qk_norm && !m.model.kinds[0].attention.q_bias);
    QVERIFY(m.model.tied_embeddings);  // stated at the top only
    QVERIFY(mentions(m.ignored, "vision_config"));
    QVERIFY(m.warnings.empty());
}

void TestHfConfig::mixtral() {
    const ImportedModel m = load("mixtral.json");
    const FeedForwardShape& f = m.model.kinds[0].feed_forward;
    QVERIFY(f.experts.has_value());
    QCOMPARE(f.experts->width, 128);
    QCOMPARE(f.width, 0);
    QVERIFY(mentions(m.assumed, "Experts are as wide as intermediate_size"));
}

void TestHfConfig::deepseekV3() {
    const ImportedModel m = load("deepseek_v3.json");
    // First layer dense, then every second one sparse.
    QCOMPARE(expert_layers(m.model), (std::vector<bool>{false, false, true, false, true}));
    const AttentionShape& a = m.model.kinds[0].attention;
    QCOMPARE(a.kind, AttentionKind::latent);
    QCOMPARE(a.head_dim, 12);  // the stated head_dim has no meaning here
    QCOMPARE(*a.latent, (LatentAttention{24, 16, 4, 8, 8}));
    const ExpertShape e = m.model.kinds[1].feed_forward.experts.value_or(ExpertShape{});
    QCOMPARE(e.shared_width, 64);
    QCOMPARE(e.groups, 4);
    QCOMPARE(e.group_limit, 2);
    QVERIFY(e.router_bias);
    QCOMPARE(m.model.next_token_modules, 1);
    QCOMPARE(m.model.stored, Dtype::fp8);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 5.0 * 20 * 2);
}

void TestHfConfig::deepseekV2() {
    const ImportedModel m = load("deepseek_v2.json");
    QCOMPARE(expert_layers(m.model), (std::vector<bool>{false, true, true, false, true}));
    QCOMPARE(m.model.kinds[0].attention.latent->q_rank, 0);
    const ExpertShape e = m.model.kinds[1].feed_forward.experts.value_or(ExpertShape{});
    QCOMPARE(e.groups, 1);  // greedy routing does not use the groups that are stated
    QVERIFY(!e.router_bias);
    QCOMPARE(m.model.stored, Dtype::bf16);
}

void TestHfConfig::gptOss() {
    const ImportedModel m = load("gpt_oss.json");
    QCOMPARE(windows(m.model), (std::vector<bool>{true, false, true, false}));
    QVERIFY(mentions(m.assumed, "every second layer is windowed"));
    const AttentionShape& a = m.model.kinds[0].attention;
    QVERIFY(a.q_bias && a.kv_bias && a.o_bias && a.sinks);
    const ExpertShape e = m.model.kinds[0].feed_forward.experts.value_or(ExpertShape{});
    QVERIFY(e.router_bias && e.expert_bias);
    QCOMPARE(m.model.stored, Dtype::fp4);
    QVERIFY(m.warnings.empty());
}

void TestHfConfig::pythonTokens() {
    QCOMPARE(load("python_tokens.json").model.hidden, 64);
    const auto infinite = import_hf_config(with("\"hidden_size\": 64", "\"hidden_size\": Infinity"), "c.json");
    QVERIFY(!infinite);
    QCOMPARE(infinite.error().message, std::string("hidden_size is Infinity, expected a whole number"));
    QCOMPARE(infinite.error().line, 4);
}

void TestHfConfig::printedObject() {
    const ImportedModel m = load("printed.json");
    QCOMPARE(m.model.hidden, 64);
    QVERIFY(mentions(m.warnings, "print-out of a LlamaConfig"));
}

void TestHfConfig::unknownClass() {
    const ImportedModel m = load("unknown_class.json");
    QVERIFY(mentions(m.warnings, "architectures says GrokForCausalLM but model_type says mixtral"));
    QVERIFY(mentions(m.warnings, "not one of the checked families"));
    QCOMPARE(m.model.kinds[0].attention.kv_heads, 2);
    QCOMPARE(m.model.kinds[0].feed_forward.experts->top_k, 2);
}

void TestHfConfig::contradictingAliases() {
    const auto m = import_hf_config(with_field("\"n_layer\": 7"), "c.json");
    QVERIFY(m.has_value());
    QCOMPARE(m->model.layers.size(), std::size_t{2});
    QVERIFY(mentions(m->warnings, "num_hidden_layers is 2 but n_layer is 7"));
}

void TestHfConfig::storage_data() {
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<Dtype>("stored");
    QTest::newRow("none") << QByteArray("\"use_cache\": true") << Dtype::bf16;
    QTest::newRow("dtype") << QByteArray("\"dtype\": \"float32\"") << Dtype::fp32;
    QTest::newRow("fp8") << QByteArray(
                                "\"torch_dtype\": \"bfloat16\", \"quantization_config\": {\"quant_method\": \"fp8\"}")
                         << Dtype::fp8;
    QTest::newRow("nvfp4")
        << QByteArray("\"quantization_config\": {\"quant_method\": \"modelopt\", \"quant_algo\": \"NVFP4\"}")
        << Dtype::fp4;
    QTest::newRow("gptq 8") << QByteArray("\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 8}")
                            << Dtype::int8;
    QTest::newRow("awq") << QByteArray("\"quantization_config\": {\"quant_method\": \"awq\"}") << Dtype::int4;
}

void TestHfConfig::storage() {
    QFETCH(QByteArray, field);
    QFETCH(Dtype, stored);
    const auto m = import_hf_config(with_field(field.constData()), "c.json");
    QVERIFY2(m.has_value(), m ? "" : describe(m.error()).c_str());
    QCOMPARE(m->model.stored, stored);
}

void TestHfConfig::placementFields_data() {
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QString>("sparse");  // one letter a layer of six
    const auto row = [](const char* field, const char* sparse) {
        QTest::newRow(field) << QByteArray(field) << QString(sparse);
    };
    row("\"use_cache\": true", "111111");
    row("\"first_k_dense_replace\": 2", "001111");
    row("\"moe_layer_freq\": 3", "100100");
    row("\"moe_layer_freq\": [0, 1, 1, 0, 0, 1]", "011001");
    row("\"interleave_moe_layer_step\": 2", "010101");
    row("\"decoder_sparse_step\": 3", "001001");
    row("\"expert_layer_period\": 2, \"expert_layer_offset\": 1", "010101");
    row("\"moe_layer_start_index\": 1, \"moe_layer_end_index\": 3", "011100");
    row("\"mlp_only_layers\": [0, 5]", "011110");
    row("\"mlp_layer_types\": [\"dense\", \"sparse\", \"sparse\", \"dense\", \"sparse\", \"sparse\"]", "011011");
}

void TestHfConfig::placementFields() {
    QFETCH(QByteArray, field);
    QFETCH(QString, sparse);
    const QByteArray experts =
        "\"num_experts\": 8, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 32, " + field;
    std::string text = with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 6");
    text.insert(text.find("\"vocab_size\""), experts.toStdString() + ", ");
    const auto m = import_hf_config(text, "c.json");
    QVERIFY2(m.has_value(), m ? "" : describe(m.error()).c_str());
    QString got;
    for (const bool layer : expert_layers(m->model)) got += layer ? '1' : '0';
    QCOMPARE(got, sparse);
}

void TestHfConfig::refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& text, const char* said) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QString(said);
    };
    row("quantisation", R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4"}})",
        "hf_quant_config.json");
    row("benchmark", R"({"request_throughput": 1.0, "mean_ttft_ms": 2.0})", "a serving benchmark result");
    row("cluster", R"({"num_nodes": 1, "nodes": [], "link_bw": 16, "link_latency": 20000})", "a benchmark run");
    row("xml", "<?xml version=\"1.0\"?>\n<system version=\"1\">", "an NCCL topology");
    row("log", "# nThread 1 nGpus 8 minBytes 8", "an nccl-tests log");
    row("prefixed log", "[1,0]<stdout>:# nThread 1 nGpus 8", "an nccl-tests log");
    row("other", R"({"a": 1})", "no model_type, architectures or hidden_size");
    row("list", "[1, 2]", "not an object");
    row("empty", "", "an empty file");
    row("linear without sizes", with_field("\"layer_types\": [\"full_attention\", \"linear_attention\"]"),
        "no field that sizes them");
    row("unknown layer", with_field("\"layer_types\": [\"full_attention\", \"fourier\"]"),
        "Layer 1 is of type fourier");
    row("unknown letter", with_field("\"hybrid_override_pattern\": \"MX\", \"mamba_num_heads\": 4"),
        "Layer 1 is of type X");
    row("block without heads", with_field("\"block_configs\": [{}]"), "Block 0 of block_configs states no heads");
    row("linear block", with_field("\"block_configs\": [{\"attention\": {\"replace_with_linear\": true}}]"),
        "replaces attention by a linear layer");
    row("compressed without window", with_field("\"compress_ratios\": [4, 128]"), "window beside the compressed cache");
    row("short ratios", with_field("\"compress_ratios\": [4], \"sliding_window\": 8"), "1 entries for 2 layers");
    row("rwkv", with_field("\"rwkv_version\": \"7\""), "recurrent layers (RWKV)");
    row("side by side", with_field("\"mamba_d_ssm\": 128"), "side by side");
    row("images", with_field("\"cross_attention_layers\": [1]"), "cross-attention to images");
    row("encoder", with_field("\"is_encoder_decoder\": true"), "an encoder with cross-attention");
}

void TestHfConfig::refusals() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const auto m = import_hf_config(text.toStdString(), "some/file.json");
    QVERIFY(!m);
    QVERIFY2(QString::fromStdString(m.error().message).contains(said), m.error().message.c_str());
    QVERIFY(!m.error().hint.empty());
    QCOMPARE(m.error().file, std::string("some/file.json"));
}

void TestHfConfig::badInput_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& text, const char* pointer, int line, const char* said) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QString(pointer) << line << QString(said);
    };
    row("text", with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": \"two\""), "/num_hidden_layers", 5,
        "num_hidden_layers is two");
    row("list", with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": [2]"), "/num_hidden_layers", 5, "a list of 1");
    row("fraction", with("\"hidden_size\": 64", "\"hidden_size\": 64.5"), "/hidden_size", 4, "64.5");
    row("negative", with("\"hidden_size\": 64", "\"hidden_size\": -64"), "/hidden_size", 4, "-64, expected 1");
    row("zero", with("\"num_attention_heads\": 8", "\"num_attention_heads\": 0"), "/num_attention_heads", 6,
        "expected 1");
    row("billion layers", with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1000000000"), "/num_hidden_layers",
        5, "1 to 16384");
    row("nested", R"({"text_config": {"model_type": "llama",
 "hidden_size": true}})",
        "/text_config/hidden_size", 2, "hidden_size is true");
    row("flag", with_field("\"tie_word_embeddings\": \"no\""), "/tie_word_embeddings", 9, "true or false");
    row("types", with_field("\"layer_types\": [\"full_attention\"]"), "/layer_types", 9, "1 entries for 2 layers");
    row("missing", with("\"vocab_size\"", "\"vocabulary_size\""), "", 0, "does not state the vocabulary");
    row("heads", with("\"num_attention_heads\": 8", "\"num_attention_heads\": 7"), "/num_attention_heads", 6,
        "do not divide the hidden size 64");
    row("kv heads", with("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3"), "", 0,
        "kv_heads 3 does not divide q_heads 8");
    row("cut", std::string(small).substr(0, 120), "", 6, "");
    row("deep", "{\"model_type\": " + std::string(100000, '['), "", 1, "deep");
    row("huge", with("\"hidden_size\": 64", "\"hidden_size\": 1e400"), "", 4, "");
}

void TestHfConfig::badInput() {
    QFETCH(QByteArray, text);
    QFETCH(QString, pointer);
    QFETCH(int, line);
    QFETCH(QString, said);
    const auto m = import_hf_config(text.toStdString(), "c.json");
    QVERIFY(!m);
    QVERIFY2(QString::fromStdString(m.error().message).contains(said), m.error().message.c_str());
    if (!pointer.isEmpty()) QCOMPARE(QString::fromStdString(m.error().pointer), pointer);
    QCOMPARE(m.error().line, line);
    QCOMPARE(m.error().file, std::string("c.json"));
}

void TestHfConfig::nameFromFile() {
    const auto name = [](const std::string& text, const char* file) {
        return import_hf_config(text, file)->model.name;
    };
    QCOMPARE(name(small, "models/Small-1B/config.json"), std::string("Small-1B"));
    QCOMPARE(name(small, "config.json"), std::string("config"));
    QCOMPARE(name(small, "a/b.json"), std::string("b"));
    QCOMPARE(name(small, ""), std::string("imported model"));
    QCOMPARE(name(with_field("\"_name_or_path\": \"org/Model-7B/\""), "x.json"), std::string("Model-7B"));
}

QTEST_APPLESS_MAIN(TestHfConfig)
#include "tst_hf_config.moc"
