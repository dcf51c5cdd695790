// Latency, price and throughput against batch with the window; single-stream time against tensor degree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/io/figures.hpp"
#include "core/io/svg_plot.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double left = 124, plot_width = 640;

struct Panel {
    std::string title;
    std::function<double(const BatchPoint&)> value;
    std::function<std::string(double)> label;
    std::optional<double> target;
    std::string target_text;
    std::size_t color = 0;
};

svg::Axis batch_axis(const Report& report) {
    svg::Axis axis;
    axis.logarithmic = true;
    axis.low = double(std::max<std::int64_t>(1, report.batch_sweep.front().batch));
    axis.high = std::max(axis.low * 2, double(report.batch_sweep.back().batch));
    axis.title = "batch: sequences in flight in one replica";
    axis.label = [](double v) { return format_count(v, 2); };
    return axis;
}

svg::Axis value_axis(const Report& report, const Panel& panel) {
    double low = HUGE_VAL, high = 0;
    for (const auto& p : report.batch_sweep) {
        const double v = panel.value(p);
        if (!(v > 0) || !std::isfinite(v)) continue;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    if (panel.target && *panel.target > 0) {
        low = std::min(low, *panel.target);
        high = std::max(high, *panel.target);
    }
    svg::Axis axis = high > 0 ? svg::decades(low, high) : svg::decades(1, 10);
    axis.low = std::max(axis.low, low / 1.6);
    axis.high = std::min(axis.high, high * 1.6);
    axis.logarithmic = true;
    axis.title = panel.title;
    axis.label = panel.label;
    return axis;
}

std::vector<Panel> panels(const Report& report) {
    const bool decode = report.workload.phase == Phase::decode;
    const auto& latency = decode ? report.targets.inter_token : report.targets.first_token;
    std::vector<Panel> all{{decode ? "inter-token latency" : "time to first token",
                            [](const BatchPoint& p) { return p.step.si(); },
                            [](double v) { return format(Seconds(v), 2); }, std::nullopt, "", 0}};
    if (latency) {
        all[0].target = latency->si();
        all[0].target_text = "target " + format(*latency);
    }
    const bool priced = std::any_of(report.batch_sweep.begin(), report.batch_sweep.end(),
                                    [](const auto& p) { return p.price.si() > 0; });
    if (priced) {
        all.push_back({"price of a million tokens", [](const BatchPoint& p) { return p.price.si(); },
                       [](double v) { return format(DollarsPerToken(v), 2); }, std::nullopt, "", 1});
        if (const auto& price = report.targets.output_price) {
            all.back().target = price->si();
            all.back().target_text = "target " + format(*price);
        }
    }
    all.push_back({"tokens per second and accelerator", [](const BatchPoint& p) { return p.per_accelerator.si(); },
                   [](double v) { return format(TokensPerSecond(v), 2); }, std::nullopt, "", 2});
    return all;
}

void shade_window(svg::Writer& out, const svg::Plot& plot, const BatchWindow& window) {
    if (window.empty || !window.smallest || !window.largest) return;
    const double x0 = plot.px(double(*window.smallest)), x1 = plot.px(double(*window.largest));
    out.fill(x0, plot.area().y, std::max(2.0, x1 - x0), plot.area().height, svg::sky, 0.18);
}

/// Solid where the batch fits in memory, dashed beyond.
void draw_values(svg::Plot& plot, const Report& report, const Panel& panel) {
    std::vector<svg::Point> fits, beyond;
    for (const auto& p : report.batch_sweep) {
        const double v = panel.value(p);
        if (!(v > 0)) continue;
        if (!p.fits && beyond.empty() && !fits.empty()) beyond.push_back(fits.back());
        (p.fits ? fits : beyond).push_back({double(p.batch), v});
    }
    plot.curve(fits, {svg::palette[panel.color], 2.2, {}});
    plot.curve(beyond, {svg::bar_grey, 1.8, "5 4"});
    if (panel.target) plot.target(*panel.target, panel.target_text, svg::vermilion, svg::text_palette[1]);
}

void mark_current(svg::Writer& out, const svg::Plot& plot, std::int64_t batch, bool named) {
    const double x = plot.px(double(batch));
    const auto& area = plot.area();
    if (x < area.x - 1 || x > area.x + area.width + 1) return;
    out.line({x, area.y}, {x, area.y + area.height}, {svg::ink, 1, "2 3"});
    if (!named) return;
    const bool right = x > area.x + area.width * 0.8;
    out.text({x + (right ? -5 : 5), area.y + 13}, fmt::format("now {}", batch),
             {11, svg::ink, right ? svg::Anchor::end : svg::Anchor::start});
}

}  // namespace

std::string batch_svg(const Report& report) {
    constexpr std::string_view title = "Latency, price and throughput against batch";
    if (report.batch_sweep.size() < 2) return svg::empty_figure(title, "No batch sweep was computed.");
    const auto all = panels(report);
    const double panel_height = 150, gap = 36;
    const double height = 30 + double(all.size()) * (panel_height + gap) + 50;
    svg::Writer out(left + plot_width + 40, height, title);
    const svg::Axis x = batch_axis(report);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const svg::Box area{left, 32 + double(i) * (panel_height + gap), plot_width, panel_height};
        svg::Plot plot(out, area, x, value_axis(report, all[i]));
        shade_window(out, plot, report.window);
        plot.frame(i + 1 == all.size());
        draw_values(plot, report, all[i]);
        mark_current(out, plot, report.workload.batch, i == 0);
    }
    out.text({left, height - 10}, "shaded: the batch window \u00B7 dashed grey: does not fit in memory",
             {11, svg::muted});
    return std::move(out).finish();
}

namespace {

constexpr double tensor_height = 360;

svg::Axis step_axis(const TensorSweep& sweep) {
    svg::Axis axis;
    double longest = 0;
    for (const auto& p : sweep.points) longest = std::max(longest, p.step.si());
    axis.high = longest > 0 && std::isfinite(longest) ? longest * 1.15 : 1;
    axis.title = "time of one token for a single sequence";
    axis.label = [](double v) { return format(Seconds(v), 3); };
    return axis;
}

struct Slice {
    Seconds length;
    std::string_view color;
};

void draw_stack(svg::Writer& out, const svg::Plot& plot, double x, double bar_width, const TensorPoint& p) {
    const Seconds rest = std::max(Seconds(0), p.step - p.weights - p.communication);
    Seconds from(0);
    for (const Slice& slice :
         {Slice{p.weights, svg::blue}, {p.communication, svg::vermilion}, {rest, svg::line_grey}}) {
        const Seconds to = std::min(from + slice.length, p.step);
        out.fill(x, plot.py(to.si()), bar_width, plot.py(from.si()) - plot.py(to.si()), slice.color);
        from = to;
    }
}

void draw_legend(svg::Writer& out, double y) {
    double x = left;
    for (const auto& [color, text] : {std::pair{svg::blue, "weights read"},
                                      {svg::vermilion, "communication"},
                                      {svg::line_grey, "everything else"}}) {
        out.fill(x, y - 10, 12, 12, color);
        out.text({x + 18, y}, text, {11, svg::muted});
        x += 40 + svg::text_width(text, 11);
    }
}

}  // namespace

std::string tensor_svg(const Report& report) {
    constexpr std::string_view title = "Single-stream decode against tensor degree";
    const auto& sweep = report.tensor_sweep;
    if (sweep.points.empty()) return svg::empty_figure(title, "No tensor degree was evaluated.");
    svg::Writer out(left + plot_width + 40, tensor_height, title);
    const double slot = plot_width / double(sweep.points.size());
    const double bar_width = std::min(64.0, slot * 0.6);
    svg::Axis x{0, double(sweep.points.size()), false, "tensor degree", [](double) { return std::string(); }};
    svg::Plot plot(out, {left, 34, plot_width, 240}, x, step_axis(sweep));
    plot.frame(false);
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const auto& p = sweep.points[i];
        const double center = left + slot * (double(i) + 0.5);
        draw_stack(out, plot, center - bar_width / 2, bar_width, p);
        const bool turn = sweep.turns_over_at == p.degree;
        out.text({center, plot.py(p.step.si()) - 6}, svg::shortened(format(p.step), slot, 11),
                 {11, svg::ink, svg::Anchor::middle, turn});
        out.text({center, 292}, std::to_string(p.degree),
                 {11, turn ? svg::ink : svg::muted, svg::Anchor::middle, turn});
    }
    const auto finding =
        sweep.turns_over_at
            ? fmt::format("tensor degree (turns over after {}: more devices make it slower)", *sweep.turns_over_at)
            : std::string("tensor degree (no turn-over up to the largest)");
    out.text({left + plot_width / 2, 314}, finding, {11, svg::ink, svg::Anchor::middle});
    draw_legend(out, tensor_height - 14);
    return std::move(out).finish();
}

}  // namespace crosspoint
