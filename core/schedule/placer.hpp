// Where the next task starts when every stream works in order (private to core/schedule).
#pragma once

#include <algorithm>
#include <vector>

#include "core/schedule/timeline.hpp"

namespace crosspoint {

/// A task at its place; `task` belongs to the caller.
struct Placed {
    const Task* task = nullptr;
    int layer = 0;
    int micro_batch = 0;
    double start = 0;
};

class Placer {
public:
    explicit Placer(std::size_t streams) : free_(streams, 0.0) {}

    /// Earliest start not before `ready`.
    [[nodiscard]] double earliest(const Task& task, double ready) const {
        for (const Task::Piece& piece : task.pieces) {
            if (occupies(piece)) ready = std::max(ready, free_[std::size_t(piece.stream)]);
        }
        return ready;
    }

    /// Occupies the streams and returns when the task ends.
    double place(const Task& task, double start) {
        double end = start;
        for (const Task::Piece& piece : task.pieces) {
            if (!occupies(piece)) continue;
            const double piece_end = start + piece.length.si();
            free_[std::size_t(piece.stream)] = piece_end;
            end = std::max(end, piece_end);
        }
        return end;
    }

    [[nodiscard]] bool occupies(const Task::Piece& piece) const {
        return piece.stream >= 0 && std::size_t(piece.stream) < free_.size() && piece.length.si() > 0;
    }

private:
    std::vector<double> free_;
};

/// Bars (when asked for), shares and busy times of what was placed; `end` in seconds.
Timeline timeline_of(const std::vector<Stream>& streams, const std::vector<Placed>& placed, double end, bool with_bars);

}  // namespace crosspoint
