#include <algorithm>

#include <fmt/format.h>

#include "core/evaluate/stages.hpp"
#include "core/review/verdict.hpp"
#include "core/units/text.hpp"

namespace crosspoint::stages {
namespace {

template <class Q>
void add_figure(std::vector<Assumption>& all, const std::string& name, const Figure<Q>& figure) {
    all.push_back({name + " " + format(figure.value), figure.source, figure.confidence});
}

void add_share(std::vector<Assumption>& all, const std::string& name, const Figure<double>& figure) {
    all.push_back({name + " " + format_percent(figure.value), figure.source, figure.confidence});
}

void add_calibration(std::vector<Assumption>& all, const Calibration& c) {
    add_figure(all, "overhead per step", c.step_overhead);
    add_figure(all, "overhead per layer", c.layer_overhead);
    all.push_back({fmt::format("memory that the engine may use {}, reserve {}", format_percent(c.memory_fraction),
                               format(c.runtime_reserve)),
                   "the scenario's calibration", Confidence::assumed});
    all.push_back({c.graphs ? "kernels are captured in graphs" : "kernels are launched one by one",
                   "the scenario's calibration", Confidence::assumed});
    for (const PathCalibration& path : c.paths)
        all.push_back({fmt::format("{} over '{}': {}, {} of {} ranks", to_string(path.operation), path.link,
                                   path.alpha ? format(*path.alpha) : "alpha of the catalogue", format(path.bandwidth),
                                   path.ranks),
                       path.source, path.confidence});
}

void add_accelerator(std::vector<Assumption>& all, const AcceleratorPart& part, const Calibration& calibration) {
    add_figure(all, part.name + ": memory", part.memory);
    add_figure(all, part.name + ": memory bandwidth", part.memory_bandwidth);
    add_share(all, part.name + ": share of the memory bandwidth reached", part.memory_efficiency);
    add_share(all, part.name + ": best share of the dense peak reached", part.compute_efficiency_evidence);
    add_figure(all, part.name + ": launch of a kernel", calibration.graphs ? part.graph_launch : part.launch);
    for (const auto& [dtype, peak] : part.dense_peak)
        add_figure(all, fmt::format("{}: dense {} peak", part.name, to_string(dtype)), peak);
}

std::string capacity_text(const NetworkLink& link) {
    const bool nominal = link.capacity.confidence >= Confidence::datasheet;
    return fmt::format("{}: {} an instance{}", link.name, format(link.capacity.value),
                       nominal ? ", only the nominal figure is known" : ", usable");
}

void add_link_part(std::vector<Assumption>& all, const Catalogue& catalogue, const PartId& id) {
    const LinkPart* part = catalogue.links.find(id);
    if (!part) return;
    add_figure(all, part->name + ": software", part->software);
    add_figure(all, part->name + ": endpoint", part->endpoint);
    add_figure(all, part->name + ": hop", part->hop);
    for (const auto& [op, figures] : part->collectives) {
        const auto name = fmt::format("{}, {}: ", part->name, to_string(op));
        if (figures.bandwidth) add_figure(all, name + "bandwidth", *figures.bandwidth);
        if (figures.software) add_figure(all, name + "software", *figures.software);
        if (figures.step) add_figure(all, name + "step", *figures.step);
    }
}

void add_links(std::vector<Assumption>& all, const Scenario& s, const Prediction& p) {
    std::vector<PartId> parts;
    for (const int index : links_in_use(p)) {
        const NetworkLink& link = p.network->links[std::size_t(index)];
        all.push_back({capacity_text(link), link.capacity.source, link.capacity.confidence});
        if (std::find(parts.begin(), parts.end(), link.part) == parts.end()) parts.push_back(link.part);
    }
    for (const PartId& part : parts) add_link_part(all, *s.catalogue, part);
}

bool any_experts(const ModelShape& m) {
    return std::any_of(m.kinds.begin(), m.kinds.end(),
                       [](const auto& k) { return k.feed_forward.experts.has_value(); });
}

}  // namespace

std::vector<int> links_in_use(const Prediction& prediction) {
    std::vector<int> links;
    for (const auto& use : prediction.links)
        if (prediction.network && use.link >= 0 && std::size_t(use.link) < prediction.network->links.size())
            links.push_back(use.link);
    return links;
}

std::vector<Assumption> assumptions(const Scenario& scenario, const Prediction& prediction) {
    std::vector<Assumption> all;
    add_calibration(all, scenario.calibration);
    if (any_experts(*scenario.model))
        all.push_back(
            {fmt::format("expert popularity varies with a coefficient of {}", shortest(scenario.workload.expert_cv)),
             "the scenario's workload", Confidence::assumed});
    if (prediction.price.si() > 0)
        all.push_back({"price of an accelerator " + format(prediction.price), prediction.price_source,
                       prediction.price_confidence});
    all.push_back({"shape of " + scenario.model->name, scenario.model->source, Confidence::exact});
    if (prediction.accelerator) add_accelerator(all, *prediction.accelerator, scenario.calibration);
    add_links(all, scenario, prediction);
    return all;
}

namespace {

/// Cable ends at one instance of a device.
double cables_at(const Scenario& s, const Network& network, const Device& device) {
    double ends = 0;
    for (const Link& link : s.topology->links) {
        const NetworkLink* drawn = network.find({LinkRef::Kind::link, link.id.value});
        const int touches = int(link.a == device.id) + int(link.b == device.id);
        if (drawn) ends += touches * double(drawn->instances) * link.lanes;
    }
    return ends / double(std::max<std::int64_t>(1, instances(*s.topology, device)));
}

void add_full_switches(std::vector<std::string>& all, const Scenario& s, const Network& network) {
    for (const Device& device : s.topology->devices) {
        const SwitchPart* part = s.catalogue->switches.find(device.part);
        if (device.kind != DeviceKind::network_switch || !part || part->radix < 1) continue;
        const double cables = cables_at(s, network, device);
        if (cables > part->radix)
            all.push_back(fmt::format("'{}' has {} cables drawn, but {} has {} ports.",
                                      device.name.empty() ? device.id.value : device.name, format_count(cables),
                                      part->name.empty() ? part->id.value : part->name, part->radix));
    }
}

void add_unknown_thresholds(std::vector<std::string>& all, const Scenario& s) {
    for (const auto& [name, value] : s.thresholds) {
        const bool known = std::any_of(rules().begin(), rules().end(), [&](const Rule& rule) {
            return std::any_of(rule.thresholds.begin(), rule.thresholds.end(),
                               [&](const ThresholdSpec& spec) { return spec.name == name; });
        });
        if (!known) all.push_back(fmt::format("No rule has a threshold '{}': it has no effect.", name));
    }
}

}  // namespace

std::vector<std::string> warnings(const Scenario& s, const Prediction& p) {
    std::vector<std::string> all;
    if (!p.memory.fits)
        all.push_back("The model does not fit in memory: times and prices are what it would take if it did.");
    if (p.layout.idle > 0)
        all.push_back(
            fmt::format("{} of {} accelerators are idle in this layout.", p.layout.idle, p.layout.accelerators));
    if (p.network->mixed_accelerators)
        all.push_back("The drawing mixes accelerators; the first one's part stands for all.");
    if (s.model->max_context > 0 && s.workload.context > s.model->max_context)
        all.push_back(fmt::format("Context {} is longer than the {} that {} was made for.", s.workload.context,
                                  s.model->max_context, s.model->name));
    if (s.workload.batch < s.layout.attention_data)
        all.push_back(
            fmt::format("Batch {} leaves some of the {} attention-data ranks without a sequence; figures are "
                        "averages over ranks.",
                        s.workload.batch, s.layout.attention_data));
    add_full_switches(all, s, *p.network);
    add_unknown_thresholds(all, s);
    if (!(p.price.si() > 0)) all.push_back("No accelerator price is known: unit prices are missing.");
    for (const int index : links_in_use(p)) {
        const NetworkLink& link = p.network->links[std::size_t(index)];
        if (link.capacity.confidence >= Confidence::datasheet)
            all.push_back(fmt::format("Only a nominal bandwidth is known for {}; real traffic gets less.", link.name));
    }
    return all;
}

}  // namespace crosspoint::stages
