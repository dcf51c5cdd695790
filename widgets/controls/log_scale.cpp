#include "widgets/controls/log_scale.hpp"

#include <algorithm>
#include <cmath>

namespace crosspoint::ui {
namespace {

constexpr double kStepsPerOctave = 8;   // whole numbers: eighths of a power of two, so that 24, 48, 96 are among them
constexpr double kStepsPerDecade = 48;  // other numbers
constexpr std::size_t kMostStops = 4096;

/// 1, 2, 3 ... 16, 18 ... 32, 36 ... 64, 72 ...
double next_whole(double value) {
    const double octave = std::exp2(std::floor(std::log2(std::max(value, 1.0))));
    return std::floor(value) + std::max(1.0, octave / kStepsPerOctave);
}

double two_digits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::round(value / unit) * unit;
}

std::vector<double> whole_stops(double low, double high) {
    std::vector<double> stops{std::ceil(low)};
    while (stops.back() < high && stops.size() < kMostStops) {
        const double octave = std::exp2(std::floor(std::log2(std::max(stops.back(), 1.0))));
        const double step = std::max(1.0, octave / kStepsPerOctave);
        stops.push_back(std::min(high, std::floor(next_whole(stops.back()) / step) * step));
    }
    return stops;
}

std::vector<double> decimal_stops(double low, double high) {
    std::vector<double> stops{low};
    const int count = int(std::min(kStepsPerDecade * std::log10(high / low), double(kMostStops)));
    for (int i = 1; i < count; ++i) {
        const double value = two_digits(low * std::pow(high / low, double(i) / count));
        if (value > stops.back() && value < high) stops.push_back(value);
    }
    stops.push_back(high);
    return stops;
}

}  // namespace

LogScale::LogScale(const LogSliderSpec& spec) {
    if (!spec.stops.empty()) {
        stops_ = spec.stops;
        std::sort(stops_.begin(), stops_.end());
        stops_.erase(
            std::remove_if(stops_.begin(), stops_.end(), [](double v) { return !(v > 0) || !std::isfinite(v); }),
            stops_.end());
    }
    minimum_ = std::isfinite(spec.minimum) && spec.minimum > 0 ? spec.minimum : 1;
    maximum_ = std::isfinite(spec.maximum) && spec.maximum > minimum_ ? spec.maximum : minimum_ * 2;
    if (!stops_.empty()) {
        minimum_ = stops_.front();
        maximum_ = std::max(stops_.back(), minimum_ * (1 + 1e-9));
        return;
    }
    stops_ = spec.integers ? whole_stops(minimum_, maximum_) : decimal_stops(minimum_, maximum_);
}

double LogScale::share(double value) const {
    if (!(value > 0)) return 0;
    return std::clamp(std::log(value / minimum_) / std::log(maximum_ / minimum_), 0.0, 1.0);
}

double LogScale::snapped(double wanted) const {
    const double value = minimum_ * std::pow(maximum_ / minimum_, std::clamp(wanted, 0.0, 1.0));
    const auto above = std::lower_bound(stops_.begin(), stops_.end(), value);
    if (above == stops_.begin()) return stops_.front();
    if (above == stops_.end()) return stops_.back();
    const double below = *std::prev(above);
    return value / below < *above / value ? below : *above;
}

double LogScale::stepped(double value, int by) const {
    const double small = 1e-9 * value;
    if (by > 0) {
        const auto at = std::upper_bound(stops_.begin(), stops_.end(), value + small);
        const auto left = stops_.end() - at;
        return left == 0 ? stops_.back() : *(at + std::min<std::ptrdiff_t>(by - 1, left - 1));
    }
    const auto at = std::lower_bound(stops_.begin(), stops_.end(), value - small);
    const auto before = at - stops_.begin();
    return before == 0 ? stops_.front() : *(at - std::min<std::ptrdiff_t>(-by, before));
}

}  // namespace crosspoint::ui
