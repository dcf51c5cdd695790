// The text of a config.json: Python's Infinity and NaN, printed class names, and where a field stands
// (private to core/io).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace crosspoint::hf {

struct PreparedText {
    std::string json;        ///< strict JSON with the lines of the original
    std::string class_name;  ///< "Gemma2Config" when the text was a print-out of an object
};

/// Puts the bare tokens Infinity, -Infinity and NaN into quotes, drops a byte-order mark and a class name before the
/// first brace. Fails on text above 64 MiB and on nesting deeper than 64.
Result<PreparedText> prepare(std::string_view text);

/// Offset of the value at a JSON pointer, or npos. Reads only as far as needed; never fails on bad JSON.
std::size_t offset_of(std::string_view json, std::string_view pointer);

/// 1-based line and column of an offset.
struct Position {
    int line = 0, column = 0;
};
Position position_of(std::string_view text, std::size_t offset);

}  // namespace crosspoint::hf
