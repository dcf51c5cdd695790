#include "app/presenters/present_model.hpp"

#include <QCoreApplication>

#include "app/presenters/text.hpp"

namespace crosspoint::app {
namespace {

QString words(const char* text) { return QCoreApplication::translate("ModelEditor", text); }

QString changeOf(double before, double after) {
    if (before == after) return {};
    if (before == 0) return words("new");
    const double relative = after / before - 1;
    return (relative > 0 ? QStringLiteral("+") : QString()) + percent(relative);
}

ModelChange counts(const char* label, std::int64_t before, std::int64_t after) {
    return {words(label), qs(format_count(double(before), 5)), qs(format_count(double(after), 5)),
            changeOf(double(before), double(after))};
}

template <class Q>
ModelChange quantities(const char* label, Q before, Q after) {
    return {words(label), shown(before, 5), shown(after, 5), changeOf(before.si(), after.si())};
}

const ShownFigure* figure(const Report& report, const std::string& id) {
    for (const ShownFigure& f : report.figures)
        if (f.id == id) return &f;
    return nullptr;
}

void addModel(std::vector<ModelChange>& rows, const Scenario& before, const Scenario& after) {
    if (!before.model || !after.model) return;
    const ParameterCount a = count_parameters(*before.model), b = count_parameters(*after.model);
    rows.push_back(counts(QT_TRANSLATE_NOOP("ModelEditor", "Parameters"), a.total, b.total));
    rows.push_back(counts(QT_TRANSLATE_NOOP("ModelEditor", "Active, both tables counted"), a.active, b.active));
    rows.push_back(quantities(QT_TRANSLATE_NOOP("ModelEditor", "KV per token"),
                              kv_bytes_per_token(*before.model, before.precision.cache),
                              kv_bytes_per_token(*after.model, after.precision.cache)));
    const CacheBytes x = cache_bytes(*before.model, before.workload.context, before.precision.cache);
    const CacheBytes y = cache_bytes(*after.model, after.workload.context, after.precision.cache);
    rows.push_back(quantities(QT_TRANSLATE_NOOP("ModelEditor", "Cache of a sequence"), x.total(), y.total()));
    rows.push_back(quantities(QT_TRANSLATE_NOOP("ModelEditor", "  of it constant"), x.constant, y.constant));
}

}  // namespace

std::vector<ModelChange> presentModelChange(const Scenario& before, const Report& beforeReport, const Scenario& after,
                                            const Report& afterReport) {
    std::vector<ModelChange> rows;
    addModel(rows, before, after);
    for (const ShownFigure& b : afterReport.figures) {
        if (b.id == "verdicts_failed") continue;
        const ShownFigure* a = figure(beforeReport, b.id);
        rows.push_back(
            {qs(b.label), a ? qs(a->text) : words("—"), qs(b.text), a ? changeOf(a->value_si, b.value_si) : QString()});
    }
    if (!afterReport.prediction)
        rows.push_back({words("Step"),
                        beforeReport.prediction ? words("computed") : words("—"),
                        qs(afterReport.prediction.error().message),
                        {}});
    return rows;
}

}  // namespace crosspoint::app
