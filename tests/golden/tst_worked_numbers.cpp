// Every worked number of docs' cost model, through public functions. Tolerance: half a unit of the last digit given.
#include <QtTest>

#include <algorithm>

#include "core/collective/collective.hpp"
#include "core/collective/expert_exchange.hpp"
#include "core/cost/link.hpp"
#include "core/economics/economics.hpp"
#include "core/io/builtin.hpp"
#include "core/model/experts.hpp"
#include "core/model/model.hpp"
#include "core/units/text.hpp"

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {

bool near(double actual, double expected, double half_unit) { return std::abs(actual - expected) <= half_unit; }

#define NEAR(actual, expected, half_unit) \
    QVERIFY2(near(actual, expected, half_unit), qPrintable(QString::number(actual, 'g', 12)))

const LinkCost drawn_link{5_us, 400_GBps, 0};

std::shared_ptr<const ModelShape> model(std::string_view part) {
    static const auto all = builtin_models();
    if (!all) qFatal("%s", describe(all.error()).c_str());
    for (const auto& m : *all)
        if (m->name.find(part) != std::string::npos) return m;
    qFatal("no built-in model %s", std::string(part).c_str());
}

}  // namespace

class WorkedNumbersTest : public QObject {
    Q_OBJECT
private slots:
    // Section 1: a link of 5 us and 400 GB/s.
    void crossover() {
        NEAR(crossover_bytes(drawn_link).si(), 2.0e6, 1);
        NEAR(transfer_time(drawn_link, crossover_bytes(drawn_link)).si(), 10e-6, 1e-12);
        NEAR(half_bandwidth_bytes(drawn_link).si(), 2.0e6, 1);
    }
    void crossoverBatch() {
        NEAR((8192 * size_of(Dtype::bf16)).si(), (16_KiB).si(), 0);
        NEAR(crossover_batch(drawn_link, 8192, size_of(Dtype::bf16)), 122.07, 0.005);
    }
    void tensorFloor() {
        const Seconds floor = token_floor(5_us, 80, 2);
        NEAR(floor.si(), 0.8e-3, 1e-12);
        NEAR(1 / floor.si(), 1250, 1e-6);
    }
    // Section 1: 32 tokens, 9 destinations, hidden 7000, 1 B dispatch + 2 B combine; 2 micro-batches x 61 layers.
    void expertExchange() {
        const Seconds slow = exchange_bound(32, 9, Bytes(7000 * 3), 50_GBps);
        NEAR(slow.si(), 120.96e-6, 0.005e-6);
        NEAR(slow.si() * 2 * 61, 14.76e-3, 0.005e-3);
        NEAR(1 / (slow.si() * 2 * 61), 67, 1);  // published as 67, from 14.76 ms: 67.8
        const Seconds fast = exchange_bound(32, 9, Bytes(7000 * 3), 900_GBps);
        NEAR(fast.si(), 6.72e-6, 0.005e-6);
        NEAR(fast.si() * 2 * 61, 0.82e-3, 0.005e-3);
        NEAR(1 / (fast.si() * 2 * 61), 1200, 50);  // "about 1,200"
    }
    // Section 3: the convention of nccl-tests.
    void busBandwidth() {
        NEAR(bus_bandwidth_factor(CollectiveOp::all_reduce, 8), 2.0 * 7 / 8, 1e-12);
        NEAR(bus_bandwidth_factor(CollectiveOp::all_to_all, 8), 7.0 / 8, 1e-12);
    }
    void ringAllReduce() {
        GroupFabric group;
        group.whole.ranks = 8;
        group.whole.step = 5_us;
        group.whole.bandwidth = 400_GBps;
        const auto c = collective_cost(CollectiveOp::all_reduce, 1_GB, group, Algorithm::ring);
        QVERIFY(c.has_value());
        NEAR(c->latency.si(), 2 * 7 * 5e-6, 1e-12);
        NEAR(c->bandwidth.si(), 2.0 * 7 / 8 * 1e9 / 400e9, 1e-12);
    }
    // Section 5: KV cache of a token, all layers, bf16, in KB of 1000 bytes.
    void cacheOfAToken() {
        NEAR(kv_bytes_per_token(*model("DeepSeek-V3"), Dtype::bf16).si(), 70272, 0);
        NEAR(kv_bytes_per_token(*model("Qwen2.5-72B"), Dtype::bf16).si(), 327680, 0);
        NEAR(kv_bytes_per_token(*model("Llama-3.1-405B"), Dtype::bf16).si(), 516096, 0);
    }
    // Section 5: the slowest rank over the mean, gamma-Poisson without variation of popularity.
    void imbalanceOfExperts() {
        NEAR(imbalance(8, 32, 0), 1.798, 0.0005);
        NEAR(imbalance(64, 32, 0), 1.268, 0.0005);
        NEAR(imbalance(256, 72, 0), 1.152, 0.0005);
        NEAR(imbalance(1, 256, 0), 4.767, 0.0005);
    }
    // Section 5: one expert a token lies in exactly one domain; one token hits k of E experts.
    void distinctPlaces() {
        NEAR(distinct_domains(256, 1, 4, 0), 1, 1e-9);
        NEAR(distinct_experts(8, 256, 8, 1), 8.0 * 8 / 256, 1e-12);
    }
    // Section 8: accelerators x $/hour / (tokens/s x 3600) x 1e6.
    void dollarsPerMillion() {
        NEAR(unit_price(32, DollarsPerSecond(2.0 / 3600), TokensPerSecond(16896)).si() * 1e6, 1.052, 0.0005);
    }
    // Published totals; DeepSeek-V3 with both embeddings (model cards and technical reports).
    void parametersOfLlama8B() { QCOMPARE(count_parameters(*model("Llama-3.1-8B")).total, std::int64_t(8030261248)); }
    void parametersOfExpertModels_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("total");
        QTest::addColumn<double>("active");
        QTest::newRow("DeepSeek-V3") << "DeepSeek-V3" << 671.03 << 37.55;
        QTest::newRow("Mixtral-8x7B") << "Mixtral-8x7B" << 46.70 << 12.88;
        QTest::newRow("Qwen3-235B") << "Qwen3-235B" << 235.09 << 22.19;
        QTest::newRow("gpt-oss-120b") << "gpt-oss-120b" << 116.83 << 5.71;
    }
    void parametersOfExpertModels() {
        QFETCH(QString, name);
        QFETCH(double, total);
        QFETCH(double, active);
        const auto count = count_parameters(*model(name.toStdString()));
        NEAR(double(count.total) / 1e9, total, 0.005);
        NEAR(double(count.active) / 1e9, active, 0.005);
    }
};

QTEST_APPLESS_MAIN(WorkedNumbersTest)
#include "tst_worked_numbers.moc"
