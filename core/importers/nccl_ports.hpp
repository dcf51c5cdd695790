// The <net> elements of an NCCL topology: ports of one card, bonds, slips of the unit. Private to importers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/importers/sketch.hpp"
#include "core/importers/xml_text.hpp"

namespace crosspoint {

struct NcclPort {
    std::string name, guid, port, where;
    long long mbps = 0;  ///< Mbit/s as stated; 0 = not
};

class NcclPorts {
public:
    NcclPorts(Sketch& sketch, const XmlText& xml) : sketch_(sketch), xml_(xml) {}
    std::vector<NcclPort> read(const pugi::xml_node& nic) const;
    /// Mbit/s of all ports of one card together; asks about shared guids and impossible speeds, once a file.
    long long mbps_of(const std::vector<NcclPort>& ports);

private:
    void warn_of_second_card(const NcclPort& port);
    bool add_up(const NcclPort& first, const NcclPort& port);
    long long corrected(const NcclPort& port);
    Sketch& sketch_;
    const XmlText& xml_;
    std::map<std::string, std::string> cards_;  ///< guid -> first port
    std::string bond_answer_, speed_answer_;
};

/// Gb/s of a NIC by its PCI numbers, else by the generation of its PCIe link (bytes/s).
int usual_nic_gbit(unsigned vendor, unsigned device, double pcie);

}  // namespace crosspoint
