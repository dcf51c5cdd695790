// What the timeline shows, as plain data. Times are seconds from the start of the picture.
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

namespace crosspoint::ui {

/// What a bar is about; fixes its colour. The label and the tooltip say the same in words.
enum class BarRole {
    attention,             ///< attention over the cache
    product,               ///< dense matrix product
    elementwise,           ///< norms, router, activation
    experts,               ///< routed experts
    overhead,              ///< launches, sampling
    communication_inside,  ///< inside a scale-up domain
    communication_out,     ///< across domains: dispatch, all-reduce, send
    communication_back,    ///< across domains: combine, gather of the same exchange
};

struct TimelineBar {
    QString operation;  ///< operation id, what barSelected reports
    QString key;        ///< stable over updates of the same picture ("17/experts.dispatch/0/1"); empty: position
    int stream = 0;     ///< index into TimelineData::streams
    int layer = 0;      ///< -1: the ends of the step
    double start = 0;   ///< s
    double length = 0;  ///< s
    QString label;      ///< inside the bar when it fits
    QString tooltip;    ///< title, formula and figures; plain text, lines split by '\n'
    BarRole role = BarRole::product;
    bool exposed = false;  ///< communication that nothing hides: drawn with a dark lower edge
    bool selected = false;
};

struct TimelineNote {
    double time = 0;  ///< s, where the dashed line stands
    QString text;     ///< "compute waits 98 us for the slow path"
};

struct TimelineData {
    QStringList streams;            ///< lane names, top to bottom
    std::vector<TimelineBar> bars;  ///< any order
    double end = 0;                 ///< s; at most zero: nothing to show
    QString title;                  ///< "one layer of 61 - 242 us"
    std::optional<TimelineNote> note;
    QString empty_text;  ///< shown without bars: what to drop or click; empty: a general sentence
};

}  // namespace crosspoint::ui
