// DeepEP test output. Low-latency lines give bandwidth and time, whose product is the message; normal mode gives rates
// alone. Rates are logical: traffic to ranks of the same node is counted in.
#include <fmt/format.h>

#include <algorithm>

#include "core/measure/formats.hpp"

namespace crosspoint::measure {
namespace {

/// The number that stands right before `unit`, searching from `from`.
std::optional<double> number_before(std::string_view text, std::string_view unit, std::size_t from = 0) {
    const std::size_t at = text.find(unit, from);
    if (at == std::string_view::npos || at == 0) return std::nullopt;
    std::size_t start = at;
    while (start > from && (text[start - 1] == '.' || (text[start - 1] >= '0' && text[start - 1] <= '9'))) --start;
    return number(text.substr(start, at - start));
}

struct Part {
    std::string_view label;
    std::string_view title;
    std::optional<CollectiveOp> op;
};
constexpr Part parts[] = {
    {"Dispatch + combine bandwidth:", "low-latency dispatch + combine", std::nullopt},
    {"Dispatch bandwidth:", "low-latency dispatch", CollectiveOp::expert_dispatch},
    {"Combine bandwidth:", "low-latency combine", CollectiveOp::expert_combine},
};

class Reader {
public:
    void take(const Line& line) {
        if (const auto rank = number_after(line.text, "rank"); rank && *rank < 1e9)
            ranks_ = std::max(ranks_, std::int64_t(*rank) + 1);
        for (const Part& part : parts) low_latency(line, part);
        if (contains(line.text, "send/recv time")) split_times(line);
        if (contains(line.text, "Best ")) normal(line);
        else if (contains(line.text, "[tuning]")) ignored_.count("tuning steps; the best of each is taken");
    }

    Tables finish() {
        for (MeasuredTable& table : tables_)
            if (ranks_ > 0 && !table.rows.empty()) table.ranks = ranks_, table.ranks_source = "the rank labels";
        if (!tables_.empty()) tables_.front().ignored = ignored_.sentences();
        return std::move(tables_);
    }

private:
    MeasuredTable& table(std::string_view title, std::optional<CollectiveOp> op, const Line& line) {
        for (MeasuredTable& t : tables_)
            if (t.title == title) return t;
        MeasuredTable& t = tables_.emplace_back();
        t.title = std::string(title);
        t.operation = op;
        t.operation_source = "stated";
        t.line = line.number;
        return t;
    }

    void low_latency(const Line& line, const Part& part) {
        const std::size_t at = line.text.find(part.label);
        if (at == std::string::npos) return;
        const std::string_view rest = std::string_view(line.text).substr(at + part.label.size());
        const auto rate = number_before(rest, " GB/s");
        const auto equals = rest.find("avg_t=");
        const auto us = equals == std::string_view::npos ? std::nullopt : number_before(rest, " us", equals + 6);
        if (!rate || !us || !(*rate > 0) || !(*us > 0)) return;
        // Two digits of the rate leave the last digits of the message open: rounded to the kilobyte.
        const double bytes = *rate * 1e9 * *us * 1e-6;
        MeasuredTable& t = table(part.title, part.op, line);
        MeasuredRow row = timed_row(Bytes(bytes), Seconds(*us * 1e-6), line.number);
        row.out_of_place->algorithm_bandwidth = BytesPerSecond(*rate * 1e9);
        t.rows.push_back(row);
    }

    void split_times(const Line& line) {
        const bool combine = contains(line.text, "Combine send");
        const auto add = [&](std::string_view label, std::string_view title, CollectiveOp op) {
            const std::size_t at = line.text.find(label);
            if (at == std::string::npos) return;
            const std::string_view rest = std::string_view(line.text).substr(at + label.size());
            const std::size_t plus = rest.find('+');
            const auto send = number_before(rest, " + "),
                       receive = number_before(rest, " us", plus == rest.npos ? 0 : plus);
            if (!send || !receive) return;
            MeasuredTable& t = table(title, op, line);
            if (t.figures.empty())
                t.warnings.push_back("Receive times hold waiting for other ranks; they are no time of the network.");
            t.figures.push_back({"send", {}, Seconds(*send * 1e-6), line.number});
            t.figures.push_back({"receive", {}, Seconds(*receive * 1e-6), line.number});
        };
        add("Dispatch send/recv time:", "low-latency dispatch", CollectiveOp::expert_dispatch);
        if (combine) add("Combine send/recv time:", "low-latency combine", CollectiveOp::expert_combine);
    }

    void normal(const Line& line) {
        const std::size_t best = line.text.find("Best ");
        const std::string title = line.text.substr(best + 5, line.text.find(':', best) - best - 5);
        const auto op = contains(title, "combine") ? CollectiveOp::expert_combine : CollectiveOp::expert_dispatch;
        MeasuredTable& t = table("normal mode, " + title, op, line);
        for (const std::string_view scope : {" GB/s (RDMA)", " GB/s (NVL)"})
            if (const auto rate = number_before(line.text, scope))
                t.figures.push_back(
                    {std::string(scope.substr(7, scope.size() - 8)), BytesPerSecond(*rate * 1e9), {}, line.number});
        if (t.warnings.empty())
            t.warnings.push_back(
                "Rates are logical: what stays on a rank or in its node is counted in; no size is printed.");
    }

    Tables tables_;
    Ignored ignored_;
    std::int64_t ranks_ = 0;
};

}  // namespace

Tables read_deepep(const std::vector<Line>& lines) {
    Reader reader;
    for (const Line& line : lines) reader.take(line);
    return reader.finish();
}

}  // namespace crosspoint::measure
