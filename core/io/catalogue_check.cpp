#include <fmt/format.h>

#include <cmath>

#include "core/io/catalogue_json.hpp"
#include "core/io/json_enums.hpp"
#include "core/io/json_tree.hpp"

namespace crosspoint {
namespace {

double number_of(double value) { return value; }
template <int... D>
double number_of(Quantity<D...> value) {
    return value.si();
}

/// Collects the first figure that is out of range.
class Check {
public:
    /// Figures checked from here on belong to this part.
    void part(std::string_view table, const PartId& id) {
        base_ = json::child_pointer(json::child_pointer("", table), id.value);
        id_ = id.value;
    }
    template <class Q>
    void positive(std::string_view field, const Figure<Q>& figure) {
        common(field, figure, number_of(figure.value) > 0, "must be above 0", "write a positive value");
    }
    template <class Q>
    void not_negative(std::string_view field, const Figure<Q>& figure) {
        common(field, figure, number_of(figure.value) >= 0, "must not be negative", "write 0 or more");
    }
    void share(std::string_view field, const Figure<double>& figure) {
        common(field, figure, figure.value > 0 && figure.value <= 1, "must be above 0 and at most 1",
               "write a share such as 0.8");
    }
    void bandwidth(const Bandwidth& bandwidth) {
        positive("bandwidth/nominal", bandwidth.nominal);
        if (bandwidth.usable) positive("bandwidth/usable", *bandwidth.usable);
    }
    void that(bool ok, std::string_view field, std::string_view problem, std::string_view hint) {
        if (ok || !result_) return;
        result_ = fail(ErrorCode::invalid_value, fmt::format("{} of part '{}' {}", field, id_, problem),
                       std::string(hint), {id_});
        result_.error().pointer = base_ + "/" + std::string(field);
    }
    [[nodiscard]] Result<void> result() const { return result_; }

private:
    template <class Q>
    void common(std::string_view field, const Figure<Q>& figure, bool in_range, std::string_view problem,
                std::string_view hint) {
        that(std::isfinite(number_of(figure.value)) && in_range, field, problem, hint);
        that(!figure.source.empty(), field, "has no source", "say where the number comes from, or 'assumed'");
    }

    std::string base_, id_;
    Result<void> result_;
};

void check(Check& all, const AcceleratorPart& part) {
    all.part("accelerators", part.id);
    all.positive("memory", part.memory);
    all.positive("memory_bandwidth", part.memory_bandwidth);
    all.share("memory_efficiency", part.memory_efficiency);
    all.that(!part.dense_peak.empty(), "dense_peak", "is empty", "give the dense peak of at least one number format");
    for (const auto& [dtype, peak] : part.dense_peak)
        all.positive(fmt::format("dense_peak/{}", to_string(dtype)), peak);
    all.share("compute_efficiency", part.compute_efficiency_evidence);
    all.that(!part.compute_efficiency.empty(), "compute_efficiency", "has no points", "give at least one point");
    double rows = 0;
    for (const EfficiencyPoint& point : part.compute_efficiency) {
        all.that(point.rows > rows, "compute_efficiency", "does not ascend in rows", "sort the points by rows");
        all.that(point.share > 0 && point.share <= 1, "compute_efficiency", "has a share outside (0, 1]",
                 "write shares such as 0.7");
        rows = point.rows;
    }
    all.not_negative("launch", part.launch);
    all.not_negative("graph_launch", part.graph_launch);
    if (part.price) all.not_negative("price", *part.price);
    if (part.power) all.positive("power", *part.power);
}

void check(Check& all, const LinkPart& part) {
    all.part("links", part.id);
    all.bandwidth(part.bandwidth);
    all.not_negative("software", part.software);
    all.not_negative("endpoint", part.endpoint);
    all.not_negative("hop", part.hop);
    if (part.peer_bandwidth) all.positive("peer_bandwidth", *part.peer_bandwidth);
    if (part.in_switch_gain) all.positive("in_switch_gain", *part.in_switch_gain);
    if (part.in_switch_bandwidth) all.positive("in_switch_bandwidth", *part.in_switch_bandwidth);
    if (part.in_switch_latency) all.not_negative("in_switch_latency", *part.in_switch_latency);
    if (part.engine_kernels) {
        all.not_negative("engine_kernels/one_shot", part.engine_kernels->one_shot);
        all.not_negative("engine_kernels/two_shot", part.engine_kernels->two_shot);
        all.share("engine_kernels/bandwidth_share", part.engine_kernels->bandwidth_share);
    }
    for (const auto& [op, figures] : part.collectives) {
        const std::string base = fmt::format("collectives/{}/", to_string(op));
        if (figures.bandwidth) all.positive(base + "bandwidth", *figures.bandwidth);
        if (figures.software) all.not_negative(base + "software", *figures.software);
        if (figures.step) all.not_negative(base + "step", *figures.step);
        if (figures.kappa) all.not_negative(base + "kappa", *figures.kappa);
        if (figures.bulk_software) all.not_negative(base + "bulk_software", *figures.bulk_software);
        if (figures.bulk_step) all.not_negative(base + "bulk_step", *figures.bulk_step);
        if (figures.low_latency_share) all.share(base + "low_latency_share", *figures.low_latency_share);
        if (figures.message) all.not_negative(base + "message", *figures.message);
    }
}

void check(Check& all, const SwitchPart& part) {
    all.part("switches", part.id);
    all.that(part.radix > 0, "radix", "must be above 0", "write the number of ports");
    all.positive("port_bandwidth", part.port_bandwidth);
    all.not_negative("hop", part.hop);
}

void check(Check& all, const NicPart& part) {
    all.part("nics", part.id);
    all.bandwidth(part.bandwidth);
    all.not_negative("endpoint", part.endpoint);
}

void check(Check& all, const HostPart& part) {
    all.part("hosts", part.id);
    all.not_negative("hop", part.hop);
}

}  // namespace

Result<void> check_catalogue(const Catalogue& catalogue) {
    Check all;
    for (const auto& part : catalogue.accelerators) check(all, part);
    for (const auto& part : catalogue.links) check(all, part);
    for (const auto& part : catalogue.switches) check(all, part);
    for (const auto& part : catalogue.nics) check(all, part);
    for (const auto& part : catalogue.hosts) check(all, part);
    return all.result();
}

}  // namespace crosspoint
