// What the palette offers: single parts and ready-made assemblies, and how each becomes part of a drawing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/scenario/edit.hpp"

namespace crosspoint {

struct TemplateEntry {
    std::string key;     ///< stable: "nvl72-rack", "device:nvidia-h100-sxm"
    std::string group;   ///< heading: "Domains", "Fabric", "Accelerators", ...
    std::string name;    ///< "HGX H100 node"
    std::string detail;  ///< what is in it, in a sentence
};

/// Assemblies first, then one entry for each accelerator, NIC, switch and host part of the catalogue.
std::vector<TemplateEntry> palette_entries(const Catalogue& catalogue);

struct Insertion {
    SetTopology edit;                  ///< the drawing with the new objects
    std::vector<std::string> objects;  ///< ids of the new outermost objects, to be selected
};

/// Adds the entry inside `parent` (or at the top) at `at`. Fails on an unknown key, an unknown parent, or a part that
/// the catalogue lacks. An accelerator, NIC or host that is dropped into a node is not wired: links are drawn.
Result<Insertion> insert_template(const Scenario& scenario, const std::string& key,
                                  const std::optional<ContainerId>& parent, const CanvasBox& at);

/// A link between two devices, wired as their counts and places suggest: rail between a counted NIC in a counted
/// container and a counted switch outside of it, one-to-one inside one container, each-to-each between switches.
/// The part is the fastest link of the family that both ends speak (PCIe at hosts; the switch's port rate at switches).
Result<Link> suggest_link(const Scenario& scenario, const DeviceId& a, const DeviceId& b, Topology& ids);

}  // namespace crosspoint
