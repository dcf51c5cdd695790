#include "core/training/passes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/cost/memory_parts.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

double at_least_one(std::int64_t n) { return double(std::max<std::int64_t>(n, 1)); }

/// Tokens of one micro-batch on one context rank; its causal work is that share of the whole sequence's.
StepShape micro_batch_shape(const Scenario& s) {
    StepShape step;
    step.sequences = at_least_one(s.workload.training.micro_batch) / at_least_one(s.layout.context);
    step.new_tokens = step.context = double(std::max<std::int64_t>(s.workload.context, 1));
    step.causal = true;
    return step;
}

/// Messages and activations in 16 bits whatever the products run in.
Precision kept_precision(const Precision& p) {
    Precision kept = p;
    kept.weights = kept.experts = kept.cache = kept.activations;
    return kept;
}

bool is_product(const Operation& op) { return op.kind == OpKind::product || op.kind == OpKind::experts; }
bool runs_narrow(const Operation& op) { return is_product(op) && op.id != "experts.router" && op.id != "head.logits"; }

/// Products in a narrow format first convert their inputs: 16 bits are read, and two copies written (one transposed,
/// for the product with the weights' gradients).
void convert(Operation& op, Dtype to, Dtype from) {
    op.dtype = to;
    if (size_of(to) >= size_of(from)) return;
    const double read = op.activation_bytes.si() / 2;  // the input half
    op.activation_bytes += Bytes(read * (1 + 2 * (size_of(to) / size_of(from))));
    op.kernels += 1;
}

/// Scores that reach memory: both products over the whole square, and 8 passes over scores of 16 bits (written,
/// scaled and masked, softmax, dropout, read). Source: the kernels of Megatron-LM before flash attention.
void unfuse(Operation& op, const Scenario& s, double sequences) {
    const double heads = op.flops.si() / (4.0 * 0.5 * double(s.workload.context) * double(s.workload.context) *
                                          std::max(sequences, 1e-9));  // heads x head size
    double size = 128;
    for (const LayerShape& kind : s.model->kinds)
        if (kind.attention.head_dim > 0) size = double(kind.attention.head_dim);
    const double scores = heads / size * double(s.workload.context) * double(s.workload.context) * sequences;
    op.flops *= 2;
    op.activation_bytes += Bytes(scores * 2 * 8);
    op.kernels = 4;
}

Operation context_gather(const Scenario& s, const LayerShape& layer, const StepShape& step) {
    Operation op;
    op.id = "attention.context";
    op.label = "KV over context";
    op.kind = OpKind::communication;
    op.dtype = s.precision.activations;
    const double split = std::min(at_least_one(s.layout.tensor), at_least_one(layer.attention.kv_heads));
    const double tensor = layer.attention.latent ? 1.0 : split;
    const double all = step.tokens() * at_least_one(s.layout.context);
    op.communication = Communication{CollectiveOp::all_gather, GroupKind::context,
                                     kv_bytes_per_token(layer, op.dtype) * (all / tensor)};
    op.formula = fmt::format("keys and values of {} tokens", shortest(all));
    return op;
}

/// Tokens are sorted by expert before their products and put back after: each is read and written twice.
Operation permutation(const Scenario& s, const Operation& routed) {
    Operation op;
    op.id = "experts.permute";
    op.label = "sort by expert";
    op.kind = OpKind::elementwise;
    op.dtype = s.precision.activations;
    double matrices = 3, width = 1, top = 1;
    for (const LayerShape& kind : s.model->kinds)
        if (kind.feed_forward.experts) {
            matrices = kind.feed_forward.gated ? 3 : 2;
            width = double(kind.feed_forward.experts->width) / at_least_one(s.layout.expert_tensor);
            top = double(kind.feed_forward.experts->top_k);
        }
    const double assignments = routed.flops.si() / (2 * matrices * double(s.model->hidden) * std::max(width, 1.0));
    op.activation_bytes = Bytes(8 * assignments * double(s.model->hidden) * size_of(op.dtype).si());
    op.formula = fmt::format("8 x {} assignments x {} ({} a token)", shortest(assignments), s.model->hidden, top);
    op.kernels = 4;
    return op;
}

std::vector<Operation> forward_layer(const Scenario& s, const LayerShape& layer) {
    const StepShape step = micro_batch_shape(s);
    std::vector<Operation> all;
    for (Operation& op : layer_operations(*s.model, layer, s.layout, kept_precision(s.precision), s.workload, step)) {
        const bool attention = op.kind == OpKind::attention;
        if (attention && s.layout.context > 1) all.push_back(context_gather(s, layer, step));
        if (attention && !s.workload.training.fused_attention) unfuse(op, s, step.sequences);
        if (op.kind == OpKind::experts) all.push_back(permutation(s, op));
        if (runs_narrow(op))
            convert(op, op.kind == OpKind::experts ? s.precision.experts : s.precision.weights,
                    s.precision.activations);
        all.push_back(std::move(op));
    }
    return all;
}

CollectiveOp mirrored(CollectiveOp op) {
    switch (op) {
        case CollectiveOp::all_gather: return CollectiveOp::reduce_scatter;
        case CollectiveOp::reduce_scatter: return CollectiveOp::all_gather;
        case CollectiveOp::expert_dispatch: return CollectiveOp::expert_combine;
        case CollectiveOp::expert_combine: return CollectiveOp::expert_dispatch;
        default: return op;
    }
}

/// Grouped products of narrow experts reach less than wide ones: width / (width + 800), fitted with the classes.
constexpr double narrow_expert = 800;

double expert_share(const Scenario& s, const LayerShape& layer) {
    if (!layer.feed_forward.experts) return 1;
    const double width = double(layer.feed_forward.experts->width) / at_least_one(s.layout.expert_tensor);
    return width / (width + narrow_expert);
}

TrainingOperation backward_of(Operation op, bool fused) {
    op.id += ".backward";
    op.label += " back";
    if (op.communication) {
        const bool context = op.communication->group == GroupKind::context;
        op.communication->op = mirrored(op.communication->op);
        if (context) op.communication->bytes *= 2;  // keys and values again, and their gradients
        return {std::move(op), Pass::backward, false, 1, false};
    }
    const bool product = is_product(op);
    op.flops *= op.kind == OpKind::attention && fused ? 2.5 : 2;
    op.weight_bytes *= 2;
    op.activation_bytes *= op.kind == OpKind::elementwise ? 1.5 : 2;
    op.kernels *= product || op.kind == OpKind::attention ? 2 : 1;
    op.formula = "backward: " + op.formula;
    return {std::move(op), Pass::backward, false, 1, product};
}

TrainingOperation again(Operation op) {
    op.id += ".recompute";
    op.label += " again";
    op.formula = "computed again: " + op.formula;
    return {std::move(op), Pass::backward, true, 1, false};
}

bool recomputed(const Training& t, const Operation& op) {
    if (t.recompute == Recompute::full) return true;
    return t.recompute == Recompute::selective && op.kind == OpKind::attention && !t.fused_attention;
}

std::vector<TrainingOperation> both_passes(std::vector<Operation> forward, const Training& t, bool may_recompute) {
    std::vector<TrainingOperation> all;
    for (const Operation& op : forward) all.push_back({op, Pass::forward, false, 1, false});
    if (may_recompute)
        for (const Operation& op : forward)
            if (recomputed(t, op)) all.push_back(again(op));
    for (auto it = forward.rbegin(); it != forward.rend(); ++it) all.push_back(backward_of(*it, t.fused_attention));
    return all;
}

Operation plain(std::string id, std::string label, OpKind kind, Dtype dtype) {
    Operation op;
    op.id = std::move(id);
    op.label = std::move(label);
    op.kind = kind;
    op.dtype = dtype;
    return op;
}

/// Weights are kept in at least 16 bits, whatever the products run in.
Dtype stored(const Precision& p) { return size_of(p.weights) < size_of(Dtype::bf16) ? Dtype::bf16 : p.weights; }

double states(Optimiser optimiser) { return optimiser == Optimiser::adam ? 3 : 1; }  // master weights, two moments

Operation data_message(const char* id, CollectiveOp op, GroupKind group, Bytes bytes, Dtype dtype) {
    Operation message = plain(id, std::string(to_string(op)), OpKind::communication, dtype);
    message.communication = Communication{op, group, bytes};
    message.formula = fmt::format("{} of weights or gradients over {} ranks", format(bytes), to_string(group));
    return message;
}

}  // namespace

std::vector<TrainingOperation> training_layer(const Scenario& s, const LayerShape& layer) {
    auto all = both_passes(forward_layer(s, layer), s.workload.training, true);
    for (TrainingOperation& work : all)
        if (work.op.kind == OpKind::experts) work.share = expert_share(s, layer);
    return all;
}

std::vector<TrainingOperation> training_embedding(const Scenario& s) {
    const double numbers = micro_batch_shape(s).tokens() * double(s.model->hidden);
    Operation op = plain("embedding", "embedding", OpKind::elementwise, s.precision.activations);
    op.activation_bytes = 2 * numbers * size_of(op.dtype);
    op.formula = fmt::format("{} rows", shortest(micro_batch_shape(s).tokens()));
    return both_passes({op}, s.workload.training, false);
}

std::vector<TrainingOperation> training_head(const Scenario& s) {
    const double tokens = micro_batch_shape(s).tokens(), hidden = double(s.model->hidden);
    const double columns = double(s.model->vocabulary) / at_least_one(s.layout.tensor);
    Operation logits = plain("head.logits", "logits", OpKind::product, s.precision.activations);
    logits.flops = Flops(2 * tokens * hidden * columns);
    logits.weight_bytes = hidden * columns * size_of(logits.dtype);
    logits.activation_bytes = tokens * (hidden + columns) * size_of(logits.dtype);
    logits.rows = tokens;
    logits.formula = fmt::format("2 x {} x {} x {}", shortest(tokens), s.model->hidden, shortest(columns));
    Operation loss = plain("head.loss", "loss", OpKind::elementwise, Dtype::fp32);
    loss.activation_bytes = Bytes(tokens * columns * 4 * 6);  // cast, largest, exponentials, sum: fitted
    loss.formula = fmt::format("6 passes over {} x {} logits in fp32", shortest(tokens), shortest(columns));
    loss.kernels = 3;
    return both_passes({logits, loss}, s.workload.training, false);
}

Operation stage_transfer(const Scenario& s) {
    const double numbers = micro_batch_shape(s).tokens() * double(s.model->hidden) / at_least_one(s.layout.tensor);
    Operation op = plain("pipeline.transfer", "to next stage", OpKind::communication, s.precision.activations);
    op.communication = Communication{CollectiveOp::point_to_point, GroupKind::pipeline, numbers * size_of(op.dtype)};
    op.formula = fmt::format("{} numbers a tensor rank", shortest(numbers));
    return op;
}

HeldWeights held_weights(const Scenario& s, std::int64_t stage) {
    const auto plans = memory::stage_plans(*s.model, s.layout.pipeline);
    HeldWeights held;
    if (stage < 0 || std::size_t(stage) >= plans.size()) return held;
    const auto& plan = plans[std::size_t(stage)];
    for (std::size_t k = 0; k < s.model->kinds.size(); ++k) {
        const double count = double(plan.kind_counts[k]);
        if (count <= 0) continue;
        held.dense += count * memory::dense_weights(*s.model, s.model->kinds[k], s.layout, Dtype::int8).si();
        held.experts += count * memory::expert_weights(*s.model, s.model->kinds[k], s.layout, Dtype::int8).si();
    }
    held.dense += memory::embedding_weights(*s.model, plan, s.layout, Dtype::int8).si();  // one byte a number
    return held;
}

double data_ranks(const Parallelism& layout, std::int64_t replicas) {
    return at_least_one(layout.context) * at_least_one(layout.attention_data) * at_least_one(replicas);
}

double expert_data_ranks(std::int64_t replicas) { return at_least_one(replicas); }

DataMessages data_messages(const Scenario& s, const HeldWeights& held, std::int64_t replicas) {
    const Training& t = s.workload.training;
    DataMessages messages;
    const CollectiveOp reduce = t.sharding == 0 ? CollectiveOp::all_reduce : CollectiveOp::reduce_scatter;
    const auto add = [&](GroupKind group, double numbers) {
        if (!(numbers > 0)) return;
        messages.gradients.push_back(
            data_message("data.gradients", reduce, group, numbers * size_of(t.gradients), t.gradients));
        if (t.sharding == 0) return;
        const Dtype weights = stored(s.precision);
        messages.weights.push_back(
            data_message("data.weights", CollectiveOp::all_gather, group, numbers * size_of(weights), weights));
    };
    if (data_ranks(s.layout, replicas) > 1) add(GroupKind::data, held.dense);
    if (expert_data_ranks(replicas) > 1) add(GroupKind::expert_data, held.experts);
    return messages;
}

Operation optimiser_operation(const Scenario& s, const HeldWeights& held, std::int64_t replicas) {
    const Training& t = s.workload.training;
    const double dense = t.sharding > 0 ? held.dense / data_ranks(s.layout, replicas) : held.dense;
    const double experts = t.sharding > 0 ? held.experts / expert_data_ranks(replicas) : held.experts;
    Operation op = plain("optimiser", std::string(to_string(t.optimiser)), OpKind::elementwise, t.master);
    const double each = size_of(t.gradients).si() + 2 * states(t.optimiser) * size_of(t.master).si() +
                        size_of(stored(s.precision)).si();
    op.activation_bytes = Bytes((dense + experts) * each);
    op.formula = fmt::format("{} numbers x {} B read and written", shortest(dense + experts), shortest(each));
    op.kernels = 1;
    return op;
}

}  // namespace crosspoint
