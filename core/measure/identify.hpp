// Private to core/measure: which operation, over how many ranks, from what the rows of nccl-tests say.
#pragma once

#include <optional>
#include <string>

#include "core/measure/measurement.hpp"

namespace crosspoint::measure {

/// What the id columns of a table say.
struct RowIds {
    std::string type;             ///< "float", "bfloat16", ...
    std::string reduction;        ///< "sum", "none", ...; empty when the layout has no such column
    std::optional<double> root;   ///< -1: none
    std::optional<double> count;  ///< elements
    std::optional<double> bytes;  ///< as printed, of the same row as `count`
};

/// Bytes of an element; empty for an unknown name.
std::optional<double> element_bytes(std::string_view type);

/// Fills operation, choices and ranks where they are not stated, from bytes / (count x element), bus over algorithm
/// bandwidth, reduction and root; warns where a stated number contradicts the rows. All-reduce over 2 ranks against
/// send-receive, and all-gather against all-to-all, cannot be told apart.
void identify(MeasuredTable& table, const RowIds& ids);

}  // namespace crosspoint::measure
