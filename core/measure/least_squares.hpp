// Private to core/measure: relative least squares of t = a + b n + c sqrt(n), all coefficients non-negative.
#pragma once

#include <span>
#include <vector>

namespace crosspoint::measure {

struct Point {
    double n = 0, t = 0;
};

struct Coefficients {
    double a = 0, b = 0, c = 0;
    [[nodiscard]] double time(double n) const;
};

struct LeastSquares {
    Coefficients curve;
    double sum = 0;    ///< of squared relative errors
    double worst = 0;  ///< relative error
};

/// Robust: points beyond 1.345 spreads weigh less (Huber, iterated). `root`: with the term c sqrt(n).
LeastSquares relative_fit(std::span<const Point> points, bool root);

struct Piecewise {
    std::vector<std::size_t> begins;  ///< first point of each line
    std::vector<LeastSquares> lines;
    double sum = 0, worst = 0;
};

/// `count` lines with at least three points each, breaks where the sum of squared relative errors is least; no lines
/// when there are too few points.
Piecewise best_lines(std::span<const Point> points, int count);

}  // namespace crosspoint::measure
