#include "core/network/domain_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crosspoint {
namespace {

constexpr std::int64_t max_places = 1 << 20;  // documented limits of domain_fabric()
constexpr std::size_t max_mesh = 1024;

using Cables = std::vector<FlowGraph::Cable>;

std::int64_t product_of(const std::vector<FabricDimension>& dimensions) {
    std::int64_t product = 1;
    for (const FabricDimension& d : dimensions) product *= d.size;  // validate() keeps it below 1e12
    return product;
}

/// Sizes that the user gave, or one dimension for all.
std::vector<FabricDimension> dimensions_of(const Interconnect& fabric, std::size_t accelerators) {
    if (fabric.kind == FabricKind::ring || fabric.dimensions.empty()) return {{std::int64_t(accelerators), true}};
    return fabric.dimensions;
}

Result<void> check_places(const std::string& id, const Interconnect& fabric, std::int64_t places,
                          std::size_t accelerators) {
    if (std::int64_t(accelerators) > places)
        return fail(ErrorCode::invalid_value,
                    fmt::format("domain '{}' has {} accelerators and its {} has {} places", id, accelerators,
                                to_string(fabric.kind), places),
                    "enlarge a dimension, or take accelerators out", {id});
    if (places > max_places)
        return fail(
            ErrorCode::unsupported,
            fmt::format("domain '{}' has {} places, and at most {} are routed one by one", id, places, max_places),
            "divide it into several domains", {id});
    return {};
}

BytesPerSecond port_of(const Interconnect& fabric, const InnerRates& rates, std::size_t needed) {
    const int ports = std::max(fabric.ports, int(std::max<std::size_t>(needed, 1)));
    return rates.all * (1.0 / ports);
}

/// Nearest neighbours in every dimension; a wrapped dimension of two places has two cables between them.
void add_torus(DomainFabric& out, const std::vector<FabricDimension>& dimensions, const std::vector<char>& up) {
    Cables cables;
    std::int64_t stride = 1;
    const auto works = [&](std::int64_t p) { return p < std::int64_t(up.size()) && up[std::size_t(p)]; };
    const std::int64_t places = product_of(dimensions);
    for (std::size_t d = 0; d < dimensions.size(); stride *= dimensions[d++].size) {
        const std::int64_t size = dimensions[d].size;
        for (std::int64_t p = 0; p < places && size > 1; ++p) {
            const bool last = p / stride % size == size - 1;
            const std::int64_t next = last ? p - (size - 1) * stride : p + stride;
            if ((!last || dimensions[d].wrap) && works(p) && works(next))
                cables.push_back({int(p), int(next), int(d), 2});
        }
    }
    out.graph = FlowGraph(std::vector<char>(std::size_t(places), 1), cables);
}

void add_torus_links(DomainFabric& out, const Interconnect& fabric, const std::vector<FabricDimension>& dimensions,
                     const InnerRates& rates) {
    const BytesPerSecond port = port_of(fabric, rates, 2 * dimensions.size());
    for (std::size_t d = 0; d < dimensions.size(); ++d)
        out.links.push_back({dimensions.size() == 1 ? "neighbour link" : fmt::format("dimension {}", d + 1), port});
}

void add_mesh(DomainFabric& out, const Interconnect& fabric, const InnerRates& rates, const std::vector<char>& up) {
    const std::size_t n = up.size();
    Cables cables;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            if (up[a] && up[b]) cables.push_back({int(a), int(b), 0, 2});
    out.graph = FlowGraph(std::vector<char>(n, 0), cables);
    const bool known = rates.peer > BytesPerSecond(0);
    out.links = {{"link to one peer", known ? rates.peer : port_of(fabric, rates, n - std::min<std::size_t>(n, 1))}};
}

/// Places, then the PCIe switches, then the CPUs.
struct TreeShape {
    int per_switch = 1, per_cpu = 1, cpus = 1;
    [[nodiscard]] int switches() const { return per_cpu * cpus; }
    [[nodiscard]] int places() const { return per_switch * switches(); }
};

TreeShape tree_shape(const std::vector<FabricDimension>& dimensions) {
    TreeShape shape;
    if (!dimensions.empty()) shape.per_switch = int(dimensions[0].size);
    if (dimensions.size() > 1) shape.per_cpu = int(dimensions[1].size);
    if (dimensions.size() > 2) shape.cpus = int(dimensions[2].size);
    return shape;
}

void add_tree(DomainFabric& out, const Interconnect& fabric, const TreeShape& shape, const InnerRates& rates,
              const std::vector<char>& up) {
    Cables cables;
    const int switches = shape.places(), cpus = switches + shape.switches();
    for (std::size_t p = 0; p < up.size(); ++p)
        if (up[p]) cables.push_back({int(p), switches + int(p) / shape.per_switch, 0, 1});
    if (shape.switches() > 1)
        for (int s = 0; s < shape.switches(); ++s) cables.push_back({switches + s, cpus + s / shape.per_cpu, 1, 1});
    for (int c = 0; c < shape.cpus; ++c)
        for (int other = c + 1; other < shape.cpus; ++other) cables.push_back({cpus + c, cpus + other, 2, 2});
    std::vector<char> forwards(std::size_t(cpus + shape.cpus), 1);
    std::fill(forwards.begin(), forwards.begin() + switches, char(0));
    out.graph = FlowGraph(std::move(forwards), cables);
    out.links = {{"accelerator link", rates.all},
                 {"uplink of a PCIe switch", rates.all * fabric.uplinks},
                 {"CPU-to-CPU link", rates.root}};
}

}  // namespace

Result<std::shared_ptr<const DomainFabric>> domain_fabric(const std::string& id, const Interconnect& fabric,
                                                          const InnerRates& rates, const std::vector<char>& up) {
    if (fabric.kind == FabricKind::switched) return nullptr;
    auto out = std::make_shared<DomainFabric>();
    const auto dimensions = dimensions_of(fabric, up.size());
    const std::int64_t places = fabric.kind == FabricKind::full_mesh ? std::int64_t(up.size()) : product_of(dimensions);
    if (const auto ok = check_places(id, fabric, places, up.size()); !ok) return tl::unexpected(ok.error());
    out->bandwidth = rates.all;
    for (std::size_t p = 0; p < up.size(); ++p)
        if (up[p]) out->place.push_back(int(p));
    switch (fabric.kind) {
        case FabricKind::full_mesh:
            if (up.size() > max_mesh)
                return fail(ErrorCode::unsupported,
                            fmt::format("domain '{}' is a full mesh of {} accelerators", id, up.size()),
                            fmt::format("use at most {}, or a switched domain", max_mesh), {id});
            add_mesh(*out, fabric, rates, up);
            break;
        case FabricKind::pcie_tree: add_tree(*out, fabric, tree_shape(dimensions), rates, up); break;
        default:
            add_torus(*out, dimensions, up);
            add_torus_links(*out, fabric, dimensions, rates);
            out->alike = std::int64_t(out->place.size()) == places &&
                         std::all_of(dimensions.begin(), dimensions.end(),
                                     [](const FabricDimension& d) { return d.wrap || d.size < 2; });
    }
    return out;
}

}  // namespace crosspoint
