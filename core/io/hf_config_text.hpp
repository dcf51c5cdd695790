// The text of a config.json: Python's Infinity and NaN, and printed class names (private to core/io).
#pragma once

#include <string>
#include <string_view>

namespace crosspoint::hf {

struct PreparedText {
    std::string json;        ///< strict JSON with the lines of the original
    std::string class_name;  ///< "Gemma2Config" when the text was a print-out of an object
};

/// Puts the bare tokens Infinity, -Infinity and NaN into quotes, and blanks out a byte-order mark and a class name
/// before the first brace.
PreparedText prepare(std::string_view text);

}  // namespace crosspoint::hf
