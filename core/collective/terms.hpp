// Private to core/collective: the terms of one algorithm on one fabric.
#pragma once

#include <span>
#include <string_view>

#include "core/collective/collective.hpp"

namespace crosspoint {

struct Terms {
    Seconds latency, bandwidth, pipelining;
    Bytes sent;      ///< wire bytes of one rank
    Seconds across;  ///< forms in levels: the part between domains, with what its launch takes longer than one inside
    int levels = 1;  ///< that the form works on, one after the other
    std::string_view protocol;  ///< empty where the fabric has one only
    [[nodiscard]] Seconds time() const { return latency + bandwidth + pipelining; }
};

/// One row of the table of algorithms.
struct Method {
    CollectiveOp op;
    Algorithm algorithm;
    std::string_view formula;
    bool (*supported)(const GroupFabric&);  ///< the fabric can run it
    bool (*automatic)(const GroupFabric&);  ///< its figures hold there without being asked for
    Terms (*cost)(Bytes n, const GroupFabric& group);
};

/// All algorithms of all operations; expert dispatch and combine are listed as all-to-all.
std::span<const Method> methods();

}  // namespace crosspoint
