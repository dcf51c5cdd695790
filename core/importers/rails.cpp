#include "core/importers/rails.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

class RailDrawer {
public:
    RailDrawer(const RailSystem& system, Sketch& sketch) : system_(system), sketch_(sketch) {}

    void run() {
        std::vector<ContainerId> around;  // of each tier, innermost first
        std::optional<ContainerId> parent;
        for (std::size_t t = system_.tiers.size(); t-- > 0;) {
            Container container;
            container.parent = parent;
            container.kind = t == 0 ? ContainerKind::pod : ContainerKind::site;
            container.name = fmt::format("{} units", system_.tiers[t].units);
            container.count = t + 1 < system_.tiers.size() ? system_.tiers[t + 1].units : 1;
            parent = sketch_.add("tier", std::move(container));
            around.insert(around.begin(), *parent);
        }
        const ContainerId inner = add_domain(parent);
        for (std::size_t t = 0; t < system_.tiers.size(); ++t) add_tier(system_.tiers[t], inner, around[t]);
    }

private:
    ContainerId add_domain(const std::optional<ContainerId>& parent) {
        const bool chassis = system_.per_node > 0 && system_.per_node < system_.domain;
        Container container;
        container.parent = parent;
        container.kind = chassis ? ContainerKind::rack : ContainerKind::node;
        container.name = chassis ? "Rack" : "Node";
        container.count = system_.tiers.empty() ? 1 : system_.tiers.front().units;
        container.interconnect = system_.fabric;
        ContainerId id = sketch_.add(chassis ? "rack" : "node", std::move(container));
        std::int64_t here = system_.domain;
        if (chassis) {
            Container node;
            node.parent = id;
            node.kind = ContainerKind::node;
            node.name = "Node";
            node.count = system_.domain / system_.per_node;
            here = system_.per_node;
            id = sketch_.add("node", std::move(node));
        }
        Device device;
        device.parent = id;
        device.kind = DeviceKind::accelerator;
        device.part = system_.accelerator;
        device.name = system_.accelerator_name;
        device.count = here;
        here_ = here;
        accelerators_ = sketch_.add("accelerator", std::move(device));
        return id;
    }

    void add_tier(const RailTier& tier, const ContainerId& inner, const ContainerId& outer) {
        Device nic;
        nic.parent = inner;
        nic.kind = DeviceKind::nic;
        nic.name = tier.name + " NIC";
        nic.count = here_;
        nic.part = sketch_.nic(fmt::format("{} NIC", tier.name), tier.rate, system_.source);
        const DeviceId nic_id = sketch_.add("nic", std::move(nic));
        Device rail;
        rail.parent = outer;
        rail.kind = DeviceKind::network_switch;
        rail.name = tier.name + " switch";
        rail.count = here_;
        constexpr std::int64_t most_ports = 1'000'000;
        rail.part =
            sketch_.network_switch(fmt::format("{} switch", tier.name),
                                   int(std::clamp<std::int64_t>(tier.units, 1, most_ports)), tier.rate, system_.source);
        const DeviceId rail_id = sketch_.add("switch", std::move(rail));
        add_link(accelerators_, nic_id, sketch_.link("pcie", tier.name + " port", tier.rate, system_.source), tier,
                 false);
        add_link(nic_id, rail_id, sketch_.link(tier.family, tier.name + " cable", tier.rate, system_.source), tier,
                 true);
    }

    void add_link(const DeviceId& a, const DeviceId& b, PartId part, const RailTier& tier, bool cable) {
        Link link;
        link.a = a;
        link.b = b;
        link.part = std::move(part);
        link.wiring = !cable ? Wiring::one_to_one : here_ > 1 ? Wiring::rail : Wiring::each_to_each;
        if (tier.exact || !cable) link.bandwidth = tier.rate;
        if (cable && tier.latency && tier.latency->si() > 0) link.latency = tier.latency;
        sketch_.add(cable ? "cable" : "port", std::move(link));
    }

    const RailSystem& system_;
    Sketch& sketch_;
    std::int64_t here_ = 1;  ///< accelerators of the innermost container
    DeviceId accelerators_;
};

}  // namespace

void draw_rails(const RailSystem& system, Sketch& sketch) { RailDrawer(system, sketch).run(); }

std::string ask_accelerator(const ImportOptions& options, std::string_view fallback, Sketch& sketch) {
    std::vector<std::string> names;
    if (options.catalogue)
        for (const AcceleratorPart& part : options.catalogue->accelerators) names.push_back(part.name);
    if (std::find(names.begin(), names.end(), fallback) == names.end()) names.emplace_back(fallback);
    const std::string answer =
        sketch.ask("accelerator", "Which accelerator is it? The file does not say.", names, std::string(fallback));
    if (!options.answers.contains("accelerator"))
        sketch.assumed(fmt::format("the accelerators are {}; the file does not say", answer));
    return answer;
}

}  // namespace crosspoint
