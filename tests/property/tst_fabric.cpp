// Laws of every kind of fabric on small random drawings: counts equal drawn copies, and both equal the plain reading of
// the rules, whichever way the core routes them.
#include <rapidcheck.h>

#include <functional>
#include <map>

#include <QtTest>

#include "core/network/route.hpp"
#include "tests/core/network/drawings.hpp"
#include "tests/property/fabric_copies.hpp"

using namespace drawings;

namespace {

/// NICs without a limit of their own: where counts do not divide each other the core rates all cables of a class like
/// those of its fullest NIC, which drawn copies tell apart.
Catalogue wide_parts() {
    Catalogue c = parts();
    NicPart nic = *c.nics.find(PartId("cx7"));
    nic.bandwidth.nominal.value = nic.bandwidth.usable->value = 100'000_GBps;
    c.nics.put(nic);
    return c;
}

int pick(int from, int to) { return *rc::gen::inRange(from, to + 1); }
bool chance() { return *rc::gen::arbitrary<bool>(); }

Wiring any_wiring() {
    return std::vector<Wiring>{Wiring::one_to_one, Wiring::each_to_each, Wiring::rail}[std::size_t(pick(0, 2))];
}

void change_domain(Drawing& d, const std::string& id, const std::function<void(Interconnect&)>& change) {
    Container c = *d.topology.containers.find(ContainerId(id));
    change(*c.interconnect);
    d.topology.containers.put(c);
}

/// A scale-up domain of a random kind with room for `gpus`.
void random_domain(Drawing& d, const std::string& id, int gpus) {
    const auto kind = FabricKind(pick(0, 4));
    d.domain(id, "nvlink", kind);
    change_domain(d, id, [&](Interconnect& f) {
        if (kind == FabricKind::torus) {
            f.dimensions = {{2, chance()}, {(gpus + 1) / 2, chance()}};
            if (f.dimensions[1].size > 2 && chance()) f.dimensions[1].wrap = true;
        }
        if (kind == FabricKind::pcie_tree) f.dimensions = {{2, true}, {pick(1, 2), true}, {(gpus + 1) / 2, true}};
        f.background = pick(0, 2) * 0.25;
    });
}

/// Random wiring between counted devices; the counts need not divide each other.
Drawing random_cluster() {
    Drawing d;
    const int gpus = pick(1, 5);
    d.container("pod", "", ContainerKind::pod, pick(1, 2)).container("rack", "pod", ContainerKind::rack, pick(1, 3));
    if (chance()) random_domain(d, "rack", gpus);
    d.gpus("gpu", "rack", gpus).nics("nic", "rack", pick(1, 4)).switches("leaf", "pod", pick(1, 3));
    d.switches("spine", "", pick(1, 3));
    d.link("bus", "gpu", "nic", "pcie", any_wiring());
    d.link("edge", "nic", "leaf", "ib", any_wiring(), pick(1, 2));
    d.link("up", "leaf", "spine", "ib", any_wiring());
    if (chance()) d.link("peer", "leaf", "leaf", "ib", Wiring::each_to_each);
    if (d.topology.links.contains(LinkId("peer")) && d.topology.devices.find(DeviceId("leaf"))->count < 2)
        d.topology.links.erase(LinkId("peer"));
    return d;
}

Drawing random_dragonfly() {
    Drawing d;
    const int switches = pick(1, 4);
    d.container("group", "", ContainerKind::group, pick(2, 5)).switches("sw", "group", switches);
    d.gpus("gpu", "group", switches * pick(1, 2));
    d.link("port", "gpu", "sw", "ib");
    if (switches > 1) d.link("local", "sw", "sw", "ib", Wiring::each_to_each);
    d.link("global", "sw", "sw", "ib", Wiring::dragonfly);
    d.change_link("global", [](Link& l) { l.per_pair = pick(1, 5); });
    return d;
}

/// Devices and links of a graph without any order; some of them down.
Drawing random_graph() {
    Drawing d;
    const int gpus = pick(2, 6), switches = pick(1, 5);
    for (int g = 0; g < gpus; ++g) d.gpus("gpu" + std::to_string(g), "", 1);
    for (int s = 0; s < switches; ++s) d.switches("sw" + std::to_string(s), "", 1);
    for (int g = 0; g < gpus; ++g)
        d.link("port" + std::to_string(g), "gpu" + std::to_string(g), "sw" + std::to_string(pick(0, switches - 1)),
               "ib");
    for (int n = pick(0, 9), l = 0; l < n; ++l) {
        const int a = pick(0, switches - 1), b = pick(0, gpus + switches - 1);
        const std::string other = b < gpus ? "gpu" + std::to_string(b) : "sw" + std::to_string(b - gpus);
        if (b - gpus != a) d.link("x" + std::to_string(l), "sw" + std::to_string(a), other, "ib");
    }
    if (pick(0, 3) == 0) {
        Device down = *d.topology.devices.find(DeviceId(chance() ? "gpu0" : "sw0"));
        down.state.health = Health::down;
        d.topology.devices.put(down);
    }
    return d;
}

RankGroups random_groups(int all) {
    const int size = pick(1, all), copies = pick(1, all / size);
    if (chance()) return {{{size, 1}}, {{copies, size}}};
    return {{{size, copies}}, {{copies, 1}}};
}

constexpr Pattern patterns[] = {Pattern::all_to_all, Pattern::ring, Pattern::stages, Pattern::across_domains,
                                Pattern::within_domains};

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)) + 1e-30; }

/// Slowest load and bytes of each class of links.
std::map<std::string, std::pair<double, double>> by_class(const Network& network, const Route& r) {
    std::map<std::string, std::pair<double, double>> result;
    for (const LinkLoad& load : r.loads) {
        const LinkRef& ref = network.links[std::size_t(load.link)].ref;
        auto& worst = result[ref.kind == LinkRef::Kind::domain ? "domain" : copies::class_of(ref.id)];
        worst.first = std::max(worst.first, load.bytes_per_byte);
        worst.second = std::max(worst.second, load.seconds_per_byte.si());
    }
    return result;
}

void assert_same(const Network& a, const Route& x, const Network& b, const Route& y) {
    const auto left = by_class(a, x), right = by_class(b, y);
    RC_ASSERT(left.size() == right.size());
    for (const auto& [name, loads] : left) {
        RC_ASSERT(right.contains(name));
        RC_ASSERT(close(loads.first, right.at(name).first));
        RC_ASSERT(close(loads.second, right.at(name).second));
    }
    RC_ASSERT(close(x.seconds_per_byte.si(), y.seconds_per_byte.si()));
    RC_ASSERT(close(x.cross_domain, y.cross_domain));
    RC_ASSERT(x.domains == y.domains && x.ranks_per_domain == y.ranks_per_domain);
    RC_ASSERT(close(x.slowest.alpha().si(), y.slowest.alpha().si()));
    RC_ASSERT(x.slowest.hops == y.slowest.hops);
    RC_ASSERT(x.levels.size() == y.levels.size());
    for (std::size_t l = 0; l < x.levels.size(); ++l) {
        RC_ASSERT(close(x.levels[l].seconds_per_byte.si(), y.levels[l].seconds_per_byte.si()));
        RC_ASSERT(close(x.levels[l].step.si(), y.levels[l].step.si()));
    }
}

/// `names`: the copies compiled, for the device of each rank.
void assert_plain(const Topology& copied, const Network& names, const RankGroups& groups, const Network& network,
                  const Route& r) {
    copies::Plain plain(copied);
    const int size = int(groups.size()), copies = int(groups.copy_count());
    for (int c = 0; c < copies; ++c)
        for (int s = 0; s < size; ++s)
            for (int t = 0; t < size; ++t) {
                const auto rank = [&](int m) { return c * groups.copies[0].stride + m * groups.members[0].stride; };
                if (s != t) plain.send(device_of(names, rank(s)), device_of(names, rank(t)), 1.0 / double(size - 1));
            }
    const auto expected = plain.busiest();
    const auto found = by_class(network, r);
    RC_ASSERT(expected.size() == found.size());
    for (const auto& [name, loads] : found) {
        RC_ASSERT(expected.contains(name));
        RC_ASSERT(close(loads.first, expected.at(name)));
    }
}

/// The counted drawing, its copies and the plain reading agree; or both forms are refused.
void assert_counts_equal_copies(const Drawing& drawing) {
    const Topology copied = copies::Copier(drawing.topology).run();
    const auto a = compile(drawing.topology, wide_parts()), b = compile(copied, wide_parts());
    RC_ASSERT(a.has_value() == b.has_value());
    if (!a) return;
    RC_ASSERT(a->accelerators == b->accelerators);
    const RankGroups groups = random_groups(int(a->accelerators));
    for (const Pattern p : patterns) {
        const auto x = route(*a, groups, p), y = route(*b, groups, p);
        RC_ASSERT(x.has_value() == y.has_value());
        if (x && y && !close(x->slowest.alpha().si(), y->slowest.alpha().si()))
            RC_LOG() << "pattern " << int(p) << ": " << x->slowest.from << "->" << x->slowest.to << " "
                     << x->slowest.alpha().si() << " hops " << x->slowest.hops << ", copies " << y->slowest.from << "->"
                     << y->slowest.to << " " << y->slowest.alpha().si() << " hops " << y->slowest.hops;
        if (x) assert_same(*a, *x, *b, *y);
        else RC_ASSERT(x.error().code == y.error().code);
        if (x && p == Pattern::all_to_all) assert_plain(copied, *b, groups, *b, *y);
    }
}

/// Copies of the cables do not say that they are global, so only the plain reading is compared.
void assert_dragonfly(const Drawing& drawing) {
    const Topology copied = copies::Copier(drawing.topology).run();
    const auto counted = compile(drawing.topology, wide_parts()), names = compile(copied, wide_parts());
    RC_ASSERT(counted.has_value() && names.has_value());
    const RankGroups groups = random_groups(int(counted->accelerators));
    const auto r = route(*counted, groups, Pattern::all_to_all);
    RC_ASSERT(r.has_value());
    assert_plain(copied, *names, groups, *counted, *r);
}

}  // namespace

class TestFabricLaws : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20250601 max_success=300"); }

    void clusters() {
        QVERIFY(rc::check("leaf and spine with any wiring and domain",
                          [] { assert_counts_equal_copies(random_cluster()); }));
    }
    void dragonflies() {
        QVERIFY(rc::check("dragonflies", [] { assert_dragonfly(random_dragonfly()); }));
    }
    void graphs() {
        QVERIFY(rc::check("graphs without order", [] { assert_counts_equal_copies(random_graph()); }));
    }
};

QTEST_APPLESS_MAIN(TestFabricLaws)
#include "tst_fabric.moc"
