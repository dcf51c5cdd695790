#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/io/hf_config.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {
namespace {

struct Options {
    std::string file, cache = "bf16";
};

struct Answer {
    ImportedModel imported;
    ParameterCount count;
    Bytes kv;
};

Result<Answer> read(const Options& o) {
    const auto format = dtype("--cache-dtype", o.cache);
    if (!format) return tl::unexpected(format.error());
    const auto text = read_file(o.file);
    if (!text) return tl::unexpected(text.error());
    auto imported = import_hf_config(*text, o.file);
    if (!imported) return tl::unexpected(imported.error());
    const auto& model = imported->model;
    return Answer{*imported, count_parameters(model), kv_bytes_per_token(model, *format)};
}

/// The first expert layer; null in a dense model.
const ExpertShape* experts_of(const ModelShape& m) {
    for (const auto& kind : m.kinds)
        if (kind.feed_forward.experts) return &*kind.feed_forward.experts;
    return nullptr;
}

std::string as_json(const Answer& a) {
    const ModelShape& m = a.imported.model;
    nlohmann::ordered_json j{{"name", m.name},
                             {"family", m.family},
                             {"parameters_total", a.count.total},
                             {"parameters_active", a.count.active},
                             {"parameters_embedding", a.count.embedding},
                             {"parameters_head", a.count.head},
                             {"parameters_attention", a.count.attention},
                             {"parameters_dense_feed_forward", a.count.dense_feed_forward},
                             {"parameters_routed_experts", a.count.routed_experts},
                             {"parameters_shared_experts", a.count.shared_experts},
                             {"parameters_router", a.count.router},
                             {"parameters_norms", a.count.norms},
                             {"kv_bytes_per_token", a.kv.si()},
                             {"layers", m.layers.size()},
                             {"hidden", m.hidden},
                             {"vocabulary", m.vocabulary},
                             {"tied_embeddings", m.tied_embeddings},
                             {"max_context_tokens", m.max_context},
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

std::string as_text(const Answer& a, const Options& o) {
    const ModelShape& m = a.imported.model;
    std::string text = fmt::format("{} ({})\n", m.name, m.family);
    text += fmt::format("parameters          {} total, {} active\n", format_count(double(a.count.total), 5),
                        format_count(double(a.count.active), 5));
    text += fmt::format("cache               {} a token in {}\n", format(a.kv, 6), o.cache);
    text += fmt::format("shape               {} layers, hidden {}, vocabulary {}\n", m.layers.size(), m.hidden,
                        m.vocabulary);
    if (const ExpertShape* e = experts_of(m))
        text += fmt::format("experts             {}, {} a token\n", e->experts, e->top_k);
    add_lines(text, "Assumed", a.imported.assumed);
    add_lines(text, "Warnings", a.imported.warnings);
    if (!a.imported.ignored.empty()) text += fmt::format("Ignored: {}\n", fmt::join(a.imported.ignored, ", "));
    return text;
}

}  // namespace

Command add_model(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("model", "parameters and cache of a Hugging Face config.json");
    c->add_option("config", o->file, "the config.json")->required();
    c->add_option("--cache-dtype", o->cache, "number format of the cache")->capture_default_str();
    return {c, [o](bool json) -> Result<Output> {
                const auto a = read(*o);
                if (!a) return tl::unexpected(a.error());
                return Output{json ? as_json(*a) : as_text(*a, *o), success};
            }};
}

}  // namespace crosspoint::cli
