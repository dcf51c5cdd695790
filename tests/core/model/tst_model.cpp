#include <QtTest>

#include "core/model/model.hpp"
#include "core/model/shapes.hpp"

using namespace crosspoint;

class TestModel : public QObject {
    Q_OBJECT
private slots:
    void publishedTotals();
    void partsAddUp();
    void tiedTableCountsOnce();
    void cachePerToken();
    void cacheOfOneSequence();
    void validShapesPass();
    void wrongShapesAreNamed_data();
    void wrongShapesAreNamed();
    void hugeShapesDoNotOverflow();
};

void TestModel::publishedTotals() {
    // Llama: exact totals of the published checkpoints (tensor sizes summed). DeepSeek-V3: 671.03 G / 37.55 G with
    // both tables. gpt-oss-20b: 20.91 G / 4.19 G (model card, plus the input table in the active figure).
    QCOMPARE(count_parameters(shapes::llama_8b()).total, 8'030'261'248);
    QCOMPARE(count_parameters(shapes::llama_8b()).active, 8'030'261'248);
    QCOMPARE(count_parameters(shapes::uniform("Llama-2-7B", 4096, 32000, 32, shapes::grouped_layer(32, 32, 128, 11008)))
                 .total,
             6'738'415'616);
    QCOMPARE(count_parameters(shapes::deepseek_v3()).total, 671'026'419'200);
    QCOMPARE(count_parameters(shapes::deepseek_v3()).active, 37'552'297'472);
    QCOMPARE(count_parameters(shapes::mixtral_8x7b()).total, 46'702'792'704);
    QCOMPARE(count_parameters(shapes::mixtral_8x7b()).active, 12'879'925'248);
    QCOMPARE(count_parameters(shapes::gpt_oss(24, 32)).total, 20'914'757'184);
    QCOMPARE(count_parameters(shapes::gpt_oss(24, 32)).active, 4'187'440'704);
}

void TestModel::partsAddUp() {
    const ModelShape model = shapes::deepseek_v3();
    const ParameterCount c = count_parameters(model);
    QCOMPARE(c.embedding + c.head + c.attention + c.dense_feed_forward + c.routed_experts + c.shared_experts +
                 c.router + c.norms,
             c.total);
    QCOMPARE(c.embedding, std::int64_t{129280} * 7168);
    QCOMPARE(c.dense_feed_forward, std::int64_t{3} * 3 * 7168 * 18432);
    QCOMPARE(c.shared_experts, std::int64_t{58} * 3 * 7168 * 2048);
    QCOMPARE(c.router, std::int64_t{58} * (7168 * 256 + 256));
    const ParameterCount layer = count_parameters(model, model.kinds[1]);
    QCOMPARE(layer.embedding + layer.head, 0);
    QCOMPARE(layer.total - layer.active, std::int64_t{248} * 3 * 7168 * 2048);
}

void TestModel::tiedTableCountsOnce() {
    ModelShape model = shapes::llama_8b();
    const ParameterCount untied = count_parameters(model);
    model.tied_embeddings = true;
    const ParameterCount tied = count_parameters(model);
    QCOMPARE(tied.head, 0);
    QCOMPARE(untied.total - tied.total, std::int64_t{128256} * 4096);
    QCOMPARE(tied.active, tied.total);
}

void TestModel::cachePerToken() {
    // Cost model section 5: KB per token over all layers at bf16.
    QCOMPARE(kv_bytes_per_token(shapes::deepseek_v3(), Dtype::bf16).si(), 70272.0);
    const auto qwen = shapes::uniform("Qwen2.5-72B", 8192, 152064, 80, shapes::grouped_layer(64, 8, 128, 29568));
    QCOMPARE(kv_bytes_per_token(qwen, Dtype::bf16).si(), 327680.0);
    const auto llama = shapes::uniform("Llama-3.1-405B", 16384, 128256, 126, shapes::grouped_layer(128, 8, 128, 53248));
    QCOMPARE(kv_bytes_per_token(llama, Dtype::bf16).si(), 516096.0);
    QCOMPARE(kv_bytes_per_token(llama, Dtype::fp8).si(), 258048.0);
    QCOMPARE(kv_bytes_per_token(shapes::gpt_oss(36, 128), Dtype::bf16).si(), 73728.0);
}

void TestModel::cacheOfOneSequence() {
    // gpt-oss-120b: 18 layers of 2048 B/token grow, 18 stop at 128 tokens.
    const CacheBytes cache = cache_bytes(shapes::gpt_oss(36, 128), 4096, Dtype::bf16);
    QCOMPARE(cache.full.si(), 18.0 * 2048 * 4096);
    QCOMPARE(cache.windowed.si(), 18.0 * 2048 * 128);
    QCOMPARE(cache.constant.si(), 0.0);
    QCOMPARE(cache_bytes(shapes::gpt_oss(36, 128), 100, Dtype::bf16).windowed.si(), 18.0 * 2048 * 100);
    QCOMPARE(cache_bytes(shapes::llama_8b(), -5, Dtype::bf16).total().si(), 0.0);
    ModelShape hybrid = shapes::llama_8b();
    hybrid.kinds.push_back(hybrid.kinds[0]);
    hybrid.kinds[1].attention.kind = AttentionKind::linear;
    hybrid.kinds[1].attention.state_bytes = 1000;
    hybrid.layers[0] = 1;
    QCOMPARE(cache_bytes(hybrid, 4096, Dtype::bf16).constant.si(), 1000.0);
    QCOMPARE(cache_bytes(hybrid, 4096, Dtype::bf16).full.si(), 31.0 * 4096 * 4096);
}

void TestModel::validShapesPass() {
    for (const ModelShape& model :
         {shapes::llama_8b(), shapes::deepseek_v3(), shapes::mixtral_8x7b(), shapes::gpt_oss(24, 32)})
        QVERIFY2(validate(model).has_value(), model.name.c_str());
}

void TestModel::wrongShapesAreNamed_data() {
    QTest::addColumn<ModelShape>("model");
    QTest::addColumn<QString>("named");
    ModelShape m = shapes::llama_8b();
    m.hidden = 0;
    QTest::newRow("hidden") << m << "hidden is 0";
    m = shapes::llama_8b();
    m.vocabulary = -1;
    QTest::newRow("vocabulary") << m << "vocabulary is -1";
    m = shapes::llama_8b();
    m.kinds[0].attention.kv_heads = 5;
    QTest::newRow("kv heads") << m << "kv_heads 5 does not divide q_heads 32";
    m = shapes::llama_8b();
    m.layers[7] = 3;
    QTest::newRow("kind") << m << "Layer 7 of Llama-3.1-8B is of kind 3";
    m = shapes::llama_8b();
    m.layers.clear();
    QTest::newRow("no layers") << m << "0 layers";
    m = shapes::mixtral_8x7b();
    m.kinds[0].feed_forward.experts->top_k = 9;
    QTest::newRow("top k") << m << "top_k 9 is more than its 8 experts";
    m = shapes::deepseek_v3();
    m.kinds[1].feed_forward.experts->group_limit = 9;
    QTest::newRow("groups") << m << "group_limit 9 of 8 groups";
    m = shapes::deepseek_v3();
    m.kinds[0].attention.latent->kv_rank = 0;
    QTest::newRow("kv rank") << m << "kv_rank is 0";
    m = shapes::deepseek_v3();
    m.kinds[0].attention.latent.reset();
    QTest::newRow("ranks") << m << "latent attention without its ranks";
    m = shapes::gpt_oss(4, 8);
    m.kinds[0].attention.window = 0;
    QTest::newRow("window") << m << "window is 0";
}

void TestModel::wrongShapesAreNamed() {
    QFETCH(ModelShape, model);
    QFETCH(QString, named);
    const auto result = validate(model);
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains(named), result.error().message.c_str());
    QVERIFY(!result.error().hint.empty());
}

void TestModel::hugeShapesDoNotOverflow() {
    ModelShape model = shapes::mixtral_8x7b();
    model.hidden = model.vocabulary = std::int64_t{1} << 30;
    model.kinds[0].feed_forward.experts->experts = std::int64_t{1} << 30;
    model.kinds[0].feed_forward.experts->width = std::int64_t{1} << 30;
    QCOMPARE(count_parameters(model).total, std::numeric_limits<std::int64_t>::max());
    const auto result = validate(model);
    QVERIFY(!result);
    QVERIFY(QString::fromStdString(result.error().message).contains("more than 1e18"));
}

QTEST_APPLESS_MAIN(TestModel)
#include "tst_model.moc"
