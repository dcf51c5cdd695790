#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/economics/serving.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

/// The batch at which a power law through two points reaches `target`; the nearer end when the law is flat.
double batch_at(double batch0, double y0, double batch1, double y1, double target) {
    if (!(y0 > 0) || !(y1 > 0) || !(target > 0) || y0 == y1) return batch0;
    const double share = std::clamp(std::log(target / y0) / std::log(y1 / y0), 0.0, 1.0);
    return batch0 * std::pow(batch1 / batch0, share);
}

struct End {
    std::optional<std::int64_t> batch;
    std::string reason;
};

bool cheap(const BatchPoint& p, DollarsPerToken target) { return p.price.si() > 0 && p.price <= target; }

/// Smallest batch that is cheap enough.
End low_end(std::span<const BatchPoint> points, const std::optional<DollarsPerToken>& target) {
    if (!target) return {points.front().batch, "no price target"};
    const std::string reason = "price " + format(*target);
    const auto first = std::find_if(points.begin(), points.end(), [&](const auto& p) { return cheap(p, *target); });
    if (first == points.end()) return {std::nullopt, reason};
    if (first == points.begin()) return {first->batch, reason};
    const auto& before = *(first - 1);
    const double exact =
        batch_at(double(before.batch), price_of(before), double(first->batch), price_of(*first), target->si());
    const auto whole = std::int64_t(std::ceil(exact - 1e-9));
    return {std::clamp(whole, before.batch + 1, first->batch), reason};
}

/// Largest batch that is fast enough and fits.
End high_end(std::span<const BatchPoint> points, const std::optional<Seconds>& target) {
    const std::string latency = target ? "latency " + format(*target) : "no latency target";
    const auto stop = std::find_if(points.begin(), points.end(),
                                   [&](const auto& p) { return !p.fits || (target && p.step > *target); });
    if (stop == points.end()) return {points.back().batch, latency};
    const std::string reason = stop->fits ? latency : "memory";
    if (stop == points.begin()) return {std::nullopt, reason};
    const auto& last = *(stop - 1);
    if (!stop->fits) return {last.batch, reason};
    const double exact = batch_at(double(last.batch), step_of(last), double(stop->batch), step_of(*stop), target->si());
    const auto whole = std::int64_t(std::floor(exact + 1e-9));
    return {std::clamp(whole, last.batch, std::max(last.batch, stop->batch - 1)), reason};
}

std::string too_slow(std::span<const BatchPoint> points, const BatchWindow& w) {
    if (w.high_reason == "memory")
        return fmt::format(
            "Not even batch {} fits in memory: move the memory end (fewer bytes a weight, more "
            "accelerators, a shorter context).",
            points.front().batch);
    return fmt::format(
        "No batch meets {}: batch {} already takes {}. Move the latency end: allow {} or use faster "
        "hardware.",
        w.high_reason, points.front().batch, format(points.front().step), format(points.front().step));
}

std::string too_dear(std::span<const BatchPoint> points, const BatchWindow& w) {
    const auto best = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
        return (a.price.si() > 0 ? a.price.si() : HUGE_VAL) < (b.price.si() > 0 ? b.price.si() : HUGE_VAL);
    });
    if (!(best->price.si() > 0)) return "No accelerator price is known, so no batch can be called cheap enough.";
    return fmt::format(
        "No batch reaches {}: the cheapest is {} at batch {}. Move the price end: accept {} or rent "
        "cheaper accelerators.",
        w.low_reason, format(best->price), best->batch, format(best->price));
}

std::string crossed(std::span<const BatchPoint> points, const BatchWindow& w) {
    const Seconds needed(swept(points, double(*w.smallest), step_of));
    const DollarsPerToken offered(swept(points, double(*w.largest), price_of));
    const std::string low = fmt::format("{} needs batch {} or more, {} stops at {}. ", w.low_reason, *w.smallest,
                                        w.high_reason, *w.largest);
    if (w.high_reason == "memory")
        return fmt::format("The window is empty: {}Move the memory end, or accept {}.", low, format(offered));
    return fmt::format("The window is empty: {}Move the latency end to {} or the price end to {}.", low, format(needed),
                       format(offered));
}

std::string open_window(const BatchWindow& w) {
    return fmt::format("Batches {} to {} are inside the window (low end: {}; high end: {}).", *w.smallest, *w.largest,
                       w.low_reason, w.high_reason);
}

}  // namespace

BatchWindow batch_window(std::span<const BatchPoint> points, const Targets& targets, Phase phase) {
    BatchWindow window;
    if (points.empty()) {
        window.finding = "No batch was evaluated.";
        return window;
    }
    const End low = low_end(points, targets.output_price);
    const End high = high_end(points, phase == Phase::decode ? targets.inter_token : targets.first_token);
    window.smallest = low.batch;
    window.largest = high.batch;
    window.low_reason = low.reason;
    window.high_reason = high.reason;
    window.empty = !low.batch || !high.batch || *low.batch > *high.batch;
    if (!high.batch) window.finding = too_slow(points, window);
    else if (!low.batch) window.finding = too_dear(points, window);
    else window.finding = window.empty ? crossed(points, window) : open_window(window);
    return window;
}

}  // namespace crosspoint
