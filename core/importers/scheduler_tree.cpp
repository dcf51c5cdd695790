#include "core/importers/scheduler_tree.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/importers/cabling_draw.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

struct Network {
    std::string_view choice, family, nic, accelerator;
    double bytes_per_s;
};
constexpr Network networks[] = {
    {"InfiniBand 400G", "infiniband", "ConnectX-7 400G", "NVIDIA H100 SXM 80 GB", 50e9},
    {"InfiniBand 200G", "infiniband", "ConnectX-6 200G", "NVIDIA A100 SXM 80 GB", 25e9},
    {"InfiniBand 800G", "infiniband", "ConnectX-8 800G", "NVIDIA B300 SXM 288 GB", 100e9},
    {"RoCE 400G", "ethernet", "ConnectX-7 400G", "NVIDIA H100 SXM 80 GB", 50e9},
};
constexpr std::string_view no_domain = "the nodes are only close to each other";

class TreeDrawer {
public:
    TreeDrawer(const SchedulerTree& tree, Sketch& sketch, const ImportOptions& options)
        : tree_(tree), sketch_(sketch), options_(options) {}

    Result<void> run() {
        for (const auto& s : tree_.switches) {
            for (const std::string& node : s.nodes) attach(host(node), network_switch(s.name));
            for (const std::string& child : s.children) join(network_switch(child), network_switch(s.name));
        }
        for (const auto& block : tree_.blocks) add_block(block);
        if (cabling_.hosts.empty())
            return fail(ErrorCode::schema, "the file names no node", "give the nodes of each switch or block");
        ask_domain();
        ask_rest();
        if (cabling_.switches.empty()) join_all();
        add_cables();
        draw(cabling_, parts_, sketch_);
        return {};
    }

private:
    int host(const std::string& name) {
        const auto [it, fresh] = hosts_.emplace(name, int(cabling_.hosts.size()));
        if (fresh) cabling_.hosts.push_back({name, "node", "", 0});
        return it->second;
    }

    int network_switch(const std::string& name) {
        const auto [it, fresh] = switches_.emplace(name, int(cabling_.switches.size()));
        if (fresh) cabling_.switches.push_back({name, "Switch"});
        if (fresh) above_.emplace_back();
        if (fresh) below_.push_back(0);
        return it->second;
    }

    void attach(int host, int leaf) {
        if (attached_.insert({host, leaf}).second) ++below_[std::size_t(leaf)];
    }

    void join(int child, int parent) {
        auto& above = above_[std::size_t(child)];
        if (child != parent && std::find(above.begin(), above.end(), parent) == above.end()) above.push_back(parent);
    }

    void add_block(const SchedulerTree::Block& block) {
        const bool domains = tree_.block_is_domain || !block.domain.empty() || !block.sub_domain.empty();
        for (const std::string& node : block.nodes) {
            const int h = host(node);
            if (!block.switch_name.empty()) attach(h, network_switch(block.switch_name));
            if (!domains || !in_block_.insert(h).second) {
                if (domains)
                    sketch_.warn(fmt::format("node {} is in two blocks; the first one counts", node), block.name);
                continue;
            }
            members_.push_back({h, tree_.block_is_domain ? block.name : block.domain, block.sub_domain});
        }
    }

    struct Member {
        int host;
        std::string domain, sub_domain;
    };

    /// A scale-up domain of the file may be its block, its domain or its sub-domain.
    void ask_domain() {
        if (members_.empty()) return;
        const bool sub =
            std::any_of(members_.begin(), members_.end(), [](const Member& m) { return !m.sub_domain.empty(); });
        const std::string outer = tree_.block_is_domain ? "block" : "domain", inner = "sub-domain";
        std::vector<std::string> choices{outer, std::string(no_domain)};
        if (sub) choices.insert(choices.begin(), inner);
        const std::string answer = sketch_.ask("scale-up-domain", "Which nodes share a scale-up fabric such as NVLink?",
                                               choices, choices.front());
        if (!options_.answers.contains("scale-up-domain"))
            sketch_.assumed(fmt::format("the nodes of a {} share one scale-up fabric", answer));
        if (answer == no_domain) return;
        std::set<std::string> names;
        for (const Member& m : members_) {
            const std::string& name = answer == inner ? m.sub_domain : m.domain;
            cabling_.hosts[std::size_t(m.host)].domain = name;
            if (!name.empty()) names.insert(name);
        }
        domains_ = !names.empty();
    }

    void ask_rest() {
        std::vector<std::string> choices;
        for (const Network& n : networks) choices.emplace_back(n.choice);
        const std::string answer =
            sketch_.ask("network", "Which network joins the nodes? The file gives no speed.", choices, choices.front());
        for (const Network& n : networks)
            if (n.choice == answer) network_ = n;
        if (!options_.answers.contains("network"))
            sketch_.assumed(fmt::format("each cable is {}; the file gives no speed", network_.choice));
        constexpr int tray = 4, node = 8;
        const HostQuestion question{
            domains_ ? tray : node, domains_ ? "NVIDIA GB200 (one GPU)" : network_.accelerator,
            domains_ ? "as a compute tray of a rack-wide domain" : "as most nodes of such clusters"};
        HostDrawing drawing = ask_host(options_, question, sketch_);
        nics_ = std::max(1, drawing.accelerators);
        sketch_.assumed(fmt::format("each node has {} NICs, one for each accelerator", nics_));
        const auto fabric = scale_up_of(drawing.accelerator_name, sketch_);
        (domains_ ? parts_.domain : drawing.fabric) = fabric;
        if (domains_) drawing.fabric.reset();
        for (Cabling::Host& host : cabling_.hosts) {
            host.nics = nics_;
            if (domains_ && host.domain.empty()) host.kind = "alone";
        }
        parts_.hosts["node"] = drawing;
        drawing.fabric = fabric;
        parts_.hosts["alone"] = drawing;
        choose_parts();
    }

    void choose_parts() {
        parts_.nic_name = std::string(network_.nic);
        parts_.nic = [this](BytesPerSecond rate) {
            const bool whole = std::abs(rate.si() / network_.bytes_per_s - 1) < 0.01;
            return sketch_.nic(whole ? std::string(network_.nic) : fmt::format("NIC {}", format_bits(rate)), rate,
                               "assumed", Confidence::assumed);
        };
        parts_.cable = [this](BytesPerSecond rate) {
            return sketch_.link(network_.family, network_.choice, rate, "assumed", Confidence::assumed);
        };
        parts_.network_switch = [this](const std::string& model, int radix, BytesPerSecond port) {
            return sketch_.network_switch(fmt::format("{} of {} ports, {}", model, radix, format_bits(port)), radix,
                                          port, "assumed: as many ports as are in use", Confidence::assumed);
        };
    }

    void join_all() {
        const int all = network_switch("network");
        for (int h = 0; h < int(cabling_.hosts.size()); ++h) attach(h, all);
        sketch_.assumed("one switch without blocking joins all nodes: the file has no switches");
    }

    void add_cables() {
        for (const auto& [h, leaf] : attached_)
            for (int nic = 0; nic < nics_; ++nic)
                cabling_.cables.push_back({{h, nic}, {-1, leaf}, network_.bytes_per_s, -1, 1});
        bool uplinks = false;
        for (const auto& above : above_) uplinks = uplinks || !above.empty();
        if (!uplinks) return;
        const std::string full = "as many as cables below";
        const std::string answer =
            sketch_.ask("uplinks", "How many cables lead up from a switch? The file does not say.",
                        {full, "half as many", "a quarter as many"}, full);
        const double share = answer == full ? 1 : answer == "half as many" ? 0.5 : 0.25;
        if (!options_.answers.contains("uplinks"))
            sketch_.assumed("a switch has as many cables to the next tier as cables below (no oversubscription)");
        for (const int s : bottom_up())
            for (const int parent : above_[std::size_t(s)]) {
                const double parents = double(above_[std::size_t(s)].size());
                const double lanes = std::ceil(double(below_[std::size_t(s)] * nics_) * share / parents);
                constexpr double most = 100'000;
                cabling_.cables.push_back(
                    {{-1, s}, {-1, parent}, network_.bytes_per_s, -1, int(std::clamp(lanes, 1.0, most))});
            }
    }

    /// Switches with all switches below before them; adds up the hosts below. What is in a cycle comes last.
    std::vector<int> bottom_up() {
        std::vector<int> waiting(above_.size()), order;
        for (const auto& above : above_)
            for (const int parent : above) ++waiting[std::size_t(parent)];
        for (int s = 0; s < int(above_.size()); ++s)
            if (waiting[std::size_t(s)] == 0) order.push_back(s);
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const int parent : above_[std::size_t(order[i])]) {
                below_[std::size_t(parent)] += below_[std::size_t(order[i])];
                if (--waiting[std::size_t(parent)] == 0) order.push_back(parent);
            }
        if (order.size() < above_.size())
            sketch_.warn("some switches are below each other in a circle; their cables are left out");
        return order;
    }

    const SchedulerTree& tree_;
    Sketch& sketch_;
    const ImportOptions& options_;
    Cabling cabling_;
    CablingParts parts_;
    std::unordered_map<std::string, int> hosts_, switches_;
    std::vector<std::vector<int>> above_;  ///< per switch
    std::vector<long long> below_;         ///< hosts under each switch
    std::set<std::pair<int, int>> attached_;
    std::set<int> in_block_;
    std::vector<Member> members_;
    bool domains_ = false;
    Network network_ = networks[0];
    int nics_ = 1;
};

}  // namespace

Result<Imported> draw_scheduler_tree(const SchedulerTree& tree, Sketch sketch, const ImportOptions& options) {
    if (auto ok = TreeDrawer(tree, sketch, options).run(); !ok) return tl::unexpected(ok.error());
    return sketch.finish();
}

}  // namespace crosspoint
