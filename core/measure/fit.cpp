#include "core/measure/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/catalogue/bus_bandwidth.hpp"
#include "core/measure/fit_points.hpp"
#include "core/measure/least_squares.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

using measure::Point;

constexpr double small_message = 65536;  // alpha needs a row at or below this
constexpr double line_fails_beyond = 0.15;
constexpr double noise = 0.01;  // what repeated runs differ by

/// One form fitted to the points.
struct Curve {
    FitForm form = FitForm::line;
    std::vector<FitSegment> segments;
    double sum = 0, worst = 0;
    int unknowns = 2;
};

FitSegment segment_of(const measure::Coefficients& c, double from, double to) {
    FitSegment s{Bytes(from), Bytes(to), Seconds(c.a), std::nullopt, 0};
    if (c.b > 0) s.bandwidth = BytesPerSecond(1 / c.b);
    if (c.a > 0 && c.b > 0) s.kappa = c.c / std::sqrt(c.a * c.b);
    return s;
}

Curve single(const std::vector<Point>& points, bool root) {
    auto found = measure::relative_fit(points, root);
    // Without alpha or n/B there is nothing that sqrt(alpha n/B) could be a share of.
    if (root && !(found.curve.a > 0 && found.curve.b > 0)) found = measure::relative_fit(points, false);
    Curve curve{root ? FitForm::pipelined : FitForm::line, {}, found.sum, found.worst, root ? 3 : 2};
    curve.segments.push_back(segment_of(found.curve, points.front().n, points.back().n));
    return curve;
}

std::optional<Curve> lines(const std::vector<Point>& points, int count) {
    const measure::Piecewise found = measure::best_lines(points, count);
    if (found.lines.empty()) return std::nullopt;
    Curve curve{
        count == 2 ? FitForm::two_segments : FitForm::three_segments, {}, found.sum, found.worst, 3 * count - 1};
    for (std::size_t k = 0; k < found.lines.size(); ++k) {
        const std::size_t end = k + 1 < found.begins.size() ? found.begins[k + 1] : points.size();
        curve.segments.push_back(segment_of(found.lines[k].curve, points[found.begins[k]].n, points[end - 1].n));
    }
    return curve;
}

double score(const Curve& curve, std::size_t points) {
    const double n = double(points);
    return n * std::log(curve.sum / n + noise * noise) + curve.unknowns * std::log(n);
}

std::vector<Curve> curves(const std::vector<Point>& points) {
    std::vector<Curve> all{single(points, false)};
    if (points.size() >= 4) all.push_back(single(points, true));
    for (int count = 2; count <= 3; ++count)
        if (auto curve = lines(points, count)) all.push_back(std::move(*curve));
    return all;
}

const FitSegment* segment_at(const std::vector<FitSegment>& segments, Bytes n) {
    const auto it = std::find_if(segments.begin(), segments.end(), [n](const FitSegment& s) { return n <= s.to; });
    if (segments.empty()) return nullptr;
    return it == segments.end() ? &segments.back() : &*it;
}

void choose(Fit& fit, const std::vector<Point>& points, const FitOptions& options) {
    const std::vector<Curve> all = curves(points);
    const Curve* best = &all.front();
    for (const Curve& c : all) {
        fit.candidates.push_back({c.form, c.worst, std::sqrt(c.sum / double(points.size())), score(c, points.size())});
        const bool wanted = options.form == c.form;
        if (wanted || (!options.form && score(c, points.size()) < score(*best, points.size()))) best = &c;
    }
    if (options.form && best->form != *options.form)
        fit.warnings.push_back(fmt::format("{} points are too few for {}.", points.size(), to_string(*options.form)));
    fit.form = best->form;
    fit.segments = best->segments;
    fit.rms_relative_error = std::sqrt(best->sum / double(points.size()));
    for (const Point& p : points)
        if (std::abs(all.front().segments.front().time(Bytes(p.n)).si() / p.t - 1) > line_fails_beyond)
            fit.line_fails.push_back(Bytes(p.n));
}

void add_residuals(Fit& fit) {
    double worst = -1;
    for (FitPoint& p : fit.points) {
        p.fitted = fit.time(p.size).value_or(Seconds(0));
        p.error = p.fitted / p.measured - 1;
        if (!p.used || std::abs(p.error) <= worst) continue;
        worst = std::abs(p.error);
        fit.worst_at = p.size;
    }
    if (worst >= 0) fit.worst_relative_error = worst;
}

/// Alpha from the first stretch, bandwidth from the last.
void add_constants(Fit& fit, const MeasuredTable& table) {
    const FitSegment &first = fit.segments.front(), &last = fit.segments.back();
    if (table.throughput) fit.warnings.push_back("Alpha unknown: many messages are in flight in this test.");
    else if (fit.points.front().size.si() > small_message)
        fit.warnings.push_back(fmt::format("Alpha unknown: the smallest message is {}, none is at or below 64 KiB.",
                                           format_binary(fit.points.front().size)));
    else fit.alpha = first.intercept;
    const Bytes largest = fit.points.back().size;
    const double share = last.bandwidth ? largest / *last.bandwidth / last.time(largest) : 0;
    if (share >= 0.2) fit.bandwidth = last.bandwidth;
    else
        fit.warnings.push_back(fmt::format("Bandwidth unknown: the largest message, {}, still takes mostly latency.",
                                           format_binary(largest)));
    if (fit.alpha && fit.bandwidth && fit.form == FitForm::pipelined) fit.kappa = last.kappa;
    if (fit.alpha && fit.bandwidth) fit.crossover = *fit.alpha * *fit.bandwidth;
}

/// First size at which the curve runs at half of its final bandwidth.
void add_half_bandwidth(Fit& fit) {
    if (!fit.bandwidth) return;
    const auto reached = [&](double log_n) {
        const Bytes n(std::exp(log_n));
        return n / *fit.time(n) >= *fit.bandwidth * 0.5;
    };
    const double first = fit.alpha ? 0 : std::log(fit.points.front().size.si());
    if (reached(first)) return;              // below what was measured
    constexpr double step = 0.05, end = 35;  // e^35 B
    for (double at = first; at < end; at += step) {
        if (!reached(at + step)) continue;
        double low = at, high = at + step;
        for (int i = 0; i < 50; ++i) (reached((low + high) / 2) ? high : low) = (low + high) / 2;
        fit.half_bandwidth = Bytes(std::exp(high));
        return;
    }
}

/// A log without sizes: its rate, and nothing else.
void fit_figures(Fit& fit, const MeasuredTable& table) {
    std::vector<double> rates;
    for (const MeasuredFigure& f : table.figures)
        if (f.rate && f.rate->si() > 0) rates.push_back(f.rate->si());
    fit.warnings.push_back("Alpha unknown: the log names no message sizes.");
    if (rates.empty()) return;
    fit.bandwidth = BytesPerSecond(measure::median(rates));
    if (rates.size() > 1) fit.warnings.push_back(fmt::format("Bandwidth is the median of {} figures.", rates.size()));
}

Block block_of(const MeasuredTable& table, const FitOptions& options) {
    if (options.block) return *options.block;
    const bool any = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& r) { return r.out_of_place; });
    return any || table.rows.empty() ? Block::out_of_place : Block::in_place;
}

void fit_points(Fit& fit, const MeasuredTable& table, const FitOptions& options) {
    std::vector<Point> points;
    for (const FitPoint& p : fit.points)
        if (p.used) points.push_back({p.size.si(), p.measured.si()});
    if (points.size() == 1) {
        fit.warnings.push_back(
            "One size alone: alpha and bandwidth cannot be told apart; bandwidth is size over time.");
        fit.bandwidth = Bytes(points[0].n) / Seconds(points[0].t);
        return;
    }
    choose(fit, points, options);
    add_residuals(fit);
    add_constants(fit, table);
    add_half_bandwidth(fit);
}

void add_bus_bandwidth(Fit& fit, const MeasuredTable& table) {
    if (fit.bandwidth && table.operation && table.ranks)
        fit.bus_bandwidth = *fit.bandwidth * bus_bandwidth_factor(*table.operation, double(*table.ranks));
}

}  // namespace

std::string_view to_string(FitForm form) {
    switch (form) {
        case FitForm::line: return "line";
        case FitForm::pipelined: return "line with kappa";
        case FitForm::two_segments: return "two segments";
        case FitForm::three_segments: return "three segments";
    }
    return "unknown";
}

std::string_view to_string(Block block) { return block == Block::in_place ? "in-place" : "out-of-place"; }

Seconds FitSegment::time(Bytes n) const {
    if (!bandwidth) return intercept;
    const Seconds moving = n / *bandwidth;
    return intercept + moving + Seconds(kappa * std::sqrt(intercept.si() * moving.si()));
}

std::optional<Seconds> Fit::time(Bytes n) const {
    const FitSegment* segment = segment_at(segments, n);
    if (!segment) return std::nullopt;
    return segment->time(n);
}

Fit fit_table(const MeasuredTable& table, const FitOptions& options) {
    Fit fit;
    fit.block = block_of(table, options);
    if (table.ranks && *table.ranks < 2) {
        fit.refused = "one rank has nobody to talk to: these rows measure a copy";
    } else if (table.rows.empty() && !table.figures.empty()) {
        fit_figures(fit, table);
    } else {
        fit.points = measure::points_of(table, fit.block, fit.warnings);
        if (fit.points.empty()) fit.refused = fmt::format("there is no {} row to fit", to_string(fit.block));
        else if (fit.refused = measure::objection(fit.points); fit.refused.empty()) fit_points(fit, table, options);
    }
    if (!fit.refused.empty()) fit.warnings.push_back("Not fitted: " + fit.refused + ".");
    add_bus_bandwidth(fit, table);
    return fit;
}

}  // namespace crosspoint
