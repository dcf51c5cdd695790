#include <QtTest>
#include <algorithm>

#include "core/io/builtin.hpp"

using namespace crosspoint;

class TestBuiltinModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void sortedByNameWithSources();
    void publishedCounts_data();
    void publishedCounts();
    void deepseekRoutesInGroups();
    void growingCaches();

private:
    [[nodiscard]] const ModelShape* find(const QString& name) const {
        const auto it =
            std::find_if(models_.begin(), models_.end(), [&](const auto& m) { return m->name == name.toStdString(); });
        return it == models_.end() ? nullptr : it->get();
    }
    std::vector<std::shared_ptr<const ModelShape>> models_;
};

void TestBuiltinModels::initTestCase() {
    auto models = builtin_models();
    QVERIFY2(models.has_value(), models ? "" : describe(models.error()).c_str());
    models_ = *models;
}

void TestBuiltinModels::sortedByNameWithSources() {
    QCOMPARE(models_.size(), std::size_t{56});
    for (std::size_t i = 0; i < models_.size(); ++i) {
        QVERIFY2(models_[i]->source.starts_with("https://"), models_[i]->name.c_str());
        if (i > 0) QVERIFY(models_[i - 1]->name < models_[i]->name);
    }
}

void TestBuiltinModels::publishedCounts_data() {
    // Totals and active parameters with both tables, as computed from the published shapes; the published rounded
    // figures are 46.7/12.9, 141/39, 30.5/3.3, 235/22, 15.7/2.4, 236/21, 671/37, 1.0 T/32, 116.83/5.13 and
    // 20.91/3.61 (gpt-oss and DeepSeek-V2-Lite publish active figures without the input table). KV at bf16.
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("total");
    QTest::addColumn<double>("active");
    QTest::addColumn<double>("kv");
    const auto row = [](const char* name, double total, double active, double kv) {
        QTest::newRow(name) << QString(name) << total << active << kv;
    };
    row("Llama-3.1-8B", 8.030261248, 8.030261248, 131072);
    row("Llama-3.1-70B", 70.553706496, 70.553706496, 327680);
    row("Llama-3.1-405B", 405.85, 405.85, 516096);
    row("Llama-2-7B", 6.738415616, 6.738415616, 524288);
    row("Llama-2-70B", 68.98, 68.98, 327680);
    row("Qwen2.5-72B", 72.71, 72.71, 327680);
    row("Qwen3-8B", 8.19, 8.19, 147456);
    row("Qwen3-32B", 32.762123264, 32.762123264, 262144);
    row("Qwen3-30B-A3B", 30.53, 3.35, 98304);
    row("Qwen3-235B-A22B", 235.09, 22.19, 192512);
    row("Mixtral-8x7B", 46.70, 12.88, 131072);
    row("Mixtral-8x22B", 140.62, 39.15, 229376);
    row("DeepSeek-V2", 235.74, 21.38, 69120);
    row("DeepSeek-V2-Lite", 15.71, 2.66, 31104);
    row("DeepSeek-V3", 671.03, 37.55, 70272);
    row("DeepSeek-R1", 671.03, 37.55, 70272);
    row("Kimi-K2", 1026.41, 32.86, 70272);
    row("gpt-oss-20b", 20.91, 4.19, 49152);
    row("gpt-oss-120b", 116.83, 5.71, 73728);
    // Published: 480/35, 80/3, 397/17, 122/10, 27; 400/17, 109/17 (with vision); 106/12, 355/32 (with a prediction
    // layer), 744/40; 671/37, 1600/49, 284/13, 16.4/2.8; 230/10, 456/45.9; 21/3; 132/36; 52/12; 6.9/1.3; 41.9/6.6;
    // 14.3/2.7; 9.24; 27 (text); 25.2/3.8; 30.7; 31.6/3.6 (with embeddings); 120/12; 56; 32/9; 48/3; 389/52; 316/38;
    // 309/15; 560/27; 314/86; 12.2. From the models' cards and reports.
    row("Qwen3-Coder-480B-A35B", 480.15, 35.47, 253952);
    row("Qwen3-Next-80B-A3B", 79.674391296, 3.874929408, 24576);
    row("Qwen3.5-397B-A17B", 396.346, 17.349, 30720);
    row("Qwen3.5-122B-A10B", 122.112, 9.771, 24576);
    row("Qwen3.6-27B", 26.896, 26.896, 65536);
    row("Llama-4-Maverick", 400.71, 17.185, 196608);
    row("Llama-4-Scout", 107.770, 17.173, 196608);
    row("GLM-4.5-Air", 106.85, 13.42, 188416);
    row("GLM-4.5", 352.798, 33.632, 376832);
    row("GLM-5.1", 743.911, 41.785, 89856);
    row("DeepSeek-V3.2", 671.877944064, 38.403822336, 70272);
    row("DeepSeek-V4-Pro", 1572.997, 49.779, 7928);
    row("DeepSeek-V4-Flash", 284.332, 13.800, 7584);
    row("DeepSeek-MoE-16B", 16.38, 2.83, 229376);
    row("MiniMax-M2", 228.689764864, 11.030553088, 253952);
    row("MiniMax-M1", 456.090, 48.403, 40960);
    row("ERNIE-4.5-21B-A3B", 21.83, 3.35, 57344);
    row("DBRX", 131.60, 36.47, 163840);
    row("Jamba-1.5-Mini", 51.57, 12.11, 16384);
    row("OLMoE-1B-7B", 6.92, 1.28, 131072);
    row("Phi-3.5-MoE", 41.87, 6.64, 131072);
    row("Qwen1.5-MoE-A2.7B", 14.32, 2.69, 196608);
    row("Gemma-2-9B", 9.24, 9.24, 344064);
    row("Gemma-3-27B", 27.01, 27.01, 507904);
    row("Gemma-4-26B-A4B", 25.233, 3.822, 215040);
    row("Gemma-4-31B", 30.697, 30.697, 860160);
    row("Nemotron-3-Nano-30B-A3B", 31.578, 3.580, 6144);
    row("Nemotron-3-Super-120B-A12B", 120.669, 12.770, 8192);
    row("Nemotron-H-56B", 56.324, 56.324, 40960);
    row("Granite-4.0-H-Small", 32.207, 8.803, 16384);
    row("Kimi-Linear-48B-A3B", 49.123, 3.484, 8064);
    row("Hunyuan-Large", 388.698, 51.319, 81920);
    row("Step-3", 316.295, 38.841, 62464);
    row("MiMo-V2-Flash", 308.779, 15.446, 222720);
    row("LongCat-Flash", 560.621, 27.911, 64512);
    row("Grok-1", 315.685, 83.757, 262144);
    row("Mistral-Nemo-12B", 12.2477824, 12.2477824, 163840);
}

void TestBuiltinModels::publishedCounts() {
    QFETCH(QString, name);
    QFETCH(double, total);
    QFETCH(double, active);
    QFETCH(double, kv);
    const ModelShape* model = find(name);
    QVERIFY(model != nullptr);
    const ParameterCount count = count_parameters(*model);
    QVERIFY2(std::abs(static_cast<double>(count.total) / 1e9 - total) < 0.00501,
             qPrintable(QString::number(count.total)));
    QVERIFY2(std::abs(static_cast<double>(count.active) / 1e9 - active) < 0.00501,
             qPrintable(QString::number(count.active)));
    QCOMPARE(kv_bytes_per_token(*model, Dtype::bf16).si(), kv);
}

void TestBuiltinModels::deepseekRoutesInGroups() {
    const ModelShape* v3 = find("DeepSeek-V3");
    QVERIFY(v3 != nullptr);
    QCOMPARE(v3->kinds.size(), std::size_t{2});
    QCOMPARE(std::count(v3->layers.begin(), v3->layers.end(), 0), 3);
    QCOMPARE(v3->kinds[1].feed_forward.experts->groups, 8);
    QCOMPARE(v3->kinds[1].feed_forward.experts->group_limit, 4);
    QCOMPARE(v3->next_token_modules, 1);
    QCOMPARE(v3->stored, Dtype::fp8);
    QCOMPARE(find("DeepSeek-V2-Lite")->kinds[1].feed_forward.experts->groups, 1);
    QCOMPARE(find("gpt-oss-120b")->kinds[0].attention.window.value_or(0), 128);
    QVERIFY(!find("gpt-oss-120b")->kinds[1].attention.window);
}

void TestBuiltinModels::growingCaches() {
    // Layers that keep everything: 10 of 62, 5 of 30 with one vector as key and value, 9 of 48.
    QCOMPARE(growing_kv_bytes_per_token(*find("Gemma-3-27B"), Dtype::bf16).si(), 81920.0);
    QCOMPARE(growing_kv_bytes_per_token(*find("Gemma-4-26B-A4B"), Dtype::bf16).si(), 10240.0);
    QCOMPARE(growing_kv_bytes_per_token(*find("MiMo-V2-Flash"), Dtype::bf16).si(), 9.0 * 4 * (192 + 128) * 2);
    QCOMPARE(cache_bytes(*find("Gemma-4-26B-A4B"), 1 << 17, Dtype::bf16).windowed.si(), 209715200.0);
    // 36 states of 32 x 128 x 128 numbers in fp32, and three taps of 8192 channels in 16 bits.
    QCOMPARE(cache_bytes(*find("Qwen3-Next-80B-A3B"), 1, Dtype::bf16).constant.si(), 36.0 * (2097152 + 49152));
    QCOMPARE(find("DeepSeek-V4-Pro")->next_token_modules, 1);
}

QTEST_APPLESS_MAIN(TestBuiltinModels)
#include "tst_builtin_models.moc"
