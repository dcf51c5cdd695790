// How sure a number is, and where it comes from. Every figure in the catalogue and every figure shown has this.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace crosspoint {

/// Ordered from surest to least sure: a result is as sure as its least sure input.
enum class Confidence { exact, measured, fitted, datasheet, assumed };

constexpr Confidence weaker(Confidence a, Confidence b) { return a < b ? b : a; }
std::string_view to_string(Confidence c);

/// A number with its evidence. `scope` says what a bandwidth means ("per accelerator, one direction, payload").
template <class Q>
struct Figure {
    Q value{};
    Confidence confidence = Confidence::assumed;
    std::string source;
    std::string scope;
    bool operator==(const Figure&) const = default;
};

}  // namespace crosspoint
