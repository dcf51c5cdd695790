// Axes, ticks and label placement for the report's plots.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/io/svg.hpp"

namespace crosspoint::svg {

struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::string title;
    std::function<std::string(double)> label;  ///< text of a tick
};

/// The lowest and highest power of ten around [low, high]; both must be positive.
Axis decades(double low, double high);
/// 1, 2, 5 steps, at most `most` of them, for a linear axis; powers of ten (thinned to `most`) for a logarithmic one.
std::vector<double> ticks(const Axis& axis, int most);

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] bool overlaps(const Box& other) const;
};

/// Finds a free place for each text, near where it belongs.
class Labels {
public:
    explicit Labels(Box bounds) : bounds_(bounds) {}
    void block(const Box& box) { taken_.push_back(box); }
    /// Box of a text near `at`, the first free of the places around it, ever farther away; empty when all are taken.
    std::optional<Box> place(Point at, std::string_view text, double size);

private:
    [[nodiscard]] bool is_free(const Box& box) const;
    Box bounds_;
    std::vector<Box> taken_;
};

/// Moves texts of `height` apart in y, keeping their order; all stay within [top, bottom] where there is room.
std::vector<double> spread(std::vector<double> wanted, double height, double top, double bottom);

class Plot {
public:
    Plot(Writer& svg, Box area, Axis x, Axis y);
    void frame(bool x_labels = true);
    [[nodiscard]] double px(double x) const;
    [[nodiscard]] double py(double y) const;
    [[nodiscard]] Point at(double x, double y) const { return {px(x), py(y)}; }
    [[nodiscard]] const Box& area() const { return area_; }
    void curve(const std::vector<Point>& data, const Stroke& stroke);
    /// A dashed line across the plot with its text above it at the left end, or at the right one where only the left is
    /// crossed by a curve drawn before.
    void target(double y, std::string_view text, std::string_view color, std::string_view text_color);

private:
    [[nodiscard]] bool crossed(const Box& box) const;
    Writer& svg_;
    Box area_;
    Axis x_, y_;
    std::vector<std::pair<Point, Point>> drawn_;  ///< pieces of the curves
};

}  // namespace crosspoint::svg
