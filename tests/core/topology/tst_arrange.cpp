#include "core/topology/arrange.hpp"

#include <QtTest>
#include <algorithm>
#include <map>
#include <set>

#include "tests/core/topology/drawings.hpp"

using namespace crosspoint;
using namespace crosspoint::drawings;

namespace {
const ArrangedBox* find(const Arrangement& a, const std::string& key) {
    const auto it = std::find_if(a.boxes.begin(), a.boxes.end(), [&](const ArrangedBox& b) { return b.key == key; });
    return it == a.boxes.end() ? nullptr : &*it;
}
std::size_t boxes_of(const Arrangement& a, const std::string& id, ArrangedBox::What what = ArrangedBox::What::device) {
    return std::size_t(std::count_if(a.boxes.begin(), a.boxes.end(),
                                     [&](const ArrangedBox& b) { return b.id == id && b.what == what; }));
}
std::size_t cables_of(const Arrangement& a, const char* link) {
    return std::size_t(
        std::count_if(a.cables.begin(), a.cables.end(), [&](const ArrangedCable& c) { return c.id == LinkId(link); }));
}
bool overlap(const ArrangedBox& a, const ArrangedBox& b) {
    constexpr double rounding = 1e-9;
    return a.x + rounding < b.x + b.width && b.x + rounding < a.x + a.width && a.y + rounding < b.y + b.height &&
           b.y + rounding < a.y + a.height;
}
bool inside(const ArrangedBox& a, const ArrangedBox& b) {
    return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
}

/// What every arrangement without explicit boxes obeys; empty when all is well.
QString broken_rule(const Arrangement& a) {
    std::map<std::string, const ArrangedBox*> seen;
    std::map<std::string, std::vector<const ArrangedBox*>> siblings;
    for (const ArrangedBox& box : a.boxes) {
        const QString key = QString::fromStdString(box.key);
        if (!seen.emplace(box.key, &box).second) return "key twice: " + key;
        if (!box.parent.empty() && !seen.count(box.parent)) return "parent after child: " + key;
        if (!box.parent.empty() && !inside(box, *seen[box.parent])) return "outside of its parent: " + key;
        if (box.x < 0 || box.y < 0 || box.x + box.width > a.width || box.y + box.height > a.height)
            return "outside of the picture: " + key;
        if (box.width <= 0 || box.height <= 0) return "empty: " + key;
        for (const ArrangedBox* other : siblings[box.parent])
            if (overlap(box, *other)) return "overlap: " + key + " and " + QString::fromStdString(other->key);
        siblings[box.parent].push_back(&box);
    }
    for (const ArrangedCable& cable : a.cables)
        if (!seen.count(cable.from_key) || !seen.count(cable.to_key)) return QStringLiteral("cable without a box");
    return {};
}

/// One rack of 18 trays of 4 accelerators, 4 NICs and 2 hosts, with 4 leaves in the rack.
Topology trays(std::int64_t racks = 1) {
    Topology t;
    Container rack = container("rack", racks);
    rack.interconnect = Interconnect{};
    t.containers.put(rack);
    t.containers.put(container("tray", 18, "rack"));
    t.devices.put(device("gpu", DeviceKind::accelerator, 4, "tray"));
    t.devices.put(device("nic", DeviceKind::nic, 4, "tray"));
    t.devices.put(device("cpu", DeviceKind::host, 2, "tray"));
    t.devices.put(device("leaf", DeviceKind::network_switch, 4, "rack"));
    t.links.put(link("nic-leaf", "nic", "leaf", Wiring::rail));
    return t;
}
}  // namespace

class TestArrange : public QObject {
    Q_OBJECT
private slots:
    void empty_drawing() {
        const Arrangement a = arrange({});
        QVERIFY(a.boxes.empty() && a.cables.empty());
        QCOMPARE(a.width, 0.0);
    }
    void four_nodes() {
        const Arrangement a = arrange(nodes(4));
        QCOMPARE(broken_rule(a), QString());
        // 4 nodes + 4 fabrics + 32 accelerators + 32 NICs + 8 leaves + 4 spines
        QCOMPARE(a.boxes.size(), std::size_t(84));
        QCOMPARE(boxes_of(a, "node", ArrangedBox::What::fabric), std::size_t(4));
        QCOMPARE(cables_of(a, "nic-leaf"), std::size_t(32));    // 4 nodes x 8 rails
        QCOMPARE(cables_of(a, "leaf-spine"), std::size_t(32));  // 8 leaves x 4 spines
        const ArrangedBox* third = find(a, "node#2");
        QVERIFY(third);
        QCOMPARE(third->y, find(a, "node#0")->y);  // nodes stand in a row
        QCOMPARE(find(a, "gpu#16")->parent, std::string("node#2"));
        QCOMPARE(find(a, "gpu#16")->index, std::int64_t(16));
        QCOMPARE(find(a, "gpu#16")->depth, 1);
    }
    void tiers_stand_above_each_other() {
        const Arrangement a = arrange(nodes(4));
        QVERIFY(find(a, "spine#0")->y < find(a, "leaf#0")->y);
        QVERIFY(find(a, "leaf#0")->y < find(a, "node#0")->y);
        QCOMPARE(find(a, "leaf#0")->y, find(a, "leaf#7")->y);
    }
    void inside_of_a_node() {
        const Arrangement a = arrange(nodes(1));
        const ArrangedBox *box = find(a, "node"), *nic = find(a, "nic#0"), *fabric = find(a, "node/fabric");
        QCOMPARE(nic->y, box->y);  // ports at the top edge, before the title
        QVERIFY(box->title_y >= nic->height);
        QVERIFY(find(a, "gpu#0")->y >= box->y + box->title_y + 24);
        QVERIFY(fabric->y > find(a, "gpu#7")->y);
        QCOMPARE(fabric->width, box->width - 24);
        QCOMPARE(find(a, "gpu#3")->y, find(a, "gpu#0")->y);  // 2 rows of 4
        QCOMPARE(find(a, "gpu#4")->x, find(a, "gpu#0")->x);
        QVERIFY(find(a, "gpu#4")->y > find(a, "gpu#0")->y);
    }
    void rails_join_own_indices() {
        const Arrangement a = arrange(nodes(4));
        for (const ArrangedCable& cable : a.cables)
            if (cable.id == LinkId("nic-leaf"))
                QCOMPARE(find(a, cable.from_key)->index % 8, find(a, cable.to_key)->index);
    }
    void rails_share_fewer_leaves() {
        const Arrangement a = arrange(nodes(4, 4));
        QCOMPARE(cables_of(a, "nic-leaf"), std::size_t(32));
        for (const ArrangedCable& cable : a.cables)
            if (cable.id == LinkId("nic-leaf"))
                QCOMPARE(find(a, cable.from_key)->index % 8 / 2, find(a, cable.to_key)->index);
    }
    void cables_run_from_edge_to_edge() {
        const Arrangement a = arrange(nodes(4));
        for (const ArrangedCable& cable : a.cables) {
            const ArrangedBox *from = find(a, cable.from_key), *to = find(a, cable.to_key);
            QCOMPARE(cable.y1, from->y);
            QCOMPARE(cable.y2, to->y + to->height);
            QCOMPARE(cable.x1, from->x + from->width / 2);
        }
    }
    void one_to_one_inside_each_container() {
        Topology t = nodes(2);
        t.devices.put(device("cpu", DeviceKind::host, 2, "node"));
        t.links.put(link("cpu-nic", "cpu", "nic"));
        t.links.put(link("gpu-nic", "gpu", "nic"));
        const Arrangement a = arrange(t);
        QCOMPARE(cables_of(a, "gpu-nic"), std::size_t(16));
        QCOMPARE(cables_of(a, "cpu-nic"), std::size_t(16));  // 8 NICs a node, 4 to each host
        for (const ArrangedCable& cable : a.cables) {
            if (cable.id != LinkId("gpu-nic") && cable.id != LinkId("cpu-nic")) continue;
            QCOMPARE(find(a, cable.from_key)->parent, find(a, cable.to_key)->parent);
        }
    }
    void mesh_of_one_device() {
        Topology t;
        t.devices.put(device("sw", DeviceKind::network_switch, 4));
        t.links.put(link("mesh", "sw", "sw", Wiring::each_to_each));
        QCOMPARE(cables_of(arrange(t), "mesh"), std::size_t(6));  // 4 x 3 / 2
    }
    void trays_in_a_rack() {
        const Arrangement a = arrange(trays());
        QCOMPARE(broken_rule(a), QString());
        QCOMPARE(boxes_of(a, "tray", ArrangedBox::What::container), std::size_t(18));
        QCOMPARE(find(a, "gpu#0")->y, find(a, "gpu#3")->y);  // a tray is one row of 4
        QCOMPARE(cables_of(a, "nic-leaf"), std::size_t(72));
        QCOMPARE(broken_rule(arrange(trays(4))), QString());
    }
    void large_counts_are_stacks() {
        const Arrangement a = arrange(nodes(64));
        QCOMPARE(broken_rule(a), QString());
        QCOMPARE(find(a, "node")->stands_for, std::int64_t(64));
        QCOMPARE(find(a, "gpu#0")->stands_for, std::int64_t(64));
        QCOMPARE(cables_of(a, "nic-leaf"), std::size_t(8));
        for (const ArrangedCable& cable : a.cables)
            if (cable.id == LinkId("nic-leaf")) QCOMPARE(cable.stands_for, std::int64_t(64));
        ArrangeOptions options;
        options.expand_limit = 64;
        const Arrangement grid = arrange(nodes(64), options);
        QCOMPARE(broken_rule(grid), QString());
        QCOMPARE(boxes_of(grid, "node", ArrangedBox::What::container), std::size_t(64));
        QVERIFY(grid.width / grid.height > 1.2 && grid.width / grid.height < 2.4);  // near 16:9
    }
    void limits_hold_for_huge_counts() {
        Topology t = nodes(1'000'000'000, 1'000'000'000, 1'000'000'000);
        const Arrangement a = arrange(t);
        QCOMPARE(broken_rule(a), QString());
        QVERIFY(a.boxes.size() < 30);
        QCOMPARE(find(a, "leaf")->stands_for, std::int64_t(1'000'000'000));
        QCOMPARE(cables_of(a, "leaf-spine"), std::size_t(1));
        QCOMPARE(a.cables.front().stands_for, std::int64_t(1'000'000'000'000'000'000));

        ArrangeOptions options;
        options.expand_limit = 1'000'000'000;  // only the total limit is left
        QVERIFY(arrange(t, options).boxes.size() <= std::size_t(options.total_limit));
    }
    void outer_counts_are_stacked_first() {
        Topology t;
        t.containers.put(container("a", 24));
        t.containers.put(container("b", 24, "a"));
        t.devices.put(device("x", DeviceKind::accelerator, 24, "b"));  // 13,824 in all
        const Arrangement a = arrange(t);
        QCOMPARE(broken_rule(a), QString());
        QCOMPARE(boxes_of(a, "a", ArrangedBox::What::container), std::size_t(1));
        QCOMPARE(boxes_of(a, "b", ArrangedBox::What::container), std::size_t(24));
        QCOMPARE(boxes_of(a, "x"), std::size_t(24 * 24));
    }
    void one_cable_a_link_when_bundles_are_too_many() {
        ArrangeOptions options;
        options.cable_limit = 63;  // 64 are needed one by one, and 64 between nodes, leaves and spines
        const Arrangement a = arrange(nodes(4), options);
        QCOMPARE(a.cables.size(), std::size_t(2));
        for (const ArrangedCable& cable : a.cables) QCOMPARE(cable.stands_for, std::int64_t(32));
    }
    void bundles_join_parents() {
        Topology t;
        t.containers.put(container("left", 3));
        t.containers.put(container("right", 2));
        t.devices.put(device("a", DeviceKind::nic, 8, "left"));
        t.devices.put(device("b", DeviceKind::nic, 8, "right"));
        t.links.put(link("all", "a", "b", Wiring::each_to_each));
        QCOMPARE(arrange(t).cables.size(), std::size_t(24 * 16));
        ArrangeOptions options;
        options.cable_limit = 100;
        const Arrangement a = arrange(t, options);
        QCOMPARE(a.cables.size(), std::size_t(6));
        for (const ArrangedCable& cable : a.cables) {
            QCOMPARE(cable.stands_for, std::int64_t(64));
            QVERIFY(find(a, cable.from_key)->what == ArrangedBox::What::container);
        }
    }
    void explicit_boxes_win() {
        Topology t = nodes(1);
        const Arrangement automatic = arrange(t);
        Container node = *t.containers.find(ContainerId("node"));
        node.box = CanvasBox{500, 400, 600.0, {}};
        t.containers.put(node);
        Device gpu = *t.devices.find(DeviceId("gpu"));
        gpu.box = CanvasBox{300, 50, {}, {}};
        t.devices.put(gpu);
        const Arrangement a = arrange(t);
        QCOMPARE(find(a, "node")->x, 500.0);
        QCOMPARE(find(a, "node")->y, 400.0);
        QCOMPARE(find(a, "node")->width, 600.0);
        QCOMPARE(find(a, "gpu#0")->x, 800.0);
        QCOMPARE(find(a, "gpu#0")->y, 450.0);
        // The others of the group move along; what was not placed keeps its spot.
        QCOMPARE(find(a, "gpu#1")->x - find(a, "gpu#0")->x, find(automatic, "gpu#1")->x - find(automatic, "gpu#0")->x);
        QCOMPARE(find(a, "spine#0")->y, find(automatic, "spine#0")->y);
        QVERIFY(inside(*find(a, "gpu#7"), *find(a, "node")));
        QVERIFY(inside(*find(a, "node/fabric"), *find(a, "node")));
        QVERIFY(a.width >= 1100.0);
    }
    void deterministic() {
        const Arrangement a = arrange(trays(4)), b = arrange(trays(4));
        QCOMPARE(a.boxes.size(), b.boxes.size());
        for (std::size_t i = 0; i < a.boxes.size(); ++i) {
            QCOMPARE(a.boxes[i].key, b.boxes[i].key);
            QCOMPARE(a.boxes[i].x, b.boxes[i].x);
        }
    }
    void survives_invalid_drawings() {
        Topology t = nodes(4);
        t.containers.put(container("loop", 2, "loop"));
        t.devices.put(device("zero", DeviceKind::nic, 0, "gone"));
        t.devices.put(device("minus", DeviceKind::nic, -5, "loop"));
        t.links.put(link("broken", "zero", "gone"));
        QCOMPARE(broken_rule(arrange(t)), QString());
    }
};

QTEST_APPLESS_MAIN(TestArrange)
#include "tst_arrange.moc"
