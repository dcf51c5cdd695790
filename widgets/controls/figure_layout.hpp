// How wide the cards of the strip must be and where they go. Private to widgets/controls.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <QRect>

#include "widgets/controls/figure_strip.hpp"

namespace crosspoint::ui {

/// Two lines: the change beside the label. Three: the change below the value, for narrow cards.
enum class CardLines { two, three };

struct FigureLayout {
    CardLines lines = CardLines::two;
    std::vector<QRect> cards;  ///< figures, then the review card when there is one
    int height = 0;
};

/// What stands beside the label or below the value: the change, or else the note.
QString card_remark(const FigureCardData& card);
/// The counts that are shown, in their order.
std::array<std::pair<Severity, int>, 3> review_counts(const ReviewCounts& review);
/// Width that each count of the review card needs.
std::vector<int> review_columns(const ReviewCounts& review, const Theme& theme, CardLines lines);
/// One row when all fits in it, with two lines or with three; else as few rows of three-line cards as it takes.
FigureLayout figure_layout(const FigureStripData& data, const Theme& theme, int width);
/// Narrowest width at which no text is cut.
int smallest_width(const FigureStripData& data, const Theme& theme);

}  // namespace crosspoint::ui
