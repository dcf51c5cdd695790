// t(n) = alpha + n/beta (+ kappa sqrt(alpha n/beta)), and where the two terms cross (cost-model section 1).
#pragma once

#include "core/units/quantity.hpp"

namespace crosspoint {

struct LinkCost {
    Seconds alpha;
    BytesPerSecond beta;
    double kappa = 0;
};

Seconds transfer_time(const LinkCost& link, Bytes n);
/// n* = alpha * beta: 5 us x 400 GB/s = 2.0 MB.
Bytes crossover_bytes(const LinkCost& link);
/// The size at which half of beta is reached; equals n* when kappa is 0.
Bytes half_bandwidth_bytes(const LinkCost& link);
/// B* = n* / (hidden * bytes per element): 122.07 for hidden 8192 in bf16.
double crossover_batch(const LinkCost& link, double hidden, Bytes element);
/// Serial communication floor of one token: layers x collectives x alpha; 80 x 2 x 5 us = 0.8 ms.
Seconds token_floor(Seconds alpha, double layers, double collectives_per_layer);

}  // namespace crosspoint
