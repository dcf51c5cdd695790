#include "core/cost/memory.hpp"

#include <algorithm>

#include "core/cost/memory_parts.hpp"

namespace crosspoint {

namespace {

constexpr std::int64_t kLargest = 1'000'000'000;  // where the searches for batch and context stop

/// Everything that does not depend on batch and context, computed once for both searches.
struct Plan {
    const ModelShape& model;
    const Parallelism& layout;
    const Precision& precision;
    std::vector<memory::StagePlan> stages;
    std::vector<StageMemory> weights;  ///< one per stage, weights filled in
};

StageMemory stage_weights(const Plan& plan, std::size_t index) {
    const memory::StagePlan& stage = plan.stages[index];
    StageMemory m;
    m.stage = std::int64_t(index);
    m.first_layer = stage.first_layer;
    m.layers = stage.layers;
    for (std::size_t k = 0; k < plan.model.kinds.size(); ++k) {
        const double count = double(stage.kind_counts[k]);
        if (count <= 0) continue;
        const LayerShape& layer = plan.model.kinds[k];
        m.dense_weights += count * memory::dense_weights(plan.model, layer, plan.layout, plan.precision.weights);
        m.expert_weights += count * memory::expert_weights(plan.model, layer, plan.layout, plan.precision.experts);
    }
    m.embeddings = memory::embedding_weights(plan.model, stage, plan.layout, plan.precision.weights);
    return m;
}

StageMemory stage_memory(const Plan& plan, std::size_t index, const Workload& workload) {
    const memory::StagePlan& stage = plan.stages[index];
    StageMemory m = plan.weights[index];
    for (std::size_t k = 0; k < plan.model.kinds.size(); ++k) {
        if (stage.kind_counts[k] == 0) continue;
        m.cache += double(stage.kind_counts[k]) *
                   memory::cache_of_sequence(plan.model.kinds[k], plan.layout, workload.context, plan.precision.cache);
    }
    m.cache *= memory::sequences_per_rank(workload, plan.layout);
    m.activations = memory::activations(plan.model, stage, plan.layout, plan.precision, workload);
    m.buffers = memory::buffers(plan.model, stage, plan.layout, plan.precision, workload);
    return m;
}

bool fits(const Plan& plan, const Workload& workload, Bytes usable) {
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (stage_memory(plan, i, workload).used() > usable) return false;
    }
    return true;
}

/// Largest value of one field of the workload that fits; memory grows with both fields, so bisection finds it.
std::int64_t largest(const Plan& plan, Workload workload, std::int64_t Workload::*field, Bytes usable) {
    const auto fits_at = [&](std::int64_t value) {
        workload.*field = value;
        return fits(plan, workload, usable);
    };
    std::int64_t low = 0, high = std::max<std::int64_t>(workload.*field, 1);
    while (high < kLargest && fits_at(high)) {
        low = high;
        high = std::min(high * 2, kLargest);
    }
    if (high == kLargest && fits_at(high)) return high;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits_at(middle) ? low : high) = middle;
    }
    return low;
}

Plan make_plan(const ModelShape& model, const Parallelism& layout, const Precision& precision) {
    Plan plan{model, layout, precision, memory::stage_plans(model, layout.pipeline), {}};
    for (std::size_t i = 0; i < plan.stages.size(); ++i) plan.weights.push_back(stage_weights(plan, i));
    return plan;
}

MemoryReport stages_report(const Plan& plan, const Workload& workload, const Calibration& calibration,
                           const AcceleratorPart& part) {
    MemoryReport report;
    report.capacity = part.memory.value;
    const double fraction = std::clamp(calibration.memory_fraction, 0.0, 1.0);
    report.usable = report.capacity * fraction - calibration.runtime_reserve;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        report.stages.push_back(stage_memory(plan, i, workload));
        report.stages.back().reserve = report.capacity - report.usable;
        if (report.stages[i].used() > report.stages[report.fullest].used()) report.fullest = i;
    }
    if (report.stages.empty()) return report;
    report.margin = report.usable - report.stages[report.fullest].used();
    report.fits = report.margin.si() >= 0;
    return report;
}

}  // namespace

std::vector<std::int64_t> stage_layers(const ModelShape& model, std::int64_t pipeline) {
    const auto layers = std::int64_t(model.layers.size());
    const std::int64_t stages = std::clamp<std::int64_t>(pipeline, 1, std::max<std::int64_t>(layers, 1));
    std::vector<std::int64_t> counts(std::size_t(stages), layers / stages);
    for (std::int64_t i = 0; i < layers % stages; ++i) ++counts[std::size_t(i)];
    return counts;
}

MemoryReport memory_report(const ModelShape& model, const Parallelism& layout, const Precision& precision,
                           const Workload& workload, const Calibration& calibration, const AcceleratorPart& part) {
    const Plan plan = make_plan(model, layout, precision);
    MemoryReport report = stages_report(plan, workload, calibration, part);
    if (report.stages.empty()) return report;
    report.largest_batch = largest(plan, workload, &Workload::batch, report.usable);
    report.longest_context = largest(plan, workload, &Workload::context, report.usable);
    return report;
}

MemoryReport memory_use(const ModelShape& model, const Parallelism& layout, const Precision& precision,
                        const Workload& workload, const Calibration& calibration, const AcceleratorPart& part) {
    return stages_report(make_plan(model, layout, precision), workload, calibration, part);
}

}  // namespace crosspoint
