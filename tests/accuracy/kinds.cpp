#include "accuracy/kinds.hpp"

#include <array>

#include <fmt/format.h>

namespace crosspoint::accuracy {

Predicted predict_collective(const Record&, const Catalogue&);
Predicted predict_ep_comm(const Record&, const Catalogue&);
Predicted predict_training(const Record&, const Catalogue&);
Predicted predict_training_memory(const Record&, const Catalogue&);

std::span<const Kind> kinds() {
    static constexpr std::array all{
        Kind{"collective", predict_collective},
        Kind{"ep_comm", predict_ep_comm},
        Kind{"training", predict_training},
        Kind{"training_memory", predict_training_memory},
    };
    return all;
}

Predicted in_unit_of(const Record& record, double si, std::string how) {
    const auto factor = unit_factor(record.unit);
    if (!factor) return tl::unexpected(fmt::format("the unit '{}' is not known", record.unit));
    return Prediction{si / *factor, std::move(how)};
}

}  // namespace crosspoint::accuracy
