// The commands of crosspoint-cli: each registers its options and hands back what runs when it is chosen.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/error.hpp"
#include "core/catalogue/dtype.hpp"
#include "core/io/document.hpp"

namespace crosspoint::cli {

/// Exit codes, documented in docs/cli.md.
enum Exit { success = 0, verdict_failed = 1, usage = 2, bad_input = 3 };

/// Text for standard output, and the exit code.
struct Output {
    std::string text;
    int code = success;
};

using Run = std::function<Result<Output>(bool json)>;

struct Command {
    CLI::App* app = nullptr;
    Run run;
};

Command add_crossover(CLI::App& app);
Command add_collective(CLI::App& app);
Command add_model(CLI::App& app);
Command add_evaluate(CLI::App& app);
Command add_check(CLI::App& app);
Command add_report(CLI::App& app);
Command add_monitor(CLI::App& app);
Command add_samples(CLI::App& app);
Command add_fit(CLI::App& app);
Command add_import(CLI::App& app);
Command add_export(CLI::App& app);

/// DOC and --set of the commands that evaluate.
struct DocumentOptions {
    std::string document;
    std::vector<std::string> settings;
};
void add_document_options(CLI::App& command, DocumentOptions& options);
/// Reads a file, or "sample:NAME", and applies the settings in their order.
Result<Scenario> read_scenario(const DocumentOptions& options);

/// A quantity of the command line; the error names the option.
template <class Q>
Result<Q> quantity(std::string_view option, std::string_view text);

/// A number format of the command line; the error names the option and all formats.
Result<Dtype> dtype(std::string_view option, std::string_view text);

/// Accepts finite numbers from `low` to `high`, whole ones only where `whole`.
CLI::Validator number(double low, double high, bool whole = false);

std::string error_json(const Error& error);
/// The same form for a command line that was not understood.
std::string usage_json(const std::string& message);

}  // namespace crosspoint::cli
