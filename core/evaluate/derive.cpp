#include "core/evaluate/derive.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint::stages {
namespace {

constexpr std::size_t shown_operations = 8, shown_links = 6;

struct Weighted {
    const OperationResult* result;
    double times;
    [[nodiscard]] Seconds total() const { return result->time * times; }
};

int micro_batches(const LayerResult& layer) {
    int last = 0;
    for (const Bar& b : layer.timeline.bars) last = std::max(last, b.micro_batch);
    return last + 1;
}

std::vector<Weighted> operations_of(const Prediction& p, bool communication_only) {
    std::vector<Weighted> all;
    const auto take = [&](const OperationResult& r, double times) {
        if (!communication_only || r.op.communication) all.push_back({&r, times});
    };
    for (const auto& layer : p.layers)
        for (const auto& r : layer.operations) take(r, double(layer.count) * micro_batches(layer));
    for (const auto& r : p.ends) take(r, 1);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.total() > b.total(); });
    return all;
}

std::string times_text(const Weighted& w) {
    return w.times > 1
               ? fmt::format("{} x {} = {}", format_count(w.times, 4), format(w.result->time), format(w.total()))
               : format(w.total());
}

template <class Q>
DerivationTerm figure_term(std::string name, const Figure<Q>& figure, std::string object) {
    return {std::move(name), format(figure.value), figure.source, figure.confidence, std::move(object)};
}

/// "58 x 242 us (MLA + 256 experts) + 3 x 98 us (MLA + dense) + ends 0.5 ms"
std::string sum_text(const Prediction& p, Seconds& sum) {
    std::string text;
    for (const auto& layer : p.layers) {
        sum += layer.timeline.end * double(layer.count);
        text += fmt::format("{}{} x {} ({})", text.empty() ? "" : " + ", layer.count, format(layer.timeline.end, 4),
                            layer.label);
    }
    Seconds ends(0);
    for (const auto& r : p.ends) ends += r.time;
    sum += ends;
    return text + fmt::format(" + {} (ends of the step)", format(ends, 4));
}

/// What the sum of layers and ends leaves unsaid: layers that overlap, groups of a pipeline that wait.
std::string rest_text(Seconds rest, Seconds step) {
    if (std::abs(rest.si()) < 5e-4 * step.si()) return {};
    if (rest.si() > 0) return fmt::format(" + {} (waiting for other pipeline groups and stages)", format(rest, 4));
    return fmt::format(" - {} (work of neighbouring layers that overlaps)", format(-rest, 4));
}

void add_accelerator_terms(const Scenario& s, const Prediction& p, Derivation& why) {
    if (!p.accelerator) return;
    const AcceleratorPart& part = *p.accelerator;
    const std::string object = p.network->accelerator_devices.empty() ? "" : p.network->accelerator_devices.front();
    why.terms.push_back(figure_term("memory bandwidth of " + part.name, part.memory_bandwidth, object));
    why.terms.push_back({"share of it that is reached", format_percent(part.memory_efficiency.value),
                         part.memory_efficiency.source, part.memory_efficiency.confidence, object});
    why.terms.push_back({"best share of the compute peak", format_percent(part.compute_efficiency_evidence.value),
                         part.compute_efficiency_evidence.source, part.compute_efficiency_evidence.confidence, object});
    why.terms.push_back(
        figure_term("launch of a kernel", s.calibration.graphs ? part.graph_launch : part.launch, object));
    why.terms.push_back(figure_term("overhead per step", s.calibration.step_overhead, ""));
    why.terms.push_back(figure_term("overhead per layer", s.calibration.layer_overhead, ""));
}

}  // namespace

std::string_view step_name(Phase phase) {
    switch (phase) {
        case Phase::decode: return "inter-token latency";
        case Phase::prefill: return "time to first token";
        case Phase::training: return "training step";
    }
    return "step";
}

DerivationTerm step_term(const Scenario& s, const Prediction& p) {
    return {std::string(step_name(s.workload.phase)), format(p.step_time, 4), "the step's timeline", p.confidence, ""};
}

void add_largest_operations(const Prediction& p, bool communication_only, Derivation& why) {
    const auto all = operations_of(p, communication_only);
    for (std::size_t i = 0; i < std::min(all.size(), shown_operations); ++i) {
        const OperationResult& r = *all[i].result;
        if (!(r.time.si() > 0)) break;
        why.terms.push_back({r.op.label, times_text(all[i]), r.why, r.confidence, r.op.id});
    }
}

void add_links(const Prediction& p, Derivation& why) {
    auto uses = p.links;
    std::stable_sort(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.busy > b.busy; });
    for (std::size_t i = 0; i < std::min(uses.size(), shown_links); ++i) {
        if (uses[i].link < 0 || std::size_t(uses[i].link) >= p.network->links.size()) continue;
        const NetworkLink& link = p.network->links[std::size_t(uses[i].link)];
        why.terms.push_back({link.name,
                             fmt::format("{} at {}, {} of the step", format(uses[i].bytes), format(link.capacity.value),
                                         format_percent(uses[i].utilisation)),
                             link.capacity.source, link.capacity.confidence, link.ref.id});
    }
}

Derivation derive_step(const Scenario& s, const Prediction& p) {
    Derivation why;
    Seconds sum(0);
    const std::string parts = sum_text(p, sum);
    why.formula = "sum over layers of the end of their timeline + ends of the step";
    why.substituted = parts + rest_text(p.step_time - sum, p.step_time) + " = " + format(p.step_time, 4);
    add_largest_operations(p, false, why);
    add_accelerator_terms(s, p, why);
    add_links(p, why);
    why.notes = {"Operations on different streams overlap, so the terms may add up to more than the step."};
    if (s.calibration.step_overhead.confidence == Confidence::assumed)
        why.notes.push_back(
            "The overheads are assumed: without a calibration a single-stream figure is a lower bound.");
    if (s.workload.phase == Phase::prefill) why.notes.push_back("Queueing before the prompt starts is not included.");
    return why;
}

Derivation derive_memory(const Scenario& s, const Prediction& p, const StageMemory& m) {
    Derivation why;
    why.formula = "dense weights + expert weights + embeddings + cache + activations + buffers, fullest stage";
    why.substituted =
        fmt::format("{} + {} + {} + {} + {} + {} = {}", format(m.dense_weights), format(m.expert_weights),
                    format(m.embeddings), format(m.cache), format(m.activations), format(m.buffers), format(m.used()));
    const std::string where =
        fmt::format("stage {}, layers {} to {}", m.stage, m.first_layer, m.first_layer + m.layers - 1);
    const auto part = [&](std::string_view name, Bytes bytes, std::string_view dtype) {
        why.terms.push_back(
            {std::string(name), format(bytes), fmt::format("{}{}", where, dtype), Confidence::exact, ""});
    };
    const auto in = [](Dtype d) { return fmt::format(", {}", to_string(d)); };
    part("dense weights", m.dense_weights, in(s.precision.weights));
    part("expert weights", m.expert_weights, in(s.precision.experts));
    part("embeddings", m.embeddings, in(s.precision.weights));
    part("cache", m.cache, in(s.precision.cache));
    part("activations", m.activations, in(s.precision.activations));
    part("communication buffers", m.buffers, "");
    if (p.accelerator) why.terms.push_back(figure_term("capacity of an accelerator", p.accelerator->memory, ""));
    why.terms.push_back(
        {"usable", format(p.memory.usable),
         fmt::format("{} of the capacity less {} reserve", format_percent(s.calibration.memory_fraction),
                     format(s.calibration.runtime_reserve)),
         Confidence::assumed, ""});
    if (p.training) {
        why.formula = "weights + embeddings + gradients + optimiser + activations + buffers, fullest stage";
        why.substituted = fmt::format("{} + {} + {} + {} + {} + {} = {}", format(m.dense_weights + m.expert_weights),
                                      format(m.embeddings), format(m.gradients), format(m.optimiser),
                                      format(m.activations), format(m.buffers), format(m.used()));
        part("gradients", m.gradients, in(s.workload.training.gradients));
        part("optimiser", m.optimiser, in(s.workload.training.master));
        why.notes = {fmt::format("Largest micro-batch that fits {}, longest sequence {} tokens.",
                                 p.memory.largest_batch, p.memory.longest_context),
                     "Activations: Korthikanti et al. 2022 (arXiv 2205.05198). Fragmentation is not modelled."};
        return why;
    }
    why.notes = {fmt::format("Largest batch that fits {}, longest context {} tokens.", p.memory.largest_batch,
                             p.memory.longest_context),
                 "Fragmentation and offloading are not modelled."};
    return why;
}

}  // namespace crosspoint::stages
