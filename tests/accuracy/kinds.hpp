// Kinds of measurement that the tool can predict: one file a kind, one line in kinds.cpp.
//
// To add one: write <kind>.cpp with a function of the form below, declare it in kinds.cpp and list it there. It reads
// a record's configuration, sets up the same inputs as a user would (a drawing of catalogue parts, a model, a layout)
// and calls the functions that the program itself calls. It never looks at the measured value.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "accuracy/record.hpp"
#include "core/catalogue/parts.hpp"

namespace crosspoint::accuracy {

struct Prediction {
    double value = 0;  ///< in the record's own unit and metric
    std::string how;   ///< in a few words: "ring over nvlink4", for --rows
};
/// The error is the reason why the configuration could not be mapped, in a sentence.
using Predicted = tl::expected<Prediction, std::string>;

struct Kind {
    std::string_view name;  ///< the records' `kind`
    Predicted (*predict)(const Record& record, const Catalogue& catalogue);
};
std::span<const Kind> kinds();

/// A figure in SI as the record's unit has it; the reason names a unit that is not known.
Predicted in_unit_of(const Record& record, double si, std::string how);

}  // namespace crosspoint::accuracy
