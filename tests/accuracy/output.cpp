// The summary as text and as JSON.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "accuracy/summary.hpp"

namespace crosspoint::accuracy {
namespace {

using nlohmann::ordered_json;

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", share * 100) : "-"; }
ordered_json finite(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

/// Rows of a kind by their source, in order of the names.
std::map<std::pair<std::string, std::string>, std::vector<const Row*>> by_kind_and_source(const Summary& summary) {
    std::map<std::pair<std::string, std::string>, std::vector<const Row*>> sources;
    for (const Row& row : summary.rows) sources[{row.record->kind, row.record->source}].push_back(&row);
    return sources;
}

std::string table_row(const std::string& name, std::string records, int mapped, const Errors& e) {
    return fmt::format("{:<28}{:>8}{:>8}{:>10}{:>10}{:>10}{:>10}\n", name, records, mapped, percent(e.share_in_band),
                       percent(e.median), percent(e.p90), percent(e.worst));
}

ordered_json error_fields(const Errors& e) {
    return {{"share_in_band", finite(e.share_in_band)},
            {"median_relative_error", finite(e.median)},
            {"p90_relative_error", finite(e.p90)},
            {"worst_relative_error", finite(e.worst)}};
}

ordered_json row_json(const Row& row) {
    return {{"id", row.record->id},
            {"kind", row.record->kind},
            {"predicted", row.predicted},
            {"measured", row.measured},
            {"unit", row.record->unit},
            {"ratio", finite(row.ratio())},
            {"in_band", row.in_band ? ordered_json(*row.in_band) : ordered_json()},
            {"how", row.how},
            {"source", row.record->source}};
}

std::string rows_text(const Summary& summary) {
    std::string text = "\n";
    for (const Row& row : summary.rows)
        text += fmt::format("{:<40} {:>12.5g} {:>12.5g} {:<16} {:>7.3f} {:<4} {}; {}\n", row.record->id, row.predicted,
                            row.measured, row.record->unit, row.ratio(), row.in_band.value_or(true) ? "" : "out",
                            row.how, row.record->source);
    return text;
}

std::string sources_text(const Summary& summary) {
    std::string text = "\n";
    for (const auto& [key, rows] : by_kind_and_source(summary)) {
        const Errors e = errors_of(rows);
        text += fmt::format("{:<16}{:>5} rows, in band {}, median {}, p90 {}, worst {}: {}\n", key.first, rows.size(),
                            percent(e.share_in_band), percent(e.median), percent(e.p90), percent(e.worst), key.second);
    }
    return text;
}

}  // namespace

std::string as_text(const Summary& summary, const Records& records, bool rows, bool by_source) {
    std::string text = fmt::format("{:<28}{:>8}{:>8}{:>10}{:>10}{:>10}{:>10}\n", "kind", "records", "mapped", "in band",
                                   "median", "p90", "worst");
    for (const auto& [name, kind] : summary.kinds)
        text += table_row(name, std::to_string(kind.records), kind.mapped, kind.errors);
    if (by_source) text += sources_text(summary);
    if (rows) text += rows_text(summary);
    for (const Unmapped& u : summary.unmapped)
        text += fmt::format("not mapped: {} ({}): {}\n", u.record->id, u.record->kind, u.reason);
    for (const auto& [name, count] : summary.left_out)
        text += fmt::format("not predicted: {} of kind {}\n", count, name);
    for (const BadLine& bad : records.bad) text += fmt::format("line {}: {}\n", bad.line, bad.message);
    return text;
}

std::string as_json(const Summary& summary, const Records& records, bool rows, bool by_source) {
    ordered_json j;
    j["kinds"] = ordered_json::object();
    for (const auto& [name, kind] : summary.kinds) {
        ordered_json& out = j["kinds"][name] = {{"records", kind.records}, {"mapped", kind.mapped}};
        out.update(error_fields(kind.errors));
    }
    j["unmapped"] = ordered_json::array();
    for (const Unmapped& u : summary.unmapped)
        j["unmapped"].push_back({{"id", u.record->id}, {"kind", u.record->kind}, {"reason", u.reason}});
    j["not_predicted"] = ordered_json::object();
    for (const auto& [name, count] : summary.left_out) j["not_predicted"][name] = count;
    j["bad_lines"] = ordered_json::array();
    for (const BadLine& bad : records.bad) j["bad_lines"].push_back({{"line", bad.line}, {"message", bad.message}});
    if (by_source) {
        j["sources"] = ordered_json::array();
        for (const auto& [key, found] : by_kind_and_source(summary)) {
            ordered_json out{{"kind", key.first}, {"source", key.second}, {"mapped", found.size()}};
            out.update(error_fields(errors_of(found)));
            j["sources"].push_back(std::move(out));
        }
    }
    if (rows) {
        j["rows"] = ordered_json::array();
        for (const Row& row : summary.rows) j["rows"].push_back(row_json(row));
    }
    return j.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace crosspoint::accuracy
