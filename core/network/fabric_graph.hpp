// Private to core/network: the drawing as vertex classes and edge classes over counted axes.
//
// Every drawn device is one vertex class and every scale-up domain one virtual crossbar class. An instance of a class
// is addressed by the indices of its counted ancestors (outermost first) and its own index: its axes. Nothing here
// grows with the counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/network/digits.hpp"
#include "core/network/domain_fabric.hpp"
#include "core/network/network.hpp"

namespace crosspoint {

enum class VertexKind { accelerator, nic, network_switch, host, crossbar };

struct Vertex {
    VertexKind kind = VertexKind::accelerator;
    std::string id;
    std::vector<int> axes;        ///< containers outermost first, a device's own axis last
    std::vector<int> containers;  ///< enclosing containers, outermost first (a crossbar: its own one last)
    bool up = true;
    Seconds hop;        ///< crossing it: switch port to port, CPU or PCIe root
    Seconds endpoint;   ///< NIC: per message
    int domain = -1;    ///< accelerator: container index of its outermost scale-up domain
    int locality = -1;  ///< accelerator: the domain, else the node that holds it; -1 = alone
    std::int64_t instances = 1;
};

/// Latency figures of one Network::links entry.
struct LinkLatency {
    Seconds software, endpoint, hop;
};

struct GraphEdge {
    int link = 0;      ///< index into Network::links
    int a = 0, b = 0;  ///< vertices; domain edges: a = accelerator, b = crossbar
    int shared = 0;    ///< leading axes that must be equal; dragonfly: those before the groups' axis
    Wiring wiring = Wiring::each_to_each;
    /// Half hops when ways are compared: a drawn link is one hop, a domain is one hop for its two edges. A global link
    /// of a dragonfly counts as ten, so that ways take as few of them as they can ("minimal routing").
    int cost = 2;
    std::int64_t per_pair = 1;  ///< dragonfly: instances between every two groups
};

inline constexpr int global_cost = 20;
/// Half hops as they are reported.
inline int half_hops(const GraphEdge& edge) { return edge.cost < 2 ? edge.cost : 2; }

/// Drawing order: which ranks a container or device holds.
struct OrderNode {
    int axis = -1;
    int vertex = -1;        ///< accelerator class; -1 = container
    std::int64_t size = 0;  ///< accelerators of one instance
    std::int64_t count = 1;
    std::int64_t start = 0;  ///< first rank inside one instance of the parent
    std::vector<OrderNode> children;
};

/// One accelerator instance.
struct Position {
    int vertex = -1;
    std::vector<std::int64_t> index;  ///< one per axis of the vertex
};

class NetworkImpl {
public:
    std::vector<std::string> axis_ids;
    std::vector<std::int64_t> axis_counts;
    std::vector<Vertex> vertices;
    std::vector<GraphEdge> edges;
    std::vector<std::vector<int>> edges_of;                    ///< per vertex
    std::vector<LinkLatency> latencies;                        ///< per Network::links entry
    std::vector<std::shared_ptr<const DomainFabric>> fabrics;  ///< per Network::links entry; null: no inner graph
    std::vector<int> domain_link;                              ///< per container: its entry in Network::links, or -1
    bool has_inner = false;                                    ///< some domain is no crossbar
    std::vector<OrderNode> order;                              ///< top level
    int accelerator_classes = 0;
    DigitSpace digits;                ///< refined for the wiring alone
    mutable std::once_flag laid_out;  ///< of `instances`
    mutable std::shared_ptr<const class InstanceGraph> instances;
    /// Why the wiring has no digits; instances are routed one by one then.
    std::optional<Error> undivided;

    [[nodiscard]] Position locate(std::int64_t rank) const;
    /// "gpu[1,3]": the drawn id with the instance's indices on axes above one.
    [[nodiscard]] std::string name_of(const Position& position) const;
};

/// Instances of an edge class; exact while below 2^53.
double cable_count(const NetworkImpl& impl, const GraphEdge& edge);

}  // namespace crosspoint
