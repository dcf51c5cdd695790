#include "core/model/load_law.hpp"

#include <algorithm>
#include <cmath>

namespace crosspoint {
namespace {

constexpr double negligible = 1e-11;      // of the expected maximum, relative to one rank's load
constexpr double direct_terms = 600;      // longest plain sum
constexpr double steps_per_scale = 10.0;  // integral: steps in one standard deviation of ln(n + 1)

/// (1 - tail)^ranks.
double none_above(double tail, double ranks) { return tail >= 1 ? 0 : std::exp(ranks * std::log1p(-tail)); }

}  // namespace

LoadLaw::LoadLaw(double mean, double cv) : mean_(std::clamp(mean, 1e-9, 1e9)), shape_(0), constant_(-mean_) {
    if (!(cv >= 1e-4)) return;
    const double bounded = std::min(cv, 10.0);
    shape_ = 1 / (bounded * bounded);
    constant_ = -std::lgamma(shape_) - shape_ * std::log1p(mean_ / shape_);
}

double LoadLaw::deviation() const { return std::sqrt(mean_ + (shape_ > 0 ? mean_ * mean_ / shape_ : 0)); }

double LoadLaw::log_probability(double n) const {
    if (shape_ <= 0) return constant_ + n * std::log(mean_) - std::lgamma(n + 1);
    return constant_ + std::lgamma(n + shape_) - std::lgamma(n + 1) - n * std::log1p(shape_ / mean_);
}

double LoadLaw::ratio(double n) const {
    if (shape_ <= 0) return mean_ / (n + 1);
    return (n + shape_) / (n + 1) * (mean_ / (mean_ + shape_));
}

double LoadLaw::log_tail_bound(double n) const {
    const double falling = ratio(n);
    return falling < 1 ? log_probability(n) - std::log1p(-falling) : 0;  // a geometric series bounds the tail
}

double LoadLaw::negligible_above(double ranks) const {
    const double limit = std::log(negligible / ranks);
    double step = std::max(1.0, deviation());
    double n = mean_ + 2 * step;
    while (n < 1e13 && log_tail_bound(n) > limit) {
        n += step;
        step *= 1.1;
    }
    return std::ceil(n);
}

double LoadLaw::expected_maximum(double ranks) const {
    if (ranks <= 1) return mean_;
    const double count = std::min(ranks, 1e9);
    return negligible_above(count) <= direct_terms || deviation() < 30 ? expected_maximum_by_sum(count)
                                                                       : expected_maximum_by_integral(count);
}

double LoadLaw::expected_maximum_by_sum(double ranks) const {
    // From the top down: the tail grows by positive terms, and once no rank stays below n, the n terms left are 1.
    double n = negligible_above(ranks);
    double probability = std::exp(log_probability(n));
    double tail = 0;  // P(load > n)
    double sum = 0;
    for (; n >= 0; n -= 1) {
        const double below = none_above(tail, ranks);
        if (below < 1e-16) return sum + n + 1;
        sum += 1 - below;
        tail += probability;
        if (n > 0) probability /= ratio(n - 1);
    }
    return sum;
}

double LoadLaw::expected_maximum_by_integral(double ranks) const {
    // Trapezoids with end correction: h/2 (a + b) + h^2/12 (a' - b'), of the density in u = ln(n + 1).
    const double scale = std::min(1.0, deviation() / mean_);
    const double h = scale / steps_per_scale;
    double u = std::log(negligible_above(ranks) + 1);
    double tail = 0, sum = 0, last_density = 0, last_slope = 0, last_term = 0;
    for (; u > 0; u -= h) {
        const double n = std::expm1(u);
        const double density = std::exp(log_probability(n) + u);
        const double slope = density * (1 + (n + 1) * std::log(std::max(ratio(n - 0.5), 1e-300)));
        tail += h / 2 * (density + last_density) + h * h / 12 * (slope - last_slope);
        const double below = none_above(tail, ranks);
        const double term = (1 - below) * (n + 1);
        sum += h / 2 * (term + last_term);
        if (below < 1e-16) return sum + n;
        last_density = density, last_slope = slope, last_term = term;
    }
    return sum;
}

}  // namespace crosspoint
