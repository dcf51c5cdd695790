// A scenario with what the rules read, judged.
#pragma once

#include <QtTest>

#include "core/prediction/scenarios.hpp"
#include "core/review/verdict.hpp"

namespace crosspoint::testing {

struct Judged {
    Scenario scenario;
    std::vector<BatchPoint> batches;
    std::vector<std::pair<std::int64_t, Seconds>> degrees;
    std::vector<Impairment> impairments{};

    [[nodiscard]] Verdict verdict(std::string_view rule) const {
        const auto cache = make_prediction_cache();
        const auto p = predict(scenario, *cache);
        if (!p) qFatal("%s", describe(p.error()).c_str());
        for (auto& v : review({scenario, *p, batches, degrees, impairments}))
            if (v.rule == rule) return v;
        qFatal("no such rule");
    }
    [[nodiscard]] Outcome outcome(std::string_view rule) const { return verdict(rule).outcome; }
};

inline Judged dense(std::int64_t nodes, std::int64_t tensor) {
    Scenario s = scenario(nodes_of_eight(nodes, "h100", "nvlink4"), llama_3_70b());
    s.layout.tensor = tensor;
    s.workload.batch = 32;
    return {s, {}, {}};
}

inline Judged experts(std::int64_t nodes, std::int64_t batch_per_accelerator = 32) {
    return {deepseek_on_h800(nodes, batch_per_accelerator), {}, {}};
}

}  // namespace crosspoint::testing
