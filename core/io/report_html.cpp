#include <fmt/format.h>

#include "core/io/figures.hpp"
#include "core/io/report_tables.hpp"
#include "core/io/report_writers.hpp"
#include "core/io/svg.hpp"

namespace crosspoint {
namespace {

using namespace report_tables;
using svg::escaped;

constexpr std::string_view style = R"css(
:root{color-scheme:light}
body{font:14px/1.5 "DejaVu Sans",Arial,sans-serif;color:#1B2430;background:#fff;max-width:1100px;margin:0 auto;padding:24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:36px 0 10px;border-bottom:1px solid #E1E5EB;padding-bottom:4px}
h3{font-size:14px;margin:20px 0 6px}p.sub{color:#5B6675;margin:0 0 16px}
.cards{display:flex;flex-wrap:wrap;gap:10px}.card{flex:1 1 150px;border:1px solid #E1E5EB;border-radius:6px;padding:8px 12px}
.card .label,.card .note{font-size:11px;color:#5B6675}.card .value{font-size:18px;font-weight:bold}
table{border-collapse:collapse;width:100%;font-size:12px;margin:6px 0}
th,td{text-align:left;padding:4px 8px;border-bottom:1px solid #E1E5EB;vertical-align:top;overflow-wrap:anywhere}
th{color:#5B6675;font-weight:normal}td.n,th.n{text-align:right;white-space:nowrap}
.pass{color:#00755A}.attention{color:#8A5F00}.fail{color:#B34F00}.not-applicable{color:#5B6675}
.outcome{font-weight:bold;white-space:nowrap}
figure{margin:12px 0}svg{max-width:100%;height:auto}
.error{border-left:4px solid #D55E00;padding:8px 12px;background:#FFF4EC;white-space:pre-wrap}
details{margin:4px 0}summary{cursor:pointer}footer{margin-top:40px;color:#5B6675;font-size:11px}
@media print{body{padding:0;max-width:none}h2{break-after:avoid}figure,tr,.card{break-inside:avoid}details>*{display:block}}
)css";

std::string paragraph(std::string_view text) { return fmt::format("<p>{}</p>\n", escaped(text)); }

void add_table(std::string& out, const ReportTable& t, std::string_view level) {
    if (t.empty()) return;
    out += fmt::format("<{0}>{1}</{0}>\n<table><thead><tr>", level, escaped(t.title));
    const auto mark = [](const Column& c) { return c.numeric ? " class=\"n\"" : ""; };
    for (const auto& c : t.columns) out += fmt::format("<th{}>{}</th>", mark(c), escaped(c.title));
    out += "</tr></thead><tbody>\n";
    for (const auto& row : t.rows) {
        out += "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c)
            out += fmt::format("<td{}>{}</td>", mark(t.columns[c]), escaped(row[c]));
        out += "</tr>\n";
    }
    out += "</tbody></table>\n";
}

void add_cards(std::string& out, const Report& report) {
    if (report.figures.empty()) return;
    out += "<div class=\"cards\">\n";
    for (const auto& f : report.figures)
        out += fmt::format(
            "<div class=\"card\"><div class=\"label\">{}</div><div class=\"value\">{}</div>"
            "<div class=\"note\">{}</div></div>\n",
            escaped(f.label), escaped(f.text), escaped(f.note));
    out += "</div>\n";
}

std::string_view outcome_class(Outcome o) { return o == Outcome::not_applicable ? "not-applicable" : to_string(o); }

/// Shape and word, not colour alone.
std::string_view symbol(Outcome o) {
    switch (o) {
        case Outcome::pass: return "\u2713";
        case Outcome::attention: return "\u25B2";
        case Outcome::fail: return "\u2715";
        default: return "\u2013";
    }
}

void add_verdict(std::string& out, const Verdict& v) {
    out += fmt::format("<tr><td class=\"n\">{}</td><td class=\"outcome {}\">{} {}</td><td><b>{}</b>", v.number,
                       outcome_class(v.outcome), symbol(v.outcome), to_string(v.outcome), escaped(v.title));
    if (!v.figure.empty()) out += "<br>" + escaped(v.figure);
    out += fmt::format("<details><summary>{}</summary>{}</details></td><td>{}</td><td>", escaped(v.question),
                       escaped(v.explanation), escaped(v.threshold_text));
    for (const auto& s : v.suggestions) out += fmt::format("<div>{}</div>", escaped(suggestion_text(s)));
    out += "</td></tr>\n";
}

void add_verdicts(std::string& out, const Report& report) {
    out +=
        "<h2>Verdicts</h2>\n<table><thead><tr><th class=\"n\">#</th><th>Outcome</th><th>Finding</th><th>Threshold</th>"
        "<th>Changes that help</th></tr></thead><tbody>\n";
    for (const auto& v : report.verdicts) add_verdict(out, v);
    out += "</tbody></table>\n";
}

void add_figure(std::string& out, const std::string& drawing) { out += "<figure>" + drawing + "</figure>\n"; }

void add_derivation(std::string& out, const ShownFigure& f) {
    out += fmt::format("<details><summary>{}: {}</summary><p>{}<br>{}</p>", escaped(f.label), escaped(f.text),
                       escaped(f.why.formula), escaped(f.why.substituted));
    ReportTable t{"Terms", {{"Term"}, {"Value"}, {"Confidence"}, {"Source"}}, {}};
    for (const auto& term : f.why.terms)
        t.rows.push_back({term.name, term.value, std::string(to_string(term.confidence)), term.source});
    add_table(out, t, "h3");
    for (const auto& note : f.why.notes) out += paragraph(note);
    out += "</details>\n";
}

void add_plots(std::string& out, const Report& report) {
    out += "<h2>Plots</h2>\n";
    add_figure(out, crossover_svg(report));
    add_table(out, data(report), "h3");
    add_table(out, crossovers(report), "h3");
    add_figure(out, batch_svg(report));
    out += paragraph(report.window.finding);
    add_figure(out, tensor_svg(report));
}

void add_details(std::string& out, const Scenario& scenario, const Report& report) {
    add_table(out, setup(scenario, report), "h2");
    add_table(out, memory(report), "h2");
    add_table(out, serving(report), "h2");
    add_table(out, tiers(report), "h2");
    add_table(out, impairments(report), "h2");
    if (report.prediction) out += "<h2>Operations</h2>\n";
    for (const auto& t : operations(report)) add_table(out, t, "h3");
    if (!report.figures.empty()) out += "<h2>Why these numbers</h2>\n";
    for (const auto& f : report.figures) add_derivation(out, f);
    if (!report.warnings.empty()) out += "<h2>Warnings</h2>\n<ul>\n";
    for (const auto& w : report.warnings) out += "<li>" + escaped(w) + "</li>\n";
    if (!report.warnings.empty()) out += "</ul>\n";
    add_table(out, assumptions(report), "h2");
}

}  // namespace

std::string report_html(const Scenario& scenario, const Report& report) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n"
        "<p class=\"sub\">{2}</p>\n",
        escaped(heading(report)), style, escaped(subheading(report)));
    if (const Error* error = first_error(report))
        out += fmt::format("<div class=\"error\">{}</div>\n", escaped(describe(*error)));
    add_cards(out, report);
    add_figure(out, diagram_svg(scenario, report));
    add_verdicts(out, report);
    out += "<h2>Timeline</h2>\n";
    add_figure(out, layer_timeline_svg(report));
    add_figure(out, step_timeline_svg(report));
    add_plots(out, report);
    add_details(out, scenario, report);
    return out + fmt::format("<footer>crosspoint {}</footer>\n</body></html>\n", escaped(report.version));
}

}  // namespace crosspoint
