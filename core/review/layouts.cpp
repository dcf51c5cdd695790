#include "core/review/layouts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/review/facts.hpp"

namespace crosspoint::review_layouts {
namespace {

using review_facts::has_experts;
using review_facts::latency_metric;

/// Sequences in flight in one replica of `ranks` accelerators, when the drawing as a whole keeps its load.
std::int64_t same_load(const ReviewFacts& f, std::int64_t ranks) {
    const double now = double(f.scenario.layout.replica_size());
    const double batch = double(f.scenario.workload.batch) * double(ranks) / std::max(1.0, now);
    return std::max<std::int64_t>(1, std::int64_t(batch));
}

/// A stage of `size` ranks with the old tensor degree as far as it fits.
Parallelism shrunk(const ReviewFacts& f, std::int64_t size) {
    Parallelism layout = f.scenario.layout;
    layout.replicas = 0;
    layout.tensor = std::min(layout.tensor, size);
    while (layout.tensor > 1 && size % layout.tensor != 0) --layout.tensor;
    layout.attention_data = size / layout.tensor;
    if (!has_experts(f.scenario)) {
        layout.tensor = size;
        layout.attention_data = layout.expert = layout.expert_tensor = 1;
        return layout;
    }
    layout.expert_tensor = std::min(layout.expert_tensor, size);
    while (layout.expert_tensor > 1 && size % layout.expert_tensor != 0) --layout.expert_tensor;
    layout.expert = size / layout.expert_tensor;
    return layout;
}

std::string degree_name(const ReviewFacts& f, const Parallelism& layout) {
    return has_experts(f.scenario) ? fmt::format("EP {}", layout.expert) : fmt::format("TP {}", layout.tensor);
}

std::optional<Suggestion> as_replicas(const ReviewFacts& f, std::int64_t size) {
    const Parallelism layout = shrunk(f, size);
    Workload workload = f.scenario.workload;
    workload.batch = same_load(f, layout.replica_size());
    if (!works(f, layout, workload)) return std::nullopt;
    const std::int64_t replicas = f.prediction.network->accelerators / layout.replica_size();
    Suggestion s;
    s.text = fmt::format("{} \u00D7 {} replicas, inside one domain each, batch {}", degree_name(f, layout), replicas,
                         workload.batch);
    s.edits = {SetParallelism{layout}, SetBatch{workload.batch}};
    s.metric = latency_metric(f.scenario);
    return s;
}

std::optional<Suggestion> as_pipeline(const ReviewFacts& f, std::int64_t size) {
    Parallelism layout = shrunk(f, size);
    const std::int64_t stage = f.scenario.layout.stage_size();
    if (stage % size != 0) return std::nullopt;
    layout.pipeline = f.scenario.layout.pipeline * (stage / size);
    if (!works(f, layout, f.scenario.workload)) return std::nullopt;
    Suggestion s;
    s.text =
        fmt::format("{} inside the domain and pipeline {} across domains", degree_name(f, layout), layout.pipeline);
    s.edits = {SetParallelism{layout}};
    s.metric = latency_metric(f.scenario);
    return s;
}

}  // namespace

bool works(const ReviewFacts& f, const Parallelism& layout, const Workload& workload) {
    if (!f.scenario.model || !f.prediction.network || !f.prediction.accelerator) return false;
    if (!validate(layout, *f.scenario.model, f.prediction.network->accelerators)) return false;
    return memory_report(*f.scenario.model, layout, f.scenario.precision, workload, f.scenario.calibration,
                         *f.prediction.accelerator)
        .fits;
}

std::vector<Suggestion> inside_domain(const ReviewFacts& f) {
    std::vector<Suggestion> found;
    const std::int64_t stage = f.scenario.layout.stage_size();
    const std::int64_t domain = review_facts::domain_size(f.prediction);
    if (domain < 2 || stage <= domain) return found;
    for (auto make : {as_replicas, as_pipeline})
        for (std::int64_t size = domain; size > 1; size /= 2)
            if (auto s = make(f, size)) {
                found.push_back(std::move(*s));
                break;
            }
    return found;
}

std::optional<Suggestion> with_tensor(const ReviewFacts& f, std::int64_t degree, std::string_view why) {
    const Parallelism& now = f.scenario.layout;
    if (degree < 1 || degree == now.tensor) return std::nullopt;
    Parallelism layout = now;
    layout.tensor = degree;
    layout.replicas = 0;
    if (has_experts(f.scenario)) {
        if (now.stage_size() % degree != 0) return std::nullopt;
        layout.attention_data = now.stage_size() / degree;
    }
    Workload workload = f.scenario.workload;
    workload.batch = same_load(f, layout.replica_size());
    if (!works(f, layout, workload)) return std::nullopt;
    Suggestion s;
    s.text = fmt::format(
        "TP {}{}: {}", degree,
        has_experts(f.scenario) ? fmt::format(", attention data parallel {}", layout.attention_data) : "", why);
    s.edits = {SetParallelism{layout}};
    if (workload.batch != f.scenario.workload.batch) s.edits.push_back(SetBatch{workload.batch});
    s.metric = latency_metric(f.scenario);
    return s;
}

std::optional<Suggestion> overlapped(const ReviewFacts& f) {
    Parallelism layout = f.scenario.layout;
    if (layout.two_batch_overlap || f.scenario.workload.batch < 2) return std::nullopt;
    layout.two_batch_overlap = true;
    return Suggestion{"overlap two half batches: one communicates while the other computes",
                      {SetParallelism{layout}},
                      latency_metric(f.scenario),
                      {},
                      {},
                      {},
                      {}};
}

std::optional<Suggestion> narrower_dispatch(const ReviewFacts& f) {
    Precision precision = f.scenario.precision;
    if (size_of(precision.dispatch) <= size_of(Dtype::fp8)) return std::nullopt;
    precision.dispatch = Dtype::fp8;
    return Suggestion{
        "dispatch in fp8: fewer bytes a token", {SetPrecision{precision}}, latency_metric(f.scenario), {}, {}, {}, {}};
}

std::optional<Suggestion> larger_batch(const ReviewFacts& f) {
    Workload workload = f.scenario.workload;
    if (workload.batch > std::int64_t{1} << 40) return std::nullopt;
    workload.batch *= 2;
    if (!works(f, f.scenario.layout, workload)) return std::nullopt;
    return Suggestion{fmt::format("raise the batch to {}: more work for each message", workload.batch),
                      {SetBatch{workload.batch}},
                      "communication over expert products",
                      {},
                      {},
                      {},
                      {}};
}

}  // namespace crosspoint::review_layouts
