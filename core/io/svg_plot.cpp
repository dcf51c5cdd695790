#include "core/io/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crosspoint::svg {
namespace {

std::vector<double> linear_ticks(double low, double high, int most) {
    const double span = high - low;
    if (!(span > 0) || !std::isfinite(span)) return {low};
    double step = std::pow(10.0, std::floor(std::log10(span / most)));
    for (double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (span / (step * factor) > most) continue;
        step *= factor;
        break;
    }
    std::vector<double> values;
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) values.push_back(i * step);
    return values;
}

std::vector<double> decade_ticks(double low, double high, int most) {
    const int first = int(std::ceil(std::log10(low) - 1e-9)), last = int(std::floor(std::log10(high) + 1e-9));
    const int stride = std::max(1, (last - first + most) / std::max(1, most));
    std::vector<double> values;
    if (last - first < 2 && most >= 4) {
        for (int e = first - 1; e <= last; ++e)
            for (double m : {1.0, 2.0, 5.0}) {
                const double v = m * std::pow(10.0, e);
                if (v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9)) values.push_back(v);
            }
        return values;
    }
    for (int e = first; e <= last; e += stride) values.push_back(std::pow(10.0, e));
    return values;
}

double share(const Axis& axis, double v) {
    if (!axis.logarithmic) return (v - axis.low) / (axis.high - axis.low);
    return std::log(std::max(v, axis.low * 1e-6) / axis.low) / std::log(axis.high / axis.low);
}

}  // namespace

Axis decades(double low, double high) {
    Axis axis;
    axis.logarithmic = true;
    axis.low = std::pow(10.0, std::floor(std::log10(low) + 1e-9));
    axis.high = std::pow(10.0, std::ceil(std::log10(high) - 1e-9));
    if (!(axis.high > axis.low)) axis.high = axis.low * 10;
    return axis;
}

std::vector<double> ticks(const Axis& axis, int most) {
    return axis.logarithmic ? decade_ticks(axis.low, axis.high, most) : linear_ticks(axis.low, axis.high, most);
}

bool Box::overlaps(const Box& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
}

bool Labels::is_free(const Box& box) const {
    if (box.x < bounds_.x || box.y < bounds_.y || box.x + box.width > bounds_.x + bounds_.width ||
        box.y + box.height > bounds_.y + bounds_.height)
        return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& t) { return t.overlaps(box); });
}

std::optional<Box> Labels::place(Point at, std::string_view text, double size) {
    const double w = text_width(text, size) + 4, h = size * 1.3;
    for (double d = 8; d <= 200; d += 12) {
        const Box around[] = {{at.x - w - d, at.y - h / 2 - d, w, h}, {at.x + d, at.y - h / 2 - d, w, h},
                              {at.x - w / 2, at.y - h - d, w, h},     {at.x - w / 2, at.y + d, w, h},
                              {at.x + d, at.y - h / 2 + d, w, h},     {at.x - w - d, at.y - h / 2 + d, w, h}};
        for (const Box& box : around) {
            if (!is_free(box)) continue;
            taken_.push_back(box);
            return box;
        }
    }
    return std::nullopt;
}

std::vector<double> spread(std::vector<double> wanted, double height, double top, double bottom) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] < wanted[b]; });
    double floor = top;
    for (std::size_t i : order) {
        wanted[i] = std::max(wanted[i], floor);
        floor = wanted[i] + height;
    }
    double ceiling = bottom;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        wanted[*it] = std::min(wanted[*it], ceiling);
        ceiling = wanted[*it] - height;
    }
    return wanted;
}

Plot::Plot(Writer& svg, Box area, Axis x, Axis y) : svg_(svg), area_(area), x_(std::move(x)), y_(std::move(y)) {}

double Plot::px(double x) const { return area_.x + area_.width * std::clamp(share(x_, x), -0.5, 1.5); }
double Plot::py(double y) const { return area_.y + area_.height * (1 - std::clamp(share(y_, y), -0.5, 1.5)); }

void Plot::frame(bool x_labels) {
    const double bottom = area_.y + area_.height;
    for (double v : ticks(x_, int(area_.width / 80))) {
        svg_.line({px(v), area_.y}, {px(v), bottom}, {grid, 1, {}});
        if (x_labels) svg_.text({px(v), bottom + 16}, x_.label(v), {11, muted, Anchor::middle});
    }
    for (double v : ticks(y_, std::max(2, int(area_.height / 36)))) {
        svg_.line({area_.x, py(v)}, {area_.x + area_.width, py(v)}, {grid, 1, {}});
        svg_.text({area_.x - 8, py(v) + 4}, y_.label(v), {11, muted, Anchor::end});
    }
    svg_.rect(area_.x, area_.y, area_.width, area_.height, "none", {line_grey, 1, {}});
    if (x_labels) svg_.text({area_.x + area_.width / 2, bottom + 34}, x_.title, {11, muted, Anchor::middle});
    svg_.text({area_.x, area_.y - 8}, y_.title, {11, muted});
}

void Plot::curve(const std::vector<Point>& data, const Stroke& stroke) {
    std::vector<Point> points;
    for (const Point& p : data) points.push_back(at(p.x, p.y));
    if (points.empty()) return;
    svg_.polyline(points, stroke);
    for (std::size_t i = 1; i < points.size(); ++i) drawn_.emplace_back(points[i - 1], points[i]);
}

bool Plot::crossed(const Box& box) const {
    constexpr int samples = 16;
    return std::any_of(drawn_.begin(), drawn_.end(), [&](const auto& piece) {
        for (int i = 0; i <= samples; ++i) {
            const double t = double(i) / samples;
            const double x = piece.first.x + t * (piece.second.x - piece.first.x);
            const double y = piece.first.y + t * (piece.second.y - piece.first.y);
            if (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height) return true;
        }
        return false;
    });
}

void Plot::target(double y, std::string_view text, std::string_view color, std::string_view text_color) {
    const double at_y = py(y);
    if (at_y < area_.y || at_y > area_.y + area_.height) return;
    svg_.line({area_.x, at_y}, {area_.x + area_.width, at_y}, {color, 1.5, "6 4"});
    const double text_y = at_y - 5 > area_.y + 10 ? at_y - 5 : at_y + 14;
    const double wide = text_width(text, 11), right = area_.x + area_.width - 6;
    const Box at_left{area_.x + 4, text_y - 11, wide + 4, 14}, at_right{right - wide - 2, text_y - 11, wide + 4, 14};
    if (crossed(at_left) && !crossed(at_right)) svg_.text({right, text_y}, text, {11, text_color, Anchor::end});
    else svg_.text({area_.x + 6, text_y}, text, {11, text_color});
}

}  // namespace crosspoint::svg
