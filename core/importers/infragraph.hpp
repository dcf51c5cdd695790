// InfraGraph documents as they are written, every edge by its two ends. Private to importers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/importers/text_tree.hpp"

namespace crosspoint {

struct InfraLink {
    std::string description;
    double bytes_per_s = 0;  ///< 0: not stated
    double latency_s = -1;
    std::string unit;  ///< the key of the bandwidth as written
    int line = 0;
};

/// A component of a device: index of `component` in instance `index` of `instance` (both empty and 0 inside a device).
struct InfraEnd {
    std::string instance;
    std::int64_t index = 0;
    std::string component;
    std::int64_t component_index = 0;
    auto operator<=>(const InfraEnd&) const = default;
};

struct InfraEdge {
    InfraEnd a, b;
    std::string link;
};

struct InfraComponent {
    std::string name, type;  ///< type in lower case: xpu, cpu, nic, switch, port, memory, custom
    std::int64_t count = 0;  ///< 0: as many as the edges name
};

struct InfraDevice {
    std::string name, description;
    std::vector<InfraComponent> components;
    std::map<std::string, std::string> inside;  ///< an outer component -> the accelerator in it
    std::map<std::string, InfraLink> links;
    std::vector<InfraEdge> edges;
    [[nodiscard]] const InfraComponent* find(std::string_view name) const;
};

struct InfraInstance {
    std::string name, device;
    std::int64_t count = 0;  ///< 0: as many as the edges name
};

struct InfraGraph {
    std::string name;
    std::vector<InfraDevice> devices;
    std::vector<InfraInstance> instances;
    std::map<std::string, InfraLink> links;
    std::vector<InfraEdge> edges;
    std::vector<std::pair<std::string, int>> unknown_keys;  ///< with their line
};

Result<InfraGraph> read_infragraph(std::string_view text);

}  // namespace crosspoint
