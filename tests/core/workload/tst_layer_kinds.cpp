// Operations of sparse, compressed, chunked, shared, linear and state-space layers, against numbers worked out by hand.
#include <QtTest>
#include <algorithm>

#include "core/model/shapes.hpp"
#include "core/workload/operations.hpp"

using namespace crosspoint;

namespace {

struct Case {
    ModelShape model;
    Parallelism layout;
    Precision precision;
    Workload workload;

    [[nodiscard]] std::vector<Operation> layer() const {
        return layer_operations(model, model.kinds[0], layout, precision, workload, step_shape(workload, layout, 1));
    }
};

Case with(AttentionShape attention, std::int64_t hidden, Phase phase, std::int64_t batch, std::int64_t context) {
    LayerShape layer;
    layer.attention = std::move(attention);
    Case c;
    c.model = shapes::uniform("kinds", hidden, 1000, 1, layer);
    c.workload.phase = phase;
    c.workload.batch = batch;
    c.workload.context = context;
    return c;
}

Operation find(const std::vector<Operation>& operations, std::string_view id) {
    const auto it =
        std::find_if(operations.begin(), operations.end(), [&](const Operation& op) { return op.id == id; });
    return it == operations.end() ? Operation{} : *it;
}

double weights(const std::vector<Operation>& operations) {
    double total = 0;
    for (const Operation& op : operations) total += op.weight_bytes.si();
    return total;
}

bool close(double value, double expected, double relative = 1e-12) {
    if (std::abs(value - expected) <= relative * std::abs(expected)) return true;
    qWarning("got %.12g, expected %.12g", value, expected);
    return false;
}

/// DeepSeek-V3.2: latent attention with an indexer of 64 heads of 128 that keeps 2048 tokens.
AttentionShape sparse() {
    AttentionShape a = shapes::deepseek_layer(false).attention;
    a.indexer = IndexerShape{64, 128, 2048};
    return a;
}

/// Qwen3-Next: 16 key and 32 value heads of 128, four taps.
AttentionShape delta() {
    AttentionShape a;
    a.kind = AttentionKind::linear;
    RecurrentShape r;
    r.key_heads = 16;
    r.value_heads = 32;
    r.key_dim = r.value_dim = 128;
    r.convolution = 4;
    a.recurrent = r;
    return a;
}

/// Nemotron-3-Nano: 64 heads of 64, 8 groups, state 128.
AttentionShape mamba2() {
    AttentionShape a = delta();
    a.recurrent->form = RecurrentForm::mamba2;
    a.recurrent->key_heads = 8;
    a.recurrent->value_heads = 64;
    a.recurrent->value_dim = 64;
    a.recurrent->chunk = 128;
    return a;
}

/// A compressed layer of DeepSeek-V4-Pro.
AttentionShape compressed(std::int64_t ratio) {
    AttentionShape a;
    a.q_heads = 128;
    a.kv_heads = 1;
    a.head_dim = 512;
    a.q_rank = 1536;
    a.o_rank = 1024;
    a.o_groups = 16;
    a.window = 128;
    a.keys_are_values = a.sinks = true;
    a.compression = CompressionShape{ratio, ratio == 4};
    if (ratio == 4) a.indexer = IndexerShape{64, 128, 1024};
    return a;
}

}  // namespace

class TestLayerKinds : public QObject {
    Q_OBJECT
private slots:
    void indexerScoresEverything();
    void sparsePromptStaysAbsorbed();
    void compressedCache();
    void chunkedPrompt();
    void sharedCacheIsReadOnly();
    void keysAreValues();
    void deltaDecode();
    void deltaPrompt();
    void mambaDecode();
    void stateIsSplit();
    void weightsAreTheParameters_data();
    void weightsAreTheParameters();
    void latentExperts();
    void noTables();
};

void TestLayerKinds::indexerScoresEverything() {
    const auto ops = with(sparse(), 7168, Phase::decode, 32, 32768).layer();
    const Operation index = find(ops, "attention.index");
    QVERIFY(close(index.flops.si(), 2.0 * 32 * 64 * 128 * 32768));
    QVERIFY(close(index.cache_bytes.si(), 132.0 * (32 * 32768 + 32)));  // 128 B and a scale of 4 B a token
    const Operation core = find(ops, "attention.core");
    QVERIFY(close(core.flops.si(), 2.0 * 32 * 128 * 2048 * (2 * 512 + 64)));
    QVERIFY(close(core.cache_bytes.si(), (32.0 * 2048 + 32) * 576 * 2));
    // Shorter than its choice: everything is attended to.
    const auto near = with(sparse(), 7168, Phase::decode, 32, 1000).layer();
    QVERIFY(close(find(near, "attention.core").cache_bytes.si(), (32.0 * 1000 + 32) * 576 * 2));
}

void TestLayerKinds::sparsePromptStaysAbsorbed() {
    const auto ops = with(sparse(), 7168, Phase::prefill, 1, 8192).layer();
    QCOMPARE(find(ops, "attention.kv_up").id, std::string());
    // Token i sees min(i, 2048): 2048 - 2048^2 / (2 x 8192) = 1792 on average.
    QVERIFY(close(find(ops, "attention.core").flops.si(), 2.0 * 8192 * 128 * 1792 * 1088));
    QVERIFY(close(find(ops, "attention.index").flops.si(), 2.0 * 8192 * 64 * 128 * 4096));
    QCOMPARE(find(with(sparse(), 7168, Phase::prefill, 1, 2048).layer(), "attention.kv_up").id,
             std::string("attention.kv_up"));
}

void TestLayerKinds::compressedCache() {
    // At 131072 tokens: 128 in the window and 1024 chosen entries, or all 1024 entries of ratio 128.
    for (const std::int64_t ratio : {4, 128}) {
        const auto ops = with(compressed(ratio), 7168, Phase::decode, 1, 131072).layer();
        const Operation core = find(ops, "attention.core");
        QVERIFY(close(core.flops.si(), 4.0 * 128 * 512 * (128 + 1024)));
        QVERIFY(close(core.cache_bytes.si(), (128 + 1024 + 1 + 1.0 / double(ratio)) * 512 * 2));
        const Operation index = find(ops, "attention.index");
        if (ratio == 4) QVERIFY(close(index.flops.si(), 2.0 * 64 * 128 * 32768));
        else QCOMPARE(index.id, std::string());
        QVERIFY(close(find(ops, "attention.out_down").weight_bytes.si(), 2.0 * 65536 * 1024));
    }
}

void TestLayerKinds::chunkedPrompt() {
    AttentionShape a;
    a.q_heads = 8;
    a.kv_heads = 2;
    a.head_dim = 64;
    a.window = 1024;
    a.chunked = true;
    // Two whole blocks and a half: (2 x 1024^2 + 512^2) / 2 pairs.
    const auto ops = with(a, 512, Phase::prefill, 1, 2560).layer();
    QVERIFY(close(find(ops, "attention.core").flops.si(), 4.0 * 8 * 64 * (2 * 1024.0 * 1024 + 512.0 * 512) / 2));
    QVERIFY(close(find(with(a, 512, Phase::decode, 1, 4096).layer(), "attention.core").flops.si(), 4.0 * 8 * 64 * 512));
    QVERIFY(close(find(with(a, 512, Phase::decode, 1, 700).layer(), "attention.core").flops.si(), 4.0 * 8 * 64 * 700));
}

void TestLayerKinds::sharedCacheIsReadOnly() {
    AttentionShape a = shapes::llama_8b().kinds[0].attention;
    a.shares_cache = true;
    const auto ops = with(a, 4096, Phase::decode, 2, 1000).layer();
    QVERIFY(close(find(ops, "attention.core").cache_bytes.si(), 2.0 * 1000 * 2 * 8 * 128 * 2));
    QVERIFY(close(find(ops, "attention.qkv").weight_bytes.si(), 2.0 * 4096 * 4096));
}

void TestLayerKinds::keysAreValues() {
    AttentionShape a = shapes::llama_8b().kinds[0].attention;
    a.keys_are_values = true;
    const auto ops = with(a, 4096, Phase::decode, 1, 1000).layer();
    QVERIFY(close(find(ops, "attention.core").cache_bytes.si(), 1001.0 * 8 * 128 * 2));
    QVERIFY(close(find(ops, "attention.core").flops.si(), 4.0 * 32 * 128 * 1000));
}

void TestLayerKinds::deltaDecode() {
    for (const std::int64_t context : {100, 100000}) {  // the context is of no matter
        const auto ops = with(delta(), 2048, Phase::decode, 16, context).layer();
        const Operation core = find(ops, "attention.core");
        QVERIFY(close(core.flops.si(), 16.0 * 32 * 128 * 128 * 7));
        QVERIFY(close(core.cache_bytes.si(), 2.0 * 16 * 32 * 128 * 128 * 4));
        QVERIFY(close(find(ops, "attention.in").flops.si(), 2.0 * 16 * 2048 * (2 * 2048 + 2 * 4096 + 64)));
        QVERIFY(close(find(ops, "attention.convolution").cache_bytes.si(), 2.0 * 16 * 8192 * 3 * 2));
    }
}

void TestLayerKinds::deltaPrompt() {
    const Operation core = find(with(delta(), 2048, Phase::prefill, 2, 4096).layer(), "attention.core");
    // Blocks of 64: scores and values 64 x (4096 + 4096), state 6 x 524288, system 32 x (64 x 384 + 64 x 64 / 3).
    const double a_token = 64.0 * 8192 + 6.0 * 524288 + 32 * (64.0 * 384 + 4096.0 / 3);
    QVERIFY(close(core.flops.si(), 8192 * a_token));
    QVERIFY(close(core.cache_bytes.si(), 2.0 * 2 * 524288 * 4));
}

void TestLayerKinds::mambaDecode() {
    const auto ops = with(mamba2(), 2688, Phase::decode, 8, 1000).layer();
    QVERIFY(close(find(ops, "attention.core").flops.si(), 8.0 * 64 * 128 * 64 * 5));
    QVERIFY(close(find(ops, "attention.in").weight_bytes.si(), 2.0 * 2688 * (2 * 4096 + 2 * 1024 + 64)));
    const Operation prompt = find(with(mamba2(), 2688, Phase::prefill, 1, 1024).layer(), "attention.core");
    QVERIFY(close(prompt.flops.si(), 1024 * (128.0 * (8 * 128 + 4096) + 4.0 * 64 * 128 * 64)));
}

void TestLayerKinds::stateIsSplit() {
    Case c = with(delta(), 2048, Phase::decode, 16, 1000);
    c.layout.tensor = 4;
    QVERIFY(close(find(c.layer(), "attention.core").cache_bytes.si(), 2.0 * 16 * 8 * 128 * 128 * 4));
    QVERIFY(validate(c.layout, c.model, 4).has_value());
    c.layout.tensor = 64;
    QVERIFY(!validate(c.layout, c.model, 64));
}

void TestLayerKinds::weightsAreTheParameters_data() {
    QTest::addColumn<AttentionShape>("attention");
    QTest::newRow("sparse") << sparse();
    QTest::newRow("delta") << delta();
    QTest::newRow("mamba2") << mamba2();
    QTest::newRow("ratio 4") << compressed(4);
    QTest::newRow("ratio 128") << compressed(128);
    AttentionShape a = delta();
    a.recurrent->form = RecurrentForm::channel_delta;
    a.recurrent->key_heads = 32;
    a.recurrent->rank = 128;
    QTest::newRow("channel delta") << a;
    a.recurrent->form = RecurrentForm::lightning;
    QTest::newRow("lightning") << a;
    AttentionShape mamba1 = delta();
    mamba1.recurrent->form = RecurrentForm::mamba1;
    mamba1.recurrent->key_heads = mamba1.recurrent->value_dim = 1;
    mamba1.recurrent->value_heads = 8192;
    mamba1.recurrent->key_dim = 16;
    mamba1.recurrent->rank = 256;
    QTest::newRow("mamba1") << mamba1;
    AttentionShape gated = shapes::llama_8b().kinds[0].attention;
    gated.gate_dim = 128;
    gated.value_dim = 64;
    QTest::newRow("gated, narrow values") << gated;
}

void TestLayerKinds::weightsAreTheParameters() {
    QFETCH(AttentionShape, attention);
    const Case c = with(attention, 4096, Phase::decode, 1, 1000);
    // Scalars, position offsets and inner norms are not read by any operation of their own.
    const double numbers = double(count_parameters(c.model, c.model.kinds[0]).attention) + 4096;
    QVERIFY(close(weights(c.layer()), 2 * numbers, 3e-3));
}

void TestLayerKinds::latentExperts() {
    Case c = with(AttentionShape{}, 4096, Phase::decode, 64, 1000);
    c.model.kinds[0].attention.kind = AttentionKind::none;
    ExpertShape e;
    e.experts = 512;
    e.top_k = 22;
    e.width = 2688;
    e.latent = 1024;
    c.model.kinds[0].feed_forward.gated = false;
    c.model.kinds[0].feed_forward.experts = e;
    c.layout.attention_data = c.layout.expert = 8;
    const auto ops = c.layer();
    QVERIFY(close(find(ops, "experts.routed").flops.si(), 4.0 * 8 * 22 * 1024 * 2688));
    QVERIFY(close(find(ops, "experts.dispatch").communication->token_bytes.si(), 1024.0 * 2));
    QVERIFY(close(find(ops, "experts.latent_in").flops.si(), 2.0 * 8 * 4096 * 1024));
}

void TestLayerKinds::noTables() {
    Case c = with(shapes::llama_8b().kinds[0].attention, 4096, Phase::decode, 1, 1000);
    c.model.vocabulary = 0;
    const auto ops = head_operations(c.model, c.layout, c.precision, step_shape(c.workload, c.layout, 1));
    QCOMPARE(find(ops, "head.logits").id, std::string());
    QVERIFY(validate(c.model).has_value());
}

QTEST_APPLESS_MAIN(TestLayerKinds)
#include "tst_layer_kinds.moc"
