#include "accuracy/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crosspoint::accuracy {
namespace {

const Kind* kind_of(const Record& record) {
    for (const Kind& kind : kinds())
        if (kind.name == record.kind) return &kind;
    return nullptr;
}

/// The measured value, or the middle of the range that stands for it.
std::optional<double> measured_of(const Record& r) {
    if (r.value) return r.value;
    if (r.check.low && r.check.high) return (*r.check.low + *r.check.high) / 2;
    return std::nullopt;
}

std::optional<bool> in_band(const Record& r, double predicted, double measured) {
    if (!r.tested()) return std::nullopt;
    if (r.check.low && r.check.high) return predicted >= *r.check.low && predicted <= *r.check.high;
    if (!r.check.rel_tol) return std::nullopt;
    return std::abs(predicted - measured) <= *r.check.rel_tol * std::abs(measured);
}

void take(const Record& r, const Kind& kind, const Catalogue& catalogue, Summary& summary) {
    KindSummary& sum = summary.kinds[r.kind];
    ++sum.records;
    const auto measured = measured_of(r);
    if (!measured || *measured == 0) {
        summary.unmapped.push_back({&r, "the measured value is no number other than 0"});
        return;
    }
    const auto predicted = kind.predict(r, catalogue);
    if (!predicted || !std::isfinite(predicted->value)) {
        summary.unmapped.push_back({&r, predicted ? "the prediction is not finite" : predicted.error()});
        return;
    }
    ++sum.mapped;
    summary.rows.push_back({&r, predicted->value, *measured, in_band(r, predicted->value, *measured), predicted->how});
}

/// Linear between order statistics.
double quantile(const std::vector<double>& sorted, double q) {
    if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double at = q * double(sorted.size() - 1);
    const auto low = std::size_t(at), high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (at - double(low));
}

}  // namespace

double Row::relative_error() const { return std::abs(predicted - measured) / std::abs(measured); }

Errors errors_of(const std::vector<const Row*>& rows) {
    std::vector<double> errors;
    double banded = 0, inside = 0;
    for (const Row* row : rows) {
        if (!row->record->tested()) continue;
        errors.push_back(row->relative_error());
        banded += row->in_band.has_value();
        inside += row->in_band.value_or(false);
    }
    std::sort(errors.begin(), errors.end());
    const double share = banded > 0 ? inside / banded : std::numeric_limits<double>::quiet_NaN();
    return {share, quantile(errors, 0.5), quantile(errors, 0.9), quantile(errors, 1.0)};
}

Summary compare(const std::vector<Record>& records, const Catalogue& catalogue) {
    Summary summary;
    for (const Record& r : records) {
        if (const Kind* kind = kind_of(r)) take(r, *kind, catalogue, summary);
        else ++summary.left_out[r.kind];
    }
    for (auto& [name, kind] : summary.kinds) {
        std::vector<const Row*> rows;
        for (const Row& row : summary.rows)
            if (row.record->kind == name) rows.push_back(&row);
        kind.errors = errors_of(rows);
    }
    return summary;
}

}  // namespace crosspoint::accuracy
