#include "core/network/flow_graph.hpp"

#include <algorithm>

namespace crosspoint {

FlowGraph::FlowGraph(std::vector<char> forwards, const std::vector<Cable>& cables) : forwards_(std::move(forwards)) {
    first_.assign(forwards_.size() + 1, 0);
    head_.reserve(cables.size() * 2);
    for (const Cable& cable : cables) {
        head_.push_back(cable.b);
        head_.push_back(cable.a);
        tag_.push_back(cable.tag);
        cost_.push_back(cable.cost);
        ++first_[std::size_t(cable.a) + 1];
        ++first_[std::size_t(cable.b) + 1];
    }
    for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
    out_.resize(head_.size());
    std::vector<int> next(first_.begin(), first_.end());
    for (int arc = 0; arc < arcs(); ++arc) out_[std::size_t(next[std::size_t(tail(arc))]++)] = arc;
}

FlowSpread::FlowSpread(const FlowGraph& graph)
    : graph_(graph),
      loads_(std::size_t(graph.arcs())),
      amount_(std::size_t(graph.nodes())),
      stamp_(std::size_t(graph.nodes())),
      distance_(std::size_t(graph.nodes())) {}

bool FlowSpread::send(int target, const std::vector<Supply>& sources) {
    ++round_;
    target_ = target;
    carriers_.clear();
    for (auto& bucket : buckets_) bucket.clear();
    reach(target, 0);
    if (!search(sources)) return false;
    for (const Supply& source : sources) amount_[std::size_t(source.node)] += source.amount;
    hand_inwards();
    return true;
}

void FlowSpread::reach(int node, int distance) {
    if (seen(node) && distance_[std::size_t(node)] <= distance) return;
    stamp_[std::size_t(node)] = round_;
    distance_[std::size_t(node)] = distance;
    if (buckets_.size() <= std::size_t(distance)) buckets_.resize(std::size_t(distance) + 1);
    buckets_[std::size_t(distance)].push_back(node);
}

/// Outwards, as far as the sources need.
bool FlowSpread::search(const std::vector<Supply>& sources) {
    std::size_t waiting = 0;  // sources before it are settled
    for (std::size_t d = 0; d < buckets_.size(); ++d) {
        reached_ = int(d);
        while (waiting < sources.size() && seen(sources[waiting].node) && settled(sources[waiting].node)) ++waiting;
        if (waiting == sources.size()) return true;
        for (std::size_t i = 0; i < buckets_[d].size(); ++i) {
            const int node = buckets_[d][i];
            if (distance(node) == int(d)) settle(node);
        }
    }
    stranded_ = waiting < sources.size() ? sources[waiting].node : -1;
    return waiting == sources.size();
}

void FlowSpread::settle(int node) {
    if (node != target_ && !graph_.forwards(node)) return;
    for (const int arc : graph_.leaving(node)) reach(graph_.head(arc), distance(node) + graph_.cost(arc));
}

void FlowSpread::hand_inwards() {
    for (std::size_t d = std::size_t(reached_) + 1; d-- > 0;)
        for (const int node : buckets_[d])
            if (distance(node) == int(d) && amount_[std::size_t(node)] != 0) hand_on(node);
    std::reverse(carriers_.begin(), carriers_.end());
}

void FlowSpread::hand_on(int node) {
    const double amount = amount_[std::size_t(node)];
    amount_[std::size_t(node)] = 0;
    if (node == target_) return;
    carriers_.push_back(node);
    int ways = 0;
    onward(node, [&](int) { ++ways; });
    onward(node, [&](int arc) {
        loads_[std::size_t(arc)] += amount / ways;
        amount_[std::size_t(graph_.head(arc))] += amount / ways;
    });
}

}  // namespace crosspoint
