// Private to core/measure: one reader a format, and what they share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/measure/log_lines.hpp"
#include "core/measure/measurement.hpp"

namespace crosspoint::measure {

using Tables = std::vector<MeasuredTable>;

Tables read_nccl_text(const std::vector<Line>& lines);
Tables read_osu(const std::vector<Line>& lines);
Tables read_imb(const std::vector<Line>& lines);
Tables read_perftest(const std::vector<Line>& lines);
Tables read_nvbandwidth(const std::vector<Line>& lines);
Tables read_ucc(const std::vector<Line>& lines);
Tables read_deepep(const std::vector<Line>& lines);
Result<Tables> read_nccl_json(std::string_view text, std::string_view file);
Result<Tables> read_rccl_json(std::string_view text, std::string_view file);
Result<Tables> read_nvbandwidth_json(std::string_view text, std::string_view file);

/// "all_reduce_perf", "AllReduce", "Multi-Allgather", "MPI_Alltoall": the operation that a name states.
std::optional<CollectiveOp> operation_named(std::string_view name);
/// All-gather, reduce-scatter, all-to-all, gather, scatter: a count per rank, factor (n-1)/n.
bool per_rank_count(CollectiveOp op);

/// A row of one time.
MeasuredRow timed_row(Bytes size, Seconds time, int line);
/// Sizes of one rank's message to full tensors, where the operation counts so and the ranks are known.
void sizes_from_per_rank(MeasuredTable& table);

/// One sentence for several ignored lines: "NCCL INFO lines (3)".
class Ignored {
public:
    void count(std::string_view what);
    [[nodiscard]] std::vector<std::string> sentences() const;

private:
    std::vector<std::pair<std::string, int>> counts_;
};

}  // namespace crosspoint::measure
