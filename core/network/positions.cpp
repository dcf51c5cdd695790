#include <fmt/format.h>

#include <algorithm>

#include "core/network/fabric_graph.hpp"

namespace crosspoint {

const NetworkLink* Network::find(const LinkRef& ref) const {
    const auto it = std::lower_bound(links.begin(), links.end(), ref,
                                     [](const NetworkLink& link, const LinkRef& key) { return link.ref < key; });
    return it != links.end() && it->ref == ref ? &*it : nullptr;
}

namespace {

/// Walks down the drawing order, noting the index on every axis passed.
void descend(const std::vector<OrderNode>& nodes, std::int64_t rank, std::map<int, std::int64_t>& index, int& vertex) {
    for (const OrderNode& node : nodes) {
        const std::int64_t local = rank - node.start;
        if (local < 0 || local >= node.size * node.count) continue;
        index[node.axis] = local / node.size;
        if (node.vertex >= 0) vertex = node.vertex;
        else descend(node.children, local % node.size, index, vertex);
        return;
    }
}

}  // namespace

Position NetworkImpl::locate(std::int64_t rank) const {
    Position position;
    std::map<int, std::int64_t> index;
    descend(order, rank, index, position.vertex);
    if (position.vertex < 0) return position;
    for (const int axis : vertices[std::size_t(position.vertex)].axes) position.index.push_back(index[axis]);
    return position;
}

std::string NetworkImpl::name_of(const Position& position) const {
    if (position.vertex < 0) return "?";
    const Vertex& v = vertices[std::size_t(position.vertex)];
    std::string indices;
    for (std::size_t i = 0; i < v.axes.size(); ++i)
        if (axis_counts[std::size_t(v.axes[i])] > 1)
            indices += fmt::format("{}{}", indices.empty() ? "" : ",", position.index[i]);
    return indices.empty() ? v.id : fmt::format("{}[{}]", v.id, indices);
}

std::string device_of(const Network& network, std::int64_t accelerator) {
    const Position position = network.impl->locate(accelerator);
    return position.vertex < 0 ? std::string() : network.impl->vertices[std::size_t(position.vertex)].id;
}

}  // namespace crosspoint
