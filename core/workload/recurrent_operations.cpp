// Linear-attention and state-space layers: a state of constant size that every token reads and updates.
#include <algorithm>

#include <fmt/format.h>

#include "core/workload/operation_list.hpp"

namespace crosspoint {
namespace {

/// Sizes on one tensor rank; key heads are split by at most their number.
struct Recurrent {
    double key_heads, value_heads, key_dim, value_dim, rank;
    [[nodiscard]] double keys() const { return key_heads * key_dim; }
    [[nodiscard]] double values() const { return value_heads * value_dim; }
    [[nodiscard]] double state() const { return value_heads * key_dim * value_dim; }
};

Recurrent sizes(const Shard& shard, const RecurrentShape& r) {
    const double key_heads = static_cast<double>(std::max<std::int64_t>(r.key_heads, 1));
    return {key_heads / std::min(shard.tensor(), key_heads), static_cast<double>(r.value_heads) / shard.tensor(),
            static_cast<double>(r.key_dim), static_cast<double>(r.value_dim), static_cast<double>(r.rank)};
}

/// Columns of the product into the layer: queries, keys, values, gates and steps, as the form has them.
double input_columns(const Recurrent& s, RecurrentForm form) {
    switch (form) {
        case RecurrentForm::delta: return 2 * s.keys() + 2 * s.values() + 2 * s.value_heads;
        case RecurrentForm::channel_delta: return 2 * s.keys() + s.values() + s.value_heads + 2 * s.rank;
        case RecurrentForm::lightning: return 2 * s.keys() + 2 * s.values();
        case RecurrentForm::mamba1: return 2 * s.values();
        case RecurrentForm::mamba2: return 2 * s.keys() + 2 * s.values() + s.value_heads;
    }
    return 0;
}

/// Products that make steps and gates out of what the first product gave.
void steering(OperationList& list, const Shard& shard, const Recurrent& s, RecurrentForm form) {
    if (form == RecurrentForm::mamba1) {
        list.product("attention.steer", "step, B, C", {shard.tokens(), s.values(), s.rank + 2 * s.key_dim});
        list.product("attention.step", "step", {shard.tokens(), s.rank, s.values()});
    } else if (form == RecurrentForm::channel_delta) {
        list.product("attention.gates", "gates", {shard.tokens(), s.rank, s.keys() + s.values()});
    }
}

void convolution(OperationList& list, const Shard& shard, const RecurrentShape& r, const Recurrent& s) {
    if (r.convolution <= 1) return;
    const double channels = s.values() + (r.form == RecurrentForm::mamba1 ? 0 : 2 * s.keys());
    const double taps = static_cast<double>(r.convolution);
    const int at = list.elementwise("attention.convolution", "conv", 2 * shard.tokens() * channels, channels * taps,
                                    fmt::format("read and write {} x {} channels; {} taps kept a sequence",
                                                number(shard.tokens()), number(channels), number(taps - 1)));
    list.at(at).cache_bytes = 2 * shard.step.sequences * channels * (taps - 1) * size_of(Dtype::bf16);
}

bool is_delta(RecurrentForm form) { return form == RecurrentForm::delta || form == RecurrentForm::channel_delta; }

/// One token after the other, for each number of the state: decay 1, update 2, read by the query 2, and the delta
/// rule's read by the key 2.
double flops_by_token(const Recurrent& s, RecurrentForm form) { return s.state() * (is_delta(form) ? 7 : 5); }

/// In blocks of `chunk` tokens, for each token: scores with the block's keys and their values under the causal mask,
/// and the state read and updated; the delta rule also solves a triangular system of the block and corrects its
/// values. Sources: Dao, Gu, Mamba-2 (arXiv 2405.21060), section 6; Yang et al., Gated delta networks
/// (arXiv 2412.06464), section 3.
double flops_by_block(const Recurrent& s, RecurrentForm form, double chunk) {
    const double scoring_heads = form == RecurrentForm::mamba2 ? s.key_heads : s.value_heads;
    double flops = chunk * (scoring_heads * s.key_dim + s.values()) + 4 * s.state();
    if (is_delta(form))
        flops += s.value_heads * (chunk * (2 * s.key_dim + s.value_dim) + chunk * chunk / 3) + 2 * s.state();
    return flops;
}

void state(OperationList& list, const Shard& shard, const RecurrentShape& r, const Recurrent& s) {
    const double chunk = std::min(static_cast<double>(r.chunk), std::max(shard.step.new_tokens, 1.0));
    const bool blocks = shard.step.causal && r.form != RecurrentForm::mamba1;
    const double a_token = blocks ? flops_by_block(s, r.form, chunk) : flops_by_token(s, r.form);
    Operation op;
    op.id = "attention.core";
    op.label = "state";
    op.kind = OpKind::attention;
    op.flops = Flops(shard.tokens() * a_token);
    op.cache_bytes = 2 * shard.step.sequences * s.state() * size_of(r.state);
    op.activation_bytes = list.activations(shard.tokens() * (2 * s.keys() + 2 * s.values()));
    op.rows = blocks ? chunk : 1;
    op.dtype = shard.precision.activations;
    op.formula =
        fmt::format("{} x {} FLOP; state of {} x {} B read and written for {} sequences", number(shard.tokens()),
                    number(a_token), number(s.state()), number(size_of(r.state).si()), number(shard.step.sequences));
    list.add(std::move(op));
}

/// Only the size of the state is known.
void bare_state(OperationList& list, const Shard& shard, const AttentionShape& a) {
    const double bytes = static_cast<double>(a.state_bytes) / shard.tensor();
    Operation op;
    op.id = "attention.core";
    op.label = "state";
    op.kind = OpKind::attention;
    op.cache_bytes = Bytes(2 * shard.step.sequences * bytes);
    op.rows = shard.step.new_tokens;
    op.dtype = wider(shard.precision.cache, shard.precision.activations);
    op.formula = fmt::format("2 x {} sequences x {} B", number(shard.step.sequences), number(bytes));
    list.add(std::move(op));
}

}  // namespace

void recurrent_operations(OperationList& list, const Shard& shard, const AttentionShape& a) {
    if (!a.recurrent) return bare_state(list, shard, a);
    const RecurrentShape& r = *a.recurrent;
    const Recurrent s = sizes(shard, r);
    list.product("attention.in", "in", {shard.tokens(), shard.hidden(), input_columns(s, r.form)});
    convolution(list, shard, r, s);
    steering(list, shard, s, r.form);
    state(list, shard, r, s);
    list.elementwise("attention.gate", "gate, norm", 3 * shard.tokens() * s.values(), s.value_dim,
                     fmt::format("3 x {} x {} numbers", number(shard.tokens()), number(s.values())));
    list.product("attention.out", "output", {shard.tokens(), s.values(), shard.hidden()});
}

}  // namespace crosspoint
