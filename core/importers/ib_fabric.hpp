// InfiniBand fabrics as ibnetdiscover and iblinkinfo print them: what both have in common. Private to importers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/importers/importer.hpp"

namespace crosspoint {

struct IbNode {
    enum class Kind { network_switch, adapter, router, aggregation };
    std::string id;  ///< as the text names it: "S-0ff0...", or a LID
    Kind kind = Kind::adapter;
    std::string description;
    std::string system;  ///< image GUID; empty when not stated
};

/// A port to a port. `speed` is as printed: "4xNDR", "4X 25.78125 Gbps".
struct IbCable {
    std::string a, b;  ///< node ids
    std::string a_port, b_port;
    std::string speed;
    double bytes_per_s = 0;  ///< payload, one direction
};

struct IbFabric {
    std::vector<IbNode> nodes;
    std::vector<IbCable> cables;  ///< each once
    int port_lines = 0;           ///< as printed: most cables twice
    std::set<std::string> unknown_speeds;
};

/// Payload of one lane, bytes/s, by generation ("NDR") or by the signalling rate in Gb/s (106.25, 25.78125).
std::optional<double> ib_lane_of_word(std::string_view word);
std::optional<double> ib_lane_of_signalling(double gbps);
/// "host-17" of "host-17 mlx5_0"; empty when the description names the product and no host.
std::string ib_host_name(std::string_view description);
bool ib_is_aggregation_node(std::string_view description);

Result<IbFabric> read_ibnetdiscover(std::string_view text);
Result<IbFabric> read_iblinkinfo(std::string_view text);

/// Hosts by name, questions about what is in them, folded and drawn.
Result<Imported> draw_ib_fabric(const IbFabric& fabric, std::string_view format, const ImportOptions& options);

}  // namespace crosspoint
