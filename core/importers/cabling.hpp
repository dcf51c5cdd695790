// A fabric as a plain list of hosts, switches and cables, and the same folded into counts. Private to importers.
//
// Folding: switches are ranked by their distance from the hosts. What hangs together below one rank is a unit; units,
// scale-up domains and hosts that look alike and reach the same switches above them are drawn once with a count.
// Switches that look alike become one device with a count when the cables between counted devices are all-to-all or
// rail by rail; where they are not, each is drawn by itself. So the folded drawing holds exactly the cables of the
// list. Alike means: the same after colour refinement, which tells all trees and Clos fabrics apart (not some regular
// graphs of equal degree, such as two different cubic graphs of switches).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/topology/topology.hpp"

namespace crosspoint {

struct Cabling {
    struct Host {
        std::string name;
        std::string kind;    ///< hosts of different kinds are never drawn as one
        std::string domain;  ///< hosts of one (non-empty) domain share a scale-up fabric
        int nics = 0;
    };
    struct Switch {
        std::string name;
        std::string model;  ///< switches of different models are never drawn as one
    };
    /// A NIC of a host, or a switch when `host` is -1.
    struct End {
        int host = -1;
        int index = 0;
        auto operator<=>(const End&) const = default;
    };
    struct Cable {
        End a, b;
        double bytes_per_s = 0;  ///< one direction, payload
        double latency_s = -1;   ///< one traversal; negative: not stated
        int lanes = 1;           ///< parallel cables
    };
    std::vector<Host> hosts;
    std::vector<Switch> switches;
    std::vector<Cable> cables;
};

struct Folded {
    enum class Kind { host, domain, unit };
    struct Box {
        Kind kind = Kind::unit;
        int parent = -1;
        std::int64_t count = 1;
        int host = -1;            ///< of a host box: the host that is drawn for all
        std::string first, last;  ///< names of the first and the last that it stands for
        int tier = 0;
    };
    struct Device {
        int box = -1;  ///< -1: outside of all boxes
        bool nic = false;
        std::vector<int> members;  ///< NIC numbers of the drawn host, or switch numbers, in the order of the instances
    };
    struct Wire {
        int a = 0, b = 0;  ///< devices; a is nearer to the hosts
        Wiring wiring = Wiring::one_to_one;
        int lanes = 1;
        double bytes_per_s = 0, latency_s = -1;
    };
    std::vector<Box> boxes;  ///< parents before children
    std::vector<Device> devices;
    std::vector<Wire> wires;
    int unreached_switches = 0;  ///< no host reaches them; not drawn
    int host_to_host = 0;        ///< cables between two hosts; not drawn
};

Folded fold(const Cabling& cabling);

}  // namespace crosspoint
