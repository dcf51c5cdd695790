// Private to core/network: a graph of single instances, and traffic spread evenly over its shortest ways.
//
// Traffic is routed target by target: one search outward from the target, then all amounts handed inwards at once. The
// load R^T d of the cost model is summed as it is found; neither R nor the demand of all pairs is ever stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crosspoint {

/// Every cable is two arcs: arc 2i from end a to end b, arc 2i + 1 back.
class FlowGraph {
public:
    struct Cable {
        int a = 0, b = 0;
        int tag = 0;   ///< its class, for the caller
        int cost = 2;  ///< half hops, 1 or more
    };
    FlowGraph() = default;
    /// `forwards`: per node, whether traffic may pass through it.
    FlowGraph(std::vector<char> forwards, const std::vector<Cable>& cables);

    [[nodiscard]] int nodes() const { return int(forwards_.size()); }
    [[nodiscard]] int arcs() const { return int(head_.size()); }
    [[nodiscard]] int head(int arc) const { return head_[std::size_t(arc)]; }
    [[nodiscard]] int tail(int arc) const { return head_[std::size_t(arc) ^ 1U]; }
    [[nodiscard]] int cost(int arc) const { return cost_[std::size_t(arc) >> 1U]; }
    [[nodiscard]] int tag(int arc) const { return tag_[std::size_t(arc) >> 1U]; }
    [[nodiscard]] bool forwards(int node) const { return forwards_[std::size_t(node)] != 0; }
    /// In the order in which the cables were given.
    [[nodiscard]] std::span<const int> leaving(int node) const {
        const auto from = std::size_t(first_[std::size_t(node)]), to = std::size_t(first_[std::size_t(node) + 1]);
        return {out_.data() + from, to - from};
    }

private:
    std::vector<char> forwards_;
    std::vector<int> first_{0}, out_, head_, tag_, cost_;
};

struct Supply {
    int node = 0;
    double amount = 0;
};

/// Spreads traffic over a graph; loads add up from call to call.
class FlowSpread {
public:
    explicit FlowSpread(const FlowGraph& graph);

    /// Sends every amount to `target`. False where a source has no way; then stranded() is one such node and nothing
    /// was sent. A source at the target itself sends nothing.
    bool send(int target, const std::vector<Supply>& sources);

    [[nodiscard]] const std::vector<double>& loads() const { return loads_; }  ///< per arc
    [[nodiscard]] int stranded() const { return stranded_; }
    /// Of the last call: nodes with traffic, the target's neighbours first.
    [[nodiscard]] const std::vector<int>& carriers() const { return carriers_; }
    [[nodiscard]] int distance(int node) const { return distance_[std::size_t(node)]; }  ///< half hops
    /// Of the last call: calls visit(arc) for each arc of a shortest way that leaves the node.
    template <class Visit>
    void onward(int node, Visit visit) const {
        for (const int arc : graph_.leaving(node))
            if (leads_on(arc)) visit(arc);
    }
    /// The first of them; every carrier has one.
    [[nodiscard]] int first_onward(int node) const {
        for (const int arc : graph_.leaving(node))
            if (leads_on(arc)) return arc;
        return -1;
    }

private:
    [[nodiscard]] bool seen(int node) const { return stamp_[std::size_t(node)] == round_; }
    [[nodiscard]] bool leads_on(int arc) const {
        const int next = graph_.head(arc);
        return seen(next) && (next == target_ || graph_.forwards(next)) &&
               distance(next) + graph_.cost(arc) == distance(graph_.tail(arc)) && settled(next);
    }
    [[nodiscard]] bool settled(int node) const { return distance(node) <= reached_; }
    void reach(int node, int distance);
    bool search(const std::vector<Supply>& sources);
    void settle(int node);
    void hand_inwards();
    void hand_on(int node);

    const FlowGraph& graph_;
    std::vector<double> loads_, amount_;
    std::vector<int> stamp_, distance_, carriers_;
    std::vector<std::vector<int>> buckets_;  // by distance
    int round_ = 0, target_ = -1, stranded_ = -1, reached_ = 0;
};

}  // namespace crosspoint
