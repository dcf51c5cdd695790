#include "core/importers/sketch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/importers/products.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t longest_id = 48;
constexpr std::size_t note_limit = 500;

template <class Q>
Figure<Q> assumed_figure(Q value, std::string_view source, std::string_view scope) {
    return {value, Confidence::assumed, std::string(source), std::string(scope)};
}

/// The part of a table that comes nearest in bandwidth within a family; null when the family has none.
const LinkPart* nearest(const Table<LinkPart>& parts, std::string_view family, BytesPerSecond bandwidth) {
    const LinkPart* best = nullptr;
    const auto distance = [&](const LinkPart& p) {
        return std::abs(std::log(p.bandwidth.nominal.value.si() / bandwidth.si()));
    };
    for (const LinkPart& p : parts)
        if (p.family == family && (!best || distance(p) < distance(*best))) best = &p;
    return best;
}

bool same(BytesPerSecond a, BytesPerSecond b) {
    constexpr double tolerance = 0.01;
    return std::abs(a.si() / b.si() - 1) <= tolerance;
}

/// A part's row with latencies of no built-in sibling: plain assumptions.
LinkPart bare_link() {
    LinkPart part;
    const auto figure = [](double us, std::string_view scope) {
        return assumed_figure(Seconds(us / 1e6), "assumed: no built-in part of this family", scope);
    };
    part.software = figure(10, "once per call");
    part.endpoint = figure(1, "per step");
    part.hop = figure(0.5, "per traversal");
    return part;
}

}  // namespace

std::string plain_id(std::string_view text) {
    std::string id;
    for (const char c : text.substr(0, longest_id)) {
        const bool upper = c >= 'A' && c <= 'Z';
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (upper) id += char(c - 'A' + 'a');
        else if (plain) id += c;
        else if (!id.empty() && id.back() != '-') id += '-';
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id.empty() ? "object" : id;
}

Sketch::Sketch(const ImportOptions& options, std::string_view format, std::string name)
    : base_(options.catalogue ? options.catalogue : std::make_shared<const Catalogue>()), options_(options) {
    imported_.format = format;
    imported_.name = std::move(name);
}

std::string Sketch::fresh(std::string_view stem) {
    const std::string plain = plain_id(stem);
    std::string id = plain;
    while (!ids_.insert(id).second) id = fmt::format("{}-{}", plain, imported_.topology.next_id++);
    return id;
}

ContainerId Sketch::add(std::string_view stem, Container container) {
    container.id = ContainerId(fresh(stem));
    containers_.push_back(std::move(container));
    return containers_.back().id;
}

DeviceId Sketch::add(std::string_view stem, Device device) {
    device.id = DeviceId(fresh(stem));
    devices_.push_back(std::move(device));
    return devices_.back().id;
}

LinkId Sketch::add(std::string_view stem, Link link) {
    link.id = LinkId(fresh(stem));
    links_.push_back(std::move(link));
    return links_.back().id;
}

void Sketch::note(ImportNote::Kind kind, std::string text, std::string where) {
    if (imported_.notes.size() > note_limit) return;
    if (!said_.insert(fmt::format("{}|{}", text, where)).second) return;
    if (imported_.notes.size() == note_limit)
        kind = ImportNote::Kind::warning, text = "further notes are left out", where.clear();
    imported_.notes.push_back({kind, std::move(text), std::move(where)});
}

std::string Sketch::ask(std::string id, std::string text, std::vector<std::string> choices, std::string fallback) {
    ImportQuestion question{std::move(id), std::move(text), std::move(choices), fallback, std::move(fallback), false};
    if (const auto it = options_.answers.find(question.id); it != options_.answers.end()) {
        const bool known =
            std::find(question.choices.begin(), question.choices.end(), it->second) != question.choices.end();
        if (known) question.answer = it->second, question.answered = true;  // import_any refuses other answers
    }
    imported_.questions.push_back(question);
    return question.answer;
}

template <class Row>
PartId Sketch::put(Table<Row>& own, Row row) {
    const std::string stem = "own-" + plain_id(row.name);
    for (int n = 1;; ++n) {
        row.id = PartId(n == 1 ? stem : fmt::format("{}-{}", stem, n));
        const Row* taken = own.find(row.id);
        if (!taken) break;
        if (*taken == row) return row.id;
    }
    own.put(row);
    return row.id;
}

PartId Sketch::own_accelerator(const AcceleratorFigures& given) {
    const AcceleratorPart* like = base_->accelerators.find(PartId("nvidia-a100-sxm-80gb"));
    AcceleratorPart part = like ? *like : AcceleratorPart{};
    part.name = given.name.empty() ? "Unknown accelerator" : given.name;
    part.vendor = given.vendor;
    part.price.reset();
    part.power.reset();
    const std::string source = "assumed: that of an NVIDIA A100 80 GB, as the product is not in the catalogue";
    std::string guessed;
    const auto figure = [&](auto& target, const auto& value, auto fallback, std::string_view what,
                            std::string_view scope) {
        if (value) target = {*value, given.confidence, given.source, std::string(scope)};
        else {
            target = assumed_figure(fallback, source, scope);
            guessed += (guessed.empty() ? "" : ", ") + std::string(what);
        }
    };
    constexpr double a100_memory = 80e9, a100_bandwidth = 2.039e12, a100_fp16 = 312e12;
    figure(part.memory, given.memory, Bytes(a100_memory), "memory", "per accelerator");
    figure(part.memory_bandwidth, given.memory_bandwidth, BytesPerSecond(a100_bandwidth), "memory bandwidth",
           "per accelerator, nominal");
    part.dense_peak.clear();
    for (const auto& [dtype, peak] : given.dense_peak)
        part.dense_peak[dtype] = {peak, given.confidence, given.source, "per accelerator, dense"};
    if (part.dense_peak.empty()) {
        for (const Dtype d : {Dtype::bf16, Dtype::fp16})
            part.dense_peak[d] = assumed_figure(FlopsPerSecond(a100_fp16), source, "per accelerator, dense");
        guessed += (guessed.empty() ? "" : ", ") + std::string("dense peak");
    }
    if (!like) {
        part.memory_efficiency = assumed_figure(0.8, "assumed", "share of the nominal memory bandwidth");
        part.compute_efficiency = {{1, 0.01}, {64, 0.4}, {1024, 0.7}};
        part.compute_efficiency_evidence = assumed_figure(0.7, "assumed", "share of the dense peak");
        part.launch = assumed_figure(Seconds(5e-6), "assumed", "per kernel");
        part.graph_launch = assumed_figure(Seconds(1e-6), "assumed", "per kernel");
    }
    if (!guessed.empty())
        assumed(fmt::format("'{}' is not in the catalogue; assumed as of an A100 80 GB: {}", part.name, guessed),
                part.name);
    return put(imported_.parts.accelerators, std::move(part));
}

PartId Sketch::accelerator(std::string_view text) {
    const Product* product = product_by_name(text);
    if (!product) {
        AcceleratorFigures unknown;
        unknown.name = std::string(text.substr(0, longest_id));
        return own_accelerator(unknown);
    }
    const PartId builtin{std::string(product->part)};
    if (!builtin.empty() && base_->accelerators.contains(builtin)) return builtin;
    constexpr double giga = 1e9, tera = 1e12;
    AcceleratorFigures figures;
    figures.name = product->name;
    figures.vendor = product->vendor;
    figures.source = product->source;
    figures.memory = Bytes(product->memory_gb * giga);
    figures.memory_bandwidth = BytesPerSecond(product->memory_gbps * giga);
    for (const Dtype d : {Dtype::bf16, Dtype::fp16})
        figures.dense_peak[d] = FlopsPerSecond(product->fp16_tflops * tera);
    return own_accelerator(figures);
}

PartId Sketch::link(std::string_view family, std::string_view name, BytesPerSecond bandwidth, std::string_view source,
                    Confidence confidence, bool exact_name) {
    const LinkPart* like = nearest(base_->links, family, bandwidth);
    if (like && !exact_name && same(like->bandwidth.nominal.value, bandwidth)) return like->id;
    if (!like && family == "xgmi") like = nearest(base_->links, "nvlink", bandwidth);
    LinkPart part = like ? *like : bare_link();
    part.name = name;
    part.family = family;
    part.collectives.clear();
    const std::string scope = "one direction, payload";
    part.bandwidth = {{bandwidth, confidence, std::string(source), scope}, std::nullopt};
    if (like && like->bandwidth.usable) {
        const double share = like->bandwidth.usable->value.si() / like->bandwidth.nominal.value.si();
        part.bandwidth.usable = assumed_figure(
            bandwidth * share, fmt::format("assumed: the same share of the nominal as {}", like->name), scope);
    }
    return put(imported_.parts.links, std::move(part));
}

PartId Sketch::nic(std::string_view name, BytesPerSecond bandwidth, std::string_view source, Confidence confidence) {
    const NicPart* like = nullptr;
    for (const NicPart& p : base_->nics) {
        if (lower(p.name) == lower(name) && same(p.bandwidth.nominal.value, bandwidth)) return p.id;
        if (!like || same(p.bandwidth.nominal.value, bandwidth)) like = &p;
    }
    NicPart part;
    if (like) part.endpoint = like->endpoint;
    else part.endpoint = assumed_figure(Seconds(1e-6), "assumed", "per message");
    part.name = name;
    part.bandwidth.nominal = {bandwidth, confidence, std::string(source), "per NIC, one direction, payload"};
    return put(imported_.parts.nics, std::move(part));
}

PartId Sketch::network_switch(std::string_view name, int radix, BytesPerSecond port, std::string_view source,
                              Confidence confidence) {
    const SwitchPart* like = nullptr;
    for (const SwitchPart& p : base_->switches) {
        if (p.name == name) return p.id;
        if (!like || same(p.port_bandwidth.value, port)) like = &p;
    }
    SwitchPart part;
    part.name = name;
    part.radix = std::max(1, radix);
    part.port_bandwidth = {port, confidence, std::string(source), "per port, one direction"};
    part.hop = like ? like->hop : assumed_figure(Seconds(0.3e-6), "assumed", "port to port");
    return put(imported_.parts.switches, std::move(part));
}

PartId Sketch::host(std::string_view name) {
    for (const HostPart& p : base_->hosts)
        if (lower(p.name) == lower(name)) return p.id;
    HostPart part;
    const HostPart* like = base_->hosts.empty() ? nullptr : &*base_->hosts.begin();
    if (const HostPart* x86 = base_->hosts.find(PartId("x86-socket"))) like = x86;
    part.name = name;
    part.hop = like ? like->hop : assumed_figure(Seconds(0.3e-6), "assumed", "crossing the CPU");
    return put(imported_.parts.hosts, std::move(part));
}

Result<Imported> Sketch::finish() {
    if (too_large())
        return fail(ErrorCode::unsupported,
                    fmt::format("the file describes {} devices and links; at most {} are read", elements(),
                                import_element_limit),
                    "cut it to one pod, and raise its count in the drawing");
    const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
    std::sort(containers_.begin(), containers_.end(), by_id);
    std::sort(devices_.begin(), devices_.end(), by_id);
    std::sort(links_.begin(), links_.end(), by_id);
    Topology& t = imported_.topology;
    for (auto& c : containers_) t.containers.put(std::move(c));
    for (auto& d : devices_) t.devices.put(std::move(d));
    for (auto& l : links_) t.links.put(std::move(l));
    for (const std::string& id : ids_) reserve_id(t, id);
    if (auto ok = validate(t); !ok) return tl::unexpected(ok.error());
    return std::move(imported_);
}

}  // namespace crosspoint
