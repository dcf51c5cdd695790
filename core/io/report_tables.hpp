// The report as tables of text that every writer renders: the same words and numbers in a terminal, in Markdown and
// in a page (private to core/io).
#pragma once

#include <string>
#include <vector>

#include "core/evaluate/report.hpp"

namespace crosspoint::report_tables {

struct Column {
    std::string title;
    bool numeric = false;
};

struct ReportTable {
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    [[nodiscard]] bool empty() const { return rows.empty(); }
};

/// "GB200 NVL72, DeepSeek-V3"; never empty.
std::string heading(const Report& report);
/// "decode, batch 2304, context 4096"
std::string subheading(const Report& report);

ReportTable figures(const Report& report);
ReportTable setup(const Scenario& scenario, const Report& report);
ReportTable verdicts(const Report& report);
ReportTable memory(const Report& report);
/// The offered load: batch that forms, queue, prices, fleet; empty without one.
ReportTable serving(const Report& report);
/// What the batch alone changes, and the tiers that are promised.
ReportTable tiers(const Report& report);
ReportTable impairments(const Report& report);
/// One table a layer kind, and one for the ends of the step.
std::vector<ReportTable> operations(const Report& report);
/// Section 9; empty without training tokens.
ReportTable data(const Report& report);
ReportTable crossovers(const Report& report);
ReportTable assumptions(const Report& report);

/// "change: EP 8 x 4 replicas (inter-token latency 15.1 ms -> 6.9 ms)"
std::string suggestion_text(const Suggestion& suggestion);
/// The first error of the slots; null when everything was computed.
const Error* first_error(const Report& report);

}  // namespace crosspoint::report_tables
