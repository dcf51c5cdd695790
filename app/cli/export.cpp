// export: the drawing of a document as a file of another tool.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/importers/exporter.hpp"
#include "core/io/document.hpp"

namespace crosspoint::cli {
namespace {

struct Options : DocumentOptions {
    std::string target, format;
};

std::string format_ids() {
    std::string ids;
    for (const ExportFormat& f : export_formats()) ids += (ids.empty() ? "" : ", ") + std::string(f.id);
    return ids;
}

std::string as_json(const Exported& e, const Options& o) {
    nlohmann::ordered_json notes = nlohmann::ordered_json::array();
    for (const ImportNote& n : e.notes)
        notes.push_back({{"kind", to_string(n.kind)}, {"text", n.text}, {"where", n.where}});
    const nlohmann::ordered_json json{{"format", o.format}, {"bytes", e.text.size()}, {"notes", notes}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const Exported& e, const Options& o) {
    std::string text;
    for (const ImportNote& n : e.notes) text += fmt::format("{}: {}\n", to_string(n.kind), n.text);
    return text + "wrote " + o.target + "\n";
}

Result<Output> run(const Options& o, bool json) {
    const auto format = find_export_format(o.format);
    if (!format) return tl::unexpected(format.error());
    const auto scenario = read_scenario(o);
    if (!scenario) return tl::unexpected(scenario.error());
    const auto exported = (*format)->exporter(*scenario);
    if (!exported) return tl::unexpected(exported.error());
    if (auto ok = write_file(o.target, exported->text); !ok) return tl::unexpected(ok.error());
    return Output{json ? as_json(*exported, o) : as_text(*exported, o), success};
}

}  // namespace

Command add_export(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("export", "the drawing as a file of another tool");
    add_document_options(*c, *o);
    c->add_option("-o,--output", o->target, "the file to write")->required();
    c->add_option("--format", o->format, "one of " + format_ids())->required();
    return {c, [o](bool json) { return run(*o, json); }};
}

}  // namespace crosspoint::cli
