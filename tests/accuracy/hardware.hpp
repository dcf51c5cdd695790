// From the names that people write ("H100 SXM (DGX)", "EFA v2 32x100 Gb/s = 400 GB/s per node") to catalogue parts
// and a drawing. A name that is not known falls back to the class of its generation or fabric.
#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "accuracy/record.hpp"
#include "core/catalogue/parts.hpp"
#include "core/topology/topology.hpp"
#include "core/workload/groups.hpp"

namespace crosspoint::accuracy {

/// The accelerator part that a hardware name means; empty when nothing in the name is known.
std::optional<PartId> accelerator_of(std::string_view hardware);

/// The scale-up fabric of one machine.
struct ScaleUp {
    PartId part;
    FabricKind kind = FabricKind::switched;
    std::int64_t domain = 8;  ///< accelerators joined by it
};
/// From what is written about the fabric, else from the accelerator's name.
std::optional<ScaleUp> scale_up_of(std::string_view hardware, std::string_view fabric);

/// The NICs of one machine.
struct ScaleOut {
    PartId link;
    PartId nic;
    std::int64_t nics = 8;                           ///< per machine
    std::optional<BytesPerSecond> nominal_override;  ///< of one NIC, where no part has the rate
};
/// From what is written about the network, else the usual network of the accelerator's generation.
ScaleOut scale_out_of(std::string_view hardware, std::string_view network, std::int64_t accelerators_per_machine,
                      const Catalogue& catalogue);

/// Adds the part that stands for the whole network between machines: a switch with as many ports as are asked for.
/// Records say nothing of switches; a non-blocking network is what they are compared with.
void add_network_switch(Catalogue& catalogue);

/// A drawing and the accelerators that take part.
struct Machine {
    Topology topology;
    RankGroups ranks;
    std::string how;  ///< "10 x 8 nvlink4, infiniband-ndr-400g"
};
struct MachineRequest {
    std::string hardware, scale_up, scale_out;
    std::int64_t ranks = 0, nodes = 0;  ///< nodes 0 = as many as the domains need
    std::int64_t used_per_node = 0;     ///< 0 = ranks / nodes
    std::int64_t domain = 0;            ///< accelerators in one scale-up domain; 0 = usual
    bool no_scale_up = false;           ///< the domain's fabric is not used: everything goes through the NICs
};
/// The error is the reason in a sentence.
tl::expected<Machine, std::string> machine_of(const MachineRequest& request, const Catalogue& catalogue);

}  // namespace crosspoint::accuracy
