// nccl-tests and rccl-tests text of all ages (grammar: NVIDIA/nccl-tests src/util.cu, ROCm/rccl-tests).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/measure/formats.hpp"
#include "core/measure/nccl_rows.hpp"
#include "core/units/text.hpp"

namespace crosspoint::measure {
namespace {

/// One run: from its first header line to the next run's.
struct Run {
    MeasuredTable table;
    Layout layout;
    RowIds ids;
    bool version = false, named = false, settings = false, header = false, bounds = false;
    int starts = 0;  ///< "nThread" lines: several when independent runs print into one stream
    int rank_zero = 0;
    std::int64_t highest_rank = -1;
    std::set<std::string, std::less<>> hosts;
    bool groups = false;
    std::optional<double> average, last_size;  ///< as reported; announced
    bool reduced = false;                      ///< "Reducing maxBytes"
    double wrong = 0;
    Ignored ignored;

    [[nodiscard]] bool begun() const { return header || !table.rows.empty() || highest_rank >= 0; }
};

/// The program in a command or trace line: "srun ... ./build/all_reduce_perf -b 8".
std::optional<std::string_view> program_in(const Line& line) {
    for (std::string_view word : line.words) {
        const std::size_t slash = word.rfind('/');
        if (slash != std::string_view::npos) word.remove_prefix(slash + 1);
        while (!word.empty() && (word.back() == '"' || word.back() == '\'' || word.back() == ','))
            word.remove_suffix(1);
        if (word.ends_with("_perf") && operation_named(word)) return word;
    }
    return std::nullopt;
}

class Reader {
public:
    Tables read(const std::vector<Line>& lines) {
        for (const Line& line : lines) take(line);
        finish(true);
        return std::move(tables_);
    }

private:
    void take(const Line& line) {
        if (line.words.empty()) return;
        if (take_start(line) || take_row(line) || take_rank(line) || take_end(line)) return;
        if (is_environment(line)) return run_.ignored.count("environment variables, not kept");
        if (contains(line.text, "NCCL INFO") || contains(line.text, "NCCL WARN"))
            return run_.ignored.count("library log");
        if (const auto program = program_in(line)) {
            if (run_.header || !run_.table.rows.empty()) finish();
            name(*program, "the command line");
        }
    }

    bool take_start(const Line& line) {
        if (contains(line.text, "-tests version") || contains(line.text, "rccl-tests: Version")) {
            begin(line, run_.begun() || run_.version);
            run_.version = true;
        } else if (contains(line.text, "Collective test starting:")) {
            begin(line, run_.begun() || run_.settings);
            if (!line.words.empty()) name(line.words.back(), "stated");
            run_.named = true;
        } else if (contains(line.text, "nThread") && contains(line.text, "nGpus")) {
            begin(line, run_.begun());
            ++run_.starts;
            run_.settings = true;
            run_.last_size = number_after(line.text, "maxBytes");
        } else if (const auto layout = header_of(line)) {
            begin(line, run_.bounds && !run_.table.rows.empty());
            run_.layout = *layout;
            run_.header = true;
        } else {
            return false;
        }
        return true;
    }

    void begin(const Line& line, bool another) {
        if (another) finish();
        if (run_.table.line == 0) run_.table.line = line.number;
    }

    void name(std::string_view program, std::string_view source) {
        if (run_.named && source != "stated") return;
        run_.table.title = std::string(program);
        run_.table.operation = operation_named(program);
        run_.table.operation_source = std::string(source);
    }

    bool take_row(const Line& line) {
        NcclRow row;
        const RowKind kind = row_of(line, run_.layout, row);
        if (kind == RowKind::none) return false;
        if (run_.table.line == 0) run_.table.line = line.number;
        if (kind == RowKind::cut) {
            run_.table.warnings.push_back(
                fmt::format("Line {}: a row that is cut or has glued columns was left out.", line.number));
            return true;
        }
        run_.wrong += row.wrong;
        if (row.row.size > Bytes(0)) run_.ids = row.ids;
        run_.table.rows.push_back(row.row);
        return true;
    }

    bool take_rank(const Line& line) {
        const auto rank = std::find(line.words.begin(), line.words.end(), "Rank");
        if (rank == line.words.end() || rank + 1 == line.words.end()) return false;
        const auto index = whole(*(rank + 1));
        if (!index || *index > 1e9 || !contains(line.text, "device")) return false;
        run_.highest_rank = std::max(run_.highest_rank, std::int64_t(*index));
        if (*index == 0) ++run_.rank_zero;
        if (number_after(line.text, "Group").value_or(0) > 0) run_.groups = true;
        const auto on = std::find(rank, line.words.end(), "on");
        if (on != line.words.end() && on + 1 != line.words.end()) run_.hosts.insert(std::string(*(on + 1)));
        const std::size_t bracket = line.text.rfind(']');
        if (run_.table.device.empty() && bracket != std::string::npos && bracket + 2 < line.text.size())
            run_.table.device = line.text.substr(bracket + 2);
        return true;
    }

    bool take_end(const Line& line) {
        if (contains(line.text, "Avg bus bandwidth")) {
            for (const std::string_view word : line.words)
                if (const auto value = number(word)) run_.average = value;
        } else if (contains(line.text, "Out of bounds values")) {
            run_.bounds = true;
            if (contains(line.text, "FAILED"))
                run_.table.warnings.push_back(fmt::format("Line {}: values were out of bounds.", line.number));
        } else if (contains(line.text, "Reducing maxBytes")) {
            run_.reduced = true;
        } else if (contains(line.text, "Test NCCL failure") || contains(line.text, "Test CUDA failure") ||
                   contains(line.text, "Test failure") || contains(line.text, "Test RCCL failure")) {
            if (run_.table.failure.empty()) run_.table.failure = fmt::format("line {}: {}", line.number, line.text);
        } else if (!contains(line.text, "Collective test concluded")) {
            return false;
        }
        return true;
    }

    /// Independent runs print their settings one after the other, and then all ranks and rows: settings alone are no
    /// run.
    void finish(bool last = false) {
        const bool run = run_.begun() || !run_.table.failure.empty();
        const int starts = run ? 0 : run_.starts;
        if (run || (last && (run_.settings || run_.named))) tables_.push_back(finished());
        run_ = Run{};
        run_.starts = starts;
    }

    MeasuredTable finished();
    void judge_ranks();
    void judge_rows();

    Run run_;
    Tables tables_;
};

void Reader::judge_ranks() {
    MeasuredTable& t = run_.table;
    if (run_.highest_rank >= 0) {
        t.ranks = run_.highest_rank + 1;
        t.ranks_source = "the rank list";
        t.nodes = std::max<std::int64_t>(1, std::int64_t(run_.hosts.size()));
    }
    const bool alone = run_.highest_rank == 0;
    if (alone && (run_.rank_zero > 1 || run_.starts > 1))
        t.warnings.push_back(
            fmt::format("{} independent runs of one rank print into each other (a build without MPI "
                        "started by a launcher): nothing was sent between accelerators.",
                        std::max(run_.rank_zero, run_.starts)));
    if (run_.groups)
        t.warnings.push_back("Several groups ran at once: each number belongs to a part of the ranks listed.");
}

void Reader::judge_rows() {
    MeasuredTable& t = run_.table;
    if (run_.wrong > 0) t.warnings.push_back(fmt::format("{} values were wrong.", shortest(run_.wrong)));
    if (run_.layout.cpu_time) t.warnings.push_back("Times are of the CPU (-C 1), not of the operation.");
    double sum = 0, last = 0;
    int n = 0;
    for (const MeasuredRow& row : t.rows) {
        last = std::max(last, row.size.si());
        for (const auto* timing : {&row.out_of_place, &row.in_place})
            if (*timing && (*timing)->bus_bandwidth) sum += (*timing)->bus_bandwidth->si() / 1e9, ++n;
    }
    if (run_.average) {
        t.ignored.push_back(
            fmt::format("average bus bandwidth {} GB/s: a mean over sizes, not a rate", shortest(*run_.average)));
        if (n > 0 && std::abs(sum / n - *run_.average) > 0.02 * *run_.average + 0.02)
            t.warnings.push_back(
                fmt::format("The reported average is {} GB/s, that of the rows here {:.4g}: rows are "
                            "missing or edited.",
                            shortest(*run_.average), sum / n));
    }
    if (!run_.last_size || !(last > 0)) return;
    if (last > *run_.last_size * 1.01 || (last < *run_.last_size * 0.5 && !run_.reduced))
        t.warnings.push_back(fmt::format("The settings announce sizes up to {}, the rows end at {}.",
                                         format_binary(Bytes(*run_.last_size)), format_binary(Bytes(last))));
}

MeasuredTable Reader::finished() {
    judge_ranks();
    judge_rows();
    MeasuredTable& t = run_.table;
    for (std::string& sentence : run_.ignored.sentences()) t.ignored.push_back(std::move(sentence));
    identify(t, run_.ids);
    if (t.rows.empty() && t.failure.empty()) t.failure = "the log ends before the first row";
    return std::move(t);
}

}  // namespace

Tables read_nccl_text(const std::vector<Line>& lines) { return Reader().read(lines); }

}  // namespace crosspoint::measure
