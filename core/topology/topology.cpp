#include "core/topology/topology.hpp"

#include <charconv>
#include <limits>

#include "core/topology/ancestry.hpp"

namespace crosspoint {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
    if (a <= 0 || b <= 0) return 0;
    return a > largest / b ? largest : a * b;
}

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) { return a > largest - b ? largest : a + b; }

bool in_use(const Topology& topology, const std::string& id) {
    return topology.containers.contains(ContainerId(id)) || topology.devices.contains(DeviceId(id)) ||
           topology.links.contains(LinkId(id));
}

}  // namespace

std::string_view to_string(ContainerKind kind) {
    switch (kind) {
        case ContainerKind::site: return "site";
        case ContainerKind::pod: return "pod";
        case ContainerKind::rack: return "rack";
        case ContainerKind::node: return "node";
        case ContainerKind::group: return "group";
    }
    return "unknown";
}

std::string_view to_string(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::accelerator: return "accelerator";
        case DeviceKind::nic: return "nic";
        case DeviceKind::network_switch: return "switch";
        case DeviceKind::host: return "host";
    }
    return "unknown";
}

std::string_view to_string(Wiring wiring) {
    switch (wiring) {
        case Wiring::one_to_one: return "one-to-one";
        case Wiring::each_to_each: return "each-to-each";
        case Wiring::rail: return "rail";
        case Wiring::dragonfly: return "dragonfly";
    }
    return "unknown";
}

std::string_view to_string(FabricKind kind) {
    switch (kind) {
        case FabricKind::switched: return "switched";
        case FabricKind::full_mesh: return "full-mesh";
        case FabricKind::ring: return "ring";
        case FabricKind::torus: return "torus";
        case FabricKind::pcie_tree: return "pcie-tree";
    }
    return "unknown";
}

std::string_view to_string(Health health) {
    switch (health) {
        case Health::up: return "up";
        case Health::degraded: return "degraded";
        case Health::down: return "down";
    }
    return "unknown";
}

std::int64_t instances_of_ancestors(const Topology& topology, const std::optional<ContainerId>& parent) {
    std::int64_t product = 1;
    const Container* at = parent_of(topology, parent);
    for (int depth = 0; at && depth < max_nesting; ++depth) {
        product = saturating_product(product, at->count);
        at = parent_of(topology, at->parent);
    }
    return product;
}

std::int64_t instances(const Topology& topology, const Device& device) {
    return saturating_product(device.count, instances_of_ancestors(topology, device.parent));
}

std::int64_t accelerator_count(const Topology& topology) {
    std::int64_t sum = 0;
    for (const Device& device : topology.devices)
        if (device.kind == DeviceKind::accelerator) sum = saturating_sum(sum, instances(topology, device));
    return sum;
}

std::string new_id(Topology& topology, std::string_view stem) {
    std::string id;
    do {
        id = std::string(stem) + "-" + std::to_string(topology.next_id++);
    } while (in_use(topology, id));
    return id;
}

void reserve_id(Topology& topology, std::string_view id) {
    constexpr std::size_t digits_reached = 15;  // the counter grows by one per object and stays far below 1e15
    const std::string_view digits = id.substr(id.rfind('-') + 1);
    std::uint64_t number = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool whole = result.ec == std::errc{} && result.ptr == digits.data() + digits.size();
    if (whole && digits.size() <= digits_reached && number >= topology.next_id) topology.next_id = number + 1;
}

}  // namespace crosspoint
