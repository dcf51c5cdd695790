// Everything the user can edit, as one value. Copies are cheap: large tables are shared and immutable.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/catalogue/parts.hpp"
#include "core/model/model.hpp"
#include "core/topology/topology.hpp"
#include "core/workload/workload.hpp"

namespace crosspoint {

struct Prices {
    std::optional<DollarsPerSecond> accelerator;  ///< per accelerator; absent = the catalogue's
    std::string source;                           ///< of the override
    bool operator==(const Prices&) const = default;
};

struct Targets {
    std::optional<Seconds> inter_token;           ///< latency target of decode
    std::optional<Seconds> first_token;           ///< of prefill
    std::optional<DollarsPerToken> output_price;  ///< acceptable unit cost
    bool operator==(const Targets&) const = default;
};

/// The load that a service gets, and the tiers that it is sold in.
struct Service {
    std::optional<TokensPerSecond> offered;  ///< output tokens over all replicas, as requests of the workload's output
    bool operator==(const Service&) const = default;
};
/// Multiples of the standard tier, which is the document's own batch.
struct Tier {
    double price = 1;
    double speed = 1;  ///< tokens/s of one user
    bool operator==(const Tier&) const = default;
};
using Tiers = std::map<std::string, Tier>;

/// Review thresholds by name ("cross-domain.attention" = 0.25); absent names use the rule's default.
using Thresholds = std::map<std::string, double>;

struct Scenario {
    std::string title;
    std::string notes;
    std::shared_ptr<const Topology> topology;
    std::shared_ptr<const ModelShape> model;
    std::shared_ptr<const Catalogue> catalogue;  ///< built-in parts with the document's own laid over
    std::shared_ptr<const Catalogue> own_parts;  ///< the document's own
    Workload workload;
    Precision precision;
    Parallelism layout;
    Placement placement;
    Calibration calibration;
    Prices prices;
    Targets targets;
    Service service;
    Tiers tiers;
    Thresholds thresholds;
};

/// Compares tables by value (and quickly when they are the same object).
bool operator==(const Scenario& a, const Scenario& b);

/// An empty drawing and no model, with default everything: what File > New gives.
Scenario empty_scenario(std::shared_ptr<const Catalogue> builtin);

}  // namespace crosspoint
