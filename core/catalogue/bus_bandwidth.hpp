// nccl-tests' "bus bandwidth": the rate that a link would show, whatever the number of ranks.
#pragma once

#include "core/catalogue/parts.hpp"

namespace crosspoint {

/// Bus over algorithm bandwidth: all-reduce 2(K-1)/K; all-gather, reduce-scatter, all-to-all, gather, scatter and
/// expert exchanges (K-1)/K; else 1. Source: NVIDIA nccl-tests, doc/PERFORMANCE.md.
double bus_bandwidth_factor(CollectiveOp op, double ranks);

}  // namespace crosspoint
