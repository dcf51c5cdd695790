#include <fmt/format.h>

#include <map>
#include <set>

#include "core/scenario/edit_apply.hpp"

namespace crosspoint::edits {
namespace {

/// Makes the copies; `containers` and `devices` map every original to its copy.
class Duplication {
public:
    Duplication(const Topology& before, const DuplicateObjects& edit) : before_(before), edit_(edit), after_(before) {}

    Topology run() {
        choose();
        for (const Container& container : before_.containers) names_.insert(container.name);
        for (const Device& device : before_.devices) names_.insert(device.name);
        for (const auto& [from, to] : containers_) after_.containers.put(copy(*before_.containers.find(from), to));
        for (const auto& [from, to] : devices_) after_.devices.put(copy(*before_.devices.find(from), to));
        for (const Link& link : before_.links) copy_link(link);
        return std::move(after_);
    }

private:
    /// "node-7" -> "node"; an id without a number is its own stem.
    static std::string stem(const std::string& id) {
        const std::size_t dash = id.rfind('-');
        const bool numbered = dash != std::string::npos && dash > 0 && dash + 1 < id.size() &&
                              id.find_first_not_of("0123456789", dash + 1) == std::string::npos;
        return numbered ? id.substr(0, dash) : id;
    }

    void add(const ContainerId& id) { add_to(containers_, id); }
    void add(const DeviceId& id) { add_to(devices_, id); }
    template <class IdType>
    void add_to(std::map<IdType, IdType>& copies, const IdType& id) {
        if (!copies.count(id)) copies.emplace(id, IdType(new_id(after_, stem(id.value))));
    }

    bool copied(const std::optional<ContainerId>& parent) const { return parent && containers_.count(*parent); }

    void choose() {
        for (const ContainerId& id : edit_.containers) add(id);
        for (bool grown = true; grown;) {
            const std::size_t size = containers_.size();
            for (const Container& container : before_.containers)
                if (copied(container.parent)) add(container.id);
            grown = containers_.size() > size;
        }
        for (const DeviceId& id : edit_.devices) add(id);
        for (const Device& device : before_.devices)
            if (copied(device.parent)) add(device.id);
    }

    /// "Leaf 1" -> "Leaf 2", "HGX H100 node" -> "HGX H100 node 2": the next number that nothing else bears.
    std::string fresh_name(const std::string& name) {
        if (name.empty()) return name;
        std::size_t digits = name.find_last_not_of("0123456789") + 1;
        const bool numbered = digits > 0 && digits < name.size() && name.size() - digits <= 9;
        const std::string base = numbered ? name.substr(0, digits) : name + " ";
        for (std::int64_t n = numbered ? std::stoll(name.substr(digits)) + 1 : 2;; ++n)
            if (std::string wanted = base + std::to_string(n); names_.insert(wanted).second) return wanted;
    }

    /// What is copied along with its container keeps its name there.
    template <class Row>
    Row copy(Row row, const decltype(Row::id)& id) {
        row.id = id;
        if (copied(row.parent)) {
            row.parent = containers_.at(*row.parent);
            return row;
        }
        row.name = fresh_name(row.name);
        if (!row.box) return row;
        row.box->x += edit_.dx;
        row.box->y += edit_.dy;
        return row;
    }

    void copy_link(Link link) {
        const auto a = devices_.find(link.a);
        const auto b = devices_.find(link.b);
        if (a == devices_.end() || b == devices_.end()) return;
        link.id = LinkId(new_id(after_, stem(link.id.value)));
        link.a = a->second;
        link.b = b->second;
        after_.links.put(std::move(link));
    }

    const Topology& before_;
    const DuplicateObjects& edit_;
    Topology after_;
    std::map<ContainerId, ContainerId> containers_;
    std::map<DeviceId, DeviceId> devices_;
    std::set<std::string> names_;
};

Result<void> missing(std::string_view what, const std::string& id) {
    return fail(ErrorCode::reference, fmt::format("cannot duplicate {} '{}': it does not exist", what, id),
                "select existing objects", {id});
}

}  // namespace

Result<void> write(Scenario& next, const DuplicateObjects& edit) {
    const Topology& before = drawing(next);
    for (const ContainerId& id : edit.containers)
        if (!before.containers.contains(id)) return missing("container", id.value);
    for (const DeviceId& id : edit.devices)
        if (!before.devices.contains(id)) return missing("device", id.value);
    return adopt(next, Duplication(before, edit).run());
}

}  // namespace crosspoint::edits
