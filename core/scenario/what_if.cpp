#include "core/scenario/what_if.hpp"

#include <fmt/format.h>

#include "core/topology/ancestry.hpp"

namespace crosspoint {
namespace {

bool lies_in(const Topology& topology, const std::optional<ContainerId>& parent, const ContainerId& around) {
    int depth = 0;
    for (const Container* at = parent_of(topology, parent); at && depth <= max_nesting;
         at = parent_of(topology, at->parent), ++depth)
        if (at->id == around) return true;
    return false;
}

class Marker {
public:
    Marker(const Topology& topology, State state) : topology_(topology), state_(state) {}

    void add(const std::string& id) {
        if (const Link* link = topology_.links.find(LinkId(id))) return put(*link);
        if (const Device* device = topology_.devices.find(DeviceId(id))) return put(*device);
        if (const Container* container = topology_.containers.find(ContainerId(id))) put_container(*container);
    }
    std::vector<Edit> take() { return std::move(edits_); }

private:
    void put(Link link) {
        if (link.state == state_) return;
        link.state = state_;
        edits_.push_back(PutLink{std::move(link)});
    }
    void put(Device device) {
        if (device.state == state_) return;
        device.state = state_;
        edits_.push_back(PutDevice{std::move(device)});
    }
    void put_container(const Container& container) {
        if (!container.interconnect) {
            for (const Device& device : topology_.devices)
                if (lies_in(topology_, device.parent, container.id)) put(device);
            return;
        }
        Container changed = container;
        changed.interconnect->state = state_;
        if (state_.health == Health::up) changed.interconnect->planes_down = 0;
        if (!(changed == container)) edits_.push_back(PutContainer{std::move(changed)});
    }

    const Topology& topology_;
    State state_;
    std::vector<Edit> edits_;
};

std::string text_of(std::size_t objects, Health health) {
    const std::string what = objects == 1 ? std::string("object") : fmt::format("{} objects", objects);
    switch (health) {
        case Health::up: return fmt::format("restore {}", what);
        case Health::degraded: return fmt::format("mark {} degraded", what);
        case Health::down: break;
    }
    return fmt::format("mark {} failed", what);
}

}  // namespace

WhatIf mark(const Scenario& scenario, const std::vector<std::string>& ids, Health health, double factor) {
    if (!scenario.topology) return {};
    Marker marker(*scenario.topology, State{health, health == Health::degraded ? factor : 1.0});
    for (const std::string& id : ids) marker.add(id);
    WhatIf change{marker.take(), {}};
    change.text = text_of(change.edits.size(), health);
    return change;
}

WhatIf move_planes(const Scenario& scenario, const std::vector<std::string>& ids, int by) {
    WhatIf change;
    change.text = by > 0 ? "fail one plane" : "restore one plane";
    if (!scenario.topology) return change;
    for (const std::string& id : ids) {
        const Container* container = scenario.topology->containers.find(ContainerId(id));
        if (!container || !container->interconnect) continue;
        Container changed = *container;
        const int down = changed.interconnect->planes_down + by;
        if (down < 0 || down >= changed.interconnect->planes) continue;  // the last plane is the domain itself
        changed.interconnect->planes_down = down;
        change.edits.push_back(PutContainer{std::move(changed)});
    }
    return change;
}

std::vector<std::string> impaired(const Topology& topology) {
    std::vector<std::string> ids;
    for (const Container& c : topology.containers)
        if (c.interconnect && (c.interconnect->state.health != Health::up || c.interconnect->planes_down > 0))
            ids.push_back(c.id.value);
    for (const Device& d : topology.devices)
        if (d.state.health != Health::up) ids.push_back(d.id.value);
    for (const Link& l : topology.links)
        if (l.state.health != Health::up) ids.push_back(l.id.value);
    return ids;
}

}  // namespace crosspoint
