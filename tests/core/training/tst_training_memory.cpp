// Activations and states against Korthikanti et al. 2022 (arXiv 2205.05198), and conventions of counting FLOPs.
#include <QtTest>

#include "core/training/memory.hpp"
#include "core/training/model_flops.hpp"
#include "core/training/passes.hpp"

using namespace crosspoint;

namespace {

constexpr double GiB = 1024.0 * 1024 * 1024;

ModelShape gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
    ModelShape m;
    m.name = "GPT";
    m.hidden = hidden;
    m.vocabulary = 51200;
    m.tied_embeddings = true;
    LayerShape layer;
    layer.attention.q_heads = layer.attention.kv_heads = heads;
    layer.attention.head_dim = hidden / heads;
    layer.feed_forward.width = 4 * hidden;
    layer.feed_forward.gated = false;
    m.kinds = {layer};
    m.layers.assign(std::size_t(layers), 0);
    return m;
}

Scenario scenario(ModelShape model, std::int64_t tensor, std::int64_t pipeline, std::int64_t interleave,
                  std::int64_t micro_batch) {
    Scenario s = empty_scenario(nullptr);
    s.model = std::make_shared<const ModelShape>(std::move(model));
    s.layout.tensor = tensor;
    s.layout.pipeline = pipeline;
    s.workload.phase = Phase::training;
    s.workload.context = 2048;
    s.workload.batch = 512;
    Training& t = s.workload.training;
    t.interleave = interleave;
    t.micro_batch = micro_batch;
    t.recompute = Recompute::none;
    t.fused_attention = false;
    t.dropout = true;
    t.sharding = 0;
    return s;
}

double first_stage(const Scenario& s) {
    return training_memory(s, 1, AcceleratorPart{}, false).stages.front().activations.si() / GiB;
}

#define NEAR(actual, expected, share)                                 \
    QVERIFY2(std::abs((actual) - (expected)) <= (share) * (expected), \
             qPrintable(QStringLiteral("%1 against %2").arg(actual, 0, 'g', 8).arg(expected)))

}  // namespace

class TestTrainingMemory : public QObject {
    Q_OBJECT

private slots:
    // One layer: sbh(10 + 24/t + 5as/(ht)) without, 34 sbh/t with sequence parallel and selective recomputation,
    // 2 sbh with full recomputation.
    void oneLayer() {
        Scenario s = scenario(gpt(96, 12288, 96), 8, 1, 1, 1);
        const double sbh = 2048.0 * 12288, a = 96, t = 8;
        NEAR(layer_activations(s, s.model->kinds[0]).si(), sbh * (10 + 24 / t + 5 * a * 2048 / (12288 * t)), 1e-9);
        s.layout.sequence_parallel = true;
        s.workload.training.recompute = Recompute::selective;
        NEAR(layer_activations(s, s.model->kinds[0]).si(), 34 * sbh / t, 1e-9);
        s.layout.sequence_parallel = false;
        s.workload.training.recompute = Recompute::full;
        NEAR(layer_activations(s, s.model->kinds[0]).si(), 2 * sbh, 1e-9);
    }

    // Figure 1 of the paper, as calculon-ai/calculon validation/validation.py has its numbers (GiB a GPU).
    void figureOne_data() {
        QTest::addColumn<QVector<qint64>>("sizes");  // layers, hidden, heads, t, p, interleave, micro-batch
        QTest::addColumn<double>("states");
        QTest::addColumn<double>("plain");
        QTest::addColumn<double>("selective");
        QTest::newRow("22B") << QVector<qint64>{48, 6144, 64, 8, 1, 1, 4} << 45.5625 << 59.25 << 0.0;
        QTest::newRow("175B") << QVector<qint64>{96, 12288, 96, 8, 8, 3, 1} << 45.5625 << 66.84 << 12.35;
        QTest::newRow("530B") << QVector<qint64>{105, 20480, 128, 8, 35, 3, 1} << 0.0 << 114.02 << 23.08;
        QTest::newRow("1T") << QVector<qint64>{128, 25600, 160, 8, 64, 1, 1} << 32.96 << 0.0 << 26.56;
    }
    void figureOne() {
        QFETCH(QVector<qint64>, sizes);
        QFETCH(double, states);
        QFETCH(double, plain);
        QFETCH(double, selective);
        Scenario s = scenario(gpt(sizes[0], sizes[1], sizes[2]), sizes[3], sizes[4], sizes[5], sizes[6]);
        if (plain > 0) NEAR(first_stage(s), plain, 0.02);
        if (states > 0) {
            const auto m = training_memory(s, 1, AcceleratorPart{}, false);
            const auto& stage = m.stages[m.stages.size() / 2];
            NEAR((stage.dense_weights + stage.embeddings + stage.gradients + stage.optimiser).si() / GiB, states, 0.02);
        }
        s.layout.sequence_parallel = true;
        s.workload.training.recompute = Recompute::selective;
        if (selective > 0) NEAR(first_stage(s), selective, 0.02);
    }

    // ZeRO stages: 2 + 4 + 12 bytes a number, each divided by the data-parallel ranks from its stage on
    // (Rajbhandari et al. 2020, arXiv 1910.02054, with fp32 gradients).
    void shardingDividesStates() {
        Scenario s = scenario(gpt(4, 1024, 8), 1, 1, 1, 1);
        const double numbers = held_weights(s, 0).dense;
        const auto of = [&](int sharding) {
            s.workload.training.sharding = sharding;
            const auto m = training_memory(s, 8, AcceleratorPart{}, false).stages[0];
            return (m.dense_weights + m.embeddings + m.gradients + m.optimiser).si() / numbers;
        };
        NEAR(of(0), 18.0, 1e-9);
        NEAR(of(1), 2 + 4 + 12 / 8.0, 1e-9);
        NEAR(of(2), 2 + (4 + 12) / 8.0, 1e-9);
        NEAR(of(3), 18 / 8.0, 1e-9);
    }

    // 72 B s L h^2 (1 + s/(6h) + V/(12 L h)): Narayanan et al. 2021, section 5.1 (without recomputation).
    void modelFlops() {
        const ModelShape m = gpt(96, 12288, 96);
        const double L = 96, h = 12288, s = 2048, V = 51200;
        const double expected = 72 * L * h * h * (1 + s / (6 * h) + V / (12 * L * h));
        NEAR(model_flops(m, 2048).full().si(), expected, 2e-4);  // norms are in the weights here
    }

    void goodputOfDaly() {
        Training t;
        QCOMPARE(goodput(t).share, 1.0);
        t.time_between_failures = Seconds(7.9 * 3600);  // 1024 GPUs: Meta's reliability study 2024
        t.checkpoint_time = Seconds(60);
        t.restart_time = Seconds(600);
        const Goodput g = goodput(t);
        NEAR(g.interval.si(), std::sqrt(2 * 60 * 7.9 * 3600), 1e-12);
        QVERIFY(g.share > 0.9 && g.share < 0.96);
    }
};

QTEST_APPLESS_MAIN(TestTrainingMemory)
#include "tst_training_memory.moc"
