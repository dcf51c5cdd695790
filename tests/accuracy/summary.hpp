// Errors of predictions against measurements, by kind.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/kinds.hpp"
#include "accuracy/record.hpp"

namespace crosspoint::accuracy {

struct Row {
    const Record* record = nullptr;
    double predicted = 0, measured = 0;
    std::optional<bool> in_band;  ///< empty for context rows and rows without a band
    std::string how;
    [[nodiscard]] double ratio() const { return predicted / measured; }
    [[nodiscard]] double relative_error() const;  ///< |predicted - measured| / |measured|
};

struct Unmapped {
    const Record* record = nullptr;
    std::string reason;
};

/// Order statistics of absolute relative errors over the rows that are tested; NaN without rows.
struct Errors {
    double share_in_band = 0, median = 0, p90 = 0, worst = 0;
};
Errors errors_of(const std::vector<const Row*>& rows);

struct KindSummary {
    int records = 0, mapped = 0;
    Errors errors;
};

struct Summary {
    std::map<std::string, KindSummary> kinds;  ///< kinds of the file that the tool predicts
    std::map<std::string, int> left_out;       ///< records of other kinds
    std::vector<Row> rows;
    std::vector<Unmapped> unmapped;
};
/// `records` must outlive the result.
Summary compare(const std::vector<Record>& records, const Catalogue& catalogue);

std::string as_text(const Summary& summary, const Records& records, bool rows, bool by_source);
std::string as_json(const Summary& summary, const Records& records, bool rows, bool by_source);

}  // namespace crosspoint::accuracy
