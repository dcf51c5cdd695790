#include "core/catalogue/path_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/catalogue/bus_bandwidth.hpp"

namespace crosspoint {
namespace {

bool positive(double value) { return std::isfinite(value) && value > 0; }
bool not_negative(double value) { return std::isfinite(value) && value >= 0; }

tl::unexpected<Error> refuse(const PathCalibration& path, std::string what, std::string hint) {
    return fail(ErrorCode::invalid_value,
                fmt::format("the calibration of {} over '{}' {}", to_string(path.operation), path.link, what),
                std::move(hint), {path.link});
}

bool grows(const std::vector<MeasuredTime>& table) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (!positive(table[i].size.si()) || !positive(table[i].time.si())) return false;
        if (i > 0 && !(table[i].size > table[i - 1].size)) return false;
    }
    return true;
}

}  // namespace

Result<void> validate(const PathCalibration& path) {
    if (path.link.empty())
        return fail(ErrorCode::invalid_value, "a calibration names no link class",
                    "give the id of a link part, or the name of a level of the network");
    if (path.operation == CollectiveOp::expert_dispatch || path.operation == CollectiveOp::expert_combine)
        return refuse(path, "has no effect: expert exchanges are priced from the path's own figures",
                      "enter the rate as the link's bandwidth instead");
    if (path.ranks < 2 || path.ranks > 1'000'000'000)
        return refuse(path, fmt::format("has {} ranks", path.ranks), "give the ranks that were measured, 2 or more");
    if ((path.alpha && !not_negative(path.alpha->si())) || !positive(path.bandwidth.si()) || !not_negative(path.kappa))
        return refuse(path, "needs alpha and kappa of 0 or more and a positive bandwidth", "give finite figures");
    if (!grows(path.table))
        return refuse(path, "has a table whose sizes do not grow", "sort it by size; sizes and times are positive");
    if (path.source.empty()) return refuse(path, "has no source", "say what was measured, and where");
    return {};
}

Bytes equivalent_size(const PathCalibration& path, Bytes bytes, double ranks) {
    const double measured = bus_bandwidth_factor(path.operation, double(path.ranks));
    return measured > 0 ? bytes * (bus_bandwidth_factor(path.operation, ranks) / measured) : bytes;
}

Seconds table_time(const PathCalibration& path, Bytes size) {
    const auto& table = path.table;
    if (table.empty()) return Seconds(0);
    if (size <= table.front().size) return table.front().time;
    if (size >= table.back().size) return table.back().time * (size / table.back().size);
    const auto after = std::upper_bound(table.begin(), table.end(), size,
                                        [](Bytes n, const MeasuredTime& point) { return n < point.size; });
    const MeasuredTime &a = *(after - 1), &b = *after;
    const double share = std::log(size / a.size) / std::log(b.size / a.size);
    return Seconds(a.time.si() * std::pow(b.time / a.time, share));
}

}  // namespace crosspoint
