// Enumerations as the texts that files use. Private to core/io.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/evidence.hpp"
#include "core/catalogue/dtype.hpp"
#include "core/catalogue/parts.hpp"
#include "core/model/model.hpp"
#include "core/topology/topology.hpp"
#include "core/workload/workload.hpp"

namespace crosspoint::json {

// The last enumerator of each: all of them count up from 0.
constexpr Confidence last_of(Confidence) { return Confidence::assumed; }
constexpr Dtype last_of(Dtype) { return Dtype::int4; }
constexpr CollectiveOp last_of(CollectiveOp) { return CollectiveOp::expert_combine; }
constexpr AttentionKind last_of(AttentionKind) { return AttentionKind::none; }
constexpr RecurrentForm last_of(RecurrentForm) { return RecurrentForm::mamba2; }
constexpr ContainerKind last_of(ContainerKind) { return ContainerKind::group; }
constexpr DeviceKind last_of(DeviceKind) { return DeviceKind::host; }
constexpr Wiring last_of(Wiring) { return Wiring::dragonfly; }
constexpr FabricKind last_of(FabricKind) { return FabricKind::pcie_tree; }
constexpr Health last_of(Health) { return Health::down; }
constexpr Phase last_of(Phase) { return Phase::training; }
constexpr Recompute last_of(Recompute) { return Recompute::full; }
constexpr PipelineSchedule last_of(PipelineSchedule) { return PipelineSchedule::dual_pipe; }
constexpr Optimiser last_of(Optimiser) { return Optimiser::sgd; }
constexpr ParallelDimension last_of(ParallelDimension) { return ParallelDimension::replica; }

template <class E>
std::string_view enum_name(E value) {
    return to_string(value);
}
inline std::string_view enum_name(AttentionKind kind) {
    switch (kind) {
        case AttentionKind::grouped: return "grouped";
        case AttentionKind::latent: return "latent";
        case AttentionKind::linear: return "linear";
        case AttentionKind::none: return "none";
    }
    return "none";
}

inline std::string_view enum_name(RecurrentForm form) {
    switch (form) {
        case RecurrentForm::delta: return "delta";
        case RecurrentForm::channel_delta: return "channel_delta";
        case RecurrentForm::lightning: return "lightning";
        case RecurrentForm::mamba1: return "mamba1";
        case RecurrentForm::mamba2: return "mamba2";
    }
    return "delta";
}

template <class E>
std::vector<std::string_view> enum_names() {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(last_of(E{})); ++i) names.push_back(enum_name(static_cast<E>(i)));
    return names;
}

template <class E>
std::optional<E> enum_from(std::string_view text) {
    for (int i = 0; i <= static_cast<int>(last_of(E{})); ++i)
        if (enum_name(static_cast<E>(i)) == text) return static_cast<E>(i);
    return std::nullopt;
}

}  // namespace crosspoint::json
