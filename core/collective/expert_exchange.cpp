#include "core/collective/expert_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/collective/operation_figures.hpp"
#include "core/model/experts.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

/// Up to this many tokens a rank engines run kernels that send every copy by itself: all published low-latency tables
/// (8 to 256 tokens, 2 to 32 nodes) follow alpha + bytes of all copies / NIC rate, none the de-duplicated bytes.
/// Source: deepseek-ai/DeepEP docs/legacy.md ("normal" kernels for prefill, low-latency ones for decode).
constexpr double low_latency_tokens = 256;

/// Share of the assignments that leave the rank itself, and the domain.
double leaving(double places) { return places > 1 ? (places - 1) / places : 0.0; }

struct Form {
    std::string name;
    Seconds latency, bandwidth;
    Bytes sent;
    std::vector<ExchangeCost::AtLevel> levels;
    [[nodiscard]] Seconds time() const { return latency + bandwidth; }
};

class Exchange {
public:
    Exchange(const ExpertExchange& exchange, const Network& network, const Route& route, CollectiveOp op,
             const Catalogue& catalogue)
        : e_(exchange), network_(network), route_(route), op_(op), catalogue_(catalogue) {
        const auto latency = operation_latency(route.slowest, network, catalogue, op);
        alpha_ = latency.software + latency.step + latency.message * messages();
    }

    /// Every assignment travels alone, straight to its expert's rank.
    [[nodiscard]] Form direct() const {
        Form form{"low-latency direct", alpha_, {}, assigned() * leaving(e_.ranks), {}};
        for (const LevelTraffic& level : route_.levels)
            add_level(form, level, form.sent * level.share_of_bytes, form.sent);
        return form;
    }

    /// A token crosses once to each distinct destination domain, then spreads inside it.
    [[nodiscard]] Form deduplicated() const {
        const double distinct = distinct_domains(e_.experts, e_.destinations, e_.domains, e_.group_limit);
        const double fewer = e_.destinations > 0 ? std::min(1.0, distinct / e_.destinations) : 1.0;
        const Bytes inside = assigned() * leaving(e_.ranks / e_.domains);
        Form form{"node-de-duplicated", alpha_ + inside_step(), {}, {}, {}};
        for (const LevelTraffic& level : route_.levels) {
            const bool in_domain = network_.levels[std::size_t(level.level)].in_domain;
            const Bytes outside = assigned() * leaving(e_.ranks) * fewer;
            const Bytes bytes = in_domain ? inside : outside * level.share_of_bytes;
            // The route's in-domain load is for the share that stays in the domain; here every assignment uses it.
            const Bytes routed = in_domain && level.share_of_bytes > 0 ? inside / level.share_of_bytes : outside;
            add_level(form, level, bytes, routed);
        }
        form.sent = inside + assigned() * (leaving(e_.domains) * fewer);
        return form;
    }

    [[nodiscard]] bool spans_domains() const { return e_.domains > 1 && e_.ranks > e_.domains && has_inside(); }

    /// Expected distinct ranks that the tokens of one rank go to, itself left out.
    [[nodiscard]] double messages() const {
        if (e_.ranks <= 1 || e_.tokens <= 0) return 0;
        const double hit = distinct_domains(e_.experts, e_.destinations, e_.ranks, 0) / e_.ranks;
        return (e_.ranks - 1) * (1 - std::pow(1 - std::clamp(hit, 0.0, 1.0), e_.tokens));
    }

private:
    [[nodiscard]] Bytes assigned() const { return e_.token_bytes * (e_.tokens * e_.destinations); }

    [[nodiscard]] bool has_inside() const {
        return std::any_of(route_.levels.begin(), route_.levels.end(), [&](const LevelTraffic& level) {
            return network_.levels[std::size_t(level.level)].in_domain;
        });
    }
    [[nodiscard]] Seconds inside_step() const {
        Seconds step;
        for (const LevelTraffic& level : route_.levels)
            if (network_.levels[std::size_t(level.level)].in_domain) step = std::max(step, level.step);
        return step;
    }

    /// `routed` bytes sent by each rank over the pattern load the level's links; `bytes` of them cross it.
    void add_level(Form& form, const LevelTraffic& level, Bytes bytes, Bytes routed) const {
        SecondsPerByte slowest;
        for (const LinkLoad& load : route_.loads) {
            const NetworkLink& link = network_.links[std::size_t(load.link)];
            if (link.level == level.level)
                slowest = std::max(slowest, operation_seconds_per_byte(load.seconds_per_byte, link, catalogue_, op_));
        }
        const Seconds moving = routed * slowest;
        form.levels.push_back({level.level, bytes, level.step + moving});
        form.bandwidth = std::max(form.bandwidth, moving);
    }

    const ExpertExchange& e_;
    const Network& network_;
    const Route& route_;
    CollectiveOp op_;
    const Catalogue& catalogue_;
    Seconds alpha_;
};

std::string formula_of(const ExpertExchange& e, const Form& form) {
    if (form.name == "node-de-duplicated")
        return fmt::format(
            "alpha + issue + alpha_in + max over levels of bytes/beta; {:g} tokens x {:.3g} distinct domains of "
            "{:g} x {} across, {:g} x {:g} x {} inside",
            e.tokens, distinct_domains(e.experts, e.destinations, e.domains, e.group_limit), e.domains,
            format(e.token_bytes), e.tokens, e.destinations, format(e.token_bytes));
    return fmt::format("alpha + issue + max over levels of bytes/beta; {:g} tokens x {:g} x {} x ({:g}-1)/{:g}",
                       e.tokens, e.destinations, format(e.token_bytes), e.ranks, e.ranks);
}

}  // namespace

Seconds exchange_bound(double tokens, double destinations, Bytes token_bytes, BytesPerSecond bandwidth) {
    return token_bytes * (tokens * destinations) / bandwidth;
}

ExchangeCost exchange_cost(const ExpertExchange& exchange, const Network& network, const Route& route, CollectiveOp op,
                           const Catalogue& catalogue) {
    ExchangeCost cost;
    cost.remote_share = leaving(exchange.domains);
    if (exchange.ranks <= 1 || !(exchange.tokens > 0)) {
        cost.algorithm = "none";
        cost.reason = exchange.ranks <= 1 ? "all experts are local" : "no tokens";
        cost.formula = "0";
        return cost;
    }
    const Exchange priced(exchange, network, route, op, catalogue);
    Form best = priced.direct();
    cost.reason = "only choice inside one domain";
    if (priced.spans_domains()) {
        Form other = priced.deduplicated();
        const bool small = exchange.tokens <= low_latency_tokens;
        if (!small && other.time() < best.time()) std::swap(best, other);
        cost.reason = fmt::format(
            "{}: {} against {} {}{}", best.name, format(best.time()), other.name, format(other.time()),
            small ? fmt::format("; kernels for up to {:g} tokens a rank do not de-duplicate", low_latency_tokens) : "");
    }
    cost.algorithm = best.name;
    cost.formula = formula_of(exchange, best);
    cost.latency = best.latency;
    cost.bandwidth = best.bandwidth;
    cost.time = best.time();
    cost.sent_per_rank = best.sent;
    cost.messages = priced.messages();
    cost.levels = std::move(best.levels);
    cost.confidence = operation_bandwidth(route, network, catalogue, op).confidence;
    return cost;
}

}  // namespace crosspoint
