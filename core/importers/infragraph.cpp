// InfraGraph: devices made of components, instances of devices, and edges over named links. Instances with an xpu are
// hosts; switches whose only neighbours are xpus are a scale-up fabric; the other instances are switches, or NICs of
// the host that they are joined to. A bandwidth is that of one link, one direction; its unit is in its key.
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/importers/cabling_draw.hpp"
#include "core/importers/infragraph.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    const std::string plain = lower(text);
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view w) { return plain.find(w) != std::string::npos; });
}

enum class Role { host, nic, network_switch };

struct Placed {
    InfraDevice device;
    std::int64_t count = 1;
    Role role = Role::network_switch;
    int first = 0;  ///< number of its first host or switch
};

/// What links of one name carry; a link without a bandwidth is a question.
struct Rate {
    double bytes_per_s = 0, latency_s = -1;
    std::string name;
};

class Drawer {
public:
    Drawer(InfraGraph graph, const ImportOptions& options, Sketch& sketch)
        : graph_(std::move(graph)), options_(options), sketch_(sketch) {}

    Result<void> run() {
        if (auto ok = place(); !ok) return ok;
        ask_unit();
        find_fabrics();
        number_nics();
        for (const InfraEdge& edge : graph_.edges) add_cable(edge);
        for (auto& [name, placed] : placed_)
            if (placed.role == Role::host) add_kind(name, placed);
        name_domains();
        choose_parts();
        draw(cabling_, parts_, sketch_);
        return {};
    }

private:
    // Instances and what they are.

    Result<void> place() {
        for (const InfraInstance& i : graph_.instances) placed_[i.name] = {device_of(i.device, i.name), i.count, {}, 0};
        for (const InfraEdge& edge : graph_.edges)
            for (const InfraEnd* end : {&edge.a, &edge.b}) note_end(*end);
        if (placed_.empty())
            for (const InfraDevice& d : graph_.devices)
                if (has_xpu(d)) placed_[d.name] = {d, 1, {}, 0};
        double hosts = 0, switches = 0;
        for (auto& [name, p] : placed_) {
            p.count = std::max<std::int64_t>(p.count, 1);
            p.role = role_of(name, p.device);
            (p.role == Role::host ? hosts : switches) += double(p.count);
            count_components(name, p);
        }
        if (hosts == 0)
            return fail(ErrorCode::unsupported, "this InfraGraph file describes no device with an accelerator (xpu)",
                        "import the infrastructure that uses its devices");
        double nics = 0;
        for (const auto& [name, p] : placed_)
            for (const InfraComponent& c : p.device.components) nics += double(c.count) * double(p.count);
        if (nics > 5.0 * double(import_element_limit))
            return fail(ErrorCode::unsupported, "more components than can be read");
        if (hosts + switches > double(import_element_limit))
            return fail(ErrorCode::unsupported, "more instances than can be read");
        number();
        return {};
    }

    [[nodiscard]] InfraDevice device_of(const std::string& device, const std::string& instance) {
        for (const InfraDevice& d : graph_.devices)
            if (d.name == device) return d;
        sketch_.warn(fmt::format("the device '{}' of instance '{}' is not in the file", device, instance));
        InfraDevice unknown;
        unknown.name = device;
        return unknown;
    }

    /// Instances that are used and not declared: of the only device that has all their components, else unknown ones.
    void note_end(const InfraEnd& end) {
        const auto [it, fresh] = placed_.try_emplace(end.instance);
        Placed& p = it->second;
        if (fresh) {
            p.count = 0;
            p.device.name = end.instance;
            for (const InfraDevice& d : graph_.devices)
                if (has_xpu(d) && d.find(end.component)) p.device = d;
            sketch_.assumed(fmt::format("'{}' is declared nowhere; taken as {}", end.instance,
                                        p.device.components.empty() ? "an unknown device" : "a " + p.device.name));
        }
        p.count = std::max(p.count, end.index + 1);
        if (!p.device.find(end.component)) {
            const bool nic = has_any(end.component, {"nic", "port"});
            const bool xpu = has_any(end.component, {"xpu", "gpu", "npu"});
            p.device.components.push_back({end.component, xpu ? "xpu" : nic ? "nic" : "custom", 0});
        }
    }

    static bool has_xpu(const InfraDevice& d) {
        return std::any_of(d.components.begin(), d.components.end(), [](const auto& c) { return c.type == "xpu"; });
    }

    static Role role_of(const std::string& name, const InfraDevice& device) {
        if (has_xpu(device)) return Role::host;
        const bool nic =
            has_any(name, {"nic", "hca"}) || has_any(device.name, {"nic", "hca", "connectx", "cx5", "cx6", "cx7"});
        return nic && !has_any(name, {"switch", "sw"}) ? Role::nic : Role::network_switch;
    }

    void count_components(const std::string& name, Placed& p) {
        std::map<std::string, std::int64_t> most;
        const auto see = [&](const InfraEnd& e) {
            most[e.component] = std::max(most[e.component], e.component_index + 1);
        };
        for (const InfraEdge& e : p.device.edges) see(e.a), see(e.b);
        for (const InfraEdge& e : graph_.edges) {
            if (e.a.instance == name) see(e.a);
            if (e.b.instance == name) see(e.b);
        }
        for (InfraComponent& c : p.device.components)
            if (c.count < 1) c.count = std::max<std::int64_t>(1, most[c.name]);
    }

    void number() {
        for (auto& [name, p] : placed_) {
            if (p.role == Role::host) {
                p.first = int(cabling_.hosts.size());
                for (std::int64_t i = 0; i < p.count; ++i)
                    cabling_.hosts.push_back({p.count > 1 ? fmt::format("{} {}", name, i) : name, name, "", 0});
            } else if (p.role == Role::network_switch) {
                p.first = int(cabling_.switches.size());
                for (std::int64_t i = 0; i < p.count; ++i)
                    cabling_.switches.push_back({p.count > 1 ? fmt::format("{} {}", name, i) : name,
                                                 p.device.name.empty() ? name : p.device.name});
            }
        }
    }

    // Rates.

    /// GB where Gb is meant is a frequent slip: "100 Gbps" in the text and gigabytes in the key.
    void ask_unit() {
        constexpr double suspicious = 100e9;
        bool ask = false;
        for (const auto& [name, link] : graph_.links)
            ask = ask || (has_any(link.unit, {"bytes"}) && link.bytes_per_s >= suspicious);
        if (!ask) return;
        const std::string bytes = "gigabytes, as written", bits = "gigabits";
        const std::string answer = sketch_.ask(
            "network-unit", "The links between instances carry 100 GB/s and more. Are they gigabytes or gigabits?",
            {bytes, bits}, bytes);
        if (answer == bits)
            for (auto& [name, link] : graph_.links)
                if (has_any(link.unit, {"bytes"})) link.bytes_per_s /= 8;
        if (!options_.answers.contains("network-unit"))
            sketch_.warn("links between instances of 100 GB/s and more: gigabits may be meant");
    }

    Rate rate_of(const std::map<std::string, InfraLink>& links, const std::string& name) {
        const auto it = links.find(name);
        const InfraLink* link = it == links.end() ? nullptr : &it->second;
        const bool stated = link && link->bytes_per_s > 0;
        // A link that is not stated is one question, wherever it is used.
        const auto [known, fresh] = rates_.try_emplace({stated ? link : nullptr, stated ? "" : name});
        Rate& rate = known->second;
        if (!fresh) return rate;
        rate.name = name.empty() ? "link" : name;
        if (!stated) {
            rate.bytes_per_s = ask_rate(rate.name, link ? link->description : "");
            return rate;
        }
        rate.bytes_per_s = link->bytes_per_s;
        rate.latency_s = link->latency_s;
        const bool transfers = has_any(link->unit, {"transfers"});
        sketch_.converted(
            fmt::format("link '{}' carries {} one direction{}", name, format(BytesPerSecond(rate.bytes_per_s)),
                        transfers ? ", for 16 lanes: the file gives transfers per second of one" : ""),
            fmt::format("line {}", link->line));
        return rate;
    }

    double ask_rate(const std::string& name, const std::string& description) {
        std::vector<std::string> choices;
        std::string fallback;
        const bool nvlink = has_any(name + description, {"nvl"}), pcie = has_any(name + description, {"pci"});
        const std::string_view family = nvlink ? "nvlink" : pcie ? "pcie" : "infiniband";
        const auto choice = [](const LinkPart& p) {
            return fmt::format("{}: {}", p.name, format(p.bandwidth.nominal.value));
        };
        double rate = 50e9;
        if (options_.catalogue)
            for (const LinkPart& part : options_.catalogue->links) {
                choices.push_back(choice(part));
                if (part.family == family && fallback.empty()) fallback = choices.back();
            }
        if (fallback.empty()) choices.push_back(fallback = "50.0 GB/s");
        const std::string answer = sketch_.ask("link-" + plain_id(name),
                                               fmt::format("What is the link '{}'{}? The file gives no bandwidth.",
                                                           name, description.empty() ? "" : " (" + description + ")"),
                                               choices, fallback);
        if (options_.catalogue)
            for (const LinkPart& part : options_.catalogue->links)
                if (choice(part) == answer) rate = part.bandwidth.nominal.value.si();
        if (!options_.answers.contains("link-" + plain_id(name)))
            sketch_.assumed(fmt::format("link '{}' is {}; the file gives no bandwidth", name, answer));
        asked_.insert(name);
        return rate;
    }

    // Scale-up fabrics over several hosts: switches that only xpus are joined to.

    [[nodiscard]] bool is_xpu(const InfraEnd& end) const {
        const Placed& p = placed_.at(end.instance);
        if (p.role != Role::host) return false;
        const InfraComponent* c = p.device.find(end.component);
        return (c && c->type == "xpu") || p.device.inside.contains(end.component);
    }

    void find_fabrics() {
        std::map<std::string, bool> only_xpus;
        for (const InfraEdge& e : graph_.edges)
            for (const auto& [end, far] : {std::pair(&e.a, &e.b), std::pair(&e.b, &e.a)}) {
                if (placed_.at(end->instance).role != Role::network_switch) continue;
                const auto it = only_xpus.try_emplace(end->instance, true).first;
                it->second = it->second && is_xpu(*far);
            }
        std::vector<int> above(cabling_.hosts.size());
        std::iota(above.begin(), above.end(), 0);
        const auto top = [&](int i) {
            while (above[std::size_t(i)] != i) i = above[std::size_t(i)] = above[std::size_t(above[std::size_t(i)])];
            return i;
        };
        std::map<std::pair<std::string, std::int64_t>, int> host_of_switch;
        std::map<InfraEnd, double> per_xpu;
        for (const InfraEdge& e : graph_.edges)
            for (const auto& [end, far] : {std::pair(&e.a, &e.b), std::pair(&e.b, &e.a)}) {
                const auto it = only_xpus.find(end->instance);
                if (it == only_xpus.end() || !it->second) continue;
                fabric_switches_.insert(end->instance);
                const int host = placed_.at(far->instance).first + int(far->index);
                const auto [known, fresh] = host_of_switch.emplace(std::pair(end->instance, end->index), host);
                above[std::size_t(top(host))] = top(known->second);
                per_xpu[*far] += rate_of(graph_.links, e.link).bytes_per_s;
            }
        if (per_xpu.empty()) return;
        for (const auto& [xpu, rate] : per_xpu) domain_rate_ = std::max(domain_rate_, rate);
        for (const auto& [key, host] : host_of_switch) domain_hosts_.insert(top(host));
        for (std::size_t h = 0; h < above.size(); ++h) domain_of_.push_back(top(int(h)));
        sketch_.assumed("switches that only xpus are joined to are a scale-up fabric");
    }

    void name_domains() {
        if (domain_rate_ <= 0) return;
        for (std::size_t h = 0; h < cabling_.hosts.size(); ++h)
            if (domain_hosts_.contains(domain_of_[h]))
                cabling_.hosts[h].domain = fmt::format("domain {}", domain_of_[h]);
        parts_.domain = fabric_of(FabricKind::switched, domain_rate_, "scale-up link");
        for (auto& [kind, drawing] : parts_.hosts) drawing.fabric.reset();
    }

    // NICs and cables.

    /// NICs of a host: its components, then NIC instances joined to it, then one for each xpu with cables of its own.
    void number_nics() {
        for (auto& [name, p] : placed_) {
            if (p.role != Role::host) continue;
            for (const InfraComponent& c : p.device.components) {
                if (c.type != "nic" && c.type != "port") continue;
                for (std::int64_t i = 0; i < p.count; ++i)
                    for (std::int64_t n = 0; n < c.count; ++n) add_nic(p.first + int(i), {name, i, c.name, n});
            }
        }
        for (const InfraEdge& e : graph_.edges)
            for (const auto& [end, far] : {std::pair(&e.a, &e.b), std::pair(&e.b, &e.a)}) {
                const Placed& p = placed_.at(end->instance);
                const Placed& other = placed_.at(far->instance);
                if (p.role != Role::host) continue;
                const bool cable = other.role == Role::network_switch && !fabric_switches_.contains(far->instance);
                if (other.role == Role::nic) add_nic(p.first + int(end->index), {far->instance, far->index, "", 0});
                else if (cable && is_xpu(*end)) add_nic(p.first + int(end->index), *end);
            }
    }

    void add_nic(int host, const InfraEnd& end) {
        if (nics_.contains(end)) return;
        nics_[end] = {host, cabling_.hosts[std::size_t(host)].nics++};
    }

    [[nodiscard]] std::optional<Cabling::End> end_of(const InfraEnd& end) const {
        const Placed& p = placed_.at(end.instance);
        if (p.role == Role::network_switch) {
            if (fabric_switches_.contains(end.instance)) return std::nullopt;
            return Cabling::End{-1, p.first + int(end.index)};
        }
        const auto it = nics_.find(p.role == Role::nic ? InfraEnd{end.instance, end.index, "", 0} : end);
        return it == nics_.end() ? std::nullopt : std::optional(it->second);
    }

    void add_cable(const InfraEdge& edge) {
        const auto a = end_of(edge.a), b = end_of(edge.b);
        const bool inside = placed_.at(edge.a.instance).role != Role::network_switch &&
                            placed_.at(edge.b.instance).role != Role::network_switch;
        if (!a || !b || inside) return;
        const Rate rate = rate_of(graph_.links, edge.link);
        cabling_.cables.push_back({*a, *b, rate.bytes_per_s, rate.latency_s, 1});
    }

    // What is in a host.

    void add_kind(const std::string& name, const Placed& p) {
        HostDrawing drawing;
        std::int64_t xpus = 0;
        for (const InfraComponent& c : p.device.components)
            if (c.type == "xpu") xpus += c.count;
        drawing.accelerators = int(std::min<std::int64_t>(xpus, import_element_limit));
        drawing.accelerator_name = accelerator_name(p.device);
        drawing.accelerator = sketch_.accelerator(drawing.accelerator_name);
        drawing.fabric = inner_fabric(p.device, xpus);
        for (const InfraComponent& c : p.device.components)
            if (c.type != "xpu" && c.type != "nic" && c.type != "port")
                sketch_.ignored(
                    fmt::format("component '{}' of '{}': inside of a host, each accelerator is joined to its NIC by "
                                "PCIe, and by the scale-up fabric to the others",
                                c.name, p.device.name));
        parts_.hosts[name] = std::move(drawing);
    }

    /// One question for all devices.
    std::string accelerator_name(const InfraDevice&) {
        if (!accelerator_.empty()) return accelerator_;
        std::vector<std::string> names;
        if (options_.catalogue)
            for (const AcceleratorPart& part : options_.catalogue->accelerators) names.push_back(part.name);
        const std::string fallback = "NVIDIA H100 SXM 80 GB";
        if (std::find(names.begin(), names.end(), fallback) == names.end()) names.push_back(fallback);
        accelerator_ =
            sketch_.ask("accelerator", "Which accelerator is the xpu? The file gives no figures.", names, fallback);
        if (!options_.answers.contains("accelerator"))
            sketch_.assumed(fmt::format("the xpu is {}; the file gives no figures", accelerator_));
        return accelerator_;
    }

    Interconnect fabric_of(FabricKind kind, double rate, const std::string& name) {
        Interconnect fabric;
        fabric.kind = kind;
        fabric.part = sketch_.link("nvlink", name, BytesPerSecond(rate), "InfraGraph file");
        fabric.bandwidth = BytesPerSecond(rate);
        return fabric;
    }

    /// Switches inside that only xpus are joined to, or links from xpu to xpu.
    std::optional<Interconnect> inner_fabric(const InfraDevice& device, std::int64_t xpus) {
        const auto xpu = [&](const InfraEnd& e) {
            const InfraComponent* c = device.find(e.component);
            return (c && c->type == "xpu") || device.inside.contains(e.component);
        };
        std::map<std::string, bool> only;
        for (const InfraEdge& e : device.edges)
            for (const auto& [end, far] : {std::pair(&e.a, &e.b), std::pair(&e.b, &e.a)}) {
                const InfraComponent* c = device.find(end->component);
                if (!c || xpu(*end) || c->type == "nic" || c->type == "cpu" || c->type == "memory" || c->type == "port")
                    continue;
                const auto it = only.try_emplace(end->component, true).first;
                it->second = it->second && xpu(*far);
            }
        std::map<InfraEnd, double> through, direct;
        std::set<std::pair<InfraEnd, InfraEnd>> pairs;
        std::string link;
        for (const InfraEdge& e : device.edges) {
            if (xpu(e.a) && xpu(e.b)) {
                const double rate = rate_of(device.links, e.link).bytes_per_s;
                direct[e.a] += rate, direct[e.b] += rate;
                pairs.insert(std::minmax(e.a, e.b));
                link = e.link;
            }
            for (const auto& [end, far] : {std::pair(&e.a, &e.b), std::pair(&e.b, &e.a)}) {
                const auto it = only.find(end->component);
                if (it == only.end() || !it->second || xpus < 2) continue;
                const Rate rate = rate_of(device.links, e.link);
                // A part of the catalogue is what an accelerator has in all; a figure of the file is one link's.
                if (asked_.contains(rate.name)) through[*far] = rate.bytes_per_s;
                else through[*far] += rate.bytes_per_s;
                link = e.link;
            }
        }
        const auto& used = through.empty() ? direct : through;
        if (used.empty()) return std::nullopt;
        double rate = 0;
        for (const auto& [end, r] : used) rate = std::max(rate, r);
        const bool mesh = through.empty() && std::int64_t(pairs.size()) == xpus * (xpus - 1) / 2;
        const bool ring = through.empty() && !mesh && std::int64_t(pairs.size()) == xpus && xpus > 2;
        if (through.empty() && !mesh && !ring)
            sketch_.warn(
                fmt::format("'{}': the links between its xpus are neither a ring nor a full mesh; they are drawn as a "
                            "switch of the same bandwidth",
                            device.name));
        sketch_.converted(fmt::format("'{}': all '{}' links of an xpu carry {} one direction", device.name, link,
                                      format(BytesPerSecond(rate))));
        return fabric_of(mesh ? FabricKind::full_mesh : ring ? FabricKind::ring : FabricKind::switched, rate, link);
    }

    void choose_parts() {
        parts_.nic_name = "NIC";
        parts_.exact = true;
        parts_.nic = [this](BytesPerSecond rate) {
            return sketch_.nic("NIC of the InfraGraph file", rate, "InfraGraph file");
        };
        parts_.cable = [this](BytesPerSecond rate) {
            return sketch_.link("ethernet", fmt::format("Link of {}", format(rate)), rate, "InfraGraph file");
        };
        parts_.network_switch = [this](const std::string& model, int radix, BytesPerSecond port) {
            return sketch_.network_switch(model, radix, port, "InfraGraph file");
        };
    }

    InfraGraph graph_;
    const ImportOptions& options_;
    Sketch& sketch_;
    Cabling cabling_;
    CablingParts parts_;
    std::map<std::string, Placed> placed_;
    std::map<InfraEnd, Cabling::End> nics_;
    std::set<std::string> fabric_switches_, asked_;
    std::map<std::pair<const InfraLink*, std::string>, Rate> rates_;
    std::vector<int> domain_of_;
    std::set<int> domain_hosts_;
    double domain_rate_ = 0;
    std::string accelerator_;
};

}  // namespace

bool is_infragraph(std::string_view text) {
    const std::string_view head = text.substr(0, 262144);
    if (has_key(head, "infrastructure") &&
        (has_key(head, "devices") || has_key(head, "connections") || has_key(head, "instances")))
        return true;
    const bool devices = has_key(head, "devices") || has_key(head, "device");
    return devices && has_key(head, "components") && (has_key(head, "connections") || has_key(head, "edges"));
}

Result<Imported> import_infragraph(std::string_view text, const ImportOptions& options) {
    auto graph = read_infragraph(text);
    if (!graph) return tl::unexpected(graph.error());
    Sketch sketch(options, "infragraph", graph->name.empty() ? "InfraGraph infrastructure" : graph->name);
    for (const auto& [key, line] : graph->unknown_keys)
        sketch.ignored(fmt::format("the key '{}'", key), fmt::format("line {}", line));
    if (auto ok = Drawer(std::move(*graph), options, sketch).run(); !ok) return tl::unexpected(ok.error());
    return sketch.finish();
}

}  // namespace crosspoint
