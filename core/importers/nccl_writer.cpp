// NCCL topology XML as NCCL's own reader takes it (src/graph/xml.cc): no declaration, no tabs, one blank between
// attributes, no entities, version 1, at most 256 elements, 640 children and 255 characters a value.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/importers/exporter.hpp"
#include "core/importers/gpu_questions.hpp"
#include "core/importers/instances.hpp"
#include "core/importers/products.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t element_limit = 256, value_limit = 255;
constexpr double giga = 1e9, mbit = 1e6 / 8;

/// A value without what NCCL's reader cannot take.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, value_limit)) {
        const bool bad = c == '"' || c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) < ' ';
        result += bad ? '_' : c;
    }
    return result;
}

struct Element {
    std::string name, attributes;
    std::vector<Element> children;
    void add(std::string_view key, std::string_view value) {
        attributes += fmt::format(" {}=\"{}\"", key, plain(value));
    }
};

std::size_t size_of(const Element& e) {
    std::size_t n = 1;
    for (const auto& child : e.children) n += size_of(child);
    return n;
}

void write(const Element& e, std::size_t depth, std::string& text) {
    text += std::string(depth * 2, ' ') + "<" + e.name + e.attributes;
    if (e.children.empty()) {
        text += "/>\n";
        return;
    }
    text += ">\n";
    for (const auto& child : e.children) write(child, depth + 1, text);
    text += std::string(depth * 2, ' ') + "</" + e.name + ">\n";
}

/// The kernel's words for the PCIe generation nearest to a bandwidth, at 16 lanes.
const char* link_speed(double bandwidth) {
    constexpr std::array<const char*, 6> words{"2.5 GT/s PCIe",  "5.0 GT/s PCIe",  "8.0 GT/s PCIe",
                                               "16.0 GT/s PCIe", "32.0 GT/s PCIe", "64.0 GT/s PCIe"};
    int best = 4;
    for (int g = 1; g <= 6; ++g)
        if (std::abs(std::log(bandwidth / pcie_x16(g))) < std::abs(std::log(bandwidth / pcie_x16(best)))) best = g;
    return words[std::size_t(best - 1)];
}

class Writer {
public:
    Writer(const Scenario& scenario, DrawnOut drawn)
        : catalogue_(*scenario.catalogue),
          topology_(*scenario.topology),
          drawn_(std::move(drawn)),
          near_(drawn_.units.size()),
          placed_(drawn_.units.size()) {}

    Result<Exported> run() {
        for (const UnitLink& l : drawn_.links) {
            near_[l.a].push_back({l.b, l.link});
            near_[l.b].push_back({l.a, l.link});
        }
        number_gpus();
        if (gpus_.empty()) return fail(ErrorCode::invalid_value, "there is no accelerator to export", "draw one first");
        Element system{"system", {}, {}};
        system.add("version", amd_ ? "2" : "1");
        add_cpus(system);
        const std::size_t elements = size_of(system);
        if (elements > element_limit)
            return fail(ErrorCode::unsupported,
                        fmt::format("the file would have {} elements; NCCL reads at most {}", elements, element_limit),
                        "export a drawing of smaller nodes");
        Exported result;
        write(system, 0, result.text);
        say(ImportNote::Kind::assumed,
            "bus ids, affinities and device names are invented: replace them by those of the machine");
        if (drawn_.node && drawn_.node->count > 1)
            say(ImportNote::Kind::converted,
                fmt::format("one of {} nodes is written: NCCL reads one file a machine", drawn_.node->count));
        if (amd_) say(ImportNote::Kind::converted, "version 2 with xGMI links: for RCCL");
        result.notes = notes_;
        return result;
    }

private:
    struct Near {
        std::size_t unit;
        const Link* link;
    };

    void say(ImportNote::Kind kind, std::string text) {
        const bool said =
            std::any_of(notes_.begin(), notes_.end(), [&](const ImportNote& n) { return n.text == text; });
        if (!said) notes_.push_back({kind, std::move(text), {}});
    }
    [[nodiscard]] DeviceKind kind(std::size_t unit) const { return drawn_.units[unit].device->kind; }
    [[nodiscard]] const LinkPart* part(const Link& link) const { return catalogue_.links.find(link.part); }
    [[nodiscard]] bool is_pcie(const Link& link) const {
        const LinkPart* p = part(link);
        return !p || p->family == "pcie";
    }

    void number_gpus() {
        for (std::size_t u = 0; u < drawn_.units.size(); ++u)
            if (kind(u) == DeviceKind::accelerator) gpus_.push_back(u);
        for (const std::size_t u : gpus_) {
            const AcceleratorPart* p = catalogue_.accelerators.find(drawn_.units[u].device->part);
            if (p && product_by_name(p->name)) product_ = product_by_name(p->name);
        }
        amd_ = product_ && product_->vendor == "AMD";
    }

    /// Hosts become <cpu>; what hangs on none goes to them in turn.
    void add_cpus(Element& system) {
        std::vector<std::size_t> hosts;
        for (std::size_t u = 0; u < drawn_.units.size(); ++u)
            if (kind(u) == DeviceKind::host) hosts.push_back(u);
        std::vector<Element> cpus;
        for (std::size_t h = 0; h < std::max<std::size_t>(1, hosts.size()); ++h) cpus.push_back(cpu(h, hosts));
        if (hosts.empty()) say(ImportNote::Kind::assumed, "the drawing has no CPU: one x86 CPU is written");
        for (const std::size_t h : hosts) placed_[h] = true;
        for (std::size_t h = 0; h < hosts.size(); ++h) add_below(hosts[h], cpus[h]);
        std::size_t turn = 0;
        const auto place_rest = [&](DeviceKind k) {
            for (std::size_t u = 0; u < drawn_.units.size(); ++u)
                if (!placed_[u] && kind(u) == k)
                    add_unit(u, nullptr,
                             cpus[turn++ * cpus.size() / std::max<std::size_t>(1, drawn_.units.size()) % cpus.size()]);
        };
        place_rest(DeviceKind::network_switch);
        place_rest(DeviceKind::accelerator);
        place_rest(DeviceKind::nic);
        for (auto& cpu : cpus) system.children.push_back(std::move(cpu));
    }

    Element cpu(std::size_t index, const std::vector<std::size_t>& hosts) {
        Element e{"cpu", {}, {}};
        const bool arm =
            !hosts.empty() && drawn_.units[hosts[index]].device->part.value.find("grace") != std::string::npos;
        e.add("numaid", fmt::to_string(index));
        e.add("affinity", "ffffffff");
        e.add("arch", arm ? "arm64" : "x86_64");
        if (!arm) {
            e.add("vendor", "GenuineIntel");
            e.add("familyid", "6");
            e.add("modelid", "143");
        }
        return e;
    }

    void add_below(std::size_t unit, Element& element) {
        for (const Near& n : near_[unit])
            if (!placed_[n.unit] && kind(n.unit) != DeviceKind::host && is_pcie(*n.link))
                add_unit(n.unit, n.link, element);
    }

    /// The units that hang on a GPU alone, as NICs do in drawings without PCIe switches.
    [[nodiscard]] std::vector<Near> hanging_on(std::size_t gpu) const {
        std::vector<Near> result;
        for (const Near& n : near_[gpu])
            if (!placed_[n.unit] && kind(n.unit) == DeviceKind::nic && is_pcie(*n.link)) result.push_back(n);
        return result;
    }

    void add_unit(std::size_t unit, const Link* link, Element& parent) {
        placed_[unit] = true;
        if (kind(unit) == DeviceKind::network_switch) {
            Element bridge = pci("0x060400", 0, 0, link);
            add_below(unit, bridge);
            if (!bridge.children.empty()) parent.children.push_back(std::move(bridge));
            return;
        }
        if (kind(unit) == DeviceKind::nic) {
            parent.children.push_back(nic(unit, link));
            return;
        }
        const auto hanging = hanging_on(unit);
        if (hanging.empty()) {
            parent.children.push_back(gpu(unit, link));
            return;
        }
        Element bridge = pci("0x060400", 0, 0, link);
        bridge.children.push_back(gpu(unit, link ? link : hanging.front().link));
        for (const Near& n : hanging) placed_[n.unit] = true, bridge.children.push_back(nic(n.unit, n.link));
        say(ImportNote::Kind::converted, "NICs drawn at a GPU are written below one PCIe switch with it");
        parent.children.push_back(std::move(bridge));
    }

    static std::string bus_id(std::size_t number) {
        return fmt::format("0000:{:02x}:{:02x}.0", number / 32, number % 32);
    }
    [[nodiscard]] std::string gpu_bus(std::size_t unit) const {
        const auto at = std::size_t(std::find(gpus_.begin(), gpus_.end(), unit) - gpus_.begin());
        constexpr std::size_t gpu_bus_start = 0x40 * 32;
        return bus_id(gpu_bus_start + at * 32);
    }

    Element pci(const char* pci_class, unsigned vendor, unsigned device, const Link* link,
                const std::string& bus = {}) {
        Element e{"pci", {}, {}};
        constexpr std::size_t first = 32;
        e.add("busid", bus.empty() ? bus_id(first + next_bus_++) : bus);
        e.add("class", pci_class);
        if (vendor) {
            e.add("vendor", fmt::format("0x{:04x}", vendor));
            e.add("device", fmt::format("0x{:04x}", device));
            e.add("subsystem_vendor", "0x0000");
            e.add("subsystem_device", "0x0000");
        }
        double bandwidth = pcie_x16(5);
        if (link) {
            const LinkPart* p = part(*link);
            if (link->bandwidth) bandwidth = link->bandwidth->si();
            else if (p) bandwidth = p->bandwidth.nominal.value.si();
        } else say(ImportNote::Kind::assumed, "PCIe Gen5 x16 where nothing is drawn");
        e.add("link_speed", link_speed(bandwidth));
        e.add("link_width", "16");
        return e;
    }

    Element gpu(std::size_t unit, const Link* link) {
        const ProductNumbers numbers = product_ ? numbers_of(*product_) : ProductNumbers{0x10de, 0x2330, 90, 0};
        if (!product_) say(ImportNote::Kind::assumed, "an unknown accelerator is written as compute capability 90");
        Element slot = pci(amd_ ? "0x120000" : "0x030200", numbers.vendor, numbers.device, link, gpu_bus(unit));
        const auto rank = std::size_t(std::find(gpus_.begin(), gpus_.end(), unit) - gpus_.begin());
        Element e{"gpu", {}, {}};
        e.add("dev", fmt::to_string(rank));
        e.add("sm", fmt::to_string(amd_ ? 94 : numbers.sm));
        if (amd_) {
            e.add("gcn", fmt::to_string(numbers.gfx));
            e.add("arch", "38911");
        }
        e.add("rank", fmt::to_string(rank));
        e.add("gdr", "1");
        add_peers(unit, e);
        slot.children.push_back(std::move(e));
        return slot;
    }

    void add_peer(Element& gpu, const std::string& target, int count, const char* tclass) {
        Element e{amd_ ? "xgmi" : "nvlink", {}, {}};
        e.add("target", target);
        e.add("count", fmt::to_string(count));
        e.add("tclass", tclass);
        gpu.children.push_back(std::move(e));
    }

    [[nodiscard]] double rate() const {
        if (amd_) return xgmi_rate(*product_);
        const double known = product_ ? nvlink_rate(numbers_of(*product_).sm) : 0;
        constexpr double usual = 25 * giga;
        return known > 0 ? known : usual;
    }

    void add_peers(std::size_t unit, Element& gpu) {
        const char* peer_class = amd_ ? "0x120000" : "0x030200";
        std::map<std::size_t, int> direct;
        for (const Near& n : near_[unit])
            if (kind(n.unit) == DeviceKind::accelerator && !is_pcie(*n.link)) direct[n.unit] += n.link->lanes;
        for (const auto& [peer, lanes] : direct) add_peer(gpu, gpu_bus(peer), lanes, peer_class);
        const Container* domain = domain_of(*drawn_.units[unit].device);
        const LinkPart* p = domain ? catalogue_.links.find(domain->interconnect->part) : nullptr;
        if (!p) return;
        if (p->family == "pcie") return;
        const BytesPerSecond bandwidth = domain->interconnect->bandwidth.value_or(p->bandwidth.nominal.value);
        const int links = std::clamp(int(std::lround(bandwidth.si() / rate())), 1, 1000);
        say(ImportNote::Kind::converted, fmt::format("the domain's bandwidth is written as {} links a GPU", links));
        if (domain->interconnect->kind == FabricKind::switched)
            add_switch_links(gpu, links, domain->interconnect->planes);
        else add_mesh_links(unit, gpu, links, *domain, peer_class);
    }

    void add_switch_links(Element& gpu, int links, int planes) {
        constexpr int most_switches = 6;
        const int switches = std::clamp(planes, 1, std::min(links, most_switches));
        if (planes > most_switches)
            say(ImportNote::Kind::converted, "more than six switch planes are written as six switches");
        for (int s = 0; s < switches; ++s)
            add_peer(gpu, fmt::format("0000:{:02x}:00.0", 0xe0 + s), links / switches + (s < links % switches ? 1 : 0),
                     "0x068000");
    }

    void add_mesh_links(std::size_t unit, Element& gpu, int links, const Container& domain, const char* peer_class) {
        std::vector<std::size_t> others;
        for (const std::size_t g : gpus_)
            if (g != unit && domain_of(*drawn_.units[g].device) == &domain) others.push_back(g);
        if (domain.interconnect->kind != FabricKind::full_mesh)
            say(ImportNote::Kind::warning, "a ring, torus or tree domain is written as a full mesh");
        for (const std::size_t g : others)
            add_peer(gpu, gpu_bus(g), std::max(1, links / int(others.size())), peer_class);
    }

    [[nodiscard]] const Container* domain_of(const Device& device) const {
        std::optional<ContainerId> at = device.parent;
        constexpr int deepest = 32;
        for (int depth = 0; at && depth < deepest; ++depth) {
            const Container* c = topology_.containers.find(*at);
            if (!c) return nullptr;
            if (c->interconnect) return c;
            at = c->parent;
        }
        return nullptr;
    }

    Element nic(std::size_t unit, const Link* link) {
        const NicPart* p = catalogue_.nics.find(drawn_.units[unit].device->part);
        const double bandwidth = p ? p->bandwidth.nominal.value.si() : 50 * giga;
        constexpr unsigned mellanox = 0x15b3, connectx7 = 0x1021;
        Element slot = pci("0x020700", mellanox, connectx7, link);
        Element net{"net", {}, {}};
        net.add("name", fmt::format("mlx5_{}", nets_));
        net.add("dev", fmt::to_string(nets_));
        net.add("speed", fmt::to_string(std::llround(bandwidth / mbit)));
        net.add("port", "1");
        net.add("latency", "0.000000");
        net.add("guid", fmt::format("0x{:x}", nets_ + 1));
        net.add("maxconn", "131072");
        net.add("gdr", "1");
        ++nets_;
        Element card{"nic", {}, {}};
        card.children.push_back(std::move(net));
        slot.children.push_back(std::move(card));
        return slot;
    }

    const Catalogue& catalogue_;
    const Topology& topology_;
    DrawnOut drawn_;
    std::vector<std::vector<Near>> near_;
    std::vector<bool> placed_;
    std::vector<std::size_t> gpus_;
    const Product* product_ = nullptr;
    bool amd_ = false;
    std::size_t next_bus_ = 0;
    int nets_ = 0;
    std::vector<ImportNote> notes_;
};

}  // namespace

Result<Exported> export_nccl_topology(const Scenario& scenario) {
    if (!scenario.topology || !scenario.catalogue)
        return fail(ErrorCode::invalid_value, "there is nothing drawn", "draw something first");
    if (auto ok = validate(*scenario.topology); !ok) return tl::unexpected(ok.error());
    auto drawn = draw_out_node(*scenario.topology, element_limit);
    if (!drawn) return tl::unexpected(drawn.error());
    return Writer(scenario, std::move(*drawn)).run();
}

}  // namespace crosspoint
