#include "core/economics/serving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr double low_tail = 0.05, high_tail = 0.95;

/// Largest batch of the points that fits in memory and meets the target.
double largest_batch(const ServingInput& in) {
    double largest = 0;
    for (const BatchPoint& p : in.points)
        if (p.fits && (!in.latency || p.step <= *in.latency)) largest = std::max(largest, double(p.batch));
    return largest;
}

DollarsPerToken price_at(const ServingInput& in, double batch) {
    if (!(batch > 0)) return {};
    return DollarsPerToken(in.accelerators_per_replica * in.price.si() * swept(in.points, batch, step_of) / batch);
}

std::string money(DollarsPerToken price) { return format(price); }

std::string finding_of(const ServingReport& r) {
    if (!(r.largest > 0)) return "No batch meets the latency target and fits in memory: nothing can be served.";
    if (!r.batch)
        return fmt::format(
            "Overloaded: the fleet carries {:.0f} % of the load at batch {:.0f}; {:.0f} replicas ({:.0f} "
            "accelerators) would carry it.",
            100 / r.utilisation, r.largest, r.replicas_needed, r.accelerators_needed);
    return fmt::format(
        "The load forms a batch of {:.0f} ({:.0f} to {:.0f} most of the time) at {}: {} for output, {} in the "
        "low tail. Queue {}, prefill {}, decode {} a request.",
        *r.batch, r.batch_low, r.batch_high, format(r.step), money(r.output_price), money(r.low_batch_price),
        format(r.queue), format(r.prefill), format(r.decode));
}

const BatchPoint* point_at(std::span<const BatchPoint> points, std::int64_t batch) {
    const auto it = std::find_if(points.begin(), points.end(), [&](const BatchPoint& p) { return p.batch == batch; });
    return it == points.end() ? nullptr : &*it;
}

double over(double a, double b) { return b > 0 ? a / b : 0; }

}  // namespace

double step_of(const BatchPoint& p) { return p.step.si(); }
double price_of(const BatchPoint& p) { return p.price.si(); }

double swept(std::span<const BatchPoint> points, double batch, double (*figure)(const BatchPoint&)) {
    if (points.empty()) return 0;
    if (batch <= double(points.front().batch)) return figure(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (batch > double(points[i].batch)) continue;
        const double b0 = double(points[i - 1].batch), b1 = double(points[i].batch);
        const double y0 = figure(points[i - 1]), y1 = figure(points[i]);
        if (!(y0 > 0) || !(y1 > 0) || b0 >= b1) return y1;
        return y0 * std::pow(y1 / y0, std::log(batch / b0) / std::log(b1 / b0));
    }
    return figure(points.back());
}

std::optional<double> effective_batch(std::span<const BatchPoint> points, TokensPerSecond rate, double largest) {
    if (points.empty() || !(rate.si() > 0) || !(largest > 0)) return std::nullopt;
    const auto behind = [&](double b) {
        return rate.si() * swept(points, b, step_of) - b;
    };  // > 0: more work than places
    if (behind(largest) > 0) return std::nullopt;
    double low = 0, high = largest;
    for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (low + high);
        (behind(middle) > 0 ? low : high) = middle;
    }
    return high;
}

double poisson_quantile(double mean, double probability) {
    if (!(mean > 0)) return 0;
    if (mean > 1000) {
        constexpr double ninety_five = 1.6448536269514722;  // of the standard normal
        return std::max(0.0, std::round(mean + (probability < 0.5 ? -ninety_five : ninety_five) * std::sqrt(mean)));
    }
    double term = std::exp(-mean), sum = term;
    double n = 0;
    while (sum < probability && n < 4000) {
        n += 1;
        term *= mean / n;
        sum += term;
    }
    return n;
}

double waiting_probability(double offered, double places) {
    if (!(offered > 0)) return 0;
    if (!(places > offered)) return 1;
    if (places >= 2000) {
        const double beta = (1 - offered / places) * std::sqrt(places);
        const double density = std::exp(-0.5 * beta * beta) / std::sqrt(2 * M_PI);
        const double below = 0.5 * std::erfc(-beta / std::sqrt(2.0));
        return density > 0 ? 1 / (1 + beta * below / density) : 0;
    }
    double blocked = 1;  // Erlang B, place by place
    for (double n = 1; n <= std::floor(places); n += 1) blocked = offered * blocked / (n + offered * blocked);
    const double load = offered / std::floor(places);
    return load < 1 ? blocked / (1 - load * (1 - blocked)) : 1;
}

ServingReport serve(const ServingInput& in) {
    ServingReport r;
    r.offered = in.offered;
    r.requests_per_s = over(in.offered.si(), in.output);
    r.replicas = std::max(1.0, in.replicas);
    r.largest = largest_batch(in);
    r.prefill = in.prefill;
    r.input_price = in.input_price;
    const double full_step = swept(in.points, r.largest, step_of);
    const double carried = over(r.largest, full_step);  // output tokens/s of one replica
    r.utilisation = over(in.offered.si(), carried * r.replicas);
    r.replicas_needed = carried > 0 ? std::ceil(in.offered.si() / carried - 1e-9) : 0;
    r.accelerators_needed = r.replicas_needed * in.accelerators_per_replica;
    const TokensPerSecond each = in.offered / r.replicas;
    r.batch = effective_batch(in.points, each, r.largest);
    if (r.batch) {
        r.batch_low = std::max(1.0, poisson_quantile(*r.batch, low_tail));
        r.batch_high = std::min(r.largest, poisson_quantile(*r.batch, high_tail));
        r.step = Seconds(swept(in.points, *r.batch, step_of));
        r.decode = r.step * in.output;
        r.waiting = waiting_probability(*r.batch, r.largest);
        const double service = full_step * in.output, arrivals = over(each.si(), in.output);
        const double spare = over(r.largest, service) - arrivals;
        r.queue = Seconds(spare > 0 ? r.waiting / spare : 0);
        r.output_price = price_at(in, *r.batch);
        r.low_batch_price = price_at(in, r.batch_low);
    }
    r.finding = finding_of(r);
    return r;
}

std::vector<TierPoint> tier_points(std::span<const BatchPoint> points, std::int64_t standard) {
    const BatchPoint* base = point_at(points, standard);
    if (!base || !(base->step > Seconds(0))) return {};
    const BatchPoint* offline = nullptr;
    for (const BatchPoint& p : points)
        if (p.fits && (!offline || p.price < offline->price)) offline = &p;
    std::vector<TierPoint> all;
    const auto add = [&](const char* name, const BatchPoint& p) {
        all.push_back({name, p.batch, p.per_user, p.price, over(base->step.si(), p.step.si()),
                       over(p.price.si(), base->price.si())});
    };
    add("fast", points.front());
    add("standard", *base);
    if (offline) add("offline", *offline);
    return all;
}

namespace {

TierJudgement judge_tier(std::span<const BatchPoint> points, const BatchPoint& base, const std::string& name,
                         const Tier& tier) {
    TierJudgement j{name, tier.price, tier.speed, over(base.step.si(), points.front().step.si()), {}, 0, {}, {}};
    const double step = base.step.si() / tier.speed;
    for (const BatchPoint& p : points)
        if (p.fits && p.step.si() <= step * (1 + 1e-9)) j.batch = std::max(j.batch.value_or(0), double(p.batch));
    if (!j.batch) {
        j.kind = TierJudgement::Kind::false_promise;
        j.finding = fmt::format(
            "'{}' promises {:.3g} x the speed; at the smallest batch ({}) this hardware gives {:.3g} x: each "
            "token waits for the one before it, and no smaller batch removes that.",
            name, tier.speed, points.front().batch, j.fastest);
        return j;
    }
    j.cost = over(swept(points, *j.batch, price_of), base.price.si());
    j.kind = tier.price + 1e-9 < j.cost ? TierJudgement::Kind::at_a_loss : TierJudgement::Kind::kept;
    j.finding = fmt::format(
        "'{}': {:.3g} x the speed needs batch {:.0f} or less, which costs {:.3g} x; sold at {:.3g} x{}", name,
        tier.speed, *j.batch, j.cost, tier.price, j.kind == TierJudgement::Kind::kept ? "." : ", below its cost.");
    return j;
}

}  // namespace

std::vector<TierJudgement> judge_tiers(std::span<const BatchPoint> points, std::int64_t standard, const Tiers& tiers) {
    std::vector<TierJudgement> all;
    const BatchPoint* base = point_at(points, standard);
    if (!base || !(base->step > Seconds(0))) return all;
    for (const auto& [name, tier] : tiers) all.push_back(judge_tier(points, *base, name, tier));
    return all;
}

}  // namespace crosspoint
