#include "core/network/pair_route.hpp"

#include <algorithm>

namespace crosspoint {
namespace {

constexpr std::size_t max_states = 200'000;  // a guard against hostile drawings; real ones need some tens

struct State {
    int vertex = 0;
    std::vector<Atom> atoms;  // per digit of the vertex
    auto operator<=>(const State&) const = default;
};

struct Step {
    int edge = 0;
    bool forward = true;
    State to;
    double ways = 1;  // instances of `to` that one instance of the current state reaches over this edge
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

class Search {
public:
    Search(const Network& network, const DigitSpace& space, const PairClass& pair)
        : network_(network), impl_(*network.impl), space_(space), pair_(pair) {
        source_ = end_state(pair.from, Atom::source);
        target_ = end_state(pair.to, Atom::target);
    }

    Result<PairRoute> run() {
        if (!impl_.vertices[std::size_t(pair_.from)].up || !impl_.vertices[std::size_t(pair_.to)].up || !measure()) {
            if (distance_.size() >= max_states)
                return fail(ErrorCode::unsupported, "the drawing has too many nested counts to route",
                            "reduce the nesting or the counts");
            return fail(ErrorCode::unreachable, "no path");
        }
        push_flows();
        trace_path();
        summarise();
        return std::move(result_);
    }

private:
    [[nodiscard]] State end_state(int vertex, Atom own) const {
        State state{vertex, {}};
        for (const auto& d : space_.vertex_digits[std::size_t(vertex)])
            state.atoms.push_back(pair_.relation[std::size_t(d.set)] == Relation::same ? Atom::same : own);
        return state;
    }

    /// States that edge `e` reaches from `state`; accelerators other than the two ends do not take part.
    void steps_over(const State& state, int e, bool forward, std::vector<Step>& out) const {
        const GraphEdge& edge = impl_.edges[std::size_t(e)];
        const EdgeDigits& tie = space_.edges[std::size_t(e)];
        const int next = forward ? edge.b : edge.a;
        if (!impl_.vertices[std::size_t(next)].up) return;
        const auto& from = forward ? tie.from_a : tie.from_b;
        if (impl_.vertices[std::size_t(next)].kind == VertexKind::accelerator) {
            for (const State* end : {&source_, &target_})
                if (end->vertex == next && fits(state, *end, from)) out.push_back({e, forward, *end, 1});
            return;
        }
        Step step{e, forward, {next, std::vector<Atom>(from.size())}, 1};
        branch(state, from, 0, step, out);
    }

    static bool fits(const State& state, const State& end, const std::vector<int>& from) {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i] >= 0 && state.atoms[std::size_t(from[i])] != end.atoms[i]) return false;
        return true;
    }

    void branch(const State& state, const std::vector<int>& from, std::size_t digit, Step& step,
                std::vector<Step>& out) const {
        if (out.size() > max_states) return;
        if (digit == from.size()) {
            out.push_back(step);
            return;
        }
        if (from[digit] >= 0) {
            step.to.atoms[digit] = state.atoms[std::size_t(from[digit])];
            branch(state, from, digit + 1, step, out);
            return;
        }
        const int set = space_.vertex_digits[std::size_t(step.to.vertex)][digit].set;
        const Relation relation = pair_.relation[std::size_t(set)];
        const double ways = step.ways;
        for (const Atom atom : atoms_for(relation)) {
            const auto values = values_of(atom, relation, space_.set_size[std::size_t(set)]);
            if (values <= 0) continue;
            step.to.atoms[digit] = atom;
            step.ways = ways * double(values);
            branch(state, from, digit + 1, step, out);
        }
        step.ways = ways;
    }

    [[nodiscard]] std::vector<Step> steps_from(const State& state) const {
        std::vector<Step> steps;
        for (const int e : impl_.edges_of[std::size_t(state.vertex)]) {
            const GraphEdge& edge = impl_.edges[std::size_t(e)];
            if (edge.a == state.vertex) steps_over(state, e, true, steps);
            if (edge.b == state.vertex) steps_over(state, e, false, steps);
        }
        return steps;
    }

    /// Distances to the target in half hops, outward until the source is settled. Edge costs are 1 or 2.
    bool measure() {
        std::vector<std::vector<State>> at(1, {target_});
        distance_[target_] = 0;
        for (std::size_t d = 0; d < at.size(); ++d) {
            for (std::size_t i = 0; i < at[d].size(); ++i) {
                const State state = at[d][i];
                if (distance_[state] != int(d)) continue;
                if (state == source_) return true;
                if (impl_.vertices[std::size_t(state.vertex)].kind == VertexKind::accelerator && state != target_)
                    continue;
                for (const Step& step : steps_from(state)) {
                    const int next = int(d) + impl_.edges[std::size_t(step.edge)].cost;
                    const auto [it, added] = distance_.try_emplace(step.to, next);
                    if (!added && it->second <= next) continue;
                    it->second = next;
                    if (at.size() <= std::size_t(next)) at.resize(std::size_t(next) + 1);
                    at[std::size_t(next)].push_back(step.to);
                    if (distance_.size() >= max_states) return false;
                }
            }
        }
        return false;
    }

    /// Steps that lead one edge nearer to the target on a shortest path.
    [[nodiscard]] std::vector<Step> onward(const State& state, int distance) const {
        auto steps = steps_from(state);
        std::erase_if(steps, [&](const Step& step) {
            const auto it = distance_.find(step.to);
            return it == distance_.end() || it->second != distance - impl_.edges[std::size_t(step.edge)].cost;
        });
        return steps;
    }

    void push_flows() {
        const int start = distance_.at(source_);
        std::vector<std::map<State, double>> layers(std::size_t(start) + 1);
        layers[std::size_t(start)][source_] = 1;
        per_distance_.resize(std::size_t(start) + 1);
        for (int d = start; d > 0; --d)
            for (const auto& [state, amount] : layers[std::size_t(d)]) spread(state, amount, d, layers);
    }

    void spread(const State& state, double amount, int distance, std::vector<std::map<State, double>>& layers) {
        const auto steps = onward(state, distance);
        double ways = 0;
        for (const Step& step : steps) ways += step.ways;
        for (const Step& step : steps) {
            const double part = amount * step.ways / ways;
            const int cost = impl_.edges[std::size_t(step.edge)].cost;
            layers[std::size_t(distance - cost)][step.to] += part;
            result_.flows.push_back({step.edge, step.forward, link_atoms(state, step), part});
            count(step.edge, part, distance);
        }
    }

    /// Atoms of the link instance: all digits of its end a, then the free ones of end b.
    [[nodiscard]] std::vector<Atom> link_atoms(const State& state, const Step& step) const {
        const auto& a = step.forward ? state.atoms : step.to.atoms;
        const auto& b = step.forward ? step.to.atoms : state.atoms;
        std::vector<Atom> atoms = a;
        const auto& tied = space_.edges[std::size_t(step.edge)].from_a;
        for (std::size_t i = 0; i < tied.size(); ++i)
            if (tied[i] < 0) atoms.push_back(b[i]);
        return atoms;
    }

    void count(int edge, double part, int distance) {
        auto& levels = per_distance_[std::size_t(distance)];
        levels.resize(network_.levels.size(), 0.0);
        levels[std::size_t(network_.links[std::size_t(impl_.edges[std::size_t(edge)].link)].level)] += part;
    }

    void trace_path() {
        Path& path = result_.path;
        Seconds endpoint, hops;
        State state = source_;
        for (int d = distance_.at(source_); d > 0;) {
            const Step step = onward(state, d).front();
            const int link = impl_.edges[std::size_t(step.edge)].link;
            const LinkLatency& latency = impl_.latencies[std::size_t(link)];
            const Vertex& next = impl_.vertices[std::size_t(step.to.vertex)];
            if (impl_.vertices[std::size_t(state.vertex)].kind != VertexKind::crossbar) {  // a domain counts once
                path.links.push_back(link);
                path.software = std::max(path.software, latency.software);
                endpoint = std::max(endpoint, latency.endpoint);
                hops += latency.hop;
            }
            endpoint = std::max(endpoint, next.endpoint);
            hops += next.hop;
            d -= impl_.edges[std::size_t(step.edge)].cost;
            state = step.to;
        }
        path.hops = distance_.at(source_) / 2;
        path.step = endpoint + hops;
    }

    void summarise() {
        result_.level_share.assign(network_.levels.size(), 0.0);
        for (const auto& levels : per_distance_) {
            double outside = 0;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                result_.level_share[l] = std::max(result_.level_share[l], levels[l]);
                if (!network_.levels[l].in_domain) outside += levels[l];
                if (levels[l] > 0) result_.top_level = std::max(result_.top_level, int(l));
            }
            result_.outside_share = std::max(result_.outside_share, outside);
        }
    }

    const Network& network_;
    const NetworkImpl& impl_;
    const DigitSpace& space_;
    const PairClass& pair_;
    State source_, target_;
    std::map<State, int> distance_;
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

Result<PairRoute> route_pair(const Network& network, const DigitSpace& space, const PairClass& pair) {
    return Search(network, space, pair).run();
}

}  // namespace crosspoint
