// crosspoint-cli: the core without a window. Commands are in files of their own; docs/cli.md documents every field.
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "app/cli/command.hpp"

namespace {

using namespace crosspoint;

void print(std::FILE* to, const std::string& text) { std::fwrite(text.data(), 1, text.size(), to); }

int run(const cli::Command& command, bool json) {
    const auto output = command.run(json);
    if (output) {
        print(stdout, output->text);
        return output->code;
    }
    if (json) print(stdout, cli::error_json(output.error()));
    print(stderr, "crosspoint-cli: " + describe(output.error()) + "\n");
    return cli::bad_input;
}

/// A misspelt command would else be reported as a missing one.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
    const auto word = std::find_if(argv + 1, argv + argc, [](const char* a) { return *a != '-'; });
    if (word == argv + argc) return {};
    std::string names;
    for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (c->get_name() == *word) return {};
        names += (names.empty() ? "" : ", ") + c->get_name();
    }
    return "there is no command '" + std::string(*word) + "'; the commands are " + names;
}

bool asks_for_json(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const char* a) { return std::string_view(a) == "--json"; });
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    const std::string unknown = unknown_command(app, argc, argv);
    const std::string message = unknown.empty() ? error.what() : unknown;
    if (asks_for_json(argc, argv)) print(stdout, cli::usage_json(message));
    print(stderr, "crosspoint-cli: " + message + "\n  crosspoint-cli --help shows what there is\n");
    return cli::usage;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"What a model, a layout and a drawing of hardware mean in time, memory and money.", "crosspoint-cli"};
    app.set_version_flag("--version", std::string("crosspoint-cli ") + CROSSPOINT_VERSION);
    app.require_subcommand(1);
    app.fallthrough();
    bool json = false;
    app.add_flag("--json", json, "write JSON: SI base units, keys with their unit as suffix");
    const cli::Command commands[] = {cli::add_crossover(app), cli::add_collective(app), cli::add_model(app),
                                     cli::add_evaluate(app),  cli::add_check(app),      cli::add_report(app),
                                     cli::add_samples(app),   cli::add_fit(app),        cli::add_import(app),
                                     cli::add_export(app),    cli::add_monitor(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return e.get_exit_code() == 0 ? app.exit(e) : usage_error(app, e, argc, argv);
    }
    for (const auto& command : commands)
        if (command.app->parsed()) return run(command, json);
    return cli::usage;
}
