#include "widgets/controls/why_panel.hpp"

namespace crosspoint::ui {
namespace {

QString cell(QString text) { return text.replace('|', "\\|").replace('\n', ' '); }

}  // namespace

QString why_as_text(const WhyData& data) {
    QStringList lines{data.title + ": " + data.value};
    if (!data.formula.isEmpty()) lines << QString() << data.formula;
    if (!data.substituted.isEmpty()) lines << data.substituted;
    if (!data.terms.empty()) lines << QString();
    for (const WhyTerm& term : data.terms) {
        QString line = term.name + " = " + term.value;
        QStringList origin;
        if (!term.confidence.isEmpty()) origin << term.confidence;
        if (!term.source.isEmpty()) origin << term.source;
        if (!origin.isEmpty()) line += " (" + origin.join("; ") + ')';
        lines << line;
    }
    if (!data.notes.isEmpty()) lines << QString();
    for (const QString& note : data.notes) lines << "- " + note;
    return lines.join('\n') + '\n';
}

QString why_as_markdown(const WhyData& data) {
    QString text = "**" + data.title + ": " + data.value + "**\n\n";
    if (!data.formula.isEmpty()) text += "    " + data.formula + '\n';
    if (!data.substituted.isEmpty()) text += "    " + data.substituted + '\n';
    if (!data.terms.empty()) {
        text += "\n| input | value | confidence | source |\n|---|---:|---|---|\n";
        for (const WhyTerm& term : data.terms)
            text += "| " + cell(term.name) + " | " + cell(term.value) + " | " + cell(term.confidence) + " | " +
                    cell(term.source) + " |\n";
    }
    if (!data.notes.isEmpty()) text += '\n';
    for (const QString& note : data.notes) text += "- " + note + '\n';
    return text;
}

}  // namespace crosspoint::ui
