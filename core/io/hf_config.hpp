// Hugging Face config.json to a model shape (Llama, Qwen 2/3, Mixtral, DeepSeek-V2/V3, gpt-oss families).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"

namespace crosspoint {

struct ImportedModel {
    ModelShape model;
    std::vector<std::string> ignored;   ///< top-level fields that do not enter the shape
    std::vector<std::string> assumed;   ///< class defaults that were taken, in words
    std::vector<std::string> warnings;  ///< contradictions in the file
};

/// Fails with the pointer and line of the offending field; refuses other formats by saying what the file is.
Result<ImportedModel> import_hf_config(std::string_view text, std::string_view file);

}  // namespace crosspoint
