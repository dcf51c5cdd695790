// Systems that are given by sizes alone: a scale-up domain of equal accelerators, then tiers that join one accelerator
// of each domain with the like ones of others through a switch (a rail). Private to importers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/importers/sketch.hpp"

namespace crosspoint {

/// A tier above the domain: how many of the units below it joins, at which rate of one accelerator.
struct RailTier {
    std::int64_t units = 1;
    BytesPerSecond rate;             ///< one direction, payload, per accelerator
    std::optional<Seconds> latency;  ///< one traversal of a cable
    std::string family = "ethernet";
    std::string name;   ///< of the cable: "Dimension 2"
    bool exact = true;  ///< the rate is usable as it stands; else it is one of a data sheet
};

struct RailSystem {
    std::string source;  ///< "ASTRA-sim network file"
    PartId accelerator;
    std::string accelerator_name;
    std::int64_t domain = 1;             ///< accelerators in the innermost container
    std::int64_t per_node = 0;           ///< in one chassis, when several of them form the domain; 0: the same
    std::optional<Interconnect> fabric;  ///< of the domain
    std::vector<RailTier> tiers;
};

void draw_rails(const RailSystem& system, Sketch& sketch);

/// The accelerator where a file gives only counts.
std::string ask_accelerator(const ImportOptions& options, std::string_view fallback, Sketch& sketch);

}  // namespace crosspoint
