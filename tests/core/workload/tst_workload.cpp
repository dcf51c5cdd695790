#include <QtTest>

#include "core/model/shapes.hpp"
#include "core/workload/workload.hpp"

using namespace crosspoint;

namespace {
Parallelism degrees(int tensor, int data, int expert, int expert_tensor, int pipeline = 1) {
    Parallelism p;
    p.tensor = tensor;
    p.attention_data = data;
    p.expert = expert;
    p.expert_tensor = expert_tensor;
    p.pipeline = pipeline;
    return p;
}
}  // namespace

class TestWorkload : public QObject {
    Q_OBJECT
private slots:
    void factsOfAValidLayout();
    void factsCountReplicasAndIdle();
    void denseModelIgnoresMatchingExpertDegree();
    void wrongLayoutsNameTheProduct_data();
    void wrongLayoutsNameTheProduct();
    void words();
};

void TestWorkload::factsOfAValidLayout() {
    const auto facts = layout_facts(degrees(1, 32, 32, 1), shapes::deepseek_v3(), 32);
    QVERIFY(facts.has_value());
    QCOMPARE(facts->message, std::string("32 ranks on 32 accelerators: TP 1 x DP-attention 32, EP 32, PP 1"));
    QCOMPARE(facts->replicas, 1);
    QCOMPARE(facts->idle, 0);
}

void TestWorkload::factsCountReplicasAndIdle() {
    const auto facts = layout_facts(degrees(8, 1, 1, 8), shapes::mixtral_8x7b(), 72 + 4);
    QVERIFY(facts.has_value());
    QCOMPARE(facts->replica_size, 8);
    QCOMPARE(facts->replicas, 9);
    QCOMPARE(facts->idle, 4);
    QCOMPARE(facts->message,
             std::string(
                 "72 ranks on 76 accelerators: TP 8 x DP-attention 1, EP 1 x expert-TP 8, PP 1, 9 replicas, 4 idle"));
    Parallelism two = degrees(4, 1, 1, 1);
    two.replicas = 2;
    QCOMPARE(layout_facts(two, shapes::llama_8b(), 16)->idle, 8);
}

void TestWorkload::denseModelIgnoresMatchingExpertDegree() {
    QVERIFY(validate(degrees(2, 4, 4, 1), shapes::llama_8b(), 8).has_value());
    QVERIFY(validate(degrees(2, 4, 4, 2), shapes::llama_8b(), 8).has_value());
    QVERIFY(!validate(degrees(2, 4, 8, 1), shapes::llama_8b(), 8).has_value());
}

void TestWorkload::wrongLayoutsNameTheProduct_data() {
    QTest::addColumn<Parallelism>("layout");
    QTest::addColumn<ModelShape>("model");
    QTest::addColumn<int>("accelerators");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("hint");
    QTest::newRow("products") << degrees(4, 2, 4, 1) << shapes::deepseek_v3() << 8
                              << "tensor 4 x attention-data 2 = 8 ranks in a stage, but expert 4 x expert-tensor 1 = 4"
                              << "set expert to 8";
    QTest::newRow("query heads") << degrees(12, 1, 1, 1) << shapes::llama_8b() << 16
                                 << "tensor 12 does not divide the 32 query heads"
                                 << "8";
    QTest::newRow("experts") << degrees(1, 3, 3, 1) << shapes::mixtral_8x7b() << 8
                             << "expert 3 does not divide the 8 routed experts"
                             << "2";
    QTest::newRow("width") << degrees(1, 7, 1, 7) << shapes::gpt_oss(24, 32) << 64
                           << "expert-tensor 7 does not divide the 2880 columns of an expert"
                           << "6";
    QTest::newRow("pipeline") << degrees(1, 1, 1, 1, 33) << shapes::llama_8b() << 64
                              << "pipeline 33 is more than the 32 layers"
                              << "32";
    QTest::newRow("too large") << degrees(8, 1, 1, 1, 2) << shapes::llama_8b() << 8
                               << "tensor 8 x attention-data 1 x pipeline 2 = 16 accelerators a replica, but 8"
                               << "draw more";
    QTest::newRow("zero") << degrees(0, 1, 1, 1) << shapes::llama_8b() << 8 << "The tensor degree is 0"
                          << "1 or more";
    QTest::newRow("huge") << degrees(65536, 65537, 1, 1) << shapes::llama_8b() << 8
                          << "The attention-data degree is 65537"
                          << "";
    QTest::newRow("dense") << degrees(1, 1, 8, 1) << shapes::llama_8b() << 8
                           << "expert 8 x expert-tensor 1 for a model without experts"
                           << "Set both to 1";
    QTest::newRow("nesting") << degrees(4, 3, 2, 6) << shapes::gpt_oss(24, 32) << 12
                             << "tensor 4 and expert-tensor 6: neither divides"
                             << "nest";
    Parallelism replicas = degrees(4, 1, 1, 1);
    replicas.replicas = 3;
    QTest::newRow("replicas") << replicas << shapes::llama_8b() << 8 << "3 replicas of tensor 4"
                              << "2 or fewer";
    QTest::newRow("none drawn") << degrees(1, 1, 1, 1) << shapes::llama_8b() << 0 << "but 0 are drawn"
                                << "";
}

void TestWorkload::wrongLayoutsNameTheProduct() {
    QFETCH(Parallelism, layout);
    QFETCH(ModelShape, model);
    QFETCH(int, accelerators);
    QFETCH(QString, message);
    QFETCH(QString, hint);
    const auto result = validate(layout, model, accelerators);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::layout);
    QVERIFY2(QString::fromStdString(result.error().message).contains(message), result.error().message.c_str());
    QVERIFY2(QString::fromStdString(result.error().hint).contains(hint), result.error().hint.c_str());
}

void TestWorkload::words() {
    QCOMPARE(to_string(Phase::prefill), std::string_view("prefill"));
    QCOMPARE(to_string(ParallelDimension::attention_data), std::string_view("attention-data"));
}

QTEST_APPLESS_MAIN(TestWorkload)
#include "tst_workload.moc"
