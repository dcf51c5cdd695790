// Memory of one accelerator in training: states, activations, peaks.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "accuracy/kinds.hpp"
#include "accuracy/models.hpp"
#include "accuracy/training_setup.hpp"
#include "core/training/memory.hpp"

namespace crosspoint::accuracy {
namespace {

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

/// A record of one replica states no number of accelerators: as many as the layout needs.
Record complete(const Record& record, nlohmann::json& config) {
    Record r = record;
    config = record.config.json();
    const auto count = [&](const char* key) { return std::max<std::int64_t>(1, record.config.count(key, 1)); };
    if (!config.contains("gpus")) config["gpus"] = count("tp") * count("pp") * count("cp") * count("dp");
    if (!config.contains("global_batch") && !config.contains("micro_batches"))
        config["micro_batches"] = 4 * count("pp");  // enough to fill the pipeline
    if (!config.contains("hardware")) config["hardware"] = "A100 80GB";
    r.config = Config(std::make_shared<const nlohmann::json>(config));
    return r;
}

/// What the metric says about recomputation and sequence parallel.
void set_up(Scenario& s, const std::string& metric) {
    Training& t = s.workload.training;
    if (has(metric, "no recompute")) t.recompute = Recompute::none;
    else if (has(metric, "selective")) t.recompute = Recompute::selective;
    else if (has(metric, "full recompute")) t.recompute = Recompute::full;
    if (has(metric, "tp only")) s.layout.sequence_parallel = false;
    if (has(metric, "sequence parallel")) s.layout.sequence_parallel = true;
}

/// A stage in the middle stands for the states of "a GPU"; the first holds the most activations.
Bytes figure_of(const std::string& metric, const MemoryReport& m) {
    const StageMemory& middle = m.stages[m.stages.size() / 2];
    const Bytes weights = middle.dense_weights + middle.expert_weights + middle.embeddings;
    if (has(metric, "params+optimizer")) return weights + middle.gradients + middle.optimiser;
    if (has(metric, "activation")) return m.stages.front().activations;
    if (has(metric, "optimizer") || has(metric, "optimiser")) return middle.optimiser;
    if (has(metric, "gradient")) return middle.gradients;
    if (has(metric, "param") || has(metric, "weight")) return weights;
    if (has(metric, "peak") || has(metric, "memory") || has(metric, "total")) return m.stages[m.fullest].used();
    return Bytes(0);
}

}  // namespace

Predicted predict_training_memory(const Record& record, const Catalogue& catalogue) {
    if (!record.value) return tl::unexpected(std::string("the measured value is no number"));
    nlohmann::json config;
    auto setup = training_setup(complete(record, config), catalogue);
    if (!setup) return tl::unexpected(setup.error());
    Scenario& s = setup->scenario;
    const std::string metric = lower(record.metric);
    set_up(s, metric);
    const AcceleratorPart part;
    const MemoryReport m = training_memory(s, s.layout.replicas, part, false);
    if (m.stages.empty()) return tl::unexpected(std::string("no pipeline stage"));
    const Bytes figure = figure_of(metric, m);
    if (!(figure.si() > 0)) return tl::unexpected(fmt::format("the metric '{}' is not known", record.metric));
    return in_unit_of(record, figure.si(), setup->how);
}

}  // namespace crosspoint::accuracy
