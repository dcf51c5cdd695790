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
        if (network_.accelerators < 1)
            return fail(ErrorCode::invalid_value, "all accelerators of the drawing are down",
                        "set the health of an accelerator to up");
        impl_->order = order_below(std::nullopt, network_.accelerators, 0);
        if (const auto ok = add_domains(); !ok) return tl::unexpected(ok.error());
        for (const Link& link : topology_.links)
            if (const auto ok = add_link(link); !ok) return tl::unexpected(ok.error());
        index_edges();
        share_devices(topology_, catalogue_, network_, *impl_);
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
        if (!v.up) return;
        if (network_.accelerator_part.empty()) network_.accelerator_part = device.part;
        network_.accelerators += v.instances;
    }

    struct Children {
        std::vector<const Container*> containers;
        std::vector<const Device*> devices;
    };

    /// Containers and devices of one parent merged by id; those without accelerators that are up are left out.
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
            if (d->kind != DeviceKind::accelerator || d->state.health == Health::down) continue;
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
            auto rated = rate_domain(catalogue_, *containers_[c]);
            if (!rated) return tl::unexpected(rated.error());
            if (size[c] < 1) continue;
            if (auto ok = add_domain(int(c), size[c], std::move(*rated)); !ok) return ok;
        }
        for (const Vertex& v : impl_->vertices)
            if (v.kind == VertexKind::accelerator && v.up) note_domain(v.domain < 0 ? 1 : size[std::size_t(v.domain)]);
        return {};
    }

    void note_domain(std::int64_t size) {
        network_.domain_size = std::max(network_.domain_size, size);
        network_.smallest_domain = network_.smallest_domain ? std::min(network_.smallest_domain, size) : size;
    }

    /// Whether an accelerator works at each place of one instance of a container, in drawing order.
    Result<void> places_below(const std::optional<ContainerId>& parent, int depth, std::vector<char>& up) const {
        constexpr std::size_t most = 1 << 20;
        const auto below = children_.find(parent);
        if (below == children_.end() || depth > max_depth) return {};
        std::map<std::string, std::pair<const Container*, const Device*>> items;
        for (const Container* c : below->second.containers) items[c->id.value].first = c;
        for (const Device* d : below->second.devices)
            if (d->kind == DeviceKind::accelerator) items[d->id.value].second = d;
        for (const auto& [id, item] : items) {
            std::vector<char> one{char(item.second && item.second->state.health != Health::down)};
            if (item.first) {
                one.clear();
                if (auto ok = places_below(item.first->id, depth + 1, one); !ok) return ok;
            }
            const std::int64_t count = item.first ? item.first->count : item.second->count;
            if (double(one.size()) * double(count) + double(up.size()) > double(most))
                return fail(ErrorCode::unsupported,
                            fmt::format("a domain of more than {} accelerators is routed as a switched one only", most),
                            "make it switched, or divide it into several domains", {parent->value});
            for (std::int64_t i = 0; i < count && !one.empty(); ++i) up.insert(up.end(), one.begin(), one.end());
        }
        return {};
    }

    /// Domains inside domains share their pairs, which only crossbars are modelled to do.
    Result<void> check_nested(int container) const {
        for (std::size_t c = 0; c < containers_.size(); ++c) {
            if (int(c) == container || !containers_[c]->interconnect) continue;
            const auto around = chain(containers_[c]->parent),
                       above = chain(containers_[std::size_t(container)]->parent);
            if (std::find(around.begin(), around.end(), container) == around.end() &&
                std::find(above.begin(), above.end(), int(c)) == above.end())
                continue;
            const std::string& id = containers_[std::size_t(container)]->id.value;
            return fail(ErrorCode::unsupported,
                        fmt::format("domains '{}' and '{}' lie in each other, and one of them is no switched domain",
                                    id, containers_[c]->id.value),
                        "draw the inner fabric as links, or make both switched", {id, containers_[c]->id.value});
        }
        return {};
    }

    Result<std::shared_ptr<const DomainFabric>> inner_fabric(int container, const RatedLink& rated) const {
        const Container& drawn = *containers_[std::size_t(container)];
        if (drawn.interconnect->kind == FabricKind::switched) return nullptr;
        if (auto ok = check_nested(container); !ok) return tl::unexpected(ok.error());
        std::vector<char> up;
        if (auto ok = places_below(drawn.id, 0, up); !ok) return tl::unexpected(ok.error());
        return domain_fabric(drawn.id.value, *drawn.interconnect, rated.inner, up);
    }

    Result<void> add_domain(int container, std::int64_t size, RatedLink rated) {
        auto inner = inner_fabric(container, rated);
        if (!inner) return tl::unexpected(inner.error());
        impl_->has_inner |= *inner != nullptr;
        Vertex v;
        v.kind = VertexKind::crossbar;
        v.id = containers_[std::size_t(container)]->id.value;
        v.containers = chain(ContainerId(v.id));
        v.axes = v.containers;
        v.instances = product(v.axes);
        v.up = rated.up;
        rated.link.instances = v.instances * size;
        const int link = push_link(std::move(rated), std::move(*inner));
        const int crossbar = int(impl_->vertices.size());
        for (int a = 0; a < crossbar; ++a) {
            const auto& inside = impl_->vertices[std::size_t(a)];
            if (inside.kind != VertexKind::accelerator) continue;
            if (std::find(inside.containers.begin(), inside.containers.end(), container) == inside.containers.end())
                continue;
            impl_->edges.push_back({link, a, crossbar, int(v.axes.size()), Wiring::each_to_each, 1});
        }
        impl_->vertices.push_back(std::move(v));
        return {};
    }

    /// The groups are the instances of the innermost counted container; cables that reach every switch of a group
    /// alike are one class.
    void join_groups(const Link& link, const Vertex& v, GraphEdge& edge, NetworkLink& rated) const {
        edge.shared = int(v.axes.size()) - 2;
        while (edge.shared > 0 && impl_->axis_counts[std::size_t(v.axes[std::size_t(edge.shared)])] < 2) --edge.shared;
        const std::int64_t switches = impl_->axis_counts[std::size_t(v.axes.back())];
        edge.per_pair = link.per_pair;
        edge.cost = global_cost;
        if (link.per_pair % switches != 0) return;
        edge.per_pair = switches;
        const auto cables = double(link.per_pair / switches);
        constexpr double representable = 2e9;
        rated.lanes = int(std::min(double(rated.lanes) * cables, representable));
        for (BytesPerSecond* b : {&rated.capacity.value, &rated.nominal.value, &rated.unimpaired, &rated.own})
            *b *= cables;
    }

    Result<void> add_link(const Link& link) {
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
        if (link.wiring == Wiring::dragonfly) join_groups(link, a, edge, rated->link);
        constexpr double representable = 9e18;  // just below the largest 64-bit integer
        rated->link.instances = std::int64_t(std::min(cable_count(*impl_, edge), representable));
        const bool up = rated->up && a.up && b.up;
        edge.link = push_link(std::move(*rated), nullptr);
        if (up) impl_->edges.push_back(edge);
        return {};
    }

    int push_link(RatedLink rated, std::shared_ptr<const DomainFabric> inner) {
        network_.links.push_back(std::move(rated.link));
        impl_->latencies.push_back(rated.latency);
        impl_->fabrics.push_back(std::move(inner));
        return int(network_.links.size()) - 1;
    }

    void index_edges() {
        impl_->edges_of.assign(impl_->vertices.size(), {});
        for (std::size_t e = 0; e < impl_->edges.size(); ++e) {
            const GraphEdge& edge = impl_->edges[e];
            impl_->edges_of[std::size_t(edge.a)].push_back(int(e));
            if (edge.b != edge.a) impl_->edges_of[std::size_t(edge.b)].push_back(int(e));
        }
    }

    Result<void> finish() {
        sort_links();
        assign_levels(topology_, catalogue_, network_);
        list_devices(impl_->order);
        std::vector<std::string> ids;
        for (const NetworkLink& link : network_.links) ids.push_back(link.ref.id);
        auto digits = refine(*impl_, ids);
        if (digits) impl_->digits = std::move(*digits);
        else impl_->undivided = digits.error();
        impl_->domain_link.assign(containers_.size(), -1);
        for (std::size_t l = 0; l < network_.links.size(); ++l)
            if (network_.links[l].ref.kind == LinkRef::Kind::domain)
                impl_->domain_link[std::size_t(container_index_.at(ContainerId(network_.links[l].ref.id)))] = int(l);
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
        const auto fabrics = impl_->fabrics;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto from = std::size_t(order[i]);
            place[from] = int(i);
            network_.links[i] = links[from];
            impl_->latencies[i] = latencies[from];
            impl_->fabrics[i] = fabrics[from];
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
    Network network_{{}, {}, {}, 0, 1, 0, {}, {}, false, nullptr};
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

}  // namespace crosspoint
