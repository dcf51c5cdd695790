// Tables of money and of failures.
#include <fmt/format.h>

#include "core/io/report_tables.hpp"
#include "core/units/text.hpp"

namespace crosspoint::report_tables {
namespace {

std::string multiple(double v) { return fmt::format("{:.3g} x", v); }

std::string verdict(const TierJudgement& j) {
    switch (j.kind) {
        case TierJudgement::Kind::kept: return "kept";
        case TierJudgement::Kind::at_a_loss: return "below its cost";
        case TierJudgement::Kind::false_promise: break;
    }
    return "no batch is that fast";
}

}  // namespace

ReportTable serving(const Report& report) {
    ReportTable t{"Under the offered load", {{"Quantity"}, {"Value", true}}, {}};
    if (!report.serving) return t;
    const ServingReport& s = *report.serving;
    const auto row = [&](const char* name, std::string value) { t.rows.push_back({name, std::move(value)}); };
    row("Offered, all replicas", fmt::format("{} in {:.3g} requests/s", format(s.offered), s.requests_per_s));
    row("Share of what the fleet carries", format_percent(s.utilisation));
    row("Replicas needed", fmt::format("{:.0f} ({:.0f} accelerators)", s.replicas_needed, s.accelerators_needed));
    if (!s.batch) {
        row("Effective batch", "grows without bound");
        return t;
    }
    row("Effective batch of a replica",
        fmt::format("{:.0f} (5 % below {:.0f}, 5 % above {:.0f})", *s.batch, s.batch_low, s.batch_high));
    row("Inter-token latency", format(s.step));
    row("Queue, prefill, decode of a request",
        fmt::format("{}, {}, {}", format(s.queue), format(s.prefill), format(s.decode)));
    row("Requests that wait", format_percent(s.waiting));
    row("Price of output; in the low tail", fmt::format("{}; {}", format(s.output_price), format(s.low_batch_price)));
    row("Price of input", format(s.input_price));
    return t;
}

ReportTable tiers(const Report& report) {
    ReportTable t{"Tiers on this hardware",
                  {{"Tier"}, {"Batch", true}, {"Speed", true}, {"Cost", true}, {"Sold at", true}, {"Verdict"}},
                  {}};
    for (const TierPoint& p : report.tier_points)
        t.rows.push_back({p.name, std::to_string(p.batch), multiple(p.speed_ratio), multiple(p.price_ratio), "\u2013",
                          "policy: batch alone"});
    for (const TierJudgement& j : report.tiers)
        t.rows.push_back({j.name, j.batch ? fmt::format("{:.0f}", *j.batch) : "\u2013", multiple(j.speed),
                          j.batch ? multiple(j.cost) : "\u2013", multiple(j.price), verdict(j)});
    return t;
}

ReportTable impairments(const Report& report) {
    ReportTable t{"One slow or failed link", {{"What"}, {"Step", true}, {"Longer", true}}, {}};
    for (const Impairment& i : report.impairments) {
        const bool known = report.prediction && report.prediction->step_time > Seconds(0);
        t.rows.push_back({i.what, i.cut ? "stops" : format(i.step),
                          i.cut || !known ? "\u2013" : format_percent(i.step / report.prediction->step_time - 1)});
    }
    return t;
}

}  // namespace crosspoint::report_tables
