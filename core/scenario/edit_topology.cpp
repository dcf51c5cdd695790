#include <fmt/format.h>

#include <algorithm>

#include "core/scenario/edit_apply.hpp"

namespace crosspoint::edits {
namespace {

constexpr std::size_t max_objects = 200'000;  // rows of one drawing; counts stand for more than that

const Catalogue& parts(const Scenario& scenario) {
    static const Catalogue none;
    return scenario.catalogue ? *scenario.catalogue : none;
}

bool has_part(const Catalogue& catalogue, DeviceKind kind, const PartId& part) {
    switch (kind) {
        case DeviceKind::accelerator: return catalogue.accelerators.contains(part);
        case DeviceKind::nic: return catalogue.nics.contains(part);
        case DeviceKind::network_switch: return catalogue.switches.contains(part);
        case DeviceKind::host: return catalogue.hosts.contains(part);
    }
    return false;
}

Result<void> missing_part(std::string_view user, std::string_view kind, const PartId& part, const std::string& id) {
    return fail(
        ErrorCode::reference,
        fmt::format("{} '{}' uses the {} part '{}', which the catalogue does not have", user, id, kind, part.value),
        fmt::format("choose a {} part of the catalogue, or add this one to the document", kind), {id});
}

template <class Row>
void reserve_ids(Topology& topology, const Table<Row>& rows) {
    for (const Row& row : rows) reserve_id(topology, row.id.value);
}

template <class Row>
bool may_reuse(const Topology& topology, const Table<Row>& rows) {
    Topology counter;
    counter.next_id = topology.next_id;
    reserve_ids(counter, rows);
    return counter.next_id != topology.next_id;
}

/// `wanted` itself when its counter lies beyond every id used before it, otherwise a copy that does.
std::shared_ptr<const Topology> continuing(const Topology& before, const std::shared_ptr<const Topology>& wanted) {
    const bool safe = wanted->next_id >= before.next_id && !may_reuse(*wanted, before.containers) &&
                      !may_reuse(*wanted, before.devices) && !may_reuse(*wanted, before.links);
    if (safe) return wanted;
    auto copy = std::make_shared<Topology>(*wanted);
    copy->next_id = std::max(copy->next_id, before.next_id);
    reserve_ids(*copy, before.containers);
    reserve_ids(*copy, before.devices);
    reserve_ids(*copy, before.links);
    return copy;
}

bool place(Topology& topology, const Moved& moved) {
    if (const Container* found = topology.containers.find(ContainerId(moved.id))) {
        Container container = *found;
        container.box = moved.box;
        topology.containers.put(std::move(container));
        return true;
    }
    if (const Device* found = topology.devices.find(DeviceId(moved.id))) {
        Device device = *found;
        device.box = moved.box;
        topology.devices.put(std::move(device));
        return true;
    }
    return false;
}

}  // namespace

const Topology& drawing(const Scenario& scenario) {
    static const Topology none;
    return scenario.topology ? *scenario.topology : none;
}

Result<void> adopt(Scenario& next, Topology topology) {
    const std::size_t objects = topology.containers.size() + topology.devices.size() + topology.links.size();
    if (objects > max_objects)
        return fail(ErrorCode::invalid_value, fmt::format("the drawing would have {} objects", objects),
                    fmt::format("keep it below {}; use counts for repeated parts", max_objects));
    if (auto ok = validate(topology); !ok) return ok;
    next.topology = std::make_shared<const Topology>(std::move(topology));
    return {};
}

Result<void> write(Scenario& next, const SetTopology& edit) {
    if (!edit.topology) return fail(ErrorCode::invalid_value, "no drawing was given", "pass an empty one to clear it");
    if (auto ok = validate(*edit.topology); !ok) return ok;
    next.topology = continuing(drawing(next), edit.topology);
    return {};
}

Result<void> write(Scenario& next, const AddParts& edit) {
    if (!edit.parts) return fail(ErrorCode::invalid_value, "no parts were given", "pass at least one");
    const Catalogue own = next.own_parts ? *next.own_parts : Catalogue{};
    next.own_parts = std::make_shared<const Catalogue>(merged(own, *edit.parts));
    next.catalogue = std::make_shared<const Catalogue>(merged(parts(next), *edit.parts));
    return {};
}

Result<void> write(Scenario& next, const PutContainer& edit) {
    const Container& container = edit.container;
    if (container.interconnect && !parts(next).links.contains(container.interconnect->part))
        return missing_part("container", "link", container.interconnect->part, container.id.value);
    Topology topology = drawing(next);
    topology.containers.put(container);
    return adopt(next, std::move(topology));
}

Result<void> write(Scenario& next, const PutDevice& edit) {
    const Device& device = edit.device;
    if (!has_part(parts(next), device.kind, device.part))
        return missing_part("device", to_string(device.kind), device.part, device.id.value);
    Topology topology = drawing(next);
    topology.devices.put(device);
    return adopt(next, std::move(topology));
}

Result<void> write(Scenario& next, const PutLink& edit) {
    if (!parts(next).links.contains(edit.link.part))
        return missing_part("link", "link", edit.link.part, edit.link.id.value);
    Topology topology = drawing(next);
    topology.links.put(edit.link);
    return adopt(next, std::move(topology));
}

Result<void> write(Scenario& next, const MoveObjects& edit) {
    Topology topology = drawing(next);
    for (const Moved& moved : edit.boxes)
        if (!place(topology, moved))
            return fail(ErrorCode::reference,
                        fmt::format("cannot move '{}': no container or device has this id", moved.id),
                        "move an existing object", {moved.id});
    return adopt(next, std::move(topology));
}

}  // namespace crosspoint::edits
