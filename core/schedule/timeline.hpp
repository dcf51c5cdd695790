// A schedule as values: bars on streams whose end is the step time (cost-model section 6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/roofline.hpp"

namespace crosspoint {

struct Stream {
    std::string name;        ///< "Compute", then one per network level
    int level = -1;          ///< index into Network::levels; -1 = compute
};

/// A piece of work to place: it occupies every stream in `pieces` from the same start.
struct Task {
    std::string op;          ///< Operation::id
    std::string label;
    int micro_batch = 0;
    struct Piece { int stream = 0; Seconds length; Bytes bytes; };
    std::vector<Piece> pieces;
    Bound bound = Bound::memory;
    std::vector<int> after;  ///< indices of earlier tasks
};

struct Bar {
    std::string op;
    std::string label;
    int stream = 0;
    int layer = 0;           ///< -1 for the ends of the step
    int micro_batch = 0;
    Seconds start, length;
    Bytes bytes{0};          ///< communication: sent by one rank over this level
    Bound bound = Bound::memory;
    [[nodiscard]] Seconds end() const { return start + length; }
};

/// The four add up to the end of the timeline (property-tested): at each moment either compute runs (alone or
/// hiding communication), or only communication runs (exposed), or nothing does (idle).
struct TimeShares {
    Seconds compute;         ///< compute running without communication
    Seconds hidden;          ///< compute and communication at once
    Seconds exposed;         ///< communication without compute
    Seconds idle;
};

struct Timeline {
    std::vector<Stream> streams;
    std::vector<Bar> bars;   ///< sorted by start, then stream
    Seconds end;
    TimeShares shares;
    std::vector<Seconds> stream_busy;  ///< per stream
};

/// In-order per stream, each task as early as its streams and predecessors allow.
Timeline schedule(const std::vector<Stream>& streams, const std::vector<Task>& tasks, int layer);
TimeShares time_shares(const Timeline& timeline);

/// `second` appended at the end of `first`.
void append(Timeline& first, const Timeline& second, int layer);

}  // namespace crosspoint
