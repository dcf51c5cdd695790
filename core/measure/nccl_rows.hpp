// Private to core/measure: one row of an nccl-tests table, columns taken from the right.
#pragma once

#include <optional>
#include <string>

#include "core/measure/identify.hpp"
#include "core/measure/log_lines.hpp"

namespace crosspoint::measure {

/// What the header says of a table's columns; defaults are those of a table whose header is lost.
struct Layout {
    bool stated = false;
    int blocks = 2;            ///< out-of-place and in-place
    int width = 4;             ///< columns of one block: time, algbw, busbw, #wrong; 8 with -I 1
    bool counts_wrong = true;  ///< "#wrong"; older builds print the largest "error"
    bool cpu_time = false;     ///< -C 1
    bool timestamp = false;    ///< -S 1
};
/// Empty when the line is no header.
std::optional<Layout> header_of(const Line& line);

struct NcclRow {
    MeasuredRow row;
    RowIds ids;
    double wrong = 0;  ///< values that were wrong
};
enum class RowKind { none, cut, row };
/// `none`: the line is no row. `cut`: it begins like one and ends too early.
RowKind row_of(const Line& line, const Layout& layout, NcclRow& out);

}  // namespace crosspoint::measure
