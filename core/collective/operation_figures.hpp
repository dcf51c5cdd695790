// Private to core/collective: a route's figures as one kind of operation reaches them, by the catalogue.
#pragma once

#include "core/collective/collective.hpp"
#include "core/network/route.hpp"

namespace crosspoint {

/// Seconds per byte of a load when the operation reaches another bandwidth on this link class than the link's own
/// usable one: what congestion, state and background take away stays. A bandwidth entered in the drawing is kept.
SecondsPerByte operation_seconds_per_byte(SecondsPerByte routed, const NetworkLink& link, const Catalogue& catalogue,
                                          CollectiveOp op);

struct OperationBandwidth {
    SecondsPerByte seconds_per_byte;  ///< of the slowest link
    int bottleneck = -1;              ///< index into Network::links
    Confidence confidence = Confidence::exact;
};
OperationBandwidth operation_bandwidth(const Route& route, const Network& network, const Catalogue& catalogue,
                                       CollectiveOp op);

struct OperationLatency {
    Seconds software, step;
    double kappa = 0;
    std::optional<BulkProtocol> bulk;
    double low_latency_share = 1;
    Seconds message;
    bool fitted = false;  ///< the class has figures for this operation
};
/// Figures of the highest link class on the path that has any; else those of the path itself.
OperationLatency operation_latency(const Path& path, const Network& network, const Catalogue& catalogue,
                                   CollectiveOp op);

/// Catalogue figures of a link's part for an operation; null when it has none.
const CollectiveFigures* figures_of(const NetworkLink& link, const Catalogue& catalogue, CollectiveOp op);

}  // namespace crosspoint
