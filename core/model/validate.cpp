#include <string>

#include <fmt/format.h>

#include "core/model/model.hpp"

namespace crosspoint {
namespace {

// Largest sizes that are taken for a model and not for a slip; far above any published one.
constexpr std::int64_t largest_size = std::int64_t{1} << 30;
constexpr std::size_t largest_layer_count = 16384;
constexpr std::int64_t largest_total = 1'000'000'000'000'000'000;

/// Collects the first thing that is wrong with one layer kind.
class KindCheck {
public:
    KindCheck(const ModelShape& model, std::size_t kind) : model_(model), kind_(kind) {}

    Result<void> run() {
        const LayerShape& layer = model_.kinds[kind_];
        attention(layer.attention);
        feed_forward(layer.feed_forward);
        count("norms", layer.norms, 0);
        return result_;
    }

private:
    void count(std::string_view field, std::int64_t value, std::int64_t least) {
        if (value >= least && value <= largest_size) return;
        wrong(fmt::format("{} is {}, expected {} to {}", field, value, least, largest_size), "Correct the shape.");
    }
    void wrong(std::string text, std::string hint) {
        if (result_)
            result_ = fail(ErrorCode::invalid_value, fmt::format("Layer kind {} of {}: {}", kind_, model_.name, text),
                           std::move(hint));
    }
    void attention(const AttentionShape& a) {
        if (a.window) count("window", *a.window, 1);
        if (a.kind == AttentionKind::linear) return a.recurrent ? recurrent(*a.recurrent) : state(a);
        if (a.kind == AttentionKind::none) return;
        count("q_heads", a.q_heads, 1);
        count("gate_dim", a.gate_dim, 0);
        if (a.indexer) indexer(*a.indexer);
        if (a.kind == AttentionKind::latent) return latent(a);
        grouped(a);
    }
    void state(const AttentionShape& a) { count("state_bytes", a.state_bytes, 0); }
    void indexer(const IndexerShape& i) {
        count("indexer heads", i.heads, 1);
        count("indexer head_dim", i.head_dim, 1);
        count("indexer top_k", i.top_k, 1);
    }
    void recurrent(const RecurrentShape& r) {
        count("key_heads", r.key_heads, 1);
        count("value_heads", r.value_heads, 1);
        count("key_dim", r.key_dim, 1);
        count("value_dim", r.value_dim, 1);
        count("convolution", r.convolution, 0);
        count("rank", r.rank, 0);
        count("chunk", r.chunk, 1);
        if (result_ && r.value_heads % r.key_heads != 0)
            wrong(fmt::format("key_heads {} does not divide value_heads {}", r.key_heads, r.value_heads),
                  "Every key head serves the same number of value heads.");
    }
    void grouped(const AttentionShape& a) {
        count("kv_heads", a.kv_heads, 1);
        count("head_dim", a.head_dim, 1);
        count("value_dim", a.value_dim, 0);
        count("q_rank", a.q_rank, 0);
        count("o_rank", a.o_rank, 0);
        count("o_groups", a.o_groups, 1);
        if (a.compression) count("compression ratio", a.compression->ratio, 1);
        if (result_ && a.q_heads % a.kv_heads != 0)
            wrong(fmt::format("kv_heads {} does not divide q_heads {}", a.kv_heads, a.q_heads),
                  "Every KV head serves the same number of query heads.");
    }
    void latent(const AttentionShape& a) {
        if (!a.latent)
            return wrong("latent attention without its ranks", "State kv_rank, rope_dim, nope_dim and value_dim.");
        count("q_rank", a.latent->q_rank, 0);
        count("kv_rank", a.latent->kv_rank, 1);
        count("rope_dim", a.latent->rope_dim, 0);
        count("nope_dim", a.latent->nope_dim, 1);
        count("value_dim", a.latent->value_dim, 1);
    }
    void feed_forward(const FeedForwardShape& f) {
        count("width", f.width, 0);
        if (f.experts) experts(*f.experts);
    }
    void experts(const ExpertShape& e) {
        count("experts", e.experts, 1);
        count("top_k", e.top_k, 1);
        count("expert width", e.width, 1);
        count("shared_width", e.shared_width, 0);
        count("groups", e.groups, 1);
        count("group_limit", e.group_limit, 1);
        count("latent", e.latent, 0);
        if (!result_) return;
        if (e.top_k > e.experts)
            wrong(fmt::format("top_k {} is more than its {} experts", e.top_k, e.experts),
                  "A token cannot use an expert twice.");
        else if (e.groups > e.experts || e.group_limit > e.groups)
            wrong(fmt::format("group_limit {} of {} groups of {} experts", e.group_limit, e.groups, e.experts),
                  "Expected group_limit <= groups <= experts.");
    }

    const ModelShape& model_;
    std::size_t kind_;
    Result<void> result_;
};

Result<void> check_size(std::string_view field, std::int64_t value, std::int64_t least, const ModelShape& model) {
    if (value >= least && value <= largest_size) return {};
    return fail(ErrorCode::invalid_value,
                fmt::format("{}: {} is {}, expected {} to {}", model.name, field, value, least, largest_size),
                "Correct the shape.");
}

Result<void> check_layers(const ModelShape& model) {
    if (model.layers.empty() || model.layers.size() > largest_layer_count)
        return fail(
            ErrorCode::invalid_value,
            fmt::format("{} has {} layers, expected 1 to {}", model.name, model.layers.size(), largest_layer_count),
            "Give each layer its kind.");
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (model.layers[i] < 0 || static_cast<std::size_t>(model.layers[i]) >= model.kinds.size())
            return fail(ErrorCode::invalid_value,
                        fmt::format("Layer {} of {} is of kind {}, but {} kinds are defined", i, model.name,
                                    model.layers[i], model.kinds.size()),
                        "Kinds are counted from 0.");
    return {};
}

}  // namespace

Result<void> validate(const ModelShape& model) {
    if (auto ok = check_size("hidden", model.hidden, 1, model); !ok) return ok;
    if (auto ok = check_size("vocabulary", model.vocabulary, 0, model); !ok) return ok;
    if (auto ok = check_size("learned_positions", model.learned_positions, 0, model); !ok) return ok;
    if (auto ok = check_size("per_layer_input", model.per_layer_input, 0, model); !ok) return ok;
    if (auto ok = check_size("residual_streams", model.residual_streams, 1, model); !ok) return ok;
    if (auto ok = check_size("final_norms", model.final_norms, 0, model); !ok) return ok;
    if (model.max_context < 0 || model.next_token_modules < 0)
        return fail(ErrorCode::invalid_value,
                    fmt::format("{}: max_context {} and next_token_modules {} cannot be negative", model.name,
                                model.max_context, model.next_token_modules),
                    "0 means not stated, or none.");
    if (auto ok = check_layers(model); !ok) return ok;
    for (std::size_t i = 0; i < model.kinds.size(); ++i)
        if (auto ok = KindCheck(model, i).run(); !ok) return ok;
    if (const std::int64_t total = count_parameters(model).total; total > largest_total)
        return fail(ErrorCode::invalid_value,
                    fmt::format("{} would have {} parameters, more than 1e18", model.name, total),
                    "One of the sizes is a slip.");
    return {};
}

}  // namespace crosspoint
