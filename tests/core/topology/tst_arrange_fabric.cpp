// Fabrics that are drawn as lines between neighbours, and closed containers.
#include <QtTest>

#include <map>
#include <set>

#include "core/topology/arrange.hpp"

using namespace crosspoint;

namespace {

Topology domain(FabricKind kind, std::int64_t accelerators, std::vector<FabricDimension> dimensions) {
    Topology drawing;
    Container node;
    node.id = ContainerId("node");
    node.kind = ContainerKind::node;
    node.name = "Node";
    node.interconnect.emplace();
    node.interconnect->kind = kind;
    node.interconnect->part = PartId("nvlink-4");
    node.interconnect->dimensions = std::move(dimensions);
    drawing.containers.put(node);
    Device gpu;
    gpu.id = DeviceId("gpu");
    gpu.parent = node.id;
    gpu.count = accelerators;
    drawing.devices.put(gpu);
    return drawing;
}

std::size_t count(const Arrangement& a, ArrangedBox::What what) {
    return std::size_t(
        std::count_if(a.boxes.begin(), a.boxes.end(), [&](const ArrangedBox& b) { return b.what == what; }));
}

std::size_t wraps(const Arrangement& a) {
    return std::size_t(
        std::count_if(a.strokes.begin(), a.strokes.end(), [](const ArrangedStroke& s) { return s.wrap; }));
}

/// Accelerators do not overlap, and lie inside their domain.
void check_boxes(const Arrangement& a) {
    std::vector<ArrangedBox> devices;
    for (const ArrangedBox& box : a.boxes)
        if (box.what == ArrangedBox::What::device) devices.push_back(box);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        QVERIFY(devices[i].x >= a.boxes.front().x);
        QVERIFY(devices[i].x + devices[i].width <= a.boxes.front().x + a.boxes.front().width);
        for (std::size_t j = i + 1; j < devices.size(); ++j)
            QVERIFY(
                devices[i].x + devices[i].width <= devices[j].x || devices[j].x + devices[j].width <= devices[i].x ||
                devices[i].y + devices[i].height <= devices[j].y || devices[j].y + devices[j].height <= devices[i].y);
    }
}

}  // namespace

class TestArrangeFabric : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTorusIsAGridWithWrapMarks() {
        const Arrangement a = arrange(domain(FabricKind::torus, 16, {{4, true}, {4, true}}));
        QCOMPARE(count(a, ArrangedBox::What::device), std::size_t(16));
        check_boxes(a);
        // 4 x 4 torus: 2 x 4 x 3 lines between neighbours, and 4 rows and 4 columns that wrap, with two ends each.
        QCOMPARE(a.strokes.size() - wraps(a), std::size_t(24));
        QCOMPARE(wraps(a), std::size_t(16));
        std::set<double> columns, rows;
        for (const ArrangedBox& box : a.boxes)
            if (box.what == ArrangedBox::What::device) columns.insert(box.x), rows.insert(box.y);
        QCOMPARE(columns.size(), std::size_t(4));
        QCOMPARE(rows.size(), std::size_t(4));
    }

    void aMeshHasNoWraps() {
        const Arrangement a = arrange(domain(FabricKind::torus, 16, {{4, false}, {4, false}}));
        QCOMPARE(a.strokes.size(), std::size_t(24));
        QCOMPARE(wraps(a), std::size_t(0));
    }

    void aCubeOf64IsDrawnOneByOne() {
        const Arrangement a = arrange(domain(FabricKind::torus, 64, {{4, true}, {4, true}, {4, true}}));
        QCOMPARE(count(a, ArrangedBox::What::device), std::size_t(64));
        check_boxes(a);
        QVERIFY(a.strokes.size() < 64 * 6);  // never one line per pair
    }

    void aRingCloses() {
        for (const std::int64_t n : {3, 8, 9}) {
            const Arrangement a = arrange(domain(FabricKind::ring, n, {}));
            QCOMPARE(a.strokes.size(), std::size_t(n));
            check_boxes(a);
        }
        QCOMPARE(arrange(domain(FabricKind::ring, 2, {})).strokes.size(), std::size_t(1));
        QCOMPARE(arrange(domain(FabricKind::ring, 1, {})).strokes.size(), std::size_t(0));
    }

    void aTreeHangsAcceleratorsOnSwitches() {
        const Arrangement a = arrange(domain(FabricKind::pcie_tree, 8, {{4, false}, {2, false}}));
        // 8 accelerators, 2 switches as lines, each joined to the bar.
        QCOMPARE(a.strokes.size(), std::size_t(8 + 2 + 2));
        check_boxes(a);
    }

    void crossbarsAndMeshesOfAllPairsHaveNoLines() {
        QVERIFY(arrange(domain(FabricKind::switched, 8, {})).strokes.empty());
        QVERIFY(arrange(domain(FabricKind::full_mesh, 8, {})).strokes.empty());
    }

    void sizesThatDoNotFitAreHarmless() {
        for (const std::int64_t size : {std::int64_t(1), std::int64_t(1'000'000'000)}) {
            const Arrangement a = arrange(domain(FabricKind::torus, 5, {{size, true}, {size, true}, {size, true}}));
            QCOMPARE(count(a, ArrangedBox::What::device), std::size_t(5));
        }
        QVERIFY(arrange(domain(FabricKind::torus, 1'000'000, {{100, true}, {100, true}, {100, true}})).boxes.size() <
                10);
    }

    void aClosedContainerIsOneBoxWhereItsCablesEnd() {
        Topology drawing = domain(FabricKind::switched, 8, {});
        Device leaf;
        leaf.id = DeviceId("leaf");
        leaf.kind = DeviceKind::network_switch;
        drawing.devices.put(leaf);
        Link link;
        link.id = LinkId("up");
        link.a = DeviceId("gpu");
        link.b = leaf.id;
        drawing.links.put(link);
        QCOMPARE(arrange(drawing).cables.size(), std::size_t(8));
        Container closed = *drawing.containers.begin();
        closed.collapsed = true;
        drawing.containers.put(closed);
        const Arrangement a = arrange(drawing);
        QCOMPARE(a.boxes.size(), std::size_t(2));
        QCOMPARE(a.cables.size(), std::size_t(1));
        QCOMPARE(a.cables.front().stands_for, std::int64_t(8));
        QVERIFY(a.cables.front().from_key == "node" || a.cables.front().to_key == "node");
        QVERIFY(a.boxes[0].collapsed || a.boxes[1].collapsed);
    }

    void numbersGoOnOverTheDevicesOfAContainer() {
        Topology drawing = domain(FabricKind::switched, 4, {});
        Device more;
        more.id = DeviceId("gpu-b");
        more.parent = ContainerId("node");
        more.count = 4;
        drawing.devices.put(more);
        std::set<std::int64_t> numbers;
        for (const ArrangedBox& box : arrange(drawing).boxes)
            if (box.what == ArrangedBox::What::device) numbers.insert(box.number);
        QCOMPARE(numbers, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    }

    void whatStandsLeftOfTheOriginStays() {
        Topology drawing = domain(FabricKind::switched, 4, {});
        Container moved = *drawing.containers.begin();
        moved.box = CanvasBox{-120, -48, {}, {}};
        drawing.containers.put(moved);
        const Arrangement a = arrange(drawing);
        QCOMPARE(a.boxes.front().x, -120.0);
        QCOMPARE(a.boxes.front().y, -48.0);
        QCOMPARE(a.left, -120.0);
        QVERIFY(a.width >= a.boxes.front().width);
    }
};

QTEST_APPLESS_MAIN(TestArrangeFabric)
#include "tst_arrange_fabric.moc"
