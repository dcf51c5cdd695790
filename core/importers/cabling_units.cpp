#include "core/importers/cabling_units.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace crosspoint::folding {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
    h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h ^= h >> 31;
    h *= 0xbf58476d1ce4e5b9ULL;
    return h ^ (h >> 29);
}

std::uint64_t hash_of(const std::string& text) {
    std::uint64_t h = 1469598103934665603ULL;
    for (const char c : text) h = (h ^ std::uint64_t(static_cast<unsigned char>(c))) * 1099511628211ULL;
    return h;
}

int vertex_of(const Graph& graph, const Cabling::End& end) {
    return end.host < 0 ? graph.vertex_of_switch(end.index) : graph.first_nic[std::size_t(end.host)] + end.index;
}

void number_vertices(const Cabling& cabling, Graph& graph) {
    graph.first_nic.push_back(0);
    for (std::size_t h = 0; h < cabling.hosts.size(); ++h) {
        graph.nics += cabling.hosts[h].nics;
        graph.first_nic.push_back(graph.nics);
        graph.host_of.resize(std::size_t(graph.nics), int(h));
    }
    graph.host_of.resize(std::size_t(graph.nics) + cabling.switches.size(), -1);
    graph.strands.resize(graph.host_of.size());
}

void join_cables(const Cabling& cabling, Graph& graph) {
    std::map<Graph::Kind, int> kinds;
    std::map<std::tuple<int, int, int>, int> lanes;
    for (const Cabling::Cable& cable : cabling.cables) {
        int a = vertex_of(graph, cable.a), b = vertex_of(graph, cable.b);
        if (a == b) continue;
        if (a < graph.nics && b < graph.nics) {
            ++graph.host_to_host;
            continue;
        }
        const auto [it, fresh] = kinds.emplace(Graph::Kind{cable.bytes_per_s, cable.latency_s}, int(kinds.size()));
        if (fresh) graph.kinds.push_back(it->first);
        lanes[{std::min(a, b), std::max(a, b), it->second}] += cable.lanes;
    }
    for (const auto& [key, count] : lanes) {
        const auto& [a, b, kind] = key;
        graph.strands[std::size_t(a)].push_back({b, kind, count});
        graph.strands[std::size_t(b)].push_back({a, kind, count});
    }
}

void rank_switches(Graph& graph) {
    graph.tier.assign(graph.strands.size(), -1);
    std::vector<int> queue;
    for (int v = 0; v < graph.nics; ++v) {
        graph.tier[std::size_t(v)] = 0;
        queue.push_back(v);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const int v = queue[i];
        for (const Strand& s : graph.strands[std::size_t(v)]) {
            if (graph.tier[std::size_t(s.to)] >= 0) continue;
            graph.tier[std::size_t(s.to)] = graph.tier[std::size_t(v)] + 1;
            queue.push_back(s.to);
        }
    }
    for (const int t : graph.tier) graph.tiers = std::max(graph.tiers, t);
}

class Builder {
public:
    Builder(const Cabling& cabling, const Graph& graph) : cabling_(cabling), graph_(graph) {
        units_.colours.resize(graph.strands.size());
        unit_of_.resize(graph.strands.size(), -1);
    }

    Units run() {
        add_hosts();
        add_domains();
        for (int tier = 1; tier <= graph_.tiers; ++tier) add_tier(tier);
        return std::move(units_);
    }

private:
    void add_hosts() {
        for (int h = 0; h < int(cabling_.hosts.size()); ++h) {
            Unit unit;
            unit.kind = Folded::Kind::host;
            unit.host = unit.first_host = unit.last_host = h;
            units_.roots.push_back(push(std::move(unit)));
        }
    }

    void add_domains() {
        std::map<std::string, int> number;
        std::vector<int> group(units_.roots.size());
        int next = 0;
        for (std::size_t h = 0; h < group.size(); ++h) {
            const std::string& domain = cabling_.hosts[h].domain;
            if (domain.empty()) {
                group[h] = next++;
                continue;
            }
            const auto [it, fresh] = number.emplace(domain, next);
            if (fresh) ++next;
            group[h] = it->second;
        }
        regroup(group, {}, Folded::Kind::domain, 0, [&](const Unit& unit) {
            return unit.children.size() > 1 || !cabling_.hosts[std::size_t(unit.first_host)].domain.empty();
        });
    }

    void add_tier(int tier) {
        std::vector<int> switches;
        for (int v = graph_.nics; v < int(graph_.tier.size()); ++v)
            if (graph_.tier[std::size_t(v)] == tier) switches.push_back(v);
        const std::vector<int> group = components(switches, tier);
        regroup(group, switches, Folded::Kind::unit, tier, [](const Unit& unit) { return !unit.switches.empty(); });
    }

    /// Component of every root, then of every switch of this tier.
    std::vector<int> components(const std::vector<int>& switches, int tier) {
        const std::size_t roots = units_.roots.size();
        std::vector<int> above(roots + switches.size());
        std::iota(above.begin(), above.end(), 0);
        const auto top = [&](int i) {
            while (above[std::size_t(i)] != i) i = above[std::size_t(i)] = above[std::size_t(above[std::size_t(i)])];
            return i;
        };
        std::unordered_map<int, int> slot;  // of a root unit or a switch vertex (negative)
        for (std::size_t i = 0; i < roots; ++i) slot[units_.roots[i]] = int(i);
        for (std::size_t i = 0; i < switches.size(); ++i) slot[-1 - switches[i]] = int(roots + i);
        for (std::size_t i = 0; i < switches.size(); ++i) {
            for (const Strand& s : graph_.strands[std::size_t(switches[i])]) {
                const int t = graph_.tier[std::size_t(s.to)];
                if (t > tier) continue;
                const int other = t == tier ? slot.at(-1 - s.to) : slot.at(unit_of_[std::size_t(s.to)]);
                above[std::size_t(top(int(roots + i)))] = top(other);
            }
        }
        std::vector<int> group(above.size());
        for (std::size_t i = 0; i < above.size(); ++i) group[i] = top(int(i));
        return group;
    }

    /// Puts the roots and `switches` of each group into a new unit where `wanted`; the others stay roots.
    template <class Wanted>
    void regroup(const std::vector<int>& group, const std::vector<int>& switches, Folded::Kind kind, int tier,
                 const Wanted& wanted) {
        std::map<int, Unit> fresh;
        std::vector<int> order;
        const std::size_t roots = units_.roots.size();
        for (std::size_t i = 0; i < group.size(); ++i) {
            auto [it, first] = fresh.try_emplace(group[i]);
            if (first) order.push_back(group[i]);
            if (i < roots) it->second.children.push_back(units_.roots[i]);
            else it->second.switches.push_back(switches[i - roots]);
        }
        units_.roots.clear();
        for (const int g : order) {
            Unit& unit = fresh.at(g);
            unit.kind = kind;
            unit.tier = tier;
            if (unit.children.empty()) continue;
            unit.first_host = units_.all[std::size_t(unit.children.front())].first_host;
            unit.last_host = units_.all[std::size_t(unit.children.back())].last_host;
            units_.roots.push_back(wanted(unit) ? push(std::move(unit)) : unit.children.front());
        }
    }

    int push(Unit unit) {
        const int id = int(units_.all.size());
        sign(unit);
        const auto vertices = vertices_of(unit);
        for (const int v : vertices) unit_of_[std::size_t(v)] = id;
        units_.all.push_back(std::move(unit));
        return id;
    }

    [[nodiscard]] std::vector<int> vertices_of(const Unit& unit) const {
        std::vector<int> result = unit.switches;
        std::vector<const Unit*> open{&unit};
        while (!open.empty()) {
            const Unit& at = *open.back();
            open.pop_back();
            if (at.host >= 0)
                for (int v = graph_.first_nic[std::size_t(at.host)]; v < graph_.first_nic[std::size_t(at.host) + 1];
                     ++v)
                    result.push_back(v);
            for (const int child : at.children) {
                const Unit& c = units_.all[std::size_t(child)];
                result.insert(result.end(), c.switches.begin(), c.switches.end());
                open.push_back(&c);
            }
        }
        return result;
    }

    /// Colour refinement inside the unit; switches outside count by who they are.
    void sign(Unit& unit) {
        const std::vector<int> vertices = vertices_of(unit);
        std::unordered_map<int, int> local;
        for (std::size_t i = 0; i < vertices.size(); ++i) local[vertices[i]] = int(i);
        std::vector<std::uint64_t> colour(vertices.size());
        for (std::size_t i = 0; i < vertices.size(); ++i) colour[i] = first_colour(vertices[i], local);
        const int rounds = 2 * unit.tier + 3;
        for (int round = 0; round < rounds; ++round) colour = refined(vertices, local, colour);
        const std::size_t own = unit.host >= 0 ? vertices.size() : unit.switches.size();
        for (std::size_t i = 0; i < own; ++i) units_.colours[std::size_t(vertices[i])] = colour[i];
        unit.signature = mix(std::uint64_t(unit.kind), std::uint64_t(unit.tier));
        if (unit.host >= 0) unit.signature = mix(unit.signature, kind_of(unit.host));
        std::vector<std::uint64_t> below;
        for (const int child : unit.children) below.push_back(child_identity(units_.all[std::size_t(child)]));
        std::sort(below.begin(), below.end());
        std::sort(colour.begin(), colour.end());
        for (const std::uint64_t c : colour) unit.signature = mix(unit.signature, c);
        for (const std::uint64_t c : below) unit.signature = mix(unit.signature, c);
    }

    /// What a child is, whatever it is cabled to: tells hosts without any NIC apart.
    [[nodiscard]] std::uint64_t child_identity(const Unit& unit) const {
        std::uint64_t h = mix(std::uint64_t(unit.kind), std::uint64_t(unit.tier));
        if (unit.host >= 0) return mix(h, kind_of(unit.host));
        std::vector<std::uint64_t> below;
        for (const int child : unit.children) below.push_back(child_identity(units_.all[std::size_t(child)]));
        std::sort(below.begin(), below.end());
        for (const std::uint64_t c : below) h = mix(h, c);
        return h;
    }

    [[nodiscard]] std::uint64_t kind_of(int host) const {
        const Cabling::Host& h = cabling_.hosts[std::size_t(host)];
        return mix(hash_of(h.kind), std::uint64_t(h.nics) * 2 + (h.domain.empty() ? 0 : 1));
    }

    [[nodiscard]] std::uint64_t first_colour(int vertex, const std::unordered_map<int, int>& local) const {
        const int host = graph_.host_of[std::size_t(vertex)];
        std::uint64_t h = host >= 0 ? kind_of(host)
                                    : hash_of(cabling_.switches[std::size_t(vertex - graph_.nics)].model) ^ 0x5bd1e995;
        for (const Strand& s : graph_.strands[std::size_t(vertex)])  // sorted by the far end
            if (!local.contains(s.to)) h = mix(mix(mix(h, std::uint64_t(s.to)), std::uint64_t(s.kind)), s.lanes);
        return h;
    }

    [[nodiscard]] std::vector<std::uint64_t> refined(const std::vector<int>& vertices,
                                                     const std::unordered_map<int, int>& local,
                                                     const std::vector<std::uint64_t>& colour) const {
        std::unordered_map<int, std::uint64_t> of_host;  // the NICs of one host belong together
        for (std::size_t i = 0; i < vertices.size(); ++i)
            if (const int host = graph_.host_of[std::size_t(vertices[i])]; host >= 0)
                of_host[host] += mix(colour[i], 7);
        std::vector<std::uint64_t> result(colour.size());
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            std::uint64_t sum = 0;  // the order of neighbours says nothing
            for (const Strand& s : graph_.strands[std::size_t(vertices[i])])
                if (const auto it = local.find(s.to); it != local.end())
                    sum += mix(mix(colour[std::size_t(it->second)], std::uint64_t(s.kind)), std::uint64_t(s.lanes));
            result[i] = mix(colour[i], sum);
            if (const int host = graph_.host_of[std::size_t(vertices[i])]; host >= 0)
                result[i] = mix(result[i], of_host.at(host));
        }
        return result;
    }

    const Cabling& cabling_;
    const Graph& graph_;
    Units units_;
    std::vector<int> unit_of_;  ///< outermost so far, per vertex
};

}  // namespace

Graph graph_of(const Cabling& cabling) {
    Graph graph;
    number_vertices(cabling, graph);
    join_cables(cabling, graph);
    rank_switches(graph);
    return graph;
}

Units units_of(const Cabling& cabling, const Graph& graph) { return Builder(cabling, graph).run(); }

}  // namespace crosspoint::folding
