// Which ranks talk to each other, as strided sets of accelerator indices: never a list of a million numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/workload/workload.hpp"

namespace crosspoint {

struct Stride {
    std::int64_t extent = 1;
    std::int64_t stride = 1;
    bool operator==(const Stride&) const = default;
};

/// Equal groups that are active at the same time. A rank of copy c and member m is the accelerator
/// sum(c_i * copies[i].stride) + sum(m_j * members[j].stride), in the drawing's order.
struct RankGroups {
    std::vector<Stride> members;  ///< innermost first
    std::vector<Stride> copies;
    [[nodiscard]] std::int64_t size() const;  ///< ranks in one group
    [[nodiscard]] std::int64_t copy_count() const;
    bool operator==(const RankGroups&) const = default;
};

/// `data`: ranks that hold the same dense weights, context ranks among them; `expert_data`: the same expert weights.
enum class GroupKind { tensor, expert, expert_tensor, pipeline, context, data, expert_data };
inline constexpr std::size_t group_kinds = 7;
std::string_view to_string(GroupKind);

/// The groups of one kind. `pipeline`: members are the stages (rank i of stage s sends to rank i of stage s+1).
RankGroups groups_of(GroupKind kind, const Parallelism& layout, const Placement& placement, std::int64_t replicas);

}  // namespace crosspoint
