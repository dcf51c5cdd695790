#include "widgets/timeline/time_ticks.hpp"

#include <algorithm>
#include <cmath>

namespace crosspoint::ui {
namespace {

double nice_step(double rough) {
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double mantissa = rough / decade;
    const double nice = mantissa <= 1.0 ? 1 : mantissa <= 2.0 ? 2 : mantissa <= 5.0 ? 5 : 10;
    return nice * decade;
}

struct TimeUnit {
    double seconds;
    const char16_t* name;
};

TimeUnit unit_for(double largest) {
    if (largest >= 1) return {1, u"s"};
    if (largest >= 1e-3) return {1e-3, u"ms"};
    if (largest >= 1e-6) return {1e-6, u"µs"};
    return {1e-9, u"ns"};
}

}  // namespace

std::vector<TimeTick> time_ticks(double start, double end, int count) {
    const double span = end - start;
    if (!std::isfinite(span) || !(span > 0) || !(span > 1e-12 * std::abs(end)) || count < 1) return {};
    const double step = nice_step(span / count);
    const TimeUnit unit = unit_for(std::max(std::abs(start), std::abs(end)));
    const int decimals = std::clamp(int(std::ceil(-std::log10(step / unit.seconds) - 1e-9)), 0, 9);
    std::vector<TimeTick> ticks;
    const double first = std::ceil(start / step - 1e-9);
    for (int i = 0; i <= count + 1; ++i) {
        const double time = (first + i) * step;
        if (time > end + 1e-9 * span) break;
        const QString number = QString::number(std::abs(time) < step * 1e-6 ? 0.0 : time / unit.seconds, 'f', decimals);
        ticks.push_back({time, number + ' ' + QString::fromUtf16(unit.name)});
    }
    return ticks;
}

}  // namespace crosspoint::ui
