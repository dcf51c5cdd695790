// One server as topology dumps describe it: CPUs, the PCIe tree below them, and scale-up links between its GPUs.
// Private to importers; NCCL, hwloc, nvidia-smi and rocm-smi all end here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/importers/sketch.hpp"

namespace crosspoint {

struct MachineNode {
    enum class Kind { cpu, bridge, gpu, nic };
    Kind kind = Kind::bridge;
    std::string key;    ///< bus id; of GPUs unique
    std::string name;   ///< shown
    std::string where;  ///< for notes: "line 12"
    PartId part;        ///< of GPUs, NICs and CPUs
    double up = 0;      ///< PCIe to the parent, bytes/s, one direction, payload; 0 = the file does not say
    double c2c = 0;     ///< chip-to-chip link of a GPU to its CPU, bytes/s, one direction; 0 = none
    std::vector<MachineNode> children;
};

/// `count` scale-up links from a GPU to another, or to a switch; listed at either end or at both.
struct PeerLink {
    std::string from, to;
    int count = 1;
    bool to_switch = false;
};

struct Machine {
    std::string name;
    std::vector<MachineNode> cpus;
    std::vector<PeerLink> peers;
    std::string family = "nvlink";  ///< of the peer links, as in the catalogue: nvlink, xgmi
    double per_link = 0;            ///< bytes/s, one direction, payload, of one peer link
    std::string rate_source;        ///< of per_link
    double domain = 0;              ///< with no `peers`: bytes/s per GPU in a domain of all GPUs; 0 = no domain
    std::string domain_source;
};

/// How the peer links join the GPUs.
struct ScaleUp {
    enum class Form { none, switched, mesh, links };
    Form form = Form::none;
    std::vector<std::vector<int>> groups;  ///< GPUs of each domain, by their order in the tree
    std::vector<double> bandwidth;         ///< per accelerator and direction, of each domain
    int planes = 1;                        ///< switches that the links spread over
    std::vector<std::vector<int>> counts;  ///< links of each pair
};

/// GPUs in tree order.
std::vector<const MachineNode*> gpus_of(const Machine& machine);
/// What the peer links mean; unequal ends are noted.
ScaleUp scale_up_of(Sketch& sketch, const Machine& machine);
/// Removes what leads to neither GPU nor NIC, draws bridges with one thing below them as a link, and asks about uplinks
/// that are slower than what is below them.
void simplify(Sketch& sketch, Machine& machine);
/// Adds the machine as one node; identical parts of the tree become counts where every GPU has the same peers.
void draw(Sketch& sketch, Machine machine);

/// PCIe payload of one direction from a kernel's link speed ("16.0 GT/s PCIe") and width; NCCL's Gen3 for unknown
/// speeds.
double pcie_bandwidth(Sketch& sketch, std::string_view speed, int width, const std::string& where);
/// 16 lanes of a generation.
double pcie_x16(int generation);

}  // namespace crosspoint
