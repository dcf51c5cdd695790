#include "core/network/instances.hpp"

#include <algorithm>

namespace crosspoint {
namespace {

constexpr double most_instances = 4e6;  // documented limit; some hundred bytes each

using Cables = std::vector<FlowGraph::Cable>;

std::int64_t product(const NetworkImpl& impl, const std::vector<int>& axes, std::size_t from, std::size_t to) {
    std::int64_t result = 1;
    for (std::size_t i = from; i < to; ++i) result *= impl.axis_counts[std::size_t(axes[i])];
    return result;
}

/// Lays out the instances of one edge class.
class EdgeLayout {
public:
    EdgeLayout(const NetworkImpl& impl, const std::vector<int>& first, int edge, Cables& cables)
        : impl_(impl), edge_(impl.edges[std::size_t(edge)]), tag_(edge), cables_(cables) {
        const auto& a = axes(edge_.a);
        const auto& b = axes(edge_.b);
        const auto shared = std::size_t(edge_.shared);
        common_ = product(impl, a, 0, shared);
        na_ = product(impl, a, shared, a.size());
        nb_ = product(impl, b, shared, b.size());
        first_a_ = first[std::size_t(edge_.a)];
        first_b_ = first[std::size_t(edge_.b)];
    }

    void run() {
        for (std::int64_t p = 0; p < common_; ++p) {
            base_a_ = first_a_ + p * na_;
            base_b_ = first_b_ + p * nb_;
            switch (edge_.wiring) {
                case Wiring::one_to_one: match(0, 0, na_, nb_); break;
                case Wiring::rail: rails(); break;
                case Wiring::each_to_each: all(); break;
                case Wiring::dragonfly: groups(); break;
            }
        }
    }

private:
    [[nodiscard]] const std::vector<int>& axes(int vertex) const { return impl_.vertices[std::size_t(vertex)].axes; }

    void join(std::int64_t a, std::int64_t b) {
        cables_.push_back({int(base_a_ + a), int(base_b_ + b), tag_, edge_.cost});
    }
    /// Instance i of the larger side meets floor(i * smaller / larger) of the other.
    void match(std::int64_t a, std::int64_t b, std::int64_t na, std::int64_t nb) {
        const std::int64_t larger = std::max(na, nb);
        for (std::int64_t i = 0; i < larger; ++i) join(a + i * na / larger, b + i * nb / larger);
    }
    void rails() {
        const std::int64_t own_a = impl_.axis_counts[std::size_t(axes(edge_.a).back())];
        const std::int64_t own_b = impl_.axis_counts[std::size_t(axes(edge_.b).back())];
        for (std::int64_t a = 0; a < na_; a += own_a)
            for (std::int64_t b = 0; b < nb_; b += own_b) match(a, b, own_a, own_b);
    }
    void all() {
        const bool self = edge_.a == edge_.b;
        for (std::int64_t a = 0; a < na_; ++a)
            for (std::int64_t b = self ? a + 1 : 0; b < nb_; ++b) join(a, b);
    }
    /// See Wiring::dragonfly.
    void groups() {
        const std::int64_t n = impl_.axis_counts[std::size_t(axes(edge_.a)[std::size_t(edge_.shared)])];
        const std::int64_t switches = na_ / n, m = edge_.per_pair;
        for (std::int64_t x = 0; x < n; ++x)
            for (std::int64_t y = x + 1; y < n; ++y)
                for (std::int64_t c = 0; c < m; ++c)
                    join(x * switches + ((y - x - 1) * m + c) % switches,
                         y * switches + ((n - 1 - (y - x)) * m + c) % switches);
    }

    const NetworkImpl& impl_;
    const GraphEdge& edge_;
    int tag_;
    Cables& cables_;
    std::int64_t common_ = 1, na_ = 1, nb_ = 1, base_a_ = 0, base_b_ = 0, first_a_ = 0, first_b_ = 0;
};

}  // namespace

double cable_count(const NetworkImpl& impl, const GraphEdge& edge) {
    const auto& a = impl.vertices[std::size_t(edge.a)].axes;
    const auto& b = impl.vertices[std::size_t(edge.b)].axes;
    const auto shared = std::size_t(edge.shared);
    const double common = double(product(impl, a, 0, shared));
    const double na = double(product(impl, a, shared, a.size())), nb = double(product(impl, b, shared, b.size()));
    switch (edge.wiring) {
        case Wiring::one_to_one: return common * std::max(na, nb);
        case Wiring::each_to_each: return common * na * (edge.a == edge.b ? (nb - 1) / 2 : nb);
        case Wiring::rail:
            return common * na * nb /
                   double(std::min(impl.axis_counts[std::size_t(a.back())], impl.axis_counts[std::size_t(b.back())]));
        case Wiring::dragonfly: {
            const double n = double(impl.axis_counts[std::size_t(a[shared])]);
            return common * n * (n - 1) / 2 * double(edge.per_pair);
        }
    }
    return 0;
}

bool InstanceGraph::fits(const NetworkImpl& impl) {
    double all = 0;
    for (const Vertex& v : impl.vertices) all += double(v.instances);
    for (const GraphEdge& edge : impl.edges) all += cable_count(impl, edge);
    return all <= most_instances;
}

InstanceGraph::InstanceGraph(const NetworkImpl& impl) {
    std::vector<char> forwards;
    for (const Vertex& v : impl.vertices) {
        first_.push_back(int(forwards.size()));
        forwards.resize(forwards.size() + std::size_t(v.instances), char(v.kind != VertexKind::accelerator));
    }
    first_.push_back(int(forwards.size()));
    Cables cables;
    for (std::size_t e = 0; e < impl.edges.size(); ++e) {
        const GraphEdge& edge = impl.edges[e];
        if (impl.vertices[std::size_t(edge.a)].up && impl.vertices[std::size_t(edge.b)].up)
            EdgeLayout(impl, first_, int(e), cables).run();
    }
    graph_ = FlowGraph(std::move(forwards), cables);
}

int InstanceGraph::node_of(const NetworkImpl& impl, const Position& position) const {
    const auto& axes = impl.vertices[std::size_t(position.vertex)].axes;
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < axes.size(); ++i)
        flat = flat * impl.axis_counts[std::size_t(axes[i])] + position.index[i];
    return first_[std::size_t(position.vertex)] + int(flat);
}

int InstanceGraph::vertex_of(int node) const {
    return int(std::upper_bound(first_.begin(), first_.end(), node) - first_.begin()) - 1;
}

const InstanceGraph& instance_graph(const NetworkImpl& impl) {
    std::call_once(impl.laid_out, [&] { impl.instances = std::make_shared<const InstanceGraph>(impl); });
    return *impl.instances;
}

}  // namespace crosspoint
