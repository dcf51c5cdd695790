#include "core/scenario/edit.hpp"

#include "core/scenario/edit_apply.hpp"

namespace crosspoint {

Result<Scenario> apply(const Scenario& scenario, const Edit& edit) {
    Scenario next = scenario;
    const auto written = std::visit([&next](const auto& change) { return edits::write(next, change); }, edit);
    if (!written) return tl::unexpected<Error>(written.error());
    return next;
}

Result<Scenario> apply(const Scenario& scenario, const std::vector<Edit>& edits) {
    Scenario next = scenario;
    for (const Edit& edit : edits) {
        const auto written = std::visit([&next](const auto& change) { return edits::write(next, change); }, edit);
        if (!written) return tl::unexpected<Error>(written.error());
    }
    return next;
}

}  // namespace crosspoint
