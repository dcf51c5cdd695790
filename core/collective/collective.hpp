// Collective operations: latency term, bandwidth term, algorithm and reason.
//
// K ranks; `bytes` is the full tensor on each rank (nccl-tests' size convention; all-gather and reduce-scatter
// count the full output/input). Formulas: the table of cost-model section 3. `step` (alpha of one step) multiplies
// the algorithm's steps; `software` is paid once per call, so that one step costs alpha = software + step.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/evidence.hpp"
#include "core/catalogue/bus_bandwidth.hpp"
#include "core/catalogue/parts.hpp"
#include "core/units/quantity.hpp"

namespace crosspoint {

enum class Algorithm {
    automatic,
    ring,
    tree,
    halving_doubling,
    one_shot,
    two_shot,
    in_switch,
    hierarchical,
    direct,
    pairwise,
};
std::string_view to_string(Algorithm);
std::optional<Algorithm> algorithm_from(std::string_view text);  // "auto", "ring", "halving-doubling", ...

/// What one level of a group looks like to a collective.
struct Fabric {
    double ranks = 2;
    Seconds software{0};
    Seconds step{0};
    BytesPerSecond bandwidth{0};  ///< usable, per rank and direction, after congestion
    double kappa = 0;             ///< t = a + n/B + kappa sqrt(a n/B)
    bool one_hop = true;          ///< every pair is joined directly or by one crossbar: one-shot forms apply
    bool in_switch_reduction = false;
    double in_switch_gain = 1.0;  ///< measured speed over the ring; used instead of the algebraic gain
    Confidence confidence = Confidence::assumed;
};

/// A group as a collective sees it: one fabric, or domains of `inside.ranks` joined by `across` (ranks = domains).
struct GroupFabric {
    Fabric whole;                  ///< the flat view: slowest path, congested bandwidth of the ring or all-to-all
    std::optional<Fabric> inside;  ///< set when the group spans several scale-up domains
    std::optional<Fabric> across;
};

struct Alternative {
    Algorithm algorithm = Algorithm::ring;
    Seconds time;
};

struct CollectiveCost {
    CollectiveOp op = CollectiveOp::all_reduce;
    Algorithm algorithm = Algorithm::ring;
    std::string reason;   ///< "ring: 9.2 us against tree 12.1 us" or "only choice"
    std::string formula;  ///< "2(K-1) alpha + 2(K-1)/K n/beta"
    Seconds latency, bandwidth, pipelining;
    Seconds time;         ///< the sum
    Seconds across;       ///< of it, what a form in levels spends between domains; 0 for the others
    Bytes sent_per_rank;  ///< wire bytes that one rank sends
    BytesPerSecond algorithm_bandwidth, bus_bandwidth;
    std::vector<Alternative> alternatives;  ///< all that apply, fastest first
    Confidence confidence = Confidence::exact;
};

/// Fails on ranks < 1, bytes < 0, bandwidth <= 0, or an algorithm that the fabric or operation does not support.
/// One rank costs nothing.
Result<CollectiveCost> collective_cost(CollectiveOp op, Bytes bytes, const GroupFabric& group,
                                       Algorithm algorithm = Algorithm::automatic);

/// Message size above which `larger` beats `smaller`; empty when it never does below 1 TB.
std::optional<Bytes> algorithm_crossover(CollectiveOp op, const GroupFabric& group, Algorithm smaller,
                                         Algorithm larger);

}  // namespace crosspoint
