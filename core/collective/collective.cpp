#include "core/collective/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/collective/terms.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

struct AlgorithmName {
    Algorithm algorithm;
    std::string_view name;
};

constexpr std::array names{
    AlgorithmName{Algorithm::automatic, "auto"},      AlgorithmName{Algorithm::ring, "ring"},
    AlgorithmName{Algorithm::tree, "tree"},           AlgorithmName{Algorithm::halving_doubling, "halving-doubling"},
    AlgorithmName{Algorithm::one_shot, "one-shot"},   AlgorithmName{Algorithm::two_shot, "two-shot"},
    AlgorithmName{Algorithm::in_switch, "in-switch"}, AlgorithmName{Algorithm::hierarchical, "hierarchical"},
    AlgorithmName{Algorithm::direct, "direct"},       AlgorithmName{Algorithm::pairwise, "pairwise"},
};

/// Expert dispatch and combine move bytes as an all-to-all does.
CollectiveOp base_op(CollectiveOp op) {
    return op == CollectiveOp::expert_dispatch || op == CollectiveOp::expert_combine ? CollectiveOp::all_to_all : op;
}

bool usable(const Fabric& f) {
    const bool finite = std::isfinite(f.ranks) && std::isfinite(f.bandwidth.si()) && std::isfinite(f.kappa) &&
                        std::isfinite(f.step.si()) && std::isfinite(f.software.si());
    return finite && f.ranks >= 1 && f.bandwidth > BytesPerSecond(0) && f.step >= Seconds(0) &&
           f.software >= Seconds(0) && f.kappa >= 0 && f.low_latency_share > 0 && f.message >= Seconds(0);
}

Result<void> check(Bytes bytes, const GroupFabric& group) {
    if (!(group.whole.ranks >= 1) || !std::isfinite(group.whole.ranks))
        return fail(ErrorCode::invalid_value, fmt::format("a collective of {} ranks", group.whole.ranks),
                    "give at least 1 rank");
    if (!(bytes >= Bytes(0)) || !std::isfinite(bytes.si()))
        return fail(ErrorCode::invalid_value, fmt::format("a collective of {} bytes", bytes.si()),
                    "give 0 bytes or more");
    if (group.whole.ranks == 1) return {};
    const bool levels = std::all_of(group.levels.begin(), group.levels.end(), usable);
    if (!levels || !usable(group.whole) || (group.inside && !usable(*group.inside)) ||
        (group.across && !usable(*group.across)))
        return fail(ErrorCode::invalid_value,
                    fmt::format("a fabric with bandwidth {} B/s and step {} s cannot be priced",
                                group.whole.bandwidth.si(), group.whole.step.si()),
                    "bandwidth must be above zero, times and kappa not negative, all finite");
    return {};
}

struct Candidate {
    const Method* method;
    Terms terms;
};

std::vector<Candidate> candidates(CollectiveOp op, Bytes bytes, const GroupFabric& group, Algorithm algorithm) {
    std::vector<Candidate> result;
    for (const Method& m : methods()) {
        if (m.op != base_op(op)) continue;
        const bool wanted =
            algorithm == Algorithm::automatic ? m.automatic(group) : m.algorithm == algorithm && m.supported(group);
        if (wanted) result.push_back({&m, m.cost(bytes, group)});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Candidate& x, const Candidate& y) { return x.terms.time() < y.terms.time(); });
    return result;
}

std::string supported_names(CollectiveOp op, const GroupFabric& group) {
    std::string text;
    for (const Method& m : methods())
        if (m.op == base_op(op) && m.supported(group))
            text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(m.algorithm));
    return text;
}

std::string name_of(const Candidate& c) {
    if (c.terms.protocol.empty()) return std::string(to_string(c.method->algorithm));
    return fmt::format("{} ({} protocol)", to_string(c.method->algorithm), c.terms.protocol);
}

std::string reason_for(const std::vector<Candidate>& found) {
    if (found.size() < 2) return found[0].terms.protocol.empty() ? "only choice" : "only choice: " + name_of(found[0]);
    return fmt::format("{}: {} against {} {}", name_of(found[0]), format(found[0].terms.time()), name_of(found[1]),
                       format(found[1].terms.time()));
}

CollectiveCost free_of_charge(CollectiveOp op) {
    CollectiveCost cost;
    cost.op = op;
    cost.reason = "one rank has nobody to talk to";
    cost.formula = "0";
    return cost;
}

CollectiveCost priced(CollectiveOp op, Bytes bytes, const GroupFabric& group, const Candidate& best) {
    CollectiveCost cost;
    cost.op = op;
    cost.algorithm = best.method->algorithm;
    cost.formula = best.method->formula;
    cost.protocol = best.terms.protocol;
    cost.latency = best.terms.latency;
    cost.bandwidth = best.terms.bandwidth;
    cost.pipelining = best.terms.pipelining;
    cost.time = best.terms.time();
    cost.across = best.terms.across;
    cost.levels = best.terms.levels;
    cost.sent_per_rank = best.terms.sent;
    if (cost.time > Seconds(0)) cost.algorithm_bandwidth = bytes / cost.time;
    cost.bus_bandwidth = cost.algorithm_bandwidth * bus_bandwidth_factor(op, group.whole.ranks);
    cost.confidence = group.whole.confidence;
    return cost;
}

}  // namespace

std::string_view to_string(Algorithm algorithm) {
    for (const auto& n : names)
        if (n.algorithm == algorithm) return n.name;
    return "unknown";
}

std::optional<Algorithm> algorithm_from(std::string_view text) {
    for (const auto& n : names)
        if (n.name == text) return n.algorithm;
    if (text == "automatic") return Algorithm::automatic;
    return std::nullopt;
}

Result<CollectiveCost> collective_cost(CollectiveOp op, Bytes bytes, const GroupFabric& group, Algorithm algorithm) {
    if (const auto ok = check(bytes, group); !ok) return tl::unexpected(ok.error());
    if (group.whole.ranks == 1) return free_of_charge(op);
    const auto found = candidates(op, bytes, group, algorithm);
    if (found.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("{} does not run as {} on this group of {:g} ranks", to_string(op),
                                to_string(algorithm), group.whole.ranks),
                    fmt::format("choose one of: auto, {}", supported_names(op, group)));
    CollectiveCost cost = priced(op, bytes, group, found.front());
    cost.reason = algorithm == Algorithm::automatic ? reason_for(found) : "as chosen";
    for (const Candidate& c : found) cost.alternatives.push_back({c.method->algorithm, c.terms.time()});
    return cost;
}

namespace {

struct Choice {
    Algorithm algorithm;
    std::string protocol;
    bool operator==(const Choice&) const = default;
};

std::optional<Choice> choice_at(CollectiveOp op, const GroupFabric& group, double log_bytes) {
    const auto cost = collective_cost(op, Bytes(std::exp(log_bytes)), group);
    if (!cost) return std::nullopt;
    return Choice{cost->algorithm, cost->protocol};
}

}  // namespace

std::vector<ChoiceChange> automatic_choices(CollectiveOp op, const GroupFabric& group) {
    constexpr double last = 27.631;  // ln 1e12
    constexpr int steps = 400;       // 7 % a step; two changes within one count as one
    std::vector<ChoiceChange> choices;
    auto now = choice_at(op, group, 0);
    if (!now) return choices;
    choices.push_back({Bytes(0), now->algorithm, now->protocol});
    for (int i = 1; i <= steps; ++i) {
        const auto next = choice_at(op, group, last * i / steps);
        if (!next) return choices;
        if (*next == *now) continue;
        double low = last * (i - 1) / steps, high = last * i / steps;
        for (int k = 0; k < 40; ++k) {
            const double middle = (low + high) / 2;
            (choice_at(op, group, middle) == now ? low : high) = middle;
        }
        choices.push_back({Bytes(std::exp(high)), next->algorithm, next->protocol});
        now = next;
    }
    return choices;
}

std::optional<Bytes> algorithm_crossover(CollectiveOp op, const GroupFabric& group, Algorithm smaller,
                                         Algorithm larger) {
    constexpr double first = 1, last = 1e12;  // 1 B to 1 TB
    // Empty where either of the two does not run here.
    const auto wins = [&](double n) -> std::optional<bool> {
        const auto a = collective_cost(op, Bytes(n), group, smaller), b = collective_cost(op, Bytes(n), group, larger);
        if (!a || !b) return std::nullopt;
        return b->time < a->time;
    };
    const auto at_last = wins(last);
    if (!at_last || !*at_last) return std::nullopt;
    if (*wins(first)) return Bytes(0);
    double low = std::log(first), high = std::log(last);
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (*wins(std::exp(middle)) ? high : low) = middle;
    }
    return Bytes(std::exp(high));
}

}  // namespace crosspoint
