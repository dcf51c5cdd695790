// Is this a model configuration, and if not, what is it (private to core/io).
#pragma once

#include <string_view>

#include "core/base/error.hpp"
#include "core/io/hf_config_fields.hpp"

namespace crosspoint::hf {

/// The name of another format that the first 4 KB of a text give away ("an nccl-tests log", "an empty file"); empty
/// when none.
std::string_view text_format(std::string_view text);
/// The name of the format that an object's keys give away, a model configuration among them; empty when none.
std::string_view json_format(const json::Node& root);
/// That a text is not a model configuration, and what it is instead when that is known.
Error not_a_model(std::string_view format);
/// Passes when the object looks like a model configuration; else names the format by its keys.
Result<void> recognise(const json::Node& root);
/// Refuses layers that are not modelled, by name and field.
void refuse_unmodelled(Fields& fields);

}  // namespace crosspoint::hf
