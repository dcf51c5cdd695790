// Private to core/network: the ranks of strided groups, one by one and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/workload/groups.hpp"

namespace crosspoint {

/// All sums of multiples of the strides, the first stride varying fastest.
inline std::vector<std::int64_t> offsets(const std::vector<Stride>& strides) {
    std::vector<std::int64_t> result{0};
    for (const Stride& s : strides) {
        std::vector<std::int64_t> next;
        next.reserve(result.size() * std::size_t(s.extent));
        for (std::int64_t i = 0; i < s.extent; ++i)
            for (const std::int64_t r : result) next.push_back(r + i * s.stride);
        result = std::move(next);
    }
    return result;
}

/// visit(rank, copy, member), copy by copy.
template <class Visit>
void for_each_rank(const RankGroups& groups, Visit visit) {
    const auto members = offsets(groups.members);
    std::int64_t copy = 0;
    for (const std::int64_t base : offsets(groups.copies)) {
        std::int64_t member = 0;
        for (const std::int64_t m : members) visit(base + m, copy, member++);
        ++copy;
    }
}

/// Finds copy and member of a rank, for strides that do not overlap (each larger one starts where the smaller end).
class RankDecoder {
public:
    struct Place {
        std::int64_t copy = 0, member = 0;
    };

    explicit RankDecoder(const RankGroups& groups) {
        std::int64_t weight = 1;
        for (const Stride& s : groups.members) weight = add(s, weight, false);
        weight = 1;
        for (const Stride& s : groups.copies) weight = add(s, weight, true);
        std::sort(steps_.begin(), steps_.end(), [](const Step& x, const Step& y) { return x.stride > y.stride; });
    }

    [[nodiscard]] std::optional<Place> find(std::int64_t rank) const {
        Place place;
        for (const Step& s : steps_) {
            const std::int64_t index = rank / s.stride;
            if (index >= s.extent) return std::nullopt;
            (s.copies ? place.copy : place.member) += index * s.weight;
            rank -= index * s.stride;
        }
        if (rank != 0) return std::nullopt;
        return place;
    }

private:
    struct Step {
        std::int64_t stride, extent, weight;
        bool copies;
    };
    std::int64_t add(const Stride& s, std::int64_t weight, bool copies) {
        if (s.extent > 1) steps_.push_back({s.stride, s.extent, weight, copies});
        return weight * s.extent;
    }
    std::vector<Step> steps_;
};

}  // namespace crosspoint
