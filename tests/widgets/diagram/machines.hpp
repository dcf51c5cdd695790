// Machines to draw: four nodes of eight accelerators under leaf and spine switches, and a floor of many racks.
#pragma once

#include "widgets/diagram/diagram_data.hpp"

namespace machines {

using crosspoint::ui::BoxRole;
using crosspoint::ui::DiagramBox;
using crosspoint::ui::DiagramCable;
using crosspoint::ui::DiagramData;

inline DiagramBox box(const QString& key, const QString& parent, BoxRole role, const QString& title, QRectF rect) {
    DiagramBox b;
    b.key = b.id = key;
    b.parent = parent;
    b.role = role;
    b.title = title;
    b.rect = rect;
    b.tooltip = "about " + key;
    return b;
}

inline DiagramCable cable(const QString& from, const QString& to, QPointF start, QPointF end, double load) {
    DiagramCable c;
    c.id = from + "-" + to;
    c.from = from;
    c.to = to;
    c.start = start;
    c.end = end;
    c.load = load;
    c.tooltip = "about " + c.id;
    return c;
}

/// node1 stands at (0, 264) and is 240 x 168; its accelerators are node1.gpu0 ... 7, 48 x 32 each.
inline void addNode(DiagramData& data, int n, QPointF at) {
    const QString key = QStringLiteral("node%1").arg(n + 1);
    data.boxes.push_back(
        box(key, {}, BoxRole::domain, QStringLiteral("HGX H100 node %1").arg(n + 1), QRectF(at, QSizeF(240, 168))));
    data.boxes.back().title_y = 4;
    data.boxes.back().subtitle = "8 × NIC 400G";
    for (int i = 0; i < 8; ++i)
        data.boxes.push_back(box(QStringLiteral("%1.gpu%2").arg(key).arg(i), key, BoxRole::accelerator,
                                 QString::number(8 * n + i),
                                 QRectF(at.x() + 12 + 56 * (i % 4), at.y() + 36 + 42 * (i / 4), 48, 32)));
    DiagramBox fabric = box(key + "#fabric", key, BoxRole::fabric, "NVSwitch 450 GB/s · 9 % busy",
                            QRectF(at.x() + 12, at.y() + 124, 216, 32));
    fabric.id = key;
    fabric.load = 0.09;
    data.boxes.push_back(fabric);
}

inline DiagramData fourNodes() {
    DiagramData data;
    data.caption = "Expert all-to-all, layer 17";
    data.caption_detail = "bytes of the selected op on each link";
    data.critical = "critical: NIC uplinks, 46 of 50 GB/s usable (measured)";
    data.critical_load = 0.92;
    data.legend = true;
    for (int s = 0; s < 2; ++s)
        data.boxes.push_back(box(QStringLiteral("spine%1").arg(s + 1), {}, BoxRole::network_switch, "Spine 64×400G",
                                 QRectF(324 + 276 * s, 0, 120, 36)));
    for (int l = 0; l < 4; ++l)
        data.boxes.push_back(box(QStringLiteral("leaf%1").arg(l + 1), {}, BoxRole::network_switch,
                                 QStringLiteral("Leaf rail %1–%2").arg(2 * l).arg(2 * l + 1),
                                 QRectF(84 + 252 * l, 120, 120, 36)));
    for (int n = 0; n < 4; ++n) addNode(data, n, {276.0 * n, 264});
    for (int l = 0; l < 4; ++l) {
        const QPointF leaf(144 + 252 * l, 120);
        for (int s = 0; s < 2; ++s)
            data.cables.push_back(cable(QStringLiteral("spine%1").arg(s + 1), QStringLiteral("leaf%1").arg(l + 1),
                                        {384.0 + 276 * s, 36}, leaf, 0.9));
        for (int n = 0; n < 4; ++n)
            data.cables.push_back(cable(QStringLiteral("leaf%1").arg(l + 1), QStringLiteral("node%1").arg(n + 1),
                                        leaf + QPointF(0, 36), {276.0 * n + 48 + 48 * l, 264}, 0.6));
    }
    return data;
}

/// Every look that a box or cable can have, side by side.
inline DiagramData everyLook() {
    DiagramData data;
    data.caption = "Every look of boxes and cables";
    data.legend = true;
    DiagramBox rack = box("rack", {}, BoxRole::domain, "NVL72 rack", QRectF(0, 60, 264, 180));
    rack.stands_for = 64;
    rack.subtitle = "72 × B200";
    rack.title_y = 4;
    data.boxes.push_back(rack);
    DiagramBox many = box("rack.gpu", "rack", BoxRole::accelerator, "B200", QRectF(24, 108, 96, 32));
    many.stands_for = 72;
    data.boxes.push_back(many);
    DiagramBox host = box("rack.host", "rack", BoxRole::host, "Grace CPU with a long name", QRectF(144, 108, 96, 32));
    data.boxes.push_back(host);
    DiagramBox fabric = box("rack#fabric", "rack", BoxRole::fabric, "NVSwitch 900 GB/s", QRectF(12, 192, 240, 32));
    fabric.id = "rack";
    data.boxes.push_back(fabric);
    const double loads[] = {-1, 0.2, 0.6, 0.95};
    for (int i = 0; i < 4; ++i) {
        DiagramBox leaf = box(QStringLiteral("leaf%1").arg(i), {}, BoxRole::network_switch, "Leaf 64×400G",
                              QRectF(360, 12 + 60 * i, 120, 36));
        leaf.health = i == 1   ? crosspoint::ui::BoxHealth::degraded
                      : i == 2 ? crosspoint::ui::BoxHealth::down
                               : crosspoint::ui::BoxHealth::up;
        data.boxes.push_back(leaf);
        data.cables.push_back(cable("rack.host", leaf.key, {240, 124}, {360, 30.0 + 60 * i}, loads[i]));
        DiagramBox bar = box(QStringLiteral("leaf%1#fabric").arg(i), {}, BoxRole::fabric,
                             QStringLiteral("450 GB/s · %1 busy").arg(loads[i]), QRectF(540, 12 + 60 * i, 180, 32));
        bar.load = loads[i];
        data.boxes.push_back(bar);
    }
    return data;
}

/// `racks` racks of 18 trays with 4 accelerators each, in rows of 20: 91 boxes a rack.
inline DiagramData floorOf(int racks) {
    DiagramData data;
    for (int r = 0; r < racks; ++r) {
        const QString key = QStringLiteral("rack%1").arg(r);
        const QPointF at(300.0 * (r % 20), 1000.0 * (r / 20));
        data.boxes.push_back(box(key, {}, BoxRole::domain, "Rack " + QString::number(r), QRectF(at, QSizeF(264, 936))));
        for (int t = 0; t < 18; ++t) {
            const QString tray = key + QStringLiteral(".tray%1").arg(t);
            const QPointF corner = at + QPointF(12, 30 + 50 * t);
            data.boxes.push_back(
                box(tray, key, BoxRole::container, "Tray " + QString::number(t), QRectF(corner, QSizeF(240, 48))));
            for (int g = 0; g < 4; ++g)
                data.boxes.push_back(box(tray + QStringLiteral(".gpu%1").arg(g), tray, BoxRole::accelerator, "B200",
                                         QRectF(corner + QPointF(6 + 58 * g, 24), QSizeF(54, 20))));
        }
        data.cables.push_back(cable(key, "rack0", at + QPointF(132, 0), {132, 0}, 0.01 * (r % 100)));
    }
    return data;
}

}  // namespace machines
