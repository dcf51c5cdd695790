// Every kind of fabric against what its figures and the literature say about it.
#include <QtTest>

#include "core/network/route.hpp"
#include "tests/core/network/drawings.hpp"

using namespace drawings;

namespace {

Network built(const Drawing& drawing, const Catalogue& catalogue = parts()) {
    auto network = compile(drawing.topology, catalogue);
    if (!network) qFatal("%s", network.error().message.c_str());
    return *network;
}

Error refused(const Drawing& drawing) {
    const auto network = compile(drawing.topology, parts());
    if (network) qFatal("compiled");
    return network.error();
}

Route routed(const Network& network, const RankGroups& groups, Pattern pattern) {
    auto result = route(network, groups, pattern);
    if (!result) qFatal("%s", result.error().message.c_str());
    return *result;
}

double rate(const Network& network, const RankGroups& groups, Pattern pattern) {
    return 1 / routed(network, groups, pattern).seconds_per_byte.si();
}

double load_of(const Network& network, const Route& r, const char* id) {
    for (const LinkLoad& load : r.loads)
        if (network.links[std::size_t(load.link)].ref.id == id) return load.bytes_per_byte;
    return 0;
}

bool close(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::abs(b); }

template <class Change>
Drawing domain_of(std::int64_t gpus, FabricKind kind, Change change) {
    Drawing d;
    d.container("node", "", ContainerKind::node).domain("node", "nvlink", kind).gpus("gpu", "node", gpus);
    Container c = *d.topology.containers.find(ContainerId("node"));
    change(*c.interconnect);
    d.topology.containers.put(c);
    return d;
}

Drawing torus(const std::vector<FabricDimension>& dimensions) {
    std::int64_t places = 1;
    for (const FabricDimension& x : dimensions) places *= x.size;
    return domain_of(places, FabricKind::torus, [&](Interconnect& f) {
        f.dimensions = dimensions;
        f.bandwidth = 600_GBps;
    });
}

RankGroups all_of(const Network& n) { return {{{n.accelerators, 1}}, {}}; }

std::vector<std::int64_t> ranks_of(const Network& n) {
    std::vector<std::int64_t> ranks;
    for (std::int64_t r = 0; r < n.accelerators; ++r) ranks.push_back(r);
    return ranks;
}

void set_down(Drawing& d, const char* device) {
    Device x = *d.topology.devices.find(DeviceId(device));
    x.state.health = Health::down;
    d.topology.devices.put(x);
}

/// Fat tree of k-port switches (Al-Fares, Loukissas, Vahdat, "A scalable, commodity data center network
/// architecture", SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation switches, k^2/4 cores, k^3/4 hosts.
Drawing fat_tree(std::int64_t k, std::int64_t hosts_per_edge, std::int64_t cores) {
    Drawing d;
    d.container("pod", "", ContainerKind::pod, k)
        .container("edge-group", "pod", ContainerKind::rack, k / 2)
        .gpus("gpu", "edge-group", hosts_per_edge)
        .switches("edge", "edge-group", 1)
        .switches("agg", "pod", k / 2)
        .switches("core", "", cores)
        .link("host", "gpu", "edge", "ib")
        .link("up", "edge", "agg", "ib", Wiring::each_to_each)
        .link("top", "agg", "core", "ib", Wiring::rail);
    return d;
}

/// p terminals a switch, a switches a group, g groups, m cables between two groups (Kim, Dally, Scott, Abts,
/// "Technology-driven, highly-scalable dragonfly topology", ISCA 2008: p = 2, a = 4, h = 2, g = 9 in its figure).
Drawing dragonfly(std::int64_t p, std::int64_t a, std::int64_t g, std::int64_t m) {
    Drawing d;
    d.container("group", "", ContainerKind::group, g)
        .switches("sw", "group", a)
        .gpus("gpu", "group", a * p)
        .link("port", "gpu", "sw", "ib")
        .link("local", "sw", "sw", "ib", Wiring::each_to_each)
        .link("global", "sw", "sw", "ib", Wiring::dragonfly);
    d.change_link("global", [&](Link& l) { l.per_pair = m; });
    return d;
}

}  // namespace

class TestFabrics : public QObject {
    Q_OBJECT
private slots:
    /// MI300X: 312.9 GB/s to all peers, 47.7 GB/s to one; stas00/ml-engineering:network/README.md.
    void aMeshHasTwoBandwidths() {
        const auto mesh = [](std::int64_t gpus) {
            return built(domain_of(gpus, FabricKind::full_mesh, [](Interconnect& f) {
                f.bandwidth = BytesPerSecond(312.9e9);
                f.peer_bandwidth = BytesPerSecond(47.7e9);
                f.ports = 7;
            }));
        };
        const Network eight = mesh(8);
        QVERIFY(close(rate(eight, all_of(eight), Pattern::ring), 312.9e9));
        QVERIFY(close(rate(eight, all_of(eight), Pattern::all_to_all), 312.9e9));
        QVERIFY(close(rate(eight, {{{2, 1}}, {{4, 2}}}, Pattern::ring), 47.7e9));
        QVERIFY(close(rate(eight, {{{2, 1}}, {{4, 2}}}, Pattern::stages), 47.7e9));
        QVERIFY(close(rate(eight, {{{4, 1}}, {{2, 4}}}, Pattern::ring), 3 * 47.7e9));
        QCOMPARE(routed(eight, {{{2, 1}}, {}}, Pattern::ring).loads[0].where, std::string("link to one peer"));
        QCOMPARE(routed(eight, all_of(eight), Pattern::all_to_all).slowest.hops, 1);
        QVERIFY(close(rate(mesh(4), {{{4, 1}}, {}}, Pattern::all_to_all), 3 * 47.7e9));  // part-filled
        // The catalogue's one-peer figure is taken where nothing is entered.
        Catalogue known = parts();
        LinkPart part = *known.links.find(PartId("nvlink"));
        part.peer_bandwidth = measured(50_GBps);
        known.links.put(part);
        const Network from_part = built(domain_of(8, FabricKind::full_mesh, [](Interconnect&) {}), known);
        QVERIFY(close(rate(from_part, {{{2, 1}}, {}}, Pattern::ring), 50e9));
    }

    void aRingUsesBothNeighbours() {
        const Network n = built(domain_of(8, FabricKind::ring, [](Interconnect&) {}));
        QVERIFY(close(rate(n, all_of(n), Pattern::ring), 364e9));
        // A byte to 7 others: 16 hops of ring steps over 7, half in each direction, on half the bandwidth each.
        QVERIFY(close(rate(n, all_of(n), Pattern::all_to_all), 364e9 / (16.0 / 7)));
        const Route all = routed(n, all_of(n), Pattern::all_to_all);
        QCOMPARE(all.slowest.hops, 4);
        QVERIFY(close(all.slowest.step.si(), 1e-6 + 4 * 0.5e-6));  // endpoint, then each hop
        QCOMPARE(path(n, 0, 3)->hops, 3);
        QCOMPARE(path(n, 0, 6)->hops, 2);
    }

    void torusLoadsAreThoseOfTheLiterature_data() {
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        QTest::newRow("4x4x4") << 4 << 4 << 4;
        QTest::newRow("8x4x2") << 8 << 4 << 2;
        QTest::newRow("5x3x1") << 5 << 3 << 1;
        QTest::newRow("16x16x1") << 16 << 16 << 1;
    }
    /// Channel load of uniform traffic on a k-ary torus: k/8 a byte for even k, (k - 1/k)/8 for odd (Dally, Towles,
    /// "Principles and Practices of Interconnection Networks", 2004, section 3.2), times n/(n - 1) as nobody sends to
    /// itself here.
    void torusLoadsAreThoseOfTheLiterature() {
        QFETCH(int, x);
        QFETCH(int, y);
        QFETCH(int, z);
        const Network n = built(torus({{x, true}, {y, true}, {z, true}}));
        double worst = 0;
        for (const double k : {double(x), double(y), double(z)})
            worst = std::max(worst, (int(k) % 2 ? k - 1 / k : k) / 8);
        const double ranks = double(n.accelerators);
        QVERIFY(close(rate(n, all_of(n), Pattern::all_to_all), 100e9 / (worst * ranks / (ranks - 1))));
        QVERIFY(close(rate(n, all_of(n), Pattern::ring), z > 1 ? 600e9 : 400e9));
    }

    /// Bisection of a torus: 2 n / k channels each way, cut across its longest dimension k; a mesh has half
    /// (same section).
    void torusBisection() {
        const Network wrapped = built(torus({{4, true}, {4, true}, {8, true}}));
        QVERIFY(close(bisection_bandwidth(wrapped, ranks_of(wrapped))->bandwidth.si(), 2 * 16 * 100e9));
        const Network mesh = built(torus({{4, true}, {4, true}, {8, false}}));
        QVERIFY(close(bisection_bandwidth(mesh, ranks_of(mesh))->bandwidth.si(), 16 * 100e9));
        const Network line = built(torus({{8, false}}));
        QVERIFY(close(bisection_bandwidth(line, ranks_of(line))->bandwidth.si(), 300e9));
    }

    /// The middle link of a line of k carries all (k/2)^2 pairs that cross it.
    void aLineIsTwiceAsSlowAsARing() {
        const Network line = built(torus({{8, false}}));
        QVERIFY(close(rate(line, all_of(line), Pattern::all_to_all), 300e9 / (16.0 / 7)));
        QCOMPARE(path(line, 0, 7)->hops, 7);
    }

    void aTorusRoutesAroundAHole() {
        Drawing d = torus({{3, true}});
        d.gpus("gpu", "node", 1).gpus("hole", "node", 1).gpus("last", "node", 1);
        QCOMPARE(path(built(d), 0, 1)->hops, 1);
        set_down(d, "hole");
        const Network n = built(d);
        QCOMPARE(n.accelerators, 2);
        QCOMPARE(n.domain_size, 2);
        QCOMPARE(path(n, 0, 1)->hops, 1);
        Drawing line = torus({{3, false}});
        line.gpus("gpu", "node", 1).gpus("hole", "node", 1).gpus("last", "node", 1);
        set_down(line, "hole");
        const auto cut = route(built(line), {{{2, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(!cut);
        QCOMPARE(cut.error().code, ErrorCode::unreachable);
        QVERIFY(cut.error().message.find("gpu") != std::string::npos);
        QVERIFY(cut.error().message.find("last") != std::string::npos);
    }

    void aSliceOfATorusHasOnlyItsOwnLinks() {
        const Network n = built(torus({{4, true}, {4, true}, {4, true}}));
        // Groups of 4 along the first dimension: a ring of their own, 2 of 6 ports.
        QVERIFY(close(rate(n, {{{4, 1}}, {{16, 4}}}, Pattern::ring), 200e9));
        QVERIFY(close(rate(n, {{{2, 1}}, {{32, 2}}}, Pattern::ring), 100e9));
    }

    void aTorusTooSmallForItsAcceleratorsIsRefused() {
        Drawing d = torus({{4, true}, {2, true}});
        d.gpus("gpu", "node", 9);
        QCOMPARE(refused(d).code, ErrorCode::invalid_value);
        QVERIFY(refused(d).message.find("9 accelerators") != std::string::npos);
        d.gpus("gpu", "node", 7);  // part-filled
        QCOMPARE(built(d).accelerators, 7);
    }

    /// Four accelerators under each of two switches of each of two CPUs.
    void pcieTreesShareTheirUplinks() {
        const Network n = built(domain_of(16, FabricKind::pcie_tree, [](Interconnect& f) {
            f.part = PartId("pcie");  // 55 GB/s
            f.dimensions = {{4, true}, {2, true}, {2, true}};
            f.root_part = PartId("ib");  // 48.8 GB/s between the CPUs
        }));
        QVERIFY(close(rate(n, {{{4, 1}}, {{4, 4}}}, Pattern::ring), 55e9));
        // Two accelerators under different switches of one CPU, four such pairs: four bytes over each uplink.
        const Route across = routed(n, {{{2, 4}}, {{4, 1}, {2, 8}}}, Pattern::all_to_all);
        QVERIFY(close(across.seconds_per_byte.si(), 4 / 55e9));
        QCOMPARE(across.loads[0].where, std::string("uplink of a PCIe switch"));
        QCOMPARE(across.slowest.hops, 2);
        // Eight pairs over the link between the CPUs.
        const Route cpus = routed(n, {{{2, 8}}, {{8, 1}}}, Pattern::all_to_all);
        QVERIFY(close(cpus.seconds_per_byte.si(), 8 / 48.8e9));
        QCOMPARE(cpus.loads[0].where, std::string("CPU-to-CPU link"));
        QCOMPARE(cpus.slowest.hops, 3);
    }

    /// A fat tree of k = 4 carries any permutation at full rate; half the hosts' cables up make it half as fast.
    void aFatTreeDoesNotBlock() {
        const Network full = built(fat_tree(4, 2, 4));
        QCOMPARE(full.accelerators, 16);
        QVERIFY(close(rate(full, {{{2, 8}}, {{8, 1}}}, Pattern::all_to_all), 48.8e9));
        QVERIFY(close(bisection_bandwidth(full, ranks_of(full))->bandwidth.si(), 8 * 48.8e9));
        QCOMPARE(path(full, 0, 15)->hops, 6);
        for (const TierRatio& tier : full.tiers) QVERIFY(tier.up.si() == 0 || close(tier.oversubscription(), 1));
        const Network tapered = built(fat_tree(4, 4, 4));  // 4 hosts on 2 uplinks
        QVERIFY(close(rate(tapered, {{{2, 16}}, {{16, 1}}}, Pattern::all_to_all), 48.8e9 / 2));
        QCOMPARE(tapered.tiers.size(), std::size_t(3));
        QCOMPARE(tapered.tiers[0].device, std::string("edge"));
        QVERIFY(close(tapered.tiers[0].oversubscription(), 2));
        QVERIFY(close(tapered.tiers[1].oversubscription(), 1));
        QCOMPARE(tapered.tiers[2].oversubscription(), 0.0);
        const Network half = built(fat_tree(4, 2, 2));  // half the cores: 2:1 at the aggregation tier
        QVERIFY(close(rate(half, {{{2, 8}}, {{8, 1}}}, Pattern::all_to_all), 48.8e9 / 2));
    }

    /// Uniform traffic with minimal routes: the (a p)^2 pairs between two groups share m global cables (same paper,
    /// section 3: one cable a pair in the largest network).
    void dragonflyGlobalLinksAreTheLimit() {
        for (const std::int64_t m : {1, 2, 4, 8}) {
            const Network n = built(dragonfly(2, 4, 9, m));
            QCOMPARE(n.accelerators, 72);
            const Route r = routed(n, all_of(n), Pattern::all_to_all);
            const double cables = double(std::min<std::int64_t>(m, 4)),
                         lanes = double(std::max<std::int64_t>(m / 4, 1));
            QVERIFY(close(load_of(n, r, "global"), 64.0 / 71 / cables));
            const int link = int(n.find({LinkRef::Kind::link, "global"}) - n.links.data());
            QVERIFY(close(n.links[std::size_t(link)].capacity.value.si(), lanes * 48.8e9));
        }
        // All of one group to the next group: min routing gives them one cable for 8 terminals.
        const Network n = built(dragonfly(2, 4, 9, 1));
        const Route shift = routed(n, {{{2, 8}}, {{8, 1}}}, Pattern::stages);
        QVERIFY(close(shift.seconds_per_byte.si(), 8 / 48.8e9));
        QCOMPARE(path(n, 0, 71)->level, int(n.levels.size()) - 1);
        QCOMPARE(n.levels.back().name, std::string("global"));
    }

    void twoNicGenerationsInOneDrawing() {
        Catalogue c = parts();
        NicPart old = *c.nics.find(PartId("cx7"));
        old.id = PartId("old");
        old.bandwidth.nominal.value = 25_GBps;
        old.bandwidth.usable->value = 24_GBps;
        c.nics.put(old);
        Drawing d;
        d.container("new", "", ContainerKind::node, 2).domain("new").gpus("gpu-a", "new", 8).nics("nic-a", "new", 8);
        d.container("old", "", ContainerKind::node, 2).domain("old").gpus("gpu-b", "old", 8);
        d.device("nic-b", "old", DeviceKind::nic, "old", 8).switches("leaf", "", 8);
        d.link("bus-a", "gpu-a", "nic-a", "pcie").link("bus-b", "gpu-b", "nic-b", "pcie");
        d.link("edge-a", "nic-a", "leaf", "ib", Wiring::rail).link("edge-b", "nic-b", "leaf", "ib", Wiring::rail);
        const Network n = built(d, c);
        QVERIFY(close(rate(n, {{{2, 8}}, {{8, 1}}}, Pattern::all_to_all), 48.8e9));
        QVERIFY(close(rate(n, {{{4, 8}}, {{8, 1}}}, Pattern::all_to_all), 24e9));  // the old ones bind
    }

    void moreAcceleratorsThanNicsThatDivideThem() {
        Drawing d;
        d.container("node", "", ContainerKind::node, 2)
            .domain("node")
            .gpus("gpu", "node", 8)
            .nics("nic", "node", 6)
            .switches("leaf", "", 1)
            .link("bus", "gpu", "nic", "pcie")
            .link("edge", "nic", "leaf", "ib");
        const Network n = built(d);
        const Route r = routed(n, {{{2, 8}}, {{8, 1}}}, Pattern::all_to_all);
        QVERIFY(close(load_of(n, r, "edge"), 2));  // two NICs serve two accelerators each
        QVERIFY(path(n, 0, 15).has_value());
        Drawing huge = d;
        huge.container("node", "", ContainerKind::node, 1'000'000);
        const auto refusal = route(built(huge), {{{2, 8}}, {}}, Pattern::all_to_all);
        QVERIFY(!refusal);
        QVERIFY(refusal.error().message.find("'bus' joins 8 instances with 6") != std::string::npos);
    }

    void unevenGroupsOfManyRanks() {
        const Network n = built(rail_pod(1024, 8));
        const Route r = routed(n, {{{12, 1}}, {{600, 12}}}, Pattern::all_to_all);  // 7,200 ranks
        QVERIFY(close(load_of(n, r, "edge"), 8.0 / 11));
        QCOMPARE(r.domains, 2);
    }

    void whatIsDownLeaves() {
        Drawing d;
        d.container("node", "", ContainerKind::node, 2)
            .domain("node")
            .gpus("gpu", "node", 6)
            .gpus("zombie", "node", 2)
            .nics("nic", "node", 8)
            .switches("leaf", "", 1)
            .link("bus", "gpu", "nic", "pcie", Wiring::each_to_each)
            .link("edge", "nic", "leaf", "ib");
        set_down(d, "zombie");
        const Network n = built(d);
        QCOMPARE(n.accelerators, 12);
        QCOMPARE(n.domain_size, 6);
        QVERIFY(!route(n, {{{13, 1}}, {}}, Pattern::ring));
        QCOMPARE(device_of(n, 11), std::string("gpu"));
        set_down(d, "leaf");
        const auto cut = route(built(d), {{{12, 1}}, {}}, Pattern::all_to_all);
        QVERIFY(!cut);
        QCOMPARE(cut.error().code, ErrorCode::unreachable);
        set_down(d, "gpu");
        QVERIFY(refused(d).message.find("all accelerators of the drawing are down") != std::string::npos);
    }

    void switchPortsCapTheirCables() {
        Catalogue c = parts();
        SwitchPart slow = *c.switches.find(PartId("switch"));
        slow.port_bandwidth = measured(25_GBps);
        c.switches.put(slow);
        const Network n = built(rail_pod(2, 8), c);
        QCOMPARE(n.find({LinkRef::Kind::link, "edge"})->capacity.value.si(), 25e9);
        QCOMPARE(n.find({LinkRef::Kind::link, "up"})->capacity.value.si(), 2 * 25e9);
        slow.port_bandwidth = measured(50_GBps);
        slow.radix = 2;  // a leaf with 2 NICs and 2 uplinks: two ports broken out into four
        c.switches.put(slow);
        QVERIFY(close(built(rail_pod(2, 8), c).find({LinkRef::Kind::link, "edge"})->capacity.value.si(), 25e9));
    }

    void devicesReportWhatPassesThem() {
        const Network n = built(two_racks(4));
        const Route r = routed(n, {{{2, 32}}, {{32, 1}}}, Pattern::all_to_all);
        QCOMPARE(r.devices.size(), std::size_t(3));  // leaf, nic, spine
        for (const DeviceLoad& d : r.devices) {
            // Each byte passes two NICs, two leaves and one of four spines; 64 ranks send one each.
            const double expected = d.device == "nic" ? 2.0 : d.device == "leaf" ? 64.0 : 16.0;
            QVERIFY2(close(d.bytes_per_byte, expected), d.device.c_str());
        }
    }

    void pathsNameTheirParts() {
        const Network n = built(rail_pod(2, 8));
        const Path p = *path(n, 1, 9);
        QVERIFY(close(p.endpoint.si() + p.transit.si(), p.step.si()));
        QVERIFY(close(p.endpoint.si(), 2e-6));
        QCOMPARE(n.levels[std::size_t(p.level)].name, std::string("NIC / leaf"));
        QCOMPARE(p.links.size(), std::size_t(4));
        QCOMPARE(path(n, 3, 3)->level, -1);
    }

    void cutsOfASelection() {
        const Network n = built(two_racks(4));
        std::vector<std::int64_t> node, racks;
        for (std::int64_t r = 0; r < 8; ++r) node.push_back(r);
        QVERIFY(close(bisection_bandwidth(n, node)->bandwidth.si(), 4 * 364e9));
        // Rack against rack: 16 cables up from each leaf.
        QVERIFY(close(bisection_bandwidth(n, ranks_of(n))->bandwidth.si(), 16 * 48.8e9));
        QVERIFY(!cut_bandwidth(n, {0}, {}));
        QVERIFY(!cut_bandwidth(n, {0}, {0}));
        QVERIFY(!cut_bandwidth(n, {0}, {64}));
    }
};

QTEST_APPLESS_MAIN(TestFabrics)
#include "tst_fabrics.moc"
