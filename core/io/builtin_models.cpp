#include <algorithm>

#include "core/io/builtin.hpp"
#include "core/io/embedded.hpp"
#include "core/io/hf_config.hpp"

namespace crosspoint {

Result<std::vector<std::shared_ptr<const ModelShape>>> builtin_models() {
    std::vector<std::shared_ptr<const ModelShape>> models;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with("resources/models/")) continue;
        auto imported = import_hf_config(file.text, file.path);
        if (!imported) return tl::unexpected(imported.error());
        models.push_back(std::make_shared<const ModelShape>(std::move(imported->model)));
    }
    std::sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return a->name < b->name; });
    return models;
}

}  // namespace crosspoint
