#include "core/economics/scaling_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace crosspoint {
namespace {

constexpr std::array fits{
    LossFit{"Besiroglu et al. 2024", "Chinchilla Scaling: A replication attempt, arXiv 2404.10102",
            "their 95 % intervals put the optimal tokens per parameter between about 4 and 40 at 1e26 FLOP", 1.8172,
            482.01, 2085.43, 0.3478, 0.3658},
    LossFit{"Hoffmann et al. 2022, approach 3", "Training Compute-Optimal Large Language Models, arXiv 2203.15556",
            "the printed constants do not fit the paper's own data and favour small models", 1.69, 406.4, 410.7, 0.34,
            0.28},
};

struct TableRow {
    double parameters, tokens;
};
/// Hoffmann et al. 2022, table 3.
constexpr std::array<TableRow, 9> table{{{0.4e9, 8.0e9},
                                         {1e9, 20.2e9},
                                         {10e9, 205.1e9},
                                         {67e9, 1.5e12},
                                         {175e9, 3.7e12},
                                         {280e9, 5.9e12},
                                         {520e9, 11.0e12},
                                         {1e12, 21.2e12},
                                         {10e12, 216.2e12}}};

bool positive(double v) { return std::isfinite(v) && v > 0; }

/// Compute whose optimum has this loss, by bisection in its logarithm: the loss of the optimum falls with compute.
double compute_of(const LossFit& fit, double target) {
    double low = std::log(1e12), high = std::log(1e36);
    for (int i = 0; i < 200; ++i) {
        const double middle = (low + high) / 2;
        const Optimum o = compute_optimal(fit, Flops(std::exp(middle)));
        (loss(fit, o.parameters, o.tokens) > target ? low : high) = middle;
    }
    return std::exp(high);
}

}  // namespace

std::span<const LossFit> loss_fits() { return fits; }

double loss(const LossFit& f, double parameters, double tokens) {
    if (!positive(parameters) || !positive(tokens)) return 0;
    return f.e + f.a / std::pow(parameters, f.alpha) + f.b / std::pow(tokens, f.beta);
}

Optimum compute_optimal(const LossFit& f, Flops compute) {
    const double c = compute.si() / 6;
    if (!positive(c)) return {};
    const double g = std::pow(f.alpha * f.a / (f.beta * f.b), 1 / (f.alpha + f.beta));
    const double n = g * std::pow(c, f.beta / (f.alpha + f.beta));
    return {n, c / n};
}

Optimum equal_loss(const LossFit& fit, double parameters, double tokens) {
    const double target = loss(fit, parameters, tokens);
    if (!(target > fit.e)) return {};
    return compute_optimal(fit, Flops(compute_of(fit, target)));
}

double optimal_tokens(double parameters) {
    if (!positive(parameters)) return 0;
    auto upper =
        std::find_if(table.begin(), table.end(), [&](const TableRow& r) { return r.parameters >= parameters; });
    if (upper == table.begin()) ++upper;
    if (upper == table.end()) --upper;
    const TableRow &a = *(upper - 1), &b = *upper;
    const double slope = std::log(b.tokens / a.tokens) / std::log(b.parameters / a.parameters);
    return a.tokens * std::pow(parameters / a.parameters, slope);
}

double data_multiple(double parameters, double tokens) {
    return positive(parameters) && tokens > 0 ? tokens / (20 * parameters) : 0;
}

Flops training_compute(double parameters, double tokens) { return Flops(6 * parameters * tokens); }

RunCost run_cost(double tokens, TokensPerSecond rate, double accelerators, double goodput, DollarsPerSecond price,
                 Watts power) {
    RunCost cost;
    if (!(rate.si() > 0) || !(goodput > 0) || !(tokens > 0)) return cost;
    cost.time = Seconds(tokens / (rate.si() * goodput));
    cost.accelerator_hours = cost.time.si() * accelerators / 3600;
    cost.money = price * cost.time * accelerators;
    cost.energy = power * cost.time * accelerators;
    return cost;
}

}  // namespace crosspoint
