// What the canvas shows, as plain data. Lengths are canvas units: 1 px at 100 % zoom.
#pragma once

#include <vector>

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

namespace crosspoint::ui {

enum class BoxRole { container, domain, accelerator, nic, network_switch, host, fabric };
enum class BoxHealth { up, degraded, down };

struct DiagramBox {
    QString key;     ///< unique
    QString id;      ///< the drawn object; several boxes may show instances of one
    QString parent;  ///< key of the enclosing box; parents come before children
    QRectF rect;
    BoxRole role = BoxRole::container;
    QString title;
    double title_y = 0;  ///< of a container: where its title strip begins below the top edge
    QString subtitle;    ///< beside the title of a container
    QString tooltip;
    qint64 stands_for = 1;  ///< above 1: drawn as a stack with "×n"
    BoxHealth health = BoxHealth::up;
    double load = -1;                             ///< share of the usable rate for fabrics; -1: no figure
    bool collapsible = false, collapsed = false;  ///< of containers: a mark opens and closes them
    bool pinned = false;                          ///< arranging leaves it where it is
    bool on_path = false;                         ///< an end of the path that is shown

    bool operator==(const DiagramBox&) const = default;
};

struct DiagramCable {
    QString id;
    QString from, to;  ///< box keys
    QPointF start, end;
    QString tooltip;
    qint64 stands_for = 1;
    BoxHealth health = BoxHealth::up;
    double load = -1;
    QString label;         ///< beside the cable where there is room: "46 GB/s · 92 %"
    bool on_path = false;  ///< of the path that is shown

    bool operator==(const DiagramCable&) const = default;
};

/// A line of a fabric inside its domain: between neighbours of a torus or ring, or from an accelerator to its switch.
struct DiagramStroke {
    QString owner;  ///< key of the domain's box
    QString id;     ///< of the domain
    QLineF line;
    bool wrap = false;  ///< goes on at the opposite side: ends in a mark
    BoxHealth health = BoxHealth::up;
    double load = -1;

    bool operator==(const DiagramStroke&) const = default;
};

struct DiagramData {
    std::vector<DiagramBox> boxes;
    std::vector<DiagramCable> cables;
    std::vector<DiagramStroke> strokes;
    QString caption;         ///< bold: "Expert dispatch, one layer"
    QString caption_detail;  ///< "bytes of the selected operation on each link"
    QString critical;        ///< "critical: NDR 400G, 46 of 50 GB/s usable (measured)"
    double critical_load = -1;
    bool legend = false;
    QStringList card;    ///< facts about what is selected, over a corner of the drawing; the first line is a heading
    QString empty_text;  ///< shown without boxes: what to drop or click
};

}  // namespace crosspoint::ui
