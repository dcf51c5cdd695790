#include "core/collective/collective.hpp"

#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {
namespace {

struct Options {
    std::string op = "all-reduce", bytes, alpha, bandwidth, algorithm = "auto", sigma;
    double ranks = 0, kappa = 0;
    bool in_switch = false;
};

struct Answer {
    CollectiveCost cost;
    std::vector<ChoiceChange> choices;  ///< empty where one algorithm was asked for
    std::optional<Seconds> wait;        ///< for stragglers; with --sigma
};

Result<Answer> answer_to(const Options& o) {
    const auto op = collective_op_from(o.op);
    if (!op)
        return fail(ErrorCode::invalid_value, "--op '" + o.op + "' is not a collective operation",
                    "one of all-reduce, all-gather, reduce-scatter, all-to-all, point-to-point, broadcast, reduce, "
                    "gather, scatter, expert-dispatch, expert-combine");
    const auto algorithm = algorithm_from(o.algorithm);
    if (!algorithm)
        return fail(ErrorCode::invalid_value, "--algorithm '" + o.algorithm + "' is not known",
                    "one of auto, ring, tree, halving-doubling, one-shot, two-shot, in-switch, direct, pairwise");
    const auto bytes = quantity<Bytes>("--bytes", o.bytes);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto alpha = quantity<Seconds>("--alpha", o.alpha);
    if (!alpha) return tl::unexpected(alpha.error());
    const auto bandwidth = quantity<BytesPerSecond>("--bandwidth", o.bandwidth);
    if (!bandwidth) return tl::unexpected(bandwidth.error());
    GroupFabric group;
    group.whole.ranks = o.ranks;
    group.whole.step = *alpha;
    group.whole.bandwidth = *bandwidth;
    group.whole.kappa = o.kappa;
    group.whole.in_switch_reduction = o.in_switch;
    auto cost = collective_cost(*op, *bytes, group, *algorithm);
    if (!cost) return tl::unexpected(cost.error());
    Answer answer{std::move(*cost), {}, {}};
    if (*algorithm == Algorithm::automatic && o.ranks > 1) answer.choices = automatic_choices(*op, group);
    if (o.sigma.empty()) return answer;
    const auto sigma = quantity<Seconds>("--sigma", o.sigma);
    if (!sigma) return tl::unexpected(sigma.error());
    answer.wait = straggler_wait(o.ranks, *sigma);
    return answer;
}

std::string as_json(const Answer& answer) {
    const CollectiveCost& c = answer.cost;
    nlohmann::ordered_json j{{"op", to_string(c.op)},
                             {"algorithm", to_string(c.algorithm)},
                             {"reason", c.reason},
                             {"formula", c.formula},
                             {"time_s", c.time.si()},
                             {"latency_s", c.latency.si()},
                             {"bandwidth_s", c.bandwidth.si()},
                             {"pipelining_s", c.pipelining.si()},
                             {"sent_bytes", c.sent_per_rank.si()},
                             {"algorithm_bandwidth_bytes_per_s", c.algorithm_bandwidth.si()},
                             {"bus_bandwidth_bytes_per_s", c.bus_bandwidth.si()}};
    j["alternatives"] = nlohmann::ordered_json::array();
    for (const auto& a : c.alternatives)
        j["alternatives"].push_back({{"algorithm", to_string(a.algorithm)}, {"time_s", a.time.si()}});
    j["choices"] = nlohmann::ordered_json::array();
    for (const auto& choice : answer.choices)
        j["choices"].push_back({{"from_bytes", choice.from.si()}, {"algorithm", to_string(choice.algorithm)}});
    if (answer.wait) j["straggler_wait_s"] = answer.wait->si();
    return j.dump(2) + "\n";
}

std::string as_text(const Answer& answer) {
    const CollectiveCost& c = answer.cost;
    std::string text = fmt::format("{} by {}: {}\n", to_string(c.op), to_string(c.algorithm), format(c.time, 4));
    text += fmt::format("  {}\n", c.formula);
    text += fmt::format("  latency {}, bandwidth {}", format(c.latency, 4), format(c.bandwidth, 4));
    if (c.pipelining.si() > 0) text += fmt::format(", pipelining {}", format(c.pipelining, 4));
    text += fmt::format("\n  bus bandwidth {}, sent by a rank {}\n", format(c.bus_bandwidth), format(c.sent_per_rank));
    if (!c.reason.empty()) text += fmt::format("  {}\n", c.reason);
    for (std::size_t i = 1; i < answer.choices.size(); ++i)
        text += fmt::format("  from {}: {}\n", format(answer.choices[i].from), to_string(answer.choices[i].algorithm));
    if (answer.wait) text += fmt::format("  expected wait for the last rank {}\n", format(*answer.wait));
    return text;
}

}  // namespace

Command add_collective(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("collective", "time of one collective operation over equal links");
    c->add_option("--op", o->op, "operation")->capture_default_str();
    c->add_option("--ranks", o->ranks, "ranks in the group")->required()->check(number(1, 1e9, true));
    c->add_option("--bytes", o->bytes, "the full tensor on each rank, such as 16KiB")->required();
    c->add_option("--alpha", o->alpha, "one step, such as 5us")->required();
    c->add_option("--bandwidth", o->bandwidth, "usable, per rank and direction, such as 400GB/s")->required();
    c->add_option("--algorithm", o->algorithm, "auto takes the fastest")->capture_default_str();
    c->add_option("--kappa", o->kappa, "pipelining term kappa sqrt(alpha n / bandwidth)")
        ->capture_default_str()
        ->check(number(0, 100));
    c->add_option("--sigma", o->sigma, "standard deviation of the ranks' arrival, such as 10us");
    c->add_flag("--in-switch", o->in_switch, "the switches can reduce");
    return {c, [o](bool json) -> Result<Output> {
                const auto answer = answer_to(*o);
                if (!answer) return tl::unexpected(answer.error());
                return Output{json ? as_json(*answer) : as_text(*answer), success};
            }};
}

}  // namespace crosspoint::cli
