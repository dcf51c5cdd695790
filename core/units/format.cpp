#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/units/text.hpp"
#include "core/units/unit_table.hpp"

namespace crosspoint {
namespace {

struct Step {
    double scale;
    const char* symbol;
};

/// Ascending units for people, and where the next one takes over.
struct Ladder {
    std::vector<Step> steps;
    double limit = 1000;
    bool whole_base = false;   ///< counts: whole numbers of the base unit are shown without decimals
    bool plain_below = false;  ///< money: below the first unit as "0.0123", not as "1.23e-02"
};

int clamped(int digits) { return std::clamp(digits, 1, 17); }

/// `value` rounded to significant digits, in fixed notation.
std::string rounded(double value, int digits) {
    const std::string scientific = fmt::format("{:.{}e}", value, clamped(digits) - 1);
    const std::size_t e = scientific.find('e');
    const double exponent = parse_number(scientific.substr(scientific[e + 1] == '+' ? e + 2 : e + 1)).value_or(0);
    const double nearest = parse_number(scientific).value_or(value);
    const int decimals = std::max(0, clamped(digits) - 1 - static_cast<int>(exponent));
    return fmt::format("{:.{}f}", nearest, decimals);
}

std::string on_step(double value, const Step& step, std::string number) {
    return units::with_unit(value < 0 ? "-" + number : number, step.symbol);
}

/// A magnitude beyond either end of the ladder.
std::string scientific(double value, double magnitude, const Step& base, int digits) {
    return on_step(value, base, fmt::format("{:.{}e}", magnitude / base.scale, clamped(digits) - 1));
}

const Step& base_step(const Ladder& ladder) {
    for (const Step& step : ladder.steps)
        if (step.scale == 1) return step;
    return ladder.steps.front();
}

std::string on_ladder(double value, int digits, const Ladder& ladder) {
    const Step& base = base_step(ladder);
    const double magnitude = std::abs(value);
    if (std::isnan(value)) return "n/a";
    if (std::isinf(value)) return on_step(value, base, "\xE2\x88\x9E");
    if (magnitude == 0) return on_step(0, base, "0");
    for (const Step& step : ladder.steps) {
        const bool first = &step == &ladder.steps.front();
        // Below 1 beyond the first step only when the step before rounded up to its limit.
        const double mantissa = first ? magnitude / step.scale : std::max(1.0, magnitude / step.scale);
        if (mantissa >= ladder.limit) continue;  // rounding cannot bring it below: spare the conversions
        std::string text = rounded(mantissa, digits);
        const double shown = parse_number(text).value_or(mantissa);
        if (shown >= ladder.limit) continue;
        if (shown < 1 && first && !(ladder.plain_below && mantissa >= 1e-6)) break;
        if (ladder.whole_base && step.scale == 1 && mantissa == std::floor(mantissa))
            text = fmt::format("{:.0f}", mantissa);
        return on_step(value, step, std::move(text));
    }
    return scientific(value, magnitude, base, digits);
}

std::vector<Step> decimal(std::initializer_list<const char*> symbols) {
    std::vector<Step> steps;
    double scale = 1;
    for (const char* symbol : symbols) {
        steps.push_back({scale, symbol});
        scale *= 1000;
    }
    return steps;
}

}  // namespace

std::string format(Seconds t, int digits) {
    static const Ladder ladder{{{1e-12, "ps"},
                                {1e-9, "ns"},
                                {1e-6, "\xC2\xB5s"},
                                {1e-3, "ms"},
                                {1, "s"},
                                {60, "min"},
                                {3600, "h"},
                                {86400, "d"}}};
    return on_ladder(t.si(), digits, ladder);
}

std::string format(Bytes n, int digits) {
    static const Ladder ladder{decimal({"B", "kB", "MB", "GB", "TB", "PB", "EB"}), 1000, true};
    return on_ladder(n.si(), digits, ladder);
}

std::string format_binary(Bytes n, int digits) {
    static const Ladder ladder{
        {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}, {0x1p50, "PiB"}}, 1024, true};
    return on_ladder(n.si(), std::max(digits, 1), ladder);
}

std::string format(BytesPerSecond b, int digits) {
    static const Ladder ladder{decimal({"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"})};
    return on_ladder(b.si(), digits, ladder);
}

std::string format_bits(BytesPerSecond b, int digits) {
    static const Ladder ladder{decimal({"b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s", "Pb/s", "Eb/s"})};
    return on_ladder(b.si() * 8, digits, ladder);
}

std::string format(Flops f, int digits) {
    static const Ladder ladder{decimal({"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"}), 1000, true};
    return on_ladder(f.si(), digits, ladder);
}

std::string format(FlopsPerSecond f, int digits) {
    static const Ladder ladder{decimal({"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s", "EFLOP/s"})};
    return on_ladder(f.si(), digits, ladder);
}

std::string format(FlopsPerByte f, int digits) {
    static const Ladder ladder{decimal({"FLOP/B", "kFLOP/B", "MFLOP/B"}), 1000, false, true};
    return on_ladder(f.si(), digits, ladder);
}

std::string format(Dollars d, int digits) {
    static const Ladder ladder{decimal({"USD", "USDk", "USDM", "USDbn"}), 1000, false, true};
    return on_ladder(d.si(), digits, ladder);
}

std::string format(DollarsPerSecond d, int digits) {
    static const Ladder ladder{decimal({"USD/h", "USDk/h", "USDM/h", "USDbn/h"}), 1000, false, true};
    return on_ladder(d.si() * 3600, digits, ladder);
}

std::string format(DollarsPerToken d, int digits) {
    static const Ladder ladder{decimal({"USD/M tokens", "USDk/M tokens", "USDM/M tokens", "USDbn/M tokens"}), 1000,
                               false, true};
    return on_ladder(d.si() * 1e6, digits, ladder);
}

std::string format(TokensPerSecond t, int digits) {
    static const Ladder ladder{decimal({"tok/s", "ktok/s", "Mtok/s", "Gtok/s"}), 1000, false, true};
    return on_ladder(t.si(), digits, ladder);
}

std::string format(Watts w, int digits) {
    static const Ladder ladder{{{1e-3, "mW"}, {1, "W"}, {1e3, "kW"}, {1e6, "MW"}, {1e9, "GW"}}};
    return on_ladder(w.si(), digits, ladder);
}

std::string format_count(double n, int digits) {
    static const Ladder ladder{decimal({"", "k", "M", "G", "T", "P"}), 1000, true, true};
    return on_ladder(n, digits, ladder);
}

std::string format_percent(double share, int digits) {
    if (!std::isfinite(share)) return std::isnan(share) ? "n/a" : (share < 0 ? "-\xE2\x88\x9E %" : "\xE2\x88\x9E %");
    if (share == 0) return "0 %";
    const double percent = std::abs(share) * 100;
    std::string number = percent < 1e-6 || percent >= 1e15
                             ? fmt::format("{:.{}e}", percent, clamped(digits) - 1)
                             : rounded(percent, std::max(digits, percent >= 99.5 ? 3 : 1));
    return (share < 0 ? "-" : "") + number + " %";
}

}  // namespace crosspoint
