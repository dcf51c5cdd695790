#include "core/network/selection.hpp"

#include <numeric>
#include <set>

#include "core/network/fabric_graph.hpp"
#include "core/topology/ancestry.hpp"

namespace crosspoint {
namespace {

/// A cut is routed accelerator by accelerator; a selection has to answer at once.
constexpr std::int64_t most_cut = 1024;

/// The nodes from the top of the drawing order down to the one of this vertex.
bool find_chain(const std::vector<OrderNode>& nodes, const NetworkImpl& impl, const std::string& device,
                std::vector<const OrderNode*>& chain) {
    for (const OrderNode& node : nodes) {
        chain.push_back(&node);
        if (node.vertex >= 0 && impl.vertices[std::size_t(node.vertex)].id == device) return true;
        if (find_chain(node.children, impl, device, chain)) return true;
        chain.pop_back();
    }
    return false;
}

bool chosen(const Topology& topology, const Device& device, const std::set<std::string>& ids) {
    if (ids.count(device.id.value)) return true;
    int depth = 0;
    for (const Container* at = parent_of(topology, device.parent); at && depth <= max_nesting;
         at = parent_of(topology, at->parent), ++depth)
        if (ids.count(at->id.value)) return true;
    return false;
}

/// The drawing without accelerators that are not chosen, and without links that lose an end.
Topology only(const Topology& topology, const std::vector<std::string>& wanted) {
    const std::set<std::string> ids(wanted.begin(), wanted.end());
    Topology part;
    part.containers = topology.containers;
    part.next_id = topology.next_id;
    for (const Device& device : topology.devices)
        if (device.kind != DeviceKind::accelerator || chosen(topology, device, ids)) part.devices.put(device);
    for (const Link& link : topology.links)
        if (part.devices.contains(link.a) && part.devices.contains(link.b)) part.links.put(link);
    return part;
}

}  // namespace

std::optional<std::int64_t> rank_of(const Network& network, const std::string& device, std::int64_t instance) {
    std::vector<const OrderNode*> chain;
    if (!network.impl || instance < 0 || !find_chain(network.impl->order, *network.impl, device, chain))
        return std::nullopt;
    std::int64_t rank = 0;
    for (auto node = chain.rbegin(); node != chain.rend(); ++node) {
        rank += (*node)->start + instance % (*node)->count * (*node)->size;
        instance /= (*node)->count;
    }
    return instance == 0 ? std::optional(rank) : std::nullopt;
}

Result<Bisection> bisection(const Topology& topology, const Catalogue& catalogue, const std::vector<std::string>& ids) {
    const Topology part = only(topology, ids);
    const std::int64_t count = accelerator_count(part);
    if (count < 2)
        return fail(ErrorCode::invalid_value, "fewer than two accelerators are selected",
                    "select containers or devices that hold at least two accelerators");
    const auto network = compile(part, catalogue);
    if (!network) return tl::unexpected(network.error());
    const auto all = route(*network, RankGroups{{{network->accelerators, 1}}, {}}, Pattern::all_to_all);
    if (!all) return tl::unexpected(all.error());
    Bisection found;
    found.accelerators = network->accelerators;
    found.confidence = all->confidence;
    found.leaves_domain = all->cross_domain > 0;
    if (all->bottleneck >= 0) {
        const NetworkLink& link = network->links[std::size_t(all->bottleneck)];
        found.bottleneck = link.name;
        found.bottleneck_id = link.ref.id;
    }
    if (all->seconds_per_byte.si() <= 0) return found;
    found.per_accelerator = BytesPerSecond(1 / all->seconds_per_byte.si());
    if (found.accelerators > most_cut) return found;
    std::vector<std::int64_t> ranks(std::size_t(found.accelerators));
    std::iota(ranks.begin(), ranks.end(), 0);
    if (const auto cut = bisection_bandwidth(*network, std::move(ranks))) found.halves = cut->bandwidth;
    return found;
}

}  // namespace crosspoint
