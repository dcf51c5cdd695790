// What one slow or failed link does, found by applying it to a copy (private to core/evaluate).
#pragma once

#include <vector>

#include "core/evaluate/report.hpp"

namespace crosspoint::stages {

/// Keeps the impaired drawings of the scenario asked for last, so that a drag of the batch compiles and routes nothing.
/// Not thread-safe: one evaluator owns it.
class ImpairmentMemo {
public:
    ImpairmentMemo();
    /// For the busiest links and domains of the step: at half their rate, and with one of their parallel cables or
    /// planes gone. Where nothing is parallel, it is cut.
    std::vector<Impairment> impairments(const Scenario& scenario, const Prediction& prediction);

private:
    struct Candidate {
        Impairment impairment;
        std::shared_ptr<const Topology> drawing;  ///< null when cut
    };
    void find_candidates(const Scenario& scenario, const Prediction& prediction);

    std::shared_ptr<const Network> network_;
    std::vector<LinkRef> links_;
    std::vector<Candidate> candidates_;
    std::shared_ptr<PredictionCache> cache_;
};

}  // namespace crosspoint::stages
