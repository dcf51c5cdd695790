// The evaluated step: operations with their costs, timelines, link use, memory and throughput of one scenario.
//
// Cached in stages: network (topology, catalogue) -> routes (layout, placement) -> step (everything else). A change
// of batch, context or dtype touches only the last one.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/collective/expert_exchange.hpp"
#include "core/collective/group_fabric.hpp"
#include "core/cost/memory.hpp"
#include "core/cost/roofline.hpp"
#include "core/economics/economics.hpp"
#include "core/scenario/scenario.hpp"
#include "core/schedule/timeline.hpp"
#include "core/training/step.hpp"

namespace crosspoint {

/// What one operation, or the whole step, puts on one drawn link or domain.
struct LinkUse {
    int link = 0;            ///< index into Network::links
    Bytes bytes;             ///< over the busiest instance and direction
    Seconds busy;            ///< bytes / usable capacity
    double utilisation = 0;  ///< busy / duration of the operation (or of the step), at most 1
};

struct OperationResult {
    Operation op;
    int kind = -1;  ///< layer kind; -1 = ends of the step
    Seconds time;   ///< how long it occupies its slowest stream
    Bound bound = Bound::memory;
    OperationCost cost;                        ///< when it computes
    std::optional<CollectiveCost> collective;  ///< when it is a collective
    std::optional<ExchangeCost> exchange;      ///< when it is an expert dispatch or combine
    struct AtLevel {
        int level = 0;
        Bytes bytes;
        Seconds time;
    };
    std::vector<AtLevel> levels;  ///< communication, by network level
    std::vector<LinkUse> links;
    std::string why;  ///< the formula with its numbers, for hover and "why this number"
    Confidence confidence = Confidence::assumed;
};

struct LayerResult {
    int kind = 0;
    std::int64_t count = 0;  ///< layers of this kind
    std::int64_t first = 0;  ///< index of the first such layer
    std::string label;       ///< "MLA + 256 experts", "MLA + dense"
    std::vector<OperationResult> operations;
    Timeline timeline;  ///< of one such layer, all its micro-batches
};

struct Prediction {
    std::shared_ptr<const Network> network;
    LayoutFacts layout;
    const AcceleratorPart* accelerator = nullptr;  ///< owned by the scenario's catalogue
    std::vector<LayerResult> layers;               ///< one per layer kind
    std::vector<OperationResult> ends;             ///< embedding, head, sampling, pipeline transfer, overhead
    Timeline step;
    Seconds step_time;         ///< decode: inter-token latency; prefill: time to first token, without queueing
    TokensPerSecond per_user;  ///< decode: 1 / inter-token; prefill: prompt tokens / time of one sequence
    TokensPerSecond per_replica, per_accelerator, total;
    DollarsPerSecond price;  ///< of one accelerator
    std::string price_source;
    Confidence price_confidence = Confidence::assumed;
    DollarsPerToken unit_price;      ///< per output token in decode, per input token in prefill
    double communication_share = 0;  ///< time that communication runs / step
    double exposed_share = 0;        ///< time that only communication runs / step
    double cross_domain = 0;         ///< bytes over links outside a domain / all bytes leaving an accelerator
    Bytes bytes_sent;                ///< by one accelerator in a step
    std::vector<LinkUse> links;      ///< the whole step
    MemoryReport memory;
    std::optional<TrainingStep> training;  ///< in the training phase
    Confidence confidence = Confidence::assumed;
};

class PredictionCache;
std::shared_ptr<PredictionCache> make_prediction_cache();

/// The network of a scenario, from the cache where topology and catalogue are the same objects.
Result<std::shared_ptr<const Network>> network_of(const Scenario& scenario, PredictionCache& cache);
/// Routes of a group kind in the scenario's layout; empty when the group has one rank.
Result<std::optional<GroupRoutes>> routes_of(const Scenario& scenario, GroupKind kind, PredictionCache& cache);

/// `figures` leaves out what only people read: formulas, bars of the step, link loads of single operations, and the
/// searches for the largest batch and context. Every other figure is the same; sweeps use it.
enum class Detail { full, figures };

/// Fails with the first of: no model, no accelerators, layout, unreachable pair, unknown part.
///
/// Decode: a batch is spread over min(pipeline, sequences of a rank) groups in flight; a sequence's next token comes
/// after all stages and transfers, and not before the slowest stage has served every group. Prefill: the whole batch
/// passes the stages group by group. Idle accelerators are not counted in per_accelerator and unit_price.
/// Not modelled: accelerator time taken by communication kernels, chunked prefill between decode steps, mixed parts
/// (the first accelerator's part stands for all; a degraded accelerator slows every group).
Result<Prediction> predict(const Scenario& scenario, PredictionCache& cache, Detail detail = Detail::full);

}  // namespace crosspoint
