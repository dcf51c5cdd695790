// Any bytes are refused with a message or give tables whose fits are finite.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/measure/fit.hpp"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace crosspoint;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto log = read_measurements(text, "log");
    if (!log) {
        require(!log.error().message.empty() && log.error().file == "log");
        return 0;
    }
    require(!log->first().empty());
    for (const MeasuredTable& table : log->tables) {
        for (const Block block : {Block::out_of_place, Block::in_place}) {
            const Fit fit = fit_table(table, {block, {}});
            require(!fit.alpha || (std::isfinite(fit.alpha->si()) && fit.alpha->si() >= 0));
            require(!fit.bandwidth || (std::isfinite(fit.bandwidth->si()) && fit.bandwidth->si() > 0));
            require(std::isfinite(fit.kappa) && fit.kappa >= 0);
            for (const FitPoint& point : fit.points) require(std::isfinite(point.fitted.si()));
        }
    }
    return 0;
}
