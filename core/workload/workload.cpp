#include "core/workload/workload.hpp"

#include <fmt/format.h>

#include "core/workload/layout_check.hpp"

namespace crosspoint {

std::string_view to_string(Phase phase) {
    switch (phase) {
        case Phase::decode: return "decode";
        case Phase::prefill: return "prefill";
        case Phase::training: return "training";
    }
    return "decode";
}

std::string_view to_string(ParallelDimension dimension) {
    switch (dimension) {
        case ParallelDimension::tensor: return "tensor";
        case ParallelDimension::attention_data: return "attention-data";
        case ParallelDimension::pipeline: return "pipeline";
        case ParallelDimension::replica: return "replica";
    }
    return "tensor";
}

Result<void> validate(const Parallelism& layout, const ModelShape& model, std::int64_t accelerators) {
    if (auto ok = layout_check::degrees(layout); !ok) return ok;
    if (auto ok = layout_check::pipeline(layout, model); !ok) return ok;
    if (auto ok = layout_check::tensor(layout, model); !ok) return ok;
    if (auto ok = layout_check::experts(layout, model); !ok) return ok;
    return layout_check::accelerators(layout, accelerators);
}

Result<LayoutFacts> layout_facts(const Parallelism& layout, const ModelShape& model, std::int64_t accelerators) {
    if (auto ok = validate(layout, model, accelerators); !ok) return tl::unexpected(ok.error());
    LayoutFacts facts;
    facts.accelerators = accelerators;
    facts.replica_size = layout.replica_size();
    facts.replicas = layout.replicas > 0 ? layout.replicas : accelerators / facts.replica_size;
    const std::int64_t used = facts.replicas * facts.replica_size;
    facts.idle = accelerators - used;
    facts.message = fmt::format(
        "{} ranks on {} accelerators: TP {}{} x DP-attention {}, EP {}{}, PP {}", used, accelerators, layout.tensor,
        layout.context > 1 ? fmt::format(" x CP {}", layout.context) : "", layout.attention_data, layout.expert,
        layout.expert_tensor > 1 ? fmt::format(" x expert-TP {}", layout.expert_tensor) : "", layout.pipeline);
    if (facts.replicas > 1) facts.message += fmt::format(", {} replicas", facts.replicas);
    if (facts.idle > 0) facts.message += fmt::format(", {} idle", facts.idle);
    return facts;
}

}  // namespace crosspoint
