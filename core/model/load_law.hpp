// The distribution of one rank's load and the expected maximum over ranks (private to core/model).
//
// Tokens choose experts at random, so the load of a rank is Poisson around its own rate; rates differ between
// ranks with coefficient of variation cv, taken as gamma-distributed, which makes the load negative binomial with
// shape r = 1/cv^2. E[max of R] = sum over n >= 0 of 1 - F(n)^R. Both evaluations below bound their work to a few
// hundred terms: the sum itself while the law is narrow, and an integral over u = ln(n + 1) when it is wide.
#pragma once

namespace crosspoint {

class LoadLaw {
public:
    /// `mean` is clamped to [1e-9, 1e9]: beyond it the counting noise is below 1e-4. cv below 1e-4 is Poisson.
    LoadLaw(double mean, double cv);
    [[nodiscard]] double mean() const { return mean_; }
    [[nodiscard]] double deviation() const;
    /// Logarithm of the probability of n; n may lie between whole numbers.
    [[nodiscard]] double log_probability(double n) const;
    /// P(n + 1) / P(n).
    [[nodiscard]] double ratio(double n) const;

    [[nodiscard]] double expected_maximum(double ranks) const;
    /// The plain sum; exact to rounding, with as many terms as the law is wide.
    [[nodiscard]] double expected_maximum_by_sum(double ranks) const;
    /// The integral over u = ln(n + 1), within 1e-3 of the sum where the deviation is above 30.
    [[nodiscard]] double expected_maximum_by_integral(double ranks) const;

private:
    [[nodiscard]] double negligible_above(double ranks) const;
    [[nodiscard]] double log_tail_bound(double n) const;

    double mean_;
    double shape_;     ///< r of the negative binomial; 0 = Poisson
    double constant_;  ///< the part of log_probability that does not depend on n
};

}  // namespace crosspoint
