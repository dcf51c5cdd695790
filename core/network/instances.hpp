// Private to core/network: the drawing with every instance as a node of its own, for traffic that follows no counts.
#pragma once

#include <memory>
#include <vector>

#include "core/network/flow_graph.hpp"
#include "core/network/link_sums.hpp"

namespace crosspoint {

class InstanceGraph {
public:
    /// Whether the drawing stands for few enough devices and links (about four million) to be laid out one by one.
    static bool fits(const NetworkImpl& impl);
    explicit InstanceGraph(const NetworkImpl& impl);

    /// Tags of cables are indices into NetworkImpl::edges.
    [[nodiscard]] const FlowGraph& graph() const { return graph_; }
    [[nodiscard]] int node_of(const NetworkImpl& impl, const Position& position) const;
    [[nodiscard]] int vertex_of(int node) const;

private:
    std::vector<int> first_;  // per vertex: its first node; one more at the end
    FlowGraph graph_;
};

/// Laid out on first use and kept with the network.
const InstanceGraph& instance_graph(const NetworkImpl& impl);

/// Every source sends `bytes` to every target but itself. Indices into a list of ranks.
struct Exchange {
    std::vector<int> sources, targets;
    double bytes = 0;
};

Result<TrafficSums> sum_instances(const Network& network, const RankGroups& groups, Pattern pattern);
Result<TrafficSums> sum_exchanges(const Network& network, const std::vector<std::int64_t>& ranks,
                                  const std::vector<Exchange>& exchanges);
Result<Path> instance_path(const Network& network, std::int64_t from, std::int64_t to);

}  // namespace crosspoint
