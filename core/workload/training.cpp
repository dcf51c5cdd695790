#include "core/workload/training.hpp"

namespace crosspoint {

std::string_view to_string(Recompute recompute) {
    switch (recompute) {
        case Recompute::none: return "none";
        case Recompute::selective: return "selective";
        case Recompute::full: return "full";
    }
    return "none";
}

std::string_view to_string(PipelineSchedule schedule) {
    switch (schedule) {
        case PipelineSchedule::one_f_one_b: return "1f1b";
        case PipelineSchedule::zero_bubble: return "zero-bubble";
        case PipelineSchedule::dual_pipe: return "dual-pipe";
    }
    return "1f1b";
}

std::string_view to_string(Optimiser optimiser) { return optimiser == Optimiser::adam ? "adam" : "sgd"; }

}  // namespace crosspoint
