#include "core/io/report_tables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units/text.hpp"

namespace crosspoint::report_tables {
namespace {

std::string or_dash(std::string text) { return text.empty() ? std::string("\u2013") : std::move(text); }

template <class Q>
std::string positive(Q q) {
    return q.si() > 0 ? format(q) : std::string("\u2013");
}

void add_model(const Scenario& s, const Report& r, ReportTable& t) {
    if (!r.model) {
        t.rows.push_back({"Model", r.model.error().message});
        return;
    }
    t.rows.push_back(
        {"Model", fmt::format("{}, {} layers, hidden {}", s.model->name, s.model->layers.size(), s.model->hidden)});
    t.rows.push_back({"Parameters", fmt::format("{} total, {} active", format_count(double(r.model->parameters.total)),
                                                format_count(double(r.model->parameters.active)))});
    t.rows.push_back({"Cache a token", format(r.model->kv_per_token, 5)});
    t.rows.push_back({"Weights", format(r.model->weights)});
}

std::string precision_text(const Precision& p) {
    return fmt::format("weights {}, experts {}, activations {}, cache {}, dispatch {}, combine {}",
                       to_string(p.weights), to_string(p.experts), to_string(p.activations), to_string(p.cache),
                       to_string(p.dispatch), to_string(p.combine));
}

void add_hardware(const Report& r, ReportTable& t) {
    if (!r.prediction) return;
    const Prediction& p = *r.prediction;
    if (p.accelerator)
        t.rows.push_back({"Accelerators", fmt::format("{} x {}, largest domain {}", p.network->accelerators,
                                                      p.accelerator->name, p.network->domain_size)});
    t.rows.push_back({"Price", p.price.si() > 0 ? fmt::format("{} an accelerator: {}", format(p.price), p.price_source)
                                                : std::string("not known")});
}

std::string message_text(const OperationResult& r) {
    if (r.exchange) return format(r.exchange->sent_per_rank);
    if (r.collective) return format(r.collective->sent_per_rank);
    return "\u2013";
}

std::vector<std::string> operation_row(const OperationResult& r) {
    return {r.op.label,
            format(r.time),
            std::string(to_string(r.bound)),
            positive(r.op.flops),
            positive(r.op.memory_bytes()),
            message_text(r),
            std::string(to_string(r.confidence))};
}

ReportTable operation_table(std::string title, const std::vector<OperationResult>& operations) {
    ReportTable t{
        std::move(title),
        {{"Operation"}, {"Time", true}, {"Bound"}, {"Work", true}, {"Memory", true}, {"Sent", true}, {"Confidence"}},
        {}};
    for (const auto& r : operations) t.rows.push_back(operation_row(r));
    return t;
}

}  // namespace

std::string heading(const Report& report) { return report.title.empty() ? "Untitled scenario" : report.title; }

std::string subheading(const Report& report) {
    const Workload& w = report.workload;
    if (w.phase == Phase::training)
        return fmt::format("training, {} sequences of {} tokens a step, micro-batch {}", w.batch, w.context,
                           w.training.micro_batch);
    return fmt::format("{}, batch {} a replica, context {} tokens", to_string(w.phase), w.batch, w.context);
}

ReportTable figures(const Report& report) {
    ReportTable t{"Figures", {{"Figure"}, {"Value", true}, {"Note"}, {"Confidence"}}, {}};
    for (const auto& f : report.figures)
        t.rows.push_back({f.label, f.text, f.note, std::string(to_string(f.confidence))});
    return t;
}

ReportTable setup(const Scenario& scenario, const Report& report) {
    ReportTable t{"Model and layout", {{"What"}, {"Value"}}, {}};
    add_model(scenario, report, t);
    t.rows.push_back({"Layout", report.layout ? report.layout->message : report.layout.error().message});
    t.rows.push_back({"Workload", subheading(report)});
    t.rows.push_back({"Number formats", precision_text(scenario.precision)});
    if (scenario.layout.two_batch_overlap) t.rows.push_back({"Overlap", "two half batches"});
    add_hardware(report, t);
    return t;
}

ReportTable verdicts(const Report& report) {
    ReportTable t{
        "Verdicts", {{"#", true}, {"Outcome"}, {"Finding"}, {"Figure"}, {"Threshold"}, {"Change that helps most"}}, {}};
    for (const auto& v : report.verdicts)
        t.rows.push_back({std::to_string(v.number), std::string(to_string(v.outcome)), v.title,
                          or_dash(v.outcome == Outcome::not_applicable ? v.explanation : v.figure),
                          or_dash(v.threshold_text),
                          v.suggestions.empty() ? "\u2013" : suggestion_text(v.suggestions.front())});
    return t;
}

/// Weights, gradients and states instead of a cache.
ReportTable training_memory_table(const Prediction& p) {
    ReportTable t{"Memory of one accelerator",
                  {{"Stage", true},
                   {"Layers"},
                   {"Weights", true},
                   {"Embed.", true},
                   {"Gradients", true},
                   {"Optimiser", true},
                   {"Activations", true},
                   {"Buffers", true},
                   {"Used", true},
                   {"Usable", true}},
                  {}};
    for (const auto& m : p.memory.stages)
        t.rows.push_back(
            {std::to_string(m.stage), fmt::format("{}\u2013{}", m.first_layer, m.first_layer + m.layers - 1),
             format(m.dense_weights + m.expert_weights), format(m.embeddings), format(m.gradients), format(m.optimiser),
             format(m.activations), format(m.buffers), format(m.used()), format(p.memory.usable)});
    return t;
}

ReportTable memory(const Report& report) {
    if (report.prediction && report.prediction->training) return training_memory_table(*report.prediction);
    ReportTable t{"Memory of one accelerator",
                  {{"Stage", true},
                   {"Layers"},
                   {"Dense", true},
                   {"Experts", true},
                   {"Embed.", true},
                   {"Cache", true},
                   {"Activ.", true},
                   {"Buffers", true},
                   {"Used", true},
                   {"Usable", true}},
                  {}};
    if (!report.prediction) return t;
    for (const auto& m : report.prediction->memory.stages)
        t.rows.push_back(
            {std::to_string(m.stage), fmt::format("{}\u2013{}", m.first_layer, m.first_layer + m.layers - 1),
             format(m.dense_weights), format(m.expert_weights), format(m.embeddings), format(m.cache),
             format(m.activations), format(m.buffers), format(m.used()), format(report.prediction->memory.usable)});
    return t;
}

std::vector<ReportTable> operations(const Report& report) {
    std::vector<ReportTable> all;
    if (!report.prediction) return all;
    for (const auto& layer : report.prediction->layers)
        all.push_back(operation_table(
            fmt::format("{}: one of {} layers, {}", layer.label, layer.count, format(layer.timeline.end)),
            layer.operations));
    if (!report.prediction->ends.empty()) all.push_back(operation_table("Ends of the step", report.prediction->ends));
    return all;
}

ReportTable data(const Report& report) {
    ReportTable t{"Data against parameters", {{"What"}, {"Value"}, {"Source"}}, {}};
    if (!report.data) return t;
    const DataPlan& d = *report.data;
    t.rows.push_back({"Tokens", format_count(d.tokens), "the model's training_tokens"});
    t.rows.push_back(
        {"Compute, 6 N D", format(d.compute), fmt::format("{} active parameters", format_count(d.active))});
    t.rows.push_back(
        {"Multiple of 20 tokens a parameter",
         fmt::format("{:.3g} active, {:.3g} total", d.multiple_active, d.multiple_total),
         fmt::format("compute-optimal {} tokens: Hoffmann et al. 2022, table 3", format_count(d.optimal_tokens))});
    for (const auto& f : d.fits) {
        t.rows.push_back({"Loss expected", fmt::format("{:.3f} nats a token", f.loss), f.fit + "; " + f.uncertainty});
        t.rows.push_back({"Same compute, least loss",
                          fmt::format("{} parameters, {} tokens", format_count(f.same_compute.parameters),
                                      format_count(f.same_compute.tokens)),
                          f.fit});
        t.rows.push_back(
            {"Same loss, least compute",
             fmt::format("{} parameters, {} tokens; {:.3g} times the cost of serving a token",
                         format_count(f.same_loss.parameters), format_count(f.same_loss.tokens), f.serving_ratio),
             f.fit});
    }
    t.rows.push_back({"Time to train", positive(d.run.time), d.basis});
    t.rows.push_back({"Accelerator hours", format_count(d.run.accelerator_hours), d.basis});
    t.rows.push_back({"Cost", positive(d.run.money), "rent of the accelerators in use"});
    const double hours = d.run.energy.si() / 3.6e6;
    t.rows.push_back({"Energy", hours > 0 ? format_count(hours) + " kWh" : "\u2013", "their rated power"});
    return t;
}

ReportTable crossovers(const Report& report) {
    ReportTable t{"Links: latency against bandwidth",
                  {{"Link"}, {"alpha", true}, {"Bandwidth", true}, {"n*", true}, {"Confidence"}, {"Used by"}},
                  {}};
    for (const auto& c : report.curves)
        t.rows.push_back({c.name, format(c.link.alpha), format(c.link.beta), format(c.crossover),
                          std::string(to_string(c.confidence)), c.use});
    return t;
}

ReportTable assumptions(const Report& report) {
    ReportTable t{"Assumptions and sources", {{"Input"}, {"Confidence"}, {"Source"}}, {}};
    for (const auto& a : report.assumptions)
        t.rows.push_back({a.what, std::string(to_string(a.confidence)), or_dash(a.source)});
    return t;
}

std::string suggestion_text(const Suggestion& s) {
    if (!s.before_si) return s.text;
    return fmt::format("{} ({} {} \u2192 {})", s.text, s.metric, s.before, s.after);
}

const Error* first_error(const Report& report) {
    if (!report.model) return &report.model.error();
    if (!report.layout) return &report.layout.error();
    return report.prediction ? nullptr : &report.prediction.error();
}

}  // namespace crosspoint::report_tables
