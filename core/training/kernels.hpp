// How long one operation of a training step takes: products, attention and memory-bound work at the shares of the
// peaks that training kernels reach.
//
// A share is a property of a class of accelerators (vendor and dense peak), fitted on published training steps of some
// sources and checked on others (docs/accuracy.md); Training::product_share replaces the one of the products.
#pragma once

#include <string_view>

#include "core/cost/roofline.hpp"

namespace crosspoint {

struct TrainingShares {
    std::string_view name;  ///< of the class: "Hopper"
    double bf16 = 0.7;      ///< of the dense peak, large products
    double fp8 = 0.6;
    double fp4 = 0.45;
    double attention_forward = 0.5;  ///< of the dense 16-bit peak, the causal half counted
    double attention_backward = 0.4;
    double memory = 0.8;  ///< of the memory bandwidth, element-wise kernels
    Seconds tail{0};      ///< of one product: its last wave and what is not hidden of its launch
    std::string_view source;
    Confidence confidence = Confidence::fitted;
};

/// Of the part's vendor and dense 16-bit peak; a part of no known class takes the default, marked "assumed".
const TrainingShares& training_shares(const AcceleratorPart& part);

enum class Pass { forward, backward };

/// max(FLOPs / (peak x share), bytes / (memory bandwidth x share)) + the tail of each kernel. Parts without the dtype
/// compute in the next wider one, as operation_cost(). `of_share` multiplies the share: narrow grouped products.
OperationCost training_cost(const Operation& op, Pass pass, const AcceleratorPart& part, const Training& training,
                            bool with_text, double of_share = 1);

}  // namespace crosspoint
