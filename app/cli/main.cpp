// crosspoint-cli: the core without a window. Commands are in files of their own; docs/cli.md documents every field.
#include <cstdio>

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
                                     cli::add_samples(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? cli::success : cli::usage;
    }
    for (const auto& command : commands)
        if (command.app->parsed()) return run(command, json);
    return cli::usage;
}
