#include "core/network/pair_route.hpp"

#include <algorithm>
#include <memory>

namespace crosspoint {
namespace {

constexpr std::size_t max_states = 200'000;  // a guard against hostile drawings; real ones need some tens

struct Spot {
    int vertex = 0;
    std::vector<Atom> atoms;  // per digit of the vertex
    auto operator<=>(const Spot&) const = default;
};

struct Step {
    int edge = 0;
    bool forward = true;
    Spot to;
};

std::vector<Atom> atoms_for(Relation relation) {
    switch (relation) {
        case Relation::none: return {Atom::other};
        case Relation::same: return {Atom::same, Atom::other};
        case Relation::differ: return {Atom::source, Atom::target, Atom::other};
        case Relation::source_only: return {Atom::source, Atom::other};
        case Relation::target_only: return {Atom::target, Atom::other};
    }
    return {};
}

/// The rules of moving from state to state, for pairs of one relation.
class Moves {
public:
    Moves(const NetworkImpl& impl, const DigitSpace& space, std::vector<Relation> relation)
        : impl_(impl), space_(space), relation_(std::move(relation)) {}

    [[nodiscard]] Spot end_state(int vertex, Atom own) const {
        Spot state{vertex, {}};
        for (const auto& d : space_.vertex_digits[std::size_t(vertex)])
            state.atoms.push_back(relation_[std::size_t(d.set)] == Relation::same ? Atom::same : own);
        return state;
    }

    /// States next to `state`; of accelerators only `end` is entered.
    [[nodiscard]] std::vector<Step> steps_from(const Spot& state, const Spot& end) const {
        std::vector<Step> steps;
        for (const int e : impl_.edges_of[std::size_t(state.vertex)]) {
            const GraphEdge& edge = impl_.edges[std::size_t(e)];
            if (edge.a == state.vertex) steps_over(state, e, true, end, steps);
            else steps_over(state, e, false, end, steps);  // a link from a class to itself is taken from a to b only
        }
        return steps;
    }

    /// Instances of `to` that one instance at the other end of the edge reaches; forward = `to` is end b.
    [[nodiscard]] double ways_into(const Spot& to, int edge, bool forward) const {
        const EdgeDigits& tie = space_.edges[std::size_t(edge)];
        const auto& from = forward ? tie.from_a : tie.from_b;
        const auto& digits = space_.vertex_digits[std::size_t(to.vertex)];
        double ways = 1;
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i] < 0) ways *= double(values(to.atoms[i], digits[i].set));
        return ways;
    }

private:
    [[nodiscard]] std::int64_t values(Atom atom, int set) const {
        return values_of(atom, relation_[std::size_t(set)], space_.set_size[std::size_t(set)]);
    }

    void steps_over(const Spot& state, int e, bool forward, const Spot& end, std::vector<Step>& out) const {
        const GraphEdge& edge = impl_.edges[std::size_t(e)];
        const EdgeDigits& tie = space_.edges[std::size_t(e)];
        const int next = forward ? edge.b : edge.a;
        if (!impl_.vertices[std::size_t(next)].up) return;
        const auto& from = forward ? tie.from_a : tie.from_b;
        if (impl_.vertices[std::size_t(next)].kind == VertexKind::accelerator) {
            if (end.vertex == next && fits(state, end, from)) out.push_back({e, forward, end});
            return;
        }
        Step step{e, forward, {next, std::vector<Atom>(from.size())}};
        branch(state, from, 0, step, out);
    }

    static bool fits(const Spot& state, const Spot& end, const std::vector<int>& from) {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i] >= 0 && state.atoms[std::size_t(from[i])] != end.atoms[i]) return false;
        return true;
    }

    /// Every choice of atoms for the free digits.
    void branch(const Spot& state, const std::vector<int>& from, std::size_t digit, Step& step,
                std::vector<Step>& out) const {
        if (out.size() > max_states) return;
        if (digit == from.size()) {
            out.push_back(step);
            return;
        }
        if (from[digit] >= 0) {
            step.to.atoms[digit] = state.atoms[std::size_t(from[digit])];
            return branch(state, from, digit + 1, step, out);
        }
        const int set = space_.vertex_digits[std::size_t(step.to.vertex)][digit].set;
        for (const Atom atom : atoms_for(relation_[std::size_t(set)])) {
            if (values(atom, set) <= 0) continue;
            step.to.atoms[digit] = atom;
            branch(state, from, digit + 1, step, out);
        }
    }

    const NetworkImpl& impl_;
    const DigitSpace& space_;
    std::vector<Relation> relation_;
};

}  // namespace

/// Shortest ways to one target, found outward from it as far as the sources asked for need.
class TargetSearch {
public:
    struct Hop {
        int edge = 0;
        bool forward = true;
        int node = 0;
        double ways = 1;
    };
    struct Node {
        Spot state;
        int distance = 0;         // in half hops
        std::vector<Hop> onward;  // all first hops of shortest ways to the target
    };

    TargetSearch(const NetworkImpl& impl, const DigitSpace& space, const PairClass& pair)
        : impl_(impl), moves_(impl, space, pair.relation) {
        buckets_.resize(1);
        reach(moves_.end_state(pair.to, Atom::target), 0);
    }

    /// The source with its hops; without hops where no way exists.
    Node from(int vertex) {
        Node source{moves_.end_state(vertex, Atom::source), 0, {}};
        const auto steps = moves_.steps_from(source.state, nodes_.front().state);
        int best = nearest(steps);
        while (cursor_ < buckets_.size() && (best < 0 || std::size_t(best) > cursor_) && nodes_.size() < max_states) {
            settle(cursor_++);
            best = nearest(steps);
        }
        source.distance = best;
        for (const Step& step : steps) {
            const auto it = index_.find(step.to);
            if (it == index_.end() || nodes_[std::size_t(it->second)].distance + cost(step.edge) != best) continue;
            source.onward.push_back(
                {step.edge, step.forward, it->second, moves_.ways_into(step.to, step.edge, step.forward)});
        }
        return source;
    }

    [[nodiscard]] const Node& node(int n) const { return nodes_[std::size_t(n)]; }
    [[nodiscard]] bool exhausted() const { return nodes_.size() >= max_states; }

private:
    [[nodiscard]] int cost(int edge) const { return impl_.edges[std::size_t(edge)].cost; }

    [[nodiscard]] int nearest(const std::vector<Step>& steps) const {
        int best = -1;
        for (const Step& step : steps) {
            const auto it = index_.find(step.to);
            if (it == index_.end()) continue;
            const int distance = nodes_[std::size_t(it->second)].distance + cost(step.edge);
            if (best < 0 || distance < best) best = distance;
        }
        return best;
    }

    int reach(const Spot& state, int distance) {
        const auto [it, added] = index_.try_emplace(state, int(nodes_.size()));
        if (added) nodes_.push_back({state, distance + 1, {}});
        Node& node = nodes_[std::size_t(it->second)];
        if (node.distance > distance) {
            node.distance = distance;
            node.onward.clear();
            if (buckets_.size() <= std::size_t(distance)) buckets_.resize(std::size_t(distance) + 1);
            buckets_[std::size_t(distance)].push_back(it->second);
        }
        return it->second;
    }

    void settle(std::size_t distance) {
        const std::vector<int> bucket = buckets_[distance];
        for (const int n : bucket)
            if (nodes_[std::size_t(n)].distance == int(distance)) expand(n);
    }

    void expand(int n) {
        const Spot state = nodes_[std::size_t(n)].state;
        const int distance = nodes_[std::size_t(n)].distance;
        for (const Step& step : moves_.steps_from(state, nodes_.front().state)) {
            if (step.to == nodes_.front().state) continue;
            const int further = distance + cost(step.edge);
            const int other = reach(step.to, further);
            if (nodes_[std::size_t(other)].distance != further) continue;
            const bool back = !step.forward;
            nodes_[std::size_t(other)].onward.push_back({step.edge, back, n, moves_.ways_into(state, step.edge, back)});
        }
    }

    const NetworkImpl& impl_;
    Moves moves_;
    std::map<Spot, int> index_;
    std::vector<Node> nodes_;
    std::vector<std::vector<int>> buckets_;
    std::size_t cursor_ = 0;
};

namespace {

/// Spreads one unit over the shortest ways and notes what it meets.
class Spreading {
public:
    Spreading(const Network& network, const DigitSpace& space, const TargetSearch& search,
              const TargetSearch::Node& source)
        : network_(network), impl_(*network.impl), space_(space), search_(search), source_(source) {}

    PairRoute run() {
        per_distance_.resize(std::size_t(source_.distance) + 1);
        spread(source_, 1.0);
        while (!waiting_.empty()) {
            const auto [key, amount] = *waiting_.begin();
            waiting_.erase(waiting_.begin());
            spread(search_.node(key.second), amount);
        }
        trace_path();
        summarise();
        return std::move(result_);
    }

private:
    void spread(const TargetSearch::Node& at, double amount) {
        double ways = 0;
        for (const auto& hop : at.onward) ways += hop.ways;
        for (const auto& hop : at.onward) {
            const GraphEdge& edge = impl_.edges[std::size_t(hop.edge)];
            const bool forward = hop.forward || edge.a == edge.b;
            const double part = amount * hop.ways / ways;
            const auto& next = search_.node(hop.node);
            if (next.distance > 0) waiting_[{-next.distance, hop.node}] += part;
            result_.flows.push_back({hop.edge, forward, link_atoms(at.state, next.state, hop.edge, forward), part});
            count(hop.edge, part, at.distance);
        }
    }

    /// Atoms of the link instance: all digits of its end a, then the free ones of end b.
    [[nodiscard]] std::vector<Atom> link_atoms(const Spot& from, const Spot& to, int edge, bool forward) const {
        std::vector<Atom> atoms = forward ? from.atoms : to.atoms;
        const auto& b = forward ? to.atoms : from.atoms;
        const auto& tied = space_.edges[std::size_t(edge)].from_a;
        for (std::size_t i = 0; i < tied.size(); ++i)
            if (tied[i] < 0) atoms.push_back(b[i]);
        return atoms;
    }

    void count(int edge, double part, int distance) {
        auto& levels = per_distance_[std::size_t(distance)];
        levels.resize(network_.levels.size(), 0.0);
        levels[std::size_t(network_.links[std::size_t(impl_.edges[std::size_t(edge)].link)].level)] += part;
    }

    /// Of equal-cost hops the one drawn first.
    void trace_path() {
        Path& path = result_.path;
        Seconds endpoint, hops;
        int halves = 0;
        const TargetSearch::Node* at = &source_;
        while (at->distance > 0) {
            const auto& hop = *std::min_element(at->onward.begin(), at->onward.end(),
                                                [](const auto& x, const auto& y) { return x.edge < y.edge; });
            const TargetSearch::Node& next = search_.node(hop.node);
            const Vertex& vertex = impl_.vertices[std::size_t(next.state.vertex)];
            const int link = impl_.edges[std::size_t(hop.edge)].link;
            halves += half_hops(impl_.edges[std::size_t(hop.edge)]);
            if (impl_.vertices[std::size_t(at->state.vertex)].kind != VertexKind::crossbar) {  // a domain counts once
                const LinkLatency& latency = impl_.latencies[std::size_t(link)];
                path.links.push_back(link);
                path.software = std::max(path.software, latency.software);
                endpoint = std::max(endpoint, latency.endpoint);
                hops += latency.hop;
            }
            endpoint = std::max(endpoint, vertex.endpoint);
            hops += vertex.hop;
            at = &next;
        }
        path.hops = halves / 2;
        path.endpoint = endpoint;
        path.transit = hops;
        path.step = endpoint + hops;
    }

    void summarise() {
        result_.level_share.assign(network_.levels.size(), 0.0);
        for (const auto& levels : per_distance_) {
            double outside = 0;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                result_.level_share[l] = std::max(result_.level_share[l], levels[l]);
                if (!network_.levels[l].in_domain) outside += levels[l];
                if (levels[l] > 0) result_.path.level = result_.top_level = std::max(result_.top_level, int(l));
            }
            result_.outside_share = std::max(result_.outside_share, outside);
        }
    }

    const Network& network_;
    const NetworkImpl& impl_;
    const DigitSpace& space_;
    const TargetSearch& search_;
    const TargetSearch::Node& source_;
    std::map<std::pair<int, int>, double> waiting_;  // by falling distance, then node
    std::vector<std::vector<double>> per_distance_;
    PairRoute result_;
};

}  // namespace

std::int64_t values_of(Atom atom, Relation relation, std::int64_t size) {
    if (atom != Atom::other) return 1;
    switch (relation) {
        case Relation::none: return size;
        case Relation::differ: return size - 2;
        default: return size - 1;
    }
}

PairRouter::PairRouter(const Network& network, const DigitSpace& space) : network_(network), space_(space) {}
PairRouter::~PairRouter() = default;

Result<PairRoute> PairRouter::route(const PairClass& pair) {
    const auto& vertices = network_.impl->vertices;
    if (!vertices[std::size_t(pair.from)].up || !vertices[std::size_t(pair.to)].up)
        return fail(ErrorCode::unreachable, "no path");
    auto& search = searches_[{pair.to, pair.relation}];
    if (!search) search = std::make_unique<TargetSearch>(*network_.impl, space_, pair);
    const TargetSearch::Node source = search->from(pair.from);
    if (!source.onward.empty()) return Spreading(network_, space_, *search, source).run();
    if (search->exhausted())
        return fail(ErrorCode::unsupported, "the drawing has too many nested counts to route",
                    "reduce the nesting or the counts");
    return fail(ErrorCode::unreachable, "no path");
}

}  // namespace crosspoint
