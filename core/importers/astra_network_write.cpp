// A drawing as ASTRA-sim network.yml: the scale-up domain is the first dimension (a torus one for each of its rings),
// the switches at the NICs are the next ones. The inverse of astra_network.cpp, with the same meaning of each figure.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/importers/exporter.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double giga = 1e9, nano = 1e-9;

/// Without the noise of a change of unit.
std::string digits(double value) { return fmt::format("{:.12g}", value); }

struct Written {
    std::string_view topology;
    std::int64_t npus = 1;
    double bytes_per_s = 0, latency_s = 0;
};

using Chain = std::vector<const Container*>;  ///< innermost first

Chain chain_of(const Topology& t, std::optional<ContainerId> at) {
    Chain chain;
    while (at) {
        chain.push_back(t.containers.find(*at));
        at = chain.back()->parent;
    }
    return chain;
}

class Writer {
public:
    explicit Writer(const Scenario& scenario) : t_(*scenario.topology), catalogue_(*scenario.catalogue) {}

    Result<Exported> run() {
        if (const auto ok = validate(t_); !ok) return tl::unexpected(ok.error());
        if (auto ok = find_accelerators(); !ok) return tl::unexpected(ok.error());
        if (auto ok = add_domain(); !ok) return tl::unexpected(ok.error());
        if (auto ok = add_network(); !ok) return tl::unexpected(ok.error());
        if (dimensions_.empty())
            return fail(ErrorCode::unsupported, "one accelerator alone has no network",
                        "draw at least two accelerators");
        out_.text = text();
        return std::move(out_);
    }

private:
    void note(ImportNote::Kind kind, std::string text) { out_.notes.push_back({kind, std::move(text), {}}); }

    Result<void> find_accelerators() {
        const Device* first = nullptr;
        for (const Device& d : t_.devices) {
            if (d.kind != DeviceKind::accelerator) continue;
            if (first && d.parent != first->parent)
                return fail(
                    ErrorCode::unsupported,
                    "the accelerators stand in containers of different kinds; ASTRA-sim knows equal groups only",
                    "export a drawing in which one container with a count holds them", {first->id.value, d.id.value});
            if (!first) first = &d;
            here_ += d.count;
        }
        if (!first) return fail(ErrorCode::invalid_value, "the drawing has no accelerator", "add one");
        parent_ = first->parent;
        total_ = accelerator_count(t_);
        return {};
    }

    /// Accelerators in one instance of a container; all for none.
    [[nodiscard]] std::int64_t inside(const std::optional<ContainerId>& container) const {
        if (!container) return total_;
        std::int64_t n = here_;
        for (const Container* c : chain_of(t_, parent_)) {
            if (c->id == *container) return n;
            n *= c->count;
        }
        return total_;
    }

    Result<void> add_domain() {
        const Container* domain = nullptr;
        for (const Container* c : chain_of(t_, parent_))
            if (c->interconnect) domain = c;
        if (!domain) return {};
        domain_ = inside(domain->id);
        if (domain_ < 2) return {};
        const Interconnect& f = *domain->interconnect;
        const LinkPart* part = catalogue_.links.find(f.part);
        if (!part)
            return fail(ErrorCode::reference, fmt::format("unknown part '{}'", f.part.value), "choose a part",
                        {domain->id.value});
        double rate = (f.bandwidth ? *f.bandwidth : part->bandwidth.usable_or_nominal().value).si();
        rate *= double(f.planes - std::min(f.planes_down, f.planes)) / std::max(1, f.planes) * (1 - f.background);
        const double step = (f.step ? *f.step : part->endpoint.value + part->hop.value).si();
        write_domain(f, rate, step);
        return {};
    }

    void write_domain(const Interconnect& f, double rate, double step) {
        switch (f.kind) {
            case FabricKind::ring: dimensions_.push_back({"Ring", domain_, rate / 2, step}); return;
            case FabricKind::full_mesh: {
                const double peer = f.peer_bandwidth ? f.peer_bandwidth->si() : rate / double(domain_ - 1);
                dimensions_.push_back({"FullyConnected", domain_, peer, step});
                return;
            }
            case FabricKind::torus: write_torus(f, rate, step); return;
            case FabricKind::pcie_tree:
                note(ImportNote::Kind::warning, "the PCIe tree is written as a Switch: shared uplinks are lost");
                break;
            case FabricKind::switched: break;
        }
        dimensions_.push_back({"Switch", domain_, rate, step / 2});
    }

    void write_torus(const Interconnect& f, double rate, double step) {
        std::vector<std::int64_t> sizes;
        for (const FabricDimension& d : f.dimensions) {
            sizes.push_back(d.size);
            if (!d.wrap) note(ImportNote::Kind::warning, "a dimension without wrap is written as a Ring");
        }
        if (sizes.empty()) sizes.push_back(domain_);
        std::int64_t places = 1;
        for (const std::int64_t size : sizes) places *= size;
        if (places != domain_) {
            note(ImportNote::Kind::warning, "the torus has holes; it is written as one Ring");
            sizes = {domain_};
        }
        for (const std::int64_t size : sizes)
            dimensions_.push_back({"Ring", size, rate / (2 * double(sizes.size())), step});
    }

    /// What the cables at the accelerators' NICs carry, by the number of accelerators that their switches serve.
    Result<void> add_network() {
        struct Tier {
            double bytes_per_s = 0, latency_s = 0;
        };
        std::map<std::int64_t, Tier> tiers;
        for (const Link& link : t_.links) {
            const Device* nic = t_.devices.find(link.a);
            const Device* top = t_.devices.find(link.b);
            if (nic->kind == DeviceKind::network_switch) std::swap(nic, top);
            if (nic->kind != DeviceKind::nic || top->kind != DeviceKind::network_switch) continue;
            const LinkPart* part = catalogue_.links.find(link.part);
            if (!part || part->family == "pcie") continue;
            const std::int64_t scope = inside(top->parent);
            const double each = (link.bandwidth ? *link.bandwidth : part->bandwidth.usable_or_nominal().value).si();
            const double fan = link.wiring == Wiring::each_to_each ? double(top->count) : 1;
            Tier& tier = tiers[scope];
            tier.bytes_per_s +=
                each * link.lanes * fan * (1 - link.background) * double(instances(t_, *nic)) / double(total_);
            tier.latency_s = std::max(tier.latency_s, (link.latency ? *link.latency : part->hop.value).si());
        }
        std::int64_t below = std::max<std::int64_t>(1, domain_);
        for (auto it = tiers.begin(); it != tiers.end(); ++it) {
            const bool last = std::next(it) == tiers.end();
            const std::int64_t scope = last ? total_ : it->first;
            if (last && it->first != total_)
                note(ImportNote::Kind::warning,
                     "the tiers above the first switches are written as one Switch without blocking");
            if (scope % below != 0 || scope <= below) continue;
            dimensions_.push_back({"Switch", scope / below, it->second.bytes_per_s, it->second.latency_s});
            below = scope;
        }
        if (below != total_)
            return fail(ErrorCode::unsupported,
                        fmt::format("{} accelerators, of which switches and domains join {}", total_, below),
                        "join all accelerators by a domain, or by switches at their NICs");
        return {};
    }

    template <class Get>
    std::string list(Get get) const {
        std::string text = "[ ";
        for (std::size_t i = 0; i < dimensions_.size(); ++i) text += (i ? ", " : "") + get(dimensions_[i]);
        return text + " ]";
    }

    [[nodiscard]] std::string text() const {
        std::string text = "# ASTRA-sim network, one entry a dimension, innermost first\n";
        text += "topology: " + list([](const Written& d) { return std::string(d.topology); }) + "\n";
        text += "npus_count: " + list([](const Written& d) { return fmt::format("{}", d.npus); }) + "\n";
        text += "bandwidth: " + list([](const Written& d) { return digits(d.bytes_per_s / giga); }) +
                "  # GB/s, one link, one direction\n";
        text += "latency: " + list([](const Written& d) { return digits(d.latency_s / nano); }) + "  # ns, one link\n";
        return text;
    }

    const Topology& t_;
    const Catalogue& catalogue_;
    Exported out_;
    std::optional<ContainerId> parent_;
    std::int64_t here_ = 0, total_ = 0, domain_ = 1;
    std::vector<Written> dimensions_;
};

}  // namespace

Result<Exported> export_astra_network(const Scenario& scenario) { return Writer(scenario).run(); }

}  // namespace crosspoint
