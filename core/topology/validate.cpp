#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/topology/ancestry.hpp"
#include "core/topology/topology.hpp"

namespace crosspoint {
namespace {

constexpr std::int64_t max_count = 1'000'000'000;  // documented limits of validate()
constexpr std::int64_t max_instances = 1'000'000'000'000;
constexpr int max_parallel = 1'000'000;  // lanes or planes; far above any machine built
constexpr double max_coordinate = 1e9;

/// What is being checked: "link 'cable-3'" and its id for the error's object list.
struct Subject {
    std::string_view what;
    const std::string& id;
    [[nodiscard]] std::string name() const { return fmt::format("{} '{}'", what, id); }
};

tl::unexpected<Error> refuse(const Subject& subject, ErrorCode code, const std::string& problem, std::string hint) {
    return fail(code, subject.name() + " " + problem, std::move(hint), {subject.id});
}

Result<void> check_id(const Subject& subject) {
    if (subject.id.empty())
        return fail(ErrorCode::invalid_value, fmt::format("a {} has an empty id", subject.what), "give it an id");
    return {};
}

Result<void> check_count(const Subject& subject, std::int64_t count, std::int64_t ancestors) {
    if (count < 1 || count > max_count)
        return refuse(subject, ErrorCode::invalid_value, fmt::format("has the count {}", count),
                      fmt::format("use a count from 1 to {}", max_count));
    if (ancestors > max_instances / count)
        return refuse(subject, ErrorCode::invalid_value,
                      fmt::format("stands for more than {} instances: {} in each of {} surrounding containers",
                                  max_instances, count, ancestors),
                      "lower its count or that of a container around it");
    return {};
}

Result<void> check_state(const Subject& subject, const State& state) {
    if (!(state.factor > 0 && state.factor <= 1))
        return refuse(subject, ErrorCode::invalid_value, fmt::format("has the factor {}", state.factor),
                      "use a factor above 0 and at most 1");
    return {};
}

Result<void> check_box(const Subject& subject, const std::optional<CanvasBox>& box) {
    if (!box) return {};
    const auto placed = [](double v) { return std::abs(v) <= max_coordinate; };
    const auto sized = [&](const std::optional<double>& v) { return !v || (*v > 0 && placed(*v)); };
    if (placed(box->x) && placed(box->y) && sized(box->width) && sized(box->height)) return {};
    return refuse(subject, ErrorCode::invalid_value,
                  fmt::format("has an unusable box at ({}, {}) of size ({}, {})", box->x, box->y,
                              box->width.value_or(0), box->height.value_or(0)),
                  "use finite positions up to 1e9 and sizes above 0");
}

template <class Q>
Result<void> check_override(const Subject& subject, std::string_view field, const std::optional<Q>& value) {
    if (!value || (std::isfinite(value->si()) && value->si() > 0)) return {};
    return refuse(subject, ErrorCode::invalid_value, fmt::format("has the {} {}", field, value->si()),
                  fmt::format("use a {} above 0, or leave it out", field));
}

Result<void> check_parallel(const Subject& subject, std::string_view field, int value) {
    if (value >= 1 && value <= max_parallel) return {};
    return refuse(subject, ErrorCode::invalid_value, fmt::format("has {} {}", value, field),
                  fmt::format("use 1 to {} {}", max_parallel, field));
}

Result<void> check_parent(const Subject& subject, const Topology& topology, const std::optional<ContainerId>& parent) {
    if (!parent || topology.containers.contains(*parent)) return {};
    return fail(ErrorCode::reference,
                fmt::format("{} lies in the container '{}', which does not exist", subject.name(), parent->value),
                "name an existing container, or none", {subject.id, parent->value});
}

Result<void> check_background(const Subject& subject, double share) {
    if (share >= 0 && share < 1) return {};
    return refuse(subject, ErrorCode::invalid_value, fmt::format("has the background load {}", share),
                  "use a share from 0 up to, but not including, 1");
}

Result<void> check_dimensions(const Subject& subject, const Interconnect& fabric) {
    constexpr std::size_t most = 3;
    if (fabric.dimensions.size() > most)
        return refuse(subject, ErrorCode::invalid_value, fmt::format("has {} dimensions", fabric.dimensions.size()),
                      fmt::format("use at most {}", most));
    std::int64_t places = 1;
    for (const FabricDimension& dimension : fabric.dimensions) {
        if (dimension.size < 1 || dimension.size > max_count)
            return refuse(subject, ErrorCode::invalid_value, fmt::format("has a dimension of {}", dimension.size),
                          fmt::format("use sizes from 1 to {}", max_count));
        if (places > max_instances / dimension.size)
            return refuse(subject, ErrorCode::invalid_value,
                          fmt::format("has dimensions of more than {} places", max_instances), "lower a dimension");
        places *= dimension.size;
    }
    return {};
}

Result<void> check_interconnect(const Subject& subject, const Interconnect& fabric) {
    if (auto ok = check_parallel(subject, "planes", fabric.planes); !ok) return ok;
    if (fabric.planes_down < 0 || fabric.planes_down >= fabric.planes)
        return refuse(subject, ErrorCode::invalid_value,
                      fmt::format("has {} of {} planes down", fabric.planes_down, fabric.planes),
                      "keep at least one plane up, or set the fabric's health to down");
    if (auto ok = check_override(subject, "bandwidth", fabric.bandwidth); !ok) return ok;
    if (auto ok = check_override(subject, "step time", fabric.step); !ok) return ok;
    if (auto ok = check_override(subject, "bandwidth to one peer", fabric.peer_bandwidth); !ok) return ok;
    if (auto ok = check_dimensions(subject, fabric); !ok) return ok;
    if (fabric.ports != 0)
        if (auto ok = check_parallel(subject, "ports", fabric.ports); !ok) return ok;
    if (auto ok = check_parallel(subject, "uplinks", fabric.uplinks); !ok) return ok;
    if (auto ok = check_background(subject, fabric.background); !ok) return ok;
    return check_state(subject, fabric.state);
}

/// The chain of parents from `container` up ends, without repeating itself, within the nesting limit.
Result<void> check_chain(const Topology& topology, const Container& container) {
    std::vector<std::string> chain{container.id.value};
    for (const Container* at = parent_of(topology, container.parent); at; at = parent_of(topology, at->parent)) {
        const auto seen = std::find(chain.begin(), chain.end(), at->id.value);
        if (seen != chain.end()) {
            const std::vector<std::string> cycle(seen, chain.end());
            return fail(
                ErrorCode::reference,
                fmt::format("containers lie inside each other: '{}' in '{}'", fmt::join(cycle, "' in '"), at->id.value),
                "move one of them out", cycle);
        }
        chain.push_back(at->id.value);
        if (chain.size() > max_nesting)
            return fail(ErrorCode::invalid_value,
                        fmt::format("container '{}' is nested more than {} deep", container.id.value, max_nesting),
                        "flatten the nesting", {container.id.value});
    }
    return {};
}

Result<void> check(const Topology& topology, const Container& container) {
    const Subject subject{"container", container.id.value};
    if (auto ok = check_id(subject); !ok) return ok;
    if (auto ok = check_parent(subject, topology, container.parent); !ok) return ok;
    if (auto ok = check_chain(topology, container); !ok) return ok;
    if (auto ok = check_count(subject, container.count, instances_of_ancestors(topology, container.parent)); !ok)
        return ok;
    if (container.interconnect)
        if (auto ok = check_interconnect(subject, *container.interconnect); !ok) return ok;
    return check_box(subject, container.box);
}

Result<void> check(const Topology& topology, const Device& device) {
    const Subject subject{"device", device.id.value};
    if (auto ok = check_id(subject); !ok) return ok;
    if (topology.containers.contains(ContainerId(device.id.value)))
        return refuse(subject, ErrorCode::reference, "has the id of a container", "give one of them another id");
    if (auto ok = check_parent(subject, topology, device.parent); !ok) return ok;
    if (auto ok = check_count(subject, device.count, instances_of_ancestors(topology, device.parent)); !ok) return ok;
    if (auto ok = check_state(subject, device.state); !ok) return ok;
    return check_box(subject, device.box);
}

Result<void> check_dragonfly(const Subject& subject, const Topology& topology, const Link& link) {
    if (link.a != link.b)
        return refuse(subject, ErrorCode::invalid_value, "is wired as a dragonfly between two devices",
                      "start and end it at the switch device of the groups");
    const Device& device = *topology.devices.find(link.a);
    const Container* group = parent_of(topology, device.parent);
    while (group && group->count < 2) group = parent_of(topology, group->parent);
    if (!group)
        return refuse(subject, ErrorCode::invalid_value, "is wired as a dragonfly, and there are no groups to join",
                      "put its switches into a container with a count of at least 2");
    if (link.per_pair >= 1 && link.per_pair <= max_parallel) return {};
    return refuse(subject, ErrorCode::invalid_value, fmt::format("has {} cables a pair of groups", link.per_pair),
                  fmt::format("use 1 to {}", max_parallel));
}

/// A link from a device to itself shares all containers, so only each-to-each wiring joins different instances.
Result<void> check_self_link(const Subject& subject, const Topology& topology, const Link& link) {
    if (link.wiring == Wiring::dragonfly) return check_dragonfly(subject, topology, link);
    if (link.a != link.b) return {};
    const bool joins = link.wiring == Wiring::each_to_each && topology.devices.find(link.a)->count > 1;
    if (joins) return {};
    return fail(ErrorCode::invalid_value,
                fmt::format("{} joins each instance of device '{}' to itself ({} wiring)", subject.name(), link.a.value,
                            to_string(link.wiring)),
                "choose another end, or each-to-each wiring between several instances", {subject.id, link.a.value});
}

Result<void> check_end(const Subject& subject, const Topology& topology, const DeviceId& end) {
    if (topology.devices.contains(end)) return {};
    const bool container = topology.containers.contains(ContainerId(end.value));
    return fail(ErrorCode::reference,
                fmt::format("{} ends at '{}', which {}", subject.name(), end.value,
                            container ? "is a container" : "does not exist"),
                "end it at a device", {subject.id, end.value});
}

Result<void> check(const Topology& topology, const Link& link) {
    const Subject subject{"link", link.id.value};
    if (auto ok = check_id(subject); !ok) return ok;
    if (topology.containers.contains(ContainerId(link.id.value)) || topology.devices.contains(DeviceId(link.id.value)))
        return refuse(subject, ErrorCode::reference, "has the id of a container or device",
                      "give one of them another id");
    if (auto ok = check_end(subject, topology, link.a); !ok) return ok;
    if (auto ok = check_end(subject, topology, link.b); !ok) return ok;
    if (auto ok = check_self_link(subject, topology, link); !ok) return ok;
    if (auto ok = check_parallel(subject, "lanes", link.lanes); !ok) return ok;
    if (auto ok = check_override(subject, "bandwidth", link.bandwidth); !ok) return ok;
    if (auto ok = check_override(subject, "latency", link.latency); !ok) return ok;
    if (auto ok = check_background(subject, link.background); !ok) return ok;
    return check_state(subject, link.state);
}

template <class Row>
Result<void> check_all(const Topology& topology, const Table<Row>& rows) {
    for (const Row& row : rows)
        if (auto ok = check(topology, row); !ok) return ok;
    return {};
}

}  // namespace

Result<void> validate(const Topology& topology) {
    if (auto ok = check_all(topology, topology.containers); !ok) return ok;
    if (auto ok = check_all(topology, topology.devices); !ok) return ok;
    return check_all(topology, topology.links);
}

}  // namespace crosspoint
