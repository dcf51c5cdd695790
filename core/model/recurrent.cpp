// Parameters of linear-attention and state-space layers.
// Sources: Qwen3-Next and Qwen3.5 (gated delta net), Kimi Linear, MiniMax-01, Jamba and Nemotron-H modelling files as
// published with the models and in Hugging Face Transformers 4.57.
#include "core/model/parameters.hpp"

namespace crosspoint::parameters {
namespace {

/// Keys and values of all heads, in numbers.
struct Sizes {
    std::int64_t keys, values;
};
Sizes sizes(const RecurrentShape& r) {
    return {product({r.key_heads, r.key_dim}), product({r.value_heads, r.value_dim})};
}

std::int64_t convolution(const RecurrentShape& r) {
    const std::int64_t channels = convolved_channels(r);
    return sum({product({channels, r.convolution}), r.convolution_bias ? channels : 0});
}

/// Q, K, V and output gate; two numbers a head steer decay and update.
std::int64_t delta(std::int64_t hidden, const RecurrentShape& r) {
    const Sizes s = sizes(r);
    return sum({product({hidden, sum({product({2, s.keys}), product({2, s.values}), product({2, r.value_heads})})}),
                product({2, r.value_heads}), r.value_dim});
}

/// Decay and output gate go through `rank`.
std::int64_t channel_delta(std::int64_t hidden, const RecurrentShape& r) {
    const Sizes s = sizes(r);
    const std::int64_t inputs = sum({product({2, s.keys}), s.values, r.value_heads, product({2, r.rank})});
    return sum(
        {product({hidden, inputs}), product({r.rank, sum({s.keys, s.values})}), s.keys, r.value_heads, r.value_dim});
}

std::int64_t lightning(std::int64_t hidden, const RecurrentShape& r) {
    const Sizes s = sizes(r);
    return sum({product({hidden, sum({product({2, s.keys}), product({2, s.values})})}), s.values});
}

/// Input and gate; time step, B and C from the convolved input; A, D and the step's offset a channel.
std::int64_t mamba1(std::int64_t hidden, const RecurrentShape& r) {
    const std::int64_t channels = sizes(r).values;
    const std::int64_t steered = sum({r.rank, product({2, r.key_dim})});
    return sum({product({2, hidden, channels}), product({channels, steered}), product({r.rank, channels}), channels,
                product({channels, r.key_dim}), channels, r.inner_norms ? steered : 0});
}

/// Gate, input, B, C and time step in one product; A, D and the step's offset a head; a norm over the channels.
std::int64_t mamba2(std::int64_t hidden, const RecurrentShape& r) {
    const Sizes s = sizes(r);
    return sum({product({hidden, sum({product({2, s.values}), product({2, s.keys}), r.value_heads})}),
                product({3, r.value_heads}), s.values});
}

std::int64_t inner(std::int64_t hidden, const RecurrentShape& r) {
    switch (r.form) {
        case RecurrentForm::delta: return delta(hidden, r);
        case RecurrentForm::channel_delta: return channel_delta(hidden, r);
        case RecurrentForm::lightning: return lightning(hidden, r);
        case RecurrentForm::mamba1: return mamba1(hidden, r);
        case RecurrentForm::mamba2: return mamba2(hidden, r);
    }
    return 0;
}

}  // namespace

std::int64_t convolved_channels(const RecurrentShape& r) {
    const Sizes s = sizes(r);
    if (r.form == RecurrentForm::mamba1) return s.values;
    return sum({product({2, s.keys}), s.values});
}

std::int64_t recurrent(std::int64_t hidden, const RecurrentShape& r) {
    return sum({inner(hidden, r), convolution(r), product({sizes(r).values, hidden})});
}

}  // namespace crosspoint::parameters
