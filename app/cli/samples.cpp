#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/io/builtin.hpp"

namespace crosspoint::cli {
namespace {

std::string as_json() {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& s : builtin_samples()) all.push_back({{"name", s.name}, {"title", s.title}});
    return nlohmann::ordered_json{{"samples", all}}.dump(2) + "\n";
}

std::string as_text() {
    std::size_t widest = 0;
    for (const auto& s : builtin_samples()) widest = std::max(widest, s.name.size());
    std::string text;
    for (const auto& s : builtin_samples()) text += fmt::format("{:<{}}  {}\n", s.name, widest, s.title);
    return text;
}

Result<Output> write(const std::vector<std::string>& name_and_file) {
    const auto& samples = builtin_samples();
    const auto it =
        std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.name == name_and_file[0]; });
    if (it == samples.end())
        return fail(ErrorCode::reference, "there is no sample '" + name_and_file[0] + "'",
                    "crosspoint-cli samples lists them");
    if (auto ok = write_file(name_and_file[1], it->text); !ok) return tl::unexpected(ok.error());
    return Output{"wrote " + name_and_file[1] + "\n", success};
}

}  // namespace

Command add_samples(CLI::App& app) {
    auto name_and_file = std::make_shared<std::vector<std::string>>();
    CLI::App* c = app.add_subcommand("samples", "list the documents that ship with the program, or write one");
    c->add_option("--write", *name_and_file, "write the sample NAME into FILE")->expected(2)->type_name("NAME FILE");
    return {c, [name_and_file](bool json) -> Result<Output> {
                if (!name_and_file->empty()) return write(*name_and_file);
                return Output{json ? as_json() : as_text(), success};
            }};
}

}  // namespace crosspoint::cli
