#include <QtTest>

#include "core/network/route.hpp"
#include "tests/core/network/drawings.hpp"

using namespace drawings;

namespace {

constexpr double nic = 48.8e9;    // measured NIC rate, cost-model section 2
constexpr double nvlink = 364e9;  // measured domain rate, cost-model section 2

Network built(const Drawing& drawing) {
    auto network = compile(drawing.topology, parts());
    if (!network) qFatal("%s", network.error().message.c_str());
    return *network;
}

Route routed(const Network& network, const RankGroups& groups, Pattern pattern) {
    auto result = route(network, groups, pattern);
    if (!result) qFatal("%s", result.error().message.c_str());
    return *result;
}

double load_of(const Network& network, const Route& r, const char* id) {
    for (const LinkLoad& load : r.loads)
        if (network.links[std::size_t(load.link)].ref.id == id) return load.bytes_per_byte;
    return 0;
}

std::string name_of_bottleneck(const Network& network, const Route& r) {
    return r.bottleneck < 0 ? "" : network.links[std::size_t(r.bottleneck)].ref.id;
}

bool close(double a, double b, double tolerance = 1e-12) { return std::abs(a - b) <= tolerance * std::abs(b); }

/// 8-GPU nodes whose accelerators share NICs two by two, all NICs on one switch.
Drawing shared_nics() {
    Drawing d;
    d.container("node", "", ContainerKind::node, 2)
        .domain("node")
        .gpus("gpu", "node", 8)
        .nics("nic", "node", 4)
        .switches("leaf", "", 1)
        .link("bus", "gpu", "nic", "pcie")
        .link("edge", "nic", "leaf", "ib");
    return d;
}

}  // namespace

class TestRoute : public QObject {
    Q_OBJECT
private slots:
    void allReduceUsesAllNicsOfANode_data() {
        QTest::addColumn<int>("used");
        QTest::addColumn<double>("bus");
        // Measured, cost-model section 2: 10 nodes, g accelerators a node.
        QTest::newRow("1") << 1 << 48.9e9;
        QTest::newRow("2") << 2 << 98.3e9;
        QTest::newRow("4") << 4 << 196.4e9;
        QTest::newRow("8") << 8 << 364e9;
    }
    void allReduceUsesAllNicsOfANode() {
        QFETCH(int, used);
        QFETCH(double, bus);
        const Network network = built(rail_pod(10, 8));
        const Route ring = routed(network, {{{used, 1}, {10, 8}}, {}}, Pattern::ring);
        QVERIFY(close(1 / ring.seconds_per_byte.si(), std::min(used * nic, nvlink)));
        QVERIFY(close(1 / ring.seconds_per_byte.si(), bus, 0.01));
        QCOMPARE(ring.domains, 10);
        QCOMPARE(ring.ranks_per_domain, used);
        QVERIFY(close(ring.cross_domain, 1.0 / used));
    }

    void allToAllFollowsTheRemoteShare_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("bus");
        QTest::addColumn<double>("tolerance");
        // Measured, cost-model section 2; the ten-node machine reaches 95 % of its two-node NIC rate.
        QTest::newRow("2 nodes") << 2 << 91.8e9 << 0.01;
        QTest::newRow("10 nodes") << 10 << 50.7e9 << 0.06;
    }
    void allToAllFollowsTheRemoteShare() {
        QFETCH(int, nodes);
        QFETCH(double, bus);
        QFETCH(double, tolerance);
        const Network network = built(rail_pod(nodes, 8));
        const Route r = routed(network, {{{nodes * 8, 1}}, {}}, Pattern::all_to_all);
        const double n = nodes * 8.0;
        QVERIFY(close(1 / r.seconds_per_byte.si(), nic * (n - 1) / (n - 8)));
        QVERIFY(close(1 / r.seconds_per_byte.si(), bus, tolerance));
        QVERIFY(close(r.cross_domain, (n - 8) / (n - 1)));
        QVERIFY(close(load_of(network, r, "node"), 1.0 - (n - 8) / (n - 1)));
    }

    void aSharedNicHalves() {
        const Network network = built(shared_nics());
        const Route r = routed(network, {{{2, 8}}, {{8, 1}}}, Pattern::all_to_all);
        QCOMPARE(load_of(network, r, "bus"), 1.0);
        QCOMPARE(load_of(network, r, "edge"), 2.0);
        QVERIFY(close(1 / r.seconds_per_byte.si(), nic / 2));
    }

    void oversubscriptionHalvesTrafficBetweenLeaves() {
        for (const int lanes : {8, 4}) {  // 32 down-links; 32 and 16 up-links
            const Network network = built(two_racks(lanes));
            const Route r = routed(network, {{{2, 32}}, {{32, 1}}}, Pattern::all_to_all);
            QVERIFY(close(load_of(network, r, "edge"), 1.0));
            QVERIFY(close(load_of(network, r, "up"), 8.0));  // 32 ranks over 4 spines
            QVERIFY(close(1 / r.seconds_per_byte.si(), lanes == 8 ? nic : nic / 2));
        }
    }

    void insideOneLeafTheUpLinksAreUnused() {
        const Network network = built(two_racks(4));
        const Route r = routed(network, {{{32, 1}}, {{2, 32}}}, Pattern::all_to_all);
        QCOMPARE(load_of(network, r, "up"), 0.0);
        QVERIFY(close(load_of(network, r, "edge"), 24.0 / 31));
        QCOMPARE(r.levels.back().level, 2);
        QCOMPARE(QString::fromStdString(network.levels[2].name), "NIC / leaf");
    }

    void railsKeepRingsOffTheSpine() {
        const Network network = built(rail_pod(4, 8));
        const Route ring = routed(network, {{{32, 1}}, {}}, Pattern::ring);
        QCOMPARE(load_of(network, ring, "up"), 0.0);
        QVERIFY(close(load_of(network, ring, "edge"), 1.0 / 8));
        QCOMPARE(ring.slowest.hops, 4);
        const Route all = routed(network, {{{32, 1}}, {}}, Pattern::all_to_all);
        QCOMPARE(all.slowest.hops, 6);
        // 4 ranks of a rail, each with 21 of 31 destinations on other rails of other nodes; one lane group of 4.
        QVERIFY(close(load_of(network, all, "up"), 4 * 21.0 / 31));
    }

    void copiesLoadTheSameLinks() {
        const Network network = built(shared_nics());
        const Route one = routed(network, {{{2, 8}}, {{1, 1}}}, Pattern::ring);
        const Route two = routed(network, {{{2, 8}}, {{2, 1}}}, Pattern::ring);
        QCOMPARE(load_of(network, one, "edge"), 1.0);
        QCOMPARE(load_of(network, two, "edge"), 2.0);
    }

    void groupsThatDoNotTileAreEnumerated() {
        const Network network = built(rail_pod(2, 8));
        const Route r = routed(network, {{{12, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(close(load_of(network, r, "edge"), 8.0 / 11));  // a rank of the smaller part has 8 of 11 peers away
        QVERIFY(close(r.cross_domain, 2 * 8 * 4 / (12 * 11.0)));
        QCOMPARE(r.domains, 2);
        QCOMPARE(r.ranks_per_domain, 8);
        const Route ring = routed(network, {{{12, 1}}, {}}, Pattern::ring);
        QVERIFY(close(load_of(network, ring, "edge"), 1.0 / 4));  // four exits carry what eight send
    }

    void tooManyUnevenRanksAreRefused() {
        const auto r = route(built(rail_pod(1'000'000, 8)), {{{12, 1}}, {{600, 12}}}, Pattern::ring);
        QVERIFY(!r);
        QCOMPARE(r.error().code, ErrorCode::unsupported);
        QVERIFY(!r.error().hint.empty());
    }

    void stagesSendOneWay() {
        const Network network = built(rail_pod(4, 8));
        const Route r = routed(network, {{{4, 8}}, {{8, 1}}}, Pattern::stages);
        QCOMPARE(load_of(network, r, "edge"), 1.0);
        const Route inside = routed(network, {{{2, 4}}, {{4, 1}, {4, 8}}}, Pattern::stages);
        QCOMPARE(load_of(network, inside, "node"), 1.0);
        QCOMPARE(load_of(network, inside, "edge"), 0.0);
        // Stages of half a node: every second boundary leaves the node, over the NICs of the later half alone.
        const Route mixed = routed(network, {{{8, 4}}, {{4, 1}}}, Pattern::stages);
        QCOMPARE(load_of(network, mixed, "edge"), 1.0);
        QVERIFY(close(mixed.cross_domain, 3.0 / 7));
    }

    void domainPatternsSplitARing() {
        const Network network = built(rail_pod(4, 8));
        const RankGroups all{{{32, 1}}, {}};
        const Route across = routed(network, all, Pattern::across_domains);
        QVERIFY(close(1 / across.seconds_per_byte.si(), nic));
        QCOMPARE(load_of(network, across, "node"), 0.0);
        const Route within = routed(network, all, Pattern::within_domains);
        QVERIFY(close(1 / within.seconds_per_byte.si(), nvlink));
        QCOMPARE(within.cross_domain, 0.0);
    }

    void aDegradedLinkSlowsAndADownOneSeparates() {
        Drawing d = rail_pod(2, 8);
        d.change_link("edge", [](Link& l) { l.state = {Health::degraded, 0.5}; });
        const RankGroups rails{{{2, 8}}, {{8, 1}}};
        QVERIFY(close(1 / routed(built(d), rails, Pattern::ring).seconds_per_byte.si(), nic / 2));
        d.change_link("edge", [](Link& l) { l.state = {Health::up, 1.0}, l.background = 0.25; });
        QVERIFY(close(1 / routed(built(d), rails, Pattern::ring).seconds_per_byte.si(), nic * 0.75));
        d.change_link("edge", [](Link& l) { l.state = {Health::down, 1.0}; });
        const auto r = route(built(d), rails, Pattern::ring);
        QVERIFY(!r);
        QCOMPARE(r.error().code, ErrorCode::unreachable);
        QVERIFY(r.error().message.find("gpu[0,0]") != std::string::npos);
        QVERIFY(r.error().message.find("gpu[1,0]") != std::string::npos);
    }

    void aMeshGivesOnePeerItsOwnShare() {
        Drawing d;
        d.container("node", "", ContainerKind::node)
            .domain("node", "nvlink", FabricKind::full_mesh)
            .gpus("gpu", "node", 8);
        const Network network = built(d);
        const Route all = routed(network, {{{8, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(close(1 / all.seconds_per_byte.si(), nvlink));
        const Route pair = routed(network, {{{2, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(close(1 / pair.seconds_per_byte.si(), nvlink / 7));
        const Route half = routed(network, {{{4, 1}}, {{2, 4}}}, Pattern::ring);
        QVERIFY(close(1 / half.seconds_per_byte.si(), nvlink * 3 / 7));
    }

    void alphaIsASumOfParts() {
        const Network network = built(rail_pod(2, 8));
        const Path inside = *path(network, 0, 1);
        QCOMPARE(inside.hops, 1);
        QVERIFY(close(inside.software.si(), 4e-6));
        QVERIFY(close(inside.step.si(), 1.5e-6));  // endpoint 1 us + hop 0.5 us
        const Path rail = *path(network, 1, 9);
        QCOMPARE(rail.hops, 4);
        QVERIFY(close(rail.software.si(), 10e-6));
        // endpoint 2 us + 2 PCIe hops of 0.125 us + 2 cables of 0.25 us + one switch of 0.3 us
        QVERIFY(close(rail.step.si(), 3.05e-6));
        const Path spine = *path(network, 1, 8);
        QCOMPARE(spine.hops, 6);
        QVERIFY(close(spine.step.si(), 4.15e-6));  // two more cables and two more switches
        QCOMPARE(path(network, 3, 3)->hops, 0);
        QVERIFY(!path(network, 0, 16));
    }

    void hostsJoinAcceleratorsWithoutADomain() {
        Drawing d;
        d.container("box", "", ContainerKind::node)
            .gpus("gpu", "box", 4)
            .device("cpu", "box", DeviceKind::host, "host");
        d.link("bus", "gpu", "cpu", "pcie");
        const Network network = built(d);
        const Route r = routed(network, {{{4, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(close(1 / r.seconds_per_byte.si(), 48.8e9 / 48.8 * 55));
        QCOMPARE(r.slowest.hops, 2);
        QCOMPARE(r.cross_domain, 1.0);
        QCOMPARE(QString::fromStdString(name_of_bottleneck(network, r)), "bus");
    }

    void layoutsLargerThanTheDrawingAreRefused() {
        const Network network = built(rail_pod(2, 8));
        for (const RankGroups& g : {RankGroups{{{17, 1}}, {}}, RankGroups{{{2, 16}}, {}}, RankGroups{{{2, 0}}, {}},
                                    RankGroups{{{-1, 1}}, {}}, RankGroups{{{8, 1}, {8, 1}}, {}}}) {
            const auto r = route(network, g, Pattern::ring);
            QVERIFY(!r);
            QCOMPARE(r.error().code, ErrorCode::layout);
        }
    }

    void oneRankSendsNothing() {
        const Route r = routed(built(rail_pod(2, 8)), {{{1, 1}}, {{16, 1}}}, Pattern::all_to_all);
        QCOMPARE(r.seconds_per_byte.si(), 0.0);
        QVERIFY(r.loads.empty());
    }

    void aMillionAcceleratorsRouteLikeAFew() {
        Drawing d;
        d.container("site", "", ContainerKind::site)
            .container("pod", "site", ContainerKind::pod, 128)
            .container("node", "pod", ContainerKind::node, 1024)
            .domain("node")
            .gpus("gpu", "node", 8)
            .nics("nic", "node", 8)
            .switches("leaf", "pod", 8)
            .switches("spine", "pod", 8)
            .switches("core", "site", 64)
            .link("bus", "gpu", "nic", "pcie")
            .link("edge", "nic", "leaf", "ib", Wiring::rail)
            .link("up", "leaf", "spine", "ib", Wiring::each_to_each, 128)
            .link("top", "spine", "core", "ib", Wiring::each_to_each, 16);
        const Network network = built(d);
        QCOMPARE(network.accelerators, 1048576);
        const double n = 1048576;
        const Route all = routed(network, {{{1048576, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(close(load_of(network, all, "edge"), (n - 8) / (n - 1)));
        QVERIFY(close(load_of(network, all, "top"), 8192 * (n - 8192) / (n - 1) / (8 * 64)));
        const Route experts = routed(network, {{{64, 1}}, {{16384, 64}}}, Pattern::all_to_all);
        QVERIFY(close(load_of(network, experts, "edge"), 56.0 / 63));
    }

    void hugeCountsDoNotHang() {
        Drawing d;
        d.container("node", "", ContainerKind::node, 1000).domain("node").gpus("gpu", "node", 1000000000);
        const Network network = built(d);
        QCOMPARE(network.accelerators, std::int64_t(1000) * 1000000000);
        const Route r = routed(network, {{{1000000000, 1}}, {{1000, 1000000000}}}, Pattern::all_to_all);
        QVERIFY(close(r.seconds_per_byte.si(), 1 / nvlink));
        QVERIFY(!route(network, {{{std::int64_t(1000) * 1000000000, 1}}, {}}, Pattern::ring));
    }

    void copiesDrawnByHandGiveTheSame() {
        Drawing counted = two_racks(4), drawn;
        drawn.container("pod", "", ContainerKind::pod).switches("spine", "pod", 4);
        for (const std::string r : {"0", "1"}) {
            drawn.container("rack" + r, "pod", ContainerKind::rack).switches("leaf" + r, "rack" + r, 1);
            drawn.link("up" + r, "leaf" + r, "spine", "ib", Wiring::each_to_each, 4);
            for (const std::string n : {"0", "1", "2", "3"}) {
                const std::string at = r + n;
                drawn.container("node" + at, "rack" + r, ContainerKind::node).domain("node" + at);
                drawn.gpus("gpu" + at, "node" + at, 8).nics("nic" + at, "node" + at, 8);
                drawn.link("bus" + at, "gpu" + at, "nic" + at, "pcie");
                drawn.link("edge" + at, "nic" + at, "leaf" + r, "ib");
            }
        }
        const Network a = built(counted), b = built(drawn);
        QCOMPARE(b.accelerators, 64);
        for (const RankGroups& g : {RankGroups{{{64, 1}}, {}}, RankGroups{{{2, 32}}, {{32, 1}}},
                                    RankGroups{{{4, 1}}, {{16, 4}}}, RankGroups{{{4, 16}}, {{16, 1}}}})
            for (const Pattern p : {Pattern::all_to_all, Pattern::ring, Pattern::stages, Pattern::across_domains,
                                    Pattern::within_domains}) {
                const Route x = routed(a, g, p), y = routed(b, g, p);
                QVERIFY(close(x.seconds_per_byte.si(), y.seconds_per_byte.si()) ||
                        x.seconds_per_byte == y.seconds_per_byte);
                QVERIFY(std::abs(x.cross_domain - y.cross_domain) < 1e-12);
                QCOMPARE(x.levels.size(), y.levels.size());
                for (std::size_t l = 0; l < x.levels.size(); ++l)
                    QVERIFY(close(x.levels[l].share_of_bytes, y.levels[l].share_of_bytes));
            }
    }
};

QTEST_APPLESS_MAIN(TestRoute)
#include "tst_route.moc"
