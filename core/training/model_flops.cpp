#include "core/training/model_flops.hpp"

#include <algorithm>
#include <cmath>

namespace crosspoint {
namespace {

/// Multiply-adds of a token's scores and sums over `seen` tokens.
double attention_pairs(const AttentionShape& a, double sequence) {
    const double seen = a.window ? std::min(sequence, 2 * double(*a.window)) : sequence;
    if (a.kind == AttentionKind::latent && a.latent)
        return double(a.q_heads) * double(a.latent->nope_dim + a.latent->rope_dim + a.latent->value_dim) * seen;
    if (a.kind != AttentionKind::grouped) return 0;
    return 2 * double(a.q_heads) * double(a.head_dim) * seen;
}

}  // namespace

ModelFlops model_flops(const ModelShape& model, std::int64_t sequence) {
    const ParameterCount count = count_parameters(model);
    const double table = double(model.vocabulary) * double(model.hidden);
    const double products = double(count.active) - (model.tied_embeddings ? 0 : table);
    ModelFlops flops;
    flops.weights = Flops(6 * products);
    double pairs = 0;
    for (const int kind : model.layers)
        pairs += attention_pairs(model.kinds[std::size_t(kind)].attention, double(std::max<std::int64_t>(sequence, 0)));
    flops.attention = Flops(6 * pairs);
    return flops;
}

Goodput goodput(const Training& t) {
    const double between = t.time_between_failures.si();
    if (!(between > 0)) return {};
    const double checkpoint = t.checkpoint_time.si();
    const double interval = std::sqrt(2 * checkpoint * between);
    const double written = interval > 0 ? checkpoint / interval : 0;
    const double lost = (interval / 2 + t.restart_time.si()) / between;
    return {std::clamp((1 - lost) / (1 + written), 0.0, 1.0), Seconds(interval)};
}

}  // namespace crosspoint
