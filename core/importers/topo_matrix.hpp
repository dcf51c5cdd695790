// Text of `nvidia-smi topo -m` as a table: labels, cells, trailing columns. Private to importers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace crosspoint {

struct TopoRow {
    std::string label;
    std::vector<std::string> cells;  ///< one a column; "" where the text is elided
    std::string cpu_affinity, numa_affinity;
    int line = 0;
};

struct TopoMatrix {
    std::vector<std::string> columns;
    std::vector<TopoRow> rows;                                   ///< complete ones, in the text's order
    std::vector<std::string> incomplete;                         ///< labels of rows that were cut or elided
    std::vector<std::pair<std::string, std::string>> nic_names;  ///< legend: NIC0 -> mlx5_0
    bool glued = false;                                          ///< some cells had to be split
    bool has_numa = false;                                       ///< the header names a NUMA column
    bool capability = false;                                     ///< a -p2p matrix: cells OK, NS, ...
    std::string foreign;  ///< first cell of an alphabet that nvidia-smi does not print
};

/// A header line that starts with GPU0 (or a row of it), in any surrounding text.
bool has_topo_matrix(std::string_view text);
Result<TopoMatrix> read_topo_matrix(std::string_view text);
/// 0 for X, then the nearer the smaller: NV 1, PIX 2, PXB 3, PHB 4, NODE 5, SYS and SOC 6; -1 for no cell.
int closeness(std::string_view cell);
/// 18 of "NV18"; 0 for other cells.
int nvlinks(std::string_view cell);

}  // namespace crosspoint
