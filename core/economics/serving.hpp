// Serving a stream of requests: the batch that forms by itself, its spread and tail, the queue, and what tiers cost
// (cost-model section 8).
//
// Not modelled: bursts beyond Poisson arrivals, lengths that differ from request to request, admission by anything but
// a free place in the batch.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/economics/economics.hpp"

namespace crosspoint {

/// Value of a swept figure at a batch between the points, by the power law through its neighbours; the ends hold.
double swept(std::span<const BatchPoint> points, double batch, double (*figure)(const BatchPoint&));
double step_of(const BatchPoint& point);   ///< s
double price_of(const BatchPoint& point);  ///< $ per token

/// The batch of one replica that carries `rate` output tokens a second: B = rate x inter-token latency(B) (Little's law
/// with one token a step). Empty when no batch up to `largest` is fast enough: the queue then grows without bound.
std::optional<double> effective_batch(std::span<const BatchPoint> points, TokensPerSecond rate, double largest);

/// Quantile of a Poisson distribution (exact below a mean of 1000, normal above): the spread of the number in flight
/// when arrivals are Poisson and places are free (M/G/infinity).
double poisson_quantile(double mean, double probability);

/// Probability that an arrival finds all of `places` taken when `offered` places are busy on average (Erlang C). At
/// 2000 places and more the square-root-staffing limit of Halfin and Whitt (1981). 1 when offered >= places.
double waiting_probability(double offered, double places);

/// What a fleet does under an offered load. Per replica unless it says otherwise.
struct ServingReport {
    TokensPerSecond offered;    ///< output tokens, all replicas
    double requests_per_s = 0;  ///< the same as requests of the workload's output length
    double replicas = 1;
    double largest = 0;                    ///< batch that fits in memory and meets the latency target
    std::optional<double> batch;           ///< effective; empty: overloaded
    double batch_low = 0, batch_high = 0;  ///< 5th and 95th percentile
    Seconds step;                          ///< inter-token latency at the effective batch
    Seconds queue, prefill, decode;        ///< of one request: mean wait for a place, prompt, all its output tokens
    double waiting = 0;                    ///< probability of waiting
    double utilisation = 0;                ///< offered over what the fleet carries at the largest batch
    DollarsPerToken output_price;          ///< the whole fleet's price over the tokens it really makes
    DollarsPerToken low_batch_price;       ///< while the batch is at its 5th percentile
    DollarsPerToken input_price;           ///< prompt tokens, at the prefill's own rate
    double replicas_needed = 0;            ///< for the offered load at the largest batch
    double accelerators_needed = 0;
    std::string finding;
};

struct ServingInput {
    std::span<const BatchPoint> points;  ///< decode sweep of one replica, ascending
    TokensPerSecond offered;
    double output = 1;  ///< tokens a request
    double replicas = 1, accelerators_per_replica = 1;
    DollarsPerSecond price;          ///< of one accelerator
    std::optional<Seconds> latency;  ///< inter-token target
    Seconds prefill;                 ///< of a prompt, with one on every attention rank
    DollarsPerToken input_price;     ///< of the prefill
};
ServingReport serve(const ServingInput& input);

/// Policies on the same hardware that differ in the batch alone.
struct TierPoint {
    std::string name;  ///< "fast", "standard", "offline"
    std::int64_t batch = 0;
    TokensPerSecond per_user;
    DollarsPerToken price;
    double speed_ratio = 1, price_ratio = 1;  ///< against standard
};
/// Fast: the smallest batch of the sweep; offline: the largest that fits. Empty without a standard point.
std::vector<TierPoint> tier_points(std::span<const BatchPoint> points, std::int64_t standard);

/// A tier that is sold: multiples of the standard one.
struct TierJudgement {
    std::string name;
    double price = 1, speed = 1;  ///< promised multiples
    double fastest = 1;           ///< speed multiple at the smallest batch: the serial floor of decoding
    std::optional<double> batch;  ///< the largest batch that keeps the promised speed; empty: none does
    double cost = 0;              ///< cost multiple at that batch
    enum class Kind { kept, at_a_loss, false_promise } kind = Kind::kept;
    std::string finding;
};
std::vector<TierJudgement> judge_tiers(std::span<const BatchPoint> points, std::int64_t standard, const Tiers& tiers);

}  // namespace crosspoint
