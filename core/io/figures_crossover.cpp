// Alpha-beta curves on logarithmic axes, n* on each, and the messages of the current step on them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/cost/link.hpp"
#include "core/io/figures.hpp"
#include "core/io/svg_plot.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double width = 1120, height = 480;
constexpr svg::Box plot_area{70, 34, 620, 390};
constexpr double label_x = plot_area.x + plot_area.width + 18;
constexpr double label_width = width - label_x - 8;

std::size_t tint(std::size_t curve) { return curve % svg::palette.size(); }

struct Range {
    double low, high;
    void take(double v) {
        if (!(v > 0) || !std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
};

svg::Axis size_axis(const Report& report) {
    Range range{1e3, 1e9};  // what a collective carries: 1 kB to 1 GB, wider when something lies outside
    for (const auto& curve : report.curves) range.take(curve.crossover.si());
    for (const auto& message : report.messages) range.take(message.bytes.si());
    svg::Axis axis = svg::decades(std::max(range.low, 1.0), std::min(range.high, 1e13));
    axis.title = "message size per accelerator";
    axis.label = [](double v) { return format(Bytes(v), 1); };
    return axis;
}

svg::Axis time_axis(const Report& report, const svg::Axis& size) {
    Range range{1e30, 0};
    for (const auto& curve : report.curves) {
        range.take(transfer_time(curve.link, Bytes(size.low)).si());
        range.take(transfer_time(curve.link, Bytes(size.high)).si());
    }
    for (const auto& message : report.messages) range.take(message.time.si());
    if (!(range.high > 0)) range = {1e-6, 1e-2};
    svg::Axis axis = svg::decades(range.low, range.high);
    axis.title = "time of one message";
    axis.label = [](double v) { return format(Seconds(v), 1); };
    return axis;
}

void draw_curve(svg::Plot& plot, const CrossoverCurve& curve, std::size_t index, const svg::Axis& size) {
    std::vector<svg::Point> points;
    for (int i = 0; i <= 96; ++i) {
        const double n = size.low * std::pow(size.high / size.low, i / 96.0);
        points.push_back({n, transfer_time(curve.link, Bytes(n)).si()});
    }
    plot.curve(points, {svg::palette[tint(index)], 2, index >= svg::palette.size() ? "7 3" : ""});
}

void draw_crossover(svg::Writer& out, const svg::Plot& plot, const CrossoverCurve& curve, std::size_t index) {
    const double n = curve.crossover.si();
    if (!(n > 0) || !std::isfinite(n)) return;
    const svg::Point p = plot.at(n, transfer_time(curve.link, curve.crossover).si());
    const double bottom = plot.area().y + plot.area().height;
    out.line(p, {p.x, bottom}, {svg::palette[tint(index)], 1, "3 3"});
    out.circle(p, 4, svg::palette[tint(index)], {svg::white, 1.5, {}});
}

/// Names in the right margin, each joined to the end of its curve.
void draw_names(svg::Writer& out, const svg::Plot& plot, const Report& report, const svg::Axis& size) {
    std::vector<double> wanted;
    for (const auto& curve : report.curves)
        wanted.push_back(plot.py(transfer_time(curve.link, Bytes(size.high)).si()) - 14);
    const double bottom = plot_area.y + plot_area.height;
    const auto y = svg::spread(wanted, 46, plot_area.y - 10, bottom - 34);
    for (std::size_t i = 0; i < report.curves.size(); ++i) {
        const auto& c = report.curves[i];
        const auto color = svg::text_palette[tint(i)];
        out.line({plot_area.x + plot_area.width, wanted[i] + 14}, {label_x - 4, y[i] + 10},
                 {svg::palette[tint(i)], 1, {}});
        out.text({label_x, y[i] + 13}, svg::shortened(c.name, label_width, 12, true),
                 {12, color, svg::Anchor::start, true});
        out.text({label_x, y[i] + 27}, svg::shortened(c.use, label_width, 11), {11, svg::muted});
        const auto facts = fmt::format("n* {}: {}, {}", format(c.crossover), format(c.link.alpha), format(c.link.beta));
        out.text({label_x, y[i] + 40}, svg::shortened(facts, label_width, 11), {11, svg::ink});
    }
}

/// Nothing may be written over a curve, a marker or another text.
svg::Labels label_places(const svg::Plot& plot, const Report& report, const svg::Axis& size) {
    svg::Labels labels(plot.area());
    for (const auto& curve : report.curves)
        for (int i = 0; i <= 120; ++i) {
            const double n = size.low * std::pow(size.high / size.low, i / 120.0);
            const auto p = plot.at(n, transfer_time(curve.link, Bytes(n)).si());
            labels.block({p.x - 3, p.y - 3, 6, 6});
        }
    for (const auto& message : report.messages) {
        const auto p = plot.at(message.bytes.si(), message.time.si());
        labels.block({p.x - 6, p.y - 6, 12, 12});
    }
    return labels;
}

void draw_message(svg::Writer& out, svg::Labels& labels, svg::Point p, const CrossoverMessage& message) {
    const auto color = svg::palette[tint(message.curve)];
    out.rect(p.x - 5, p.y - 5, 10, 10, svg::white, {color, 2, {}}, 0, message.label);
    const auto text = svg::shortened(message.label, 300, 11);
    const auto box = labels.place(p, text, 11);
    if (!box) return;
    const svg::Point near{std::clamp(p.x, box->x, box->x + box->width), std::clamp(p.y, box->y, box->y + box->height)};
    out.line(p, near, {color, 0.8, {}});
    out.text({box->x + 2, box->y + 11}, text, {11, svg::ink});
}

void draw_messages(svg::Writer& out, const svg::Plot& plot, const Report& report, const svg::Axis& size) {
    svg::Labels labels = label_places(plot, report, size);
    for (const auto& message : report.messages) {
        if (message.curve >= report.curves.size() || !(message.bytes.si() > 0)) continue;
        draw_message(out, labels, plot.at(message.bytes.si(), message.time.si()), message);
    }
}

}  // namespace

std::string crossover_svg(const Report& report) {
    constexpr std::string_view title = "Latency against bandwidth: where each link crosses over";
    if (report.curves.empty()) return svg::empty_figure(title, "No communication: a single accelerator needs no link.");
    svg::Writer out(width, height, title);
    const svg::Axis size = size_axis(report);
    svg::Plot plot(out, plot_area, size, time_axis(report, size));
    plot.frame();
    for (std::size_t i = 0; i < report.curves.size(); ++i) draw_curve(plot, report.curves[i], i, size);
    for (std::size_t i = 0; i < report.curves.size(); ++i) draw_crossover(out, plot, report.curves[i], i);
    draw_names(out, plot, report, size);
    draw_messages(out, plot, report, size);
    out.text({plot_area.x, height - 10},
             "round: n*, where latency equals transfer time \u00B7 square: a message of this step \u00B7 "
             "GB/s: for all bytes that an accelerator sends, limited by the named link",
             {11, svg::muted});
    return std::move(out).finish();
}

}  // namespace crosspoint
