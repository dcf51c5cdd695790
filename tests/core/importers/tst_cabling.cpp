#include "core/importers/cabling.hpp"

#include <QtTest>
#include <map>

#include "core/importers/host_list.hpp"

using namespace crosspoint;

namespace {

int add_switch(Cabling& c, const std::string& name) {
    c.switches.push_back({name, "switch"});
    return int(c.switches.size()) - 1;
}

/// Units of hosts with NIC i at leaf i; every leaf to every spine.
Cabling rail_clos(int units, int hosts, int rails, int spines) {
    Cabling c;
    std::vector<int> leaves, tops;
    for (int u = 0; u < units; ++u)
        for (int r = 0; r < rails; ++r) leaves.push_back(add_switch(c, "leaf" + std::to_string(u * rails + r)));
    for (int s = 0; s < spines; ++s) tops.push_back(add_switch(c, "spine" + std::to_string(s)));
    for (int h = 0; h < units * hosts; ++h) {
        c.hosts.push_back({"host" + std::to_string(h), "", "", rails});
        for (int r = 0; r < rails; ++r)
            c.cables.push_back({{h, r}, {-1, leaves[std::size_t(h / hosts * rails + r)]}, 50e9, -1, 1});
    }
    for (const int leaf : leaves)
        for (const int top : tops) c.cables.push_back({{-1, leaf}, {-1, top}, 50e9, -1, 2});
    return c;
}

std::int64_t multiplicity(const Folded& f, int box) {
    std::int64_t n = 1;
    for (; box >= 0; box = f.boxes[std::size_t(box)].parent) n *= f.boxes[std::size_t(box)].count;
    return n;
}

/// Cables (lanes) that the folded drawing stands for.
std::int64_t cables(const Folded& f) {
    std::int64_t sum = 0;
    for (const auto& w : f.wires) {
        const auto& a = f.devices[std::size_t(w.a)];
        const auto& b = f.devices[std::size_t(w.b)];
        std::int64_t joined = std::int64_t(a.members.size()) * multiplicity(f, a.box);
        if (w.wiring != Wiring::rail) joined *= std::int64_t(b.members.size());
        sum += joined * w.lanes;
    }
    return sum;
}

std::int64_t cables(const Cabling& c) {
    std::int64_t sum = 0;
    for (const auto& cable : c.cables) sum += cable.lanes;
    return sum;
}

std::int64_t switches(const Folded& f) {
    std::int64_t sum = 0;
    for (const auto& d : f.devices)
        if (!d.nic) sum += std::int64_t(d.members.size()) * multiplicity(f, d.box);
    return sum;
}

}  // namespace

class TestCabling : public QObject {
    Q_OBJECT
private slots:
    void railsAndUnits();
    void dualPlane();
    void unequalHosts();
    void corePlanes();
    void ringOfSwitches();
    void hostLists_data();
    void hostLists();
    void badHostLists();
};

void TestCabling::railsAndUnits() {
    const Cabling c = rail_clos(4, 16, 8, 4);
    const Folded f = fold(c);
    QCOMPARE(f.boxes.size(), std::size_t(2));  // the unit and its host
    QCOMPARE(f.boxes[0].count, std::int64_t(4));
    QCOMPARE(f.boxes[1].count, std::int64_t(16));
    QCOMPARE(f.devices.size(), std::size_t(3));  // NICs, leaves, spines
    QCOMPARE(f.wires.size(), std::size_t(2));
    std::map<Wiring, int> wirings;
    for (const auto& w : f.wires) ++wirings[w.wiring];
    QCOMPARE(wirings[Wiring::rail], 1);
    QCOMPARE(wirings[Wiring::each_to_each], 1);
    QCOMPARE(cables(f), cables(c));
    QCOMPARE(switches(f), std::int64_t(4 * 8 + 4));
}

/// Two leaves for each NIC, in two planes with spines of their own.
void TestCabling::dualPlane() {
    Cabling c;
    std::vector<int> leaf[2], spine[2];
    for (int plane = 0; plane < 2; ++plane) {
        for (int r = 0; r < 4; ++r) leaf[plane].push_back(add_switch(c, "leaf"));
        for (int s = 0; s < 3; ++s) spine[plane].push_back(add_switch(c, "spine"));
        for (const int l : leaf[plane])
            for (const int s : spine[plane]) c.cables.push_back({{-1, l}, {-1, s}, 50e9, -1, 1});
    }
    for (int h = 0; h < 6; ++h) {
        c.hosts.push_back({"h", "", "", 4});
        for (int r = 0; r < 4; ++r)
            for (int plane = 0; plane < 2; ++plane)
                c.cables.push_back({{h, r}, {-1, leaf[plane][std::size_t(r)]}, 25e9, -1, 1});
    }
    const Folded f = fold(c);
    QCOMPARE(cables(f), cables(c));
    QCOMPARE(switches(f), std::int64_t(14));
    QVERIFY(f.devices.size() <= 5);  // NICs, and per plane leaves and spines
}

void TestCabling::unequalHosts() {
    Cabling c = rail_clos(2, 4, 2, 2);
    c.hosts.push_back({"odd", "", "", 1});
    c.cables.push_back({{8, 0}, {-1, 1}, 25e9, -1, 1});
    const Folded f = fold(c);
    QCOMPARE(cables(f), cables(c));
    QCOMPARE(switches(f), std::int64_t(6));
    std::int64_t hosts = 0;
    for (std::size_t b = 0; b < f.boxes.size(); ++b)
        if (f.boxes[b].kind == Folded::Kind::host) hosts += multiplicity(f, int(b));
    QCOMPARE(hosts, std::int64_t(9));
}

/// Three tiers, spine j of each pod to the cores of plane j only.
void TestCabling::corePlanes() {
    Cabling c;
    std::vector<int> cores;
    for (int i = 0; i < 4; ++i) cores.push_back(add_switch(c, "core"));
    for (int pod = 0; pod < 3; ++pod) {
        const int leaf = add_switch(c, "leaf"), s0 = add_switch(c, "spine"), s1 = add_switch(c, "spine");
        for (int h = 0; h < 2; ++h) {
            c.hosts.push_back({"h", "", "", 1});
            c.cables.push_back({{int(c.hosts.size()) - 1, 0}, {-1, leaf}, 50e9, -1, 1});
        }
        for (const int s : {s0, s1}) c.cables.push_back({{-1, leaf}, {-1, s}, 50e9, -1, 1});
        for (int i = 0; i < 4; ++i)
            c.cables.push_back({{-1, i < 2 ? s0 : s1}, {-1, cores[std::size_t(i)]}, 50e9, -1, 1});
    }
    const Folded f = fold(c);
    QCOMPARE(cables(f), cables(c));
    QCOMPARE(switches(f), std::int64_t(13));
    QCOMPARE(f.boxes.front().count, std::int64_t(3));
}

void TestCabling::ringOfSwitches() {
    Cabling c;
    for (int i = 0; i < 5; ++i) {
        add_switch(c, "s");
        c.hosts.push_back({"h", "", "", 1});
        c.cables.push_back({{i, 0}, {-1, i}, 50e9, -1, 1});
    }
    for (int i = 0; i < 5; ++i) c.cables.push_back({{-1, i}, {-1, (i + 1) % 5}, 50e9, -1, 1});
    const Folded f = fold(c);
    QCOMPARE(cables(f), cables(c));
    QCOMPARE(switches(f), std::int64_t(5));
}

void TestCabling::hostLists_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("one") << "login"
                         << "login";
    QTest::newRow("padded") << "n[008-011]"
                            << "n008 n009 n010 n011";
    QTest::newRow("mixed") << "tux[0-2,12,18-19],login"
                           << "tux0 tux1 tux2 tux12 tux18 tux19 login";
    QTest::newRow("two brackets") << "r[1-2]n[1-2].x"
                                  << "r1n1.x r1n2.x r2n1.x r2n2.x";
    QTest::newRow("blanks") << " a, b ,c"
                            << "a b c";
}

void TestCabling::hostLists() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto list = expand_host_list(text.toStdString());
    QVERIFY(list.has_value());
    QStringList got;
    for (const auto& n : *list) got << QString::fromStdString(n);
    QCOMPARE(got.join(' '), names);
}

void TestCabling::badHostLists() {
    for (const char* text : {"n[1-", "n1]", "n[5-2]", "n[a-b]", "n[0-999999999]", "a[1-999][1-999]", "n[]"})
        QVERIFY2(!expand_host_list(text), text);
}

QTEST_APPLESS_MAIN(TestCabling)
#include "tst_cabling.moc"
