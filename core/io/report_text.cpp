#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/io/report_tables.hpp"
#include "core/io/report_writers.hpp"

namespace crosspoint {
namespace {

using namespace report_tables;

constexpr std::size_t columns = 100, gap = 2;

std::size_t width_of(std::string_view utf8) {
    return std::size_t(std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width, bool right) {
    const std::size_t have = width_of(text);
    const std::string blanks(have < width ? width - have : 0, ' ');
    return right ? blanks + std::string(text) : std::string(text) + blanks;
}

/// Lines of at most `width` columns, broken at blanks; a longer word stands alone, cut where it must be.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines{""};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::string word(text.substr(at, end - at));
        at = end + 1;
        if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.emplace_back();
        while (width_of(word) > width) {
            std::size_t cut = width;
            while (cut > 0 && (word[cut] & 0xC0) == 0x80) --cut;
            lines.back() = word.substr(0, cut);
            lines.emplace_back();
            word.erase(0, cut);
        }
        lines.back() += lines.back().empty() ? word : " " + word;
    }
    return lines;
}

void add_wrapped(std::string& out, std::string_view text, std::size_t indent) {
    for (const auto& line : wrapped(text, columns - indent)) out += std::string(indent, ' ') + line + "\n";
}

/// Natural widths; the last column takes what is left, and the widest text columns give way until that is enough.
std::vector<std::size_t> widths_of(const ReportTable& t) {
    constexpr std::size_t indent = 2, least_last = 20, least = 10;
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        std::size_t w = width_of(t.columns[c].title);
        for (const auto& row : t.rows) w = std::max(w, width_of(row[c]));
        widths.push_back(w);
    }
    const std::size_t wanted = std::min(widths.back(), least_last);
    std::size_t before = indent;
    for (std::size_t c = 0; c + 1 < widths.size(); ++c) before += widths[c] + gap;
    while (before + wanted > columns) {
        const auto widest = std::max_element(widths.begin(), widths.end() - 1);
        if (widest == widths.end() - 1 || *widest <= least) break;
        --*widest;
        --before;
    }
    widths.back() = std::min(widths.back(), std::max(least, columns - std::min(before, columns)));
    return widths;
}

void add_row(std::string& out, const ReportTable& t, const std::vector<std::size_t>& widths,
             const std::vector<std::string>& row) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
        cells.push_back(wrapped(row[c], widths[c]));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t i = 0; i < height; ++i) {
        std::string line = "  ";
        for (std::size_t c = 0; c < row.size(); ++c)
            line +=
                padded(i < cells[c].size() ? cells[c][i] : "", widths[c], t.columns[c].numeric) + std::string(gap, ' ');
        while (!line.empty() && line.back() == ' ') line.pop_back();
        out += line + "\n";
    }
}

void add_table(std::string& out, const ReportTable& t) {
    if (t.empty()) return;
    out += "\n" + t.title + "\n";
    const auto widths = widths_of(t);
    std::vector<std::string> titles;
    for (const auto& c : t.columns) titles.push_back(c.title);
    add_row(out, t, widths, titles);
    for (const auto& row : t.rows) add_row(out, t, widths, row);
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return out;
}

void add_verdict(std::string& out, const Verdict& v) {
    out += fmt::format("  {:<15}{}. {}\n", upper(to_string(v.outcome)), v.number, v.title);
    constexpr std::size_t indent = 17;
    if (!v.figure.empty()) add_wrapped(out, v.figure, indent);
    add_wrapped(out, v.explanation, indent);
    if (v.outcome == Outcome::not_applicable) return;
    if (!v.threshold_text.empty()) add_wrapped(out, "Threshold: " + v.threshold_text, indent);
    for (const auto& s : v.suggestions) add_wrapped(out, "Change: " + suggestion_text(s), indent);
}

void add_lines(std::string& out, std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out += fmt::format("\n{}\n", title);
    for (const auto& line : lines) add_wrapped(out, "- " + line, 2);
}

}  // namespace

std::string verdicts_text(const Report& report) {
    std::string out =
        fmt::format("{}\n{}\n\nReview: {} fail, {} attention, {} pass, {} not applicable\n", heading(report),
                    subheading(report), report.count(Outcome::fail), report.count(Outcome::attention),
                    report.count(Outcome::pass), report.count(Outcome::not_applicable));
    for (const auto& v : report.verdicts) {
        out += "\n";
        add_verdict(out, v);
    }
    return out;
}

std::string report_text(const Scenario& scenario, const Report& report) {
    std::string out = verdicts_text(report);
    if (const Error* error = first_error(report)) add_lines(out, "Not computed", {describe(*error)});
    add_table(out, figures(report));
    add_table(out, setup(scenario, report));
    out += "\nBatch window\n";
    add_wrapped(out, report.window.finding, 2);
    add_table(out, memory(report));
    add_table(out, serving(report));
    add_table(out, tiers(report));
    add_table(out, impairments(report));
    for (const auto& t : operations(report)) add_table(out, t);
    add_table(out, data(report));
    add_table(out, crossovers(report));
    add_lines(out, "Warnings", report.warnings);
    add_table(out, assumptions(report));
    return out + fmt::format("\ncrosspoint {}\n", report.version);
}

}  // namespace crosspoint
