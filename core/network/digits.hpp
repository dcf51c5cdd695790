// Private to core/network: axes split into digits, so that every wiring pattern is "these digits are equal, those
// are free".
//
// A link that joins 32 NICs (4 nodes x 8) one to one with 32 ports of one device maps the flat index of one end to
// that of the other; splitting the axis of 32 into digits of 4 and 8 turns that into two equalities. Digits that any
// wiring makes equal carry one "set" id: permuting the values of a set in all classes at once leaves the network
// unchanged, which is what lets one pair of ranks stand for all pairs that agree and differ in the same sets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace crosspoint {

class NetworkImpl;

/// How the digits of an edge's two ends relate.
struct EdgeDigits {
    std::vector<int> from_a;  ///< per digit of b: the digit of a that it equals, or -1 when free
    std::vector<int> from_b;  ///< per digit of a: the digit of b that it equals, or -1 when free
    std::vector<int> sets;    ///< coordinates of a link instance: all digits of a, then the free ones of b
};

struct DigitSpace {
    struct Digit {
        int axis = 0;
        std::int64_t weight = 1;  ///< within the axis
        std::int64_t size = 1;
        int set = 0;
    };
    std::vector<std::vector<Digit>> vertex_digits;  ///< per vertex, outermost first; digits of size 1 are left out
    std::vector<EdgeDigits> edges;
    std::vector<std::int64_t> set_size;
};

/// A cut wanted in the flat rank of one vertex class: position (a product of extents from the innermost side).
struct RankCuts {
    int vertex = -1;
    std::vector<std::int64_t> positions;
};

/// Splits the axes for all wirings and for `cuts`. Fails with `invalid_value` where a one-to-one or rail link joins
/// counts of which neither divides the other, and with `unsupported` where no common split exists.
Result<DigitSpace> refine(const NetworkImpl& impl, const std::vector<std::string>& link_ids, const RankCuts& cuts = {});

/// Values of the digits of one instance.
std::vector<std::int64_t> digit_values(const DigitSpace& space, const NetworkImpl& impl, int vertex,
                                       const std::vector<std::int64_t>& axis_index);

}  // namespace crosspoint
