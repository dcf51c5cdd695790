#include "core/model/experts.hpp"

#include <algorithm>
#include <cmath>

#include "core/model/load_law.hpp"

namespace crosspoint {
namespace {

bool usable(double value) { return std::isfinite(value) && value > 0; }

/// C(n - taken, k) / C(n, k): the chance that none of k choices out of n falls on `taken` of them.
double chance_of_none(double n, double taken, double k) {
    if (n - taken < k) return 0;
    return std::exp(std::lgamma(n - taken + 1) - std::lgamma(n - taken - k + 1) - std::lgamma(n + 1) +
                    std::lgamma(n - k + 1));
}

}  // namespace

double distinct_experts(double local, double experts, double top_k, double tokens) {
    if (!usable(local) || !usable(experts) || !usable(top_k) || !usable(tokens)) return 0;
    if (top_k >= experts) return local;
    return local * -std::expm1(tokens * std::log1p(-top_k / experts));
}

double distinct_domains(double experts, double top_k, double domains, double group_limit) {
    if (!usable(experts) || !usable(top_k) || !usable(domains)) return 0;
    const double k = std::min(top_k, experts);
    const double hit = domains <= 1 ? 1.0 : domains * (1 - chance_of_none(experts, experts / domains, k));
    return usable(group_limit) ? std::min(hit, group_limit) : hit;
}

double imbalance(double mean, double ranks, double cv) {
    if (!usable(mean) || !usable(ranks) || ranks <= 1) return 1;
    const LoadLaw law(mean, cv);
    return std::max(1.0, law.expected_maximum(ranks) / law.mean());
}

}  // namespace crosspoint
