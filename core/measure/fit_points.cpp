#include "core/measure/fit_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/units/text.hpp"

namespace crosspoint::measure {
namespace {

constexpr double spike = 1.3;  ///< times its neighbours, above or below

/// The time, or size over bandwidth where that was printed with more digits ("1.6e+07" us).
double best_time(const MeasuredRow& row, const Timing& t) {
    const double time = t.time.si();
    if (!t.algorithm_bandwidth || !(t.time_step > 0) || !(t.bandwidth_step > 0)) return time;
    const double rate = t.algorithm_bandwidth->si();
    const bool coarse = t.time_step > 0.005 * time && t.bandwidth_step * time < t.time_step * rate;
    return coarse && rate > 0 ? row.size.si() / rate : time;
}

bool consistent(const MeasuredRow& row, const Timing& t) {
    if (!t.algorithm_bandwidth || !(t.time.si() > 0)) return true;
    const double rate = row.size.si() / t.time.si(), printed = t.algorithm_bandwidth->si();
    const double rounding = t.bandwidth_step + rate * t.time_step / t.time.si();
    return std::abs(rate - printed) <= 0.01 * std::max(rate, printed) + rounding;
}

std::string rows_text(std::size_t n) { return fmt::format("{} row{}", n, n == 1 ? "" : "s"); }

std::string lines_text(const std::vector<int>& lines) {
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < 8; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
    return lines.size() > 8 ? text + ", ..." : text;
}

/// Left out as a spike: far above, or far below, both neighbours that are used.
bool is_spike(const std::vector<FitPoint>& p, std::size_t i) {
    const double t = p[i].measured.si();
    const double next = i + 1 < p.size() ? p[i + 1].measured.si() : 0;
    if (next > 0 && t > spike * next && (i == 0 || t > spike * p[i - 1].measured.si())) return true;
    return i > 0 && next > 0 && t * spike < p[i - 1].measured.si() && t * spike < next;
}

void mark_spikes(std::vector<FitPoint>& points, std::vector<std::string>& warnings) {
    if (points.size() < 6) return;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (is_spike(points, i) && (found.empty() || found.back() + 1 < i)) found.push_back(i);
    if (found.size() > std::max<std::size_t>(1, points.size() / 8)) return;
    for (const std::size_t i : found) {
        points[i].used = false;
        warnings.push_back(fmt::format("{} in {} stands apart from its neighbours and was left out.",
                                       format_binary(points[i].size), format(points[i].measured, 4)));
    }
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<FitPoint> points_of(const MeasuredTable& table, Block block, std::vector<std::string>& warnings) {
    std::map<double, std::pair<std::vector<double>, int>> times;
    std::vector<int> wrong;
    int zero = 0;
    for (const MeasuredRow& row : table.rows) {
        const auto& timing = block == Block::in_place ? row.in_place : row.out_of_place;
        if (!timing) continue;
        const double size = row.size.si(), time = best_time(row, *timing);
        if (!(size > 0) || !(time > 0) || !std::isfinite(size) || !std::isfinite(time)) {
            ++zero;
        } else if (!consistent(row, *timing)) {
            wrong.push_back(row.line);
        } else {
            auto& [list, line] = times[size];
            list.push_back(time);
            if (line == 0) line = row.line;
        }
    }
    if (zero > 0) warnings.push_back(fmt::format("{} of size or time 0 left out.", rows_text(std::size_t(zero))));
    if (!wrong.empty())
        warnings.push_back(
            fmt::format("{} left out: bandwidth x time differs from the size by more than 1 % (line {}).",
                        rows_text(wrong.size()), lines_text(wrong)));
    std::vector<FitPoint> points;
    for (const auto& [size, all] : times)
        points.push_back({Bytes(size), Seconds(median(all.first)), Seconds(0), 0, true, all.second});
    mark_spikes(points, warnings);
    return points;
}

std::string objection(const std::vector<FitPoint>& points) {
    const FitPoint *slowest = nullptr, *fastest = nullptr;
    const auto rate = [](const FitPoint& p) { return p.size.si() / p.measured.si(); };
    for (const FitPoint& p : points) {
        if (!p.used) continue;
        if (slowest && p.measured.si() < 0.75 * slowest->measured.si())
            return fmt::format("time falls with size: {} at {}, {} at {}", format(slowest->measured, 4),
                               format_binary(slowest->size), format(p.measured, 4), format_binary(p.size));
        if (fastest && rate(p) < 0.5 * rate(*fastest))
            return fmt::format("bandwidth more than halves with size: {} at {}, {} at {}",
                               format(BytesPerSecond(rate(*fastest))), format_binary(fastest->size),
                               format(BytesPerSecond(rate(p))), format_binary(p.size));
        if (!slowest || p.measured > slowest->measured) slowest = &p;
        if (!fastest || rate(p) > rate(*fastest)) fastest = &p;
    }
    return {};
}

}  // namespace crosspoint::measure
