#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/network/capacities.hpp"
#include "core/network/fabric_graph.hpp"

namespace crosspoint {
namespace {

constexpr int max_depth = 64;  // validate(Topology) allows 32

class Compiler {
public:
    Compiler(const Topology& topology, const Catalogue& catalogue) : topology_(topology), catalogue_(catalogue) {}

    Result<Network> run() {
        if (const auto ok = validate(topology_); !ok) return tl::unexpected(ok.error());
        if (accelerator_count(topology_) < 1)
            return fail(ErrorCode::invalid_value, "the drawing has no accelerator",
                        "add an accelerator to a container");
        index_containers();
        add_axes();
        for (const Device& device : topology_.devices)
            if (const auto ok = add_device(device); !ok) return tl::unexpected(ok.error());
        impl_->order = order_below(std::nullopt, network_.accelerators, 0);
        if (const auto ok = add_domains(); !ok) return tl::unexpected(ok.error());
        for (const Link& link : topology_.links)
            if (const auto ok = add_link(link); !ok) return tl::unexpected(ok.error());
        share_nics();
        if (const auto ok = finish(); !ok) return tl::unexpected(ok.error());
        return std::move(network_);
    }

private:
    void index_containers() {
        for (const Container& c : topology_.containers) {
            container_index_[c.id] = int(containers_.size());
            containers_.push_back(&c);
        }
        for (const Container& c : topology_.containers) children_[c.parent].containers.push_back(&c);
        for (const Device& d : topology_.devices) children_[d.parent].devices.push_back(&d);
    }

    void add_axes() {
        for (const Container& c : topology_.containers) {
            impl_->axis_ids.push_back(c.id.value);
            impl_->axis_counts.push_back(c.count);
        }
        for (const Device& d : topology_.devices) {
            device_axis_[d.id] = int(impl_->axis_counts.size());
            impl_->axis_ids.push_back(d.id.value);
            impl_->axis_counts.push_back(d.count);
        }
    }

    /// Enclosing containers, outermost first.
    [[nodiscard]] std::vector<int> chain(std::optional<ContainerId> at) const {
        std::vector<int> result;
        for (int depth = 0; at && depth < max_depth; ++depth) {
            result.push_back(container_index_.at(*at));
            at = containers_[std::size_t(result.back())]->parent;
        }
        std::reverse(result.begin(), result.end());
        return result;
    }

    [[nodiscard]] std::int64_t product(const std::vector<int>& axes, std::size_t from = 0) const {
        std::int64_t result = 1;
        for (std::size_t i = from; i < axes.size(); ++i) result *= impl_->axis_counts[std::size_t(axes[i])];
        return result;
    }

    Result<void> add_device(const Device& device) {
        Vertex v;
        v.id = device.id.value;
        v.containers = chain(device.parent);
        v.axes = v.containers;
        v.axes.push_back(device_axis_.at(device.id));
        v.instances = product(v.axes);
        v.up = device.state.health != Health::down;
        if (const auto ok = take_part(device, v); !ok) return ok;
        if (v.kind == VertexKind::accelerator) add_accelerator(device, v);
        vertex_of_[device.id] = int(impl_->vertices.size());
        impl_->vertices.push_back(std::move(v));
        return {};
    }

    Result<void> take_part(const Device& device, Vertex& v) const {
        bool known = false;
        switch (device.kind) {
            case DeviceKind::accelerator:
                v.kind = VertexKind::accelerator;
                known = catalogue_.accelerators.contains(device.part);
                break;
            case DeviceKind::nic:
                v.kind = VertexKind::nic;
                if (const NicPart* p = catalogue_.nics.find(device.part)) known = true, v.endpoint = p->endpoint.value;
                break;
            case DeviceKind::network_switch:
                v.kind = VertexKind::network_switch;
                if (const SwitchPart* p = catalogue_.switches.find(device.part)) known = true, v.hop = p->hop.value;
                break;
            case DeviceKind::host:
                v.kind = VertexKind::host;
                if (const HostPart* p = catalogue_.hosts.find(device.part)) known = true, v.hop = p->hop.value;
                break;
        }
        if (known) return {};
        return fail(ErrorCode::reference,
                    fmt::format("{} '{}' names the unknown part '{}'", to_string(device.kind), device.id.value,
                                device.part.value),
                    "choose a part of the catalogue, or add this one to the document", {device.id.value});
    }

    void add_accelerator(const Device& device, Vertex& v) {
        for (const int c : v.containers) {
            const Container& container = *containers_[std::size_t(c)];
            if (container.interconnect && v.domain < 0) v.domain = c;
            if (container.kind == ContainerKind::node) v.locality = c;
        }
        if (v.domain >= 0) v.locality = v.domain;
        ++impl_->accelerator_classes;
        if (network_.accelerator_part.empty()) network_.accelerator_part = device.part;
        network_.accelerators += v.instances;
    }

    struct Children {
        std::vector<const Container*> containers;
        std::vector<const Device*> devices;
    };

    /// Containers and devices of one parent merged by id; those without accelerators are left out.
    std::vector<OrderNode> order_below(const std::optional<ContainerId>& parent, std::int64_t& size, int depth) {
        std::vector<std::pair<std::string, OrderNode>> items;
        const Children& below = children_[parent];
        for (const Container* c : below.containers) {
            OrderNode node;
            node.axis = container_index_.at(c->id);
            node.count = c->count;
            if (depth < max_depth) node.children = order_below(c->id, node.size, depth + 1);
            if (node.size > 0) items.emplace_back(c->id.value, std::move(node));
        }
        for (const Device* d : below.devices) {
            const int vertex = vertex_of_.at(d->id);
            if (d->kind != DeviceKind::accelerator) continue;
            items.emplace_back(d->id.value, OrderNode{device_axis_.at(d->id), vertex, 1, d->count, 0, {}});
        }
        std::stable_sort(items.begin(), items.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
        size = 0;
        std::vector<OrderNode> result;
        for (auto& [id, node] : items) {
            node.start = size;
            size += node.size * node.count;
            result.push_back(std::move(node));
        }
        return result;
    }

    /// Accelerators in one instance of each container.
    void sizes(const std::vector<OrderNode>& nodes, std::vector<std::int64_t>& size) const {
        for (const OrderNode& node : nodes) {
            if (node.vertex < 0) size[std::size_t(node.axis)] = node.size;
            sizes(node.children, size);
        }
    }

    Result<void> add_domains() {
        std::vector<std::int64_t> size(containers_.size(), 0);
        sizes(impl_->order, size);
        for (std::size_t c = 0; c < containers_.size(); ++c) {
            if (!containers_[c]->interconnect) continue;
            auto rated = rate_domain(catalogue_, *containers_[c], size[c]);
            if (!rated) return tl::unexpected(rated.error());
            if (size[c] > 0) add_domain(int(c), size[c], std::move(*rated));
        }
        for (const Vertex& v : impl_->vertices)
            if (v.kind == VertexKind::accelerator) note_domain(v.domain < 0 ? 1 : size[std::size_t(v.domain)]);
        return {};
    }

    void note_domain(std::int64_t size) {
        network_.domain_size = std::max(network_.domain_size, size);
        network_.smallest_domain = network_.smallest_domain ? std::min(network_.smallest_domain, size) : size;
    }

    void add_domain(int container, std::int64_t size, RatedLink rated) {
        Vertex v;
        v.kind = VertexKind::crossbar;
        v.id = containers_[std::size_t(container)]->id.value;
        v.containers = chain(ContainerId(v.id));
        v.axes = v.containers;
        v.instances = product(v.axes);
        v.up = rated.up;
        rated.link.instances = v.instances * size;
        const int link = push_link(std::move(rated));
        const int crossbar = int(impl_->vertices.size());
        for (int a = 0; a < crossbar; ++a) {
            const auto& inside = impl_->vertices[std::size_t(a)];
            if (inside.kind != VertexKind::accelerator) continue;
            if (std::find(inside.containers.begin(), inside.containers.end(), container) == inside.containers.end())
                continue;
            impl_->edges.push_back({link, a, crossbar, int(v.axes.size()), Wiring::each_to_each, 1});
        }
        impl_->vertices.push_back(std::move(v));
    }

    Result<void> add_link(const Link& link) {
        if (link.wiring == Wiring::dragonfly)
            return fail(ErrorCode::unsupported,
                        fmt::format("link '{}' is wired as a dragonfly, which is not routed yet", link.id.value),
                        "draw the cables between the groups", {link.id.value});
        auto rated = rate_link(topology_, catalogue_, link);
        if (!rated) return tl::unexpected(rated.error());
        GraphEdge edge;
        edge.a = vertex_of_.at(link.a);
        edge.b = vertex_of_.at(link.b);
        const Vertex& a = impl_->vertices[std::size_t(edge.a)];
        const Vertex& b = impl_->vertices[std::size_t(edge.b)];
        while (std::size_t(edge.shared) < std::min(a.containers.size(), b.containers.size()) &&
               a.containers[std::size_t(edge.shared)] == b.containers[std::size_t(edge.shared)])
            ++edge.shared;
        edge.wiring = link.wiring;
        rated->link.instances = link_instances(a, b, edge);
        const bool up = rated->up;
        edge.link = push_link(std::move(*rated));
        if (up) impl_->edges.push_back(edge);
        return {};
    }

    [[nodiscard]] std::int64_t link_instances(const Vertex& a, const Vertex& b, const GraphEdge& edge) const {
        const std::int64_t shared = product(a.axes) / product(a.axes, std::size_t(edge.shared));
        const std::int64_t na = product(a.axes, std::size_t(edge.shared)),
                           nb = product(b.axes, std::size_t(edge.shared));
        const std::int64_t own_a = impl_->axis_counts[std::size_t(a.axes.back())];
        const std::int64_t own_b = impl_->axis_counts[std::size_t(b.axes.back())];
        double joined = 0;
        switch (edge.wiring) {
            case Wiring::one_to_one: joined = double(std::max(na, nb)); break;
            case Wiring::each_to_each:
            case Wiring::dragonfly: joined = double(na) * double(nb); break;
            case Wiring::rail: joined = double(na) * double(nb) / double(std::min(own_a, own_b)); break;
        }
        constexpr double representable = 9e18;  // just below the largest 64-bit integer
        return std::int64_t(std::min(joined * double(shared), representable));
    }

    /// Network links of a NIC that are up; what is inside the host goes through them anyway.
    [[nodiscard]] std::vector<NicCable> cables_of(int nic) {
        std::vector<NicCable> cables;
        const double instances = double(std::max<std::int64_t>(1, impl_->vertices[std::size_t(nic)].instances));
        for (const GraphEdge& edge : impl_->edges) {
            NetworkLink& link = network_.links[std::size_t(edge.link)];
            if ((edge.a != nic && edge.b != nic) || inside_host(catalogue_.links.find(link.part))) continue;
            cables.push_back({&link, double(link.instances) / instances});
        }
        return cables;
    }

    /// All cables of a NIC share what it carries.
    void share_nics() {
        std::map<NetworkLink*, double> shares;
        for (const Device& device : topology_.devices) {
            const NicPart* part = device.kind == DeviceKind::nic ? catalogue_.nics.find(device.part) : nullptr;
            if (!part) continue;
            const auto cables = cables_of(vertex_of_.at(device.id));
            const double share = share_of_nic(*part, cables);
            for (const NicCable& cable : cables) {
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

    int push_link(RatedLink rated) {
        network_.links.push_back(std::move(rated.link));
        impl_->latencies.push_back(rated.latency);
        impl_->mesh_size.push_back(rated.mesh);
        return int(network_.links.size()) - 1;
    }

    Result<void> finish() {
        sort_links();
        assign_levels(topology_, catalogue_, network_);
        list_devices(impl_->order);
        impl_->edges_of.resize(impl_->vertices.size());
        for (std::size_t e = 0; e < impl_->edges.size(); ++e) {
            const GraphEdge& edge = impl_->edges[e];
            impl_->edges_of[std::size_t(edge.a)].push_back(int(e));
            if (edge.b != edge.a) impl_->edges_of[std::size_t(edge.b)].push_back(int(e));
        }
        std::vector<std::string> ids;
        for (const NetworkLink& link : network_.links) ids.push_back(link.ref.id);
        auto digits = refine(*impl_, ids);
        if (!digits) return tl::unexpected(digits.error());
        impl_->digits = std::move(*digits);
        network_.impl = impl_;
        return {};
    }

    /// Network::links are sorted by ref: links first, then domains, each by id.
    void sort_links() {
        std::vector<int> order(network_.links.size()), place(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
        std::sort(order.begin(), order.end(), [&](int x, int y) {
            return network_.links[std::size_t(x)].ref < network_.links[std::size_t(y)].ref;
        });
        const auto links = network_.links;
        const auto latencies = impl_->latencies;
        const auto mesh = impl_->mesh_size;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto from = std::size_t(order[i]);
            place[from] = int(i);
            network_.links[i] = links[from];
            impl_->latencies[i] = latencies[from];
            impl_->mesh_size[i] = mesh[from];
        }
        for (GraphEdge& edge : impl_->edges) edge.link = place[std::size_t(edge.link)];
    }

    void list_devices(const std::vector<OrderNode>& nodes) {
        for (const OrderNode& node : nodes) {
            if (node.vertex >= 0) {
                const auto& id = impl_->vertices[std::size_t(node.vertex)].id;
                network_.accelerator_devices.push_back(id);
                const PartId& part = topology_.devices.find(DeviceId(id))->part;
                if (network_.accelerator_devices.size() == 1) network_.accelerator_part = part;
                network_.mixed_accelerators |= part != network_.accelerator_part;
            }
            list_devices(node.children);
        }
    }

    const Topology& topology_;
    const Catalogue& catalogue_;
    Network network_{{}, {}, 0, 1, 0, {}, {}, false, nullptr};
    std::shared_ptr<NetworkImpl> impl_ = std::make_shared<NetworkImpl>();
    std::vector<const Container*> containers_;
    std::map<ContainerId, int> container_index_;
    std::map<std::optional<ContainerId>, Children> children_;
    std::map<DeviceId, int> device_axis_, vertex_of_;
};

}  // namespace

Result<Network> compile(const Topology& topology, const Catalogue& catalogue) {
    return Compiler(topology, catalogue).run();
}

const NetworkLink* Network::find(const LinkRef& ref) const {
    const auto it = std::lower_bound(links.begin(), links.end(), ref,
                                     [](const NetworkLink& link, const LinkRef& key) { return link.ref < key; });
    return it != links.end() && it->ref == ref ? &*it : nullptr;
}

namespace {

/// Walks down the drawing order, noting the index on every axis passed.
void descend(const std::vector<OrderNode>& nodes, std::int64_t rank, std::map<int, std::int64_t>& index, int& vertex) {
    for (const OrderNode& node : nodes) {
        const std::int64_t local = rank - node.start;
        if (local < 0 || local >= node.size * node.count) continue;
        index[node.axis] = local / node.size;
        if (node.vertex >= 0) vertex = node.vertex;
        else descend(node.children, local % node.size, index, vertex);
        return;
    }
}

}  // namespace

Position NetworkImpl::locate(std::int64_t rank) const {
    Position position;
    std::map<int, std::int64_t> index;
    descend(order, rank, index, position.vertex);
    if (position.vertex < 0) return position;
    for (const int axis : vertices[std::size_t(position.vertex)].axes) position.index.push_back(index[axis]);
    return position;
}

std::string NetworkImpl::name_of(const Position& position) const {
    if (position.vertex < 0) return "?";
    const Vertex& v = vertices[std::size_t(position.vertex)];
    std::string indices;
    for (std::size_t i = 0; i < v.axes.size(); ++i)
        if (axis_counts[std::size_t(v.axes[i])] > 1)
            indices += fmt::format("{}{}", indices.empty() ? "" : ",", position.index[i]);
    return indices.empty() ? v.id : fmt::format("{}[{}]", v.id, indices);
}

std::string device_of(const Network& network, std::int64_t accelerator) {
    const Position position = network.impl->locate(accelerator);
    return position.vertex < 0 ? std::string() : network.impl->vertices[std::size_t(position.vertex)].id;
}

}  // namespace crosspoint
