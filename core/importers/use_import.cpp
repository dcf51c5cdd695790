#include "core/importers/use_import.hpp"

#include <map>

#include <fmt/format.h>

namespace crosspoint {
namespace {

using PartNames = std::map<PartId, PartId>;

/// Rows of `parts` that may be added to `own` as they are or under a fresh id.
template <class Row>
void take_parts(const Table<Row>& parts, const Table<Row>& taken, Table<Row>& added, PartNames& names) {
    for (Row row : parts) {
        const PartId before = row.id;
        for (int n = 2;; ++n) {
            const Row* other = taken.find(row.id);
            if (!other || *other == row) break;
            row.id = PartId(fmt::format("{}-{}", before.value, n));
        }
        if (row.id != before) names[before] = row.id;
        added.put(std::move(row));
    }
}

void rename(PartId& part, const PartNames& names) {
    if (const auto it = names.find(part); it != names.end()) part = it->second;
}

class Insertion {
public:
    Insertion(const Imported& imported, const Scenario& scenario)
        : imported_(imported), target_(scenario.topology ? *scenario.topology : Topology{}) {
        static const Catalogue none;
        const Catalogue& taken = scenario.catalogue ? *scenario.catalogue : none;
        take_parts(imported.parts.accelerators, taken.accelerators, parts_.accelerators, accelerators_);
        take_parts(imported.parts.links, taken.links, parts_.links, links_);
        take_parts(imported.parts.switches, taken.switches, parts_.switches, switches_);
        take_parts(imported.parts.nics, taken.nics, parts_.nics, nics_);
        take_parts(imported.parts.hosts, taken.hosts, parts_.hosts, hosts_);
    }

    ImportInsertion run() {
        for (const Container& c : imported_.topology.containers) names_[c.id.value] = free_id(c.id.value);
        for (const Device& d : imported_.topology.devices) names_[d.id.value] = free_id(d.id.value);
        ImportInsertion result;
        for (Container c : imported_.topology.containers) add(std::move(c), result);
        for (Device d : imported_.topology.devices) add(std::move(d), result);
        for (Link l : imported_.topology.links) add(std::move(l));
        if (!(parts_ == Catalogue{}))
            result.edits.emplace_back(AddParts{std::make_shared<const Catalogue>(std::move(parts_))});
        result.edits.emplace_back(SetTopology{std::make_shared<const Topology>(std::move(target_))});
        return result;
    }

private:
    [[nodiscard]] bool taken(const std::string& id) const {
        return target_.containers.contains(ContainerId(id)) || target_.devices.contains(DeviceId(id)) ||
               target_.links.contains(LinkId(id));
    }
    std::string free_id(const std::string& wanted) {
        if (!taken(wanted)) {
            reserve_id(target_, wanted);
            return wanted;
        }
        return new_id(target_, wanted.substr(0, wanted.find_last_not_of("0123456789-") + 1));
    }

    void add(Container c, ImportInsertion& result) {
        c.id = ContainerId(names_.at(c.id.value));
        if (c.parent) c.parent = ContainerId(names_.at(c.parent->value));
        else result.objects.push_back(c.id.value);
        if (c.interconnect) rename(c.interconnect->part, links_);
        target_.containers.put(std::move(c));
    }
    void add(Device d, ImportInsertion& result) {
        d.id = DeviceId(names_.at(d.id.value));
        if (d.parent) d.parent = ContainerId(names_.at(d.parent->value));
        else result.objects.push_back(d.id.value);
        switch (d.kind) {
            case DeviceKind::accelerator: rename(d.part, accelerators_); break;
            case DeviceKind::nic: rename(d.part, nics_); break;
            case DeviceKind::network_switch: rename(d.part, switches_); break;
            case DeviceKind::host: rename(d.part, hosts_); break;
        }
        target_.devices.put(std::move(d));
    }
    void add(Link l) {
        l.id = LinkId(free_id(l.id.value));
        l.a = DeviceId(names_.at(l.a.value));
        l.b = DeviceId(names_.at(l.b.value));
        rename(l.part, links_);
        target_.links.put(std::move(l));
    }

    const Imported& imported_;
    Topology target_;
    Catalogue parts_;
    PartNames accelerators_, links_, switches_, nics_, hosts_;
    std::map<std::string, std::string> names_;
};

std::string counted(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace

Scenario scenario_of(const Imported& imported, std::shared_ptr<const Catalogue> builtin) {
    Scenario scenario = empty_scenario(builtin);
    scenario.title = imported.name;
    std::string notes;
    for (const ImportNote& n : imported.notes)
        notes += fmt::format("{}{}: {}{}", notes.empty() ? "" : "\n", to_string(n.kind), n.text,
                             n.where.empty() ? "" : " (" + n.where + ")");
    for (const ImportQuestion& q : imported.questions)
        notes += fmt::format("{}{}: {}", notes.empty() ? "" : "\n", q.answered ? "answered" : "default",
                             q.text + " " + q.answer);
    scenario.notes = std::move(notes);
    scenario.topology = std::make_shared<const Topology>(imported.topology);
    scenario.own_parts = std::make_shared<const Catalogue>(imported.parts);
    scenario.catalogue =
        builtin ? std::make_shared<const Catalogue>(merged(*builtin, imported.parts)) : scenario.own_parts;
    return scenario;
}

ImportInsertion insertion_of(const Imported& imported, const Scenario& scenario) {
    return Insertion(imported, scenario).run();
}

std::string summary_of(const Imported& imported) {
    const Topology& t = imported.topology;
    return fmt::format("{}, {}, {}, {}", counted(std::size_t(accelerator_count(t)), "accelerator"),
                       counted(t.containers.size(), "container"), counted(t.devices.size(), "device"),
                       counted(t.links.size(), "link"));
}

}  // namespace crosspoint
