#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/scenario/edit_apply.hpp"

namespace crosspoint::edits {
namespace {

constexpr std::int64_t max_amount = 1'000'000'000;  // sequences or tokens; keeps every product inside 64 bits
constexpr std::int64_t max_degree = 1'000'000;      // three degrees multiply to at most 1e18
constexpr double max_cv = 100;                      // one expert taking all of 10,000 has a variation of 100

Result<void> check_whole(std::string_view what, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value >= low && value <= high) return {};
    return fail(ErrorCode::invalid_value, fmt::format("{} cannot be {}", what, value),
                fmt::format("use a whole number from {} to {}", low, high));
}

Result<void> check_real(std::string_view what, double value, double low, double high) {
    if (value >= low && value <= high) return {};
    return fail(ErrorCode::invalid_value, fmt::format("{} cannot be {}", what, value),
                fmt::format("use a number from {} to {}", low, high));
}

Result<void> check_not_negative(std::string_view what, double value) {
    if (std::isfinite(value) && value >= 0) return {};
    return fail(ErrorCode::invalid_value, fmt::format("{} cannot be {}", what, value),
                "use 0 or a positive, finite value");
}

template <class Q>
Result<void> check_positive(std::string_view what, const std::optional<Q>& value) {
    if (!value || (std::isfinite(value->si()) && value->si() > 0)) return {};
    return fail(ErrorCode::invalid_value, fmt::format("{} cannot be {}", what, value->si()),
                "use a positive, finite value, or leave it out");
}

/// Checks, then assigns.
template <class T>
Result<void> set_whole(T& field, std::string_view what, std::int64_t value) {
    auto ok = check_whole(what, value, 1, max_amount);
    if (ok) field = value;
    return ok;
}

Result<void> first_failure(std::initializer_list<Result<void>> checks) {
    for (const auto& check : checks)
        if (!check) return check;
    return {};
}

template <class It>
It same_path(It begin, It end, const std::string& link, CollectiveOp op) {
    return std::find_if(begin, end, [&](const PathCalibration& p) { return p.link == link && p.operation == op; });
}

}  // namespace

Result<void> write(Scenario& next, const SetTitle& edit) {
    next.title = edit.title;
    next.notes = edit.notes;
    return {};
}

Result<void> write(Scenario& next, const SetPhase& edit) {
    next.workload.phase = edit.phase;
    return {};
}

Result<void> write(Scenario& next, const SetBatch& edit) {
    return set_whole(next.workload.batch, "the batch", edit.batch);
}

Result<void> write(Scenario& next, const SetContext& edit) {
    return set_whole(next.workload.context, "the context", edit.context);
}

Result<void> write(Scenario& next, const SetOutput& edit) {
    return set_whole(next.workload.output, "the output length", edit.output);
}

Result<void> write(Scenario& next, const SetExpertCv& edit) {
    auto ok = check_real("the variation of expert popularity", edit.cv, 0, max_cv);
    if (ok) next.workload.expert_cv = edit.cv;
    return ok;
}

Result<void> write(Scenario& next, const SetTraining& edit) {
    const Training& t = edit.training;
    auto ok =
        first_failure({check_whole("the micro-batch", t.micro_batch, 1, max_amount),
                       check_whole("the model chunks a stage", t.interleave, 1, max_degree),
                       check_whole("the sharding stage", t.sharding, 0, 3),
                       check_not_negative("the time between failures", t.time_between_failures.si()),
                       check_not_negative("the time of a checkpoint", t.checkpoint_time.si()),
                       check_not_negative("the time of a restart", t.restart_time.si()),
                       check_real("the share of the peak that products reach", t.product_share.value_or(0.5), 0.01, 1),
                       check_real("the assumed utilisation", t.assumed_mfu, 0.001, 1)});
    if (ok) next.workload.training = t;
    return ok;
}

Result<void> write(Scenario& next, const SetModel& edit) {
    if (edit.model)
        if (auto ok = validate(*edit.model); !ok) return ok;
    next.model = edit.model;
    return {};
}

Result<void> write(Scenario& next, const SetPrecision& edit) {
    next.precision = edit.precision;
    return {};
}

Result<void> write(Scenario& next, const SetParallelism& edit) {
    const Parallelism& layout = edit.layout;
    auto ok = first_failure({check_whole("the tensor degree", layout.tensor, 1, max_degree),
                             check_whole("the pipeline degree", layout.pipeline, 1, max_degree),
                             check_whole("the context degree", layout.context, 1, max_degree),
                             check_whole("the attention-data degree", layout.attention_data, 1, max_degree),
                             check_whole("the expert degree", layout.expert, 1, max_degree),
                             check_whole("the expert-tensor degree", layout.expert_tensor, 1, max_degree),
                             check_whole("the number of replicas", layout.replicas, 0, max_amount)});
    if (ok) next.layout = layout;
    return ok;
}

Result<void> write(Scenario& next, const SetPlacement& edit) {
    const auto& order = edit.placement.order;
    for (const ParallelDimension wanted : Placement{}.order)
        if (std::count(order.begin(), order.end(), wanted) != 1)
            return fail(ErrorCode::invalid_value, "the placement order does not name every dimension once",
                        "order tensor, attention-data, pipeline and replica, each once");
    next.placement = edit.placement;
    return {};
}

Result<void> write(Scenario& next, const SetCalibration& edit) {
    const Calibration& calibration = edit.calibration;
    auto ok = first_failure({check_not_negative("the step overhead", calibration.step_overhead.value.si()),
                             check_not_negative("the layer overhead", calibration.layer_overhead.value.si()),
                             check_not_negative("the runtime reserve", calibration.runtime_reserve.si()),
                             check_real("the memory fraction", calibration.memory_fraction, 0, 1)});
    if (ok && calibration.memory_fraction == 0)
        return fail(ErrorCode::invalid_value, "the memory fraction cannot be 0", "use a share above 0 and at most 1");
    for (auto it = calibration.paths.begin(); ok && it != calibration.paths.end(); ++it) {
        ok = validate(*it);
        if (ok && same_path(calibration.paths.begin(), it, it->link, it->operation) != it)
            return fail(ErrorCode::invalid_value,
                        fmt::format("{} over '{}' is calibrated twice", to_string(it->operation), it->link),
                        "keep one of the two", {it->link});
    }
    if (ok) next.calibration = calibration;
    return ok;
}

Result<void> write(Scenario& next, const SetPathCalibration& edit) {
    if (auto ok = validate(edit.path); !ok) return ok;
    auto& paths = next.calibration.paths;
    const auto it = same_path(paths.begin(), paths.end(), edit.path.link, edit.path.operation);
    if (it == paths.end()) paths.push_back(edit.path);
    else *it = edit.path;
    return {};
}

Result<void> write(Scenario& next, const RemovePathCalibration& edit) {
    auto& paths = next.calibration.paths;
    const auto it = same_path(paths.begin(), paths.end(), edit.link, edit.operation);
    if (it == paths.end())
        return fail(ErrorCode::reference,
                    fmt::format("{} over '{}' is not calibrated", to_string(edit.operation), edit.link), {},
                    {edit.link});
    paths.erase(it);
    return {};
}

Result<void> write(Scenario& next, const SetPrices& edit) {
    if (edit.prices.accelerator)
        if (auto ok = check_not_negative("the price of an accelerator", edit.prices.accelerator->si()); !ok) return ok;
    next.prices = edit.prices;
    return {};
}

Result<void> write(Scenario& next, const SetTargets& edit) {
    auto ok = first_failure({check_positive("the inter-token target", edit.targets.inter_token),
                             check_positive("the first-token target", edit.targets.first_token),
                             check_positive("the target output price", edit.targets.output_price)});
    if (ok) next.targets = edit.targets;
    return ok;
}

Result<void> write(Scenario& next, const SetService& edit) {
    auto ok = check_positive("the offered load", edit.service.offered);
    if (ok) next.service = edit.service;
    return ok;
}

Result<void> write(Scenario& next, const SetTier& edit) {
    if (edit.name.empty()) return fail(ErrorCode::invalid_value, "a tier needs a name", "name it as in 'fast'");
    if (!edit.tier) {
        next.tiers.erase(edit.name);
        return {};
    }
    constexpr double least = 1e-3, most = 1e3;
    auto ok = first_failure({check_real("the price multiple of a tier", edit.tier->price, least, most),
                             check_real("the speed multiple of a tier", edit.tier->speed, least, most)});
    if (ok) next.tiers[edit.name] = *edit.tier;
    return ok;
}

Result<void> write(Scenario& next, const SetThreshold& edit) {
    if (edit.name.empty())
        return fail(ErrorCode::invalid_value, "a threshold needs a name", "name it as in 'cross-domain.attention'");
    if (!edit.value) {
        next.thresholds.erase(edit.name);
        return {};
    }
    if (!std::isfinite(*edit.value))
        return fail(ErrorCode::invalid_value, fmt::format("threshold '{}' cannot be {}", edit.name, *edit.value),
                    "use a finite number");
    next.thresholds[edit.name] = *edit.value;
    return {};
}

}  // namespace crosspoint::edits
