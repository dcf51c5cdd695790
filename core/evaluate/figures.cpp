#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/evaluate/derive.hpp"
#include "core/evaluate/stages.hpp"
#include "core/evaluate/training_figures.hpp"
#include "core/units/text.hpp"

namespace crosspoint::stages {
namespace {

ShownFigure step_figure(const Scenario& s, const Prediction& p) {
    const bool decode = s.workload.phase == Phase::decode;
    ShownFigure f;
    f.id = decode ? "inter_token_latency" : "time_to_first_token";
    f.label = decode ? "Inter-token" : "First token";
    f.key = f.id + "_s";
    f.value_si = p.step_time.si();
    f.text = format(p.step_time);
    const auto& target = decode ? s.targets.inter_token : s.targets.first_token;
    f.note = target ? fmt::format("target {}", format(*target)) : fmt::format("batch {}", s.workload.batch);
    f.confidence = p.confidence;
    f.why = derive_step(s, p);
    return f;
}

ShownFigure per_user_figure(const Scenario& s, const Prediction& p) {
    const bool decode = s.workload.phase == Phase::decode;
    ShownFigure f{"tokens_per_user", "Per user", p.per_user.si(), "tokens_per_s_per_user", format(p.per_user), "", true,
                  p.confidence,      {}};
    f.note = decode ? "output tokens" : "prompt tokens";
    const std::string tokens = decode ? "1 token" : fmt::format("{} prompt tokens", s.workload.context);
    f.why.formula = decode ? "1 / inter-token latency" : "prompt tokens / time to first token";
    f.why.substituted = fmt::format("{} / {} = {}", tokens, format(p.step_time, 4), f.text);
    f.why.terms = {step_term(s, p)};
    f.why.notes = {"Queueing and sampling on the host are in the overhead per step only.",
                   "Speculative decoding is not modelled."};
    return f;
}

ShownFigure per_accelerator_figure(const Scenario& s, const Prediction& p) {
    ShownFigure f{"tokens_per_accelerator",
                  "Per accelerator",
                  p.per_accelerator.si(),
                  "tokens_per_s_per_accelerator",
                  format(p.per_accelerator),
                  "",
                  true,
                  p.confidence,
                  {}};
    const auto each = s.workload.phase == Phase::decode ? std::int64_t{1} : s.workload.context;
    f.note = fmt::format("{} in all", format(p.total));
    f.why.formula = "batch x tokens a sequence / (step time x accelerators of a replica)";
    f.why.substituted = fmt::format("{} x {} / ({} x {}) = {}", s.workload.batch, each, format(p.step_time, 4),
                                    p.layout.replica_size, f.text);
    f.why.terms = {
        step_term(s, p),
        {"batch of one replica", std::to_string(s.workload.batch), "the scenario's workload", Confidence::exact, ""},
        {"accelerators of a replica", std::to_string(p.layout.replica_size), p.layout.message, Confidence::exact, ""}};
    return f;
}

ShownFigure price_figure(const Scenario& s, const Prediction& p) {
    const bool decode = s.workload.phase == Phase::decode;
    const bool known = p.unit_price.si() > 0;
    ShownFigure f{"unit_price",
                  p.training ? "Price"
                  : decode   ? "Output price"
                             : "Input price",
                  p.unit_price.si(),
                  "unit_price_usd_per_token",
                  known ? format(p.unit_price) : "no price",
                  "",
                  false,
                  weaker(p.confidence, p.price_confidence),
                  {}};
    f.note = s.targets.output_price && decode ? fmt::format("target {}", format(*s.targets.output_price))
                                              : fmt::format("at {}", format(p.price));
    const double used = double(p.layout.replica_size) * double(p.layout.replicas);
    f.why.formula = "accelerators x price / (tokens/s)";
    f.why.substituted =
        fmt::format("{} x {} / {} = {}", format_count(used, 6), format(p.price), format(p.total, 4), f.text);
    f.why.terms = {{"price of an accelerator", format(p.price), p.price_source, p.price_confidence, ""},
                   step_term(s, p),
                   {"accelerators in use", format_count(used, 6), p.layout.message, Confidence::exact, ""}};
    f.why.notes = {"Idle accelerators, staff, power beyond the rental price and unused hours are not counted."};
    return f;
}

ShownFigure memory_figure(const Scenario& s, const Prediction& p) {
    ShownFigure f{"memory_used", "Memory", 0, "memory_used_bytes", "not known", "", false, Confidence::exact, {}};
    if (p.memory.fullest >= p.memory.stages.size()) return f;
    const StageMemory& m = p.memory.stages[p.memory.fullest];
    f.value_si = m.used().si();
    f.text = format(m.used());
    f.note = fmt::format("of {} usable{}", format(p.memory.usable), p.memory.fits ? "" : ": does not fit");
    f.confidence = s.calibration.memory_fraction < 1 ? Confidence::assumed : Confidence::datasheet;
    f.why = derive_memory(s, p, m);
    return f;
}

ShownFigure communication_figure(const Scenario&, const Prediction& p) {
    ShownFigure f{"communication_share",
                  "Communication",
                  p.communication_share,
                  "communication_share",
                  format_percent(p.communication_share) + " of step",
                  format_percent(p.exposed_share) + " exposed",
                  false,
                  p.confidence,
                  {}};
    const auto& shares = p.step.shares;
    f.why.formula = "(hidden + exposed communication) / step";
    f.why.substituted = fmt::format("({} + {}) / {} = {}", format(shares.hidden, 4), format(shares.exposed, 4),
                                    format(p.step_time, 4), format_percent(p.communication_share));
    f.why.terms = {
        {"compute alone", format(shares.compute), "the step's timeline", p.confidence, ""},
        {"communication hidden under compute", format(shares.hidden), "the step's timeline", p.confidence, ""},
        {"communication exposed", format(shares.exposed), "the step's timeline", p.confidence, ""},
        {"idle", format(shares.idle), "the step's timeline", p.confidence, ""}};
    add_largest_operations(p, true, f.why);
    f.why.notes = {"The four terms add up to the step."};
    return f;
}

ShownFigure cross_domain_figure(const Scenario&, const Prediction& p) {
    ShownFigure f{"cross_domain_ratio",
                  "Cross-domain",
                  p.cross_domain,
                  "cross_domain_ratio",
                  format_percent(p.cross_domain) + " of bytes",
                  fmt::format("of {} a step", format(p.bytes_sent)),
                  false,
                  Confidence::exact,
                  {}};
    f.why.formula = "bytes over links outside a scale-up domain / all bytes that leave an accelerator";
    f.why.substituted = fmt::format("{} / {} = {}", format(p.bytes_sent * p.cross_domain), format(p.bytes_sent),
                                    format_percent(p.cross_domain));
    add_links(p, f.why);
    f.why.notes = {
        fmt::format("The largest domain has {} accelerators; a layout with {} ranks a replica is placed on it.",
                    p.network->domain_size, p.layout.replica_size)};
    return f;
}

}  // namespace

std::vector<ShownFigure> shown_figures(const Scenario& s, const Prediction& p) {
    if (p.training)
        return training_figures(
            s, p, {price_figure(s, p), memory_figure(s, p), communication_figure(s, p), cross_domain_figure(s, p)});
    return {step_figure(s, p),   per_user_figure(s, p),      per_accelerator_figure(s, p), price_figure(s, p),
            memory_figure(s, p), communication_figure(s, p), cross_domain_figure(s, p)};
}

ShownFigure review_figure(const std::vector<Verdict>& verdicts) {
    const auto count = [&](Outcome o) {
        return std::count_if(verdicts.begin(), verdicts.end(), [o](const auto& v) { return v.outcome == o; });
    };
    const auto failed = count(Outcome::fail), attention = count(Outcome::attention), passed = count(Outcome::pass);
    ShownFigure f{"review",
                  "Review",
                  double(failed),
                  "verdicts_failed",
                  fmt::format("{} fail", failed),
                  fmt::format("{} attention, {} pass", attention, passed),
                  false,
                  Confidence::exact,
                  {}};
    f.why.formula = "verdicts of the checklist, counted by outcome";
    f.why.substituted = fmt::format("{} fail, {} attention, {} pass, {} not applicable", failed, attention, passed,
                                    count(Outcome::not_applicable));
    for (const Verdict& v : verdicts)
        f.why.terms.push_back({fmt::format("{}. {}", v.number, v.title),
                               fmt::format("{}{}{}", to_string(v.outcome), v.figure.empty() ? "" : ": ", v.figure),
                               v.threshold_text, v.confidence, ""});
    return f;
}

}  // namespace crosspoint::stages
