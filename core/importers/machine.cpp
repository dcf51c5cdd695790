#include "core/importers/machine.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double giga = 1e9;
constexpr int full_width = 16;

void collect(const MachineNode& node, std::vector<const MachineNode*>& gpus) {
    if (node.kind == MachineNode::Kind::gpu) gpus.push_back(&node);
    for (const auto& child : node.children) collect(child, gpus);
}

bool is_leaf(const MachineNode& n) { return n.kind == MachineNode::Kind::gpu || n.kind == MachineNode::Kind::nic; }

void prune(MachineNode& node) {
    for (auto& child : node.children) prune(child);
    std::erase_if(node.children, [](const MachineNode& n) { return !is_leaf(n) && n.children.empty(); });
}

double slower(double a, double b) { return a <= 0 ? b : b <= 0 ? a : std::min(a, b); }

/// A bridge with one thing below it is drawn as that thing's link.
int collapse(MachineNode& node) {
    int collapsed = 0;
    for (auto& child : node.children) {
        collapsed += collapse(child);
        while (child.kind == MachineNode::Kind::bridge && child.children.size() == 1) {
            MachineNode inner = std::move(child.children.front());
            inner.up = slower(inner.up, child.up);
            child = std::move(inner);
            ++collapsed;
        }
    }
    return collapsed;
}

double fastest_below(const MachineNode& node) {
    double best = 0;
    for (const auto& child : node.children) best = std::max({best, child.up, fastest_below(child)});
    return best;
}

/// Bridges whose uplink is at most half as fast as something below them: probably read while idle.
void find_slow(MachineNode& node, std::vector<MachineNode*>& slow) {
    for (auto& child : node.children) {
        if (child.kind == MachineNode::Kind::bridge && child.up > 0 && child.up <= fastest_below(child) / 2)
            slow.push_back(&child);
        find_slow(child, slow);
    }
}

void ask_about_slow_uplinks(Sketch& sketch, Machine& machine) {
    std::vector<MachineNode*> slow;
    for (auto& cpu : machine.cpus) find_slow(cpu, slow);
    if (slow.empty()) return;
    const MachineNode& first = *slow.front();
    const std::string answer = sketch.ask(
        "slow-uplinks",
        fmt::format("{} PCIe uplink{} slower than what is below (at {}: {} above {}). Ports slow down while a "
                    "machine is idle: are they that slow under load?",
                    slow.size(), slow.size() == 1 ? " is" : "s are", first.key, format(BytesPerSecond(first.up)),
                    format(BytesPerSecond(fastest_below(first)))),
        {"full speed", "as stated"}, "full speed");
    if (answer == "as stated") return;
    for (auto it = slow.rbegin(); it != slow.rend(); ++it) {
        const double full = fastest_below(**it);
        sketch.converted(fmt::format("PCIe uplink of {} read as {} instead of {}: down-trained while idle", (*it)->key,
                                     format(BytesPerSecond(full)), format(BytesPerSecond((*it)->up))),
                         (*it)->where);
        (*it)->up = full;
    }
}

struct PeerTable {
    std::vector<std::vector<int>> pairs;
    std::vector<int> to_switch;
    std::map<std::string, int> switches;
};

PeerTable table_of(Sketch& sketch, const Machine& machine, const std::map<std::string, int>& index) {
    PeerTable t;
    t.pairs.assign(index.size(), std::vector<int>(index.size(), 0));
    t.to_switch.assign(index.size(), 0);
    for (const PeerLink& link : machine.peers) {
        const auto from = index.find(link.from);
        if (from == index.end()) continue;
        if (link.to_switch) {
            t.to_switch[std::size_t(from->second)] += link.count;
            t.switches[link.to] += link.count;
            continue;
        }
        const auto to = index.find(link.to);
        if (to == index.end())
            sketch.warn(fmt::format("a link to {}, which is no GPU of this file, is left out", link.to));
        else t.pairs[std::size_t(from->second)][std::size_t(to->second)] += link.count;
    }
    for (std::size_t i = 0; i < index.size(); ++i)
        for (std::size_t j = i + 1; j < index.size(); ++j) {
            int &a = t.pairs[i][j], &b = t.pairs[j][i];
            if (a != b)
                sketch.warn("some links are listed at one end only, or with another count; the larger count is taken");
            a = b = std::max(a, b);
        }
    return t;
}

std::vector<std::vector<int>> components(const std::vector<std::vector<int>>& pairs) {
    std::vector<int> of(pairs.size(), -1);
    std::vector<std::vector<int>> result;
    for (std::size_t start = 0; start < pairs.size(); ++start) {
        if (of[start] >= 0) continue;
        std::vector<int> open{int(start)}, members;
        of[start] = int(result.size());
        while (!open.empty()) {
            const int at = open.back();
            open.pop_back();
            members.push_back(at);
            for (std::size_t j = 0; j < pairs.size(); ++j)
                if (pairs[std::size_t(at)][j] > 0 && of[j] < 0) of[j] = int(result.size()), open.push_back(int(j));
        }
        std::sort(members.begin(), members.end());
        result.push_back(std::move(members));
    }
    return result;
}

/// Links of every pair of the group when all pairs have the same number; else 0.
int even_count(const std::vector<int>& group, const std::vector<std::vector<int>>& pairs) {
    const int first = pairs[std::size_t(group[0])][std::size_t(group[1])];
    for (const int i : group)
        for (const int j : group)
            if (i != j && pairs[std::size_t(i)][std::size_t(j)] != first) return 0;
    return first;
}

ScaleUp switched(Sketch& sketch, const Machine& machine, const PeerTable& t) {
    ScaleUp result;
    result.form = ScaleUp::Form::switched;
    result.planes = int(std::max<std::size_t>(1, t.switches.size()));
    result.groups.emplace_back();
    int least = 0, most = 0;
    for (std::size_t i = 0; i < t.to_switch.size(); ++i) {
        if (t.to_switch[i] == 0) continue;
        result.groups[0].push_back(int(i));
        least = least ? std::min(least, t.to_switch[i]) : t.to_switch[i];
        most = std::max(most, t.to_switch[i]);
    }
    if (least != most)
        sketch.warn(fmt::format("GPUs have {} to {} links to the switches; the domain is drawn with {} for all", least,
                                most, least));
    result.bandwidth.push_back(least * machine.per_link);
    sketch.converted(fmt::format("{} {} links of {} a GPU to {} switch{}: one domain of {} per GPU and direction",
                                 least, machine.family, format(BytesPerSecond(machine.per_link)), t.switches.size(),
                                 t.switches.size() == 1 ? "" : "es", format(BytesPerSecond(result.bandwidth[0]))));
    return result;
}

ScaleUp meshed(Sketch& sketch, const Machine& machine, const PeerTable& t) {
    ScaleUp result;
    for (auto& group : components(t.pairs)) {
        if (group.size() < 2) continue;
        const int count = even_count(group, t.pairs);
        if (count == 0) {
            result = {ScaleUp::Form::links, {}, {}, 1, t.pairs};
            sketch.converted(fmt::format("the {} links are uneven and drawn one by one, {} a link and direction",
                                         machine.family, format(BytesPerSecond(machine.per_link))));
            return result;
        }
        result.form = ScaleUp::Form::mesh;
        result.bandwidth.push_back(count * double(group.size() - 1) * machine.per_link);
        sketch.converted(
            fmt::format("{} GPUs joined pairwise by {} {} link{} of {}: a full mesh of {} per GPU and direction",
                        group.size(), count, machine.family, count == 1 ? "" : "s",
                        format(BytesPerSecond(machine.per_link)), format(BytesPerSecond(result.bandwidth.back()))));
        result.groups.push_back(std::move(group));
    }
    return result;
}

}  // namespace

double pcie_x16(int generation) {
    // Payload of one direction; Gen4 and Gen5 as in the catalogue's link parts, others 128b/130b or 8b/10b coding.
    constexpr double gbps[] = {0, 4, 8, 15.75, 31, 63, 121};
    const int last = int(std::size(gbps)) - 1;
    return gbps[std::clamp(generation, 1, last)] * giga;
}

double pcie_bandwidth(Sketch& sketch, std::string_view speed, int width, const std::string& where) {
    struct Speed {
        std::string_view text;
        int generation;
    };
    constexpr Speed speeds[] = {{"2.5 GT/s", 1},       {"5 GT/s", 2},         {"8 GT/s", 3},
                                {"16 GT/s", 4},        {"32 GT/s", 5},        {"64 GT/s", 6},
                                {"2.5 GT/s PCIe", 1},  {"5.0 GT/s PCIe", 2},  {"8.0 GT/s PCIe", 3},
                                {"16.0 GT/s PCIe", 4}, {"32.0 GT/s PCIe", 5}, {"64.0 GT/s PCIe", 6}};
    int generation = 0;
    for (const Speed& s : speeds)
        if (s.text == speed) generation = s.generation;
    if (generation == 0) {
        generation = 3;
        sketch.assumed(fmt::format("link speed '{}' is not one that NCCL knows; read as Gen3, as NCCL does", speed),
                       where);
    }
    if (width <= 0 || width > 32) {
        sketch.assumed(fmt::format("link width {}; read as 16 lanes", width), where);
        width = full_width;
    }
    return pcie_x16(generation) * width / full_width;
}

std::vector<const MachineNode*> gpus_of(const Machine& machine) {
    std::vector<const MachineNode*> gpus;
    for (const auto& cpu : machine.cpus) collect(cpu, gpus);
    return gpus;
}

ScaleUp scale_up_of(Sketch& sketch, const Machine& machine) {
    const auto gpus = gpus_of(machine);
    if (machine.peers.empty()) {
        if (machine.domain <= 0 || gpus.size() < 2) return {};
        ScaleUp all{ScaleUp::Form::switched, {{}}, {machine.domain}, 1, {}};
        for (std::size_t i = 0; i < gpus.size(); ++i) all.groups[0].push_back(int(i));
        return all;
    }
    std::map<std::string, int> index;
    for (std::size_t i = 0; i < gpus.size(); ++i) index.emplace(gpus[i]->key, int(i));
    if (index.size() != gpus.size()) {
        sketch.warn("two GPUs have one bus id; the links between GPUs are left out");
        return {};
    }
    const PeerTable table = table_of(sketch, machine, index);
    return table.switches.empty() ? meshed(sketch, machine, table) : switched(sketch, machine, table);
}

void simplify(Sketch& sketch, Machine& machine) {
    for (auto& cpu : machine.cpus) prune(cpu);
    ask_about_slow_uplinks(sketch, machine);
    int collapsed = 0;
    for (auto& cpu : machine.cpus) collapsed += collapse(cpu);
    const auto idle = [](const MachineNode& cpu) { return cpu.children.empty(); };
    if (!std::all_of(machine.cpus.begin(), machine.cpus.end(), idle)) {
        for (const auto& cpu : machine.cpus)
            if (idle(cpu)) sketch.ignored(fmt::format("{} has neither GPU nor NIC", cpu.name), cpu.where);
        std::erase_if(machine.cpus, idle);
    }
    if (collapsed > 0)
        sketch.converted(fmt::format("PCIe bridges with a single thing below are drawn as its link: {}", collapsed));
}

}  // namespace crosspoint
