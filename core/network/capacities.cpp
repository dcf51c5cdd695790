#include "core/network/capacities.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crosspoint {
namespace {

tl::unexpected<Error> unknown_part(std::string_view what, const std::string& id, const PartId& part) {
    return fail(ErrorCode::reference, fmt::format("{} '{}' names the unknown part '{}'", what, id, part.value),
                "choose a part of the catalogue, or add this one to the document", {id});
}

double factor_of(const State& state) { return state.health == Health::degraded ? state.factor : 1.0; }

Figure<BytesPerSecond> entered(BytesPerSecond value) {
    return {value, Confidence::assumed, "entered in the drawing", "usable, one direction"};
}

Figure<BytesPerSecond> times(Figure<BytesPerSecond> figure, double factor) {
    figure.value *= factor;
    return figure;
}

/// "NIC", "leaf switch": the name that people gave, else the id.
const std::string& name_of(const Device& device) { return device.name.empty() ? device.id.value : device.name; }

/// A link cannot carry more than the NIC at its end; a degraded NIC or switch slows its links.
void cap_by_device(const Catalogue& catalogue, const Device& device, RatedLink& rated) {
    double slow = device.kind == DeviceKind::accelerator ? 1.0 : factor_of(device.state);
    if (device.state.health == Health::down) rated.up = false;
    if (device.kind != DeviceKind::nic) {
        rated.link.capacity.value *= slow;
        return;
    }
    const NicPart* nic = catalogue.nics.find(device.part);
    if (!nic) return;
    const auto& usable = nic->bandwidth.usable_or_nominal();
    if (usable.value < rated.link.unimpaired) rated.link.unimpaired = usable.value;
    if (usable.value * slow < rated.link.capacity.value) rated.link.capacity = times(usable, slow);
    if (nic->bandwidth.nominal.value < rated.link.nominal.value) rated.link.nominal = nic->bandwidth.nominal;
}

}  // namespace

Result<RatedLink> rate_link(const Topology& topology, const Catalogue& catalogue, const Link& link) {
    const LinkPart* part = catalogue.links.find(link.part);
    if (!part) return unknown_part("link", link.id.value, link.part);
    const Device& a = *topology.devices.find(link.a);
    const Device& b = *topology.devices.find(link.b);
    RatedLink rated;
    NetworkLink& out = rated.link;
    out.ref = {LinkRef::Kind::link, link.id.value};
    out.part = link.part;
    out.name = fmt::format("{}: {} to {}", part->name, name_of(a), name_of(b));
    out.entered = link.bandwidth.has_value();
    out.step_entered = link.latency.has_value();
    out.lanes = link.lanes;
    out.capacity = times(link.bandwidth ? entered(*link.bandwidth) : part->bandwidth.usable_or_nominal(), link.lanes);
    out.nominal = times(part->bandwidth.nominal, link.lanes);
    out.unimpaired = out.own = out.capacity.value;
    rated.up = link.state.health != Health::down;
    cap_by_device(catalogue, a, rated);
    cap_by_device(catalogue, b, rated);
    out.capacity.value *= factor_of(link.state) * (1.0 - link.background);
    rated.latency = {part->software.value, part->endpoint.value, link.latency.value_or(part->hop.value)};
    return rated;
}

Result<RatedLink> rate_domain(const Catalogue& catalogue, const Container& container, std::int64_t size) {
    const Interconnect& fabric = *container.interconnect;
    const LinkPart* part = catalogue.links.find(fabric.part);
    if (!part) return unknown_part("domain", container.id.value, fabric.part);
    if (fabric.kind != FabricKind::switched && fabric.kind != FabricKind::full_mesh)
        return fail(
            ErrorCode::unsupported,
            fmt::format("domain '{}' is a {}, which is not modelled yet", container.id.value, to_string(fabric.kind)),
            "use a switched or full-mesh domain, or draw switches and links", {container.id.value});
    RatedLink rated;
    NetworkLink& out = rated.link;
    out.ref = {LinkRef::Kind::domain, container.id.value};
    out.part = fabric.part;
    out.name = fmt::format("{}: {}", part->name, container.name.empty() ? container.id.value : container.name);
    out.entered = fabric.bandwidth.has_value();
    out.step_entered = fabric.step.has_value();
    out.capacity = fabric.bandwidth ? entered(*fabric.bandwidth) : part->bandwidth.usable_or_nominal();
    out.nominal = part->bandwidth.nominal;
    out.unimpaired = out.own = out.capacity.value;
    const int planes = std::max(fabric.planes, 1);
    out.capacity.value *= factor_of(fabric.state) * double(planes - std::min(fabric.planes_down, planes)) / planes;
    rated.up = fabric.state.health != Health::down && fabric.planes_down < planes;
    rated.latency = {part->software.value, part->endpoint.value, part->hop.value};
    if (fabric.step) rated.latency = {part->software.value, *fabric.step, Seconds(0)};
    if (fabric.kind == FabricKind::full_mesh) rated.mesh = size, out.direct_mesh = true;
    return rated;
}

bool inside_host(const LinkPart* part) { return part && part->family == "pcie"; }

double share_of_nic(const NicPart& nic, const std::vector<NicCable>& cables) {
    BytesPerSecond all;
    for (const NicCable& cable : cables) all += cable.link->unimpaired * cable.per_nic;
    const BytesPerSecond usable = nic.bandwidth.usable_or_nominal().value;
    return all > usable && usable.si() > 0 ? usable / all : 1.0;
}

namespace {

std::string family_name(const std::string& family) {
    static const std::map<std::string, std::string> names{
        {"nvlink", "NVLink"}, {"infiniband", "InfiniBand"}, {"ethernet", "Ethernet"}, {"pcie", "PCIe"},
        {"xgmi", "xGMI"},     {"ualink", "UALink"},         {"roce", "RoCE"}};
    const auto it = names.find(family);
    return it == names.end() ? (family.empty() ? "link" : family) : it->second;
}

/// Tier of every switch: 1 next to a NIC, accelerator or host, then one more per hop. PCIe switches have none.
std::map<DeviceId, int> switch_tiers(const Topology& topology, const Catalogue& catalogue) {
    std::map<DeviceId, std::vector<DeviceId>> neighbours;
    std::vector<DeviceId> border;
    std::map<DeviceId, int> tier;
    const auto is_switch = [&](const DeviceId& id) {
        return topology.devices.find(id)->kind == DeviceKind::network_switch;
    };
    for (const Link& link : topology.links) {
        if (inside_host(catalogue.links.find(link.part))) continue;
        const bool a = is_switch(link.a), b = is_switch(link.b);
        if (a && b) {
            neighbours[link.a].push_back(link.b);
            neighbours[link.b].push_back(link.a);
        } else if (a != b && tier.emplace(a ? link.a : link.b, 1).second) {
            border.push_back(a ? link.a : link.b);
        }
    }
    for (std::size_t i = 0; i < border.size(); ++i) {
        const int next = tier.at(border[i]) + 1;
        for (const DeviceId& n : neighbours[border[i]])
            if (tier.emplace(n, next).second) border.push_back(n);
    }
    return tier;
}

struct LevelKey {
    int order = 0;
    std::string name;
    auto operator<=>(const LevelKey&) const = default;
};

LevelKey tier_level(int tier) {
    static const char* names[] = {"NIC / leaf", "spine", "core"};
    return {1 + tier, tier <= 3 ? names[tier - 1] : fmt::format("tier {}", tier)};
}

LevelKey level_of(const NetworkLink& link, const Topology& topology, const LinkPart& part,
                  const std::map<DeviceId, int>& tiers) {
    if (link.ref.kind == LinkRef::Kind::domain) return {0, family_name(part.family) + " domain"};
    const Link& drawn = *topology.links.find(LinkId(link.ref.id));
    const auto tier = [&](const DeviceId& id) {
        const auto it = tiers.find(id);
        return it == tiers.end() ? 0 : it->second;
    };
    const int a = tier(drawn.a), b = tier(drawn.b);
    if (inside_host(&part) || std::max(a, b) == 0) return {1, family_name(part.family)};
    return tier_level(std::max(a, b) + (a == b ? 1 : 0));
}

}  // namespace

void assign_levels(const Topology& topology, const Catalogue& catalogue, Network& network) {
    const auto tiers = switch_tiers(topology, catalogue);
    std::map<LevelKey, int> levels;
    std::vector<LevelKey> keys;
    for (const NetworkLink& link : network.links) {
        keys.push_back(level_of(link, topology, *catalogue.links.find(link.part), tiers));
        levels[keys.back()] = 0;
    }
    for (auto& [key, index] : levels) {
        index = int(network.levels.size());
        network.levels.push_back({key.name, key.order == 0});
    }
    for (std::size_t i = 0; i < keys.size(); ++i) network.links[i].level = levels.at(keys[i]);
}

}  // namespace crosspoint
