#include "core/scenario/edit.hpp"

#include <QtTest>
#include <cmath>
#include <limits>

#include "tests/core/topology/drawings.hpp"

using namespace crosspoint;
using namespace crosspoint::drawings;

namespace {
std::shared_ptr<const Catalogue> catalogue() {
    auto parts = std::make_shared<Catalogue>();
    AcceleratorPart accelerator;
    accelerator.id = PartId("gpu");
    parts->accelerators.put(accelerator);
    LinkPart link;
    link.id = PartId("wire");
    parts->links.put(link);
    SwitchPart network_switch;
    network_switch.id = PartId("switch");
    parts->switches.put(network_switch);
    parts->nics.put({PartId("nic"), {}, {}, {}});
    parts->hosts.put({PartId("host"), {}, {}});
    return parts;
}

Scenario start() {
    Scenario scenario = empty_scenario(catalogue());
    scenario.topology = std::make_shared<const Topology>(nodes(4));
    return scenario;
}

QString error_of(const Edit& edit, const Scenario& scenario = start()) {
    const auto result = crosspoint::apply(scenario, edit);
    return result ? QStringLiteral("applied") : QString::fromStdString(result.error().message);
}
Scenario after(const Edit& edit, const Scenario& scenario = start()) {
    return crosspoint::apply(scenario, edit).value();
}

Device gpu(const char* id, const char* part = "gpu") {
    Device d = device(id, DeviceKind::accelerator, 1, "node");
    d.part = PartId(part);
    return d;
}
}  // namespace

class TestEdit : public QObject {
    Q_OBJECT
private slots:
    void empty_has_defaults();
    void equality_is_by_value();
    void numbers_are_checked_data();
    void numbers_are_checked();
    void settings_are_written();
    void placement_is_a_permutation();
    void thresholds_can_be_reset();
    void workload_edits_share_the_drawing();
    void parts_must_exist_by_kind();
    void put_replaces_or_adds();
    void put_refuses_cycles();
    void put_validates_the_drawing();
    void remove_cascades();
    void remove_refuses_unknown_ids();
    void removed_ids_are_not_given_out_again();
    void replaced_drawings_keep_counting();
    void move_places_boxes();
    void duplicate_copies_inside_and_links();
    void duplicate_counts_nested_once();
    void many_or_none();
    void descriptions();
};

void TestEdit::empty_has_defaults() {
    const Scenario scenario = empty_scenario(nullptr);
    QVERIFY(scenario.topology && scenario.catalogue && scenario.own_parts);
    QVERIFY(!scenario.model);
    QVERIFY(scenario.calibration.step_overhead.confidence == Confidence::assumed);
    QVERIFY(!scenario.calibration.step_overhead.source.empty());
}

void TestEdit::equality_is_by_value() {
    QVERIFY(start() == start());
    Scenario other = start();
    other.model = std::make_shared<const ModelShape>();
    QVERIFY(!(other == start()));
    QVERIFY(!(after(SetBatch{7}) == start()));
    QVERIFY(!(after(RemoveObjects{{}, {}, {LinkId("nic-leaf")}}) == start()));
}

void TestEdit::numbers_are_checked_data() {
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Edit& edit, const char* expected) {
        QTest::newRow(name) << error_of(edit) << QString::fromLatin1(expected);
    };
    const double nan = std::nan("");
    row("batch 0", SetBatch{0}, "the batch cannot be 0");
    row("batch 1", SetBatch{1}, "applied");
    row("batch 1e9", SetBatch{1'000'000'000}, "applied");
    row("batch above", SetBatch{1'000'000'001}, "the batch cannot be 1000000001");
    row("context", SetContext{-1}, "the context cannot be -1");
    row("output", SetOutput{std::numeric_limits<std::int64_t>::min()},
        "the output length cannot be -9223372036854775808");
    row("cv", SetExpertCv{nan}, "the variation of expert popularity cannot be nan");
    row("cv negative", SetExpertCv{-0.1}, "the variation of expert popularity cannot be -0.1");
    Parallelism layout;
    layout.expert = 0;
    row("degree", SetParallelism{layout}, "the expert degree cannot be 0");
    layout = {};
    layout.replicas = -1;
    row("replicas", SetParallelism{layout}, "the number of replicas cannot be -1");
    layout = {};
    layout.context = 0;
    row("context degree", SetParallelism{layout}, "the context degree cannot be 0");
    Training training;
    training.sharding = 4;
    row("sharding", SetTraining{training}, "the sharding stage cannot be 4");
    training = {};
    training.restart_time = Seconds(nan);
    row("restart", SetTraining{training}, "the time of a restart cannot be nan");
    Calibration calibration;
    calibration.memory_fraction = 0;
    row("fraction 0", SetCalibration{calibration}, "the memory fraction cannot be 0");
    calibration.memory_fraction = 1.1;
    row("fraction 1.1", SetCalibration{calibration}, "the memory fraction cannot be 1.1");
    calibration = {};
    calibration.step_overhead.value = Seconds(-1);
    row("overhead", SetCalibration{calibration}, "the step overhead cannot be -1");
    row("price", SetPrices{{DollarsPerSecond(nan), {}}}, "the price of an accelerator cannot be nan");
    row("target", SetTargets{{Seconds(0), {}, {}}}, "the inter-token target cannot be 0");
    row("threshold", SetThreshold{"x", nan}, "threshold 'x' cannot be nan");
    row("no name", SetThreshold{"", 1.0}, "a threshold needs a name");
    row("no drawing", SetTopology{nullptr}, "no drawing was given");
}

void TestEdit::numbers_are_checked() {
    QFETCH(QString, found);
    QTEST(found, "expected");
}

void TestEdit::settings_are_written() {
    QCOMPARE(after(SetTitle{"a", "b"}).title, std::string("a"));
    QVERIFY(after(SetPhase{Phase::prefill}).workload.phase == Phase::prefill);
    QCOMPARE(after(SetBatch{64}).workload.batch, std::int64_t(64));
    QCOMPARE(after(SetContext{8192}).workload.context, std::int64_t(8192));
    QCOMPARE(after(SetOutput{3}).workload.output, std::int64_t(3));
    QCOMPARE(after(SetExpertCv{0.5}).workload.expert_cv, 0.5);
    Precision precision;
    precision.weights = Dtype::fp8;
    QVERIFY(after(SetPrecision{precision}).precision == precision);
    Parallelism layout;
    layout.tensor = 8;
    QVERIFY(after(SetParallelism{layout}).layout == layout);
    QVERIFY(after(SetPrices{{DollarsPerSecond(1), "quote"}}).prices.accelerator == DollarsPerSecond(1));
    QVERIFY(after(SetTargets{{Seconds(0.02), {}, {}}}).targets.inter_token == Seconds(0.02));
    QVERIFY(!after(SetModel{nullptr}).model);
}

void TestEdit::placement_is_a_permutation() {
    using D = ParallelDimension;
    const Placement reversed{{D::replica, D::pipeline, D::attention_data, D::tensor}};
    QVERIFY(after(SetPlacement{reversed}).placement == reversed);
    QVERIFY(error_of(SetPlacement{{{D::tensor, D::tensor, D::pipeline, D::replica}}}).contains("every dimension once"));
}

void TestEdit::thresholds_can_be_reset() {
    const Scenario set = after(SetThreshold{"cross-domain.attention", 0.25});
    QCOMPARE(set.thresholds.at("cross-domain.attention"), 0.25);
    QVERIFY(after(SetThreshold{"cross-domain.attention", {}}, set).thresholds.empty());
}

void TestEdit::workload_edits_share_the_drawing() {
    const Scenario before = start();
    const Scenario next = after(SetBatch{9}, before);
    QVERIFY(next.topology == before.topology);
    QVERIFY(next.catalogue == before.catalogue);
}

void TestEdit::parts_must_exist_by_kind() {
    QCOMPARE(error_of(PutDevice{gpu("new")}), QStringLiteral("applied"));
    QVERIFY(error_of(PutDevice{gpu("new", "nic")}).contains("uses the accelerator part 'nic'"));
    Link l = link("new", "gpu", "nic");
    QVERIFY(error_of(PutLink{l}).contains("link 'new' uses the link part ''"));
    l.part = PartId("wire");
    QCOMPARE(error_of(PutLink{l}), QStringLiteral("applied"));
    Container c = container("new");
    QCOMPARE(error_of(PutContainer{c}), QStringLiteral("applied"));
    c.interconnect = Interconnect{};
    c.interconnect->part = PartId("gpu");
    QVERIFY(error_of(PutContainer{c}).contains("container 'new' uses the link part 'gpu'"));
}

void TestEdit::put_replaces_or_adds() {
    Device d = gpu("gpu");
    d.count = 4;
    const Scenario next = after(PutDevice{d});
    QCOMPARE(next.topology->devices.size(), start().topology->devices.size());
    QCOMPARE(accelerator_count(*next.topology), std::int64_t(16));
    QCOMPARE(accelerator_count(*after(PutDevice{gpu("more")}).topology), std::int64_t(36));
}

void TestEdit::put_refuses_cycles() {
    const Scenario nested = after(PutContainer{container("inner", 1, "node")});
    QVERIFY(error_of(PutContainer{container("node", 4, "inner")}, nested).contains("lie inside each other"));
    QVERIFY(error_of(PutContainer{container("node", 4, "node")}, nested).contains("lie inside each other"));
}

void TestEdit::put_validates_the_drawing() {
    Device d = gpu("new");
    d.count = 0;
    QVERIFY(error_of(PutDevice{d}).contains("has the count 0"));
    d = gpu("new");
    d.parent = ContainerId("gone");
    QVERIFY(error_of(PutDevice{d}).contains("'gone', which does not exist"));
    Topology broken = nodes(4);
    broken.containers.erase(ContainerId("node"));
    QVERIFY(error_of(SetTopology{std::make_shared<const Topology>(broken)}).contains("does not exist"));
}

void TestEdit::remove_cascades() {
    Scenario scenario = after(PutContainer{container("inner", 1, "node")});
    Device d = gpu("deep");
    d.parent = ContainerId("inner");
    scenario = after(PutDevice{d}, scenario);
    const Scenario next = after(RemoveObjects{{ContainerId("node")}, {}, {}}, scenario);
    QVERIFY(next.topology->containers.empty());
    QCOMPARE(next.topology->devices.size(), std::size_t(2));  // leaf and spine
    QCOMPARE(next.topology->links.size(), std::size_t(1));    // leaf-spine
    QVERIFY(next.topology->links.contains(LinkId("leaf-spine")));
    QCOMPARE(after(RemoveObjects{{}, {DeviceId("leaf")}, {}}).topology->links.size(), std::size_t(0));
}

void TestEdit::remove_refuses_unknown_ids() {
    QVERIFY(error_of(RemoveObjects{{ContainerId("x")}, {}, {}}).contains("cannot delete container 'x'"));
    QVERIFY(error_of(RemoveObjects{{}, {DeviceId("x")}, {}}).contains("cannot delete device 'x'"));
    QVERIFY(error_of(RemoveObjects{{}, {}, {LinkId("x")}}).contains("cannot delete link 'x'"));
}

void TestEdit::removed_ids_are_not_given_out_again() {
    Scenario scenario = after(PutDevice{gpu("gpu-7")});
    scenario = after(RemoveObjects{{}, {DeviceId("gpu-7")}, {}}, scenario);
    Topology topology = *scenario.topology;
    for (int i = 0; i < 10; ++i) QVERIFY(new_id(topology, "gpu") != "gpu-7");
}

void TestEdit::replaced_drawings_keep_counting() {
    Scenario scenario = after(PutDevice{gpu("gpu-41")});
    scenario = after(SetTopology{std::make_shared<const Topology>()}, scenario);
    QCOMPARE(scenario.topology->next_id, std::uint64_t(42));
    auto far = std::make_shared<Topology>();
    far->next_id = 100;
    const std::shared_ptr<const Topology> shared = far;
    QVERIFY(after(SetTopology{shared}, scenario).topology == shared);
}

void TestEdit::move_places_boxes() {
    const Scenario next = after(MoveObjects{{{"node", {10, 20, {}, {}}}, {"leaf", {1, 2, 3.0, 4.0}}}});
    QCOMPARE(next.topology->containers.find(ContainerId("node"))->box->y, 20.0);
    QCOMPARE(*next.topology->devices.find(DeviceId("leaf"))->box->width, 3.0);
    QVERIFY(error_of(MoveObjects{{{"nic-leaf", {}}}}).contains("cannot move 'nic-leaf'"));
    QVERIFY(error_of(MoveObjects{{{"node", {std::nan(""), 0, {}, {}}}}}).contains("unusable box"));
}

void TestEdit::duplicate_copies_inside_and_links() {
    Scenario scenario = after(MoveObjects{{{"node", {10, 20, {}, {}}}}});
    Link inner = link("gpu-nic", "gpu", "nic");
    inner.part = PartId("wire");
    scenario = after(PutLink{inner}, scenario);
    const Scenario next = after(DuplicateObjects{{ContainerId("node")}, {}, 24, 30}, scenario);
    const Topology& t = *next.topology;
    QCOMPARE(t.containers.size(), std::size_t(2));
    QCOMPARE(t.devices.size(), std::size_t(6));
    QCOMPARE(t.links.size(), std::size_t(4));  // the inner link twice; nic-leaf leaves the selection
    QCOMPARE(accelerator_count(t), std::int64_t(64));
    for (const Container& c : t.containers)
        if (c.id != ContainerId("node")) QCOMPARE(c.box->y, 50.0);
    for (const Link& l : t.links)
        if (l.id.value.rfind("gpu-nic-", 0) == 0)
            QVERIFY(t.devices.find(l.a)->parent == t.devices.find(l.b)->parent &&
                    t.devices.find(l.a)->parent != ContainerId("node"));
    QVERIFY(error_of(DuplicateObjects{{ContainerId("x")}, {}}).contains("cannot duplicate container 'x'"));
    QVERIFY(error_of(DuplicateObjects{{}, {DeviceId("x")}}).contains("cannot duplicate device 'x'"));
}

void TestEdit::duplicate_counts_nested_once() {
    const Scenario scenario = after(PutContainer{container("inner", 1, "node")});
    const Scenario next =
        after(DuplicateObjects{{ContainerId("inner"), ContainerId("node")}, {DeviceId("gpu")}}, scenario);
    QCOMPARE(next.topology->containers.size(), std::size_t(4));
    QCOMPARE(next.topology->devices.size(), std::size_t(6));
}

void TestEdit::many_or_none() {
    const Scenario before = start();
    const auto good = crosspoint::apply(before, std::vector<Edit>{SetBatch{5}, SetContext{6}});
    QCOMPARE(good->workload.batch, std::int64_t(5));
    QCOMPARE(good->workload.context, std::int64_t(6));
    QVERIFY(!crosspoint::apply(before, std::vector<Edit>{SetBatch{5}, SetContext{0}}));
    QVERIFY(before == start());
}

void TestEdit::descriptions() {
    const auto text = [](const Edit& edit) { return QString::fromStdString(describe(edit)); };
    QCOMPARE(text(SetBatch{64}), QStringLiteral("set batch to 64"));
    QCOMPARE(text(RemoveObjects{{}, {DeviceId("a"), DeviceId("b")}, {}}), QStringLiteral("delete 2 devices"));
    QCOMPARE(text(RemoveObjects{{ContainerId("a")}, {DeviceId("b")}, {LinkId("c"), LinkId("d")}}),
             QStringLiteral("delete 1 container, 1 device and 2 links"));
    QCOMPARE(text(SetThreshold{"x", {}}), QStringLiteral("reset threshold x"));
    QCOMPARE(text(SetExpertCv{0.5}), QStringLiteral("set expert variation to 0.5"));
    QCOMPARE(text(MoveObjects{{{"a", {}}}}), QStringLiteral("move 1 object"));
}

QTEST_APPLESS_MAIN(TestEdit)
#include "tst_edit.moc"
