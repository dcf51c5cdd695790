// What every stage of one prediction shares (private to core/prediction).
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/prediction/cache.hpp"

namespace crosspoint {

struct Context {
    const Scenario& scenario;
    Detail detail = Detail::full;
    std::shared_ptr<const Network> network;
    const AcceleratorPart* part = nullptr;
    LayoutFacts facts{};
    std::array<std::shared_ptr<RoutedGroup>, group_kinds> routes{};  ///< by GroupKind; null for one rank
    std::vector<Stream> streams{};                                   ///< compute, then the levels in use
    std::vector<int> stream_of_level{};                              ///< by level
    double speed = 1;              ///< of the slowest accelerator, 1 = as its part says
    std::string slowest_device{};  ///< drawn id; empty when none is degraded
    StepShape whole{};             ///< the step of one attention rank
    double groups = 1;             ///< of sequences that the pipeline stages work on in turn
    int micro_batches = 1;         ///< two when batches are overlapped
    /// Layer kinds share most of their operations: texts and costs of equal ones are made once in a prediction.
    struct Known {
        Operation op;
        OperationCost cost;
        std::string why;
    };
    std::vector<Known> products{};
    /// Equal collectives are computed once in a prediction.
    std::vector<std::pair<Communication, CollectiveCost>> collectives{};

    [[nodiscard]] RoutedGroup* group(GroupKind kind) const { return routes[std::size_t(kind)].get(); }
    [[nodiscard]] bool texts() const { return detail == Detail::full; }
    /// One micro-batch (or, `parts` 1, one group) of one attention rank.
    [[nodiscard]] StepShape shape(int parts) const {
        StepShape shape = whole;
        shape.sequences = whole.sequences / (groups * double(parts));
        return shape;
    }
};

/// Network, routes, layout facts and shapes of a scenario.
Result<Context> make_context(const Scenario& scenario, PredictionCache& cache, Detail detail);

}  // namespace crosspoint
