#include "core/workload/layout_check.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace crosspoint::layout_check {
namespace {

constexpr std::int64_t largest_degree = 65536;

Result<void> wrong(std::string message, std::string hint) {
    return fail(ErrorCode::layout, std::move(message), std::move(hint));
}

Result<void> in_range(std::string_view name, std::int64_t value, std::int64_t least) {
    if (value >= least && value <= largest_degree) return {};
    return wrong(fmt::format("The {} degree is {}, expected {} to {}", name, value, least, largest_degree),
                 fmt::format("Set {} to {} or more.", name, least));
}

Result<void> divides(std::string_view degree, std::int64_t by, std::string_view quantity, std::int64_t value) {
    if (value % by == 0) return {};
    std::int64_t nearest = std::min(by, value);
    while (nearest > 1 && value % nearest != 0) --nearest;
    return wrong(fmt::format("{} {} does not divide the {} {}", degree, by, value, quantity),
                 fmt::format("The next smaller degree that does is {}.", std::max<std::int64_t>(nearest, 1)));
}

Result<void> tensor_of(std::int64_t tensor, const AttentionShape& a) {
    if (a.kind == AttentionKind::linear && a.recurrent && a.recurrent->value_heads % tensor != 0)
        return wrong(fmt::format("tensor {} does not divide the {} heads of the recurrent layers", tensor,
                                 a.recurrent->value_heads),
                     "Choose a divisor of that number.");
    if (a.kind != AttentionKind::grouped && a.kind != AttentionKind::latent) return {};
    if (auto ok = divides("tensor", tensor, "query heads", a.q_heads); !ok) return ok;
    if (a.kind == AttentionKind::latent || a.kv_heads % tensor == 0 || tensor % a.kv_heads == 0) return {};
    return wrong(fmt::format("tensor {} and the {} KV heads: neither divides the other", tensor, a.kv_heads),
                 "KV heads are split over, or copied to, equal numbers of tensor ranks.");
}

Result<void> tensor_of(std::int64_t tensor, const FeedForwardShape& f) {
    if (f.width > 0)
        if (auto ok = divides("tensor", tensor, "columns of the feed-forward layer", f.width); !ok) return ok;
    if (!f.experts || f.experts->shared_width <= 0) return {};
    return divides("tensor", tensor, "columns of the shared experts", f.experts->shared_width);
}

std::string context_factor(const Parallelism& p) {
    return p.context > 1 ? fmt::format(" x context {}", p.context) : std::string();
}

Result<void> same_product(const Parallelism& p) {
    const std::int64_t stage = p.stage_size(), experts = p.expert * p.expert_tensor;
    if (stage == experts) return {};
    const std::int64_t mend = stage % p.expert_tensor == 0 ? stage / p.expert_tensor : stage;
    return wrong(
        fmt::format("tensor {}{} x attention-data {} = {} ranks in a stage, but expert {} x expert-tensor {} = {}",
                    p.tensor, context_factor(p), p.attention_data, stage, p.expert, p.expert_tensor, experts),
        fmt::format("The same accelerators hold attention and experts: set expert to {}{}.", mend,
                    mend == stage && p.expert_tensor > 1 ? " and expert-tensor to 1" : ""));
}

Result<void> experts_of(const Parallelism& p, const ExpertShape& e) {
    if (auto ok = same_product(p); !ok) return ok;
    if (auto ok = divides("expert", p.expert, "routed experts", e.experts); !ok) return ok;
    if (auto ok = divides("expert-tensor", p.expert_tensor, "columns of an expert", e.width); !ok) return ok;
    if (p.tensor % p.expert_tensor == 0 || p.expert_tensor % p.tensor == 0) return {};
    return wrong(fmt::format("tensor {} and expert-tensor {}: neither divides the other", p.tensor, p.expert_tensor),
                 "Choose degrees that nest, such as equal ones.");
}

Result<void> without_experts(const Parallelism& p) {
    const bool fits =
        (p.expert == 1 || p.expert == p.attention_data) && (p.expert_tensor == 1 || p.expert_tensor == p.tensor);
    if (fits) return {};
    return wrong(fmt::format("expert {} x expert-tensor {} for a model without experts", p.expert, p.expert_tensor),
                 "Set both to 1.");
}

}  // namespace

Result<void> degrees(const Parallelism& p) {
    if (auto ok = in_range("tensor", p.tensor, 1); !ok) return ok;
    if (auto ok = in_range("pipeline", p.pipeline, 1); !ok) return ok;
    if (auto ok = in_range("context", p.context, 1); !ok) return ok;
    if (auto ok = in_range("attention-data", p.attention_data, 1); !ok) return ok;
    if (auto ok = in_range("expert", p.expert, 1); !ok) return ok;
    if (auto ok = in_range("expert-tensor", p.expert_tensor, 1); !ok) return ok;
    return in_range("replica", p.replicas, 0);
}

Result<void> pipeline(const Parallelism& p, const ModelShape& model) {
    const auto layers = static_cast<std::int64_t>(model.layers.size());
    if (p.pipeline <= layers) return {};
    return wrong(fmt::format("pipeline {} is more than the {} layers of {}", p.pipeline, layers, model.name),
                 fmt::format("A stage needs a layer: set pipeline to {} or fewer.", layers));
}

Result<void> tensor(const Parallelism& p, const ModelShape& model) {
    for (const LayerShape& layer : model.kinds) {
        if (auto ok = tensor_of(p.tensor, layer.attention); !ok) return ok;
        if (auto ok = tensor_of(p.tensor, layer.feed_forward); !ok) return ok;
    }
    return {};
}

Result<void> experts(const Parallelism& p, const ModelShape& model) {
    bool any = false;
    for (const LayerShape& layer : model.kinds) {
        if (!layer.feed_forward.experts) continue;
        any = true;
        if (auto ok = experts_of(p, *layer.feed_forward.experts); !ok) return ok;
    }
    return any ? Result<void>{} : without_experts(p);
}

Result<void> accelerators(const Parallelism& p, std::int64_t available) {
    const std::int64_t size = p.replica_size();
    const std::string product = fmt::format("tensor {}{} x attention-data {} x pipeline {} = {} accelerators a replica",
                                            p.tensor, context_factor(p), p.attention_data, p.pipeline, size);
    if (size > available)
        return wrong(fmt::format("{}, but {} are drawn", product, available),
                     "Lower a degree or draw more accelerators.");
    if (p.replicas > available / size)
        return wrong(fmt::format("{} replicas of {} need {} accelerators, but {} are drawn", p.replicas, product,
                                 p.replicas * size, available),
                     fmt::format("Set replicas to {} or fewer, or 0 for as many as fit.", available / size));
    return {};
}

}  // namespace crosspoint::layout_check
