#include "core/catalogue/bus_bandwidth.hpp"

namespace crosspoint {

double bus_bandwidth_factor(CollectiveOp op, double ranks) {
    if (!(ranks >= 1)) return 1;
    switch (op) {
        case CollectiveOp::all_reduce: return 2 * (ranks - 1) / ranks;
        case CollectiveOp::all_gather:
        case CollectiveOp::reduce_scatter:
        case CollectiveOp::all_to_all:
        case CollectiveOp::gather:
        case CollectiveOp::scatter:
        case CollectiveOp::expert_dispatch:
        case CollectiveOp::expert_combine: return (ranks - 1) / ranks;
        default: return 1;
    }
}

}  // namespace crosspoint
