// Values of a logarithmic slider: where they lie, and which ones it stops at. Private to widgets/controls.
#pragma once

#include <vector>

#include "widgets/controls/log_slider.hpp"

namespace crosspoint::ui {

class LogScale {
public:
    LogScale() : LogScale(LogSliderSpec{}) {}
    explicit LogScale(const LogSliderSpec& spec);

    [[nodiscard]] double minimum() const { return minimum_; }
    [[nodiscard]] double maximum() const { return maximum_; }
    /// 0 at the minimum, 1 at the maximum, clamped.
    [[nodiscard]] double share(double value) const;
    /// The stop nearest to a share of the way.
    [[nodiscard]] double snapped(double share) const;
    /// The next stop above (by > 0) or below, `by` stops away.
    [[nodiscard]] double stepped(double value, int by) const;
    [[nodiscard]] const std::vector<double>& stops() const { return stops_; }

private:
    double minimum_ = 1, maximum_ = 2;
    std::vector<double> stops_;  ///< ascending, never empty
};

}  // namespace crosspoint::ui
