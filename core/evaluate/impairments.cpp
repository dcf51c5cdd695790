#include "core/evaluate/impairments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crosspoint::stages {
namespace {

constexpr std::size_t most_links = 3;
constexpr double slow = 0.5;

/// The links of the step by the time that they are busy, most first.
std::vector<int> busiest(const Prediction& p) {
    std::vector<LinkUse> used;
    for (const LinkUse& use : p.links)
        if (use.bytes > Bytes(0)) used.push_back(use);
    std::stable_sort(used.begin(), used.end(), [](const auto& a, const auto& b) { return a.busy > b.busy; });
    std::vector<int> links;
    for (const LinkUse& use : used)
        if (links.size() < most_links) links.push_back(use.link);
    return links;
}

Topology with_state(Topology t, const LinkRef& ref, double factor) {
    const auto worsen = [&](State& state) {
        state.factor = state.health == Health::degraded ? state.factor * factor : factor;
        state.health = Health::degraded;
    };
    if (ref.kind == LinkRef::Kind::link) {
        Link link = *t.links.find(LinkId(ref.id));
        worsen(link.state);
        t.links.put(link);
    } else {
        Container c = *t.containers.find(ContainerId(ref.id));
        worsen(c.interconnect->state);
        t.containers.put(c);
    }
    return t;
}

bool drawn(const Topology& t, const LinkRef& ref) {
    if (ref.kind == LinkRef::Kind::link) return t.links.find(LinkId(ref.id)) != nullptr;
    const Container* c = t.containers.find(ContainerId(ref.id));
    return c && c->interconnect;
}

/// Cables or planes that carry the same traffic side by side: of one instance of the end nearer to the accelerators.
double parallel(const Topology& t, const NetworkLink& link) {
    if (link.ref.kind == LinkRef::Kind::domain) {
        const auto& i = *t.containers.find(ContainerId(link.ref.id))->interconnect;
        return std::max(1, i.planes - i.planes_down);
    }
    const Link& l = *t.links.find(LinkId(link.ref.id));
    const Device* near = t.devices.find(l.a);
    const double ends = near ? double(std::max<std::int64_t>(1, instances(t, *near))) : 1;
    return std::max(1.0, std::floor(double(link.instances) / ends)) * double(std::max(1, l.lanes));
}

}  // namespace

ImpairmentMemo::ImpairmentMemo() : cache_(make_prediction_cache()) {}

void ImpairmentMemo::find_candidates(const Scenario& scenario, const Prediction& prediction) {
    candidates_.clear();
    cache_ = make_prediction_cache();
    const Topology& t = *scenario.topology;
    for (const int index : busiest(prediction)) {
        const NetworkLink& link = prediction.network->links[std::size_t(index)];
        if (!drawn(t, link.ref)) continue;
        const auto add = [&](std::string what, double factor) {
            std::shared_ptr<const Topology> changed;
            if (factor > 0) changed = std::make_shared<const Topology>(with_state(t, link.ref, factor));
            candidates_.push_back({{std::move(what), link.ref, factor <= 0, Seconds(0)}, std::move(changed)});
        };
        const double side_by_side = parallel(t, link);
        const char* unit = link.ref.kind == LinkRef::Kind::domain ? "plane" : "cable";
        add(fmt::format("{} at half its rate", link.name), slow);
        if (side_by_side > 1)
            add(fmt::format("one {} of {} of {} failed", unit, side_by_side, link.name), 1 - 1 / side_by_side);
        else add(fmt::format("the {} of {} failed", unit, link.name), 0);
    }
}

std::vector<Impairment> ImpairmentMemo::impairments(const Scenario& scenario, const Prediction& prediction) {
    if (!prediction.network) return {};
    std::vector<LinkRef> links;
    for (const int index : busiest(prediction)) links.push_back(prediction.network->links[std::size_t(index)].ref);
    if (prediction.network != network_ || links != links_) {
        find_candidates(scenario, prediction);
        network_ = prediction.network;
        links_ = std::move(links);
    }
    std::vector<Impairment> all;
    for (const Candidate& candidate : candidates_) {
        all.push_back(candidate.impairment);
        if (!candidate.drawing) continue;
        Scenario changed = scenario;
        changed.topology = candidate.drawing;
        const auto p = predict(changed, *cache_, Detail::figures);
        all.back().cut = !p;
        if (p) all.back().step = p->step_time;
    }
    return all;
}

}  // namespace crosspoint::stages
