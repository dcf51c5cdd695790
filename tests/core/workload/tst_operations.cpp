#include <QtTest>

#include "core/model/experts.hpp"
#include "core/model/shapes.hpp"
#include "core/workload/operations.hpp"

using namespace crosspoint;

namespace {

struct Case {
    ModelShape model;
    Parallelism layout;
    Precision precision;
    Workload workload;

    [[nodiscard]] StepShape step() const { return step_shape(workload, layout, 1); }
    [[nodiscard]] std::vector<Operation> layer(std::size_t kind) const {
        return layer_operations(model, model.kinds[kind], layout, precision, workload, step());
    }
};

Case decode(ModelShape model, std::int64_t batch, std::int64_t context) {
    Case c;
    c.model = std::move(model);
    c.workload.batch = batch;
    c.workload.context = context;
    return c;
}

Case prefill(ModelShape model, std::int64_t batch, std::int64_t prompt) {
    Case c = decode(std::move(model), batch, prompt);
    c.workload.phase = Phase::prefill;
    return c;
}

int index_of(const std::vector<Operation>& operations, std::string_view id) {
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (operations[i].id == id) return static_cast<int>(i);
    return -1;
}

/// The operation, or an empty one whose id fails the comparison that follows.
Operation find(const std::vector<Operation>& operations, std::string_view id) {
    const int at = index_of(operations, id);
    return at < 0 ? Operation{} : operations[static_cast<std::size_t>(at)];
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

}  // namespace

class TestOperations : public QObject {
    Q_OBJECT
private slots:
    void prefillFlopsAreTwiceTheParameters();
    void prefillOfLatentAttention();
    void weightBytesAreTheParameters_data();
    void weightBytesAreTheParameters();
    void latentDecodeIsComputeIntense();
    void cacheIsSplitByKvHeadsOnly();
    void latentCacheIsReplicated();
    void windowCapsTheContext();
    void causalWindow();
    void tensorMessages();
    void sequenceParallelReplacesAllReduce();
    void dispatchMessages();
    void expertsReadOnlyThoseHit();
    void imbalanceMultipliesFlopsOfExpertsOnly();
    void sharedExpertsDoNotWaitForDispatch();
    void expertTensorFormsKeepTheWork();
    void operationsAreWellFormed_data();
    void operationsAreWellFormed();
    void headCountsLogitsOfTheLastToken();
    void stepShapes();
};

void TestOperations::prefillFlopsAreTwiceTheParameters() {
    // 2 N a token for every matrix, plus 4 x hidden x n / 2 for causal attention: Kaplan et al. (arXiv 2001.08361),
    // table 1, with half of the scores masked.
    const Case c = prefill(shapes::llama_8b(), 2, 1000);
    double flops = 0;
    for (const Operation& op : c.layer(0)) flops += op.flops.si();
    const ParameterCount count = count_parameters(c.model, c.model.kinds[0]);
    const double matrices = static_cast<double>(count.attention + count.dense_feed_forward);
    QVERIFY(close(flops, 2 * matrices * 2000 + 4.0 * 32 * 128 * 500 * 2000));
    QVERIFY(close(find(c.layer(0), "attention.core").flops.si(), 4.0 * 32 * 128 * 500 * 2000));
}

void TestOperations::prefillOfLatentAttention() {
    const Case c = prefill(shapes::deepseek_v3(), 1, 1000);
    double flops = 0;
    for (const Operation& op : c.layer(0)) flops += op.flops.si();
    const ParameterCount count = count_parameters(c.model, c.model.kinds[0]);
    const double matrices = static_cast<double>(count.attention - 1536 - 512 + count.dense_feed_forward);
    QVERIFY(close(flops, 2 * matrices * 1000 + 2.0 * 128 * 500 * (128 + 64 + 128) * 1000));
}

void TestOperations::weightBytesAreTheParameters_data() {
    QTest::addColumn<ModelShape>("model");
    QTest::newRow("Llama-3.1-8B") << shapes::llama_8b();
    QTest::newRow("DeepSeek-V3") << shapes::deepseek_v3();
    QTest::newRow("Mixtral-8x7B") << shapes::mixtral_8x7b();
    QTest::newRow("gpt-oss-20b") << shapes::gpt_oss(24, 32);
}

void TestOperations::weightBytesAreTheParameters() {
    // One sequence on one accelerator reads every weight that a token uses, once.
    QFETCH(ModelShape, model);
    const Case c = decode(model, 1, 1000);
    double bytes = 0;
    for (const int kind : model.layers) bytes += weights(c.layer(static_cast<std::size_t>(kind)));
    const ParameterCount count = count_parameters(model);
    const double in_layers = static_cast<double>(count.active - count.embedding - count.head - model.hidden);
    QVERIFY(close(bytes, 2 * in_layers));
}

void TestOperations::latentDecodeIsComputeIntense() {
    // Cost model section 5: 242 FLOP/byte with 128 query heads on one device at bf16; an eighth at tensor 8.
    Case c = decode(shapes::deepseek_v3(), 64, 100000);
    Operation core = find(c.layer(1), "attention.core");
    QVERIFY(close(core.flops.si() / core.cache_bytes.si(), 242, 2e-3));
    QCOMPARE(core.flops.si(), 2.0 * 128 * 100000 * (2 * 512 + 64) * 64);
    c.layout.tensor = 8;
    core = find(c.layer(1), "attention.core");
    QVERIFY(close(core.flops.si() / core.cache_bytes.si(), 242 / 8.0, 2e-3));
}

void TestOperations::cacheIsSplitByKvHeadsOnly() {
    // 8 KV heads: tensor 4 reads a quarter, tensor 16 no less than an eighth.
    Case c = decode(shapes::llama_70b(), 4, 1000);
    const auto cache = [&](int tensor) {
        c.layout.tensor = tensor;
        return find(c.layer(0), "attention.core").cache_bytes.si();
    };
    const double one = cache(1);
    QVERIFY(close(one, 4 * 1001 * 2.0 * 8 * 128 * 2));
    QVERIFY(close(cache(4), one / 4));
    QVERIFY(close(cache(8), one / 8));
    QVERIFY(close(cache(16), one / 8));
}

void TestOperations::latentCacheIsReplicated() {
    Case c = decode(shapes::deepseek_v3(), 4, 1000);
    const double one = find(c.layer(0), "attention.core").cache_bytes.si();
    QVERIFY(close(one, 4 * 1001 * 576.0 * 2));
    c.layout.tensor = 8;
    QVERIFY(close(find(c.layer(0), "attention.core").cache_bytes.si(), one));
}

void TestOperations::windowCapsTheContext() {
    const Case c = decode(shapes::gpt_oss(24, 32), 1, 8192);
    QVERIFY(close(find(c.layer(0), "attention.core").flops.si(), 4.0 * 64 * 64 * 128));
    QVERIFY(close(find(c.layer(0), "attention.core").cache_bytes.si(), 129 * 2.0 * 8 * 64 * 2));
    QVERIFY(close(find(c.layer(1), "attention.core").flops.si(), 4.0 * 64 * 64 * 8192));
}

void TestOperations::causalWindow() {
    // Token i of n sees min(i, w): the mean over 1000 with w 128 is 128 - 128^2 / 2000 = 119.808.
    const Case c = prefill(shapes::gpt_oss(24, 32), 1, 1000);
    QVERIFY(close(find(c.layer(0), "attention.core").flops.si(), 4.0 * 1000 * 64 * 64 * 119.808));
    const Case shorter = prefill(shapes::gpt_oss(24, 32), 1, 100);
    QVERIFY(close(find(shorter.layer(0), "attention.core").flops.si(), 4.0 * 100 * 64 * 64 * 50));
}

void TestOperations::tensorMessages() {
    // Cost model section 1: hidden 8192 in bf16 is 16 KiB a message at batch 1; two collectives a layer.
    Case c = decode(shapes::llama_70b(), 1, 1000);
    c.layout.tensor = 8;
    int messages = 0;
    for (const Operation& op : c.layer(0)) {
        if (!op.communication) continue;
        ++messages;
        QCOMPARE(op.communication->op, CollectiveOp::all_reduce);
        QCOMPARE(op.communication->group, GroupKind::tensor);
        QCOMPARE(op.communication->bytes.si(), 16384.0);
    }
    QCOMPARE(messages, 2);
    c.layout.tensor = 1;
    for (const Operation& op : c.layer(0)) QVERIFY(!op.communication);
}

void TestOperations::sequenceParallelReplacesAllReduce() {
    Case c = decode(shapes::llama_70b(), 16, 1000);
    c.layout.tensor = 8;
    const double plain = find(c.layer(0), "attention.norm").activation_bytes.si();
    c.layout.sequence_parallel = true;
    const auto ops = c.layer(0);
    std::vector<CollectiveOp> kinds;
    for (const Operation& op : ops)
        if (op.communication) kinds.push_back(op.communication->op);
    const std::vector<CollectiveOp> expected{CollectiveOp::all_gather, CollectiveOp::reduce_scatter,
                                             CollectiveOp::all_gather, CollectiveOp::reduce_scatter};
    QVERIFY(kinds == expected);
    QVERIFY(close(find(ops, "attention.norm").activation_bytes.si(), plain / 8));
    QCOMPARE(find(ops, "ffn.reduce").communication->bytes.si(), 16.0 * 8192 * 2);
}

void TestOperations::dispatchMessages() {
    // 32 sequences on each of 32 ranks, top 8, hidden 7168: 1 B out, 2 B back.
    Case c = decode(shapes::deepseek_v3(), 1024, 4096);
    c.layout.attention_data = c.layout.expert = 32;
    c.precision.dispatch = Dtype::fp8;
    const auto ops = c.layer(1);
    const Communication out = find(ops, "experts.dispatch").communication.value_or(Communication{});
    QCOMPARE(out.bytes.si(), 32.0 * 8 * 7168);
    QCOMPARE(out.tokens, 32.0);
    QCOMPARE(out.top_k, 8.0);
    QCOMPARE(out.token_bytes.si(), 7168.0);
    QCOMPARE(out.group, GroupKind::expert);
    QCOMPARE(find(ops, "experts.combine").communication->bytes.si(), 32.0 * 8 * 7168 * 2);
    QCOMPARE(find(ops, "experts.dispatch").label, std::string("dispatch fp8"));
    QCOMPARE(index_of(ops, "experts.reduce"), -1);
    QCOMPARE(index_of(c.layer(0), "experts.dispatch"), -1);
}

void TestOperations::expertsReadOnlyThoseHit() {
    Case c = decode(shapes::deepseek_v3(), 64, 4096);
    c.layout.attention_data = c.layout.expert = 32;
    c.precision.experts = Dtype::fp8;
    const Operation routed = find(c.layer(1), "experts.routed");
    // 8 local experts, all 64 tokens of the group: 8 (1 - (31/32)^64) = 6.9514 experts of 3 x 7168 x 2048 bytes.
    const double read = distinct_experts(8, 256, 8, 64);
    QVERIFY(close(read, 6.9514, 1e-4));
    QVERIFY(close(routed.weight_bytes.si(), read * 3 * 7168 * 2048));
    // 2 tokens a rank x 8 assignments; m of each product is 16 over the experts hit.
    QVERIFY(close(routed.flops.si(), 2.0 * 3 * 16 * 7168 * 2048));
    QVERIFY(close(routed.rows, 16 / read));
}

void TestOperations::imbalanceMultipliesFlopsOfExpertsOnly() {
    // 8 assignments a rank on 32 ranks: 1.798 (cost model section 5).
    Case c = decode(shapes::deepseek_v3(), 32, 4096);
    c.layout.attention_data = c.layout.expert = 32;
    const auto ops = c.layer(1);
    QVERIFY(close(find(ops, "experts.routed").imbalance, 1.798, 1.2e-3));
    for (const Operation& op : ops)
        if (op.id != "experts.routed") QCOMPARE(op.imbalance, 1.0);
    const double uniform = find(ops, "experts.routed").imbalance;
    c.workload.expert_cv = 0.5;
    QVERIFY(find(c.layer(1), "experts.routed").imbalance > uniform * 1.1);
    QCOMPARE(find(c.layer(1), "experts.routed").weight_bytes.si(), find(ops, "experts.routed").weight_bytes.si());
}

void TestOperations::sharedExpertsDoNotWaitForDispatch() {
    Case c = decode(shapes::deepseek_v3(), 64, 4096);
    c.layout.attention_data = c.layout.expert = 32;
    const auto ops = c.layer(1);
    const int router = index_of(ops, "experts.router"), dispatch = index_of(ops, "experts.dispatch");
    QVERIFY(router >= 0 && dispatch > router);
    QCOMPARE(find(ops, "experts.shared").after, std::vector<int>{router});
    QCOMPARE(find(ops, "experts.routed").after, std::vector<int>{dispatch});
    QCOMPARE(find(ops, "experts.combine").after, std::vector<int>{index_of(ops, "experts.routed")});
}

void TestOperations::expertTensorFormsKeepTheWork() {
    // The same 8 accelerators and 64 tokens: FLOPs of routed experts per accelerator do not depend on the form.
    const auto routed_flops = [](int tensor, int data, int expert, int expert_tensor) {
        Case c = decode(shapes::mixtral_8x7b(), 64, 1000);
        c.layout.tensor = tensor;
        c.layout.attention_data = data;
        c.layout.expert = expert;
        c.layout.expert_tensor = expert_tensor;
        return find(c.layer(0), "experts.routed").flops.si();
    };
    const double expected = 2.0 * 3 * 64 * 2 * 4096 * 14336 / 8;
    QVERIFY(close(routed_flops(8, 1, 1, 8), expected));
    QVERIFY(close(routed_flops(8, 1, 8, 1), expected));
    QVERIFY(close(routed_flops(1, 8, 8, 1), expected));
    QVERIFY(close(routed_flops(1, 8, 1, 8), expected));
    QVERIFY(close(routed_flops(2, 4, 4, 2), expected));
    QVERIFY(close(routed_flops(4, 2, 4, 2), expected));
    Case c = decode(shapes::mixtral_8x7b(), 64, 1000);
    c.layout.tensor = c.layout.expert_tensor = 8;
    QCOMPARE(index_of(c.layer(0), "experts.dispatch"), -1);
    QCOMPARE(find(c.layer(0), "experts.reduce").communication->op, CollectiveOp::all_reduce);
    c.layout.tensor = 1;
    c.layout.attention_data = 8;
    QCOMPARE(find(c.layer(0), "experts.gather").communication->bytes.si(), 64.0 * 4096 * 2);
    QCOMPARE(find(c.layer(0), "experts.scatter").communication->group, GroupKind::expert_tensor);
}

void TestOperations::operationsAreWellFormed_data() {
    QTest::addColumn<ModelShape>("model");
    QTest::addColumn<bool>("sequence_parallel");
    for (const bool parallel : {false, true}) {
        const char* suffix = parallel ? "sequence parallel" : "plain";
        QTest::addRow("llama %s", suffix) << shapes::llama_8b() << parallel;
        QTest::addRow("deepseek %s", suffix) << shapes::deepseek_v3() << parallel;
        QTest::addRow("gpt-oss %s", suffix) << shapes::gpt_oss(24, 32) << parallel;
    }
}

void TestOperations::operationsAreWellFormed() {
    QFETCH(ModelShape, model);
    QFETCH(bool, sequence_parallel);
    for (const Phase phase : {Phase::decode, Phase::prefill}) {
        Case c = decode(model, 0, 0);
        c.workload.phase = phase;
        c.layout.sequence_parallel = sequence_parallel;
        for (const std::int64_t batch : {0, 1, 7, 4096}) {
            for (const int tensor : {1, 4}) {
                c.workload.batch = batch;
                c.workload.context = batch * 10;
                c.layout.tensor = tensor;
                c.layout.attention_data = 2;
                c.layout.expert = 2 * tensor;
                for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
                    const auto ops = c.layer(kind);
                    QVERIFY(ops.size() > 5);
                    for (std::size_t i = 0; i < ops.size(); ++i) {
                        const Operation& op = ops[i];
                        QVERIFY2(std::isfinite(op.flops.si()) && op.flops.si() >= 0, op.id.c_str());
                        QVERIFY2(std::isfinite(op.memory_bytes().si()) && op.memory_bytes().si() >= 0, op.id.c_str());
                        QVERIFY2(std::isfinite(op.imbalance) && op.imbalance >= 1, op.id.c_str());
                        QVERIFY2(!op.label.empty() && !op.formula.empty(), op.id.c_str());
                        QCOMPARE(op.communication.has_value(), op.kind == OpKind::communication);
                        for (const int before : op.after)
                            QVERIFY2(before >= 0 && before < static_cast<int>(i), op.id.c_str());
                        QCOMPARE(index_of(ops, op.id), static_cast<int>(i));
                    }
                }
            }
        }
    }
}

void TestOperations::headCountsLogitsOfTheLastToken() {
    const Case c = prefill(shapes::llama_8b(), 2, 1000);
    Parallelism layout;
    layout.tensor = 4;
    const auto ops = head_operations(c.model, layout, c.precision, c.step());
    QVERIFY(close(find(ops, "head.logits").flops.si(), 2.0 * 2 * 4096 * 128256 / 4));
    QVERIFY(close(find(ops, "head.logits").weight_bytes.si(), 4096.0 * 128256 / 4 * 2));
    QVERIFY(close(find(ops, "head.embedding").weight_bytes.si(), 2000.0 * 4096 * 2));
    QCOMPARE(find(ops, "head.gather").communication->bytes.si(), 2.0 * 128256 * 2);
    QCOMPARE(find(ops, "head.sampling").id, std::string("head.sampling"));
}

void TestOperations::stepShapes() {
    Workload workload;
    workload.batch = 65;
    Parallelism layout;
    layout.attention_data = 32;
    QCOMPARE(step_shape(workload, layout, 1).sequences, 3.0);  // of the fullest rank
    QCOMPARE(step_shape(workload, layout, 2).sequences, 1.5);
    QCOMPARE(step_shape(workload, layout, 1).tokens(), 3.0);
    QVERIFY(!step_shape(workload, layout, 1).causal);
    workload.phase = Phase::prefill;
    QCOMPARE(step_shape(workload, layout, 1).tokens(), 3.0 * 4096);
    QVERIFY(step_shape(workload, layout, 1).causal);
    QCOMPARE(step_shape(workload, layout, 0).sequences, 3.0);
}

QTEST_APPLESS_MAIN(TestOperations)
#include "tst_operations.moc"
