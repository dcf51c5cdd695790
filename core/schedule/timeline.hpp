// A schedule as values: bars on streams whose end is the step time (cost-model section 6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/roofline.hpp"

namespace crosspoint {

struct Stream {
    std::string name;  ///< "Compute", then one per network level
    int level = -1;    ///< index into Network::levels; -1 = compute
};

/// A piece of work to place: it occupies every stream in `pieces` from the same start.
struct Task {
    std::string op;  ///< Operation::id
    std::string label;
    int micro_batch = 0;
    struct Piece {
        int stream = 0;
        Seconds length;
        Bytes bytes;
    };
    std::vector<Piece> pieces;
    Bound bound = Bound::memory;
    std::vector<int> after;  ///< indices of earlier tasks
};

struct Bar {
    std::string op;
    std::string label;
    int stream = 0;
    int layer = 0;  ///< -1 for the ends of the step
    int micro_batch = 0;
    Seconds start, length;
    Bytes bytes{0};  ///< communication: sent by one rank over this level
    Bound bound = Bound::memory;
    [[nodiscard]] Seconds end() const { return start + length; }
};

/// The four add up to the end of the timeline (property-tested): at each moment either compute runs (alone or
/// hiding communication), or only communication runs (exposed), or nothing does (idle).
struct TimeShares {
    Seconds compute;  ///< compute running without communication
    Seconds hidden;   ///< compute and communication at once
    Seconds exposed;  ///< communication without compute
    Seconds idle;
};

struct Timeline {
    std::vector<Stream> streams;
    std::vector<Bar> bars;  ///< sorted by start, then stream
    Seconds end;
    TimeShares shares;
    std::vector<Seconds> stream_busy;  ///< per stream
};

/// In-order per stream, each task as early as its streams and predecessors allow. A task starts when all its streams
/// are free and ends with its longest piece; pieces of no length and on unknown streams are dropped.
/// `with_bars` false leaves the bars out and keeps end, shares and busy times.
Timeline schedule(const std::vector<Stream>& streams, const std::vector<Task>& tasks, int layer, bool with_bars = true);

/// The tasks of one layer for one micro-batch; `after` counts within the layer, and a task that waits for none waits
/// for the whole previous layer of its own micro-batch.
struct LayerTasks {
    int layer = 0;
    const std::vector<Task>* tasks = nullptr;
};
/// Several micro-batches go through the same layers, each in order. Whichever can start its next task soonest goes
/// first, and the one that went last goes on when none is sooner: a micro-batch computes until it has to wait for its
/// messages, then another takes over.
Timeline schedule_interleaved(const std::vector<Stream>& streams, const std::vector<LayerTasks>& layers,
                              int micro_batches, bool with_bars = true);

/// Linear in the bars, which must be sorted by start.
TimeShares time_shares(const Timeline& timeline);

/// `second` appended at the end of `first`, its bars marked as of `layer`.
void append(Timeline& first, const Timeline& second, int layer);
/// The same, its bars keeping their layers.
void append(Timeline& first, const Timeline& second);
/// The same without its bars: end, shares and busy times only.
void append_summary(Timeline& first, const Timeline& second);

}  // namespace crosspoint
