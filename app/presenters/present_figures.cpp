#include "app/presenters/presenters.hpp"

#include <QCoreApplication>

#include "app/presenters/text.hpp"

namespace crosspoint::app {
namespace {

using Card = ui::FigureCardData;

const ShownFigure* sameFigure(const Report* baseline, const std::string& id) {
    if (!baseline) return nullptr;
    for (const ShownFigure& figure : baseline->figures)
        if (figure.id == id) return &figure;
    return nullptr;
}

/// Change in percent: short enough for a card and meaningful for every unit. Shares change in points.
QString changeText(const ShownFigure& now, const ShownFigure& then) {
    const double difference = now.value_si - then.value_si;
    const QString sign = difference >= 0 ? QStringLiteral("+") : QStringLiteral("−");
    const bool share = now.text.find('%') != std::string::npos;
    if (share) return sign + qs(shortest(std::round(std::abs(difference) * 1000) / 10)) + QStringLiteral(" pt");
    if (then.value_si == 0) return {};
    return sign + percent(std::abs(difference / then.value_si));
}

void addChange(Card& card, const ShownFigure& now, const ShownFigure& then) {
    if (now.value_si == then.value_si) {
        card.change = QStringLiteral("±0");
        card.direction = Card::Change::neutral;
        return;
    }
    card.change = changeText(now, then);
    const bool better = (now.value_si > then.value_si) == now.higher_is_better;
    card.direction = better ? Card::Change::better : Card::Change::worse;
}

Card card(const ShownFigure& figure, const Report* baseline) {
    Card c;
    c.id = qs(figure.id);
    c.label = qs(figure.label);
    c.text = qs(figure.text);
    c.note = qs(figure.note);
    c.confidence = qs(to_string(figure.confidence));
    c.tooltip = qs(figure.why.formula) + QLatin1Char('\n') + qs(figure.why.substituted);
    if (const ShownFigure* then = sameFigure(baseline, figure.id)) {
        addChange(c, figure, *then);
        c.tooltip += QCoreApplication::translate("Figures", "\nBaseline: %1").arg(qs(then->text));
    }
    return c;
}

/// Capital first, full stop last.
QString sentence(const std::string& text) {
    QString shown = qs(text).section(QLatin1Char('\n'), 0, 0).trimmed();
    if (shown.isEmpty()) return shown;
    shown[0] = shown[0].toUpper();
    return shown.endsWith(QLatin1Char('.')) ? shown : shown + QLatin1Char('.');
}

}  // namespace

QString missingText(const Report& report) {
    if (report.prediction || report.version.empty()) return {};
    const Error& error = report.prediction.error();
    return (sentence(error.message) + QLatin1Char(' ') + sentence(error.hint)).trimmed();
}

ui::FigureStripData presentFigures(const Report& report, const Report* baseline) {
    ui::FigureStripData data;
    for (const ShownFigure& figure : report.figures)
        if (figure.id != "review") data.figures.push_back(card(figure, baseline));
    data.empty_text = missingText(report);
    if (report.prediction && !report.verdicts.empty())
        data.review = ui::ReviewCounts{report.count(Outcome::fail), report.count(Outcome::attention),
                                       report.count(Outcome::pass), report.count(Outcome::not_applicable)};
    return data;
}

}  // namespace crosspoint::app
