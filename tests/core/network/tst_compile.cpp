#include <QtTest>

#include "core/network/network.hpp"
#include "tests/core/network/drawings.hpp"

using namespace drawings;

namespace {

const NetworkLink& link_of(const Network& network, const char* id, LinkRef::Kind kind = LinkRef::Kind::link) {
    const NetworkLink* link = network.find({kind, id});
    if (!link) qFatal("no such link");
    return *link;
}

Error refused(const Drawing& drawing) {
    const auto network = compile(drawing.topology, parts());
    if (network) qFatal("compiled");
    return network.error();
}

}  // namespace

class TestCompile : public QObject {
    Q_OBJECT
private slots:
    void levelsFollowTheTiers() {
        const Network n = *compile(two_racks(4).topology, parts());
        QCOMPARE(n.levels.size(), std::size_t(4));
        const char* names[] = {"NVLink domain", "PCIe", "NIC / leaf", "spine"};
        for (std::size_t l = 0; l < 4; ++l) {
            QCOMPARE(QString::fromStdString(n.levels[l].name), QString(names[l]));
            QCOMPARE(n.levels[l].in_domain, l == 0);
        }
        QCOMPARE(link_of(n, "node", LinkRef::Kind::domain).level, 0);
        QCOMPARE(link_of(n, "bus").level, 1);
        QCOMPARE(link_of(n, "edge").level, 2);
        QCOMPARE(link_of(n, "up").level, 3);
    }

    void countsAndSizes() {
        const Network n = *compile(two_racks(4).topology, parts());
        QCOMPARE(n.accelerators, 64);
        QCOMPARE(n.domain_size, 8);
        QCOMPARE(n.smallest_domain, 8);
        QCOMPARE(link_of(n, "edge").instances, 64);
        QCOMPARE(link_of(n, "up").instances, 8);
        QCOMPARE(link_of(n, "node", LinkRef::Kind::domain).instances, 64);
        QCOMPARE(QString::fromStdString(n.accelerator_part.value), QString("gpu"));
        QCOMPARE(device_of(n, 63), std::string("gpu"));
        QCOMPARE(device_of(n, 64), std::string());
        QVERIFY(std::is_sorted(n.links.begin(), n.links.end(),
                               [](const NetworkLink& a, const NetworkLink& b) { return a.ref < b.ref; }));
    }

    void capacityIsTheSlowerOfLinkAndNic() {
        Drawing d = rail_pod(2, 8);
        d.change_link("edge", [](Link& l) { l.lanes = 4; });
        const Network n = *compile(d.topology, parts());
        QCOMPARE(link_of(n, "edge").capacity.value.si(), 48.8e9);  // 4 lanes of 48.8 behind one NIC of 48.8
        QCOMPARE(link_of(n, "bus").capacity.value.si(), 48.8e9);   // 55 GB/s of PCIe into the same NIC
        QCOMPARE(link_of(n, "up").capacity.value.si(), 2 * 48.8e9);
        QCOMPARE(link_of(n, "up").nominal.value.si(), 2 * 50e9);
    }

    /// A NIC of 48.8 GB/s with a cable to each of 8 leaves does not become eight NICs.
    void cablesOfOneNicShareIt() {
        Drawing d = rail_pod(2, 8);
        d.nics("nic", "node", 1);
        const Network n = *compile(d.topology, parts());
        QCOMPARE(link_of(n, "edge").instances, 16);
        QCOMPARE(link_of(n, "edge").capacity.value.si(), 48.8e9 / 8);
        QCOMPARE(link_of(n, "edge").unimpaired.si(), 48.8e9 / 8);
        QCOMPARE(link_of(n, "edge").own.si(), 48.8e9);
        QCOMPARE(link_of(n, "bus").capacity.value.si(), 48.8e9);  // the bus is no cable of the NIC

        // Two planes on one NIC share it too, and a plane that is down leaves it to the other.
        Drawing planes = rail_pod(2, 8);
        planes.switches("other", "pod", 8).link("second", "nic", "other", "ib", Wiring::rail);
        QCOMPARE(link_of(*compile(planes.topology, parts()), "edge").capacity.value.si(), 48.8e9 / 2);
        planes.change_link("second", [](Link& l) { l.state.health = Health::down; });
        QCOMPARE(link_of(*compile(planes.topology, parts()), "edge").capacity.value.si(), 48.8e9);
    }

    void overridesAreKept() {
        Drawing d = rail_pod(2, 8);
        d.change_link("up", [](Link& l) { l.bandwidth = 10_GBps, l.latency = 7_us; });
        const Network n = *compile(d.topology, parts());
        QCOMPARE(link_of(n, "up").capacity.value.si(), 20e9);
        QCOMPARE(link_of(n, "up").capacity.confidence, Confidence::assumed);
        QVERIFY(link_of(n, "up").entered && link_of(n, "up").step_entered);
    }

    void planesAndStatesTakeTheirShare() {
        Drawing d = rail_pod(2, 8);
        Container node = *d.topology.containers.find(ContainerId("node"));
        node.interconnect->planes = 4;
        node.interconnect->planes_down = 1;
        node.interconnect->state = {Health::degraded, 0.5};
        d.topology.containers.put(node);
        const Network n = *compile(d.topology, parts());
        const NetworkLink& domain = link_of(n, "node", LinkRef::Kind::domain);
        QCOMPARE(domain.capacity.value.si(), 364e9 * 0.75 * 0.5);
        QCOMPARE(domain.unimpaired.si(), 364e9);
        QCOMPARE(domain.nominal.value.si(), 450e9);
    }

    void ranksRunThroughTheDrawingOutermostFirst() {
        Drawing d;
        d.container("rack", "", ContainerKind::rack, 2)
            .container("a", "rack", ContainerKind::node, 2)
            .container("b", "rack", ContainerKind::node)
            .gpus("ga", "a", 3)
            .device("gb", "b", DeviceKind::accelerator, "other-gpu", 2);
        const Network n = *compile(d.topology, parts());
        QCOMPARE(n.accelerators, 16);
        std::string order;
        for (int r = 0; r < 16; ++r) order += device_of(n, r).back();
        QCOMPARE(QString::fromStdString(order), QString("aaaaaabbaaaaaabb"));
        QVERIFY(n.mixed_accelerators);
        QCOMPARE(n.domain_size, 1);
    }

    void mistakesNameTheirObject() {
        QCOMPARE(refused(Drawing()).code, ErrorCode::invalid_value);

        Drawing part = rail_pod(2, 8);
        part.change_link("up", [](Link& l) { l.part = PartId("nonsense"); });
        QCOMPARE(refused(part).code, ErrorCode::reference);
        QCOMPARE(refused(part).objects, std::vector<std::string>{"up"});

        Drawing device = rail_pod(2, 8);
        device.device("spine", "pod", DeviceKind::network_switch, "nonsense");
        QCOMPARE(refused(device).objects, std::vector<std::string>{"spine"});

        Drawing nested = rail_pod(2, 8);
        nested.domain("pod").domain("node", "nvlink", FabricKind::torus);
        QCOMPARE(refused(nested).code, ErrorCode::unsupported);
        QVERIFY(refused(nested).message.find("lie in each other") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestCompile)
#include "tst_compile.moc"
