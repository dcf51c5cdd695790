// A drawing as InfraGraph YAML: every scale-up domain or node is a device of components, every other drawn device an
// instance; edges use slices, so that counts stay counts. Parallel cables are one link of their sum.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/importers/exporter.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double giga = 1e9;
constexpr std::int64_t edge_limit = 100'000;

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + "\"";
}

/// Without the noise of a change of unit.
std::string digits(double value) { return fmt::format("{:.12g}", value); }

std::string_view type_of(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::accelerator: return "xpu";
        case DeviceKind::nic: return "nic";
        case DeviceKind::host: return "cpu";
        case DeviceKind::network_switch: break;
    }
    return "switch";
}

class Writer {
public:
    explicit Writer(const Scenario& scenario)
        : scenario_(scenario), t_(*scenario.topology), catalogue_(*scenario.catalogue) {}

    Result<Exported> run() {
        if (const auto ok = validate(t_); !ok) return tl::unexpected(ok.error());
        for (const Device& d : t_.devices)
            if (d.kind == DeviceKind::accelerator) hosts_[host_container(d)] = {};
        if (hosts_.empty()) return fail(ErrorCode::invalid_value, "the drawing has no accelerator", "add one");
        if (hosts_.contains(ContainerId{}))
            return fail(ErrorCode::unsupported, "accelerators outside of all containers have no host",
                        "put them into a node");
        for (const Device& d : t_.devices) place(d);
        for (auto& [id, host] : hosts_)
            if (auto ok = write_fabric(id, host); !ok) return tl::unexpected(ok.error());
        for (const Link& link : t_.links)
            if (auto ok = write_link(link); !ok) return tl::unexpected(ok.error());
        out_.text = text();
        return std::move(out_);
    }

private:
    struct Host {
        std::string components, links, edges;
        std::int64_t accelerators = 0;
        std::string first_xpu;
        int kinds = 0;
    };
    /// Where the instances of a drawn device are: number g is component g % per_host of instance g / per_host.
    struct Place {
        std::string instance, component;
        std::int64_t per_host = 1;
        const ContainerId* host = nullptr;
    };

    [[nodiscard]] std::vector<const Container*> chain(std::optional<ContainerId> at) const {  // outermost first
        std::vector<const Container*> result;
        for (; at; at = result.back()->parent) result.push_back(t_.containers.find(*at));
        std::reverse(result.begin(), result.end());
        return result;
    }

    /// The outermost domain around an accelerator, else its node, else the innermost container.
    [[nodiscard]] ContainerId host_container(const Device& d) const {
        const auto around = chain(d.parent);
        for (const Container* c : around)
            if (c->interconnect) return c->id;
        for (auto it = around.rbegin(); it != around.rend(); ++it)
            if ((*it)->kind == ContainerKind::node) return (*it)->id;
        return around.empty() ? ContainerId{} : around.back()->id;
    }

    void place(const Device& d) {
        std::int64_t inside = d.count, all = 1;
        Host* host = nullptr;
        const ContainerId* host_id = nullptr;
        for (const Container* c : chain(d.parent)) {
            if (host) inside *= c->count;
            else all *= c->count;
            if (const auto it = hosts_.find(c->id); it != hosts_.end() && !host)
                host = &it->second, host_id = &it->first;
        }
        Place& p = places_[d.id];
        if (!host) {
            const std::string part = d.part.value;
            p = {d.id.value, d.kind == DeviceKind::nic ? "nic" : "port", 1, nullptr};
            outside_ += fmt::format("    - name: {}\n      device: {}\n      count: {}\n", quoted(d.id.value),
                                    quoted("of " + part), all * d.count);
            outside_devices_["of " + part] = p.component;
            return;
        }
        p = {host_id->value, d.id.value, inside, host_id};
        host->components +=
            fmt::format("        - name: {}\n          count: {}\n          choice: {}\n          {}: {{}}\n",
                        quoted(d.id.value), inside, type_of(d.kind), type_of(d.kind));
        if (d.kind != DeviceKind::accelerator) return;
        host->accelerators += inside;
        host->first_xpu = d.id.value;
        ++host->kinds;
    }

    static std::string link_text(const std::string& name, double rate, std::string_view indent, double latency) {
        std::string text = fmt::format(
            "{0}- name: {1}\n{0}  physical:\n{0}    bandwidth:\n{0}      choice: gigabytes_per_second\n"
            "{0}      gigabytes_per_second: {2}\n",
            indent, quoted(name), digits(rate / giga));
        if (latency > 0)
            text +=
                fmt::format("{0}    latency:\n{0}      choice: us\n{0}      us: {1}\n", indent, digits(latency * 1e6));
        return text;
    }

    Result<void> write_fabric(const ContainerId& id, Host& host) {
        const Container& container = *t_.containers.find(id);
        if (!container.interconnect || host.accelerators < 2) return {};
        const Interconnect& f = *container.interconnect;
        const LinkPart* part = catalogue_.links.find(f.part);
        if (!part)
            return fail(ErrorCode::reference, fmt::format("unknown part '{}'", f.part.value), "choose a part",
                        {id.value});
        double rate = (f.bandwidth ? *f.bandwidth : part->bandwidth.usable_or_nominal().value).si();
        rate *= double(f.planes - std::min(f.planes_down, f.planes)) / std::max(1, f.planes);
        const std::string xpu = fmt::format("{}[0:{}]", host.first_xpu, host.accelerators);
        const bool one_kind = host.kinds == 1;
        if (f.kind == FabricKind::full_mesh && one_kind) {
            const double peer = f.peer_bandwidth ? f.peer_bandwidth->si() : rate / double(host.accelerators - 1);
            host.links += link_text("scale-up", peer, "        ", 0);
            host.edges += edge("        ", "", xpu, "", xpu, "many2many", "scale-up");
        } else if (f.kind == FabricKind::ring && one_kind) {
            host.links += link_text("scale-up", rate / 2, "        ", 0);
            host.edges += edge("        ", "", xpu, "", xpu, "ring", "scale-up");
        } else {
            if (f.kind != FabricKind::switched)
                note(ImportNote::Kind::warning,
                     fmt::format("the {} of '{}' is written as a switch of the same bandwidth per "
                                 "accelerator",
                                 to_string(f.kind), id.value));
            write_switch(host, rate);
        }
        return {};
    }

    void write_switch(Host& host, double rate) {
        host.components +=
            "        - name: \"scale-up switch\"\n          count: 1\n          choice: switch\n          switch: {}\n";
        host.links += link_text("scale-up", rate, "        ", 0);
        for (const auto& [device, p] : places_)
            if (p.host && &hosts_.at(*p.host) == &host && t_.devices.find(device)->kind == DeviceKind::accelerator)
                host.edges += edge("        ", "", fmt::format("{}[0:{}]", p.component, p.per_host), "",
                                   "scale-up switch[0]", "many2many", "scale-up");
    }

    static std::string edge(std::string_view indent, const std::string& instance1, const std::string& component1,
                            const std::string& instance2, const std::string& component2, std::string_view scheme,
                            std::string_view link) {
        const auto end = [&](std::string_view key, const std::string& instance, const std::string& component) {
            std::string text = fmt::format("{}{}:\n", indent, key);
            if (!instance.empty()) text += fmt::format("{}    instance: {}\n", indent, quoted(instance));
            return text + fmt::format("{}    component: {}\n", indent, quoted(component));
        };
        std::string text = end("  ep1", instance1, component1) + end("  ep2", instance2, component2);
        text.replace(indent.size(), 2, "- ");
        return text + fmt::format("{0}  scheme: {1}\n{0}  link: {2}\n", indent, scheme, quoted(link));
    }

    void note(ImportNote::Kind kind, std::string text) { out_.notes.push_back({kind, std::move(text), {}}); }

    // Links: one edge for each instance of what both ends share.

    Result<void> write_link(const Link& link) {
        const LinkPart* part = catalogue_.links.find(link.part);
        if (!part)
            return fail(ErrorCode::reference, fmt::format("unknown part '{}'", link.part.value), "choose a part",
                        {link.id.value});
        const Device& a = *t_.devices.find(link.a);
        const Device& b = *t_.devices.find(link.b);
        const auto ca = chain(a.parent), cb = chain(b.parent);
        std::int64_t shared = 1, na = a.count, nb = b.count;
        std::size_t depth = 0;
        for (; depth < std::min(ca.size(), cb.size()) && ca[depth] == cb[depth]; ++depth) shared *= ca[depth]->count;
        for (std::size_t i = depth; i < ca.size(); ++i) na *= ca[i]->count;
        for (std::size_t i = depth; i < cb.size(); ++i) nb *= cb[i]->count;
        const bool all =
            link.wiring == Wiring::each_to_each || (link.wiring == Wiring::one_to_one && (na == 1 || nb == 1));
        const bool zip = link.wiring == Wiring::one_to_one && na == nb;
        const bool rail = link.wiring == Wiring::rail && a.count == b.count;
        if (!all && !zip && !rail)
            return fail(ErrorCode::unsupported, fmt::format("the wiring of link '{}' cannot be written", link.id.value),
                        "use equal counts at both ends, or all to all", {link.id.value});
        const Place& pa = places_.at(a.id);
        const Place& pb = places_.at(b.id);
        const bool inner = pa.host && pb.host && pa.host == pb.host;
        std::int64_t per_host = shared;  // shared instances in one host
        if (inner)
            for (const Container* c : ca) {
                per_host /= std::max<std::int64_t>(1, c->count);
                if (c->id == *pa.host) break;
            }
        const std::int64_t times = inner ? per_host : shared;
        edges_ += times * (rail ? a.count : 1);
        if (edges_ > edge_limit)
            return fail(ErrorCode::unsupported, fmt::format("more than {} edges", edge_limit),
                        "export a smaller part of it");
        const double rate =
            (link.bandwidth ? *link.bandwidth : part->bandwidth.usable_or_nominal().value).si() * link.lanes;
        const double latency = link.latency ? link.latency->si() : 0;
        std::string& links = inner ? hosts_.at(*pa.host).links : links_;
        std::string& edges = inner ? hosts_.at(*pa.host).edges : network_;
        links += link_text(link.id.value, rate, inner ? "        " : "    ", latency);
        const std::string_view indent = inner ? "        " : "    ";
        for (std::int64_t s = 0; s < times; ++s) {
            const std::int64_t rails = rail ? a.count : 1;
            for (std::int64_t r = 0; r < rails; ++r) {
                const auto [ia, xa] = range(pa, s * na, na, r, rails, inner);
                const auto [ib, xb] = range(pb, s * nb, nb, r, rails, inner);
                edges += edge(indent, ia, xa, ib, xb, zip ? "one2one" : "many2many", link.id.value);
            }
        }
        return {};
    }

    /// Instances `first` .. `first + count` of a device, of these each `step`-th from `offset` on, as slices.
    static std::pair<std::string, std::string> range(const Place& p, std::int64_t first, std::int64_t count,
                                                     std::int64_t offset, std::int64_t step, bool inner) {
        const auto slice = [](std::int64_t from, std::int64_t to, std::int64_t by) {
            return by == 1 ? fmt::format("[{}:{}]", from, to) : fmt::format("[{}:{}:{}]", from, to, by);
        };
        if (!p.host) return {p.instance + slice(first + offset, first + count, step), p.component + "[0]"};
        const std::int64_t from = first % p.per_host, to = std::min(p.per_host, from + count);
        const std::string component = p.component + slice(from + offset, to, step);
        const std::int64_t host = first / p.per_host, hosts = std::max<std::int64_t>(1, count / p.per_host);
        return {inner ? "" : p.instance + slice(host, host + hosts, 1), component};
    }

    [[nodiscard]] std::int64_t host_count(const ContainerId& id) const {
        std::int64_t n = 1;
        for (const Container* c : chain(id)) n *= c->count;
        return n;
    }

    [[nodiscard]] std::string text() const {
        std::string text = fmt::format("infrastructure:\n  name: {}\n  devices:\n",
                                       quoted(scenario_.title.empty() ? "drawing" : scenario_.title));
        std::string instances;
        for (const auto& [id, host] : hosts_) {
            text += fmt::format("    - name: {}\n      components:\n{}", quoted("device " + id.value), host.components);
            if (!host.links.empty()) text += "      links:\n" + host.links;
            if (!host.edges.empty()) text += "      edges:\n" + host.edges;
            instances += fmt::format("    - name: {}\n      device: {}\n      count: {}\n", quoted(id.value),
                                     quoted("device " + id.value), host_count(id));
        }
        for (const auto& [device, component] : outside_devices_)
            text += fmt::format(
                "    - name: {}\n      components:\n        - name: {}\n          count: 1\n          choice: {}\n"
                "          {}: {{}}\n",
                quoted(device), component, component, component);
        text += "  instances:\n" + instances + outside_;
        if (!links_.empty()) text += "  links:\n" + links_;
        if (!network_.empty()) text += "  edges:\n" + network_;
        return text;
    }

    const Scenario& scenario_;
    const Topology& t_;
    const Catalogue& catalogue_;
    Exported out_;
    std::map<ContainerId, Host> hosts_;
    std::map<DeviceId, Place> places_;
    std::string outside_, links_, network_;
    std::map<std::string, std::string> outside_devices_;
    std::int64_t edges_ = 0;
};

}  // namespace

Result<Exported> export_infragraph(const Scenario& scenario) { return Writer(scenario).run(); }

}  // namespace crosspoint
