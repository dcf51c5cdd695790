// Private to core/network: the arcs of the instance graph as the network rates them, and how accelerators hang on it.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "core/network/instances.hpp"

namespace crosspoint {

/// Latency terms of a way, or of a part of one.
struct Way {
    Seconds software, endpoint, transit;
    int half_hops = 0;
    int top = -1;  // highest level

    void add(const Way& next) {
        software = std::max(software, next.software);
        endpoint = std::max(endpoint, next.endpoint);
        transit += next.transit;
        half_hops += next.half_hops;
        top = std::max(top, next.top);
    }
    [[nodiscard]] Seconds step() const { return endpoint + transit; }
};

/// How an accelerator reaches the rest: over a chain without a choice up to the node where ways part.
struct Access {
    int attach = -1;         // the accelerator itself where it has a choice at once
    std::vector<int> chain;  // arcs from the accelerator to `attach`
    int crossbar = -1;       // its only domain; pairs in one domain stay in it
    int crossbar_arc = -1;
};

/// Steps along the arcs of the instance graph as the network rates them.
class Terrain {
public:
    explicit Terrain(const Network& network)
        : network_(network), impl_(*network.impl), instances_(instance_graph(impl_)), graph_(instances_.graph()) {}

    [[nodiscard]] const FlowGraph& graph() const { return graph_; }
    [[nodiscard]] const InstanceGraph& instances() const { return instances_; }
    [[nodiscard]] int link(int arc) const { return impl_.edges[std::size_t(graph_.tag(arc))].link; }
    [[nodiscard]] int level(int arc) const { return network_.links[std::size_t(link(arc))].level; }
    [[nodiscard]] VertexKind kind(int node) const { return vertex(node).kind; }

    [[nodiscard]] Way step(int arc) const {
        const Vertex& next = vertex(graph_.head(arc));
        Way way;
        way.half_hops = half_hops(impl_.edges[std::size_t(graph_.tag(arc))]);
        way.top = level(arc);
        way.endpoint = next.endpoint;
        way.transit = next.hop;
        if (kind(graph_.tail(arc)) == VertexKind::crossbar) return way;  // a domain counts once
        const LinkLatency& latency = impl_.latencies[std::size_t(link(arc))];
        way.software = latency.software;
        way.endpoint = std::max(way.endpoint, latency.endpoint);
        way.transit += latency.hop;
        return way;
    }

private:
    [[nodiscard]] const Vertex& vertex(int node) const {
        return impl_.vertices[std::size_t(instances_.vertex_of(node))];
    }

    const Network& network_;
    const NetworkImpl& impl_;
    const InstanceGraph& instances_;
    const FlowGraph& graph_;
};

/// Finds how accelerators are attached.
class AccessFinder {
public:
    explicit AccessFinder(const Terrain& terrain) : terrain_(terrain), graph_(terrain.graph()) {}

    Access find(int node) {
        Access access = simple(node);
        if (access.crossbar >= 0 && !all_simple(access.crossbar)) access = Access{};
        if (access.attach < 0) return {node, {}, -1, -1};
        return access;
    }

private:
    [[nodiscard]] bool is(int node, VertexKind kind) const { return terrain_.kind(node) == kind; }

    /// attach < 0 where the accelerator has several ways out.
    [[nodiscard]] Access simple(int node) const {
        Access access;
        int way_out = -1, outs = 0, crossbars = 0;
        for (const int arc : graph_.leaving(node)) {
            const int next = graph_.head(arc);
            if (is(next, VertexKind::accelerator)) return {};
            if (is(next, VertexKind::crossbar)) ++crossbars, access.crossbar = next, access.crossbar_arc = arc;
            else ++outs, way_out = arc;
        }
        if (crossbars > 1 || outs > 1) return {};
        access.attach = node;
        for (; way_out >= 0; way_out = behind_nic(way_out)) {
            access.chain.push_back(way_out);
            access.attach = graph_.head(way_out);
        }
        return access;
    }

    /// From a NIC of this accelerator alone on to the only switch or host that it is plugged into. Not further: two
    /// chains must not overlap.
    [[nodiscard]] int behind_nic(int arc) const {
        const int nic = graph_.head(arc);
        const auto arcs = graph_.leaving(nic);
        if (!is(nic, VertexKind::nic) || arcs.size() != 2) return -1;
        const int on = arcs[0] == (arc ^ 1) ? arcs[1] : arcs[0];
        const bool joint = is(graph_.head(on), VertexKind::network_switch) || is(graph_.head(on), VertexKind::host);
        return joint ? on : -1;
    }

    bool all_simple(int crossbar) {
        const auto known = simple_.find(crossbar);
        if (known != simple_.end()) return known->second;
        bool all = true;
        for (const int arc : graph_.leaving(crossbar)) all = all && simple(graph_.head(arc)).attach >= 0;
        return simple_[crossbar] = all;
    }

    const Terrain& terrain_;
    const FlowGraph& graph_;
    std::map<int, bool> simple_;
};

}  // namespace crosspoint
