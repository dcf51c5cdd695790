#include <algorithm>

#include <QCoreApplication>

#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"

namespace crosspoint::app {
namespace {

ui::Severity severity(Outcome outcome) {
    switch (outcome) {
        case Outcome::pass: return ui::Severity::pass;
        case Outcome::attention: return ui::Severity::attention;
        case Outcome::fail: return ui::Severity::fail;
        case Outcome::not_applicable: break;
    }
    return ui::Severity::not_applicable;
}

int urgency(Outcome outcome) {
    switch (outcome) {
        case Outcome::fail: return 0;
        case Outcome::attention: return 1;
        case Outcome::pass: return 2;
        case Outcome::not_applicable: break;
    }
    return 3;
}

ui::ChecklistRow present(const Verdict& verdict) {
    ui::ChecklistRow row;
    row.rule = qs(verdict.rule);
    row.severity = severity(verdict.outcome);
    row.title = qs(verdict.title);
    row.figure = qs(verdict.figure);
    row.threshold = qs(verdict.threshold_text);
    row.question = QStringLiteral("%1. %2").arg(verdict.number).arg(qs(verdict.question));
    row.explanation = qs(verdict.explanation);
    row.confidence = qs(to_string(verdict.confidence));
    row.has_evidence =
        !verdict.evidence.operations.empty() || !verdict.evidence.links.empty() || !verdict.evidence.objects.empty();
    // A button has room for the change and its result; what comes after the colon is said in the explanation.
    const auto brief = [](const Suggestion& s) {
        return s.edits.empty() ? qs(s.text) : qs(s.text).section(": ", 0, 0);
    };
    for (const Suggestion& suggestion : verdict.suggestions)
        if (!suggestion.edits.empty() && suggestion.text.find(": ") != std::string::npos)
            row.explanation += QStringLiteral("\n") + qs(suggestion.text);
    for (const Suggestion& suggestion : verdict.suggestions)
        row.suggestions.push_back({brief(suggestion), qs(suggestion.metric), qs(suggestion.before),
                                   qs(suggestion.after), !suggestion.edits.empty()});
    return row;
}

}  // namespace

ui::ChecklistData presentChecklist(const Report& report) {
    std::vector<const Verdict*> ordered;
    for (const Verdict& verdict : report.verdicts) ordered.push_back(&verdict);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Verdict* a, const Verdict* b) { return urgency(a->outcome) < urgency(b->outcome); });
    ui::ChecklistData data;
    if (report.prediction)  // otherwise no question can be answered, and why is said once
        for (const Verdict* verdict : ordered) data.rows.push_back(present(*verdict));
    data.empty_text =
        report.prediction ? QCoreApplication::translate("Checklist", "Nothing to judge yet") : missingText(report);
    return data;
}

}  // namespace crosspoint::app
