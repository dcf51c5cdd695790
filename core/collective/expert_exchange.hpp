// Dispatch and combine of an expert layer (cost-model section 5, expert all-to-all).
#pragma once

#include "core/collective/collective.hpp"
#include "core/network/route.hpp"

namespace crosspoint {

struct ExpertExchange {
    double tokens = 0;        ///< of one rank
    double destinations = 0;  ///< routed experts a token (plus shared ones that are sent away)
    Bytes token_bytes;        ///< hidden x dtype of this direction
    double ranks = 1;         ///< expert-parallel ranks
    double experts = 1;
    double domains = 1;      ///< scale-up domains that the group spans
    double group_limit = 0;  ///< model's limit of groups a token; 0 = none
};

struct ExchangeCost {
    std::string algorithm;  ///< "low-latency direct" or "node-de-duplicated"
    std::string reason;
    std::string formula;
    Seconds latency, bandwidth, time;
    Bytes sent_per_rank;      ///< leaving the accelerator
    double remote_share = 0;  ///< (R - R/D)/R: share of assignments that leave the domain
    double messages = 0;      ///< distinct destination ranks of one rank: R-1 at most; each costs its issue time
    struct AtLevel {
        int level = 0;
        Bytes bytes;
        Seconds time;
    };
    std::vector<AtLevel> levels;
    Confidence confidence = Confidence::exact;
};

/// The published alpha-free bound: tokens x destinations x token_bytes / bandwidth; 32 x 9 x 7000 x (1+2) B at
/// 50 GB/s = 120.96 us. Source: DeepSeek-AI, "Insights into DeepSeek-V3" (arXiv 2505.09343), section 2.3.2.
Seconds exchange_bound(double tokens, double destinations, Bytes token_bytes, BytesPerSecond bandwidth);

/// One direction over a routed group: the faster of the direct and the de-duplicated form, and always the direct one
/// up to 256 tokens a rank, where no published kernel de-duplicates.
ExchangeCost exchange_cost(const ExpertExchange& exchange, const Network& network, const Route& route, CollectiveOp op,
                           const Catalogue& catalogue);

}  // namespace crosspoint
