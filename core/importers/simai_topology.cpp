// SimAI topology files: "nodes gpus_per_server nv_switches switches links gpu_type", switch numbers, then one cable a
// line: "from to 400Gbps 0.0005ms error_rate". Rates are one direction (2880Gbps = 360 GB/s); they are taken as usable.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/importers/cabling_draw.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr long long node_limit = 200'000;

struct SimaiLink {
    int a = 0, b = 0;
    double bytes_per_s = 0, latency_s = 0;
};

struct Simai {
    int gpus = 0, per_server = 0;
    std::string gpu_type;
    std::vector<int> kind;  ///< per node: 0 GPU, 1 NVSwitch, 2 switch
    std::vector<SimaiLink> links;
};

struct Header {
    long long nodes = 0, per_server = 0, nv_switches = 0, switches = 0, links = 0;
    std::string gpu_type;
};

std::optional<Header> header_of(std::string_view line) {
    const auto words = words_of(line);
    constexpr std::size_t columns = 6;
    if (words.size() != columns) return std::nullopt;
    std::vector<long long> numbers;
    for (std::size_t i = 0; i + 1 < columns; ++i) {
        const auto n = whole_number(words[i]);
        if (!n || *n < 0 || *n > 100 * node_limit) return std::nullopt;
        numbers.push_back(*n);
    }
    if (whole_number(words.back())) return std::nullopt;
    return Header{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], std::string(words.back())};
}

/// A number with its unit glued on: "400Gbps", "0.0005ms".
template <class Q>
std::optional<double> glued(std::string_view text, std::initializer_list<std::pair<std::string_view, double>> units) {
    for (const auto& [unit, factor] : units) {
        if (!text.ends_with(unit)) continue;
        const auto number = parse_number(text.substr(0, text.size() - unit.size()));
        return number && *number > 0 ? std::optional(*number * factor) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> rate_of(std::string_view text) {
    return glued<double>(text,
                         {{"Tbps", 1.25e11}, {"Gbps", 1.25e8}, {"Mbps", 1.25e5}, {"Kbps", 1.25e2}, {"bps", 0.125}});
}

std::optional<double> time_of(std::string_view text) {
    if (text == "0" || text == "0ms" || text == "0us" || text == "0ns") return 0.0;
    return glued<double>(text, {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"s", 1.0}});
}

Result<Simai> nodes_of(const Header& header, std::string_view ids) {
    if (header.nodes > node_limit)
        return fail_at(1, ErrorCode::unsupported,
                       fmt::format("{} nodes; at most {} are read", header.nodes, node_limit));
    Simai simai;
    const long long gpus = header.nodes - header.nv_switches - header.switches;
    if (gpus < 1 || header.per_server < 1)
        return fail_at(1, ErrorCode::schema,
                       fmt::format("{} nodes less {} NVSwitches and {} switches leave no GPU", header.nodes,
                                   header.nv_switches, header.switches));
    simai.gpus = int(gpus);
    simai.per_server = int(std::min(header.per_server, gpus));
    simai.gpu_type = header.gpu_type;
    simai.kind.assign(std::size_t(header.nodes), 0);
    const auto words = words_of(ids);
    if (words.size() != std::size_t(header.nv_switches + header.switches))
        return fail_at(2, ErrorCode::schema,
                       fmt::format("{} switch numbers, where the first line says {} + {}", words.size(),
                                   header.nv_switches, header.switches));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto id = whole_number(words[i]);
        if (!id || *id < gpus || *id >= header.nodes)
            return fail_at(2, ErrorCode::schema, fmt::format("'{}' is no switch number", words[i]));
        simai.kind[std::size_t(*id)] = i < std::size_t(header.nv_switches) ? 1 : 2;
    }
    return simai;
}

Result<SimaiLink> link_of(std::string_view line, int number, long long nodes) {
    const auto words = words_of(line);
    if (words.size() < 4)
        return fail_at(number, ErrorCode::syntax, "expected 'from to 400Gbps 0.0005ms 0'", "was the file cut?");
    const auto a = whole_number(words[0]), b = whole_number(words[1]);
    const auto rate = rate_of(words[2]), latency = time_of(words[3]);
    if (!a || !b || *a < 0 || *b < 0 || *a >= nodes || *b >= nodes)
        return fail_at(number, ErrorCode::reference, fmt::format("'{} {}' are no two nodes", words[0], words[1]));
    if (!rate) return fail_at(number, ErrorCode::schema, fmt::format("'{}' is no rate such as 400Gbps", words[2]));
    if (!latency) return fail_at(number, ErrorCode::schema, fmt::format("'{}' is no time such as 0.0005ms", words[3]));
    return SimaiLink{int(*a), int(*b), *rate, *latency};
}

Result<Simai> read(std::string_view text) {
    const auto lines = lines_of(text);
    const auto header = lines.empty() ? std::nullopt : header_of(lines[0]);
    if (!header) return fail_at(1, ErrorCode::syntax, "the first line is not five counts and a GPU name");
    auto simai = nodes_of(*header, lines.size() > 1 ? lines[1] : std::string_view());
    if (!simai) return simai;
    for (std::size_t i = 2; i < lines.size(); ++i) {
        if (trimmed(lines[i]).empty()) continue;
        auto link = link_of(lines[i], int(i) + 1, header->nodes);
        if (!link) return tl::unexpected(link.error());
        simai->links.push_back(*link);
    }
    if (simai->links.size() != std::size_t(header->links))
        return fail_at(1, ErrorCode::schema,
                       fmt::format("{} cables, where the first line says {}", simai->links.size(), header->links),
                       "was the file cut?");
    return simai;
}

/// GPUs that share NVSwitches; the number of the lowest GPU of each group.
std::vector<int> nvlink_groups(const Simai& simai) {
    std::vector<int> above(simai.kind.size());
    std::iota(above.begin(), above.end(), 0);
    const auto top = [&](int i) {
        while (above[std::size_t(i)] != i) i = above[std::size_t(i)] = above[std::size_t(above[std::size_t(i)])];
        return i;
    };
    for (const SimaiLink& link : simai.links) {
        const int a = simai.kind[std::size_t(link.a)], b = simai.kind[std::size_t(link.b)];
        if (a == 2 || b == 2) continue;
        const int x = top(link.a), y = top(link.b);
        above[std::size_t(std::max(x, y))] = std::min(x, y);
    }
    std::vector<int> group;
    for (int g = 0; g < simai.gpus; ++g) group.push_back(top(g));
    return group;
}

class SimaiBuilder {
public:
    SimaiBuilder(const Simai& simai, Sketch& sketch) : simai_(simai), sketch_(sketch) {}

    void run() {
        add_hosts();
        add_switches();
        add_cables();
        choose_parts();
        draw(cabling_, parts_, sketch_);
        say();
    }

private:
    void add_hosts() {
        nvlink_.assign(std::size_t(simai_.gpus), 0);
        std::vector<bool> cabled(std::size_t(simai_.gpus), false);
        for (const SimaiLink& link : simai_.links) {
            for (const auto& [gpu, other] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
                if (gpu >= simai_.gpus) continue;
                const int kind = simai_.kind[std::size_t(other)];
                if (kind == 1) nvlink_[std::size_t(gpu)] += link.bytes_per_s;
                if (kind == 2) cabled[std::size_t(gpu)] = true;
            }
        }
        const auto group = nvlink_groups(simai_);
        for (int first = 0; first < simai_.gpus; first += simai_.per_server) {
            const int last = std::min(first + simai_.per_server, simai_.gpus) - 1;
            Cabling::Host host;
            host.name = fmt::format("server {}", first / simai_.per_server);
            host.kind = fmt::format("{}x{}", last - first + 1, nvlink_[std::size_t(first)]);
            const bool wider = (first > 0 && group[std::size_t(first)] == group[std::size_t(first) - 1]) ||
                               (last + 1 < simai_.gpus && group[std::size_t(last)] == group[std::size_t(last) + 1]);
            if (wider) host.domain = fmt::format("NVLink domain of GPU {}", group[std::size_t(first)]);
            host.nics = std::any_of(cabled.begin() + first, cabled.begin() + last + 1, [](bool c) { return c; })
                            ? last - first + 1
                            : 0;
            add_kind(host, last - first + 1, nvlink_[std::size_t(first)], wider);
            cabling_.hosts.push_back(std::move(host));
        }
    }

    void add_kind(const Cabling::Host& host, int gpus, double nvlink, bool wider) {
        if (parts_.hosts.contains(host.kind)) return;
        HostDrawing drawing;
        drawing.accelerators = gpus;
        drawing.accelerator = sketch_.accelerator(simai_.gpu_type);
        drawing.accelerator_name = simai_.gpu_type;
        if (nvlink > 0) {
            Interconnect fabric;
            fabric.part =
                sketch_.link("nvlink", "NVLink of the SimAI file", BytesPerSecond(nvlink), "SimAI topology file");
            fabric.bandwidth = BytesPerSecond(nvlink);
            (wider ? parts_.domain : drawing.fabric) = fabric;
            sketch_.converted(
                fmt::format("NVLink: {:.6g} Gb/s of each GPU to its NVSwitches is {} one direction, per GPU",
                            nvlink / 1.25e8, format(BytesPerSecond(nvlink))));
        }
        parts_.hosts[host.kind] = std::move(drawing);
    }

    void add_switches() {
        switch_of_.assign(simai_.kind.size(), -1);
        for (std::size_t i = 0; i < simai_.kind.size(); ++i) {
            if (simai_.kind[i] != 2) continue;
            switch_of_[i] = int(cabling_.switches.size());
            cabling_.switches.push_back({fmt::format("switch {}", i), "Switch of the SimAI file"});
        }
    }

    [[nodiscard]] std::optional<Cabling::End> end_of(int node) const {
        if (node < simai_.gpus) return Cabling::End{node / simai_.per_server, node % simai_.per_server};
        if (switch_of_[std::size_t(node)] >= 0) return Cabling::End{-1, switch_of_[std::size_t(node)]};
        return std::nullopt;
    }

    void add_cables() {
        for (const SimaiLink& link : simai_.links) {
            const auto a = end_of(link.a), b = end_of(link.b);
            if (!a || !b) {
                nvlink_latency_ = std::max(nvlink_latency_, link.latency_s);
                continue;
            }
            cabling_.cables.push_back({*a, *b, link.bytes_per_s, link.latency_s, 1});
            rates_.insert(link.bytes_per_s);
        }
    }

    void choose_parts() {
        parts_.nic_name = "NIC";
        parts_.exact = true;
        parts_.nic = [this](BytesPerSecond rate) {
            return sketch_.nic("NIC of the SimAI file", rate, "SimAI topology file: sum of the GPU's cables");
        };
        parts_.cable = [this](BytesPerSecond rate) {
            return sketch_.link("ethernet", fmt::format("Cable of {}", format_bits(rate)), rate, "SimAI topology file");
        };
        parts_.network_switch = [this](const std::string& model, int radix, BytesPerSecond port) {
            return sketch_.network_switch(model, radix, port, "SimAI topology file");
        };
    }

    void say() {
        for (const double rate : rates_)
            sketch_.converted(fmt::format("cables of {} carry {} one direction", format_bits(BytesPerSecond(rate)),
                                          format(BytesPerSecond(rate))));
        if (nvlink_latency_ > 0)
            sketch_.ignored(
                fmt::format("the {} of an NVLink: a wire's delay, while a step of a collective takes that of the "
                            "link part",
                            format(Seconds(nvlink_latency_))));
        if (!rates_.empty())
            sketch_.assumed("each GPU has one NIC with all its cables: in the file they start at the GPU");
        sketch_.ignored("the error rate of each link (last column)");
    }

    const Simai& simai_;
    Sketch& sketch_;
    Cabling cabling_;
    CablingParts parts_;
    std::vector<double> nvlink_;  ///< per GPU
    std::vector<int> switch_of_;
    std::set<double> rates_;
    double nvlink_latency_ = 0;
};

}  // namespace

bool is_simai_topology(std::string_view text) {
    const auto end = text.find('\n');
    return header_of(trimmed(text.substr(0, std::min(end, std::size_t{200})))).has_value();
}

Result<Imported> import_simai_topology(std::string_view text, const ImportOptions& options) {
    const auto simai = read(text);
    if (!simai) return tl::unexpected(simai.error());
    Sketch sketch(options, "simai-topology", fmt::format("SimAI: {} x {}", simai->gpus, simai->gpu_type));
    SimaiBuilder(*simai, sketch).run();
    return sketch.finish();
}

}  // namespace crosspoint
