// What ships with the program, compiled in from resources/ and sample_topologies/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/parts.hpp"
#include "core/model/model.hpp"

namespace crosspoint {

/// Reads resources/catalogue/*.json as compiled in; a broken one is a build error caught by tests.
Result<std::shared_ptr<const Catalogue>> builtin_catalogue();
/// Known model shapes (resources/models/*.json, in Hugging Face config form), by name.
Result<std::vector<std::shared_ptr<const ModelShape>>> builtin_models();

struct Sample {
    std::string_view name, title, text;
};  ///< "nvl72-deepseek-v3"
const std::vector<Sample>& builtin_samples();

/// Reads one catalogue file.
Result<Catalogue> parse_catalogue(std::string_view json, std::string_view file);

}  // namespace crosspoint
