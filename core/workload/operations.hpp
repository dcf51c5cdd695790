// The operations of one layer and of the step's ends, on one accelerator, for a shard of the model.
//
// Every operation carries its FLOPs, the bytes it moves from memory, what it communicates, and the formula in
// words. Identical layers give identical operations and are computed once by the caller.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/parts.hpp"
#include "core/workload/groups.hpp"

namespace crosspoint {

enum class OpKind { product, attention, experts, elementwise, communication, overhead };
std::string_view to_string(OpKind);

/// A message pattern of one operation. Sizes follow the conventions of collective.hpp: `bytes` is the full tensor
/// of all-reduce/all-gather/..., and for expert dispatch/combine what one rank would send if no expert were local.
struct Communication {
    CollectiveOp op = CollectiveOp::all_reduce;
    GroupKind group = GroupKind::tensor;
    Bytes bytes;
    double tokens = 0;     ///< dispatch/combine: tokens of one rank
    double top_k = 0;      ///< dispatch/combine: routed experts a token
    Bytes token_bytes{0};  ///< dispatch/combine: hidden * dtype
};

struct Operation {
    std::string id;     ///< stable within a layer: "attention.qkv", "experts.dispatch"
    std::string label;  ///< short, for bars: "MLA", "dispatch fp8"
    OpKind kind = OpKind::product;
    Flops flops;             ///< on this accelerator; experts: of the mean rank
    Bytes weight_bytes;      ///< read from memory
    Bytes activation_bytes;  ///< read and written
    Bytes cache_bytes;       ///< KV read (and written)
    double rows = 0;         ///< m of the product, for the efficiency curve
    double imbalance = 1;    ///< hottest rank / mean rank; multiplies flops only
    Dtype dtype = Dtype::bf16;
    double kernels = 1;  ///< launches
    std::optional<Communication> communication;
    std::string formula;     ///< with the numbers in it: "2 x 32 x 7168 x 2112"
    std::vector<int> after;  ///< indices of earlier operations it waits for; empty = start of the layer
    [[nodiscard]] Bytes memory_bytes() const { return weight_bytes + activation_bytes + cache_bytes; }
};

/// Per accelerator and micro-batch, what a layer sees.
struct StepShape {
    double sequences = 0;   ///< sequences of one attention rank
    double new_tokens = 1;  ///< per sequence: 1 in decode, the prompt in prefill
    double context = 0;     ///< cached tokens per sequence that attention reads
    bool causal = false;    ///< prefill: halves the attention product
    [[nodiscard]] double tokens() const { return sequences * new_tokens; }
};

/// The shape of one micro-batch (`parts` = 1 or 2) in one attention-data rank.
StepShape step_shape(const Workload& workload, const Parallelism& layout, int parts);

std::vector<Operation> layer_operations(const ModelShape& model, const LayerShape& layer, const Parallelism& layout,
                                        const Precision& precision, const Workload& workload, const StepShape& step);
/// Embedding and head with sampling: once per step, on the first and last stage.
std::vector<Operation> head_operations(const ModelShape& model, const Parallelism& layout, const Precision& precision,
                                       const StepShape& step);

}  // namespace crosspoint
