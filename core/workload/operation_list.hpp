// Collects the operations of a layer for one shard (private to core/workload).
//
// Conventions: activations count once read and once written per operation in the activation dtype; a product
// reads its weights once; an operation waits for the one before it unless told otherwise.
#pragma once

#include <string>
#include <vector>

#include "core/workload/operations.hpp"

namespace crosspoint {

/// What an operation of a layer is computed from.
struct Shard {
    const ModelShape& model;
    const Parallelism& layout;
    const Precision& precision;
    const StepShape& step;

    [[nodiscard]] double tokens() const { return step.tokens(); }
    [[nodiscard]] double hidden() const { return static_cast<double>(model.hidden); }
    [[nodiscard]] double tensor() const;
    /// Tokens of this rank where the tensor ranks hold one share each between products (sequence parallel).
    [[nodiscard]] double norm_tokens() const;
};

/// (rows x inner) times (inner x columns), `repeat` times side by side (heads, experts).
struct Product {
    double rows = 0, inner = 0, columns = 0;
    double repeat = 1;
    double extra_weights = 0;  ///< biases and norm vectors, in numbers
};

/// The wider of the two; the first where they are equally wide.
Dtype wider(Dtype a, Dtype b);
/// A number for a formula: at most 6 digits, locale-independent.
std::string number(double value);

class OperationList {
public:
    explicit OperationList(const Shard& shard) : shard_(shard) {}

    /// Appends after the last operation, or after `after` when given.
    int add(Operation op, std::vector<int> after = {});
    int product(std::string id, std::string label, const Product& product, std::vector<int> after = {});
    /// Reads and writes `numbers` activations in all, and reads `weights` numbers.
    int elementwise(std::string id, std::string label, double numbers, double weights, std::string formula,
                    std::vector<int> after = {});
    /// A collective of `tokens` x hidden activations; nothing when its group has one rank.
    void collective(std::string id, CollectiveOp op, GroupKind group, double tokens);
    /// Residual addition and norm of `tokens`: reads and writes both streams.
    void norm(std::string id, double tokens);
    /// After the product that sums over tensor ranks: all-reduce, or reduce-scatter with sequence parallel.
    void reduce_over_tensor(std::string id);
    /// Before a product whose input is spread over tensor ranks: the all-gather of sequence parallel.
    void gather_over_tensor(std::string id);

    [[nodiscard]] Operation& at(int index) { return operations_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int last() const { return static_cast<int>(operations_.size()) - 1; }
    [[nodiscard]] std::vector<int> after_last() const;
    [[nodiscard]] Bytes activations(double numbers) const { return numbers * size_of(shard_.precision.activations); }
    [[nodiscard]] Bytes weights(double numbers) const { return numbers * size_of(shard_.precision.weights); }
    std::vector<Operation> take() { return std::move(operations_); }

private:
    const Shard& shard_;
    std::vector<Operation> operations_;
};

/// Attention and feed-forward halves of a layer, appended to the list.
void attention_operations(OperationList& list, const Shard& shard, const AttentionShape& attention);
/// Between the norm and the tensor reduction of a linear or state-space layer.
void recurrent_operations(OperationList& list, const Shard& shard, const AttentionShape& attention);
/// One hidden x hidden product in place of a feed-forward part.
void linear_feed_forward_operations(OperationList& list, const Shard& shard);
void dense_feed_forward_operations(OperationList& list, const Shard& shard, const FeedForwardShape& feed_forward,
                                   bool own_norm);
void expert_operations(OperationList& list, const Shard& shard, const FeedForwardShape& feed_forward, double expert_cv);

}  // namespace crosspoint
