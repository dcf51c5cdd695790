// The arithmetic of mixture-of-experts routing: distinct experts, distinct destinations, imbalance.
#pragma once

#include <cstdint>

namespace crosspoint {

/// Expected number of the `local` experts of a device (out of `experts`) that are hit by at least one of `tokens`
/// tokens that each choose `top_k` uniformly: local * (1 - (1 - k/E)^T). It sets the weight bytes read in decode.
double distinct_experts(double local, double experts, double top_k, double tokens);

/// Expected distinct domains, out of `domains` equal ones, that the k experts of one token lie in:
/// D * (1 - C(E - E/D, k) / C(E, k)), and never more than `group_limit` (the model's own limit).
double distinct_domains(double experts, double top_k, double domains, double group_limit);

/// E[max]/mean of the load of `ranks` ranks with `mean` token-assignments each, popularity varying with
/// coefficient of variation `cv` (gamma-Poisson; cv 0 = Poisson). (8, 32) 1.798; (64, 32) 1.268; (256, 72) 1.152;
/// (1, 256) 4.767. At least 1; `mean` 0 gives 1.
double imbalance(double mean, double ranks, double cv);

}  // namespace crosspoint
