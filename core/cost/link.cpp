#include "core/cost/link.hpp"

#include <cmath>

namespace crosspoint {

Seconds transfer_time(const LinkCost& link, Bytes n) {
    const Seconds moving = n / link.beta;
    return link.alpha + moving + Seconds(link.kappa * std::sqrt(link.alpha.si() * moving.si()));
}

Bytes crossover_bytes(const LinkCost& link) { return link.alpha * link.beta; }

// n / t(n) = beta / 2 with y = sqrt(n / (alpha beta)): y^2 - kappa y - 1 = 0.
Bytes half_bandwidth_bytes(const LinkCost& link) {
    const double y = (link.kappa + std::sqrt(link.kappa * link.kappa + 4.0)) / 2.0;
    return crossover_bytes(link) * (y * y);
}

double crossover_batch(const LinkCost& link, double hidden, Bytes element) {
    return crossover_bytes(link) / (hidden * element);
}

Seconds token_floor(Seconds alpha, double layers, double collectives_per_layer) {
    return alpha * (layers * collectives_per_layer);
}

}  // namespace crosspoint
