// evaluate, check and report: a document evaluated, then written in full, as verdicts, or into a file.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/cli/command.hpp"
#include "core/evaluate/report.hpp"
#include "core/io/figures.hpp"
#include "core/io/report_writers.hpp"

namespace crosspoint::cli {
namespace {

struct Evaluated {
    Scenario scenario;
    Report report;
};

/// Fails with the prediction's error: a report without one is bad input for a command.
Result<Evaluated> evaluate(const DocumentOptions& options) {
    auto scenario = read_scenario(options);
    if (!scenario) return tl::unexpected(scenario.error());
    Evaluated e{std::move(*scenario), {}};
    Evaluator evaluator;
    e.report = evaluator.evaluate(e.scenario);
    if (!e.report.prediction) {
        Error error = e.report.prediction.error();
        if (error.file.empty()) error.file = options.document;
        if (error.pointer.empty()) error.pointer = pointer_of(e.scenario, error);
        return tl::unexpected(error);
    }
    return e;
}

struct Figure {
    const char* name;
    std::string svg;
};

std::vector<Figure> figures(const Evaluated& e) {
    return {{"diagram", diagram_svg(e.scenario, e.report)},
            {"layer", layer_timeline_svg(e.report)},
            {"step", step_timeline_svg(e.report)},
            {"crossover", crossover_svg(e.report)},
            {"batch", batch_svg(e.report)},
            {"tensor", tensor_svg(e.report)}};
}

Result<std::string> write_figures(const Evaluated& e, const std::filesystem::path& file) {
    const std::string prefix = file.stem().string() + "-";
    for (const auto& figure : figures(e))
        if (auto ok = write_file((file.parent_path() / (prefix + figure.name + ".svg")).string(), figure.svg); !ok)
            return tl::unexpected(ok.error());
    return prefix;
}

/// What the file's ending asks for.
Result<std::string> rendered(const Evaluated& e, const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".html" || ending == ".htm") return report_html(e.scenario, e.report);
    if (ending == ".json") return report_json(e.scenario, e.report);
    if (ending == ".txt") return report_text(e.scenario, e.report);
    if (ending == ".svg") return diagram_svg(e.scenario, e.report);
    const auto prefix = write_figures(e, file);
    if (!prefix) return tl::unexpected(prefix.error());
    return report_markdown(e.scenario, e.report, *prefix);
}

bool known_ending(const std::filesystem::path& file) {
    for (const char* ending : {".html", ".htm", ".md", ".json", ".txt", ".svg"})
        if (file.extension() == ending) return true;
    return false;
}

Result<Output> write_report(const DocumentOptions& options, const std::string& target, bool json) {
    const std::filesystem::path file(target);
    if (!known_ending(file))
        return fail(ErrorCode::invalid_value, "the ending of '" + target + "' names no kind of report",
                    "end it in .html, .md, .json, .txt or .svg (the diagram alone)");
    const auto e = evaluate(options);
    if (!e) return tl::unexpected(e.error());
    const auto text = rendered(*e, file);
    if (!text) return tl::unexpected(text.error());
    if (auto ok = write_file(target, *text); !ok) return tl::unexpected(ok.error());
    return Output{json ? fmt::format("{{\n  \"bytes\": {}\n}}\n", text->size()) : "wrote " + target + "\n", success};
}

std::string verdicts(const Evaluated& e, std::string_view format, const std::string& document) {
    if (format == "json") return verdicts_json(e.report);
    if (format == "markdown") return verdicts_markdown(e.report);
    if (format == "junit") return verdicts_junit(e.report);
    if (format == "sarif") return verdicts_sarif(e.report, document);
    return verdicts_text(e.report);
}

}  // namespace

Command add_evaluate(CLI::App& app) {
    auto o = std::make_shared<DocumentOptions>();
    CLI::App* c = app.add_subcommand("evaluate", "the whole report of a document");
    add_document_options(*c, *o);
    return {
        c, [o](bool json) -> Result<Output> {
            const auto e = evaluate(*o);
            if (!e) return tl::unexpected(e.error());
            return Output{json ? report_json(e->scenario, e->report) : report_text(e->scenario, e->report), success};
        }};
}

Command add_check(CLI::App& app) {
    struct Options : DocumentOptions {
        std::string format = "text";
    };
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("check", "the verdicts of a document; exit code 1 when one failed");
    add_document_options(*c, *o);
    c->add_option("--format", o->format, "text, json, markdown, junit (test report) or sarif (code scanning)")
        ->check(CLI::IsMember({"text", "json", "markdown", "junit", "sarif"}));
    return {c, [o](bool json) -> Result<Output> {
                const auto e = evaluate(*o);
                if (!e) return tl::unexpected(e.error());
                return Output{verdicts(*e, json ? "json" : o->format, o->document),
                              e->report.count(Outcome::fail) > 0 ? verdict_failed : success};
            }};
}

Command add_monitor(CLI::App& app) {
    struct Options : DocumentOptions {
        std::string format = "markdown";
    };
    auto o = std::make_shared<Options>();
    CLI::App* c =
        app.add_subcommand("monitor", "the monitoring plan of a document: what to watch, its range, its alert");
    add_document_options(*c, *o);
    c->add_option("--format", o->format, "markdown, prometheus (alerting rules) or json")
        ->check(CLI::IsMember({"markdown", "prometheus", "json"}));
    return {c, [o](bool json) -> Result<Output> {
                const auto e = evaluate(*o);
                if (!e) return tl::unexpected(e.error());
                if (json || o->format == "json") return Output{monitoring_json(e->report), success};
                if (o->format == "prometheus") return Output{monitoring_prometheus(e->report), success};
                return Output{monitoring_markdown(e->report), success};
            }};
}

Command add_report(CLI::App& app) {
    struct Options : DocumentOptions {
        std::string target;
    };
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("report", "write the report into a file; its ending chooses the kind");
    add_document_options(*c, *o);
    c->add_option("-o,--output", o->target, "FILE.html, .md (with its figures beside it), .json, .txt or .svg")
        ->required();
    return {c, [o](bool json) { return write_report(*o, o->target, json); }};
}

}  // namespace crosspoint::cli
