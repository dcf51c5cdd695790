// Small logs with the quirks of real ones, and how tests read them.
#pragma once

#include <QtTest>
#include <string>

#include "core/measure/fit.hpp"

namespace logs {

using namespace crosspoint;

inline MeasurementLog read(const std::string& text) {
    auto log = read_measurements(text, "log");
    if (!log) qWarning("%s", describe(log.error()).c_str());
    return log ? std::move(*log) : MeasurementLog{};
}

inline Error refused(const std::string& text) {
    auto log = read_measurements(text, "log");
    return log ? Error{} : log.error();
}

inline bool any(const std::vector<std::string>& sentences, std::string_view part) {
    for (const std::string& s : sentences)
        if (s.find(part) != std::string::npos) return true;
    return false;
}

inline bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

/// A table of one operation with times given by a function, as nccl-tests would print it but with every digit.
template <class Time>
MeasuredTable table(double first, double last, double factor, Time time, std::int64_t ranks = 8) {
    MeasuredTable t;
    t.operation = CollectiveOp::all_reduce;
    t.ranks = ranks;
    for (double n = first; n <= last; n *= factor) {
        MeasuredRow row;
        row.size = Bytes(n);
        row.out_of_place = Timing{};
        row.out_of_place->time = Seconds(time(n));
        t.rows.push_back(row);
    }
    return t;
}

}  // namespace logs
