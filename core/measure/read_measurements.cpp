#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/measure/formats.hpp"
#include "core/measure/nccl_rows.hpp"

namespace crosspoint {
namespace {

using measure::contains;
using measure::Line;

constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::string_view without_lead(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::optional<LogFormat> json_format(std::string_view text) {
    const std::string_view head = text.substr(0, std::size_t{1} << 16);
    const auto all = [&](std::initializer_list<std::string_view> keys) {
        return std::all_of(keys.begin(), keys.end(), [&](auto key) { return contains(head, key); });
    };
    if (all({"\"algBw\"", "\"busBw\""})) return LogFormat::rccl_tests_json;
    if (all({"\"nvbandwidth\""})) return LogFormat::nvbandwidth;
    // A long environment comes before the results: those may lie far behind the start.
    if (all({"\"nccl_version\""}) || (contains(text, "\"results\"") && contains(text, "\"out_of_place\"")))
        return LogFormat::nccl_tests_json;
    return std::nullopt;
}

struct Sign {
    std::string_view text;
    LogFormat format;
};
/// Texts that only one kind of log has.
constexpr std::array signs{
    Sign{"rccl-tests", LogFormat::rccl_tests},           Sign{"RCCL version", LogFormat::rccl_tests},
    Sign{"Intel(R) MPI Benchmarks", LogFormat::imb},     Sign{"# Benchmarking ", LogFormat::imb},
    Sign{"nvbandwidth Version", LogFormat::nvbandwidth}, Sign{"Dispatch + combine bandwidth", LogFormat::deepep},
    Sign{"Dispatch bandwidth:", LogFormat::deepep},      Sign{"[tuning] SMs", LogFormat::deepep},
    Sign{"Best dispatch (", LogFormat::deepep},          Sign{"Best combine", LogFormat::deepep},
    Sign{"#bytes     #iterations", LogFormat::perftest}, Sign{" BW Test", LogFormat::perftest},
};

std::optional<LogFormat> text_format(const std::vector<Line>& lines) {
    bool nccl = false, collective = false;
    for (const Line& line : lines) {
        for (const Sign& sign : signs)
            if (contains(line.text, sign.text)) return sign.format;
        if (contains(line.text, "OSU ") && contains(line.text, " Test")) return LogFormat::osu;
        if (contains(line.text, "#bytes") && contains(line.text, "#iterations")) return LogFormat::perftest;
        collective |= line.text.starts_with("Collective:");
        if (collective && contains(line.text, "Bandwidth, GB/s")) return LogFormat::ucc_perftest;
        measure::NcclRow row;
        nccl |= (contains(line.text, "nThread") && contains(line.text, "nGpus")) || measure::header_of(line) ||
                contains(line.text, "Collective test starting") || contains(line.text, "nccl-tests version") ||
                (!nccl && measure::row_of(line, {}, row) == measure::RowKind::row);
    }
    return nccl ? std::optional(LogFormat::nccl_tests) : std::nullopt;
}

struct Other {
    std::string_view sign, name;
};
constexpr std::array others{
    Other{"<system", "an NCCL topology"},
    Other{"<graphs", "an NCCL graph"},
    Other{"<algo", "an MSCCL algorithm"},
    Other{"<topology", "an hwloc topology"},
    Other{"\"model_type\"", "a model configuration (config.json)"},
    Other{"\"architectures\"", "a model configuration (config.json)"},
    Other{"\"request_throughput\"", "a result of a serving benchmark"},
    Other{"Serving Benchmark Result", "a result of a serving benchmark"},
    Other{"\"topology\"", "a document or a topology"},
    Other{"npus_count", "an ASTRA-sim network"},
    Other{"SwitchName=", "a Slurm topology"},
    Other{"vendid=", "an ibnetdiscover listing"},
    Other{"NV18", "an nvidia-smi topology matrix"},
    Other{"CPU Affinity", "an nvidia-smi topology matrix"},
    Other{"============ ROCm", "a rocm-smi listing"},
    Other{"digraph", "a Graphviz drawing"},
};

std::string what_it_is(std::string_view text) {
    if (text.empty()) return "an empty text";
    if (contains(text, std::string_view("\0", 1))) return "a binary file";
    for (const Other& other : others)
        if (contains(text.substr(0, 65536), other.sign)) return std::string(other.name);
    if (text[0] == '{' || text[0] == '[') return "JSON of another kind";
    if (text[0] == '<') return "XML";
    return "no log that is known here";
}

Error error_at(std::string_view file, int line, ErrorCode code, std::string message, std::string hint) {
    Error error{code, std::move(message), std::move(hint), {}, std::string(file), {}, 0, 0};
    error.line = line;
    error.column = line > 0 ? 1 : 0;
    return error;
}

Error not_a_log(std::string_view text, std::string_view file) {
    return error_at(file, 1, ErrorCode::syntax,
                    "this is " + what_it_is(without_lead(text)) + ", not a measurement of communication",
                    "give text or JSON of nccl-tests or rccl-tests, or a log of OSU, IMB, perftest, nvbandwidth, "
                    "ucc_perftest or DeepEP");
}

Result<measure::Tables> tables_of(LogFormat format, std::string_view text, std::string_view file,
                                  const std::vector<Line>& lines) {
    switch (format) {
        case LogFormat::nccl_tests_json: return measure::read_nccl_json(text, file);
        case LogFormat::rccl_tests_json: return measure::read_rccl_json(text, file);
        case LogFormat::nccl_tests:
        case LogFormat::rccl_tests: return measure::read_nccl_text(lines);
        case LogFormat::osu: return measure::read_osu(lines);
        case LogFormat::imb: return measure::read_imb(lines);
        case LogFormat::perftest: return measure::read_perftest(lines);
        case LogFormat::ucc_perftest: return measure::read_ucc(lines);
        case LogFormat::deepep: return measure::read_deepep(lines);
        case LogFormat::nvbandwidth:
            if (without_lead(text).starts_with('{')) return measure::read_nvbandwidth_json(text, file);
            return measure::read_nvbandwidth(lines);
    }
    return measure::Tables{};
}

bool is_json(std::string_view lead) { return lead.starts_with('{') || (lead.starts_with('[') && json_format(lead)); }

Error no_measurement(const measure::Tables& tables, LogFormat format, std::string_view file) {
    std::string why = "it has no rows";
    int line = 1;
    for (const MeasuredTable& table : tables) {
        if (table.failure.empty()) continue;
        why = table.failure;
        line = std::max(1, table.line);
        break;
    }
    return error_at(file, line, ErrorCode::invalid_value,
                    fmt::format("no measurement: this is a log of {}, but {}", to_string(format), why),
                    "a run that failed says nothing about speed: run it again, and give the log with its rows");
}

}  // namespace

std::optional<LogFormat> recognise_log(std::string_view text) {
    const std::string_view lead = without_lead(text);
    if (lead.empty() || text.size() > most_bytes) return std::nullopt;
    if (is_json(lead)) return json_format(lead);
    return text_format(measure::clean_lines(text));
}

Result<MeasurementLog> read_measurements(std::string_view text, std::string_view file) {
    if (text.size() > most_bytes)
        return tl::unexpected(error_at(file, 0, ErrorCode::unsupported, "the text is larger than 64 MiB",
                                       "give the part with the tables"));
    const std::string_view lead = without_lead(text);
    std::vector<Line> lines;
    std::optional<LogFormat> format;
    if (is_json(lead)) {
        format = json_format(lead);
    } else {
        lines = measure::clean_lines(text);
        format = text_format(lines);
    }
    if (!format) return tl::unexpected(not_a_log(text, file));
    auto tables = tables_of(*format, text, file, lines);
    if (!tables) return tl::unexpected(tables.error());
    MeasurementLog log{*format, std::move(*tables)};
    if (std::none_of(log.tables.begin(), log.tables.end(), [](const auto& t) { return !t.empty(); }))
        return tl::unexpected(no_measurement(log.tables, *format, file));
    for (MeasuredTable& table : log.tables)
        if (table.empty() && !table.failure.empty()) table.warnings.push_back("No measurement: " + table.failure + ".");
    return log;
}

}  // namespace crosspoint
