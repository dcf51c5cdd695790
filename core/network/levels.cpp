#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/network/capacities.hpp"

namespace crosspoint {
namespace {

std::string family_name(const std::string& family) {
    static const std::map<std::string, std::string> names{
        {"nvlink", "NVLink"}, {"infiniband", "InfiniBand"}, {"ethernet", "Ethernet"}, {"pcie", "PCIe"},
        {"xgmi", "xGMI"},     {"ualink", "UALink"},         {"roce", "RoCE"}};
    const auto it = names.find(family);
    return it == names.end() ? (family.empty() ? "link" : family) : it->second;
}

/// Tier of every switch: 1 next to a NIC, accelerator or host, then one more per hop. PCIe switches have none.
std::map<DeviceId, int> switch_tiers(const Topology& topology, const Catalogue& catalogue) {
    std::map<DeviceId, std::vector<DeviceId>> neighbours;
    std::vector<DeviceId> border;
    std::map<DeviceId, int> tier;
    const auto is_switch = [&](const DeviceId& id) {
        return topology.devices.find(id)->kind == DeviceKind::network_switch;
    };
    for (const Link& link : topology.links) {
        if (inside_host(catalogue.links.find(link.part))) continue;
        const bool a = is_switch(link.a), b = is_switch(link.b);
        if (a && b) {
            neighbours[link.a].push_back(link.b);
            neighbours[link.b].push_back(link.a);
        } else if (a != b && tier.emplace(a ? link.a : link.b, 1).second) {
            border.push_back(a ? link.a : link.b);
        }
    }
    for (std::size_t i = 0; i < border.size(); ++i) {
        const int next = tier.at(border[i]) + 1;
        for (const DeviceId& n : neighbours[border[i]])
            if (tier.emplace(n, next).second) border.push_back(n);
    }
    return tier;
}

struct LevelKey {
    int order = 0;
    std::string name;
    auto operator<=>(const LevelKey&) const = default;
};

LevelKey tier_level(int tier) {
    static const char* names[] = {"NIC / leaf", "spine", "core"};
    return {1 + tier, tier <= 3 ? names[tier - 1] : fmt::format("tier {}", tier)};
}

LevelKey level_of(const NetworkLink& link, const Topology& topology, const LinkPart& part,
                  const std::map<DeviceId, int>& tiers) {
    if (link.ref.kind == LinkRef::Kind::domain) return {0, family_name(part.family) + " domain"};
    const Link& drawn = *topology.links.find(LinkId(link.ref.id));
    const auto tier = [&](const DeviceId& id) {
        const auto it = tiers.find(id);
        return it == tiers.end() ? 0 : it->second;
    };
    const int a = tier(drawn.a), b = tier(drawn.b);
    if (inside_host(&part) || std::max(a, b) == 0) return {1, family_name(part.family)};
    if (drawn.wiring == Wiring::dragonfly) return {tier_level(a + 2).order, "global"};
    if (a == b) return {tier_level(a + 1).order, "switch to switch"};
    return tier_level(std::max(a, b));
}

/// What the links of one switch instance carry towards lower and towards higher tiers.
class TierSums {
public:
    TierSums(const Topology& topology, const std::map<DeviceId, int>& tiers) : topology_(topology), tiers_(tiers) {}

    void add(const NetworkLink& link) {
        if (link.ref.kind != LinkRef::Kind::link) return;
        const Link& drawn = *topology_.links.find(LinkId(link.ref.id));
        if (drawn.state.health == Health::down) return;
        add_end(link, drawn.a, drawn.b);
        if (drawn.a != drawn.b) add_end(link, drawn.b, drawn.a);
    }
    [[nodiscard]] std::vector<TierRatio> sorted() const {
        std::vector<TierRatio> result;
        for (const auto& [id, ratio] : ratios_) result.push_back(ratio);
        std::stable_sort(result.begin(), result.end(),
                         [](const TierRatio& x, const TierRatio& y) { return x.tier < y.tier; });
        return result;
    }

private:
    [[nodiscard]] int tier(const DeviceId& id) const {
        const auto it = tiers_.find(id);
        return it == tiers_.end() ? 0 : it->second;
    }
    void add_end(const NetworkLink& link, const DeviceId& at, const DeviceId& other) {
        const Device& device = *topology_.devices.find(at);
        if (tier(at) == 0 || tier(at) == tier(other) || device.state.health == Health::down) return;
        TierRatio& ratio = ratios_.try_emplace(at, TierRatio{at.value, tier(at), 0, {}, {}}).first->second;
        const double each = double(link.instances) / double(std::max<std::int64_t>(1, instances(topology_, device)));
        const bool towards_accelerators = tier(other) < tier(at);
        if (towards_accelerators) ratio.level = link.level;
        (towards_accelerators ? ratio.down : ratio.up) += link.capacity.value * each;
    }

    const Topology& topology_;
    const std::map<DeviceId, int>& tiers_;
    std::map<DeviceId, TierRatio> ratios_;
};

}  // namespace

void assign_levels(const Topology& topology, const Catalogue& catalogue, Network& network) {
    const auto tiers = switch_tiers(topology, catalogue);
    std::map<LevelKey, int> levels;
    std::vector<LevelKey> keys;
    for (const NetworkLink& link : network.links) {
        keys.push_back(level_of(link, topology, *catalogue.links.find(link.part), tiers));
        levels[keys.back()] = 0;
    }
    for (auto& [key, index] : levels) {
        index = int(network.levels.size());
        network.levels.push_back({key.name, key.order == 0});
    }
    for (std::size_t i = 0; i < keys.size(); ++i) network.links[i].level = levels.at(keys[i]);
    TierSums sums(topology, tiers);
    for (const NetworkLink& link : network.links) sums.add(link);
    network.tiers = sums.sorted();
}

}  // namespace crosspoint
