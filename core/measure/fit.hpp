// From measured sizes and times to alpha, B and kappa, or two or three lines (cost-model sections 1 and 3).
//
// t(n) = alpha + n/B + kappa sqrt(alpha n/B), n the full tensor, B the algorithm bandwidth. Fitted by weighted relative
// least squares with all terms non-negative, so that a row of 10 us and one of 10 ms count alike; points far off count
// less (Huber). The form is the one of least penalised error (Bayesian information criterion with a floor of 1 % for
// what repeated runs differ by). Refused, with a sentence: one rank, time that falls with size, bandwidth that halves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/measurement.hpp"

namespace crosspoint {

enum class FitForm { line, pipelined, two_segments, three_segments };
std::string_view to_string(FitForm form);  // "line", "line with kappa", "two segments", "three segments"

enum class Block { out_of_place, in_place };
std::string_view to_string(Block block);

/// One stretch of sizes: t = intercept + n/bandwidth + kappa sqrt(intercept n/bandwidth).
struct FitSegment {
    Bytes from, to;
    Seconds intercept;
    std::optional<BytesPerSecond> bandwidth;  ///< empty: time does not grow here
    double kappa = 0;
    [[nodiscard]] Seconds time(Bytes n) const;
};

/// One size; several rows of it count as their median.
struct FitPoint {
    Bytes size;
    Seconds measured;
    Seconds fitted;    ///< 0 where nothing was fitted
    double error = 0;  ///< fitted / measured - 1
    bool used = true;  ///< false: left out as an outlier
    int line = 0;
};

struct FitCandidate {
    FitForm form = FitForm::line;
    double worst_relative_error = 0, rms_relative_error = 0;
    double score = 0;  ///< penalised error; the least is taken
};

struct Fit {
    Block block = Block::out_of_place;
    FitForm form = FitForm::line;
    std::optional<Seconds> alpha;             ///< empty: no row at or below 64 KiB, or messages overlap
    std::optional<BytesPerSecond> bandwidth;  ///< algorithm bandwidth of large messages; empty: not reached
    std::optional<BytesPerSecond>
        bus_bandwidth;  ///< the same times nccl-tests' factor, where operation and ranks are known
    double kappa = 0;
    std::vector<FitSegment> segments;     ///< the curve, by size; one for a single form
    std::optional<Bytes> crossover;       ///< n* = alpha x bandwidth
    std::optional<Bytes> half_bandwidth;  ///< where the curve reaches half of `bandwidth`
    std::optional<double> worst_relative_error, rms_relative_error;
    Bytes worst_at;
    std::vector<FitPoint> points;          ///< by size
    std::vector<FitCandidate> candidates;  ///< every form that the points allow
    std::vector<Bytes> line_fails;         ///< sizes that the best single line misses by more than 15 %
    std::string refused;                   ///< why nothing was fitted; empty when something was
    std::vector<std::string> warnings;
    [[nodiscard]] std::optional<Seconds> time(Bytes n) const;
};

struct FitOptions {
    std::optional<Block> block;   ///< absent: out-of-place, in-place where the log has nothing else
    std::optional<FitForm> form;  ///< absent: the best
};

/// Never fails: what cannot be fitted is left empty and said in `warnings` or `refused`.
Fit fit_table(const MeasuredTable& table, const FitOptions& options = {});

}  // namespace crosspoint
