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
    QCOMPARE(models_.size(), std::size_t{19});
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

QTEST_APPLESS_MAIN(TestBuiltinModels)
#include "tst_builtin_models.moc"
