// Model configurations to a model shape: Hugging Face config.json of every family that docs/cli.md lists, DeepSeek's
// own files, Calculon, SimuMax, llm-analysis and Megatron arguments. The dialect is recognised by the content.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"

namespace crosspoint {

struct ImportedModel {
    ModelShape model;
    std::string format;                 ///< "Hugging Face config.json", "Calculon model"
    std::vector<std::string> ignored;   ///< top-level fields that do not enter the shape
    std::vector<std::string> assumed;   ///< class defaults that were taken, in words
    std::vector<std::string> warnings;  ///< contradictions in the file
};

/// Of any of the dialects. Fails with the pointer and line of the offending field; refuses other formats by saying what
/// the file is.
Result<ImportedModel> import_hf_config(std::string_view text, std::string_view file);

}  // namespace crosspoint
