#include "core/importers/ib_fabric.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/importers/cabling_draw.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

struct Generation {
    std::string_view word;
    double signalling_gbps;  ///< one lane
    double payload_gbps;     ///< one lane, after line coding (8b/10b up to QDR, 64b/66b and FEC after)
};

/// InfiniBand Architecture Specification, rates by generation.
constexpr Generation generations[] = {
    {"SDR", 2.5, 2.0},     {"DDR", 5.0, 4.0},   {"QDR", 10.0, 8.0},   {"FDR10", 10.3125, 10.0}, {"FDR", 14.0625, 13.64},
    {"EDR", 25.78125, 25}, {"HDR", 53.125, 50}, {"NDR", 106.25, 100}, {"XDR", 212.5, 200},
};
constexpr double gbps = 1.25e8;  ///< bytes/s

bool is_device_word(std::string_view word) {
    const std::string w = lower(word);
    if (w.starts_with("mlx") || w.starts_with("hca-") || w.starts_with("hfi") || w.starts_with("bnxt")) return true;
    const bool interface = w.starts_with("ib") && w.find_first_of("0123456789") != std::string::npos;
    return interface && w.find('-') == std::string::npos && w.find('.') == std::string::npos;
}

class FabricDrawer {
public:
    FabricDrawer(const IbFabric& fabric, const ImportOptions& options, Sketch& sketch)
        : fabric_(fabric), options_(options), sketch_(sketch) {}

    Result<void> run() {
        add_nodes();
        if (cabling_.switches.empty() || fabric_.cables.empty())
            return fail(
                ErrorCode::invalid_value,
                fmt::format("{} channel adapters and no cable to a switch: the fabric could not be reached when "
                            "this was taken",
                            adapters_),
                "run it on a host whose port is active, with the rights to query the subnet");
        for (const IbCable& cable : fabric_.cables) add_cable(cable);
        if (cabling_.hosts.empty())
            return fail(ErrorCode::invalid_value, "switches only, and no host", "take it on the fabric of the hosts");
        ask_kinds();
        choose_parts();
        draw(cabling_, parts_, sketch_);
        say();
        return {};
    }

private:
    void add_nodes() {
        std::map<std::string, int> host_number;
        for (const IbNode& node : fabric_.nodes) {
            switch (node.kind) {
                case IbNode::Kind::network_switch: {
                    ends_[node.id] = {-1, int(cabling_.switches.size())};
                    std::string name = node.description.empty() ? node.id : node.description;
                    cabling_.switches.push_back({std::move(name), "InfiniBand switch"});
                    break;
                }
                case IbNode::Kind::aggregation: ++aggregations_; break;
                case IbNode::Kind::router: ++routers_; break;
                case IbNode::Kind::adapter: add_adapter(node, host_number); break;
            }
        }
    }

    void add_adapter(const IbNode& node, std::map<std::string, int>& host_number) {
        ++adapters_;
        std::string name = ib_host_name(node.description);
        if (name.empty()) {
            ++unnamed_;
            name = "host " + (node.system.empty() ? node.id : node.system);
        }
        const auto [it, fresh] = host_number.emplace(name, int(cabling_.hosts.size()));
        if (fresh) cabling_.hosts.push_back({name, "", "", 0});
        ends_[node.id] = {it->second, cabling_.hosts[std::size_t(it->second)].nics++};
    }

    void add_cable(const IbCable& cable) {
        const auto a = ends_.find(cable.a), b = ends_.find(cable.b);
        if (a == ends_.end() || b == ends_.end()) return;
        cabling_.cables.push_back({a->second, b->second, cable.bytes_per_s, -1, 1});
        speeds_[cable.speed] = cable.bytes_per_s;
        fastest_ = std::max(fastest_, cable.bytes_per_s);
    }

    /// One kind of host for each number of adapters. The one that has most adapters in all gets the accelerators.
    void ask_kinds() {
        std::map<int, int> hosts;
        for (Cabling::Host& host : cabling_.hosts) {
            host.kind = fmt::format("{}", host.nics);
            ++hosts[host.nics];
        }
        const auto main = std::max_element(hosts.begin(), hosts.end(), [](const auto& x, const auto& y) {
            return std::pair(x.first * x.second, x.first) < std::pair(y.first * y.second, y.first);
        });
        const int nics = main->first;
        constexpr int usual = 8;
        const std::string why = nics > 1 ? fmt::format("one for each of its {} adapters", nics)
                                         : "the usual node has 8, the file shows one adapter";
        HostQuestion question{nics > 1 ? nics : usual, usual_accelerator(), why};
        HostDrawing compute = ask_host(options_, question, sketch_);
        compute.fabric = scale_up_of(compute.accelerator_name, sketch_);
        for (const auto& [count, how_many] : hosts)
            parts_.hosts[fmt::format("{}", count)] = count == nics ? compute : other_kind(count, how_many, compute);
    }

    HostDrawing other_kind(int nics, int hosts, const HostDrawing& compute) {
        const std::string none = "no accelerator", same = fmt::format("{} accelerators", compute.accelerators);
        const std::string answer =
            sketch_.ask(fmt::format("hosts-with-{}-adapters", nics),
                        fmt::format("{} hosts have {} adapters, unlike the others. What is in them?", hosts, nics),
                        {none, same}, nics > 1 && nics * 2 >= compute.accelerators ? same : none);
        if (answer == same) return compute;
        sketch_.assumed(
            fmt::format("{} hosts with {} adapters hold no accelerator (storage, login, management)", hosts, nics));
        return {};
    }

    [[nodiscard]] std::string_view usual_accelerator() const {
        constexpr double ndr = 45e9, xdr = 90e9;
        if (fastest_ > xdr) return "NVIDIA B300 SXM 288 GB";
        return fastest_ > ndr ? "NVIDIA H100 SXM 80 GB" : "NVIDIA A100 SXM 80 GB";
    }

    void choose_parts() {
        parts_.nic_name = "Channel adapter";
        parts_.nic = [this](BytesPerSecond rate) {
            return sketch_.nic(adapter_name(rate), rate, "port speed in the file");
        };
        parts_.cable = [this](BytesPerSecond rate) {
            return sketch_.link("infiniband", fmt::format("InfiniBand {}", format_bits(rate)), rate,
                                "port speed in the file");
        };
        parts_.network_switch = [this](const std::string& model, int radix, BytesPerSecond port) {
            return sketch_.network_switch(fmt::format("{}, {}", model, format_bits(port)), radix, port,
                                          "ports in use in the file");
        };
    }

    /// The adapter that is usual at this speed.
    static std::string adapter_name(BytesPerSecond rate) {
        constexpr double giga = 1e9;
        const auto near = [&](double gb) { return std::abs(rate.si() / (gb * giga) - 1) < 0.01; };
        if (near(25)) return "ConnectX-6 200G";
        if (near(50)) return "ConnectX-7 400G";
        if (near(100)) return "ConnectX-8 800G";
        return fmt::format("Channel adapter {}", format_bits(rate));
    }

    void say() {
        for (const auto& [speed, rate] : speeds_)
            sketch_.converted(
                fmt::format("{} is {} a port, one direction, payload", speed, format(BytesPerSecond(rate))));
        for (const std::string& speed : fabric_.unknown_speeds)
            sketch_.warn(fmt::format("ports of the unknown speed '{}' are left out", speed));
        if (aggregations_ > 0)
            sketch_.ignored(
                fmt::format("{} SHARP aggregation nodes: they are inside of switches, no hosts", aggregations_));
        if (routers_ > 0) sketch_.ignored(fmt::format("{} InfiniBand routers", routers_));
        if (unnamed_ > 0)
            sketch_.warn(fmt::format(
                "{} adapters do not name their host; each with its own system GUID is drawn as a host", unnamed_));
    }

    const IbFabric& fabric_;
    const ImportOptions& options_;
    Sketch& sketch_;
    Cabling cabling_;
    CablingParts parts_;
    std::map<std::string, Cabling::End> ends_;
    std::map<std::string, double> speeds_;
    double fastest_ = 0;
    int adapters_ = 0, aggregations_ = 0, routers_ = 0, unnamed_ = 0;
};

}  // namespace

std::optional<double> ib_lane_of_word(std::string_view word) {
    for (const Generation& g : generations)
        if (lower(g.word) == lower(word)) return g.payload_gbps * gbps;
    return std::nullopt;
}

std::optional<double> ib_lane_of_signalling(double rate) {
    constexpr double tolerance = 0.02;
    // Newer tools print the data rate of HDR and later (50.0, 100.0), which no generation signals at.
    for (const Generation& g : generations)
        if (std::abs(rate / g.signalling_gbps - 1) < tolerance || (g.payload_gbps >= 25 && rate == g.payload_gbps))
            return g.payload_gbps * gbps;
    return std::nullopt;
}

bool ib_is_aggregation_node(std::string_view description) {
    return description.find("Aggregation Node") != std::string_view::npos;
}

std::string ib_host_name(std::string_view description) {
    auto words = words_of(description);
    while (words.size() > 1 && is_device_word(words.back())) words.pop_back();
    if (words.empty()) return {};
    for (const std::string_view product : {"Mellanox", "ConnectX", "Technologies"})
        if (description.find(product) != std::string_view::npos) return {};
    std::string name(words.front());
    for (std::size_t i = 1; i < words.size(); ++i) name += " " + std::string(words[i]);
    return name;
}

Result<Imported> draw_ib_fabric(const IbFabric& fabric, std::string_view format, const ImportOptions& options) {
    Sketch sketch(options, format, "InfiniBand fabric");
    if (auto ok = FabricDrawer(fabric, options, sketch).run(); !ok) return tl::unexpected(ok.error());
    return sketch.finish();
}

}  // namespace crosspoint
