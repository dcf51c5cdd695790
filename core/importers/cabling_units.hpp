// The units of a cabling: which hosts and switches hang together below each rank, and which look alike.
// Private to cabling_*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/importers/cabling.hpp"

namespace crosspoint::folding {

/// Cables between one pair of vertices, of one rate and latency.
struct Strand {
    int to = 0;
    int kind = 0;  ///< index into Graph::kinds
    int lanes = 1;
};

struct Graph {
    struct Kind {
        double bytes_per_s = 0, latency_s = -1;
        auto operator<=>(const Kind&) const = default;
    };
    std::vector<Kind> kinds;
    std::vector<std::vector<Strand>> strands;  ///< per vertex: NICs by host, then switches
    std::vector<int> first_nic;                ///< per host, and one past the last
    std::vector<int> host_of;                  ///< per vertex; -1 for switches
    std::vector<int> tier;                     ///< per vertex: 0 for NICs, -1 where no host is reached
    int nics = 0;
    int host_to_host = 0;
    int tiers = 0;
    [[nodiscard]] int vertex_of_switch(int index) const { return nics + index; }
};

Graph graph_of(const Cabling& cabling);

struct Unit {
    Folded::Kind kind = Folded::Kind::unit;
    int tier = 0;
    int host = -1;
    std::vector<int> switches;  ///< vertices of its own tier
    std::vector<int> children;  ///< units
    std::uint64_t signature = 0;
    int first_host = 0, last_host = 0;
};

struct Units {
    std::vector<Unit> all;
    std::vector<int> roots;
    std::vector<std::uint64_t> colours;  ///< per vertex, as seen from its own unit
};

Units units_of(const Cabling& cabling, const Graph& graph);

}  // namespace crosspoint::folding
