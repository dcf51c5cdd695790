#include "core/measure/nccl_rows.hpp"

#include <algorithm>
#include <array>

namespace crosspoint::measure {
namespace {

using Words = std::vector<std::string_view>;

bool is_value(std::string_view word) {
    const std::string plain = lower(word);
    return number(word) || plain == "n/a" || plain == "nan" || plain == "-nan" || plain == "inf" || plain == "-inf";
}

bool is_reduction(std::string_view word) {
    constexpr std::array names{"sum", "prod", "min", "max", "avg", "none", "mulsum", "all"};
    return std::find(names.begin(), names.end(), word) != names.end();
}

/// "2025-01-31 12:30:05" at the end, as -S 1 prints it.
bool ends_with_time(const Words& words) {
    if (words.size() < 2) return false;
    const auto counts = [](std::string_view w, char c) { return std::count(w.begin(), w.end(), c); };
    return counts(words.back(), ':') == 2 && counts(words[words.size() - 2], '-') == 2;
}

/// Position of the type word that follows two whole numbers; 0 when there is none.
std::size_t type_at(const Words& words) {
    for (std::size_t i = 2; i < words.size() && i < 12; ++i)
        if (element_bytes(words[i]) && whole(words[i - 1]) && whole(words[i - 2])) return i;
    return 0;
}

std::optional<BytesPerSecond> rate(std::string_view word) {
    const auto value = number(word);
    if (!value || *value < 0) return std::nullopt;
    return BytesPerSecond(*value * 1e9);
}

/// time, algbw, busbw, #wrong at `words`; empty when the time is blank.
std::optional<Timing> timing_of(const std::string_view* words) {
    const auto time = number(words[0]);
    if (!time || *time < 0) return std::nullopt;
    Timing t;
    t.time = Seconds(*time * 1e-6);
    t.time_step = half_digit(words[0]) * 1e-6;
    t.algorithm_bandwidth = rate(words[1]);
    t.bus_bandwidth = rate(words[2]);
    t.bandwidth_step = half_digit(words[1]) * 1e9;
    return t;
}

void read_ids(const Words& words, std::size_t type, std::size_t values, RowIds& ids) {
    ids.type = std::string(words[type]);
    ids.bytes = whole(words[type - 2]);
    ids.count = whole(words[type - 1]);
    for (std::size_t i = type + 1; i < values; ++i) {
        if (is_reduction(words[i])) ids.reduction = std::string(words[i]);
        else if (const auto root = number(words[i])) ids.root = root;
    }
}

/// How many blocks end the row, by the count of its values; 0 when there are too few.
int blocks_in(std::size_t values, const Layout& layout) {
    const auto width = std::size_t(layout.width);
    if (layout.stated && layout.blocks == 1) return values >= width ? 1 : 0;
    if (values >= 2 * width) return 2;
    return values == width || values == width + 1 ? 1 : 0;  // a blank block, or a table made by hand
}

}  // namespace

std::optional<Layout> header_of(const Line& line) {
    Layout layout;
    layout.stated = true;
    layout.blocks = 0;
    int width = 0, last = 0;
    for (const std::string_view word : line.words) {
        const bool time = word == "time" || word == "cputime";
        if (time) {
            if (layout.blocks > 0) last = width;
            ++layout.blocks;
            width = 0;
        }
        if (word == "timestamp") layout.timestamp = true;
        else if (layout.blocks > 0 && word != "#") ++width;
        if (word == "error") layout.counts_wrong = false;
        if (word == "cputime") layout.cpu_time = true;
    }
    if (layout.blocks < 1 || layout.blocks > 2 || !contains(line.text, "algbw") || !contains(line.text, "busbw"))
        return std::nullopt;
    layout.width = std::clamp(layout.blocks == 2 ? last : width, 3, 8);
    return layout;
}

RowKind row_of(const Line& line, const Layout& layout, NcclRow& out) {
    Words words = line.words;
    if (ends_with_time(words)) words.resize(words.size() - 2);
    const std::size_t type = type_at(words);
    if (type == 0) return RowKind::none;
    std::size_t first = words.size();
    while (first > type + 1 && is_value(words[first - 1])) --first;
    const int blocks = blocks_in(words.size() - first, layout);
    if (blocks == 0) return RowKind::cut;
    const auto width = std::size_t(layout.width);
    const std::size_t values = words.size() - width * std::size_t(blocks);
    read_ids(words, type, values, out.ids);
    out.row.size = Bytes(out.ids.bytes.value_or(0));
    out.row.line = line.number;
    const auto add = [&](std::size_t at, std::optional<Timing>& to) {
        to = timing_of(&words[at]);
        if (layout.counts_wrong && width >= 4) out.wrong += std::max(0.0, number(words[at + 3]).value_or(0));
    };
    const bool blank_first = blocks == 1 && layout.stated && layout.blocks == 2;
    add(values, blank_first ? out.row.in_place : out.row.out_of_place);
    if (blocks == 2) add(values + width, out.row.in_place);
    return out.row.out_of_place || out.row.in_place ? RowKind::row : RowKind::cut;
}

}  // namespace crosspoint::measure
