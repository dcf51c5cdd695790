// The wait for the last participant.
#include <cmath>

#include "core/collective/collective.hpp"

namespace crosspoint {
namespace {

constexpr double pi = 3.14159265358979323846;

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
double distribution(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// E[max] for very many: the first terms of the extreme value expansion (error below 1 % from 1e5 on).
double of_very_many(double count) {
    const double root = std::sqrt(2 * std::log(count));
    const double location = root - (std::log(std::log(count)) + std::log(4 * pi)) / (2 * root);
    return location + 0.5772156649 / root;
}

}  // namespace

double expected_maximum_of_normals(double count) {
    if (!(count > 1) || !std::isfinite(count)) return 0;
    if (count > 1e9) return of_very_many(count);
    // Integral of x K phi(x) Phi(x)^(K-1) by Simpson's rule over what is not negligible.
    constexpr int steps = 2000;
    constexpr double low = -8, high = 9, width = (high - low) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
        const double x = low + i * width;
        const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * x * density(x) * std::pow(distribution(x), count - 1);
    }
    return count * sum * width / 3;
}

Seconds straggler_wait(double ranks, Seconds sigma) { return sigma * expected_maximum_of_normals(ranks); }

}  // namespace crosspoint
