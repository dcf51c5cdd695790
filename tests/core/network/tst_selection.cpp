// Questions about a part of the drawing.
#include <QtTest>

#include "core/network/selection.hpp"
#include "drawings.hpp"

using namespace crosspoint;
using namespace crosspoint::literals;

namespace {

/// `nodes` switched NVLink domains of `size` accelerators; without NICs nothing joins them.
Topology domains(std::int64_t nodes, std::int64_t size) {
    Topology drawing;
    Container node;
    node.id = ContainerId("node");
    node.kind = ContainerKind::node;
    node.count = nodes;
    node.interconnect.emplace();
    node.interconnect->part = PartId("nvlink");
    drawing.containers.put(node);
    Device gpu;
    gpu.id = DeviceId("gpu");
    gpu.part = PartId("gpu");
    gpu.parent = node.id;
    gpu.count = size;
    drawing.devices.put(gpu);
    return drawing;
}

/// The same with a NIC for each accelerator and one switch above all.
Topology cluster(std::int64_t nodes, std::int64_t size) {
    Topology drawing = domains(nodes, size);
    Device nic;
    nic.id = DeviceId("nic");
    nic.kind = DeviceKind::nic;
    nic.part = PartId("cx7");
    nic.parent = ContainerId("node");
    nic.count = size;
    drawing.devices.put(nic);
    Device leaf;
    leaf.id = DeviceId("leaf");
    leaf.kind = DeviceKind::network_switch;
    leaf.part = PartId("switch");
    drawing.devices.put(leaf);
    Link pcie;
    pcie.id = LinkId("pcie");
    pcie.a = DeviceId("gpu");
    pcie.b = DeviceId("nic");
    pcie.part = PartId("pcie");
    drawing.links.put(pcie);
    Link up;
    up.id = LinkId("up");
    up.a = DeviceId("nic");
    up.b = DeviceId("leaf");
    up.part = PartId("ib");
    drawing.links.put(up);
    return drawing;
}

}  // namespace

class TestSelection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ranksOfInstancesAreThoseOfTheDrawingOrder() {
        Topology drawing = cluster(3, 4);
        Device late;
        late.id = DeviceId("zz-gpu");
        late.part = PartId("gpu");
        late.parent = ContainerId("node");
        late.count = 2;
        drawing.devices.put(late);
        Link pcie = *drawing.links.find(LinkId("pcie"));
        pcie.id = LinkId("pcie-late");
        pcie.a = late.id;
        drawing.links.put(pcie);
        const auto network = compile(drawing, drawings::parts());
        QVERIFY2(network, network ? "" : describe(network.error()).c_str());
        std::map<std::string, std::int64_t> seen;
        for (std::int64_t rank = 0; rank < network->accelerators; ++rank) {
            const std::string device = device_of(*network, rank);
            QCOMPARE(rank_of(*network, device, seen[device]++), std::optional(rank));
        }
        QCOMPARE(rank_of(*network, "gpu", 12), std::nullopt);
        QCOMPARE(rank_of(*network, "gpu", -1), std::nullopt);
        QCOMPARE(rank_of(*network, "nic", 0), std::nullopt);
        QCOMPARE(rank_of(*network, "no-such", 0), std::nullopt);
    }

    /// A crossbar without blocking: half of its N ports send at their full rate to the other half, N/2 x 364 GB/s
    /// (Dally and Towles, Principles and Practices of Interconnection Networks, section 3.1).
    void aSwitchedDomainHasFullBisection() {
        const auto found = bisection(domains(1, 8), drawings::parts(), {"node"});
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(found->accelerators, std::int64_t(8));
        QCOMPARE(found->per_accelerator.si(), (364_GBps).si());
        QVERIFY(found->halves && std::abs(found->halves->si() - 4 * 364e9) < 1);
        QVERIFY(!found->leaves_domain);
    }

    /// Four nodes of eight over NICs: 24 of 31 shares leave the node over a NIC of 48.8 GB/s.
    void nicsLimitSeveralNodes() {
        const auto found = bisection(cluster(4, 8), drawings::parts(), {"node"});
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(found->accelerators, std::int64_t(32));
        QVERIFY(found->leaves_domain);
        // The NIC limits both of its links, to the accelerator and to the switch.
        QVERIFY2(found->bottleneck_id == "up" || found->bottleneck_id == "pcie", found->bottleneck_id.c_str());
        QVERIFY2(std::abs(found->per_accelerator.si() / (48.8e9 * 31 / 24) - 1) < 1e-9,
                 qPrintable(QString::number(found->per_accelerator.si())));
        // Across the middle all 16 of a half send over their NICs.
        QVERIFY(found->halves && std::abs(found->halves->si() - 16 * 48.8e9) < 1);
    }

    void whatIsNotSelectedDoesNotCount() {
        Topology drawing = cluster(1, 8);
        Device other;
        other.id = DeviceId("other");
        other.part = PartId("gpu");
        other.parent = ContainerId("node");
        other.count = 8;
        drawing.devices.put(other);
        QCOMPARE(bisection(drawing, drawings::parts(), {"gpu"})->accelerators, std::int64_t(8));
        QCOMPARE(bisection(drawing, drawings::parts(), {"gpu", "other"})->accelerators, std::int64_t(16));
        QCOMPARE(bisection(drawing, drawings::parts(), {"node"})->accelerators, std::int64_t(16));
    }

    void fewerThanTwoAreRefused() {
        QVERIFY(!bisection(cluster(1, 1), drawings::parts(), {"node"}));
        QVERIFY(!bisection(cluster(1, 8), drawings::parts(), {"leaf"}));
        QVERIFY(!bisection(cluster(1, 8), drawings::parts(), {}));
        QVERIFY(!bisection(domains(2, 8), drawings::parts(), {"node"}));  // nothing joins the two
    }
};

QTEST_APPLESS_MAIN(TestSelection)
#include "tst_selection.moc"
