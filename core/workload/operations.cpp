#include "core/workload/operations.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/workload/operation_list.hpp"

namespace crosspoint {

std::string_view to_string(OpKind kind) {
    switch (kind) {
        case OpKind::product: return "product";
        case OpKind::attention: return "attention";
        case OpKind::experts: return "experts";
        case OpKind::elementwise: return "elementwise";
        case OpKind::communication: return "communication";
        case OpKind::overhead: return "overhead";
    }
    return "product";
}

StepShape step_shape(const Workload& workload, const Parallelism& layout, int parts) {
    const double ranks = static_cast<double>(std::max<std::int64_t>(layout.attention_data, 1));
    const double fullest = std::ceil(static_cast<double>(std::max<std::int64_t>(workload.batch, 0)) / ranks);
    StepShape step;
    step.sequences = fullest / std::max(parts, 1);
    step.context = static_cast<double>(std::max<std::int64_t>(workload.context, 0));
    if (workload.phase == Phase::prefill) {
        step.new_tokens = step.context;
        step.causal = true;
    }
    return step;
}

std::vector<Operation> layer_operations(const ModelShape& model, const LayerShape& layer, const Parallelism& layout,
                                        const Precision& precision, const Workload& workload, const StepShape& step) {
    const Shard shard{model, layout, precision, step};
    OperationList list(shard);
    attention_operations(list, shard, layer.attention);
    const FeedForwardShape& f = layer.feed_forward;
    if (f.experts) expert_operations(list, shard, f, workload.expert_cv);
    if (f.width > 0) dense_feed_forward_operations(list, shard, f, !f.experts);
    else if (f.linear) linear_feed_forward_operations(list, shard);
    return list.take();
}

std::vector<Operation> head_operations(const ModelShape& model, const Parallelism& layout, const Precision& precision,
                                       const StepShape& step) {
    const Shard shard{model, layout, precision, step};
    OperationList list(shard);
    const double h = shard.hidden(), rows = step.sequences;  // only the last token of a sequence gets logits
    const double vocabulary = static_cast<double>(model.vocabulary);
    list.elementwise("head.embedding", "embedding", shard.tokens() * h, shard.tokens() * h,
                     fmt::format("{} rows of {} numbers", number(shard.tokens()), number(h)));
    list.norm("head.norm", rows);
    if (model.vocabulary <= 0) return list.take();  // a format that states no tables
    list.product("head.logits", "logits", {rows, h, vocabulary / shard.tensor()});
    if (layout.tensor > 1) {
        Operation gather;
        gather.id = "head.gather";
        gather.label = to_string(CollectiveOp::all_gather);
        gather.kind = OpKind::communication;
        gather.dtype = precision.activations;
        gather.communication = Communication{CollectiveOp::all_gather, GroupKind::tensor,
                                             rows * vocabulary * size_of(precision.activations)};
        gather.formula = fmt::format("{} rows x {} logits", number(rows), number(vocabulary));
        list.add(std::move(gather));
    }
    list.elementwise("head.sampling", "sampling", 2 * rows * vocabulary, 0,
                     fmt::format("read and write {} x {} probabilities", number(rows), number(vocabulary)));
    return list.take();
}

}  // namespace crosspoint
