// Is this a model configuration, and if not, what is it (private to core/io).
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.hpp"
#include "core/io/hf_config_fields.hpp"

namespace crosspoint::hf {

/// Text that cannot be JSON: names the format from its first lines.
Error not_json(std::string_view text);
/// Passes when the object looks like a model configuration; else names the format by its keys.
Result<void> recognise(const nlohmann::json& root);
/// Refuses attention kinds that are not modelled, by name and field; warns of those that are approximated.
void refuse_unmodelled_attention(Fields& fields);

}  // namespace crosspoint::hf
