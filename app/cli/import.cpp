// import: a file of another tool as a document, with everything that was assumed, converted, ignored or left open.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/importers/use_import.hpp"
#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/io/hf_config.hpp"

namespace crosspoint::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string file, target, model;
    std::vector<std::string> answers;
    bool yes = false;
};

Result<ImportOptions> import_options(const Options& o) {
    auto catalogue = builtin_catalogue();
    if (!catalogue) return tl::unexpected(catalogue.error());
    ImportOptions options{*catalogue, {}};
    for (const auto& answer : o.answers) {
        const auto equals = answer.find('=');
        if (equals == std::string::npos)
            return fail(ErrorCode::syntax, "--answer '" + answer + "' has no '='", "write --answer accelerator=CHOICE");
        options.answers[answer.substr(0, equals)] = answer.substr(equals + 1);
    }
    return options;
}

/// A built-in model by its name, else a config.json.
Result<std::shared_ptr<const ModelShape>> model_of(const std::string& name) {
    const auto models = builtin_models();
    if (!models) return tl::unexpected(models.error());
    std::string names;
    for (const auto& m : *models) {
        if (m->name == name) return m;
        names += (names.empty() ? "" : ", ") + m->name;
    }
    const auto text = read_file(name);
    if (!text)
        return fail(ErrorCode::reference, "there is no model and no file '" + name + "'",
                    "a config.json, or one of " + names);
    const auto imported = import_hf_config(*text, name);
    if (!imported) return tl::unexpected(imported.error());
    return std::make_shared<const ModelShape>(imported->model);
}

/// The new document of an import, with the model when one is named.
Result<void> write(const Imported& imported, const std::shared_ptr<const Catalogue>& parts, const Options& o) {
    Scenario scenario = scenario_of(imported, parts);
    if (!o.model.empty()) {
        const auto model = model_of(o.model);
        if (!model) return tl::unexpected(model.error());
        scenario.model = *model;
    }
    return save_document({std::move(scenario), nullptr}, o.target);
}

bool is_open(const ImportQuestion& q) { return !q.answered; }

std::string question_text(const ImportQuestion& q) {
    return fmt::format("{}: {}\n    one of: {}\n    taken: {}{}", q.id, q.text, fmt::join(q.choices, " | "), q.answer,
                       q.answered ? "" : " (the default)");
}

Json as_json(const Imported& i, const std::string& written) {
    Json notes = Json::array(), questions = Json::array();
    for (const ImportNote& n : i.notes)
        notes.push_back({{"kind", to_string(n.kind)}, {"text", n.text}, {"where", n.where}});
    for (const ImportQuestion& q : i.questions)
        questions.push_back({{"id", q.id},
                             {"text", q.text},
                             {"choices", q.choices},
                             {"default", q.fallback},
                             {"answer", q.answer},
                             {"answered", q.answered}});
    Json json{{"format", i.format},
              {"name", i.name},
              {"accelerators", accelerator_count(i.topology)},
              {"containers", i.topology.containers.size()},
              {"devices", i.topology.devices.size()},
              {"links", i.topology.links.size()},
              {"notes", notes},
              {"questions", questions}};
    json["written"] = written.empty() ? Json(nullptr) : Json(written);
    return json;
}

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string as_text(const Imported& i, const std::string& written) {
    std::string text = fmt::format("{}: {}\n{}\n", i.format, i.name, summary_of(i));
    for (const auto kind : {ImportNote::Kind::warning, ImportNote::Kind::assumed, ImportNote::Kind::converted,
                            ImportNote::Kind::ignored}) {
        bool first = true;
        for (const ImportNote& n : i.notes) {
            if (n.kind != kind) continue;
            if (first) text += fmt::format("{}:\n", to_string(kind));
            first = false;
            text += fmt::format("  - {}{}\n", n.text, n.where.empty() ? "" : " (" + n.where + ")");
        }
    }
    if (!i.questions.empty()) text += "questions:\n";
    for (const ImportQuestion& q : i.questions) text += "  - " + question_text(q) + "\n";
    if (!written.empty()) text += "wrote " + written + "\n";
    return text;
}

/// Nothing is written while a question is open and nobody agreed to its default.
Error open_questions(const Imported& i, const std::string& file) {
    std::string message = "the file leaves something open; nothing was written";
    for (const ImportQuestion& q : i.questions)
        if (is_open(q)) message += "\n  " + question_text(q);
    Error error{ErrorCode::invalid_value,
                std::move(message),
                "answer with --answer ID=CHOICE, or take the defaults with --yes",
                {},
                file,
                {},
                0,
                0};
    return error;
}

Result<Output> run(const Options& o, bool json) {
    const auto options = import_options(o);
    if (!options) return tl::unexpected(options.error());
    const auto text = read_file(o.file);
    if (!text) return tl::unexpected(text.error());
    const auto imported = import_any(*text, *options);
    if (!imported) {
        Error error = imported.error();
        error.file = o.file;
        return tl::unexpected(error);
    }
    const bool open = std::any_of(imported->questions.begin(), imported->questions.end(), is_open);
    if (open && !o.yes && !o.target.empty()) {
        const Error error = open_questions(*imported, o.file);
        if (!json) return tl::unexpected(error);
        Json answer = as_json(*imported, {});
        answer["error"] = Json::parse(error_json(error))["error"];
        return Output{dumped(answer), bad_input};
    }
    if (!o.target.empty())
        if (auto ok = write(*imported, options->catalogue, o); !ok) return tl::unexpected(ok.error());
    return Output{json ? dumped(as_json(*imported, o.target)) : as_text(*imported, o.target), success};
}

}  // namespace

Command add_import(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("import", "a drawing from a file of another tool, recognised by its content");
    c->add_option("file", o->file, "topology XML, nvidia-smi or rocm-smi text, fabric or simulator file")->required();
    c->add_option("-o,--output", o->target, "the document to write; without it the file is only described");
    c->add_option("--answer", o->answers, "answer a question of the import; repeatable")
        ->type_name("ID=CHOICE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->take_all();
    c->add_option("--model", o->model, "the model of the new document: a built-in name, or a config.json");
    c->add_flag("--yes", o->yes, "take the defaults of questions that are not answered");
    return {c, [o](bool json) { return run(*o, json); }};
}

}  // namespace crosspoint::cli
