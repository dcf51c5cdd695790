#include "core/io/builtin.hpp"

#include "core/io/embedded.hpp"
#include "core/io/json_tree.hpp"

namespace crosspoint {
namespace {

constexpr std::string_view folder = "sample_topologies/";
constexpr std::string_view extension = ".crosspoint.json";

/// The titles, kept for as long as the program runs because samples refer to them.
std::string_view title_of(const EmbeddedFile& file, std::vector<std::unique_ptr<std::string>>& kept) {
    const auto root = json::parse(file.text, file.path);
    const json::Node* title = root ? root->find("title") : nullptr;
    kept.push_back(std::make_unique<std::string>(title ? title->text : std::string()));
    return *kept.back();
}

struct Samples {
    std::vector<std::unique_ptr<std::string>> titles;
    std::vector<Sample> list;
};

Samples find_samples() {
    Samples samples;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with(folder) || !file.path.ends_with(extension)) continue;
        std::string_view name = file.path;
        name.remove_prefix(folder.size());
        name.remove_suffix(extension.size());
        samples.list.push_back({name, title_of(file, samples.titles), file.text});
    }
    return samples;
}

}  // namespace

const std::vector<Sample>& builtin_samples() {
    static const Samples samples = find_samples();
    return samples.list;
}

}  // namespace crosspoint
