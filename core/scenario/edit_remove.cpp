#include <fmt/format.h>

#include <set>

#include "core/scenario/edit_apply.hpp"

namespace crosspoint::edits {
namespace {

struct Doomed {
    std::set<ContainerId> containers;
    std::set<DeviceId> devices;
    std::set<LinkId> links;
};

template <class Row, class IdType>
Result<void> check_exists(const Table<Row>& rows, std::string_view what, const std::vector<IdType>& ids) {
    for (const IdType& id : ids)
        if (!rows.contains(id))
            return fail(ErrorCode::reference, fmt::format("cannot delete {} '{}': it does not exist", what, id.value),
                        "select existing objects", {id.value});
    return {};
}

/// Containers inside the given ones; ends because each round adds at least one.
void add_nested(const Topology& topology, std::set<ContainerId>& containers) {
    for (bool grown = true; grown;) {
        grown = false;
        for (const Container& container : topology.containers)
            if (container.parent && containers.count(*container.parent))
                grown = containers.insert(container.id).second || grown;
    }
}

Doomed cascade(const Topology& topology, const RemoveObjects& edit) {
    Doomed doomed{{edit.containers.begin(), edit.containers.end()},
                  {edit.devices.begin(), edit.devices.end()},
                  {edit.links.begin(), edit.links.end()}};
    add_nested(topology, doomed.containers);
    for (const Device& device : topology.devices)
        if (device.parent && doomed.containers.count(*device.parent)) doomed.devices.insert(device.id);
    for (const Link& link : topology.links)
        if (doomed.devices.count(link.a) || doomed.devices.count(link.b)) doomed.links.insert(link.id);
    return doomed;
}

/// A table of the rows that stay; ids that leave are never given out again.
template <class Row, class IdType>
void remove(Topology& topology, Table<Row>& rows, const std::set<IdType>& ids) {
    for (const IdType& id : ids) {
        rows.erase(id);
        reserve_id(topology, id.value);
    }
}

}  // namespace

Result<void> write(Scenario& next, const RemoveObjects& edit) {
    const Topology& before = drawing(next);
    if (auto ok = check_exists(before.containers, "container", edit.containers); !ok) return ok;
    if (auto ok = check_exists(before.devices, "device", edit.devices); !ok) return ok;
    if (auto ok = check_exists(before.links, "link", edit.links); !ok) return ok;
    const Doomed doomed = cascade(before, edit);
    Topology topology = before;
    remove(topology, topology.links, doomed.links);
    remove(topology, topology.devices, doomed.devices);
    remove(topology, topology.containers, doomed.containers);
    return adopt(next, std::move(topology));
}

}  // namespace crosspoint::edits
