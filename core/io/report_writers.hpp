// A report in every form that leaves the program. The window, the command line and the tests call these.
#pragma once

#include <string>

#include "core/evaluate/report.hpp"
#include "core/io/document.hpp"

namespace crosspoint {

/// SI base units in unit-suffixed keys ("step_time_s", "bandwidth_bytes_per_s"); fields in docs/cli.md.
std::string report_json(const Scenario& scenario, const Report& report);
std::string verdicts_json(const Report& report);
/// The monitoring plan: a page for people, and alerting rules in Prometheus' YAML.
std::string monitoring_markdown(const Report& report);
std::string monitoring_prometheus(const Report& report);
std::string monitoring_json(const Report& report);
/// For a terminal, at most 100 columns.
std::string report_text(const Scenario& scenario, const Report& report);
std::string verdicts_text(const Report& report);
/// For a repository's own checks: a table with explanations, JUnit XML (a test case a rule; a failed verdict is a
/// failure, one that asks for attention is a note in its output), and SARIF 2.1.0 with `document` as the artifact.
std::string verdicts_markdown(const Report& report);
std::string verdicts_junit(const Report& report);
std::string verdicts_sarif(const Report& report, const std::string& document);
/// Markdown with figures as links to `figure_prefix`-named SVG files, or without figures when it is empty.
std::string report_markdown(const Scenario& scenario, const Report& report, const std::string& figure_prefix = {});
/// One self-contained page with inline SVG figures: diagram, timelines, plots, verdicts, assumptions, sources.
std::string report_html(const Scenario& scenario, const Report& report);

}  // namespace crosspoint
