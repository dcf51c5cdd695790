// Arrangements to choose from: nothing overlaps, pinned objects stay, names give the order.
#include <QtTest>

#include <map>

#include "core/topology/arrange.hpp"
#include "core/topology/arrange_style.hpp"

using namespace crosspoint;

namespace {

/// `racks` racks of 4 accelerators, leaves above them and spines above those.
Topology pod(int racks) {
    Topology drawing;
    const auto add_switch = [&](const std::string& id) {
        Device device;
        device.id = DeviceId(id);
        device.kind = DeviceKind::network_switch;
        drawing.devices.put(device);
    };
    const auto join = [&](const std::string& a, const std::string& b) {
        Link link;
        link.id = LinkId(a + "-" + b);
        link.a = DeviceId(a);
        link.b = DeviceId(b);
        drawing.links.put(link);
    };
    for (const char* id : {"leaf-1", "leaf-2", "spine-1"}) add_switch(id);
    for (int i = 1; i <= racks; ++i) {
        Container rack;
        rack.id = ContainerId("rack-" + std::to_string(i));
        rack.kind = ContainerKind::rack;
        drawing.containers.put(rack);
        Device gpu;
        gpu.id = DeviceId("gpu-" + std::to_string(i));
        gpu.parent = rack.id;
        gpu.count = 4;
        drawing.devices.put(gpu);
        join(gpu.id.value, "leaf-1");
        join(gpu.id.value, "leaf-2");
    }
    join("leaf-1", "spine-1");
    join("leaf-2", "spine-1");
    return drawing;
}

void put(Topology& drawing, const ArrangedPlace& place) {
    if (const Container* found = drawing.containers.find(ContainerId(place.id))) {
        Container changed = *found;
        changed.box = place.box;
        drawing.containers.put(changed);
    } else if (const Device* device = drawing.devices.find(DeviceId(place.id))) {
        Device changed = *device;
        changed.box = place.box;
        drawing.devices.put(changed);
    }
}

std::map<std::string, ArrangedBox> top(const Topology& drawing) {
    std::map<std::string, ArrangedBox> boxes;
    for (const ArrangedBox& box : arrange(drawing).boxes)
        if (box.parent.empty()) boxes[box.id] = box;
    return boxes;
}

bool apart(const ArrangedBox& a, const ArrangedBox& b) {
    return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

constexpr ArrangeStyle styles[] = {ArrangeStyle::rows, ArrangeStyle::tiers, ArrangeStyle::rails, ArrangeStyle::ring,
                                   ArrangeStyle::grid};

}  // namespace

class TestArrangeStyle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingOverlapsInAnyStyle() {
        for (const ArrangeStyle style : styles) {
            Topology drawing = pod(12);
            for (const ArrangedPlace& place : arrange_as(drawing, style)) put(drawing, place);
            const auto boxes = top(drawing);
            QCOMPARE(boxes.size(), std::size_t(15));
            for (auto a = boxes.begin(); a != boxes.end(); ++a)
                for (auto b = std::next(a); b != boxes.end(); ++b)
                    QVERIFY2(apart(a->second, b->second),
                             (std::string(to_string(style)) + ": " + a->first + " over " + b->first).c_str());
        }
    }

    void asArrangedOnceNothingChangesAgain() {
        for (const ArrangeStyle style : styles) {
            Topology drawing = pod(5);
            for (const ArrangedPlace& place : arrange_as(drawing, style)) put(drawing, place);
            QVERIFY2(arrange_as(drawing, style).empty(), std::string(to_string(style)).c_str());
        }
    }

    void pinnedObjectsStayAndKeepTheirGround() {
        for (const ArrangeStyle style : styles) {
            Topology drawing = pod(6);
            put(drawing, {"rack-3", CanvasBox{300, 200, {}, {}, true}});
            for (const ArrangedPlace& place : arrange_as(drawing, style)) {
                QVERIFY(place.id != "rack-3");
                put(drawing, place);
            }
            const auto boxes = top(drawing);
            QCOMPARE(boxes.at("rack-3").x, 300.0);
            for (const auto& [id, box] : boxes)
                QVERIFY2(id == "rack-3" || apart(box, boxes.at("rack-3")),
                         (std::string(to_string(style)) + ": " + id).c_str());
        }
    }

    void tiersStandAboveEachOther() {
        Topology drawing = pod(4);
        for (const ArrangedPlace& place : arrange_as(drawing, ArrangeStyle::tiers)) put(drawing, place);
        const auto boxes = top(drawing);
        QVERIFY(boxes.at("spine-1").y < boxes.at("leaf-1").y);
        QCOMPARE(boxes.at("leaf-1").y, boxes.at("leaf-2").y);
        QVERIFY(boxes.at("leaf-1").y < boxes.at("rack-1").y);
    }

    void railsStandBesideTheNodes() {
        Topology drawing = pod(4);
        for (const ArrangedPlace& place : arrange_as(drawing, ArrangeStyle::rails)) put(drawing, place);
        const auto boxes = top(drawing);
        QVERIFY(boxes.at("rack-1").x < boxes.at("leaf-1").x);
        QVERIFY(boxes.at("leaf-1").x < boxes.at("spine-1").x);
        QCOMPARE(boxes.at("rack-1").x, boxes.at("rack-4").x);
    }

    void numbersInNamesCount() {
        Topology drawing = pod(11);
        for (const ArrangedPlace& place : arrange_as(drawing, ArrangeStyle::rails)) put(drawing, place);
        const auto boxes = top(drawing);
        QVERIFY(boxes.at("rack-2").y < boxes.at("rack-10").y);
        QVERIFY(boxes.at("rack-9").y < boxes.at("rack-11").y);
    }

    void automaticForgetsPlacesButPinnedOnes() {
        Topology drawing = pod(3);
        put(drawing, {"rack-1", CanvasBox{500, 500, {}, {}, true}});
        put(drawing, {"rack-2", CanvasBox{900, 900, {}, {}}});
        const auto places = arrange_as(drawing, ArrangeStyle::automatic);
        QCOMPARE(places.size(), std::size_t(1));
        QCOMPARE(places.front().id, std::string("rack-2"));
        QVERIFY(!places.front().box);
    }

    void whatLiesInOneContainerIsArrangedInIt() {
        Topology drawing = pod(2);
        Device host;
        host.id = DeviceId("host");
        host.kind = DeviceKind::host;
        host.parent = ContainerId("rack-1");
        drawing.devices.put(host);
        const auto places = arrange_as(drawing, ArrangeStyle::rails, {"rack-1"});
        for (const ArrangedPlace& place : places) QVERIFY(place.id == "host" || place.id == "gpu-1");
        QVERIFY(arrange_as(drawing, ArrangeStyle::grid, {"no-such"}).empty());
        QVERIFY(arrange_as(Topology{}, ArrangeStyle::ring).empty());
    }
};

QTEST_APPLESS_MAIN(TestArrangeStyle)
#include "tst_arrange_style.moc"
