// The bars of one layer of each kind, and of the whole step, by stream.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/io/figures.hpp"
#include "core/io/svg_plot.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double width = 980, left = 130, right = 24, row = 34, bar = 24;
constexpr double plot_width = width - left - right;

/// Compute by what bounds it, communication by its network level.
std::string_view color_of(const Stream& stream, Bound bound) {
    if (stream.level >= 0) {
        constexpr std::string_view levels[]{svg::pink, svg::orange, svg::vermilion, "#A65628"};
        return levels[std::size_t(stream.level) % std::size(levels)];
    }
    switch (bound) {
        case Bound::compute: return svg::blue;
        case Bound::memory: return svg::sky;
        case Bound::launch: return svg::green;
        default: return svg::bar_grey;
    }
}

struct Scale {
    Seconds end;
    [[nodiscard]] double x(Seconds t) const { return left + plot_width * std::clamp(t / end, 0.0, 1.0); }
};

std::string tooltip(const Bar& b) {
    std::string text =
        fmt::format("{}: {} from {}, {}-bound", b.label, format(b.length), format(b.start), to_string(b.bound));
    if (b.bytes.si() > 0) text += ", " + format(b.bytes) + " sent";
    return text;
}

void draw_bar(svg::Writer& out, const Scale& scale, const Bar& b, double y, std::string_view color) {
    const double x = scale.x(b.start), w = std::max(0.6, scale.x(b.end()) - x);
    out.rect(x, y, w, bar, color, {svg::white, w > 4 ? 0.8 : 0.0, {}}, w > 6 ? 2 : 0,
             w > 3 ? tooltip(b) : std::string());
    if (svg::text_width(b.label, 10.5) + 8 > w) return;
    out.text({x + 5, y + bar / 2 + 4}, b.label, {10.5, svg::text_on(color)});
}

/// Neighbours that are closer than a pixel and look alike become one bar: a step of a hundred layers stays small.
std::vector<Bar> coalesced(const Timeline& timeline, const Scale& scale) {
    std::vector<Bar> bars;
    std::vector<int> last(timeline.streams.size(), -1);
    for (const Bar& b : timeline.bars) {
        if (b.stream < 0 || std::size_t(b.stream) >= last.size() || !(b.length.si() > 0)) continue;
        int& previous = last[std::size_t(b.stream)];
        if (previous >= 0) {
            Bar& p = bars[std::size_t(previous)];
            const bool tiny = scale.x(b.end()) - scale.x(b.start) < 1.2 && scale.x(p.end()) - scale.x(p.start) < 3;
            if (tiny && p.bound == b.bound && scale.x(b.start) - scale.x(p.end()) < 0.3) {
                p.length = b.end() - p.start;
                continue;
            }
        }
        previous = int(bars.size());
        bars.push_back(b);
    }
    return bars;
}

void draw_axis(svg::Writer& out, const Scale& scale, double top, double bottom) {
    const svg::Axis axis{0, scale.end.si(), false, {}, {}};
    for (double t : svg::ticks(axis, 8)) {
        const double x = scale.x(Seconds(t));
        out.line({x, top}, {x, bottom}, {svg::grid, 1, {}});
        const bool last = x > left + plot_width - 20;
        out.text({x, bottom + 15}, t > 0 ? format(Seconds(t)) : "0",
                 {11, svg::muted, last ? svg::Anchor::end : svg::Anchor::middle});
    }
}

std::string shares_text(const Timeline& t) {
    const double end = t.end.si() > 0 ? t.end.si() : 1;
    return fmt::format("compute {}, hidden communication {}, exposed {}, idle {}",
                       format_percent(t.shares.compute.si() / end), format_percent(t.shares.hidden.si() / end),
                       format_percent(t.shares.exposed.si() / end), format_percent(t.shares.idle.si() / end));
}

double block_height(const Timeline& t) { return 34 + double(t.streams.size()) * row + 36; }

/// Draws one timeline with its heading; returns the y below it.
double draw_timeline(svg::Writer& out, const Timeline& timeline, const std::string& heading, double y) {
    const Scale scale{timeline.end.si() > 0 ? timeline.end : Seconds(1)};
    const std::string shares = shares_text(timeline);
    out.text({20, y + 16}, svg::shortened(heading, width - 60 - svg::text_width(shares, 11), 12, true),
             {12, svg::ink, svg::Anchor::start, true});
    out.text({width - right, y + 16}, shares, {11, svg::muted, svg::Anchor::end});
    const double top = y + 30, bottom = top + double(timeline.streams.size()) * row;
    draw_axis(out, scale, top, bottom);
    for (std::size_t i = 0; i < timeline.streams.size(); ++i) {
        out.text({left - 10, top + double(i) * row + row / 2 + 4},
                 svg::shortened(timeline.streams[i].name, left - 24, 11), {11, svg::ink, svg::Anchor::end});
        out.rect(left, top + double(i) * row + (row - bar) / 2, plot_width, bar, "none", {svg::grid, 1, {}}, 2);
    }
    for (const Bar& b : coalesced(timeline, scale)) {
        const auto& stream = timeline.streams[std::size_t(b.stream)];
        draw_bar(out, scale, b, top + double(b.stream) * row + (row - bar) / 2, color_of(stream, b.bound));
    }
    return y + block_height(timeline);
}

void draw_legend(svg::Writer& out, const Timeline& timeline, double y) {
    double x = left;
    const auto entry = [&](std::string_view color, std::string_view text) {
        if (x + 17 + svg::text_width(text, 11) > width - right) return;
        out.fill(x, y - 10, 12, 12, color);
        out.text({x + 17, y}, text, {11, svg::muted});
        x += 34 + svg::text_width(text, 11);
    };
    entry(svg::blue, "compute-bound");
    entry(svg::sky, "memory-bound");
    entry(svg::green, "launch-bound");
    entry(svg::bar_grey, "overhead");
    for (const auto& stream : timeline.streams)
        if (stream.level >= 0) entry(color_of(stream, Bound::bandwidth), stream.name);
}

}  // namespace

std::string layer_timeline_svg(const Report& report) {
    constexpr std::string_view title = "Timeline of one layer";
    if (!report.prediction) return svg::empty_figure(title, report.prediction.error().message);
    double height = 40;
    for (const auto& layer : report.prediction->layers) height += block_height(layer.timeline);
    svg::Writer out(width, height, title);
    double y = 6;
    for (const auto& layer : report.prediction->layers) {
        const auto heading =
            fmt::format("{}: one of {} layers, {}", layer.label, layer.count, format(layer.timeline.end));
        y = draw_timeline(out, layer.timeline, heading, y);
    }
    draw_legend(out, report.prediction->step, height - 12);
    return std::move(out).finish();
}

std::string step_timeline_svg(const Report& report) {
    constexpr std::string_view title = "Timeline of the whole step";
    if (!report.prediction) return svg::empty_figure(title, report.prediction.error().message);
    const auto& step = report.prediction->step;
    const double height = block_height(step) + 40;
    svg::Writer out(width, height, title);
    draw_timeline(out, step, "The whole step: " + format(step.end), 6);
    draw_legend(out, report.prediction->step, height - 12);
    return std::move(out).finish();
}

}  // namespace crosspoint
