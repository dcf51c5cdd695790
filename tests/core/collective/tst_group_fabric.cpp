#include <QtTest>

#include "core/collective/expert_exchange.hpp"
#include "core/collective/group_fabric.hpp"
#include "tests/core/network/drawings.hpp"

using namespace drawings;

namespace {

bool close(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::abs(b); }

Catalogue with_figures(const char* part, CollectiveOp op, BytesPerSecond bandwidth, Seconds software, Seconds step) {
    Catalogue c = parts();
    LinkPart link = *c.links.find(PartId(part));
    CollectiveFigures& figures = link.collectives[op];
    figures.bandwidth = measured(bandwidth);
    figures.software = measured(software);
    figures.step = measured(step);
    c.links.put(link);
    return c;
}

struct Built {
    Network network;
    GroupRoutes routes;
};

Built built(const Drawing& drawing, const Catalogue& catalogue, const RankGroups& groups) {
    auto network = compile(drawing.topology, catalogue);
    if (!network) qFatal("%s", network.error().message.c_str());
    auto routes = route_group(*network, groups);
    if (!routes) qFatal("%s", routes.error().message.c_str());
    return {std::move(*network), std::move(*routes)};
}

double bus_bandwidth(const Built& b, const Catalogue& catalogue, CollectiveOp op, Algorithm algorithm) {
    const auto cost = collective_cost(op, Bytes(1e15), group_fabric(b.routes, b.network, catalogue, op), algorithm);
    return cost ? cost->bus_bandwidth.si() : 0;
}

}  // namespace

class TestGroupFabric : public QObject {
    Q_OBJECT
private slots:
    void ringBusBandwidthOfTenNodes() {
        // Measured, cost-model section 2: 10 nodes, g = 1, 2, 4, 8 accelerators a node.
        const std::pair<int, double> measured_bus[] = {{1, 48.9e9}, {2, 98.3e9}, {4, 196.4e9}, {8, 364e9}};
        const Catalogue c = parts();
        for (const auto& [used, bus] : measured_bus) {
            const Built b = built(rail_pod(10, 8), c, {{{used, 1}, {10, 8}}, {}});
            QVERIFY(close(bus_bandwidth(b, c, CollectiveOp::all_reduce, Algorithm::ring), bus, 0.01));
        }
    }

    void allToAllBusBandwidth() {
        // Measured, cost-model section 2: 91.8 GB/s on two nodes of eight.
        const Catalogue c = parts();
        const Built b = built(rail_pod(2, 8), c, {{{16, 1}}, {}});
        QVERIFY(close(bus_bandwidth(b, c, CollectiveOp::all_to_all, Algorithm::direct), 91.8e9, 0.01));
    }

    void figuresOfTheOperationReplaceTheLinks() {
        const Catalogue c = with_figures("nvlink", CollectiveOp::expert_dispatch, 182_GBps, 13_us, 1_us);
        Drawing d;
        d.container("rack", "", ContainerKind::rack).domain("rack").gpus("gpu", "rack", 72);
        const Built b = built(d, c, {{{72, 1}}, {}});
        const GroupFabric dispatch = group_fabric(b.routes, b.network, c, CollectiveOp::expert_dispatch);
        QVERIFY(close(dispatch.whole.bandwidth.si(), 182e9));
        QVERIFY(close(dispatch.whole.software.si(), 13e-6));
        QVERIFY(close(dispatch.whole.step.si(), 1e-6));
        const GroupFabric gather = group_fabric(b.routes, b.network, c, CollectiveOp::all_gather);
        QVERIFY(close(gather.whole.bandwidth.si(), 364e9));
        QVERIFY(close(gather.whole.software.si(), 4e-6));
        QVERIFY(gather.whole.one_hop && !gather.inside);
    }

    void congestionStaysUnderTheFiguresOfTheOperation() {
        const Catalogue c = with_figures("ib", CollectiveOp::all_reduce, 40_GBps, 20_us, 5_us);
        Drawing d = rail_pod(4, 8);
        d.change_link("edge", [](Link& l) { l.state = {Health::degraded, 0.5}; });
        const Built b = built(d, c, {{{4, 8}}, {{8, 1}}});
        const GroupFabric group = group_fabric(b.routes, b.network, c, CollectiveOp::all_reduce);
        QVERIFY(close(group.whole.bandwidth.si(), 20e9));
        QVERIFY(!group.whole.one_hop);
    }

    void reductionNeedsOneSwitchedDomain() {
        Catalogue c = parts();
        LinkPart nvlink = *c.links.find(PartId("nvlink"));
        nvlink.in_switch_reduction = true;
        nvlink.in_switch_gain = measured(1.27);
        c.links.put(nvlink);
        const Built inside = built(rail_pod(2, 8), c, {{{8, 1}}, {{2, 8}}});
        const Fabric whole = group_fabric(inside.routes, inside.network, c, CollectiveOp::all_reduce).whole;
        QVERIFY(whole.in_switch_reduction);
        QCOMPARE(whole.in_switch_gain, 1.27);
        const Built wide = built(rail_pod(2, 8), c, {{{16, 1}}, {}});
        const GroupFabric group = group_fabric(wide.routes, wide.network, c, CollectiveOp::all_reduce);
        QVERIFY(!group.whole.in_switch_reduction);
        QVERIFY(group.inside && group.across);
        QCOMPARE(group.inside->ranks, 8.0);
        QCOMPARE(group.across->ranks, 2.0);
        QVERIFY(close(group.across->bandwidth.si(), 48.8e9));
    }

    void hierarchicalOverEveryLevelOfTheNetwork() {
        // Domains of 8, racks of 4 domains, 2 racks; each leaf has 4 links of 48.8 GB/s up for its 32 accelerators.
        const Catalogue c = parts();
        const Built b = built(two_racks(1), c, {{{64, 1}}, {}});
        const GroupFabric group = group_fabric(b.routes, b.network, c, CollectiveOp::all_reduce);
        QCOMPARE(group.levels.size(), std::size_t(3));
        QCOMPARE(group.levels[0].ranks, 8.0);
        QCOMPARE(group.levels[1].ranks, 4.0);
        QCOMPARE(group.levels[2].ranks, 2.0);
        QVERIFY(close(group.levels[1].bandwidth.si(), 48.8e9));
        QVERIFY(close(group.levels[2].bandwidth.si(), 4 * 48.8e9 / 32));
        const auto cost = collective_cost(CollectiveOp::all_reduce, 1_GB, group, Algorithm::hierarchical);
        QVERIFY(cost.has_value());
        QCOMPARE(cost->levels, 3);
        // reduce-scatter and all-gather of n inside and of n/8 in the rack, all-reduce of n/32 between the two racks
        const double n = 1e9;
        const double bandwidth = 2 * 7 / 8.0 * n / 364e9 + 2 * 3 / 4.0 * n / 8 / 48.8e9 + n / 32 / (4 * 48.8e9 / 32);
        QVERIFY(close(cost->bandwidth.si(), bandwidth));
        // One rack has two levels only, which `inside` and `across` say.
        const Built rack = built(two_racks(1), c, {{{32, 1}}, {{2, 32}}});
        QVERIFY(group_fabric(rack.routes, rack.network, c, CollectiveOp::all_reduce).levels.empty());
    }

    void inSwitchReductionWithATreeBetweenDomains() {
        Catalogue c = parts();
        LinkPart nvlink = *c.links.find(PartId("nvlink"));
        nvlink.in_switch_reduction = true;
        nvlink.in_switch_bandwidth = measured(307_GBps);
        c.links.put(nvlink);
        const Built b = built(rail_pod(2, 8), c, {{{16, 1}}, {}});
        const GroupFabric group = group_fabric(b.routes, b.network, c, CollectiveOp::all_reduce);
        QVERIFY(group.inside->in_switch_reduction);
        const auto cost = collective_cost(CollectiveOp::all_reduce, 1_GB, group, Algorithm::in_switch);
        QVERIFY(cost.has_value());
        // 9/8 n by the switch against n once over eight NICs: the switch is slower
        QVERIFY(close(cost->bandwidth.si(), 9 / 8.0 * 1e9 / 307e9));
        QVERIFY(cost->bus_bandwidth.si() < 2 * 15 / 16.0 * 307e9 * 8 / 9);
    }

    void issueGrowsWithTheRanksThatAreSentTo() {
        Catalogue c = parts();
        LinkPart nvlink = *c.links.find(PartId("nvlink"));
        nvlink.collectives[CollectiveOp::expert_dispatch].message = measured(1_us);
        c.links.put(nvlink);
        Drawing d;
        d.container("rack", "", ContainerKind::rack).domain("rack").gpus("gpu", "rack", 72);
        const Built b = built(d, c, {{{72, 1}}, {}});
        const auto latency = [&](double tokens) {
            const ExpertExchange e{tokens, 8, Bytes(7168), 72, 288, 1, 0};
            return exchange_cost(e, b.network, b.routes.all_to_all, CollectiveOp::expert_dispatch, c).latency;
        };
        QVERIFY(close((latency(1) - latency(1e-9)).si(), 1e-6 * 71 / 9, 0.05));  // one token reaches about eight ranks
        QVERIFY(close(latency(4096).si(), 5.5e-6 + 71e-6, 1e-3));                // many tokens reach all
    }

    void unevenDomainsHaveNoLevels() {
        const Built b = built(rail_pod(2, 8), parts(), {{{12, 1}}, {}});
        QVERIFY(!b.routes.inside && !b.routes.across);
    }

    // Expert exchange.

    void publishedBound() {
        // DeepSeek-AI, "Insights into DeepSeek-V3" (arXiv 2505.09343) section 2.3.2
        const double ib = (exchange_bound(32, 9, 7000_B, 50_GBps) + exchange_bound(32, 9, 14000_B, 50_GBps)).si();
        QVERIFY(close(ib, 120.96e-6));
        QVERIFY(close(2 * 61 * ib, 14.76e-3, 0.0005));
        const double nvl = (exchange_bound(32, 9, 7000_B, 900_GBps) + exchange_bound(32, 9, 14000_B, 900_GBps)).si();
        QVERIFY(close(nvl, 6.72e-6));
        QVERIFY(close(2 * 61 * nvl, 0.82e-3, 0.005));
    }

    void lowLatencyKernelsOverInfiniBand_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("tokens");
        QTest::addColumn<double>("token_bytes");
        QTest::addColumn<double>("us");
        // DeepEP docs/legacy.md, low-latency kernels, 128 tokens, top-8, hidden 7168: FP8 dispatch of 7.59 MB a rank
        // (payload, scales and header: 7,412 B a copy), BF16 combine of 14.68 MB (14,336 B a copy).
        QTest::newRow("dispatch EP16") << 2 << 128.0 << 7412.0 << 118.0;
        QTest::newRow("dispatch EP32") << 4 << 128.0 << 7412.0 << 155.0;
        QTest::newRow("dispatch EP64") << 8 << 128.0 << 7412.0 << 173.0;
        QTest::newRow("dispatch EP128") << 16 << 128.0 << 7412.0 << 192.0;
        QTest::newRow("dispatch EP256") << 32 << 128.0 << 7412.0 << 194.0;
        QTest::newRow("combine EP16") << 2 << 128.0 << 14336.0 << 195.0;
        QTest::newRow("combine EP32") << 4 << 128.0 << 14336.0 << 273.0;
        QTest::newRow("combine EP64") << 8 << 128.0 << 14336.0 << 314.0;
        QTest::newRow("combine EP256") << 32 << 128.0 << 14336.0 << 360.0;
        // Held out of that fit: H100 with the same NIC under SGLang 0.5.6 (aiconfigurator).
        QTest::newRow("H100 dispatch EP32, 32 tokens") << 4 << 32.0 << 7412.0 << 55.23;
        QTest::newRow("H100 combine EP32, 128 tokens") << 4 << 128.0 << 14336.0 << 263.27;
        QTest::newRow("H100 dispatch EP64, 256 tokens") << 8 << 256.0 << 7412.0 << 301.13;
        QTest::newRow("H100 combine EP16, 256 tokens") << 2 << 256.0 << 14336.0 << 337.47;
    }
    void lowLatencyKernelsOverInfiniBand() {
        QFETCH(int, nodes);
        QFETCH(double, tokens);
        QFETCH(double, token_bytes);
        QFETCH(double, us);
        // The fit over those tables: 20 us and 45-46 GB/s.
        const Catalogue c = with_figures("ib", CollectiveOp::expert_dispatch, 45.5_GBps, 18_us, 2_us);
        const Built b = built(rail_pod(nodes, 8), c, {{{nodes * 8, 1}}, {}});
        ExpertExchange e;
        e.tokens = tokens;
        e.destinations = 8;
        e.token_bytes = Bytes(token_bytes);
        e.ranks = nodes * 8;
        e.experts = 256;
        e.domains = nodes;
        const ExchangeCost cost = exchange_cost(e, b.network, b.routes.all_to_all, CollectiveOp::expert_dispatch, c);
        QVERIFY(close(cost.time.si(), us * 1e-6, 0.2));  // the band of the published rows
        QVERIFY(close(cost.time.si(), 20e-6 + tokens * 8 * token_bytes * (1 - 1.0 / nodes) / 45.5e9));
        QCOMPARE(QString::fromStdString(cost.algorithm), QString("low-latency direct"));
        QVERIFY(close(cost.remote_share, 1 - 1.0 / nodes));
    }

    void deduplicationSendsATokenOncePerDomain() {
        const Catalogue c = with_figures("ib", CollectiveOp::expert_dispatch, 45_GBps, 18_us, 2_us);
        const Built b = built(rail_pod(8, 8), c, {{{64, 1}}, {}});
        ExpertExchange e{4096, 8, Bytes(7168), 64, 256, 8, 4};
        const ExchangeCost cost = exchange_cost(e, b.network, b.routes.all_to_all, CollectiveOp::expert_dispatch, c);
        QCOMPARE(QString::fromStdString(cost.algorithm), QString("node-de-duplicated"));
        QVERIFY(cost.reason.find("low-latency direct") != std::string::npos);
        // at most 4 of 8 domains a token: 4096 tokens x 4 x 7/8 x 7168 B over one NIC at 45 GB/s
        QVERIFY(close(cost.bandwidth.si(), 4096 * 4 * 7 / 8.0 * 7168 / 45e9));
        e.group_limit = 0;
        QVERIFY(exchange_cost(e, b.network, b.routes.all_to_all, CollectiveOp::expert_dispatch, c).time > cost.time);
        QVERIFY(cost.messages <= 63 && cost.messages > 62);
    }

    void insideOneDomainNothingIsRemote() {
        const Catalogue c = parts();
        Drawing d;
        d.container("rack", "", ContainerKind::rack).domain("rack").gpus("gpu", "rack", 72);
        const Built b = built(d, c, {{{72, 1}}, {}});
        const ExpertExchange e{32, 8, Bytes(7168), 72, 288, 1, 0};
        const ExchangeCost cost = exchange_cost(e, b.network, b.routes.all_to_all, CollectiveOp::expert_dispatch, c);
        QCOMPARE(cost.remote_share, 0.0);
        QCOMPARE(cost.levels.size(), std::size_t(1));
        QVERIFY(close(cost.sent_per_rank.si(), 32 * 8 * 7168 * 71 / 72.0));
        QVERIFY(close(cost.time.si(), 5.5e-6 + 32 * 8 * 7168 * 71 / 72.0 / 364e9));
        const ExchangeCost none = exchange_cost({0, 8, Bytes(7168), 72, 288, 1, 0}, b.network, b.routes.all_to_all,
                                                CollectiveOp::expert_dispatch, c);
        QCOMPARE(none.time.si(), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestGroupFabric)
#include "tst_group_fabric.moc"
