// `--set path=value`: every kind of field, and what a wrong path or value says.
#include <QtTest>

#include "document_support.hpp"

using namespace document_support;
using namespace crosspoint::literals;

class TestSetField : public QObject {
    Q_OBJECT

    Scenario scenario_ = read(small_text())->scenario;

    Scenario set(const char* path, const char* value) {
        auto changed = set_field(scenario_, path, value);
        if (!changed) QTest::qFail(describe(changed.error()).c_str(), __FILE__, __LINE__);
        return changed ? *changed : scenario_;
    }
    Error refused(const char* path, const char* value) {
        const auto changed = set_field(scenario_, path, value);
        if (changed) QTest::qFail("the field was set", __FILE__, __LINE__);
        return changed ? Error{} : changed.error();
    }

private slots:
    void numbersWordsAndQuantities() {
        QCOMPARE(set("workload.batch", "128").workload.batch, std::int64_t{128});
        QCOMPARE(set("layout.tensor", "8").layout.tensor, std::int64_t{8});
        QCOMPARE(set("workload.phase", "prefill").workload.phase, Phase::prefill);
        QCOMPARE(set("layout.sequence_parallel", "true").layout.sequence_parallel, true);
        QCOMPARE(set("precision.weights", "fp8").precision.weights, Dtype::fp8);
        QCOMPARE(set("targets.inter_token", "15 ms").targets.inter_token.value(), 15.0_ms);
        QCOMPARE(set("workload.expert_cv", "0.5").workload.expert_cv, 0.5);
    }

    void textsStayTexts() {
        QCOMPARE(set("title", "64").title, std::string("64"));
        QCOMPARE(set("title", "true").title, std::string("true"));
        QCOMPARE(set("notes", "a, b").notes, std::string("a, b"));
    }

    void objectsOfTheDrawing() {
        const Scenario changed = set("topology.links.l2.bandwidth", "25 GB/s");
        QCOMPARE(changed.topology->links.find(LinkId("l2"))->bandwidth.value(), 25_GBps);
        QCOMPARE(changed.topology->links.find(LinkId("l2"))->latency.value(), 0.2_us);
        QVERIFY(!set("topology.links.l2.latency", "null").topology->links.find(LinkId("l2"))->latency);
        const Scenario down = set("topology.devices.nic.state.health", "down");
        QCOMPARE(down.topology->devices.find(DeviceId("nic"))->state.health, Health::down);
        QCOMPARE(set("topology.containers.node.count", "4").topology->containers.find(ContainerId("node"))->count,
                 std::int64_t{4});
    }

    void listsAreEnteredByNumber() {
        QCOMPARE(set("model.kinds.0.attention.kv_heads", "2").model->kinds[0].attention.kv_heads, std::int64_t{2});
        QCOMPARE(set("model.layers.0.count", "6").model->layers.size(), std::size_t{6});
        QCOMPARE(set("placement.order", R"(["pipeline", "tensor", "attention-data", "replica"])").placement.order[0],
                 ParallelDimension::pipeline);
    }

    void namesWithDots() {
        QCOMPARE(set("thresholds.cross-domain.attention", "0.5").thresholds.at("cross-domain.attention"), 0.5);
        const Scenario added = set("thresholds.batch.window", "2");
        QCOMPARE(added.thresholds.at("batch.window"), 2.0);
        QCOMPARE(added.thresholds.size(), std::size_t{2});
    }

    void aFigureTakesAPlainValue() {
        const auto overhead = set("calibration.step_overhead", "2 ms").calibration.step_overhead;
        QCOMPARE(overhead.value, 2.0_ms);
        QCOMPARE(overhead.source, std::string("entered by hand"));
        QCOMPARE(set("calibration.step_overhead.value", "3 ms").calibration.step_overhead.value, 3.0_ms);
    }

    void restIsUntouched() {
        Scenario changed = set("workload.batch", "65");
        changed.workload.batch = scenario_.workload.batch;
        QVERIFY(changed == scenario_);
    }

    void wrongPathsListWhatExists() {
        const Error misspelt = refused("workload.batchx", "64");
        QCOMPARE(misspelt.code, ErrorCode::reference);
        QCOMPARE(misspelt.message, std::string("there is no field 'batchx' in 'workload.batchx'"));
        QCOMPARE(misspelt.hint, std::string("the fields here are batch, context, expert_cv, output, phase, training"));
        QVERIFY(refused("wrkload.batch", "64").hint.find("workload") != std::string::npos);
        const Error absent = refused("topology.links.l9.bandwidth", "25 GB/s");
        QCOMPARE(absent.message, std::string("there is no field 'l9' in 'topology.links.l9.bandwidth'"));
        QCOMPARE(absent.hint, std::string("the fields here are l1, l2"));
        QCOMPARE(refused("workload.batch.x", "64").message,
                 std::string("'batch' in 'workload.batch.x' is a single value"));
        QVERIFY(!refused("", "64").message.empty());
        QCOMPARE(refused("model.kinds.5.norms", "2").hint, std::string("the fields here are 0 to 0"));
        QCOMPARE(refused("model.layers.1", "2").hint, std::string("the fields here are 0 to 0"));
    }

    void wrongValuesSayWhy() {
        QCOMPARE(refused("workload.batch", "many").pointer, std::string("/workload/batch"));
        QVERIFY(refused("workload.batch", "0").message.find("the batch cannot be 0") == 0);
        QVERIFY(refused("topology.links.l2.latency", "5").message.find("got a number without a unit") !=
                std::string::npos);
        QVERIFY(refused("workload.phase", "train").message.find("decode, prefill") != std::string::npos);
        QVERIFY(refused("topology.devices.gpu.parent", "nowhere").message.find("nowhere") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestSetField)
#include "tst_set_field.moc"
