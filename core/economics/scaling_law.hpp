// Data against parameters: compute-optimal training, the loss that a named fit expects, what training costs
// (cost-model section 9).
#pragma once

#include <span>
#include <string_view>

#include "core/units/quantity.hpp"

namespace crosspoint {

/// L(N, D) = E + A / N^alpha + B / D^beta, in nats a token on the fit's own data: differences mean more than values.
struct LossFit {
    std::string_view name, source, uncertainty;
    double e, a, b, alpha, beta;
};
/// Hoffmann et al. 2022 (arXiv 2203.15556, approach 3) and its correction by Besiroglu et al. 2024 (2404.10102); the
/// correction first: its optimum agrees with the other two approaches of the paper, the printed constants do not.
std::span<const LossFit> loss_fits();

double loss(const LossFit& fit, double parameters, double tokens);

struct Optimum {
    double parameters = 0, tokens = 0;
};
/// Least loss with 6 N D = compute, closed form: N = G (C/6)^(beta/(alpha+beta)), G = (alpha A / (beta
/// B))^(1/(alpha+beta)).
Optimum compute_optimal(const LossFit& fit, Flops compute);
/// The compute-optimal model of the same loss; zeros when the loss is at or below E.
Optimum equal_loss(const LossFit& fit, double parameters, double tokens);

/// Tokens that Hoffmann et al. 2022, table 3 (approach 1) gives for a model of so many parameters, log-interpolated
/// between its rows and continued along its ends.
double optimal_tokens(double parameters);
/// D / (20 N).
double data_multiple(double parameters, double tokens);
/// 6 N D.
Flops training_compute(double parameters, double tokens);

/// What a run takes: FLOPs / (accelerators x peak x utilisation x goodput), and its rent and energy.
struct RunCost {
    Seconds time;
    double accelerator_hours = 0;
    Dollars money{0};
    Joules energy{0};
};
RunCost run_cost(double tokens, TokensPerSecond rate, double accelerators, double goodput, DollarsPerSecond price,
                 Watts power);

}  // namespace crosspoint
