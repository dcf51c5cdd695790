// What several rules measure on a prediction: sums over layers, traffic outside a domain, exposed time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/review/verdict.hpp"

namespace crosspoint::review_facts {

/// How many micro-batches the layer's timeline interleaves; operations are those of one.
double micro_batches(const LayerResult& layer);

/// Calls `visit(operation, times)` for every operation of the step; `times` = layers of its kind x micro-batches.
void each_operation(const Prediction& p, const std::function<void(const OperationResult&, double)>& visit);

bool has_experts(const Scenario& s);
/// Accelerators in the largest scale-up domain; 1 when nothing is drawn.
std::int64_t domain_size(const Prediction& p);
bool is_outside(const Prediction& p, int level);

/// Bytes that one rank sends out of its domain in this operation. The tiers outside carry the same bytes one after
/// the other, so this is the largest of them and not their sum.
Bytes bytes_outside(const Prediction& p, const OperationResult& r);

/// Bytes that leave one accelerator in this operation.
Bytes bytes_sent(const OperationResult& r);

/// Communication of the expert groups: dispatch, combine and the sums over slices of an expert.
bool of_experts(const OperationResult& r);

struct ExpertTimes {
    Seconds communication, products;  ///< over all layers of a step
    double layers = 0;                ///< with experts
    /// Communication over products; 0 when one of them is missing.
    [[nodiscard]] double ratio() const;
};
ExpertTimes expert_times(const Prediction& p);

/// Time in which a link outside a domain is busy and no compute runs: what the slow network adds to the step. The
/// step's exposed time, split as the layers' own timelines split theirs.
Seconds exposed_outside(const Prediction& p);

/// "experts 6.1 ms and dispatch 4.0 ms of 15.1 ms": the two operations that take longest in the step.
std::string two_largest_terms(const Prediction& p);

/// Two largest among the operations that `which` selects; empty when there are none.
std::string two_largest_terms(const Prediction& p, const std::function<bool(const OperationResult&)>& which);

/// The busiest link outside a domain in the step; null when nothing leaves one.
const LinkUse* busiest_outside(const Prediction& p);
/// "NDR 400G: NIC to leaf, 46.0 of 50.0 GB/s usable (measured)"
std::string describe_link(const Prediction& p, int link);
/// Adds id of `op` and the links that it uses outside a domain (all its links when `everywhere`).
void add_evidence(VerdictEvidence& evidence, const Prediction& p, const OperationResult& r, bool everywhere = false);
/// Containers that are scale-up domains.
std::vector<std::string> domain_ids(const Prediction& p);

Outcome grade(double value, double attention, double fail);
/// "attention above 25 %, fail above 50 % (cross-domain.attention, cross-domain.fail)"
std::string share_thresholds(const Scenario& s, std::string_view attention, std::string_view fail);

/// Name of the figure that a faster layout improves: "inter-token latency" or "time to first token".
std::string latency_metric(const Scenario& s);

}  // namespace crosspoint::review_facts
