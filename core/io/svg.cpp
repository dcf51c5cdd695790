#include "core/io/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

namespace crosspoint::svg {
namespace {

/// Advance widths of DejaVu Sans 2.37, U+0020 to U+007E, in thousandths of the size.
constexpr std::array<short, 95> advances{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
/// Bold letters of the same family are at most this much wider (0.636 against 0.696 for digits, 592 to 652 for v).
constexpr double bold_factor = 1.13;
/// Anything outside ASCII: micro sign 636, times 838, en dash 500, ellipsis 1000; the common case.
constexpr double other_advance = 838;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

double advance(char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 32 && u < 127 ? advances[u - 32u] : other_advance;
}

std::string stroke_attributes(const Stroke& stroke) {
    if (stroke.width <= 0) return {};
    std::string text = fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", stroke.color, coordinate(stroke.width));
    if (!stroke.dash.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dash);
    return text;
}

std::string_view anchor_name(Anchor a) { return a == Anchor::start ? "start" : a == Anchor::middle ? "middle" : "end"; }

int hex(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

/// Relative luminance as WCAG 2 defines it.
double luminance(std::string_view color) {
    const auto channel = [&](std::size_t at) {
        const double v = (hex(color[at]) * 16 + hex(color[at + 1])) / 255.0;
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return color.size() == 7 ? 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5) : 1;
}

}  // namespace

double text_width(std::string_view utf8, double size, bool bold) {
    double sum = 0;
    for (char c : utf8)
        if (!continues(c)) sum += advance(c);
    return sum * size / 1000 * (bold ? bold_factor : 1);
}

std::string shortened(std::string_view utf8, double width, double size, bool bold) {
    if (text_width(utf8, size, bold) <= width) return std::string(utf8);
    const double room = width - text_width("\u2026", size, bold);
    std::size_t end = 0, letters = 0;
    double used = 0;
    for (std::size_t i = 0; i < utf8.size();) {
        std::size_t next = i + 1;
        while (next < utf8.size() && continues(utf8[next])) ++next;
        used += text_width(utf8.substr(i, next - i), size, bold);
        if (used > room) break;
        end = i = next;
        ++letters;
    }
    while (end > 0 && utf8[end - 1] == ' ') --end;
    return letters < 3 ? std::string() : std::string(utf8.substr(0, end)) + "\u2026";
}

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char c : text) {
        if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '&') out += "&amp;";
        else if (c == '"') out += "&quot;";
        else if (static_cast<unsigned char>(c) < 0x20) out += ' ';
        else out += c;
    }
    return out;
}

std::string coordinate(double value) {
    if (!std::isfinite(value)) return "0";
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string_view text_on(std::string_view fill) {
    const double l = luminance(fill);
    return 1.05 / (l + 0.05) >= 4.5 ? white : ink;
}

Writer::Writer(double width, double height, std::string_view title) {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "font-family=\"DejaVu Sans, Arial, sans-serif\">\n<title>{2}</title>\n",
        coordinate(width), coordinate(height), escaped(title));
    fill(0, 0, width, height, white);
}

void Writer::rect(double x, double y, double width, double height, std::string_view color, const Stroke& stroke,
                  double radius, std::string_view tooltip) {
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", coordinate(x), coordinate(y),
                        coordinate(width), coordinate(height), color);
    if (radius > 0) out_ += fmt::format(" rx=\"{}\"", coordinate(radius));
    out_ += stroke_attributes(stroke);
    out_ += tooltip.empty() ? std::string("/>\n") : fmt::format("><title>{}</title></rect>\n", escaped(tooltip));
}

void Writer::fill(double x, double y, double width, double height, std::string_view color, double opacity) {
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", coordinate(x), coordinate(y),
                        coordinate(width), coordinate(height), color);
    if (opacity < 1) out_ += fmt::format(" fill-opacity=\"{}\"", coordinate(opacity));
    out_ += "/>\n";
}

void Writer::line(Point a, Point b, const Stroke& stroke) {
    out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", coordinate(a.x), coordinate(a.y),
                        coordinate(b.x), coordinate(b.y), stroke_attributes(stroke));
}

void Writer::polyline(std::span<const Point> points, const Stroke& stroke) {
    out_ += "<polyline fill=\"none\" points=\"";
    for (std::size_t i = 0; i < points.size(); ++i)
        out_ += fmt::format("{}{},{}", i ? " " : "", coordinate(points[i].x), coordinate(points[i].y));
    out_ += fmt::format("\"{}/>\n", stroke_attributes(stroke));
}

void Writer::circle(Point center, double radius, std::string_view color, const Stroke& stroke) {
    out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}/>\n", coordinate(center.x),
                        coordinate(center.y), coordinate(radius), color, stroke_attributes(stroke));
}

void Writer::text(Point baseline, std::string_view utf8, const TextStyle& style) {
    if (utf8.empty()) return;
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", coordinate(baseline.x),
                        coordinate(baseline.y), coordinate(style.size), style.color);
    if (style.anchor != Anchor::start) out_ += fmt::format(" text-anchor=\"{}\"", anchor_name(style.anchor));
    if (style.bold) out_ += " font-weight=\"bold\"";
    out_ += fmt::format(">{}</text>\n", escaped(utf8));
}

void Writer::open(double dx, double dy, double scale) {
    out_ += fmt::format("<g transform=\"translate({} {}) scale({:.5f})\">\n", coordinate(dx), coordinate(dy), scale);
}

void Writer::close() { out_ += "</g>\n"; }

std::string Writer::finish() && { return std::move(out_) + "</svg>\n"; }

std::string empty_figure(std::string_view title, std::string_view reason) {
    const double width = 760;
    Writer svg(width, 90, title);
    svg.text({20, 34}, title, {14, ink, Anchor::start, true});
    svg.text({20, 60}, shortened(reason, width - 40, 12), {12, muted});
    return std::move(svg).finish();
}

}  // namespace crosspoint::svg
