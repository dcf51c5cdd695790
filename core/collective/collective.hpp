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

/// A library's second protocol, for large messages: chunks handed over by flags instead of data polled for.
struct BulkProtocol {
    Seconds software{0};
    Seconds step{0};
};

/// All-reduce kernels of a serving engine; see EngineKernels of the catalogue.
struct DirectKernels {
    Seconds one_shot{0}, two_shot{0};
    double bandwidth_share = 1;
};

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
    std::optional<BulkProtocol> bulk;  ///< set: software and step are the low-latency protocol's, kappa the bulk's
    double low_latency_share = 1.0;    ///< of the bandwidth, what the low-latency protocol reaches beside a bulk one
    Seconds message{0};                ///< issuing one message of an exchange to one more peer
    BytesPerSecond in_switch_bandwidth{0};     ///< reached by the (K+1)/K n of in-switch reduction; 0 = use the gain
    std::optional<Seconds> in_switch_latency;  ///< once per call of in-switch reduction; else two steps
    std::optional<DirectKernels> kernels;      ///< one-shot and two-shot forms by these instead of step and software
    bool fitted = false;                       ///< to a library: "automatic" takes only what such a library runs
};

/// A group as a collective sees it: one fabric, or domains of `inside.ranks` joined by `across` (ranks = domains).
struct GroupFabric {
    Fabric whole;                  ///< the flat view: slowest path, congested bandwidth of the ring or all-to-all
    std::optional<Fabric> inside;  ///< set when the group spans several scale-up domains
    std::optional<Fabric> across;
    /// Three levels or more, innermost first (domain, leaf, spine, ...): fabric i joins ranks_i groups of level i - 1,
    /// and the product of their ranks is that of the whole. Empty where `inside` and `across` say all.
    std::vector<Fabric> levels;
};

struct Alternative {
    Algorithm algorithm = Algorithm::ring;
    Seconds time;
};

struct CollectiveCost {
    CollectiveOp op = CollectiveOp::all_reduce;
    Algorithm algorithm = Algorithm::ring;
    std::string reason;    ///< "ring: 9.2 us against tree 12.1 us" or "only choice"
    std::string formula;   ///< "2(K-1) alpha + 2(K-1)/K n/beta"
    std::string protocol;  ///< "low-latency" or "bulk" where the fabric has both, else empty
    Seconds latency, bandwidth, pipelining;
    Seconds time;         ///< the sum
    int levels = 1;       ///< parts of a form in levels
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

/// A size from which the automatic choice is another algorithm or protocol.
struct ChoiceChange {
    Bytes from;  ///< 0 for the first
    Algorithm algorithm = Algorithm::ring;
    std::string protocol;
};
/// All choices from 1 B to 1 TB in order of size; empty where nothing can be priced.
std::vector<ChoiceChange> automatic_choices(CollectiveOp op, const GroupFabric& group);

/// E[max of `count` independent standard normals]: 0 for one, 0.564 for 2, 1.424 for 8, 2.343 for 64.
double expected_maximum_of_normals(double count);
/// A collective ends with its last participant: where the ranks arrive with delays of standard deviation `sigma`, the
/// expected wait over the mean arrival is sigma E[max of K normals] (cost-model section 3).
Seconds straggler_wait(double ranks, Seconds sigma);

/// Message size above which `larger` beats `smaller`; empty when it never does below 1 TB.
std::optional<Bytes> algorithm_crossover(CollectiveOp op, const GroupFabric& group, Algorithm smaller,
                                         Algorithm larger);

}  // namespace crosspoint
