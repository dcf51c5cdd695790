#include <QtTest>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/core/topology/drawings.hpp"

using namespace crosspoint;
using namespace crosspoint::drawings;

namespace {
QString problem(const Topology& topology) {
    const auto ok = validate(topology);
    if (ok) return QStringLiteral("valid");
    if (ok.error().hint.empty()) return QStringLiteral("no hint");
    return QString::fromStdString(ok.error().message);
}

/// 4 nodes with one row changed.
template <class Row, class Change>
Topology with(Row row, const Change& change) {
    Topology t = nodes(4);
    change(row);
    if constexpr (std::is_same_v<Row, Container>) t.containers.put(row);
    if constexpr (std::is_same_v<Row, Device>) t.devices.put(row);
    if constexpr (std::is_same_v<Row, Link>) t.links.put(row);
    return t;
}
const auto node = [] { return *nodes(4).containers.find(ContainerId("node")); };
const auto gpu = [] { return *nodes(4).devices.find(DeviceId("gpu")); };
const auto cable = [] { return *nodes(4).links.find(LinkId("nic-leaf")); };
}  // namespace

class TestValidate : public QObject {
    Q_OBJECT
private slots:
    void accepts() {
        QCOMPARE(problem({}), QStringLiteral("valid"));
        QCOMPARE(problem(nodes(4)), QStringLiteral("valid"));
        QCOMPARE(problem(nodes(1'000'000'000)), QStringLiteral("valid"));
    }
    void dangling_references() {
        QVERIFY(problem(with(gpu(), [](Device& d) {
                    d.parent = ContainerId("gone");
                })).contains("device 'gpu' lies in the container 'gone', which does not exist"));
        QVERIFY(problem(with(node(), [](Container& c) { c.parent = ContainerId("gone"); })).contains("'gone'"));
        QVERIFY(problem(with(cable(), [](Link& l) {
                    l.b = DeviceId("gone");
                })).contains("link 'nic-leaf' ends at 'gone', which does not exist"));
        QVERIFY(problem(with(cable(), [](Link& l) { l.a = DeviceId("node"); })).contains("is a container"));
    }
    void cycle_is_named() {
        Topology t;
        t.containers.put(container("a", 1, "c"));
        t.containers.put(container("b", 1, "a"));
        t.containers.put(container("c", 1, "b"));
        t.containers.put(container("d", 1, "a"));
        const auto ok = validate(t);
        QVERIFY(!ok);
        QCOMPARE(QString::fromStdString(ok.error().message),
                 QStringLiteral("containers lie inside each other: 'a' in 'c' in 'b' in 'a'"));
        QCOMPARE(ok.error().objects.size(), std::size_t(3));
        t = {};
        t.containers.put(container("a", 1, "a"));
        QVERIFY(problem(t).contains("'a' in 'a'"));
    }
    void nesting_limit() {
        const auto nested = [](int depth) {
            Topology t;
            for (int i = 0; i < depth; ++i)
                t.containers.put(container(std::to_string(i).c_str(), 1, i ? std::to_string(i - 1).c_str() : nullptr));
            return t;
        };
        QCOMPARE(problem(nested(32)), QStringLiteral("valid"));
        QVERIFY(problem(nested(33)).contains("nested more than 32 deep"));
        QVERIFY(problem(nested(500)).contains("nested more than 32 deep"));
    }
    void counts() {
        for (const std::int64_t count :
             {std::int64_t(0), std::int64_t(-1), std::int64_t(1'000'000'001), std::numeric_limits<std::int64_t>::max()})
            QVERIFY(problem(with(gpu(), [&](Device& d) { d.count = count; })).contains("device 'gpu' has the count"));
        QVERIFY(problem(with(node(), [](Container& c) { c.count = 0; })).contains("container 'node' has the count 0"));
        Topology t = nodes(1'000'000'000);
        t.devices.put(device("gpu", DeviceKind::accelerator, 1000, "node"));
        QCOMPARE(problem(t), QStringLiteral("valid"));
        t.devices.put(device("gpu", DeviceKind::accelerator, 1001, "node"));
        QVERIFY(problem(t).contains("more than 1000000000000 instances"));
    }
    void ranges_data() {
        QTest::addColumn<QString>("found");
        const auto row = [](const char* expected, const Topology& t) { QTest::newRow(expected) << problem(t); };
        const double nan = std::nan("");
        row("'gpu' has the factor 0", with(gpu(), [](Device& d) { d.state.factor = 0; }));
        row("'gpu' has the factor 1.5", with(gpu(), [](Device& d) { d.state.factor = 1.5; }));
        row("'gpu' has the factor nan", with(gpu(), [&](Device& d) { d.state.factor = nan; }));
        row("'nic-leaf' has the factor -1", with(cable(), [](Link& l) { l.state.factor = -1; }));
        row("has the background load 1", with(cable(), [](Link& l) { l.background = 1; }));
        row("has the background load nan", with(cable(), [&](Link& l) { l.background = nan; }));
        row("has 0 lanes", with(cable(), [](Link& l) { l.lanes = 0; }));
        row("has the bandwidth 0", with(cable(), [](Link& l) { l.bandwidth = BytesPerSecond(0); }));
        row("has the latency -1", with(cable(), [](Link& l) { l.latency = Seconds(-1); }));
        row("has 0 planes", with(node(), [](Container& c) { c.interconnect->planes = 0; }));
        row("has 1 of 1 planes down", with(node(), [](Container& c) { c.interconnect->planes_down = 1; }));
        row("has -1 of 1 planes down", with(node(), [](Container& c) { c.interconnect->planes_down = -1; }));
        row("has the step time inf", with(node(), [](Container& c) {
                c.interconnect->step = Seconds(std::numeric_limits<double>::infinity());
            }));
        const auto fabric = [](auto change) { return with(node(), [&](Container& c) { change(*c.interconnect); }); };
        row("'node' has 4 dimensions", fabric([](Interconnect& f) { f.dimensions.resize(4); }));
        row("has a dimension of 0", fabric([](Interconnect& f) { f.dimensions = {{0, true}}; }));
        row("has dimensions of more than 1000000000000 places", fabric([](Interconnect& f) {
                f.dimensions = {{1'000'000, true}, {1'000'000, true}, {2, true}};
            }));
        row("'node' has -1 ports", fabric([](Interconnect& f) { f.ports = -1; }));
        row("'node' has 0 uplinks", fabric([](Interconnect& f) { f.uplinks = 0; }));
        row("has the bandwidth to one peer 0", fabric([](Interconnect& f) { f.peer_bandwidth = BytesPerSecond(0); }));
        row("'node' has the background load 1", fabric([](Interconnect& f) { f.background = 1; }));
        row("'node' has an unusable box", with(node(), [&](Container& c) { c.box = CanvasBox{nan, 0, {}, {}}; }));
        row("'gpu' has an unusable box", with(gpu(), [](Device& d) { d.box = CanvasBox{0, 0, 0.0, {}}; }));
        row("a device has an empty id", with(gpu(), [](Device& d) { d.id = DeviceId(); }));
        row("device 'node' has the id of a container", with(gpu(), [](Device& d) { d.id = DeviceId("node"); }));
        row("link 'gpu' has the id of a container or device", with(cable(), [](Link& l) { l.id = LinkId("gpu"); }));
    }
    void ranges() {
        QFETCH(QString, found);
        QVERIFY2(found.contains(QString::fromLatin1(QTest::currentDataTag())), qPrintable(found));
    }
    void self_links() {
        const auto self = [](const char* id, Wiring wiring) {
            return problem(with(cable(), [&](Link& l) {
                l.a = l.b = DeviceId(id);
                l.wiring = wiring;
            }));
        };
        QVERIFY(self("leaf", Wiring::one_to_one).contains("joins each instance of device 'leaf' to itself"));
        QVERIFY(self("leaf", Wiring::rail).contains("to itself"));
        QCOMPARE(self("leaf", Wiring::each_to_each), QStringLiteral("valid"));
        Topology t = nodes(4, 1);
        t.links.put(link("self", "leaf", "leaf", Wiring::each_to_each));
        QVERIFY(problem(t).contains("to itself"));
    }
    void dragonflies_join_groups() {
        Topology t;
        t.containers.put(container("pair", 1));
        t.devices.put(device("sw", DeviceKind::network_switch, 4, "pair"));
        Link global = link("global", "sw", "sw", Wiring::dragonfly);
        t.links.put(global);
        QVERIFY(problem(t).contains("there are no groups to join"));
        t.containers.put(container("pair", 9));
        QCOMPARE(problem(t), QStringLiteral("valid"));
        global.per_pair = 0;
        t.links.put(global);
        QVERIFY(problem(t).contains("has 0 cables a pair of groups"));
        t.devices.put(device("other", DeviceKind::network_switch, 4, "pair"));
        global.b = DeviceId("other");
        t.links.put(global);
        QVERIFY(problem(t).contains("wired as a dragonfly between two devices"));
    }
    void instance_counts() {
        const Topology t = nodes(4);
        QCOMPARE(instances(t, *t.devices.find(DeviceId("nic"))), std::int64_t(32));
        QCOMPARE(instances(t, *t.devices.find(DeviceId("leaf"))), std::int64_t(8));
        QCOMPARE(accelerator_count(t), std::int64_t(32));
        QCOMPARE(accelerator_count({}), std::int64_t(0));
    }
    void instance_counts_never_overflow() {
        Topology t;  // not valid: 1e9 in 1e9 in 1e9, and a container inside itself
        t.containers.put(container("a", 1'000'000'000));
        t.containers.put(container("b", 1'000'000'000, "a"));
        t.containers.put(container("loop", 2, "loop"));
        t.devices.put(device("x", DeviceKind::accelerator, 1'000'000'000, "b"));
        t.devices.put(device("y", DeviceKind::accelerator, 1'000'000'000, "b"));
        QCOMPARE(accelerator_count(t), std::numeric_limits<std::int64_t>::max());
        t.devices.put(device("z", DeviceKind::nic, 1, "loop"));
        QVERIFY(instances(t, *t.devices.find(DeviceId("z"))) > 0);
    }
    void ids_are_fresh() {
        Topology t = nodes(4);
        t.devices.put(device("gpu-2", DeviceKind::accelerator));
        QCOMPARE(QString::fromStdString(new_id(t, "gpu")), QStringLiteral("gpu-1"));
        QCOMPARE(QString::fromStdString(new_id(t, "gpu")), QStringLiteral("gpu-3"));
        reserve_id(t, "nic-10");
        QCOMPARE(QString::fromStdString(new_id(t, "gpu")), QStringLiteral("gpu-11"));
        for (const char* id : {"", "gpu", "-", "gpu-", "gpu-4", "gpu-x9", "gpu-18446744073709551615"})
            reserve_id(t, id);
        QCOMPARE(t.next_id, std::uint64_t(12));
    }
    void words() {
        QCOMPARE(to_string(ContainerKind::rack), std::string_view("rack"));
        QCOMPARE(to_string(DeviceKind::network_switch), std::string_view("switch"));
        QCOMPARE(to_string(Wiring::each_to_each), std::string_view("each-to-each"));
        QCOMPARE(to_string(FabricKind::full_mesh), std::string_view("full-mesh"));
        QCOMPARE(to_string(Health::degraded), std::string_view("degraded"));
    }
};

QTEST_APPLESS_MAIN(TestValidate)
#include "tst_validate.moc"
