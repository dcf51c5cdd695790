// Random edits of a drawing, for the laws of apply() and for the soak: some are accepted, many are refused.
#pragma once

#include <ostream>

#include "core/scenario/edit.hpp"

namespace crosspoint::random_edits {

/// One random decision; what it means depends on the scenario it meets, so that any sequence can be shrunk.
struct Step {
    unsigned kind = 0, first = 0, second = 0;
    int value = 0;
};

inline void showValue(const Step& s, std::ostream& out) {
    out << "{" << s.kind << ", " << s.first << ", " << s.second << ", " << s.value << "}";
}

inline std::shared_ptr<const Catalogue> catalogue() {
    auto parts = std::make_shared<Catalogue>();
    AcceleratorPart accelerator;
    accelerator.id = PartId("part");
    parts->accelerators.put(accelerator);
    LinkPart link;
    link.id = PartId("part");
    parts->links.put(link);
    parts->nics.put({PartId("part"), {}, {}, {}});
    SwitchPart network_switch;
    network_switch.id = PartId("part");
    parts->switches.put(network_switch);
    parts->hosts.put({PartId("part"), {}, {}});
    return parts;
}

/// One of the rows' ids, or now and then one that does not exist.
template <class Row>
decltype(Row::id) pick(const Table<Row>& rows, unsigned choice) {
    if (rows.empty() || choice % 13 == 12) return decltype(Row::id)("gone");
    return (rows.begin() + choice % rows.size())->id;
}

inline std::string fresh(const Topology& t, const char* stem) {
    Topology copy = t;
    return new_id(copy, stem);
}

/// The id of a row to replace, or a fresh one.
template <class Row>
decltype(Row::id) put_id(const Topology& t, const Table<Row>& rows, const Step& s, const char* stem) {
    const bool replace = s.value % 2 != 0 && !rows.empty();
    return replace ? (rows.begin() + s.second % rows.size())->id : decltype(Row::id)(fresh(t, stem));
}

inline std::optional<ContainerId> pick_parent(const Topology& t, unsigned choice) {
    if (choice % 3 == 0) return std::nullopt;
    return pick(t.containers, choice);
}

/// The first part of a kind that the scenario knows.
inline PartId part_of(const Catalogue& parts, DeviceKind kind) {
    switch (kind) {
        case DeviceKind::accelerator: return parts.accelerators.begin()->id;
        case DeviceKind::nic: return parts.nics.begin()->id;
        case DeviceKind::network_switch: return parts.switches.begin()->id;
        case DeviceKind::host: break;
    }
    return parts.hosts.begin()->id;
}

inline Edit put_container(const Scenario& scenario, const Step& s) {
    const Topology& t = *scenario.topology;
    Container c;
    c.id = put_id(t, t.containers, s, "c");
    c.parent = pick_parent(t, s.first);
    c.count = s.value;
    if (s.first % 2)
        c.interconnect =
            Interconnect{FabricKind::switched, scenario.catalogue->links.begin()->id, s.value, 0, {}, {}, {}};
    return PutContainer{c};
}

inline Edit put_device(const Scenario& scenario, const Step& s) {
    const Topology& t = *scenario.topology;
    Device d;
    d.id = put_id(t, t.devices, s, "d");
    d.parent = pick_parent(t, s.first);
    d.kind = DeviceKind(s.second % 4);
    d.part = s.first == 7 ? PartId("gone") : part_of(*scenario.catalogue, d.kind);
    d.count = s.value;
    return PutDevice{d};
}

inline Edit put_link(const Scenario& scenario, const Step& s) {
    const Topology& t = *scenario.topology;
    Link l;
    l.id = LinkId(fresh(t, "l"));
    l.a = pick(t.devices, s.first);
    l.b = pick(t.devices, s.second);
    l.part = scenario.catalogue->links.begin()->id;
    l.wiring = Wiring(s.first % 3);
    l.lanes = s.value;
    return PutLink{l};
}

inline Edit edit_of(const Scenario& scenario, const Step& s) {
    const Topology& t = *scenario.topology;
    Parallelism layout;
    layout.tensor = s.value;
    switch (s.kind) {
        case 0: return SetBatch{s.value};
        case 1: return SetParallelism{layout};
        case 2:
            return SetThreshold{s.first % 2 ? "a" : "b", s.value > 3 ? std::optional<double>(s.value) : std::nullopt};
        case 3:
        case 4:
        case 5: return put_container(scenario, s);
        case 6:
        case 7:
        case 8: return put_device(scenario, s);
        case 9:
        case 10: return put_link(scenario, s);
        case 11: return RemoveObjects{{pick(t.containers, s.first)}, {}, {}};
        case 12: return RemoveObjects{{}, {pick(t.devices, s.first)}, {}};
        case 13: return MoveObjects{{{pick(t.devices, s.first).value, {double(s.value), 0, {}, {}}}}};
        case 14: return DuplicateObjects{{pick(t.containers, s.first)}, {pick(t.devices, s.second)}};
        default:
            return s.first == 3 ? Edit(SetTopology{std::make_shared<const Topology>()}) : Edit(SetContext{s.value});
    }
}

}  // namespace crosspoint::random_edits
