#include <fmt/format.h>

#include "core/io/report_tables.hpp"
#include "core/io/report_writers.hpp"

namespace crosspoint {
namespace {

using namespace report_tables;

/// Characters that would end a table cell or start markup.
std::string cell(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '|' || c == '*' || c == '_' || c == '`' || c == '<' || c == '[' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

void add_table(std::string& out, const ReportTable& t, std::string_view level = "##") {
    if (t.empty()) return;
    out += fmt::format("\n{} {}\n\n|", level, cell(t.title));
    for (const auto& c : t.columns) out += " " + cell(c.title) + " |";
    out += "\n|";
    for (const auto& c : t.columns) out += c.numeric ? "---:|" : "---|";
    out += "\n";
    for (const auto& row : t.rows) {
        out += "|";
        for (const auto& text : row) out += " " + cell(text) + " |";
        out += "\n";
    }
}

void add_figure(std::string& out, const std::string& prefix, std::string_view name, std::string_view caption) {
    if (!prefix.empty()) out += fmt::format("\n![{}]({}{}.svg)\n", caption, prefix, name);
}

void add_explanations(std::string& out, const Report& report) {
    for (const auto& v : report.verdicts) {
        if (v.outcome == Outcome::pass || v.outcome == Outcome::not_applicable) continue;
        out += fmt::format("\n**{}. {}.** {}\n", v.number, cell(v.title), cell(v.explanation));
        for (const auto& s : v.suggestions) out += fmt::format("- {}\n", cell(suggestion_text(s)));
    }
}

void add_derivations(std::string& out, const Report& report) {
    if (report.figures.empty()) return;
    out += "\n## Why these numbers\n\n";
    for (const auto& f : report.figures)
        out += fmt::format("- **{}**: {}. {}\n", cell(f.label), cell(f.why.formula), cell(f.why.substituted));
}

}  // namespace

std::string verdicts_markdown(const Report& report) {
    std::string out =
        fmt::format("# {}\n\n{}\n\n{} fail, {} attention, {} pass, {} not applicable\n", cell(heading(report)),
                    cell(subheading(report)), report.count(Outcome::fail), report.count(Outcome::attention),
                    report.count(Outcome::pass), report.count(Outcome::not_applicable));
    add_table(out, verdicts(report));
    add_explanations(out, report);
    return out;
}

std::string report_markdown(const Scenario& scenario, const Report& report, const std::string& figure_prefix) {
    std::string out = fmt::format("# {}\n\n{}\n", cell(heading(report)), cell(subheading(report)));
    if (const Error* error = first_error(report))
        out += fmt::format("\n**Not computed:** {}\n", cell(describe(*error)));
    add_table(out, figures(report));
    add_figure(out, figure_prefix, "diagram", "Hardware and the load of its links");
    add_table(out, verdicts(report));
    add_explanations(out, report);
    out += "\n## Timeline\n";
    add_figure(out, figure_prefix, "layer", "Timeline of one layer");
    add_figure(out, figure_prefix, "step", "Timeline of the whole step");
    out += "\n## Plots\n";
    add_figure(out, figure_prefix, "crossover", "Latency against bandwidth");
    add_figure(out, figure_prefix, "batch", "Latency, price and throughput against batch");
    out += "\n" + cell(report.window.finding) + "\n";
    add_figure(out, figure_prefix, "tensor", "Single-stream decode against tensor degree");
    add_table(out, data(report), "###");
    add_table(out, crossovers(report), "###");
    add_table(out, setup(scenario, report));
    add_table(out, memory(report));
    add_table(out, serving(report));
    add_table(out, tiers(report));
    add_table(out, impairments(report));
    out += "\n## Operations\n";
    for (const auto& t : operations(report)) add_table(out, t, "###");
    add_derivations(out, report);
    if (!report.warnings.empty()) out += "\n## Warnings\n\n";
    for (const auto& w : report.warnings) out += "- " + cell(w) + "\n";
    add_table(out, assumptions(report));
    return out + fmt::format("\n---\ncrosspoint {}\n", report.version);
}

}  // namespace crosspoint
