#include "core/evaluate/training_figures.hpp"

#include <fmt/format.h>

#include "core/evaluate/derive.hpp"
#include "core/units/text.hpp"

namespace crosspoint::stages {
namespace {

ShownFigure figure(const char* id, const char* label, double value, const char* key, std::string text,
                   Confidence confidence) {
    ShownFigure f;
    f.id = id;
    f.label = label;
    f.value_si = value;
    f.key = key;
    f.text = std::move(text);
    f.confidence = confidence;
    return f;
}

DerivationTerm term(std::string name, std::string value, std::string source, Confidence confidence) {
    return {std::move(name), std::move(value), std::move(source), confidence, ""};
}

ShownFigure step(const Scenario& s, const Prediction& p) {
    const TrainingStep& t = *p.training;
    ShownFigure f =
        figure("training_step", "Step", p.step_time.si(), "training_step_s", format(p.step_time), p.confidence);
    f.note = fmt::format("{} sequences of {}", s.workload.batch, s.workload.context);
    f.why.formula = "pipeline of micro-batches, forward and backward + gradients and weights that wait + optimiser";
    const Seconds pipeline = p.step_time - t.data_exposed - t.optimiser;
    f.why.substituted = fmt::format("{} + {} + {} = {}", format(pipeline, 4), format(t.data_exposed, 4),
                                    format(t.optimiser, 4), format(p.step_time, 4));
    f.why.terms = {
        term("micro-batches of a data-parallel rank", std::to_string(t.micro_batches), p.layout.message,
             Confidence::exact),
        term("pipeline bubble", format(t.bubble),
             fmt::format("mean idle time of a stage, schedule {} x {} played through; its published formula gives {}",
                         to_string(s.workload.training.schedule), s.workload.training.interleave,
                         format(t.published_bubble)),
             p.confidence),
        term("gradients and weights under computation", format(t.data_hidden), "overlap_data", p.confidence)};
    add_largest_operations(p, false, f.why);
    if (p.accelerator) {
        const TrainingShares& shares = training_shares(*p.accelerator);
        f.why.terms.push_back(term(fmt::format("share of the peak that large products reach, {} class", shares.name),
                                   fmt::format("bf16 {}, fp8 {}, fp4 {}", format_percent(shares.bf16),
                                               format_percent(shares.fp8), format_percent(shares.fp4)),
                                   std::string(shares.source), shares.confidence));
    }
    add_links(p, f.why);
    f.why.notes = {"The kernels' quality, host delays and stragglers are in the fitted shares only.",
                   "Next-token modules are not computed; an uneven batch takes the fullest rank's micro-batches."};
    return f;
}

ShownFigure per_accelerator(const Scenario& s, const Prediction& p) {
    ShownFigure f = figure("tokens_per_accelerator", "Per accelerator", p.per_accelerator.si(),
                           "tokens_per_s_per_accelerator", format(p.per_accelerator), p.confidence);
    f.higher_is_better = true;
    f.note = fmt::format("{} in all", format(p.total));
    f.why.formula = "sequences x tokens / (step x accelerators)";
    f.why.substituted = fmt::format("{} x {} / ({} x {}) = {}", s.workload.batch, s.workload.context,
                                    format(p.step_time, 4), p.layout.replica_size * p.layout.replicas, f.text);
    f.why.terms = {step_term(s, p)};
    return f;
}

ShownFigure utilisation(const Prediction& p, bool hardware) {
    const TrainingStep& t = *p.training;
    const double share = hardware ? t.hfu : t.mfu;
    ShownFigure f = hardware ? figure("hfu", "HFU", share, "hfu", format_percent(share), p.confidence)
                             : figure("mfu", "MFU", share, "mfu", format_percent(share), p.confidence);
    f.higher_is_better = true;
    f.note = hardware ? "with recomputation" : fmt::format("{} with causal attention", format_percent(t.mfu_causal));
    f.why.formula = hardware ? "FLOPs computed, recomputation counted / (peak x step)"
                             : "(6 N + 12 layers x heads x head size x sequence) x tokens / (peak x step)";
    const Flops each = hardware ? t.computed : t.flops.full();
    f.why.substituted =
        fmt::format("{} a token x {} / {} = {}", format(each), format(p.per_accelerator, 4), format(t.peak), f.text);
    f.why.terms = {term("6 N, the input table not counted", format(t.flops.weights), "model shape", Confidence::exact),
                   term("attention, the full square", format(t.flops.attention), "model shape", Confidence::exact),
                   term("peak of an accelerator", format(t.peak), fmt::format("dense {}", to_string(t.peak_dtype)),
                        Confidence::datasheet)};
    f.why.notes = {fmt::format("Conventions: full attention {}, causal attention {}, 6 N alone {}, hardware FLOPs {}.",
                               format_percent(t.mfu), format_percent(t.mfu_causal), format_percent(t.mfu_weights),
                               format_percent(t.hfu))};
    return f;
}

ShownFigure bubble(const Scenario& s, const Prediction& p) {
    const TrainingStep& t = *p.training;
    const double share = p.step_time.si() > 0 ? t.bubble / p.step_time : 0;
    ShownFigure f = figure("pipeline_bubble", "Bubble", share, "pipeline_bubble_share",
                           format_percent(share) + " of step", p.confidence);
    f.note = fmt::format("{} stages, {} micro-batches", s.layout.pipeline, t.micro_batches);
    f.why.formula = "mean idle time of a stage inside the pipeline / step";
    f.why.substituted = fmt::format("{} / {} = {}", format(t.bubble, 4), format(p.step_time, 4), format_percent(share));
    f.why.terms = {term("the schedule's published formula, equal stages", format(t.published_bubble),
                        "arXiv 2104.04473, 2401.10241, 2412.19437", Confidence::exact)};
    return f;
}

}  // namespace

std::vector<ShownFigure> training_figures(const Scenario& s, const Prediction& p, std::vector<ShownFigure> common) {
    std::vector<ShownFigure> all{step(s, p), per_accelerator(s, p), utilisation(p, false), utilisation(p, true),
                                 bubble(s, p)};
    for (ShownFigure& f : common) all.push_back(std::move(f));
    return all;
}

}  // namespace crosspoint::stages
