#include "core/scenario/scenario.hpp"

namespace crosspoint {
namespace {

template <class T>
bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return a == b || (a && b && *a == *b);
}

Calibration default_calibration() {
    Calibration calibration;
    // Assumed: a few hundred microseconds to a few milliseconds are typical of serving engines; shown and editable.
    calibration.step_overhead = {Seconds(1e-3), Confidence::assumed, "assumed: scheduler, sampling and framework",
                                 "once per step"};
    calibration.layer_overhead = {Seconds(0), Confidence::assumed, "assumed: none beyond the kernels' launches",
                                  "once per layer"};
    return calibration;
}

}  // namespace

bool operator==(const Scenario& a, const Scenario& b) {
    return a.title == b.title && a.notes == b.notes && a.workload == b.workload && a.precision == b.precision &&
           a.layout == b.layout && a.placement == b.placement && a.calibration == b.calibration &&
           a.prices == b.prices && a.targets == b.targets && a.thresholds == b.thresholds && a.service == b.service &&
           a.tiers == b.tiers && same(a.topology, b.topology) && same(a.model, b.model) &&
           same(a.catalogue, b.catalogue) && same(a.own_parts, b.own_parts);
}

Scenario empty_scenario(std::shared_ptr<const Catalogue> builtin) {
    Scenario scenario;
    scenario.topology = std::make_shared<const Topology>();
    scenario.own_parts = std::make_shared<const Catalogue>();
    scenario.catalogue = builtin ? std::move(builtin) : scenario.own_parts;
    scenario.calibration = default_calibration();
    return scenario;
}

}  // namespace crosspoint
