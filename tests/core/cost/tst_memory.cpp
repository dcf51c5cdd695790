// Memory per stage and rank against published totals and numbers worked by hand.
#include "core/cost/memory.hpp"

#include <QtTest>

#include "core/units/text.hpp"

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {

bool close(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

LayerShape grouped_layer(std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim, std::int64_t width) {
    LayerShape layer;
    layer.attention.q_heads = heads;
    layer.attention.kv_heads = kv_heads;
    layer.attention.head_dim = head_dim;
    layer.feed_forward.width = width;
    return layer;
}

ModelShape uniform(std::string name, std::int64_t hidden, std::int64_t vocabulary, LayerShape layer, int layers) {
    ModelShape m;
    m.name = std::move(name);
    m.hidden = hidden;
    m.vocabulary = vocabulary;
    m.kinds = {std::move(layer)};
    m.layers.assign(std::size_t(layers), 0);
    return m;
}

/// Source: meta-llama/Llama-3.1-70B config.json.
ModelShape llama_70b() { return uniform("Llama-3.1-70B", 8192, 128256, grouped_layer(64, 8, 128, 28672), 80); }

/// Source: deepseek-ai/DeepSeek-V3 config.json.
ModelShape deepseek_v3() {
    LayerShape dense;
    dense.attention.kind = AttentionKind::latent;
    dense.attention.q_heads = dense.attention.kv_heads = 128;
    dense.attention.latent = LatentAttention{1536, 512, 64, 128, 128};
    dense.feed_forward.width = 18432;
    LayerShape sparse = dense;
    sparse.feed_forward.width = 0;
    sparse.feed_forward.experts = ExpertShape{256, 8, 2048, 2048, false, true, false, 8, 4};
    ModelShape m;
    m.name = "DeepSeek-V3";
    m.hidden = 7168;
    m.vocabulary = 129280;
    m.kinds = {dense, sparse};
    m.layers.assign(61, 1);
    m.layers[0] = m.layers[1] = m.layers[2] = 0;
    return m;
}

AcceleratorPart accelerator(Bytes memory) {
    AcceleratorPart p;
    p.id = PartId("test");
    p.memory = {memory, Confidence::datasheet, "test", ""};
    return p;
}

Precision eight_bit() {
    Precision p;
    p.weights = p.experts = p.cache = p.dispatch = Dtype::fp8;
    return p;
}

Workload decode(std::int64_t batch, std::int64_t context) {
    Workload w;
    w.batch = batch;
    w.context = context;
    return w;
}

MemoryReport report(const ModelShape& m, const Parallelism& layout, const Precision& precision, const Workload& w,
                    Bytes memory = 80_GB) {
    return memory_report(m, layout, precision, w, Calibration{}, accelerator(memory));
}

Parallelism tensor(std::int64_t degree, std::int64_t pipeline = 1) {
    Parallelism p;
    p.tensor = degree;
    p.pipeline = pipeline;
    return p;
}

Bytes weights(const StageMemory& s) { return s.dense_weights + s.expert_weights + s.embeddings; }

}  // namespace

class TestMemory : public QObject {
    Q_OBJECT
private slots:
    void llamaWeightsAreSplitByTensorRanks() {
        // 70,553,706,496 parameters x 2 B = 141.107 GB, an eighth each; only the 161 norm vectors are not split.
        // Source: the total is that of the published checkpoint of meta-llama/Llama-3.1-70B.
        const auto r = report(llama_70b(), tensor(8), Precision{}, decode(1, 1));
        QCOMPARE(int(r.stages.size()), 1);
        QVERIFY(close(weights(r.stages[0]).si(), 141.107e9 / 8, 1e-3));
        const auto one = report(llama_70b(), tensor(1), Precision{}, decode(1, 1));
        QVERIFY(close(weights(one.stages[0]).si(), 141.107e9, 1e-5));
    }
    void recurrentStateIsConstantAndSplit() {
        // Qwen3-Next's linear layer: 32 states of 128 x 128 in fp32 and three taps of 8192 channels in 16 bits.
        LayerShape layer;
        layer.attention.kind = AttentionKind::linear;
        layer.attention.recurrent = RecurrentShape{RecurrentForm::delta, 16, 32, 128, 128, 4};
        layer.feed_forward.width = 5120;
        const ModelShape m = uniform("linear", 2048, 151936, layer, 36);
        const double state = 36.0 * (32.0 * 128 * 128 * 4 + 3.0 * 8192 * 2);
        for (const std::int64_t context : {1, 100000}) {
            QVERIFY(
                close(report(m, tensor(1), Precision{}, decode(8, context)).stages[0].cache.si(), 8 * state, 1e-12));
            QVERIFY(
                close(report(m, tensor(4), Precision{}, decode(8, context)).stages[0].cache.si(), 2 * state, 1e-12));
        }
        QVERIFY(report(m, tensor(1), Precision{}, decode(8, 1)).longest_context >= 1'000'000);
    }
    void indexerIsOnEveryRank() {
        // DeepSeek-V3.2: 13,959,424 parameters a layer are not split, and 132 B a token lie beside 1152 B.
        ModelShape m = deepseek_v3();
        const auto plain = report(m, tensor(8), Precision{}, decode(1, 1000));
        for (LayerShape& kind : m.kinds) kind.attention.indexer = IndexerShape{64, 128, 2048};
        const auto sparse = report(m, tensor(8), Precision{}, decode(1, 1000));
        QVERIFY(close((weights(sparse.stages[0]) - weights(plain.stages[0])).si(), 61.0 * 13'959'424 * 2, 1e-9));
        QVERIFY(close((sparse.stages[0].cache - plain.stages[0].cache).si(), 61.0 * 132 * 1000, 1e-9));
    }
    void cacheOfOneSequenceIsAsPublished() {
        // 32,768 tokens of Llama-3-70B in int8 are 5.3 GB. Source: jax-ml/scaling-book, applied-inference.md.
        Precision p;
        p.cache = Dtype::int8;
        const auto r = report(llama_70b(), tensor(1), p, decode(1, 32768));
        QVERIFY(close(r.stages[0].cache.si(), 5.3e9, 0.02));
        QVERIFY(close(r.stages[0].cache.si(), 163840.0 * 32768, 1e-12));  // 2 x 8 x 128 x 80 B a token
    }
    void weightsAndCacheOfABatchAreAsPublished() {
        // int8 weights, 32 sequences of 8192 tokens: 112 GB in all. Source: jax-ml/scaling-book, applied-inference.md.
        Precision p;
        p.weights = p.cache = Dtype::int8;
        const auto r = report(llama_70b(), tensor(1), p, decode(32, 8192));
        QVERIFY(close((weights(r.stages[0]) + r.stages[0].cache).si(), 112e9, 0.02));
    }
    void multiHeadCacheIsAsPublished() {
        // 64 layers, 64 heads of 128, fp16: 2,097,152 B a token. Source: kipply, "Transformer Inference Arithmetic".
        const auto m = uniform("52B", 8192, 50000, grouped_layer(64, 64, 128, 32768), 64);
        QCOMPARE(report(m, tensor(1), Precision{}, decode(1, 1)).stages[0].cache.si(), 2097152.0);
    }
    void cacheIsSplitByTheKvHeadsAndNoFurther() {
        // 8 KV heads: 1/8 at tensor 8, still 1/8 at tensor 16 and 64; 3 ranks hold 3 + 3 + 2 heads.
        const double whole = 327680.0;
        const auto at = [&](std::int64_t t) {
            return report(llama_70b(), tensor(t), Precision{}, decode(1, 1)).stages[0].cache.si();
        };
        QCOMPARE(at(8), whole / 8);
        QCOMPARE(at(16), whole / 8);
        QCOMPARE(at(64), whole / 8);
        QCOMPARE(at(3), whole * 3 / 8);
    }
    void keyProjectionsAreReplicatedAboveTheKvHeads() {
        // Going from tensor 8 to 16 halves everything but the K and V projections (2 x 8192 x 1024 x 80 / 8 params).
        const auto at = [&](std::int64_t t) {
            return report(llama_70b(), tensor(t), Precision{}, decode(1, 1)).stages[0].dense_weights.si();
        };
        const double kv = 2.0 * 8192 * 1024 * 80 / 8 * 2, norms = 2.0 * 8192 * 80 * 2;
        QVERIFY(close(at(16) - kv - norms, (at(8) - kv - norms) / 2, 1e-9));
    }
    void latentCacheIsReplicatedOverTensorRanks() {
        // (512 + 64) x 61 x 2 B = 70,272 B a token. Source: DeepSeek-AI, arXiv 2505.09343, table 1.
        const auto m = deepseek_v3();
        for (const std::int64_t t : {1, 8}) {
            QCOMPARE(report(m, tensor(t), Precision{}, decode(1, 1)).stages[0].cache.si(), 70272.0);
        }
    }
    void deepseekWeightsOverExpertRanks() {
        // Routed experts: 58 layers x 256 x 3 x 7168 x 2048 = 653.9 G parameters, 1 B each, over 32 ranks 20.44 GB;
        // everything else (17.11 G) is held by every attention-data rank. Total 671.03 G: DeepSeek-V3 report.
        Parallelism layout;
        layout.attention_data = layout.expert = 32;
        const auto r = report(deepseek_v3(), layout, eight_bit(), decode(32, 4096));
        const double routed = 58.0 * 256 * 3 * 7168 * 2048;
        QVERIFY(close(r.stages[0].expert_weights.si(), routed / 32, 1e-12));
        QVERIFY(close((r.stages[0].dense_weights + r.stages[0].embeddings).si(), 671.03e9 - routed, 2e-3));
    }
    void latentDownProjectionsAreReplicated() {
        // Per layer 7168 x (1536 + 576) parameters stay on each of 8 tensor ranks: 61 layers at 1 B = 923.5 MB.
        const auto at = [&](std::int64_t t) {
            return report(deepseek_v3(), tensor(t), eight_bit(), decode(1, 1)).stages[0].dense_weights.si();
        };
        const double down = 7168.0 * (1536 + 576) * 61;
        const double router_and_norms = 58.0 * (7168 * 256 + 256) + 61.0 * 2 * 7168;
        QVERIFY(close(at(8) - down - router_and_norms, (at(1) - down - router_and_norms) / 8, 1e-9));
    }
    void sequencesAreRoundedUpPerAttentionRank() {
        Parallelism layout;
        layout.attention_data = layout.expert = 4;
        const auto r = report(deepseek_v3(), layout, Precision{}, decode(9, 10));
        QCOMPARE(r.stages[0].cache.si(), 3 * 10 * 70272.0);  // ceil(9 / 4) = 3
    }
    void windowsBoundTheCache() {
        LayerShape windowed = grouped_layer(8, 8, 64, 1024);
        windowed.attention.window = 128;
        ModelShape m = uniform("alternating", 512, 1000, grouped_layer(8, 8, 64, 1024), 4);
        m.kinds.push_back(windowed);
        m.layers = {0, 1, 0, 1};
        // 2 full layers x 1000 + 2 windowed x 128 tokens, 2048 B a token and layer.
        QCOMPARE(report(m, tensor(1), Precision{}, decode(1, 1000)).stages[0].cache.si(), 2048.0 * 2 * (1000 + 128));
    }
    void linearLayersHoldAConstantState() {
        LayerShape linear;
        linear.attention.kind = AttentionKind::linear;
        linear.attention.state_bytes = 4096;
        linear.feed_forward.width = 1024;
        const auto m = uniform("linear", 512, 1000, linear, 4);
        const auto r = report(m, tensor(2), Precision{}, decode(3, 100000));
        QCOMPARE(r.stages[0].cache.si(), 3 * 4 * 4096.0 / 2);
        QCOMPARE(r.longest_context, std::int64_t(1'000'000'000));
    }
    void stagesShareLayersEvenly() {
        QCOMPARE(stage_layers(deepseek_v3(), 4), (std::vector<std::int64_t>{16, 15, 15, 15}));
        QCOMPARE(stage_layers(llama_70b(), 1), (std::vector<std::int64_t>{80}));
        QCOMPARE(stage_layers(ModelShape{}, 3), (std::vector<std::int64_t>{0}));
        QCOMPARE(stage_layers(llama_70b(), 0), (std::vector<std::int64_t>{80}));
    }
    void tablesLieOnTheFirstAndLastStage() {
        const auto r = report(llama_70b(), tensor(1, 4), Precision{}, decode(4, 100));
        const double table = 128256.0 * 8192 * 2;
        QCOMPARE(r.stages[0].embeddings.si(), table);
        QCOMPARE(r.stages[1].embeddings.si(), 0.0);
        QCOMPARE(r.stages[3].embeddings.si(), table);
        QCOMPARE(r.stages[2].first_layer, std::int64_t(40));
        ModelShape tied = llama_70b();
        tied.tied_embeddings = true;
        QCOMPARE(report(tied, tensor(1), Precision{}, decode(1, 1)).stages[0].embeddings.si(), table);
    }
    void usableIsWhatTheEngineMayUse() {
        Calibration c;
        c.memory_fraction = 0.9;
        c.runtime_reserve = 2_GB;
        const auto r = memory_report(llama_70b(), tensor(8), Precision{}, decode(1, 1), c, accelerator(80_GB));
        QVERIFY(close(r.usable.si(), 70e9, 1e-12));
        QVERIFY(close(r.stages[0].reserve.si(), 10e9, 1e-12));
        QVERIFY(close(r.margin.si(), 70e9 - r.stages[0].used().si(), 1e-12));
        QVERIFY(r.fits);
    }
    void doesNotFitByThisMuch() {
        const auto r = report(llama_70b(), tensor(1), Precision{}, decode(1, 1000));
        QVERIFY(!r.fits);
        QVERIFY(close(r.margin.si(), 72e9 - r.stages[0].used().si(), 1e-12));
        QCOMPARE(r.largest_batch, std::int64_t(0));
        QCOMPARE(r.longest_context, std::int64_t(0));
    }
    void largestBatchIsTheLastThatFits() {
        const auto fits = [](std::int64_t batch, std::int64_t context) {
            return report(llama_70b(), tensor(8), Precision{}, decode(batch, context)).fits;
        };
        const auto r = report(llama_70b(), tensor(8), Precision{}, decode(7, 4096));
        QVERIFY(fits(r.largest_batch, 4096) && !fits(r.largest_batch + 1, 4096));
        QVERIFY(fits(7, r.longest_context) && !fits(7, r.longest_context + 1));
        // By hand: (72 - 17.64) GB / (4096 x 40,960 B) = 324 before activations, which take a few sequences.
        QVERIFY(r.largest_batch > 300 && r.largest_batch <= 324);
    }
    void exchangeBuffersFollowTheLowLatencyLayout() {
        // 2 send + 2 receive buffers x 256 experts x 32 tokens x 7168 x 2 B. Source: DeepEP, csrc/config.hpp.
        Parallelism layout;
        layout.attention_data = layout.expert = 32;
        const auto r = report(deepseek_v3(), layout, eight_bit(), decode(1024, 4096));
        QCOMPARE(r.stages[0].buffers.si(), 4.0 * 256 * 32 * 7168 * 2);
        QCOMPARE(report(deepseek_v3(), tensor(1), eight_bit(), decode(32, 4096)).stages[0].buffers.si(), 0.0);
    }
    void memoryGrowsWithBatchAndContext() {
        Parallelism layout;
        layout.attention_data = layout.expert = 8;
        double last = 0;
        for (const std::int64_t batch : {1, 8, 64, 512, 2048, 2056, 4096, 100000}) {
            const double used = report(deepseek_v3(), layout, eight_bit(), decode(batch, 1024)).stages[0].used().si();
            QVERIFY(used >= last);
            last = used;
        }
    }
    void useIsTheReportWithoutSearches() {
        const auto full = report(llama_70b(), tensor(8, 2), Precision{}, decode(16, 2048));
        const auto quick =
            memory_use(llama_70b(), tensor(8, 2), Precision{}, decode(16, 2048), Calibration{}, accelerator(80_GB));
        QCOMPARE(quick.margin, full.margin);
        QCOMPARE(quick.largest_batch, std::int64_t(0));
    }
    void nothingCrashesOnNothing() {
        const auto r = report(ModelShape{}, Parallelism{0, 0, 0, 0, 0}, Precision{}, decode(0, 0));
        QCOMPARE(int(r.stages.size()), 1);
        QVERIFY(r.stages[0].used().si() == 0.0);
    }
};

QTEST_APPLESS_MAIN(TestMemory)
#include "tst_memory.moc"
