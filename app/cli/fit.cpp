#include "core/measure/fit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string file, operation, form;
    double ranks = 0;
    bool in_place = false;
};

template <class Q>
Json si(const std::optional<Q>& value) {
    return value ? Json(value->si()) : Json();
}

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json block_json(const std::optional<Timing>& t) {
    if (!t) return {};
    return {{"time_s", t->time.si()},
            {"algorithm_bandwidth_bytes_per_s", si(t->algorithm_bandwidth)},
            {"bus_bandwidth_bytes_per_s", si(t->bus_bandwidth)}};
}

Json rows_json(const MeasuredTable& table) {
    Json rows = Json::array();
    for (const MeasuredRow& row : table.rows) {
        Json j{{"size_bytes", row.size.si()}};
        if (row.printed) j["printed_size_bytes"] = row.printed->si();
        j["out_of_place"] = block_json(row.out_of_place);
        j["in_place"] = block_json(row.in_place);
        if (row.line > 0) j["line"] = row.line;
        rows.push_back(std::move(j));
    }
    return rows;
}

Json figures_json(const MeasuredTable& table) {
    Json all = Json::array();
    for (const MeasuredFigure& f : table.figures) {
        Json j{{"label", f.label}};
        if (f.rate) j["bandwidth_bytes_per_s"] = f.rate->si();
        if (f.time) j["time_s"] = f.time->si();
        all.push_back(std::move(j));
    }
    return all;
}

Json segments_json(const Fit& fit) {
    Json all = Json::array();
    for (const FitSegment& s : fit.segments)
        all.push_back({{"from_bytes", s.from.si()},
                       {"to_bytes", s.to.si()},
                       {"intercept_s", s.intercept.si()},
                       {"bandwidth_bytes_per_s", si(s.bandwidth)},
                       {"kappa", s.kappa}});
    return all;
}

Json points_json(const Fit& fit) {
    Json all = Json::array();
    for (const FitPoint& p : fit.points)
        all.push_back({{"size_bytes", p.size.si()},
                       {"measured_s", p.measured.si()},
                       {"fitted_s", fit.segments.empty() ? Json() : Json(p.fitted.si())},
                       {"relative_error", fit.segments.empty() ? Json() : Json(p.error)},
                       {"used", p.used}});
    return all;
}

Json forms_json(const Fit& fit) {
    Json all = Json::array();
    for (const FitCandidate& c : fit.candidates)
        all.push_back({{"form", to_string(c.form)},
                       {"worst_relative_error", c.worst_relative_error},
                       {"rms_relative_error", c.rms_relative_error},
                       {"score", c.score}});
    return all;
}

Json sizes_json(const std::vector<Bytes>& sizes) {
    Json all = Json::array();
    for (const Bytes& b : sizes) all.push_back(b.si());
    return all;
}

std::vector<std::string> all_warnings(const MeasuredTable& table, const Fit& fit) {
    std::vector<std::string> all = table.warnings;
    all.insert(all.end(), fit.warnings.begin(), fit.warnings.end());
    return all;
}

Json table_json(const MeasuredTable& table, const Fit& fit, LogFormat format) {
    Json choices = Json::array();
    for (const CollectiveOp op : table.choices) choices.push_back(to_string(op));
    Json j{{"format", to_string(format)},
           {"title", table.title},
           {"operation", table.operation ? Json(to_string(*table.operation)) : Json()},
           {"operation_choices", choices},
           {"operation_source", table.operation_source},
           {"ranks", table.ranks ? Json(*table.ranks) : Json()},
           {"ranks_source", table.ranks_source},
           {"nodes", table.nodes ? Json(*table.nodes) : Json()},
           {"device", table.device},
           {"rows", rows_json(table)},
           {"figures", figures_json(table)},
           {"block", to_string(fit.block)},
           {"form", fit.segments.empty() ? Json() : Json(to_string(fit.form))},
           {"alpha_s", si(fit.alpha)},
           {"bandwidth_bytes_per_s", si(fit.bandwidth)},
           {"bus_bandwidth_bytes_per_s", si(fit.bus_bandwidth)},
           {"kappa", fit.kappa},
           {"worst_relative_error", optional(fit.worst_relative_error)},
           {"worst_at_bytes", fit.worst_relative_error ? Json(fit.worst_at.si()) : Json()},
           {"rms_relative_error", optional(fit.rms_relative_error)},
           {"half_bandwidth_bytes", si(fit.half_bandwidth)},
           {"crossover_bytes", si(fit.crossover)}};
    j["segments"] = segments_json(fit);
    j["forms"] = forms_json(fit);
    j["line_fails_bytes"] = sizes_json(fit.line_fails);
    j["points"] = points_json(fit);
    j["refused"] = fit.refused.empty() ? Json() : Json(fit.refused);
    j["warnings"] = all_warnings(table, fit);
    j["ignored"] = table.ignored;
    j["line"] = table.line;
    return j;
}

// ---- for people ----

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

/// One line a size: measured, fitted, error, and the error as a bar, 2 % a mark.
std::string points_text(const Fit& fit) {
    std::string text = fmt::format("  {:>10}  {:>10}  {:>10}  {:>8}\n", "size", "measured", "fitted", "error");
    for (const FitPoint& p : fit.points) {
        text += fmt::format("  {:>10}  {:>10}", format_binary(p.size, 4), format(p.measured, 4));
        if (!p.used) text += "        left out";
        else if (!fit.segments.empty()) {
            const auto marks = std::size_t(std::min(40.0, std::round(std::abs(p.error) * 50)));
            text += fmt::format("  {:>10}  {:>+7.1f}%  {}", format(p.fitted, 4), p.error * 100,
                                std::string(marks, p.error < 0 ? '-' : '+'));
        }
        while (text.back() == ' ') text.pop_back();
        text += '\n';
    }
    return text;
}

std::string constants_text(const Fit& fit) {
    std::string text = fmt::format("  alpha {}, bandwidth {}", fit.alpha ? format(*fit.alpha, 4) : "unknown",
                                   fit.bandwidth ? format(*fit.bandwidth, 4) : "unknown");
    if (fit.bus_bandwidth) text += fmt::format(" (bus {})", format(*fit.bus_bandwidth, 4));
    if (fit.kappa > 0) text += fmt::format(", kappa {:.3f}", fit.kappa);
    if (fit.crossover) text += fmt::format("; n* {}", format(*fit.crossover));
    if (fit.half_bandwidth) text += fmt::format(", half bandwidth at {}", format_binary(*fit.half_bandwidth));
    return text + "\n";
}

std::string forms_text(const Fit& fit) {
    std::string text;
    for (const FitCandidate& c : fit.candidates)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(c.form), percent(c.worst_relative_error));
    return text.empty() ? text : fmt::format("  worst error by form: {}; taken: {}\n", text, to_string(fit.form));
}

std::string segments_text(const Fit& fit) {
    std::string text;
    if (fit.segments.size() < 2) return text;
    for (const FitSegment& s : fit.segments)
        text += fmt::format("  {} to {}: {} + n / {}\n", format_binary(s.from), format_binary(s.to),
                            format(s.intercept, 4), s.bandwidth ? format(*s.bandwidth, 4) : "any rate");
    return text;
}

std::string operation_text(const MeasuredTable& table) {
    if (table.operation) return std::string(to_string(*table.operation));
    std::string text;
    for (const CollectiveOp op : table.choices) text += fmt::format("{}{}", text.empty() ? "" : " or ", to_string(op));
    return text.empty() ? "no collective" : text;
}

std::string table_text(const MeasuredTable& table, const Fit& fit) {
    std::string text =
        fmt::format("{}: {}, {} ranks, {}\n", table.title.empty() ? "table" : table.title, operation_text(table),
                    table.ranks ? std::to_string(*table.ranks) : "unknown", to_string(fit.block));
    if (!table.empty() && fit.refused.empty()) text += constants_text(fit) + forms_text(fit) + segments_text(fit);
    if (fit.worst_relative_error)
        text += fmt::format("  worst error {} at {}, root mean square {}\n", percent(*fit.worst_relative_error),
                            format_binary(fit.worst_at), percent(*fit.rms_relative_error));
    if (!fit.points.empty()) text += points_text(fit);
    for (const std::string& w : all_warnings(table, fit)) text += "  ! " + w + "\n";
    for (const std::string& i : table.ignored) text += "  ignored: " + i + "\n";
    return text;
}

// ---- reading ----

Result<void> state(MeasuredTable& table, const Options& o) {
    if (!o.operation.empty()) {
        table.operation = collective_op_from(o.operation);
        if (!table.operation)
            return fail(ErrorCode::invalid_value, "--operation '" + o.operation + "' is not a collective operation",
                        "one of all-reduce, all-gather, reduce-scatter, all-to-all, point-to-point, broadcast, reduce, "
                        "gather, scatter, expert-dispatch, expert-combine");
        table.operation_source = "the command line of this program";
    }
    if (o.ranks > 0) table.ranks = std::int64_t(o.ranks), table.ranks_source = "the command line of this program";
    return {};
}

Result<FitOptions> fit_options(const Options& o) {
    FitOptions options;
    if (o.in_place) options.block = Block::in_place;
    if (o.form.empty()) return options;
    for (const FitForm form : {FitForm::line, FitForm::pipelined, FitForm::two_segments, FitForm::three_segments})
        if (o.form == to_string(form)) options.form = form;
    if (!options.form)
        return fail(ErrorCode::invalid_value, "--form '" + o.form + "' is not known",
                    "one of 'line', 'line with kappa', 'two segments', 'three segments'");
    return options;
}

Result<Output> run(const Options& o, bool json) {
    const auto options = fit_options(o);
    if (!options) return tl::unexpected(options.error());
    const auto text = read_file(o.file == "-" ? "/dev/stdin" : o.file);
    if (!text) return tl::unexpected(text.error());
    auto log = read_measurements(*text, o.file);
    if (!log) return tl::unexpected(log.error());
    Json whole, tables = Json::array();
    std::string shown =
        fmt::format("{}, {} table{}\n", to_string(log->format), log->tables.size(), log->tables.size() == 1 ? "" : "s");
    for (MeasuredTable& table : log->tables) {
        if (const auto ok = state(table, o); !ok) return tl::unexpected(ok.error());
        const Fit fit = fit_table(table, *options);
        if (!json) shown += "\n" + table_text(table, fit);
        else tables.push_back(table_json(table, fit, log->format));
        if (json && &table == &log->first()) whole = tables.back();
    }
    if (!json) return Output{shown, success};
    whole["tables"] = std::move(tables);
    return Output{whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n", success};
}

}  // namespace

Command add_fit(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("fit", "alpha, bandwidth and kappa of a measured size/time table");
    c->add_option("FILE", o->file,
                  "log of nccl-tests, rccl-tests (text or JSON), OSU, IMB, perftest, nvbandwidth, "
                  "ucc_perftest or DeepEP; - reads standard input")
        ->required();
    c->add_option("--operation", o->operation, "the operation, where the log does not name it");
    c->add_option("--ranks", o->ranks, "the ranks, where the log does not name them")->check(number(1, 1e9, true));
    c->add_option("--form", o->form, "line, 'line with kappa', 'two segments', 'three segments'; else the best");
    c->add_flag("--in-place", o->in_place, "fit the in-place columns");
    return {c, [o](bool json) { return run(*o, json); }};
}

}  // namespace crosspoint::cli
