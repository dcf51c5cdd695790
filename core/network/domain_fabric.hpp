// Private to core/network: what lies inside a scale-up domain that is no crossbar, as a graph of its places.
//
// In the graph of the drawing every domain is one crossbar, so that a pair inside it takes one hop. What a ring, a
// torus, a mesh or a PCIe tree makes of that traffic is found here, on one instance of the domain.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/catalogue/parts.hpp"
#include "core/network/flow_graph.hpp"
#include "core/topology/topology.hpp"

namespace crosspoint {

/// A class of equal links inside the domain.
struct InnerLink {
    std::string name;         ///< "dimension 1", "uplink of a PCIe switch", "link to one peer"
    BytesPerSecond capacity;  ///< usable, one direction, after state, planes and background
};

struct DomainFabric {
    FlowGraph graph;  ///< nodes: places first; holes have no cables. Tags are indices into `links`.
    std::vector<InnerLink> links;
    std::vector<int> place;    ///< per accelerator of one instance, in rank order
    bool alike = false;        ///< a torus without holes: what every place sees is the same
    BytesPerSecond bandwidth;  ///< of an accelerator, all ports together
};

/// What a domain's links reach; taken from the interconnect and its parts.
struct InnerRates {
    BytesPerSecond all;   ///< accelerator to all peers together
    BytesPerSecond peer;  ///< full mesh: to one peer; 0 = an even share of `all`
    BytesPerSecond root;  ///< PCIe tree: between two CPUs
};

/// `up`: per place in drawing order, whether an accelerator works there. Null for a crossbar. Fails with
/// `invalid_value` where there are more accelerators than places, and with `unsupported` above 1,024 accelerators of a
/// full mesh or 1,048,576 places.
Result<std::shared_ptr<const DomainFabric>> domain_fabric(const std::string& id, const Interconnect& fabric,
                                                          const InnerRates& rates, const std::vector<char>& up);

}  // namespace crosspoint
