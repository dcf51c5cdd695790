// Expert layers. The tokens of an attention rank are on all of its tensor ranks after attention, hence two forms:
//   expert_tensor = tensor   the tensor ranks of an attention rank share every expert: each sends all T tokens to
//                            the expert group, and partial sums are added over tensor at the end;
//   otherwise                each tensor rank sends its T / tensor tokens; expert_tensor ranks first exchange their
//                            tokens (all-gather) and at the end their sums (reduce-scatter), and the tensor ranks
//                            join the results (all-reduce with the shared experts' sums, else all-gather).
// Shared experts are split over tensor and run while the dispatch is under way.
#include <algorithm>

#include <fmt/format.h>

#include "core/model/experts.hpp"
#include "core/workload/operation_list.hpp"

namespace crosspoint {
namespace {

double at_least_one(std::int64_t n) { return static_cast<double>(std::max<std::int64_t>(n, 1)); }

class ExpertLayer {
public:
    ExpertLayer(OperationList& list, const Shard& shard, const FeedForwardShape& f, double cv)
        : list_(list),
          shard_(shard),
          f_(f),
          e_(*f.experts),
          cv_(cv),
          ranks_(at_least_one(shard.layout.expert)),
          expert_tensor_(at_least_one(shard.layout.expert_tensor)),
          replicated_(shard.layout.expert_tensor == shard.layout.tensor) {
        own_ = replicated_ ? shard.tokens() : shard.tokens() / shard.tensor();
        sent_ = replicated_ ? own_ : own_ * expert_tensor_;
    }

    void run() {
        list_.norm("experts.norm", shard_.norm_tokens());
        if (replicated_ || shared()) list_.gather_over_tensor("experts.sequence_gather");
        router();
        const int routed_input = list_.last();
        if (e_.latent > 0) list_.product("experts.latent_in", "to latent", {own_, shard_.hidden(), inner()});
        if (!replicated_) list_.collective("experts.gather", CollectiveOp::all_gather, GroupKind::expert_tensor, sent_);
        exchange("experts.dispatch", CollectiveOp::expert_dispatch, shard_.precision.dispatch, list_.last());
        const int arrived = list_.last();
        const int shared_done = shared() ? shared_experts(routed_input) : -1;
        routed(arrived);
        exchange("experts.combine", CollectiveOp::expert_combine, shard_.precision.combine, list_.last());
        if (!replicated_)
            list_.collective("experts.scatter", CollectiveOp::reduce_scatter, GroupKind::expert_tensor, sent_);
        if (e_.latent > 0) list_.product("experts.latent_out", "from latent", {own_, inner(), shard_.hidden()});
        join(shared_done);
    }

private:
    /// What routed experts and their messages are wide.
    [[nodiscard]] double inner() const { return e_.latent > 0 ? static_cast<double>(e_.latent) : shard_.hidden(); }
    [[nodiscard]] bool shared() const { return e_.shared_width > 0; }
    [[nodiscard]] double top_k() const { return static_cast<double>(std::min(e_.top_k, e_.experts)); }
    [[nodiscard]] double matrices() const { return f_.gated ? 3 : 2; }

    void router() {
        const double experts = static_cast<double>(e_.experts);
        const int at = list_.product("experts.router", "router",
                                     {own_, shard_.hidden(), experts, 1, e_.router_bias ? experts : 0});
        list_.at(at).kernels = 2;  // the product and the choice of the top k
    }

    void exchange(std::string id, CollectiveOp kind, Dtype d, int after) {
        if (ranks_ <= 1) return;
        const Bytes token = inner() * size_of(d);
        Operation op;
        op.id = std::move(id);
        op.label = fmt::format("{} {}", kind == CollectiveOp::expert_dispatch ? "dispatch" : "combine", to_string(d));
        op.kind = OpKind::communication;
        op.dtype = d;
        op.communication = Communication{kind, GroupKind::expert, token * (sent_ * top_k()), sent_, top_k(), token};
        op.formula = fmt::format("{} tokens x {} experts x {} x {} B", number(sent_), number(top_k()), number(inner()),
                                 number(size_of(d).si()));
        list_.add(std::move(op), {after});
    }

    /// Waits for the norm's output only, so that it can run beside the dispatch.
    int shared_experts(int after) {
        const double width = static_cast<double>(e_.shared_width) / shard_.tensor();
        const double h = shard_.hidden(), tokens = shard_.tokens();
        Operation op;
        op.id = "experts.shared";
        op.label = "shared";
        op.kind = OpKind::product;
        op.flops = Flops(2 * matrices() * tokens * h * width);
        op.weight_bytes = list_.weights(matrices() * h * width + (e_.shared_gate ? h : 0));
        op.activation_bytes = list_.activations(tokens * (2 * h + 2 * matrices() * width));
        op.rows = tokens;
        op.dtype = wider(shard_.precision.weights, shard_.precision.activations);
        op.kernels = 3;  // in, activation, out
        op.formula = fmt::format("2 x {} x {} x {} x {}", number(matrices()), number(tokens), number(h), number(width));
        return list_.add(std::move(op), {after});
    }

    void routed(int after) {
        const double local = static_cast<double>(e_.experts) / ranks_;
        const double width = static_cast<double>(e_.width) / expert_tensor_;
        const double assignments = sent_ * top_k();  // of the mean rank: every rank sends and receives as many
        const double read = distinct_experts(local, static_cast<double>(e_.experts), top_k(), sent_ * ranks_);
        const double biases = e_.expert_bias ? (matrices() - 1) * width + inner() : 0;
        Operation op;
        op.id = "experts.routed";
        op.label = "experts";
        op.kind = OpKind::experts;
        op.flops = Flops(2 * matrices() * assignments * inner() * width);
        op.weight_bytes = read * (matrices() * inner() * width + biases) * size_of(shard_.precision.experts);
        op.activation_bytes = list_.activations(assignments * (2 * inner() + 2 * matrices() * width));
        op.rows = read > 0 ? assignments / read : 0;
        op.imbalance = imbalance(assignments, ranks_, cv_);
        op.dtype = wider(shard_.precision.experts, shard_.precision.activations);
        op.kernels = 3;  // in, activation, out, each grouped over experts
        op.formula = fmt::format("2 x {} x {} assignments x {} x {}; {} of {} experts read; hottest rank x {}",
                                 number(matrices()), number(assignments), number(inner()), number(width), number(read),
                                 number(local), number(op.imbalance));
        list_.add(std::move(op), {after});
    }

    void join(int shared_done) {
        const int before = list_.last();
        if (replicated_ || shared()) list_.reduce_over_tensor("experts.reduce");
        else if (!shard_.layout.sequence_parallel)
            list_.collective("experts.reduce", CollectiveOp::all_gather, GroupKind::tensor, shard_.tokens());
        if (shared_done >= 0 && list_.last() != before) list_.at(list_.last()).after.push_back(shared_done);
    }

    OperationList& list_;
    const Shard& shard_;
    const FeedForwardShape& f_;
    const ExpertShape& e_;
    double cv_, ranks_, expert_tensor_;
    bool replicated_;
    double own_ = 0;   ///< tokens that this rank routes
    double sent_ = 0;  ///< tokens that this rank sends to the expert group
};

}  // namespace

void expert_operations(OperationList& list, const Shard& shard, const FeedForwardShape& f, double expert_cv) {
    if (f.experts) ExpertLayer(list, shard, f, expert_cv).run();
}

}  // namespace crosspoint
