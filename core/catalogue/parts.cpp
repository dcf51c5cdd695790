#include "core/catalogue/parts.hpp"

namespace crosspoint {
namespace {

template <class Row>
void overlay_rows(Table<Row>& base, const Table<Row>& overlay) {
    for (const Row& row : overlay) base.put(row);
}

}  // namespace

std::string_view to_string(CollectiveOp op) {
    switch (op) {
        case CollectiveOp::all_reduce: return "all-reduce";
        case CollectiveOp::all_gather: return "all-gather";
        case CollectiveOp::reduce_scatter: return "reduce-scatter";
        case CollectiveOp::all_to_all: return "all-to-all";
        case CollectiveOp::point_to_point: return "point-to-point";
        case CollectiveOp::broadcast: return "broadcast";
        case CollectiveOp::reduce: return "reduce";
        case CollectiveOp::gather: return "gather";
        case CollectiveOp::scatter: return "scatter";
        case CollectiveOp::expert_dispatch: return "expert-dispatch";
        case CollectiveOp::expert_combine: return "expert-combine";
    }
    return "unknown";
}

std::optional<CollectiveOp> collective_op_from(std::string_view text) {
    for (int i = 0; i <= static_cast<int>(CollectiveOp::expert_combine); ++i)
        if (to_string(static_cast<CollectiveOp>(i)) == text) return static_cast<CollectiveOp>(i);
    return std::nullopt;
}

Catalogue merged(const Catalogue& base, const Catalogue& overlay) {
    Catalogue all = base;
    overlay_rows(all.accelerators, overlay.accelerators);
    overlay_rows(all.links, overlay.links);
    overlay_rows(all.switches, overlay.switches);
    overlay_rows(all.nics, overlay.nics);
    overlay_rows(all.hosts, overlay.hosts);
    return all;
}

}  // namespace crosspoint
