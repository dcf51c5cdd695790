// What-if switches as edits.
#include <QtTest>

#include "core/scenario/what_if.hpp"

using namespace crosspoint;

namespace {

Scenario drawn() {
    Catalogue parts;
    for (const char* id : {"nvlink-4", "ib"}) {
        LinkPart part;
        part.id = PartId(id);
        parts.links.put(part);
    }
    AcceleratorPart gpu;
    gpu.id = PartId("gpu");
    parts.accelerators.put(gpu);
    Scenario scenario = empty_scenario(std::make_shared<const Catalogue>(parts));
    Topology drawing;
    Container node;
    node.id = ContainerId("node");
    node.interconnect.emplace();
    node.interconnect->part = PartId("nvlink-4");
    node.interconnect->planes = 4;
    drawing.containers.put(node);
    Container rack;
    rack.id = ContainerId("rack");
    drawing.containers.put(rack);
    for (const char* id : {"gpu", "nic"}) {
        Device device;
        device.id = DeviceId(id);
        device.part = PartId("gpu");
        device.parent = rack.id;
        drawing.devices.put(device);
    }
    Link link;
    link.id = LinkId("link");
    link.a = DeviceId("gpu");
    link.b = DeviceId("nic");
    link.part = PartId("ib");
    drawing.links.put(link);
    scenario.topology = std::make_shared<const Topology>(drawing);
    return scenario;
}

Scenario after(const Scenario& scenario, const WhatIf& change) {
    auto next = crosspoint::apply(scenario, change.edits);
    if (!next) qFatal("%s", describe(next.error()).c_str());
    return *next;
}

}  // namespace

class TestWhatIf : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linksDevicesAndDomainsFailAndRecover() {
        const Scenario whole = drawn();
        const Scenario failed = after(whole, mark(whole, {"link", "gpu", "node"}, Health::down));
        QCOMPARE(failed.topology->links.begin()->state.health, Health::down);
        QCOMPARE(failed.topology->devices.find(DeviceId("gpu"))->state.health, Health::down);
        QCOMPARE(failed.topology->containers.find(ContainerId("node"))->interconnect->state.health, Health::down);
        QCOMPARE(impaired(*failed.topology).size(), std::size_t(3));
        QVERIFY(after(failed, mark(failed, impaired(*failed.topology), Health::up)) == whole);
    }

    void degradedKeepsTheShareThatIsLeft() {
        const Scenario whole = drawn();
        const WhatIf change = mark(whole, {"link"}, Health::degraded, 0.25);
        QCOMPARE(change.text, std::string("mark object degraded"));
        QCOMPARE(after(whole, change).topology->links.begin()->state.factor, 0.25);
    }

    void aContainerWithoutFabricStandsForItsDevices() {
        const Scenario whole = drawn();
        const WhatIf change = mark(whole, {"rack"}, Health::down);
        QCOMPARE(change.edits.size(), std::size_t(2));
        QCOMPARE(change.text, std::string("mark 2 objects failed"));
    }

    void whatIsSoAlreadyIsNoEdit() {
        const Scenario whole = drawn();
        QVERIFY(mark(whole, {"link", "gpu", "rack", "node", "no-such"}, Health::up).edits.empty());
        QVERIFY(impaired(*whole.topology).empty());
    }

    void planesGoOneByOneButNotTheLast() {
        Scenario now = drawn();
        for (int down = 1; down <= 3; ++down) {
            now = after(now, move_planes(now, {"node"}, 1));
            QCOMPARE(now.topology->containers.find(ContainerId("node"))->interconnect->planes_down, down);
        }
        QVERIFY(move_planes(now, {"node"}, 1).edits.empty());
        QCOMPARE(impaired(*now.topology), std::vector<std::string>{"node"});
        now = after(now, move_planes(now, {"node"}, -1));
        QCOMPARE(now.topology->containers.find(ContainerId("node"))->interconnect->planes_down, 2);
        QVERIFY(after(now, mark(now, {"node"}, Health::up)) == drawn());
        QVERIFY(move_planes(drawn(), {"node", "rack", "gpu"}, -1).edits.empty());
    }
};

QTEST_APPLESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
