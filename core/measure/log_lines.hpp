// Private to core/measure: lines of pasted text without what terminals, launchers and mail put around them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosspoint::measure {

struct Line {
    int number = 0;                         ///< 1-based, in the text as given
    std::string text;                       ///< cleaned
    std::vector<std::string_view> words{};  ///< of `text`, without rank labels
};

/// Drops a byte order mark, carriage returns, ANSI codes and zero bytes; at line start quotes ("> "), "[1,0]<stdout>:",
/// "0: " and "[0] "; as words everywhere "0:", "[0]" and "[1,0]<stdout>:". `words` view into `text`: the vector's lines
/// may be moved as a whole only.
std::vector<Line> clean_lines(std::string_view text);

/// A finite number; "N/A", "nan", "inf" are none.
std::optional<double> number(std::string_view word);
/// A whole number that is not negative.
std::optional<double> whole(std::string_view word);
/// Half a unit of the last printed digit: "14.26" 0.005, "1.6e+07" 0.05e7.
double half_digit(std::string_view word);
bool contains(std::string_view text, std::string_view part);
std::string lower(std::string_view text);
/// The first whole number after `label` in the text ("nGpus 8", "pairs: 4").
std::optional<double> number_after(std::string_view text, std::string_view label);
/// NAME=value as a line or after "export"; its value is never kept.
bool is_environment(const Line& line);

}  // namespace crosspoint::measure
