// From the names and sizes that people write ("LLAMA3_70B", "GPT 175B", layers 96, hidden 12288) to model shapes.
#pragma once

#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "accuracy/record.hpp"
#include "core/model/model.hpp"

namespace crosspoint::accuracy {

/// A shape that ships with the program, one whose publication states its sizes, or one made of the sizes in the
/// record; `layers` of the record replaces the number of layers ("layer-reduced"). The error is the reason.
tl::expected<std::shared_ptr<const ModelShape>, std::string> model_of(const Config& config);

/// The model's name in lower case without blanks, dots, dashes and underscores: "llama3170b".
std::string plain_name(std::string_view name);

}  // namespace crosspoint::accuracy
