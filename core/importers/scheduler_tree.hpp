// What cluster schedulers know of a fabric: which nodes are under which switch, and which form a block. No rates, no
// number of cables, nothing of what is in a node: these are questions. Private to importers.
#pragma once

#include <string>
#include <vector>

#include "core/importers/importer.hpp"
#include "core/importers/sketch.hpp"

namespace crosspoint {

struct SchedulerTree {
    struct Switch {
        std::string name;
        std::vector<std::string> children;  ///< switches below, defined or not
        std::vector<std::string> nodes;
    };
    struct Block {
        std::string name;
        std::string switch_name;  ///< that its nodes are under; empty where not stated
        std::vector<std::string> nodes;
        std::string domain, sub_domain;  ///< accelerator domains where stated
    };
    std::vector<Switch> switches;
    std::vector<Block> blocks;
    bool block_is_domain = false;  ///< the format says that a block's nodes share a scale-up fabric
};

/// `notes` of reading go before those of drawing.
Result<Imported> draw_scheduler_tree(const SchedulerTree& tree, Sketch sketch, const ImportOptions& options);

}  // namespace crosspoint
