// Laws of routing on small random leaf-spine drawings: counts equal copies, names do not matter, and nothing is
// faster than the links it crosses.
#include <rapidcheck.h>

#include <map>

#include <QtTest>

#include "core/network/route.hpp"
#include "tests/core/network/drawings.hpp"

using namespace drawings;

namespace {

/// A pod of racks of nodes; every count either counted or drawn out by hand.
struct Shape {
    int racks = 1, nodes = 1, gpus = 1, nics = 1, spines = 1, lanes = 1;
    bool domain = true;
    bool rails = true;  // leaves per rail in each rack, else one leaf a rack
    double factor = 1;  // of the edge links
};

Shape random_shape() {
    Shape s;
    s.racks = *rc::gen::inRange(1, 4);
    s.nodes = *rc::gen::inRange(1, 4);
    s.nics = *rc::gen::inRange(1, 4);
    s.gpus = s.nics * *rc::gen::inRange(1, 3);
    s.spines = *rc::gen::inRange(1, 4);
    s.lanes = *rc::gen::inRange(1, 3);
    s.domain = *rc::gen::arbitrary<bool>();
    s.rails = *rc::gen::arbitrary<bool>();
    s.factor = *rc::gen::inRange(1, 11) * 0.1;
    return s;
}

enum class Form { counted, racks_drawn, nodes_drawn };

void add_node(Drawing& d, const Shape& s, const std::string& rack, const std::string& at, int count) {
    d.container("node" + at, rack, ContainerKind::node, count);
    if (s.domain) d.domain("node" + at);
    d.gpus("gpu" + at, "node" + at, s.gpus).nics("nic" + at, "node" + at, s.nics);
    d.link("bus" + at, "gpu" + at, "nic" + at, "pcie");
}

void add_rack(Drawing& d, const Shape& s, const std::string& at, int count, bool draw_nodes,
              const std::string& prefix) {
    const std::string rack = prefix + "rack" + at, leaf = "leaf" + at;
    d.container(rack, "pod", ContainerKind::rack, count).switches(leaf, rack, s.rails ? s.nics : 1);
    d.link("up" + at, leaf, "spine", "ib", Wiring::each_to_each, s.lanes);
    for (int n = 0; n < (draw_nodes ? s.nodes : 1); ++n) {
        const std::string node = at + "n" + std::to_string(n);
        add_node(d, s, rack, node, draw_nodes ? 1 : s.nodes);
        d.link("edge" + node, "nic" + node, leaf, "ib", s.rails ? Wiring::rail : Wiring::one_to_one);
        d.change_link("edge" + node, [&](Link& l) { l.state = {Health::degraded, s.factor}; });
    }
}

Network drawn(const Shape& s, Form form, const std::string& prefix = "") {
    Drawing d;
    d.container("pod", "", ContainerKind::pod).switches("spine", "pod", s.spines);
    const bool draw_racks = form != Form::counted;
    for (int r = 0; r < (draw_racks ? s.racks : 1); ++r)
        add_rack(d, s, std::to_string(r), draw_racks ? 1 : s.racks, form == Form::nodes_drawn, prefix);
    const auto network = compile(d.topology, parts());
    RC_ASSERT(network.has_value());
    return *network;
}

int ranks_of(const Shape& s) { return s.racks * s.nodes * s.gpus; }

RankGroups random_groups(const Shape& s) {
    const int all = ranks_of(s);
    const int size = *rc::gen::inRange(1, all + 1), copies = *rc::gen::inRange(1, all / size + 1);
    if (*rc::gen::arbitrary<bool>()) return {{{size, 1}}, {{copies, size}}};
    return {{{size, copies}}, {{copies, 1}}};
}

constexpr Pattern patterns[] = {Pattern::all_to_all, Pattern::ring, Pattern::stages, Pattern::across_domains,
                                Pattern::within_domains};

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

void assert_same(const Route& x, const Route& y) {
    RC_ASSERT(close(x.seconds_per_byte.si(), y.seconds_per_byte.si()));
    RC_ASSERT(std::abs(x.cross_domain - y.cross_domain) <= 1e-12);
    RC_ASSERT(x.domains == y.domains && x.ranks_per_domain == y.ranks_per_domain);
    RC_ASSERT(close(x.slowest.alpha().si(), y.slowest.alpha().si()));
    RC_ASSERT(x.levels.size() == y.levels.size());
    for (std::size_t l = 0; l < x.levels.size(); ++l) {
        RC_ASSERT(close(x.levels[l].share_of_bytes, y.levels[l].share_of_bytes));
        RC_ASSERT(close(x.levels[l].seconds_per_byte.si(), y.levels[l].seconds_per_byte.si()));
        RC_ASSERT(close(x.levels[l].step.si(), y.levels[l].step.si()));
    }
}

/// The same network instance by instance, routed pair by pair: the plain reading of the rules.
class Plain {
public:
    explicit Plain(const Shape& s) : s_(s) {
        for (int r = 0; r < s.racks; ++r)
            for (int n = 0; n < s.nodes; ++n) add_node(r, n);
        for (int r = 0; r < s.racks; ++r)
            for (int l = 0; l < leaves(); ++l)
                for (int p = 0; p < s.spines; ++p) join(leaf(r, l), 'S' + std::to_string(p), "up0", 2);
    }

    /// Bytes per link, over the busiest instance and direction, for all-to-all in each group.
    std::map<std::string, double> busiest(const RankGroups& groups) {
        const auto members = ranks(groups.members);
        for (const int copy : ranks(groups.copies))
            for (const int a : members)
                for (const int b : members)
                    if (a != b) send(gpu(copy + a), gpu(copy + b), 1.0 / double(members.size() - 1));
        std::map<std::string, double> result;
        for (const auto& [key, bytes] : bytes_) {
            double& most = result[link_of_[{key.first, key.second}]];
            most = std::max(most, bytes);
        }
        return result;
    }

private:
    [[nodiscard]] int leaves() const { return s_.rails ? s_.nics : 1; }
    static std::string leaf(int r, int l) { return "L" + std::to_string(r) + "." + std::to_string(l); }
    [[nodiscard]] std::string gpu(int rank) const { return "G" + std::to_string(rank); }
    static std::vector<int> ranks(const std::vector<Stride>& strides) {
        std::vector<int> result;
        for (int i = 0; i < strides[0].extent; ++i) result.push_back(i * int(strides[0].stride));
        return result;
    }
    void join(const std::string& a, const std::string& b, const std::string& link, int cost) {
        for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
            next_[x][y] = cost;
            link_of_[{x, y}] = link;
        }
    }
    void add_node(int r, int n) {
        const std::string at = std::to_string(r) + "." + std::to_string(n);
        for (int g = 0; g < s_.gpus; ++g) {
            const std::string name = gpu((r * s_.nodes + n) * s_.gpus + g);
            if (s_.domain) join(name, "X" + at, "node0n0", 1);
            join(name, "N" + at + "." + std::to_string(g / (s_.gpus / s_.nics)), "bus0n0", 2);
        }
        for (int i = 0; i < s_.nics; ++i)
            join("N" + at + "." + std::to_string(i), leaf(r, s_.rails ? i : 0), "edge0n0", 2);
    }
    std::map<std::string, int> distances(const std::string& to) {
        std::map<std::string, int> known{{to, 0}};
        std::multimap<int, std::string> open{{0, to}};
        while (!open.empty()) {
            const auto [d, at] = *open.begin();
            open.erase(open.begin());
            if (known.at(at) != d || (at[0] == 'G' && at != to)) continue;
            for (const auto& [n, cost] : next_[at])
                if (!known.contains(n) || known.at(n) > d + cost) open.emplace(known[n] = d + cost, n);
        }
        return known;
    }
    void send(const std::string& from, const std::string& to, double bytes) {
        const auto distance = distances(to);
        std::map<int, std::map<std::string, double>, std::greater<>> layers{{distance.at(from), {{from, bytes}}}};
        for (auto layer = layers.begin(); layer != layers.end() && layer->first > 0; ++layer)
            for (const auto& [at, amount] : layer->second) {
                std::vector<std::string> hops;
                for (const auto& [n, cost] : next_[at])
                    if (distance.contains(n) && distance.at(n) == layer->first - cost && (n[0] != 'G' || n == to))
                        hops.push_back(n);
                for (const auto& n : hops) {
                    bytes_[{at, n}] += amount / double(hops.size());
                    layers[distance.at(n)][n] += amount / double(hops.size());
                }
            }
    }

    Shape s_;
    std::map<std::string, std::map<std::string, int>> next_;
    std::map<std::pair<std::string, std::string>, std::string> link_of_;
    std::map<std::pair<std::string, std::string>, double> bytes_;
};

}  // namespace

class TestNetworkLaws : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20240229 max_success=200"); }

    void aCountEqualsAsManyDrawnCopies() {
        QVERIFY(rc::check("count = k equals k drawn copies", [] {
            const Shape s = random_shape();
            const RankGroups groups = random_groups(s);
            const Network counted = drawn(s, Form::counted);
            RC_ASSERT(counted.accelerators == ranks_of(s));
            for (const Form form : {Form::racks_drawn, Form::nodes_drawn}) {
                const Network copied = drawn(s, form);
                for (const Pattern p : patterns) {
                    const auto x = route(counted, groups, p), y = route(copied, groups, p);
                    RC_ASSERT(x.has_value() && y.has_value());
                    assert_same(*x, *y);
                }
            }
        }));
    }

    void classesOfPairsEqualEveryPair() {
        QVERIFY(rc::check("symmetry against plain enumeration", [] {
            const Shape s = random_shape();
            const RankGroups groups = random_groups(s);
            const Network network = drawn(s, Form::counted);
            const auto r = route(network, groups, Pattern::all_to_all);
            RC_ASSERT(r.has_value());
            const auto plain = Plain(s).busiest(groups);
            RC_ASSERT(plain.size() == r->loads.size());
            for (const LinkLoad& load : r->loads)
                RC_ASSERT(close(load.bytes_per_byte, plain.at(network.links[std::size_t(load.link)].ref.id)));
        }));
    }

    void namesChangeNothing() {
        QVERIFY(rc::check("relabelling in the same order", [] {
            const Shape s = random_shape();
            const RankGroups groups = random_groups(s);
            const Network a = drawn(s, Form::racks_drawn), b = drawn(s, Form::racks_drawn, "the-");
            for (const Pattern p : patterns) assert_same(*route(a, groups, p), *route(b, groups, p));
        }));
    }

    void nothingBeatsTheLinksItCrosses() {
        QVERIFY(rc::check("bandwidth term and shares", [] {
            const Shape s = random_shape();
            const Network network = drawn(s, Form::counted);
            const auto r = route(network, random_groups(s), patterns[*rc::gen::inRange<std::size_t>(0, 5)]);
            RC_ASSERT(r.has_value());
            double slowest = 0;
            for (const LinkLoad& load : r->loads) {
                const auto& link = network.links[std::size_t(load.link)];
                RC_ASSERT(load.bytes_per_byte > 0 && load.share_of_bytes > 0);
                RC_ASSERT(close(load.seconds_per_byte.si(), load.bytes_per_byte / link.capacity.value.si()));
                slowest = std::max(slowest, load.seconds_per_byte.si());
            }
            RC_ASSERT(close(r->seconds_per_byte.si(), slowest));
            for (const LevelTraffic& level : r->levels)
                RC_ASSERT(level.share_of_bytes > 0 && level.share_of_bytes <= 1 + 1e-12);
            RC_ASSERT(r->cross_domain >= 0 && r->cross_domain <= 1 + 1e-12);
        }));
    }

    void whatLeavesAcceleratorsIsWhatArrives() {
        QVERIFY(rc::check("all-to-all puts one byte a rank on the first links", [] {
            Shape s = random_shape();
            s.domain = false;
            if (ranks_of(s) == 1) s.racks = 2;
            const int all = ranks_of(s);
            const Network network = drawn(s, Form::counted);
            const auto r = route(network, {{{all, 1}}, {}}, Pattern::all_to_all);
            RC_ASSERT(r.has_value());
            bool found = false;
            for (const LinkLoad& load : r->loads)
                if (network.links[std::size_t(load.link)].ref.id == "bus0n0") {
                    found = true;
                    RC_ASSERT(close(load.bytes_per_byte, 1) && close(load.share_of_bytes, 1));
                }
            RC_ASSERT(found);
        }));
    }

    void slowerLinksAreNeverFaster() {
        QVERIFY(rc::check("degrading a link", [] {
            Shape s = random_shape();
            const RankGroups groups = random_groups(s);
            const auto fast = route(drawn(s, Form::counted), groups, Pattern::all_to_all);
            s.factor /= 2;
            const auto slow = route(drawn(s, Form::counted), groups, Pattern::all_to_all);
            RC_ASSERT(slow->seconds_per_byte >= fast->seconds_per_byte);
        }));
    }
};

QTEST_APPLESS_MAIN(TestNetworkLaws)
#include "tst_network.moc"
