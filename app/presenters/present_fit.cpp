#include "app/presenters/present_fit.hpp"

#include <cmath>
#include <set>

#include <QCoreApplication>

#include "app/presenters/text.hpp"

namespace crosspoint::app {
namespace {

constexpr int pointsOfSegment = 40;

QString tr(const char* text) { return QCoreApplication::translate("Fit", text); }

void addSegment(std::vector<QPointF>& points, const FitSegment& segment) {
    const double from = segment.from.si(), to = segment.to.si();
    if (!(from > 0) || !(to >= from)) return;
    for (int i = 0; i < pointsOfSegment; ++i) {
        const double n = from * std::pow(to / from, i / double(pointsOfSegment - 1));
        points.emplace_back(n, segment.time(Bytes(n)).si());
    }
}

}  // namespace

ui::CrossoverData presentFit(const MeasuredTable& table, const Fit& fit) {
    ui::CrossoverData data;
    data.x_label = tr("message size (full tensor)");
    data.empty_text = fit.refused.empty() ? tr("No sizes to draw") : qs("Not fitted: " + fit.refused);
    ui::CrossoverCurveData curve, out;
    curve.id = "fit";
    curve.name = fit.segments.empty() ? tr("measured") : qs(to_string(fit.form));
    for (const FitSegment& segment : fit.segments) addSegment(curve.points, segment);
    for (const FitPoint& point : fit.points)
        (point.used ? curve : out).measured.emplace_back(point.size.si(), point.measured.si());
    if (fit.crossover && fit.time(*fit.crossover)) {
        curve.crossover = QPointF(fit.crossover->si(), fit.time(*fit.crossover)->si());
        curve.crossover_text = QStringLiteral("n* %1").arg(shown(*fit.crossover, 2));
    }
    curve.detail = fitSummary(fit);
    out.id = "out";
    out.name = tr("left out");
    data.curves.push_back(std::move(curve));
    if (!out.measured.empty()) data.curves.push_back(std::move(out));
    Q_UNUSED(table)
    return data;
}

QString fitSummary(const Fit& fit) {
    if (!fit.refused.empty()) return tr("Not fitted: %1").arg(qs(fit.refused));
    QString text = tr("alpha %1, bandwidth %2")
                       .arg(fit.alpha ? shown(*fit.alpha, 4) : tr("unknown"),
                            fit.bandwidth ? shown(*fit.bandwidth, 4) : tr("unknown"));
    if (fit.bus_bandwidth) text += tr(" (bus %1)").arg(shown(*fit.bus_bandwidth, 4));
    if (fit.kappa > 0) text += tr(", kappa %1").arg(fit.kappa, 0, 'f', 2);
    if (fit.crossover) text += tr(", n* %1").arg(shown(*fit.crossover));
    if (fit.half_bandwidth) text += tr(", half bandwidth at %1").arg(qs(format_binary(*fit.half_bandwidth)));
    if (!fit.worst_relative_error) return text;
    return text +
           tr("\n%1: worst error %2 at %3")
               .arg(qs(to_string(fit.form)), percent(*fit.worst_relative_error), qs(format_binary(fit.worst_at)));
}

QString tableName(const MeasuredTable& table) {
    const QString what =
        table.operation ? qs(to_string(*table.operation))
        : table.choices.empty()
            ? tr("no collective")
            : tr("%1 or %2").arg(qs(to_string(table.choices.front())), qs(to_string(table.choices.back())));
    const QString ranks = table.ranks ? tr("%1 ranks").arg(*table.ranks) : tr("ranks unknown");
    return table.title.empty() ? tr("%1, %2").arg(what, ranks) : tr("%1: %2, %3").arg(qs(table.title), what, ranks);
}

QStringList fitRemarks(const MeasuredTable& table, const Fit& fit) {
    QStringList all;
    for (const auto* list : {&table.warnings, &fit.warnings})
        for (const std::string& sentence : *list) all << qs(sentence);
    for (const std::string& what : table.ignored) all << tr("Ignored: %1").arg(qs(what));
    return all;
}

std::vector<LinkChoice> linkChoices(const Scenario& scenario) {
    std::set<PartId> used;
    if (scenario.topology) {
        for (const Container& c : scenario.topology->containers)
            if (c.interconnect) used.insert(c.interconnect->part);
        for (const Link& link : scenario.topology->links) used.insert(link.part);
    }
    std::vector<LinkChoice> choices;
    for (const LinkPart& part : scenario.catalogue->links)
        if (used.empty() || used.count(part.id) > 0) choices.push_back({qs(part.id.value), qs(part.name)});
    return choices;
}

}  // namespace crosspoint::app
