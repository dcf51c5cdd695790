#include "core/workload/operation_list.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace crosspoint {
namespace {

std::string_view short_name(CollectiveOp op) { return to_string(op); }

Bytes of_group(double tokens, double hidden, Dtype d) { return tokens * hidden * size_of(d); }

}  // namespace

double Shard::tensor() const { return static_cast<double>(std::max<std::int64_t>(layout.tensor, 1)); }

double Shard::norm_tokens() const { return layout.sequence_parallel ? tokens() / tensor() : tokens(); }

Dtype wider(Dtype a, Dtype b) { return size_of(a) < size_of(b) ? b : a; }

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::vector<int> OperationList::after_last() const {
    return operations_.empty() ? std::vector<int>{} : std::vector<int>{last()};
}

int OperationList::add(Operation op, std::vector<int> after) {
    op.after = after.empty() ? after_last() : std::move(after);
    operations_.push_back(std::move(op));
    return last();
}

int OperationList::product(std::string id, std::string label, const Product& p, std::vector<int> after) {
    Operation op;
    op.id = std::move(id);
    op.label = std::move(label);
    op.kind = OpKind::product;
    op.flops = Flops(2 * p.rows * p.inner * p.columns * p.repeat);
    op.weight_bytes = weights(p.inner * p.columns * p.repeat + p.extra_weights);
    op.activation_bytes = activations(p.rows * (p.inner + p.columns) * p.repeat);
    op.rows = p.rows;
    op.dtype = wider(shard_.precision.weights, shard_.precision.activations);
    op.formula = fmt::format("2 x {} x {} x {}", number(p.rows), number(p.inner), number(p.columns));
    if (p.repeat != 1) op.formula += fmt::format(" x {} heads", number(p.repeat));
    return add(std::move(op), std::move(after));
}

int OperationList::elementwise(std::string id, std::string label, double numbers, double weight_numbers,
                               std::string formula, std::vector<int> after) {
    Operation op;
    op.id = std::move(id);
    op.label = std::move(label);
    op.kind = OpKind::elementwise;
    op.weight_bytes = weights(weight_numbers);
    op.activation_bytes = activations(numbers);
    op.rows = shard_.tokens();
    op.dtype = shard_.precision.activations;
    op.formula = std::move(formula);
    return add(std::move(op), std::move(after));
}

void OperationList::collective(std::string id, CollectiveOp kind, GroupKind group, double tokens) {
    const std::int64_t ranks = group == GroupKind::tensor ? shard_.layout.tensor : shard_.layout.expert_tensor;
    if (ranks <= 1) return;
    Operation op;
    op.id = std::move(id);
    op.label = short_name(kind);
    op.kind = OpKind::communication;
    op.dtype = shard_.precision.activations;
    op.communication = Communication{kind, group, of_group(tokens, shard_.hidden(), op.dtype)};
    op.formula =
        fmt::format("{} tokens x {} x {} B", number(tokens), number(shard_.hidden()), number(size_of(op.dtype).si()));
    add(std::move(op));
}

void OperationList::norm(std::string id, double tokens) {
    const double h = shard_.hidden();
    elementwise(std::move(id), "norm", 4 * tokens * h, h,
                fmt::format("residual and norm: 4 x {} x {} numbers", number(tokens), number(h)));
}

void OperationList::reduce_over_tensor(std::string id) {
    const CollectiveOp op = shard_.layout.sequence_parallel ? CollectiveOp::reduce_scatter : CollectiveOp::all_reduce;
    collective(std::move(id), op, GroupKind::tensor, shard_.tokens());
}

void OperationList::gather_over_tensor(std::string id) {
    if (shard_.layout.sequence_parallel)
        collective(std::move(id), CollectiveOp::all_gather, GroupKind::tensor, shard_.tokens());
}

}  // namespace crosspoint
