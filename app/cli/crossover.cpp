#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/catalogue/dtype.hpp"
#include "core/cost/link.hpp"
#include "core/units/text.hpp"

namespace crosspoint::cli {
namespace {

struct Options {
    std::string alpha, bandwidth, dtype = "bf16";
    double hidden = 0, layers = 0, collectives = 2;
};

struct Answer {
    LinkCost link;
    Bytes crossover;
    std::optional<double> batch;
    std::optional<Seconds> floor;
};

Result<LinkCost> link_of(const Options& o) {
    const auto alpha = quantity<Seconds>("--alpha", o.alpha);
    if (!alpha) return tl::unexpected(alpha.error());
    const auto bandwidth = quantity<BytesPerSecond>("--bandwidth", o.bandwidth);
    if (!bandwidth) return tl::unexpected(bandwidth.error());
    if (alpha->si() < 0) return fail(ErrorCode::invalid_value, "--alpha " + o.alpha + " is negative");
    if (!(bandwidth->si() > 0))
        return fail(ErrorCode::invalid_value, "--bandwidth " + o.bandwidth + " is not positive");
    return LinkCost{*alpha, *bandwidth, 0};
}

Result<Answer> answer(const Options& o) {
    const auto link = link_of(o);
    if (!link) return tl::unexpected(link.error());
    const auto format = dtype("--dtype", o.dtype);
    if (!format) return tl::unexpected(format.error());
    Answer a{*link, crossover_bytes(*link), {}, {}};
    if (o.hidden > 0) a.batch = crossover_batch(*link, o.hidden, size_of(*format));
    if (o.layers > 0) a.floor = token_floor(link->alpha, o.layers, o.collectives);
    return a;
}

std::string as_json(const Answer& a) {
    nlohmann::ordered_json j{{"alpha_s", a.link.alpha.si()},
                             {"bandwidth_bytes_per_s", a.link.beta.si()},
                             {"crossover_bytes", a.crossover.si()},
                             {"crossover_time_s", transfer_time(a.link, a.crossover).si()}};
    if (a.batch) j["crossover_batch"] = *a.batch;
    if (a.floor) j["floor_s"] = a.floor->si();
    if (a.floor && a.floor->si() > 0) j["tokens_per_s_cap"] = 1 / a.floor->si();
    return j.dump(2) + "\n";
}

std::string as_text(const Answer& a, const Options& o) {
    std::string text = fmt::format("n* = alpha x bandwidth = {} x {} = {}\n", format(a.link.alpha), format(a.link.beta),
                                   format(a.crossover));
    text += fmt::format("A message of n* takes 2 alpha = {}; below it latency dominates, above it bandwidth.\n",
                        format(transfer_time(a.link, a.crossover)));
    if (a.batch)
        text += fmt::format("B* = n* / (hidden {} x {}) = {} tokens\n", shortest(o.hidden), o.dtype,
                            format_count(*a.batch, 5));
    if (a.floor)
        text += fmt::format("Floor: {} layers x {} collectives x alpha = {} a token", shortest(o.layers),
                            shortest(o.collectives), format(*a.floor));
    if (a.floor && a.floor->si() > 0)
        text += fmt::format(", at most {}", format(TokensPerSecond(1 / a.floor->si()), 4));
    return a.floor ? text + "\n" : text;
}

}  // namespace

Command add_crossover(CLI::App& app) {
    auto o = std::make_shared<Options>();
    CLI::App* c = app.add_subcommand("crossover", "where the latency and the bandwidth of a link cost the same");
    c->add_option("--alpha", o->alpha, "latency of one message, such as 5us")->required();
    c->add_option("--bandwidth", o->bandwidth, "usable, one direction, such as 400GB/s")->required();
    c->add_option("--hidden", o->hidden, "hidden size, for the batch of one message")->check(number(1, 1e9));
    c->add_option("--dtype", o->dtype, "number format of a message")->capture_default_str();
    c->add_option("--layers", o->layers, "layers, for the floor of a token")->check(number(1, 1e6, true));
    c->add_option("--collectives-per-layer", o->collectives, "serial collectives in each layer")
        ->capture_default_str()
        ->check(number(0, 1e6));
    return {c, [o](bool json) -> Result<Output> {
                const auto a = answer(*o);
                if (!a) return tl::unexpected(a.error());
                return Output{json ? as_json(*a) : as_text(*a, *o), success};
            }};
}

}  // namespace crosspoint::cli
