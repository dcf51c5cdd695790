#include "core/workload/groups.hpp"

#include <algorithm>
#include <utility>

namespace crosspoint {
namespace {

using Strides = std::vector<Stride>;

/// Where each parallel dimension lies in the drawing's order of accelerators. Context ranks follow the tensor ranks
/// directly: a placement names the two together.
struct Axes {
    Stride tensor, context, attention_data, pipeline, replica;
};

std::int64_t extent_of(ParallelDimension dimension, const Parallelism& p, std::int64_t replicas) {
    switch (dimension) {
        case ParallelDimension::tensor:
            return std::max<std::int64_t>(p.tensor, 1) * std::max<std::int64_t>(p.context, 1);
        case ParallelDimension::attention_data: return std::max<std::int64_t>(p.attention_data, 1);
        case ParallelDimension::pipeline: return std::max<std::int64_t>(p.pipeline, 1);
        case ParallelDimension::replica: return std::max<std::int64_t>(replicas, 1);
    }
    return 1;
}

Stride& axis_of(Axes& axes, ParallelDimension dimension) {
    switch (dimension) {
        case ParallelDimension::tensor: return axes.tensor;
        case ParallelDimension::attention_data: return axes.attention_data;
        case ParallelDimension::pipeline: return axes.pipeline;
        case ParallelDimension::replica: break;
    }
    return axes.replica;
}

Axes axes_of(const Parallelism& layout, const Placement& placement, std::int64_t replicas) {
    Axes axes;
    std::int64_t stride = 1;
    for (const ParallelDimension dimension : placement.order) {
        const std::int64_t extent = extent_of(dimension, layout, replicas);
        axis_of(axes, dimension) = {extent, stride};
        stride *= extent;
    }
    const std::int64_t tensor = std::max<std::int64_t>(layout.tensor, 1);
    axes.context = {axes.tensor.extent / tensor, axes.tensor.stride * tensor};
    axes.tensor.extent = tensor;
    return axes;
}

/// The inner `extent` of an axis and what is left of it.
std::pair<Stride, Stride> split(Stride axis, std::int64_t extent) {
    const std::int64_t inner = std::clamp<std::int64_t>(extent, 1, axis.extent);
    return {{inner, axis.stride}, {std::max<std::int64_t>(axis.extent / inner, 1), axis.stride * inner}};
}

/// Innermost first, single ranks left out, neighbours that continue each other joined.
Strides tidy(Strides strides) {
    std::erase_if(strides, [](const Stride& s) { return s.extent <= 1; });
    std::sort(strides.begin(), strides.end(), [](const Stride& a, const Stride& b) { return a.stride < b.stride; });
    Strides joined;
    for (const Stride& s : strides) {
        if (!joined.empty() && joined.back().stride * joined.back().extent == s.stride)
            joined.back().extent *= s.extent;
        else joined.push_back(s);
    }
    return joined;
}

std::int64_t product(const Strides& strides) {
    std::int64_t n = 1;
    for (const Stride& s : strides) n *= s.extent;
    return n;
}

RankGroups tidy_groups(Strides members, Strides copies) { return {tidy(std::move(members)), tidy(std::move(copies))}; }

/// A stage's ranks counted tensor first, then context and attention-data; expert_tensor takes the first of them.
RankGroups expert_groups(bool expert_tensor, const Axes& axes, std::int64_t degree) {
    Strides inner, outer;
    for (const Stride& axis : {axes.tensor, axes.context, axes.attention_data}) {
        const auto [first, rest] = split(axis, degree);
        inner.push_back(first);
        outer.push_back(rest);
        degree /= first.extent;
    }
    Strides copies = expert_tensor ? outer : inner;
    copies.push_back(axes.pipeline);
    copies.push_back(axes.replica);
    return tidy_groups(expert_tensor ? inner : outer, std::move(copies));
}

}  // namespace

std::int64_t RankGroups::size() const { return product(members); }
std::int64_t RankGroups::copy_count() const { return product(copies); }

std::string_view to_string(GroupKind kind) {
    switch (kind) {
        case GroupKind::tensor: return "tensor";
        case GroupKind::expert: return "expert";
        case GroupKind::expert_tensor: return "expert-tensor";
        case GroupKind::pipeline: return "pipeline";
        case GroupKind::context: return "context";
        case GroupKind::data: return "data";
        case GroupKind::expert_data: return "expert-data";
    }
    return "tensor";
}

RankGroups groups_of(GroupKind kind, const Parallelism& layout, const Placement& placement, std::int64_t replicas) {
    const Axes axes = axes_of(layout, placement, replicas);
    const auto& [tensor, context, data, pipeline, replica] = axes;
    switch (kind) {
        case GroupKind::tensor: return tidy_groups({tensor}, {context, data, pipeline, replica});
        case GroupKind::context: return tidy_groups({context}, {tensor, data, pipeline, replica});
        case GroupKind::pipeline: return tidy_groups({pipeline}, {tensor, context, data, replica});
        case GroupKind::data: return tidy_groups({context, data, replica}, {tensor, pipeline});
        case GroupKind::expert_data: return tidy_groups({replica}, {tensor, context, data, pipeline});
        case GroupKind::expert:
        case GroupKind::expert_tensor:
            return expert_groups(kind == GroupKind::expert_tensor, axes,
                                 std::max<std::int64_t>(layout.expert_tensor, 1));
    }
    return {};
}

}  // namespace crosspoint
