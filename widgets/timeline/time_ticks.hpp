// Ticks of a linear time axis: steps of 1, 2 or 5, one SI unit for the whole axis. Private to widgets/timeline.
#pragma once

#include <vector>

#include <QString>

namespace crosspoint::ui {

struct TimeTick {
    double time = 0;  ///< s
    QString text;     ///< "50 µs"
};

/// Ticks from `start` to `end`, at most about `count`; none when the range is empty or not finite.
std::vector<TimeTick> time_ticks(double start, double end, int count);

}  // namespace crosspoint::ui
