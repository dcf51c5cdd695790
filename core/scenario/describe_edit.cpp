#include <fmt/format.h>

#include "core/scenario/edit.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

std::string counted(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

/// "1 container, 2 devices and 3 links"; kinds of which there are none are left out.
std::string objects(std::size_t containers, std::size_t devices, std::size_t links = 0) {
    std::vector<std::string> kinds;
    if (containers) kinds.push_back(counted(containers, "container"));
    if (devices) kinds.push_back(counted(devices, "device"));
    if (links) kinds.push_back(counted(links, "link"));
    if (kinds.empty()) return "nothing";
    const std::string last = kinds.back();
    kinds.pop_back();
    return kinds.empty() ? last : fmt::format("{} and {}", fmt::join(kinds, ", "), last);
}

std::string shown(const std::string& name, const std::string& id) { return name.empty() ? id : name; }

struct Describer {
    std::string operator()(const SetTitle&) const { return "change title and notes"; }
    std::string operator()(const SetPhase& e) const { return fmt::format("set phase to {}", to_string(e.phase)); }
    std::string operator()(const SetBatch& e) const { return fmt::format("set batch to {}", e.batch); }
    std::string operator()(const SetContext& e) const { return fmt::format("set context to {}", e.context); }
    std::string operator()(const SetOutput& e) const { return fmt::format("set output length to {}", e.output); }
    std::string operator()(const SetExpertCv& e) const { return "set expert variation to " + shortest(e.cv); }
    std::string operator()(const SetTraining&) const { return "change training settings"; }
    std::string operator()(const SetModel& e) const {
        return e.model ? fmt::format("set model to {}", e.model->name) : std::string("remove the model");
    }
    std::string operator()(const SetTopology&) const { return "replace the drawing"; }
    std::string operator()(const SetPrecision&) const { return "change number formats"; }
    std::string operator()(const SetParallelism& e) const {
        return fmt::format("set layout to TP {}, DP-attention {}, EP {}, PP {}", e.layout.tensor,
                           e.layout.attention_data, e.layout.expert, e.layout.pipeline);
    }
    std::string operator()(const SetPlacement&) const { return "change placement order"; }
    std::string operator()(const SetCalibration&) const { return "change calibration"; }
    std::string operator()(const SetPathCalibration& e) const {
        return fmt::format("calibrate {} over {}", to_string(e.path.operation), e.path.link);
    }
    std::string operator()(const RemovePathCalibration& e) const {
        return fmt::format("remove the calibration of {} over {}", to_string(e.operation), e.link);
    }
    std::string operator()(const SetPrices&) const { return "change prices"; }
    std::string operator()(const SetTargets&) const { return "change targets"; }
    std::string operator()(const SetService&) const { return "change the offered load"; }
    std::string operator()(const SetTier& e) const {
        return fmt::format("{} tier '{}'", e.tier ? "set" : "remove", e.name);
    }
    std::string operator()(const SetThreshold& e) const {
        return e.value ? fmt::format("set threshold {} to {}", e.name, shortest(*e.value))
                       : fmt::format("reset threshold {}", e.name);
    }
    std::string operator()(const PutContainer& e) const {
        return "change container " + shown(e.container.name, e.container.id.value);
    }
    std::string operator()(const PutDevice& e) const {
        return "change device " + shown(e.device.name, e.device.id.value);
    }
    std::string operator()(const PutLink& e) const { return "change link " + e.link.id.value; }
    std::string operator()(const RemoveObjects& e) const {
        return "delete " + objects(e.containers.size(), e.devices.size(), e.links.size());
    }
    std::string operator()(const AddParts& e) const {
        return "add " + counted(e.parts ? e.parts->accelerators.size() + e.parts->links.size() +
                                              e.parts->switches.size() + e.parts->nics.size() + e.parts->hosts.size()
                                        : 0,
                                "part");
    }
    std::string operator()(const MoveObjects& e) const { return "move " + counted(e.boxes.size(), "object"); }
    std::string operator()(const DuplicateObjects& e) const {
        return "duplicate " + objects(e.containers.size(), e.devices.size());
    }
};

}  // namespace

std::string describe(const Edit& edit) { return std::visit(Describer{}, edit); }

}  // namespace crosspoint
