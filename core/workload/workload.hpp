// What is asked of the hardware: phase, batch and lengths, number formats, parallel degrees, placement order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/evidence.hpp"
#include "core/catalogue/dtype.hpp"
#include "core/catalogue/path_calibration.hpp"
#include "core/model/model.hpp"
#include "core/units/quantity.hpp"
#include "core/workload/training.hpp"

namespace crosspoint {

enum class Phase { decode, prefill, training };
std::string_view to_string(Phase);

struct Workload {
    Phase phase = Phase::decode;
    /// Decode, prefill: sequences in flight in one replica, over all of its attention-data ranks; training: sequences
    /// of one step over all replicas (the global batch).
    std::int64_t batch = 32;
    /// Decode: tokens in the cache of each sequence; prefill: prompt tokens; training: tokens of a sequence.
    std::int64_t context = 4096;
    std::int64_t output = 512;  ///< tokens generated per request
    double expert_cv = 0.0;     ///< coefficient of variation of expert popularity; 0 = uniform
    Training training;          ///< read in the training phase only
    bool operator==(const Workload&) const = default;
};

/// In training `weights` and `experts` say in which format the products run; the weights themselves are kept in the
/// wider of that and bf16, beside the optimiser's copy (Training::master).
struct Precision {
    Dtype weights = Dtype::bf16;
    Dtype experts = Dtype::bf16;      ///< weights of the routed experts
    Dtype activations = Dtype::bf16;  ///< computation follows the wider of weights and activations
    Dtype cache = Dtype::bf16;
    Dtype dispatch = Dtype::bf16;  ///< expert dispatch messages
    Dtype combine = Dtype::bf16;   ///< expert combine messages
    bool operator==(const Precision&) const = default;
};

/// Degrees of parallelism. In every pipeline stage the same accelerators hold attention (tensor x context x
/// attention_data) and feed-forward (expert x expert_tensor for expert layers; tensor for dense ones).
struct Parallelism {
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
    std::int64_t attention_data = 1;
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::int64_t replicas = 0;       ///< 0: as many as the accelerators hold
    bool sequence_parallel = false;  ///< reduce-scatter + all-gather instead of two all-reduces
    bool two_batch_overlap = false;  ///< two half batches, one communicates while the other computes
    std::int64_t context = 1;        ///< training: each sequence is split over so many ranks, next to the tensor ranks
    bool operator==(const Parallelism&) const = default;
    /// Saturate far above any drawing, so that no product of degrees overflows.
    [[nodiscard]] std::int64_t stage_size() const { return saturated(tensor, context, attention_data, 1); }
    [[nodiscard]] std::int64_t replica_size() const { return saturated(tensor, context, attention_data, pipeline); }

private:
    static std::int64_t saturated(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
        const double product =
            static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c) * static_cast<double>(d);
        return product < 1e18 ? a * b * c * d : 1'000'000'000'000'000'000;
    }
};

enum class ParallelDimension { tensor, attention_data, pipeline, replica };
std::string_view to_string(ParallelDimension);

/// The order in which the dimensions fill the drawing's accelerators, innermost first.
struct Placement {
    std::array<ParallelDimension, 4> order{ParallelDimension::tensor, ParallelDimension::attention_data,
                                           ParallelDimension::pipeline, ParallelDimension::replica};
    bool operator==(const Placement&) const = default;
};

/// What no formula knows, visible and editable, with an assumed default (cost-model section 4).
struct Calibration {
    Figure<Seconds> step_overhead;       ///< scheduler, sampling, framework, once per step
    Figure<Seconds> layer_overhead;      ///< once per layer
    bool graphs = true;                  ///< kernels are captured in a graph
    double memory_fraction = 0.9;        ///< of the accelerator's memory that the engine may use
    Bytes runtime_reserve{0};            ///< context, communicator and graph buffers
    std::vector<PathCalibration> paths;  ///< measured, by link class and collective; they win over the catalogue
    bool operator==(const Calibration&) const = default;
};

/// Checks degrees against model and accelerators: stage product equals expert product, tensor divides the query
/// heads, experts are divisible, pipeline <= layers, the replicas fit. The error names the product or divisor.
Result<void> validate(const Parallelism& layout, const ModelShape& model, std::int64_t accelerators);

struct LayoutFacts {
    std::int64_t accelerators = 0;  ///< in the drawing
    std::int64_t replica_size = 0;
    std::int64_t replicas = 0;
    std::int64_t idle = 0;  ///< accelerators that no replica uses
    std::string message;    ///< "32 ranks on 32 accelerators: TP 1 x DP-attention 32, EP 32, PP 1"
};
Result<LayoutFacts> layout_facts(const Parallelism& layout, const ModelShape& model, std::int64_t accelerators);

}  // namespace crosspoint
