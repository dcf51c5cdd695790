#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/io/hf_config.hpp"
#include "core/model/layer_label.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {
namespace {

struct Options {
    std::string file, cache = "bf16";
    std::int64_t context = 0;
};

struct Answer {
    ImportedModel imported;
    ParameterCount count;
    Bytes kv, growing;
    Dtype cache;
    std::int64_t context;  ///< of the cache parts: asked for, else the model's own, else 4096
};

Result<Answer> read(const Options& o) {
    const auto format = dtype("--cache-dtype", o.cache);
    if (!format) return tl::unexpected(format.error());
    const auto text = read_file(o.file);
    if (!text) return tl::unexpected(text.error());
    auto imported = import_hf_config(*text, o.file);
    if (!imported) return tl::unexpected(imported.error());
    const auto& model = imported->model;
    const std::int64_t context = o.context > 0 ? o.context : model.max_context > 0 ? model.max_context : 4096;
    return Answer{*imported,
                  count_parameters(model),
                  kv_bytes_per_token(model, *format),
                  growing_kv_bytes_per_token(model, *format),
                  *format,
                  context};
}

constexpr std::string_view convention = "used by one token, input and output tables included (a tied table once)";

std::int64_t without_input_table(const Answer& a) {
    return a.count.active - (a.imported.model.tied_embeddings ? 0 : a.count.embedding);
}
std::int64_t without_tables(const Answer& a) { return a.count.active - a.count.embedding - a.count.head; }

/// The first expert layer; null in a dense model.
const ExpertShape* experts_of(const ModelShape& m) {
    for (const auto& kind : m.kinds)
        if (kind.feed_forward.experts) return &*kind.feed_forward.experts;
    return nullptr;
}

/// The cache of one sequence, part by part.
nlohmann::ordered_json cache_json(const Answer& a) {
    const CacheBytes c = cache_bytes(a.imported.model, a.context, a.cache);
    return {{"context_tokens", a.context},       {"dtype", to_string(a.cache)},       {"full_bytes", c.full.si()},
            {"windowed_bytes", c.windowed.si()}, {"constant_bytes", c.constant.si()}, {"index_bytes", c.index.si()},
            {"total_bytes", c.total().si()}};
}

nlohmann::ordered_json kinds_json(const ModelShape& m) {
    auto kinds = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < m.kinds.size(); ++i)
        kinds.push_back({{"label", layer_label(m.kinds[i])},
                         {"layers", std::count(m.layers.begin(), m.layers.end(), static_cast<int>(i))},
                         {"parameters", count_parameters(m, m.kinds[i]).total},
                         {"kv_bytes_per_token_bf16", kv_bytes_per_token(m.kinds[i], Dtype::bf16).si()},
                         {"state_bytes", state_bytes(m.kinds[i].attention).si()}});
    return kinds;
}

std::string as_json(const Answer& a) {
    const ModelShape& m = a.imported.model;
    nlohmann::ordered_json j{{"name", m.name},
                             {"family", m.family},
                             {"format", a.imported.format},
                             {"parameters_total", a.count.total},
                             {"parameters_active", a.count.active},
                             {"active_convention", convention},
                             {"parameters_active_without_input_table", without_input_table(a)},
                             {"parameters_active_without_tables", without_tables(a)},
                             {"parameters_embedding", a.count.embedding},
                             {"parameters_head", a.count.head},
                             {"parameters_attention", a.count.attention},
                             {"parameters_dense_feed_forward", a.count.dense_feed_forward},
                             {"parameters_routed_experts", a.count.routed_experts},
                             {"parameters_shared_experts", a.count.shared_experts},
                             {"parameters_router", a.count.router},
                             {"parameters_norms", a.count.norms},
                             {"kv_bytes_per_token", a.kv.si()},
                             {"kv_bytes_per_token_growing", a.growing.si()},
                             {"cache", cache_json(a)},
                             {"layers", m.layers.size()},
                             {"hidden", m.hidden},
                             {"vocabulary", m.vocabulary},
                             {"tied_embeddings", m.tied_embeddings},
                             {"max_context_tokens", m.max_context},
                             {"next_token_modules", m.next_token_modules},
                             {"layer_kinds", kinds_json(m)},
                             {"stored_dtype", to_string(m.stored)}};
    if (const ExpertShape* e = experts_of(m)) {
        j["experts"] = e->experts;
        j["experts_per_token"] = e->top_k;
    }
    j["ignored"] = a.imported.ignored;
    j["assumed"] = a.imported.assumed;
    j["warnings"] = a.imported.warnings;
    return j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void add_lines(std::string& text, std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    text += fmt::format("{}:\n", title);
    for (const auto& line : lines) text += fmt::format("  - {}\n", line);
}

std::string cache_line(const Answer& a) {
    const CacheBytes c = cache_bytes(a.imported.model, a.context, a.cache);
    std::string text =
        fmt::format("                    {} at {} tokens: {} full", format(c.total(), 6), a.context, format(c.full, 6));
    if (c.windowed.si() > 0) text += fmt::format(", {} windowed", format(c.windowed, 6));
    if (c.constant.si() > 0) text += fmt::format(", {} constant", format(c.constant, 6));
    if (c.index.si() > 0) text += fmt::format(", {} indexer keys", format(c.index, 6));
    return text + "\n";
}

std::string as_text(const Answer& a, const Options& o) {
    const ModelShape& m = a.imported.model;
    std::string text = fmt::format("{} ({}), from a {}\n", m.name, m.family, a.imported.format);
    text += fmt::format("parameters          {} total, {} active ({})\n", format_count(double(a.count.total), 5),
                        format_count(double(a.count.active), 5), convention);
    text += fmt::format("                    {} active without the input table, {} without both\n",
                        format_count(double(without_input_table(a)), 5), format_count(double(without_tables(a)), 5));
    text += fmt::format("cache               {} a token in {}, {} of it in layers that grow\n", format(a.kv, 6),
                        o.cache, format(a.growing, 6));
    text += cache_line(a);
    text += fmt::format("shape               {} layers, hidden {}, vocabulary {}\n", m.layers.size(), m.hidden,
                        m.vocabulary);
    if (const ExpertShape* e = experts_of(m))
        text += fmt::format("experts             {}, {} a token\n", e->experts, e->top_k);
    for (std::size_t i = 0; i < m.kinds.size(); ++i)
        text += fmt::format("{}{} x {}\n", i == 0 ? "layers              " : "                    ",
                            std::count(m.layers.begin(), m.layers.end(), static_cast<int>(i)), layer_label(m.kinds[i]));
    add_lines(text, "Assumed", a.imported.assumed);
    add_lines(text, "Warnings", a.imported.warnings);
    if (!a.imported.ignored.empty()) text += fmt::format("Ignored: {}\n", fmt::join(a.imported.ignored, ", "));
    return text;
}

}  // namespace

Command add_model(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("model", "parameters and cache of a model configuration");
    c->add_option("config", o->file, "config.json, or a DeepSeek, Calculon, SimuMax, llm-analysis or Megatron file")
        ->required();
    c->add_option("--context", o->context, "tokens of the sequence whose cache is shown; 0 = the model's longest");
    c->add_option("--cache-dtype", o->cache, "number format of the cache")->capture_default_str();
    return {c, [o](bool json) -> Result<Output> {
                const auto a = read(*o);
                if (!a) return tl::unexpected(a.error());
                return Output{json ? as_json(*a) : as_text(*a, *o), success};
            }};
}

}  // namespace crosspoint::cli
