// nccl-tests -J (schema 3), rccl-tests and nvbandwidth JSON. Numbers and booleans may be strings; a number may be
// null, "nan" or bare nan; the file of an aborted run is not closed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/measure/formats.hpp"
#include "core/measure/identify.hpp"
#include "core/measure/json_text.hpp"
#include "core/units/text.hpp"

namespace crosspoint::measure {
namespace {

using Json = nlohmann::json;

/// Drops `env`, which is the whole environment of the process, while it is read.
bool keep(int, Json::parse_event_t event, Json& value) {
    return !(event == Json::parse_event_t::key && value.is_string() && value.get_ref<const std::string&>() == "env");
}

struct Read {
    Json json;
    std::vector<std::string> notes;
};

Result<Read> parsed(std::string_view text, std::string_view file) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    auto mended = mend_json(text);
    if (!mended) {
        mended.error().file = std::string(file);
        return tl::unexpected(mended.error());
    }
    Read read;
    try {
        read.json = Json::parse(mended->text, keep);
    } catch (const Json::parse_error& e) {
        const std::size_t end = std::min(e.byte, mended->text.size());
        auto error = fail(ErrorCode::syntax, "the text begins like JSON and is not",
                          "give the file that the program wrote, from its first to its last character");
        error.value().file = std::string(file);
        error.value().line =
            1 + int(std::count(mended->text.begin(), mended->text.begin() + std::ptrdiff_t(end), '\n'));
        return error;
    }
    if (mended->cut)
        read.notes.push_back("The file is not closed, as an aborted run leaves it: its last part is missing.");
    if (mended->not_numbers > 0)
        read.notes.push_back(fmt::format("{} values are nan or inf and were left out.", mended->not_numbers));
    return read;
}

const Json& child(const Json& object, std::string_view key) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto it = object.find(key);
    return it == object.end() ? none : *it;
}

std::string text_of(const Json& value) {
    if (!value.is_string()) return {};
    const auto& text = value.get_ref<const std::string&>();
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// A finite number, also one in a string.
std::optional<double> number_of(const Json& value) {
    if (value.is_number()) return value.get<double>();
    return value.is_string() ? number(text_of(value)) : std::nullopt;
}

std::optional<BytesPerSecond> rate_of(const Json& value) {
    const auto rate = number_of(value);
    if (!rate || *rate < 0) return std::nullopt;
    return BytesPerSecond(*rate * 1e9);
}

std::optional<Timing> timing_of(const Json& block) {
    const auto time = number_of(child(block, block.is_object() && block.contains("time") ? "time" : "cpu_time"));
    if (!time || *time < 0) return std::nullopt;
    Timing t;
    t.time = Seconds(*time * 1e-6);
    t.algorithm_bandwidth = rate_of(child(block, "alg_bw"));
    t.bus_bandwidth = rate_of(child(block, "bus_bw"));
    return t;
}

RowIds ids_of(const Json& entry) {
    RowIds ids;
    ids.type = text_of(child(entry, "type"));
    ids.reduction = text_of(child(entry, "redop"));
    ids.root = number_of(child(entry, "root"));
    ids.count = number_of(child(entry, "count"));
    ids.bytes = number_of(child(entry, "size"));
    return ids;
}

/// Program name out of args: ["./build/all_reduce_perf", "-b", "8"].
void name_from_args(const Json& args, MeasuredTable& table) {
    if (!args.is_array()) return;
    for (const Json& arg : args) {
        const std::string text = text_of(arg);
        const std::string program = text.substr(text.rfind('/') == std::string::npos ? 0 : text.rfind('/') + 1);
        if (!program.ends_with("_perf") || !operation_named(program)) continue;
        table.title = program;
        table.operation = operation_named(program);
        table.operation_source = "stated";
        return;
    }
}

void ranks_from_config(const Json& config, MeasuredTable& table) {
    const Json& devices = child(config, "devices");
    if (!devices.is_array()) return;
    double highest = -1;
    for (const Json& device : devices) {
        if (const auto rank = number_of(child(device, "rank"))) highest = std::max(highest, *rank);
        for (const char* key : {"name", "device_name"})
            if (table.device.empty()) table.device = text_of(child(device, key));
    }
    if (highest < 0) highest = double(devices.size()) - 1;
    if (highest < 0 || highest > 1e9) return;
    table.ranks = std::int64_t(highest) + 1;
    table.ranks_source = "the list of devices";
}

void add_result(const Json& entry, MeasuredTable& table, RowIds& ids) {
    const auto size = number_of(child(entry, "size"));
    if (!size || *size < 0) return;
    MeasuredRow row;
    row.size = Bytes(*size);
    row.out_of_place = timing_of(child(entry, "out_of_place"));
    row.in_place = timing_of(child(entry, "in_place"));
    if (!row.out_of_place && !row.in_place) return;
    if (*size > 0) ids = ids_of(entry);
    for (const char* block : {"out_of_place", "in_place"})
        if (number_of(child(child(entry, block), "nwrong")).value_or(0) > 0)
            table.warnings.push_back(fmt::format("Wrong values at {}.", format_binary(row.size)));
    table.rows.push_back(row);
}

std::string check_text(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    return text_of(value);
}

}  // namespace

Result<Tables> read_nccl_json(std::string_view text, std::string_view file) {
    auto read = parsed(text, file);
    if (!read) return tl::unexpected(read.error());
    MeasuredTable table;
    table.line = 1;
    table.warnings = read->notes;
    name_from_args(child(read->json, "args"), table);
    ranks_from_config(child(read->json, "config"), table);
    RowIds ids;
    const Json& results = child(read->json, "results");
    if (results.is_array())
        for (const Json& entry : results) add_result(entry, table, ids);
    table.ignored.push_back("environment variables, not kept");
    if (const auto average = number_of(child(child(read->json, "average_bus_bandwidth"), "bandwidth")))
        table.ignored.push_back(
            fmt::format("average bus bandwidth {} GB/s: a mean over sizes, not a rate", shortest(*average)));
    if (check_text(child(child(read->json, "out_of_bounds"), "okay")) == "false")
        table.warnings.push_back("Values were out of bounds.");
    identify(table, ids);
    if (table.rows.empty()) table.failure = "it has no results";
    return Tables{std::move(table)};
}

namespace {

using Key = std::tuple<std::string, std::string, std::string, double>;  // name, type, reduction, ranks

void add_record(const Json& record, MeasuredTable& table) {
    const auto size = number_of(child(record, "size")), time = number_of(child(record, "time"));
    if (!size || !time || *size < 0 || *time < 0) return;
    MeasuredRow row;
    row.size = Bytes(*size);
    Timing t;
    t.time = Seconds(*time * 1e-6);
    t.algorithm_bandwidth = rate_of(child(record, "algBw"));
    t.bus_bandwidth = rate_of(child(record, "busBw"));
    (number_of(child(record, "inPlace")).value_or(0) > 0 ? row.in_place : row.out_of_place) = t;
    if (number_of(child(record, "wrong")).value_or(0) > 0)
        table.warnings.push_back(fmt::format("Wrong values at {}.", format_binary(row.size)));
    // The two blocks of one size follow each other as records of their own.
    if (!table.rows.empty() && table.rows.back().size == row.size) {
        MeasuredRow& last = table.rows.back();
        if (row.in_place && !last.in_place) return void(last.in_place = row.in_place);
        if (row.out_of_place && !last.out_of_place) return void(last.out_of_place = row.out_of_place);
    }
    table.rows.push_back(row);
}

MeasuredTable empty_table(const Json& record, const Key& key) {
    MeasuredTable table;
    table.line = 1;
    table.title = std::get<0>(key);
    table.operation = operation_named(table.title);
    table.operation_source = "stated";
    if (const double ranks = std::get<3>(key); ranks >= 1 && ranks <= 1e9) {
        table.ranks = std::int64_t(ranks);
        table.ranks_source = "stated";
    }
    if (const auto nodes = number_of(child(record, "nodes")); nodes && *nodes >= 1 && *nodes <= 1e9)
        table.nodes = std::int64_t(*nodes);
    return table;
}

}  // namespace

Result<Tables> read_rccl_json(std::string_view text, std::string_view file) {
    auto read = parsed(text, file);
    if (!read) return tl::unexpected(read.error());
    Tables tables;
    std::map<Key, std::size_t> index;
    if (read->json.is_array())
        for (const Json& record : read->json) {
            if (!record.is_object()) continue;
            const Key key{text_of(child(record, "name")), text_of(child(record, "type")),
                          text_of(child(record, "redop")), number_of(child(record, "ranks")).value_or(0)};
            const auto [it, added] = index.emplace(key, tables.size());
            if (added) tables.push_back(empty_table(record, key));
            add_record(record, tables[it->second]);
        }
    if (tables.empty()) tables.emplace_back();
    for (std::string& note : read->notes) tables.front().warnings.push_back(std::move(note));
    return tables;
}

Result<Tables> read_nvbandwidth_json(std::string_view text, std::string_view file) {
    auto read = parsed(text, file);
    if (!read) return tl::unexpected(read.error());
    const Json& root = child(read->json, "nvbandwidth");
    Tables tables;
    const Json& cases = child(root, "testcases");
    if (cases.is_array())
        for (const Json& test : cases) {
            MeasuredTable table;
            table.line = 1;
            table.title = text_of(child(test, "name"));
            const bool latency = contains(table.title, "latency");
            const Json& matrix = child(test, "bandwidth_matrix");
            for (std::size_t r = 0; matrix.is_array() && r < matrix.size(); ++r)
                for (std::size_t c = 0; matrix[r].is_array() && c < matrix[r].size(); ++c) {
                    const auto value = number_of(matrix[r][c]);
                    if (!value || *value < 0) continue;
                    MeasuredFigure figure{fmt::format("row {}, column {}", r, c), {}, {}, 0};
                    if (latency) figure.time = Seconds(*value * 1e-9);
                    else figure.rate = BytesPerSecond(*value * 1e9);
                    table.figures.push_back(std::move(figure));
                }
            if (table.figures.empty()) table.failure = "waived or without values";
            tables.push_back(std::move(table));
        }
    if (tables.empty()) tables.emplace_back();
    for (std::string& note : read->notes) tables.front().warnings.push_back(std::move(note));
    return tables;
}

}  // namespace crosspoint::measure
