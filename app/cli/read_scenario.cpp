#include <algorithm>

#include <fmt/format.h>

#include "app/cli/command.hpp"
#include "core/io/builtin.hpp"

namespace crosspoint::cli {
namespace {

constexpr std::string_view sample_prefix = "sample:";

std::string sample_names() {
    std::string names;
    for (const auto& s : builtin_samples()) names += (names.empty() ? "" : ", ") + std::string(s.name);
    return names;
}

Result<Document> read_document(const std::string& name) {
    auto catalogue = builtin_catalogue();
    if (!catalogue) return tl::unexpected(catalogue.error());
    if (!name.starts_with(sample_prefix)) return load_document(name, *catalogue);
    const auto& samples = builtin_samples();
    const std::string wanted = name.substr(sample_prefix.size());
    const auto it = std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.name == wanted; });
    if (it == samples.end())
        return fail(ErrorCode::reference, "there is no sample '" + wanted + "'", "one of " + sample_names());
    return parse_document(it->text, name, *catalogue);
}

}  // namespace

void add_document_options(CLI::App& command, DocumentOptions& options) {
    command.add_option("document", options.document, "a *.crosspoint.json file, or sample:NAME")->required();
    command.add_option("--set", options.settings, "change a field first, such as workload.batch=64; repeatable")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->take_all();
}

Result<Scenario> read_scenario(const DocumentOptions& options) {
    auto document = read_document(options.document);
    if (!document) return tl::unexpected(document.error());
    Scenario scenario = std::move(document->scenario);
    for (const auto& setting : options.settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos)
            return fail(ErrorCode::syntax, "--set '" + setting + "' has no '='", "write --set workload.batch=64");
        auto changed = set_field(scenario, std::string_view(setting).substr(0, equals),
                                 std::string_view(setting).substr(equals + 1));
        if (!changed) return tl::unexpected(changed.error());
        scenario = std::move(*changed);
    }
    return scenario;
}

}  // namespace crosspoint::cli
