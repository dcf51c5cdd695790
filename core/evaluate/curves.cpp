#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/collective/calibrated.hpp"
#include "core/evaluate/stages.hpp"
#include "core/units/text.hpp"

namespace crosspoint::stages {
namespace {

struct Use {
    const Fabric& fabric;
    int link = -1;
    CollectiveOp op;
    std::string text;
};

const CollectiveFigures* figures_of(const Catalogue& catalogue, const PartId& part, CollectiveOp op) {
    const LinkPart* link = catalogue.links.find(part);
    if (!link) return nullptr;
    const auto it = link->collectives.find(op);
    return it == link->collectives.end() ? nullptr : &it->second;
}

std::string bandwidth_source(const NetworkLink& link, const CollectiveFigures* figures) {
    return figures && figures->bandwidth ? figures->bandwidth->source : link.capacity.source;
}

std::string alpha_source(const Catalogue& catalogue, const PartId& part, const CollectiveFigures* figures) {
    if (figures && figures->step) return figures->step->source;
    const LinkPart* link = catalogue.links.find(part);
    return link ? link->endpoint.source : std::string();
}

CrossoverCurve curve_of(const Scenario& s, const Prediction& p, const Use& use) {
    CrossoverCurve curve;
    curve.link = {use.fabric.software + use.fabric.step, use.fabric.bandwidth, use.fabric.kappa};
    curve.crossover = crossover_bytes(curve.link);
    curve.half_bandwidth = half_bandwidth_bytes(curve.link);
    curve.confidence = use.fabric.confidence;
    curve.use = use.text;
    if (use.link < 0 || std::size_t(use.link) >= p.network->links.size()) return curve;
    const NetworkLink& link = p.network->links[std::size_t(use.link)];
    const auto* figures = figures_of(*s.catalogue, link.part, use.op);
    curve.name = link.name;
    curve.part = link.part;
    curve.level = link.level;
    curve.source = fmt::format("bandwidth: {}; alpha: {}", bandwidth_source(link, figures),
                               alpha_source(*s.catalogue, link.part, figures));
    return curve;
}

/// Curves within 2 % of each other cannot be told apart in a logarithmic plot and are drawn as one.
bool alike(const CrossoverCurve& a, const CrossoverCurve& b) {
    const auto near = [](double x, double y) { return std::abs(x - y) <= 0.02 * std::max(std::abs(x), std::abs(y)); };
    return a.part == b.part && a.level == b.level && near(a.link.alpha.si(), b.link.alpha.si()) &&
           near(a.link.beta.si(), b.link.beta.si()) && near(a.link.kappa, b.link.kappa);
}

/// Index of an equal curve, or of this one after adding it.
std::size_t add_curve(Report& report, CrossoverCurve curve) {
    auto& all = report.curves;
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& c) { return alike(c, curve); });
    if (same == all.end()) {
        all.push_back(std::move(curve));
        return all.size() - 1;
    }
    if (same->use.find(curve.use) == std::string::npos) same->use += ", " + curve.use;
    return std::size_t(same - all.begin());
}

bool drawable(const Fabric& f) {
    return f.bandwidth.si() > 0 && std::isfinite(f.bandwidth.si()) && f.software.si() + f.step.si() >= 0;
}

/// The curve of a calibration, over the bytes that a rank sends at the measured ranks; alpha that was not measured
/// stays.
CrossoverCurve calibrated_curve(CrossoverCurve curve, const PathCalibration& path) {
    const double factor = bus_bandwidth_factor(path.operation, double(path.ranks));
    curve.link = {path.alpha.value_or(curve.link.alpha), path.bandwidth * factor, path.kappa};
    curve.crossover = crossover_bytes(curve.link);
    curve.half_bandwidth = half_bandwidth_bytes(curve.link);
    curve.confidence = path.confidence;
    curve.source = fmt::format("calibration over {} ranks: {}", path.ranks, path.source);
    for (const MeasuredTime& point : path.table) curve.measured.push_back({point.size * factor, point.time});
    return curve;
}

/// Curves of one group's operation; the answer is the curve that its message belongs on.
std::optional<std::size_t> add_group(const Scenario& s, const Prediction& p, const GroupRoutes& routes,
                                     const Communication& c, Report& report) {
    const GroupFabric fabric = group_fabric(routes, *p.network, *s.catalogue, c.op);
    const bool exchange =
        c.op != CollectiveOp::all_reduce && c.op != CollectiveOp::all_gather && c.op != CollectiveOp::reduce_scatter;
    const Route& flat = exchange ? routes.all_to_all : routes.ring;
    const bool named = to_string(c.op).starts_with(to_string(c.group));  // "expert-dispatch" says its group
    const std::string name = fmt::format("{}{}{}", named ? "" : to_string(c.group), named ? "" : " ", to_string(c.op));
    if (fabric.inside && routes.inside && drawable(*fabric.inside))
        add_curve(report, curve_of(s, p, {*fabric.inside, routes.inside->bottleneck, c.op, name + ", in a domain"}));
    if (!drawable(fabric.whole)) return std::nullopt;
    CrossoverCurve curve = curve_of(
        s, p,
        {fabric.whole, flat.bottleneck, c.op, routes.inside || flat.domains > 1 ? name + ", across domains" : name});
    if (const auto* path = calibration_of(s.calibration.paths, routes, *p.network, c.op))
        curve = calibrated_curve(std::move(curve), *path);
    return add_curve(report, std::move(curve));
}

void add_message(const OperationResult& r, std::size_t curve, Report& report) {
    const Bytes bytes = r.exchange ? r.exchange->sent_per_rank : r.collective ? r.collective->sent_per_rank : Bytes(0);
    if (!(bytes.si() > 0) || !(r.time.si() > 0)) return;
    for (const auto& m : report.messages)
        if (m.curve == curve && std::abs(m.bytes.si() - bytes.si()) < 0.01 * bytes.si() &&
            std::abs(m.time.si() - r.time.si()) < 0.01 * r.time.si())
            return;
    report.messages.push_back(
        {r.op.id, fmt::format("{} now: {}, {}", r.op.label, format(bytes), format(r.time)), curve, bytes, r.time});
}

void add_operation(const Scenario& s, const Prediction& p, PredictionCache& cache, const OperationResult& r,
                   Report& report) {
    if (!r.op.communication) return;
    const auto routes = routes_of(s, r.op.communication->group, cache);
    if (!routes || !*routes) return;
    if (const auto curve = add_group(s, p, **routes, *r.op.communication, report)) add_message(r, *curve, report);
}

}  // namespace

void add_curves(const Scenario& scenario, const Prediction& prediction, PredictionCache& cache, Report& report) {
    for (const auto& layer : prediction.layers)
        for (const auto& r : layer.operations) add_operation(scenario, prediction, cache, r, report);
    for (const auto& r : prediction.ends) add_operation(scenario, prediction, cache, r, report);
}

}  // namespace crosspoint::stages
