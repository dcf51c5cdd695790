#include <QtTest>
#include <map>

#include "core/importers/exporter.hpp"
#include "core/importers/importer.hpp"
#include "core/scenario/scenario.hpp"
#include "fabric_support.hpp"

using namespace crosspoint;

namespace {

/// Edges as dotted texts; two spellings of the unit; counts of switches only by their use; an undeclared instance.
const char* const dotted = R"(infrastructure:
  devices:
    - name: box
      components:
        - {name: xpu, type: xpu, count: 2}
        - {name: nic, type: nic, count: 2}
        - {name: nvsw, type: custom}
      links:
        - name: nvlink
          bandwidth: {choice: giga_bytes_per_second, giga_bytes_per_second: 25}
        - name: pcie
      connections:
        - xpu.0.nvlink.nvsw.0
        - xpu.1.nvlink.nvsw.0
        - xpu.0.nvlink.nvsw.1
        - xpu.1.nvlink.nvsw.1
        - xpu.0.pcie.nic.0
        - xpu.1.pcie.nic.1
  instances:
    - name: leafsw
      device: generic-switch
  links:
    - name: eth
      bandwidth: {gigabytes_per_second: 50}
  connections:
    - server.0.nic.0.eth.leafsw.0.port.0
    - server.0.nic.1.eth.leafsw.1.port.0
    - server.1.nic.0.eth.leafsw.0.port.1
    - server.1.nic.1.eth.leafsw.1.port.1
  annotations: []
)";

/// The same with slices, as JSON, in gigabits.
const char* const sliced = R"({"devices": [
 {"name": "box", "components": [{"name": "npu", "choice": "npu", "count": 4}, {"name": "nic", "choice": "nic", "count": 4}],
  "links": [{"name": "l", "physical": {"bandwidth": {"gigabits_per_second": 800}}}],
  "edges": [{"ep1": {"component": "npu[0:4]"}, "ep2": {"component": "npu[0:4]"}, "scheme": "many2many", "link": "l"}]},
 {"name": "sw", "components": [{"name": "port", "choice": "port", "count": 64}]}],
 "instances": [{"name": "host", "device": "box", "count": 8}, {"name": "leaf", "device": "sw", "count": 4}],
 "links": [{"name": "e", "physical": {"bandwidth": {"gigabits_per_second": 400}}}],
 "edges": [
  {"ep1": {"instance": "host[0:8]", "component": "nic[0]"}, "ep2": {"instance": "leaf[0]", "component": "port[0:8]"},
   "scheme": "one2one", "link": "e"},
  {"ep1": {"instance": "host[0:8]", "component": "nic[1]"}, "ep2": {"instance": "leaf[1]", "component": "port[0:8]"},
   "scheme": "one2one", "link": "e"},
  {"ep1": {"instance": "host[0:8]", "component": "nic[2]"}, "ep2": {"instance": "leaf[2]", "component": "port[0:8]"},
   "scheme": "one2one", "link": "e"},
  {"ep1": {"instance": "host[0:8]", "component": "nic[3]"}, "ep2": {"instance": "leaf[3]", "component": "port[0:8]"},
   "scheme": "one2one", "link": "e"}]})";

Scenario scenario_of(const Imported& imported) {
    Scenario s = empty_scenario(std::make_shared<const Catalogue>(imported.parts));
    s.topology = std::make_shared<const Topology>(imported.topology);
    s.title = imported.name;
    return s;
}

/// Bandwidth of all cables and domains, weighted by their instances: equal drawings have equal sums.
std::map<double, double> capacities(const Topology& t) {
    std::map<double, double> sum;
    for (const Link& l : t.links) {
        const Device& a = *t.devices.find(l.a);
        const Device& b = *t.devices.find(l.b);
        if (a.kind == DeviceKind::accelerator || b.kind == DeviceKind::accelerator) continue;
        const double fan = l.wiring == Wiring::each_to_each ? double(b.count) : 1;
        sum[l.bandwidth->si()] += double(instances(t, a)) * fan * l.lanes;
    }
    for (const Container& c : t.containers)
        if (c.interconnect) sum[c.interconnect->bandwidth->si()] += double(total(t, c.kind));
    return sum;
}

}  // namespace

class TestInfraGraph : public QObject {
    Q_OBJECT
private slots:
    void dottedEdges();
    void slicedEdges();
    void refusals();
    void roundTrip();
    void astraRoundTrip_data();
    void astraRoundTrip();
    void mutations();
};

void TestInfraGraph::dottedEdges() {
    QVERIFY(is_infragraph(dotted));
    QCOMPARE(std::string(recognise(dotted)->id), std::string("infragraph"));
    const auto imported = import_infragraph(dotted, {});
    QVERIFY2(imported.has_value(), imported ? "" : imported.error().message.c_str());
    const Topology& t = imported->topology;
    QCOMPARE(accelerator_count(t), 4);
    QCOMPARE(total(t, ContainerKind::node), 2);
    QCOMPARE(total(t, DeviceKind::network_switch), 2);
    const Container& node = *t.containers.begin();
    QCOMPARE(node.interconnect->kind, FabricKind::switched);
    QCOMPARE(node.interconnect->bandwidth->si(), 50e9);  // two links of 25 GB/s
    QVERIFY(has_note(*imported, ImportNote::Kind::ignored, "annotations"));
    QVERIFY(has_note(*imported, ImportNote::Kind::assumed, "'server' is declared nowhere"));
}

void TestInfraGraph::slicedEdges() {
    QVERIFY(is_infragraph(sliced));
    const auto imported = import_infragraph(sliced, {});
    QVERIFY2(imported.has_value(), imported ? "" : imported.error().message.c_str());
    const Topology& t = imported->topology;
    QCOMPARE(accelerator_count(t), 32);
    QCOMPARE(total(t, DeviceKind::network_switch), 4);
    QCOMPARE(t.devices.size(), std::size_t(3));  // accelerators, NICs, leaves: rails
    QCOMPARE(t.containers.begin()->interconnect->kind, FabricKind::full_mesh);
    QCOMPARE(t.containers.begin()->interconnect->bandwidth->si(), 300e9);  // three links of 100 GB/s
    std::string huge = dotted;
    huge.replace(huge.find("per_second: 50"), 14, "per_second: 400");
    QVERIFY(question(import_infragraph(huge, {}).value(), "network-unit"));
    ImportOptions bits;
    bits.answers["network-unit"] = "gigabits";
    QCOMPARE(capacities(import_infragraph(huge, bits)->topology).count(50e9), std::size_t(1));
}

void TestInfraGraph::refusals() {
    const auto card =
        import_infragraph("devices:\n- name: cx5\n  components:\n  - {name: asic, type: cpu}\n  connections: []\n", {});
    QVERIFY(!card && card.error().code == ErrorCode::unsupported);
    const auto edge = import_infragraph(
        "devices:\n- name: d\n  components:\n  - {name: xpu, type: xpu}\n  connections:\n  - xpu.0.link\n", {});
    QVERIFY(!edge && edge.error().line == 6);
}

void TestInfraGraph::roundTrip() {
    for (const char* text : {dotted, sliced}) {
        const auto first = import_infragraph(text, {});
        const auto written = export_infragraph(scenario_of(*first));
        QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
        QVERIFY(is_infragraph(written->text));
        const auto second = import_infragraph(written->text, {});
        QVERIFY2(second.has_value(), second ? "" : (second.error().message + written->text).c_str());
        QCOMPARE(accelerator_count(second->topology), accelerator_count(first->topology));
        QCOMPARE(total(second->topology, DeviceKind::network_switch),
                 total(first->topology, DeviceKind::network_switch));
        QVERIFY2(capacities(second->topology) == capacities(first->topology), written->text.c_str());
    }
}

void TestInfraGraph::astraRoundTrip_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("switch") << "topology: [ Switch ]\nnpus_count: [ 16 ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n";
    QTest::newRow("mesh") << "topology: [ FullyConnected ]\nnpus_count: [ 16 ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n";
    QTest::newRow("ring, switch, switch") << "topology: [ Ring, Switch, Switch ]\nnpus_count: [ 2, 8, 4 ]\nbandwidth: "
                                             "[ 200, 100, 50 ]\nlatency: [ 50, 500, 2000 ]\n";
    QTest::newRow("torus") << "topology: [ Ring, Ring, Ring ]\nnpus_count: [ 4, 4, 8 ]\nbandwidth: [ 90, 90, 90 ]\n"
                              "latency: [ 500, 500, 500 ]\n";
}

void TestInfraGraph::astraRoundTrip() {
    QFETCH(QString, text);
    const auto imported = import_astra_network(text.toStdString(), {});
    QVERIFY(imported.has_value());
    const auto written = export_astra_network(scenario_of(*imported));
    QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
    QString plain;
    for (const QString& line : QString::fromStdString(written->text).split('\n'))
        if (!line.startsWith('#') && !line.isEmpty()) plain += line.section("  #", 0, 0) + "\n";
    QCOMPARE(plain, text);
}

void TestInfraGraph::mutations() {
    survive_mutations(dotted, import_infragraph);
    survive_mutations(sliced, import_infragraph);
}

QTEST_APPLESS_MAIN(TestInfraGraph)
#include "tst_infragraph.moc"
