#include "core/network/capacities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// A cable runs at the speed of the switch port that it is plugged into, when that is lower.
void cap_by_port(const Catalogue& catalogue, const Device& device, int lanes, RatedLink& rated) {
    const SwitchPart* part = device.kind == DeviceKind::network_switch ? catalogue.switches.find(device.part) : nullptr;
    if (!part || !(part->port_bandwidth.value > BytesPerSecond(0))) return;
    const Figure<BytesPerSecond> port = times(part->port_bandwidth, lanes);
    NetworkLink& link = rated.link;
    link.unimpaired = std::min(link.unimpaired, port.value);
    if (port.value < link.capacity.value) link.capacity = port;
    if (port.value < link.nominal.value) link.nominal = port;
}

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
    for (const Device* end : {&a, &b}) cap_by_port(catalogue, *end, link.lanes, rated);
    for (const Device* end : {&a, &b}) cap_by_device(catalogue, *end, rated);
    out.capacity.value *= factor_of(link.state) * (1.0 - link.background);
    rated.latency = {part->software.value, part->endpoint.value, link.latency.value_or(part->hop.value)};
    return rated;
}

namespace {

/// What links inside the domain reach, after the same losses as the whole.
Result<InnerRates> inner_rates(const Catalogue& catalogue, const std::string& id, const Interconnect& fabric,
                               const LinkPart& part, BytesPerSecond all, double left) {
    InnerRates rates{all, BytesPerSecond(0), all};
    if (fabric.kind == FabricKind::full_mesh && fabric.peer_bandwidth) rates.peer = *fabric.peer_bandwidth * left;
    else if (fabric.kind == FabricKind::full_mesh && part.peer_bandwidth && !fabric.bandwidth)
        rates.peer = part.peer_bandwidth->value * left;
    if (!fabric.root_part) return rates;
    const LinkPart* root = catalogue.links.find(*fabric.root_part);
    if (!root) return unknown_part("domain", id, *fabric.root_part);
    rates.root = root->bandwidth.usable_or_nominal().value * left;
    return rates;
}

}  // namespace

Result<RatedLink> rate_domain(const Catalogue& catalogue, const Container& container) {
    const Interconnect& fabric = *container.interconnect;
    const LinkPart* part = catalogue.links.find(fabric.part);
    if (!part) return unknown_part("domain", container.id.value, fabric.part);
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
    const double left = factor_of(fabric.state) * (1.0 - fabric.background) *
                        double(planes - std::min(fabric.planes_down, planes)) / planes;
    out.capacity.value *= left;
    rated.up = fabric.state.health != Health::down && fabric.planes_down < planes;
    rated.latency = {part->software.value, part->endpoint.value, part->hop.value};
    if (fabric.step) rated.latency = {part->software.value, *fabric.step, Seconds(0)};
    out.direct_mesh = fabric.kind == FabricKind::full_mesh;
    out.crossbar = fabric.kind == FabricKind::switched;
    const auto inner = inner_rates(catalogue, container.id.value, fabric, *part, out.capacity.value, left);
    if (!inner) return tl::unexpected(inner.error());
    rated.inner = *inner;
    return rated;
}

bool inside_host(const LinkPart* part) { return part && part->family == "pcie"; }

namespace {

/// A link class at a NIC or switch, and how many of its instances each has.
struct DeviceCable {
    NetworkLink* link = nullptr;
    double each = 1;
};

/// Links that are up; what is inside the host goes through a NIC anyway.
std::vector<DeviceCable> cables_of(const Catalogue& catalogue, Network& network, const NetworkImpl& impl,
                                   std::size_t vertex) {
    std::vector<DeviceCable> cables;
    const double instances = double(std::max<std::int64_t>(1, impl.vertices[vertex].instances));
    for (const int e : impl.edges_of[vertex]) {
        const GraphEdge& edge = impl.edges[std::size_t(e)];
        NetworkLink& link = network.links[std::size_t(edge.link)];
        if (inside_host(catalogue.links.find(link.part))) continue;
        cables.push_back({&link, std::ceil(double(link.instances) * (edge.a == edge.b ? 2 : 1) / instances)});
    }
    return cables;
}

/// What all cables of a device together carry at most; 0 where nothing is known.
BytesPerSecond total_of(const Catalogue& catalogue, const Device& device) {
    if (const NicPart* nic = device.kind == DeviceKind::nic ? catalogue.nics.find(device.part) : nullptr)
        return nic->bandwidth.usable_or_nominal().value;
    const SwitchPart* sw = device.kind == DeviceKind::network_switch ? catalogue.switches.find(device.part) : nullptr;
    return sw ? sw->port_bandwidth.value * std::max(0, sw->radix) : BytesPerSecond(0);
}

/// 1 unless the cables add up to more than the total.
double share_of(BytesPerSecond total, const std::vector<DeviceCable>& cables) {
    BytesPerSecond all;
    for (const DeviceCable& cable : cables) all += cable.link->unimpaired * cable.each;
    return all > total && total.si() > 0 ? total / all : 1.0;
}

}  // namespace

void share_devices(const Topology& topology, const Catalogue& catalogue, Network& network, const NetworkImpl& impl) {
    std::map<NetworkLink*, double> shares;
    for (std::size_t v = 0; v < impl.vertices.size(); ++v) {
        const Device* device = topology.devices.find(DeviceId(impl.vertices[v].id));
        if (!device || impl.vertices[v].kind == VertexKind::crossbar) continue;
        const auto cables = cables_of(catalogue, network, impl, v);
        const double share = share_of(total_of(catalogue, *device), cables);
        for (const DeviceCable& cable : cables) {
            double& least = shares.emplace(cable.link, 1.0).first->second;
            least = std::min(least, share);
        }
    }
    for (const auto& [link, share] : shares) {
        link->capacity.value *= share;
        link->nominal.value *= share;
        link->unimpaired *= share;
    }
}

}  // namespace crosspoint
