// A folded cabling drawn: boxes, accelerators beside their NICs, switches and links. Private to importers.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/importers/cabling.hpp"
#include "core/importers/sketch.hpp"

namespace crosspoint {

/// What stands in a host of one kind.
struct HostDrawing {
    int accelerators = 0;
    PartId accelerator;
    std::string accelerator_name;
    std::optional<Interconnect> fabric;  ///< of the node; absent where a domain joins several hosts
};

struct CablingParts {
    std::map<std::string, HostDrawing> hosts;  ///< by Cabling::Host::kind
    std::optional<Interconnect> domain;        ///< of boxes of the kind `domain`
    std::string nic_name, cable_name;          ///< for people: "ConnectX", "NDR"
    std::function<PartId(BytesPerSecond)> nic, cable;
    bool exact = false;  ///< the rates are usable ones (of a simulation), not those of a data sheet
    std::function<PartId(const std::string& model, int radix, BytesPerSecond port)> network_switch;
};

/// Folds and draws. Each NIC gets the rate of all its cables; the PCIe between it and the accelerators is assumed.
void draw(const Cabling& cabling, const CablingParts& parts, Sketch& sketch);

/// The scale-up fabric that an accelerator of this name has by its data sheet; none where it has none or is unknown.
std::optional<Interconnect> scale_up_of(std::string_view accelerator, Sketch& sketch);

/// Questions for files that know hosts and not what is in them. The answers are choices of the user or marked assumed.
struct HostQuestion {
    int accelerators = 8;                                    ///< default
    std::string_view accelerator = "NVIDIA H100 SXM 80 GB";  ///< default
    std::string_view why;                                    ///< why these: "the usual node with 8 adapters"
};
HostDrawing ask_host(const ImportOptions& options, const HostQuestion& question, Sketch& sketch);

}  // namespace crosspoint
