#include <deque>

#include "core/topology/arrange_tree.hpp"

namespace crosspoint::arranging {
namespace {

using Neighbours = std::map<DeviceId, std::vector<DeviceId>>;

Neighbours neighbours(const Topology& topology) {
    Neighbours joined;
    for (const Link& link : topology.links) {
        joined[link.a].push_back(link.b);
        joined[link.b].push_back(link.a);
    }
    return joined;
}

}  // namespace

std::map<DeviceId, int> switch_tiers(const Topology& topology) {
    const Neighbours joined = neighbours(topology);
    std::map<DeviceId, int> distance;  // from the nearest device that is no switch
    std::deque<DeviceId> queue;
    for (const Device& device : topology.devices)
        if (device.kind != DeviceKind::network_switch) {
            distance[device.id] = 0;
            queue.push_back(device.id);
        }
    for (; !queue.empty(); queue.pop_front()) {
        const auto found = joined.find(queue.front());
        if (found == joined.end()) continue;
        for (const DeviceId& next : found->second)
            if (distance.emplace(next, distance[queue.front()] + 1).second) queue.push_back(next);
    }
    std::map<DeviceId, int> tiers;
    for (const Device& device : topology.devices)
        if (device.kind == DeviceKind::network_switch)
            tiers[device.id] = distance.count(device.id) ? distance[device.id] : 1;
    return tiers;
}

}  // namespace crosspoint::arranging
