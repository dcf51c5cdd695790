// The parts that a drawing refers to by id: accelerators, links, NICs and switches, with sourced figures.
//
// Bandwidths are per direction and payload. A bandwidth has a nominal figure (datasheet) and, where one is
// known, a usable one (measured); usable_or_nominal() is what costs use, and says by its confidence when only
// the datasheet is known.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/evidence.hpp"
#include "core/base/id.hpp"
#include "core/base/table.hpp"
#include "core/catalogue/dtype.hpp"
#include "core/units/quantity.hpp"

namespace crosspoint {

enum class CollectiveOp {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    point_to_point,
    broadcast,
    reduce,
    gather,
    scatter,
    expert_dispatch,
    expert_combine,
};
std::string_view to_string(CollectiveOp op);  // "all-reduce", "all-to-all", "point-to-point", ...
std::optional<CollectiveOp> collective_op_from(std::string_view text);

struct Bandwidth {
    Figure<BytesPerSecond> nominal;
    std::optional<Figure<BytesPerSecond>> usable;
    [[nodiscard]] const Figure<BytesPerSecond>& usable_or_nominal() const { return usable ? *usable : nominal; }
    bool operator==(const Bandwidth&) const = default;
};

/// Share of the dense peak that a product with m rows reaches; interpolated in log m, flat outside.
struct EfficiencyPoint {
    double rows = 1;
    double share = 1;
    bool operator==(const EfficiencyPoint&) const = default;
};

struct AcceleratorPart {
    PartId id;
    std::string name;
    std::string vendor;
    Figure<Bytes> memory;                     ///< capacity of one accelerator
    Figure<BytesPerSecond> memory_bandwidth;  ///< nominal
    Figure<double> memory_efficiency;         ///< share of nominal that decode kernels reach
    std::map<Dtype, Figure<FlopsPerSecond>> dense_peak;
    std::vector<EfficiencyPoint> compute_efficiency;  ///< ascending rows
    Figure<double> compute_efficiency_evidence;       ///< value = best share; source of the curve
    Figure<Seconds> launch;                           ///< one kernel without graph capture
    Figure<Seconds> graph_launch;                     ///< one kernel inside a captured graph
    std::optional<Figure<DollarsPerSecond>> price;    ///< per accelerator, rental
    std::optional<Figure<Watts>> power;
    bool operator==(const AcceleratorPart&) const = default;
};

/// What the fabric class adds for one kind of collective; absent fields fall back to the link's own figures.
struct CollectiveFigures {
    std::optional<Figure<BytesPerSecond>> bandwidth;  ///< per accelerator and direction, as reached by this operation
    std::optional<Figure<Seconds>> software;          ///< paid once per call
    std::optional<Figure<Seconds>> step;              ///< paid per step of the algorithm
    std::optional<Figure<double>> kappa;              ///< pipelining term, cost-model: t = a + n/B + kappa sqrt(a n/B)
    /// A library moves large messages by a second protocol, chunks handed over by flags (NCCL: LL and LL128, then
    /// Simple). Where its launch is given, `software` and `step` belong to the low-latency protocol, which reaches
    /// only `low_latency_share` of the bandwidth, and `kappa` to the bulk one; the faster of the two is taken.
    std::optional<Figure<Seconds>> bulk_software;     ///< paid once per call
    std::optional<Figure<Seconds>> bulk_step;         ///< paid per step of the algorithm
    std::optional<Figure<double>> low_latency_share;  ///< of the bandwidth, (0, 1]
    std::optional<Figure<Seconds>> message;           ///< issuing one message; each peer of an exchange costs one
    bool operator==(const CollectiveFigures&) const = default;
};

/// All-reduce kernels that serving engines bring along, each one launch without a library's protocol.
struct EngineKernels {
    Figure<Seconds> one_shot;        ///< once per call: every rank reads all others' tensors
    Figure<Seconds> two_shot;        ///< once per call, with the barrier between its halves
    Figure<double> bandwidth_share;  ///< of the link's usable bandwidth, (0, 1]
    bool operator==(const EngineKernels&) const = default;
};

struct LinkPart {
    PartId id;
    std::string name;
    std::string family;                            ///< nvlink, infiniband, ethernet, pcie, xgmi, ...
    Bandwidth bandwidth;                           ///< of one lane/port as drawn, one direction
    Figure<Seconds> software;                      ///< launch and protocol, once per call over this class
    Figure<Seconds> endpoint;                      ///< per step: both ends' protocol work
    Figure<Seconds> hop;                           ///< per traversal: cable and serialisation
    bool in_switch_reduction = false;              ///< switches of this fabric can reduce (NVLS, SHARP)
    std::optional<Figure<double>> in_switch_gain;  ///< measured speed of in-switch over ring all-reduce, 1.23-1.31
    /// Reached by the (K+1)/K n that an accelerator moves when the switch reduces; wins over the gain.
    std::optional<Figure<BytesPerSecond>> in_switch_bandwidth;
    std::optional<Figure<Seconds>> in_switch_latency;  ///< once per call, instead of two steps
    std::optional<EngineKernels> engine_kernels;
    std::map<CollectiveOp, CollectiveFigures> collectives;
    std::optional<Figure<BytesPerSecond>> peer_bandwidth;  ///< full mesh: reached to one peer alone, one direction
    bool operator==(const LinkPart&) const = default;
};

struct SwitchPart {
    PartId id;
    std::string name;
    int radix = 0;                          ///< ports
    Figure<BytesPerSecond> port_bandwidth;  ///< one direction
    Figure<Seconds> hop;                    ///< port to port
    bool operator==(const SwitchPart&) const = default;
};

struct NicPart {
    PartId id;
    std::string name;
    Bandwidth bandwidth;       ///< one NIC, one direction
    Figure<Seconds> endpoint;  ///< per message
    bool operator==(const NicPart&) const = default;
};

struct HostPart {
    PartId id;
    std::string name;
    Figure<Seconds> hop;  ///< crossing the CPU or PCIe root
    bool operator==(const HostPart&) const = default;
};

struct Catalogue {
    Table<AcceleratorPart> accelerators;
    Table<LinkPart> links;
    Table<SwitchPart> switches;
    Table<NicPart> nics;
    Table<HostPart> hosts;
    bool operator==(const Catalogue&) const = default;
};

/// Every table of `overlay` laid over `base`; rows of the overlay win.
Catalogue merged(const Catalogue& base, const Catalogue& overlay);

}  // namespace crosspoint
