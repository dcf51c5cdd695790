// The rows of the review checklist, as plain data with every text ready to show.
#pragma once

#include <vector>

#include <QString>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

struct ChecklistSuggestion {
    QString text;            ///< "EP 8 x 4 replicas"
    QString metric;          ///< "inter-token latency"; may be empty
    QString before, after;   ///< "15.1 ms", "6.9 ms"; empty when not predicted
    bool applicable = true;  ///< false: advice that no edit expresses, shown as text without a button
};

struct ChecklistRow {
    QString rule;  ///< stable id, reported by the signals
    Severity severity = Severity::not_applicable;
    QString title;      ///< "Expert layer leaves the domain"
    QString figure;     ///< "EP 32 > 8 in domain, 75 % of bytes cross"
    QString threshold;  ///< "attention above 25 %, fail above 50 %"
    QString question;
    QString explanation;
    QString confidence;  ///< "measured"
    bool has_evidence = false;
    std::vector<ChecklistSuggestion> suggestions;  ///< best first
};

struct ChecklistData {
    std::vector<ChecklistRow> rows;  ///< in the order to show
    QString empty_text;
};

}  // namespace crosspoint::ui
