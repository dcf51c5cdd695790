#include "widgets/controls/figure_layout.hpp"

#include <algorithm>
#include <numeric>

#include <QFontMetrics>

namespace crosspoint::ui {
namespace {

constexpr int kPadding = 10;      // px inside a card, left and right
constexpr int kSpacing = 6;       // px between cards
constexpr int kMark = 14;         // px for the confidence mark beside the label
constexpr int kTwoLines = 56;     // px high
constexpr int kThreeLines = 70;   // px high
constexpr int kReviewShape = 19;  // px of the shape and the gap after it
constexpr int kReviewGap = 12;    // px between counts

int text_width(const QFont& font, const QString& text) { return QFontMetrics(font).horizontalAdvance(text); }

int card_width(const FigureCardData& card, const Theme& theme, CardLines lines) {
    const QFont small = theme.secondaryFont();
    const int remark = text_width(small, card_remark(card));
    const int head = text_width(small, card.label) + (card.confidence.isEmpty() ? 0 : kMark);
    const int value = text_width(theme.figureFont(), card.text);
    const int top = lines == CardLines::two && remark > 0 ? head + 10 + remark : head;
    return std::max({top, value, lines == CardLines::three ? remark : 0}) + 2 * kPadding;
}

int review_width(const ReviewCounts& review, const Theme& theme, CardLines lines) {
    int width = 2 * kPadding;
    for (const int column : review_columns(review, theme, lines)) width += column;
    return width;
}

std::vector<int> widths(const FigureStripData& data, const Theme& theme, CardLines lines) {
    std::vector<int> all;
    for (const FigureCardData& card : data.figures) all.push_back(card_width(card, theme, lines));
    if (data.review) all.push_back(review_width(*data.review, theme, lines));
    return all;
}

int total(const std::vector<int>& needed, std::size_t from, std::size_t to) {
    return std::accumulate(needed.begin() + std::ptrdiff_t(from), needed.begin() + std::ptrdiff_t(to), 0) +
           kSpacing * std::max(int(to - from) - 1, 0);
}

void place_row(FigureLayout& layout, const std::vector<int>& needed, std::size_t from, std::size_t to, int y, int width,
               int height) {
    const int count = int(to - from);
    const int spare = std::max(width - total(needed, from, to), 0);
    int x = 0;
    for (int i = 0; i < count; ++i) {
        const int extra = spare * (i + 1) / count - spare * i / count;
        const int w = needed[from + std::size_t(i)] + extra;
        layout.cards.emplace_back(x, y, w, height);
        x += w + kSpacing;
    }
}

/// Ends of the rows, as even in number of cards as their widths allow; the fewest rows.
std::vector<std::size_t> row_ends(const std::vector<int>& needed, int width) {
    for (std::size_t rows = 1; rows <= needed.size(); ++rows) {
        std::vector<std::size_t> ends;
        bool fits = true;
        for (std::size_t row = 0, from = 0; row < rows; ++row) {
            const std::size_t to = (needed.size() * (row + 1) + rows - 1) / rows;
            fits = fits && total(needed, from, to) <= width;
            ends.push_back(to);
            from = to;
        }
        if (fits || rows == needed.size()) return ends;
    }
    return {};
}

}  // namespace

QString card_remark(const FigureCardData& card) { return card.change.isEmpty() ? card.note : card.change; }

std::vector<int> review_columns(const ReviewCounts& review, const Theme& theme, CardLines lines) {
    std::vector<int> columns;
    for (const auto& [severity, count] : review_counts(review)) {
        const int number = kReviewShape + text_width(theme.figureFont(), QString::number(count));
        const int word = text_width(theme.secondaryFont(), severityWord(severity));
        columns.push_back((lines == CardLines::two ? number + 5 + word : std::max(number, word)) + kReviewGap);
    }
    return columns;
}

std::array<std::pair<Severity, int>, 3> review_counts(const ReviewCounts& review) {
    return {{{Severity::fail, review.fail}, {Severity::attention, review.attention}, {Severity::pass, review.pass}}};
}

FigureLayout figure_layout(const FigureStripData& data, const Theme& theme, int width) {
    FigureLayout layout;
    std::vector<int> needed = widths(data, theme, CardLines::two);
    layout.height = kTwoLines;
    if (needed.empty()) return layout;
    if (total(needed, 0, needed.size()) > width) {
        layout.lines = CardLines::three;
        needed = widths(data, theme, CardLines::three);
    }
    const int height = layout.lines == CardLines::two ? kTwoLines : kThreeLines;
    int y = 0;
    std::size_t from = 0;
    for (const std::size_t to : row_ends(needed, width)) {
        place_row(layout, needed, from, to, y, width, height);
        y += height + kSpacing;
        from = to;
    }
    layout.height = y - kSpacing;
    return layout;
}

int smallest_width(const FigureStripData& data, const Theme& theme) {
    int widest = 120;
    for (const int w : widths(data, theme, CardLines::three)) widest = std::max(widest, w);
    return widest;
}

}  // namespace crosspoint::ui
