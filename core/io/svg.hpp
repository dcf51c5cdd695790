// A small SVG writer: shapes and escaped text, plain numbers, the same bytes on every machine.
// Palette: Okabe and Ito's colours for colour-blind readers (jfly.uni-koeln.de/color), greys for structure.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace crosspoint::svg {

inline constexpr std::string_view blue = "#0072B2", orange = "#E69F00", green = "#009E73", vermilion = "#D55E00",
                                  pink = "#CC79A7", sky = "#56B4E9";
inline constexpr std::string_view ink = "#1B2430", muted = "#5B6675", grid = "#E1E5EB", line_grey = "#B4BCC8",
                                  panel = "#F5F7FA", white = "#FFFFFF", bar_grey = "#8B95A3";
inline constexpr std::array<std::string_view, 6> palette{blue, vermilion, green, orange, pink, sky};
/// Darker forms of the same hues for text: contrast at least 4.5:1 on white.
inline constexpr std::array<std::string_view, 6> text_palette{"#0072B2", "#B34F00", "#00755A",
                                                              "#8A5F00", "#9C4D7B", "#1F6F9E"};

struct Point {
    double x = 0, y = 0;
};

struct Stroke {
    std::string_view color = ink;
    double width = 1;
    std::string_view dash = {};  ///< "4 3"; empty = solid
};

enum class Anchor { start, middle, end };

struct TextStyle {
    double size = 12;
    std::string_view color = ink;
    Anchor anchor = Anchor::start;
    bool bold = false;
};

/// Width of a text in DejaVu Sans, in units of `size`; other fonts of the family list are narrower.
double text_width(std::string_view utf8, double size, bool bold = false);
/// The text, or its beginning with an ellipsis that fits into `width`; empty when not even three letters fit.
std::string shortened(std::string_view utf8, double width, double size, bool bold = false);
std::string escaped(std::string_view text);
/// At most two decimals, no trailing zeros.
std::string coordinate(double value);
/// White or dark, whichever reads better on `fill`.
std::string_view text_on(std::string_view fill);

class Writer {
public:
    /// `title` is read out by screen readers.
    Writer(double width, double height, std::string_view title);
    void rect(double x, double y, double width, double height, std::string_view fill, const Stroke& stroke,
              double radius = 0, std::string_view tooltip = {});
    void fill(double x, double y, double width, double height, std::string_view color, double opacity = 1);
    void line(Point a, Point b, const Stroke& stroke);
    void polyline(std::span<const Point> points, const Stroke& stroke);
    void circle(Point center, double radius, std::string_view fill, const Stroke& stroke);
    void text(Point baseline, std::string_view utf8, const TextStyle& style = {});
    /// Everything up to close() is scaled, then moved.
    void open(double dx, double dy, double scale);
    void close();
    [[nodiscard]] std::string finish() &&;

private:
    std::string out_;
};

/// A figure that says why there is nothing to draw.
std::string empty_figure(std::string_view title, std::string_view reason);

}  // namespace crosspoint::svg
