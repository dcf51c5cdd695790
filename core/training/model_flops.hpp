// What a training step computes by the conventions that papers count with, and goodput under failures.
#pragma once

#include "core/model/model.hpp"
#include "core/workload/training.hpp"

namespace crosspoint {

/// FLOPs of one token, forward and backward. `weights` is 6 x the active weights that take part in products (the input
/// table does not, the output table does); attention is 12 x layers x heads x head size x sequence, windows applied.
struct ModelFlops {
    Flops weights;
    Flops attention;                                                  ///< the full square
    [[nodiscard]] Flops full() const { return weights + attention; }  ///< PaLM, Megatron-LM: 72 B s L h^2 (...)
    [[nodiscard]] Flops causal() const { return weights + attention / 2.0; }
};
ModelFlops model_flops(const ModelShape& model, std::int64_t sequence);

/// Share of the time that becomes training: checkpoints every sqrt(2 x checkpoint x time between failures), half an
/// interval and a restart lost with each failure. Source: Daly 2006, "A higher order estimate of the optimum checkpoint
/// interval", first order. 1 when no failures are counted.
struct Goodput {
    double share = 1;
    Seconds interval{0};  ///< between checkpoints; 0: none
};
Goodput goodput(const Training& training);

}  // namespace crosspoint
