// Everything that is shown, in one value: window, command line, reports and tests read this and nothing else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/link.hpp"
#include "core/economics/serving.hpp"
#include "core/evaluate/data_plan.hpp"
#include "core/prediction/prediction.hpp"
#include "core/review/verdict.hpp"

namespace crosspoint {

/// One input or intermediate of a derivation.
struct DerivationTerm {
    std::string name;   ///< "usable bandwidth of NDR 400G"
    std::string value;  ///< with unit
    std::string source;
    Confidence confidence = Confidence::assumed;
    std::string object;  ///< link, device, container or operation id; empty when none
};

/// Why a figure is what it is.
struct Derivation {
    std::string formula;      ///< in symbols
    std::string substituted;  ///< the same with numbers and units
    std::vector<DerivationTerm> terms;
    std::vector<std::string> notes;  ///< what is not modelled, conventions
};

/// A figure of the strip.
struct ShownFigure {
    std::string id;     ///< "inter_token_latency", ...
    std::string label;  ///< "Inter-token"
    double value_si = 0;
    std::string key;   ///< JSON key with unit suffix: "inter_token_latency_s"
    std::string text;  ///< "15.1 ms"
    std::string note;  ///< "81 % exposed"
    bool higher_is_better = false;
    Confidence confidence = Confidence::assumed;
    Derivation why;
};

/// One link class of the alpha-beta plot.
struct CrossoverCurve {
    std::string name;  ///< "InfiniBand NDR 400G"
    PartId part;
    std::string use;  ///< "expert group across domains", "tensor group", "one pair"
    int level = 0;
    LinkCost link;
    Bytes crossover;  ///< n*
    Bytes half_bandwidth;
    Confidence confidence = Confidence::assumed;
    std::string source;
    std::vector<MeasuredTime> measured;  ///< of its calibration: bytes that a rank sends, and the time
};
/// The message of one operation, as a marker on a curve.
struct CrossoverMessage {
    std::string op;     ///< Operation::id
    std::string label;  ///< "dispatch now: 2.06 MB, 65 us"
    std::size_t curve = 0;
    Bytes bytes;  ///< per rank
    Seconds time;
};

struct TensorPoint {
    std::int64_t degree = 1;
    Seconds step;                    ///< of one sequence
    Seconds weights, communication;  ///< the two terms that trade
};
struct TensorSweep {
    std::vector<TensorPoint> points;
    std::optional<std::int64_t> turns_over_at;  ///< degree with the shortest step when larger ones are slower
};

struct ModelSummary {
    ParameterCount parameters;
    Bytes kv_per_token;  ///< at the cache dtype
    Bytes weights;       ///< all, at the scenario's dtypes
};

struct Assumption {
    std::string what;  ///< "overhead per layer 0 us"
    std::string source;
    Confidence confidence = Confidence::assumed;
};

/// One metric to watch in production, with what this design predicts for it.
struct MonitoredMetric {
    std::string id;                   ///< "inter_token_latency"
    std::string what;                 ///< for people
    std::string unit;                 ///< "s", "1", "bytes/s"; of the three numbers
    std::optional<double> low, high;  ///< normal range; absent: not predictable from this document
    std::optional<double> alert;      ///< above it something is wrong (below it where `alert_below`)
    bool alert_below = false;
    std::string basis;       ///< where range and alert come from
    std::string expression;  ///< PromQL over the metric names of a vLLM-style server or of the usual exporters
};

struct Report {
    std::string title;
    std::string version;  ///< of the program
    Workload workload;    ///< what was evaluated: phase, batch and lengths
    Targets targets;      ///< as the scenario had them; the lines in the batch plot
    Result<ModelSummary> model = fail(ErrorCode::reference, "no model");
    Result<LayoutFacts> layout = fail(ErrorCode::reference, "no layout");
    Result<Prediction> prediction = fail(ErrorCode::reference, "not evaluated");
    std::vector<ShownFigure> figures;  ///< empty when the prediction failed
    std::vector<CrossoverCurve> curves;
    std::vector<CrossoverMessage> messages;
    std::vector<BatchPoint> batch_sweep;
    BatchWindow window;
    std::optional<ServingReport> serving;  ///< decode with an offered load
    std::vector<TierPoint> tier_points;    ///< decode: what the batch alone changes
    std::vector<TierJudgement> tiers;      ///< the tiers that the document promises
    TensorSweep tensor_sweep;
    std::vector<Impairment> impairments;  ///< what one slow or failed link does
    std::optional<DataPlan> data;         ///< data against parameters, where the model states its training tokens
    std::vector<Verdict> verdicts;
    std::vector<MonitoredMetric> monitoring;
    std::vector<Assumption> assumptions;  ///< every input that is assumed or only nominal, and every source
    std::vector<std::string> warnings;
    [[nodiscard]] int count(Outcome outcome) const;
};

struct EvaluateOptions {
    bool sweeps = true;
    bool suggestions = true;  ///< apply each suggested edit to a copy and predict it
};

namespace stages {
class SweepMemo;
class ImpairmentMemo;
}  // namespace stages

class Evaluator {
public:
    Evaluator();
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;
    /// Pure in its result: the cache changes only how long it takes.
    Report evaluate(const Scenario& scenario, const EvaluateOptions& options = {});

private:
    std::shared_ptr<PredictionCache> cache_;
    std::unique_ptr<stages::SweepMemo> memo_;
    std::unique_ptr<stages::ImpairmentMemo> impairments_;
};

}  // namespace crosspoint
