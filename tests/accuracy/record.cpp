#include "accuracy/record.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crosspoint::accuracy {
namespace {

using Json = nlohmann::json;

std::optional<double> leading_number(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end == text.data() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<double> number_of(const Json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return std::nullopt;
    if (it->is_number()) {
        const double value = it->get<double>();
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    return it->is_string() ? leading_number(it->get_ref<const std::string&>()) : std::nullopt;
}

std::string text_of(const Json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end() || it->is_null()) return {};
    if (it->is_string()) return it->get<std::string>();
    return it->dump(-1, ' ', false, Json::error_handler_t::replace);
}

Check check_of(const Json& object) {
    const auto it = object.find("check");
    if (it == object.end() || !it->is_object()) return {"band", std::nullopt, std::nullopt, std::nullopt};
    return {text_of(*it, "type"), number_of(*it, "rel_tol"), number_of(*it, "lo"), number_of(*it, "hi")};
}

Record record_of(const Json& object, int line) {
    Record r;
    r.line = line;
    r.id = text_of(object, "id");
    if (r.id.empty()) r.id = fmt::format("line {}", line);
    r.kind = text_of(object, "kind");
    r.metric = text_of(object, "metric");
    r.unit = text_of(object, "unit");
    r.source = text_of(object, "source");
    r.notes = text_of(object, "notes");
    const auto config = object.find("config");
    if (config != object.end() && config->is_object()) r.config = Config(std::make_shared<const Json>(*config));
    const auto value = object.find("value");
    if (value != object.end() && value->is_number()) r.value = number_of(object, "value");
    r.check = check_of(object);
    return r;
}

/// Deeply nested text would exhaust the parser's stack or the destructor's.
bool too_deep(std::string_view line) {
    int depth = 0;
    for (const char c : line) {
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (depth > 200) return true;
    }
    return false;
}

void read_line(std::string_view line, int number, Records& into) {
    if (std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isspace(c); })) return;
    if (too_deep(line)) return into.bad.push_back({number, "nested more than 200 deep"});
    const Json object = Json::parse(line, nullptr, false);
    if (object.is_discarded()) return into.bad.push_back({number, "not JSON"});
    if (!object.is_object()) return into.bad.push_back({number, "not a JSON object"});
    Record r = record_of(object, number);
    if (!object.contains("kind") || !object["kind"].is_string() || r.kind.empty())
        return into.bad.push_back({number, "no \"kind\" that is a text"});
    into.records.push_back(std::move(r));
}

}  // namespace

Config::Config() : object_(std::make_shared<const Json>(Json::object())) {}
Config::Config(std::shared_ptr<const Json> object) : object_(std::move(object)) {}

bool Config::has(const char* key) const { return object_->contains(key); }
std::optional<double> Config::number(const char* key) const { return number_of(*object_, key); }
double Config::number_or(const char* key, double otherwise) const { return number(key).value_or(otherwise); }
std::int64_t Config::count(const char* key, std::int64_t otherwise) const {
    const auto value = number(key);
    return value && *value >= 0 && *value <= 1e9 ? std::int64_t(*value) : otherwise;
}
std::string Config::text(const char* key) const { return text_of(*object_, key); }
std::string Config::lower(const char* key) const { return accuracy::lower(text(key)); }

Records parse_records(std::string_view text) {
    Records records;
    int number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        read_line(text.substr(0, end), ++number, records);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return records;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::optional<double> unit_factor(std::string_view unit) {
    static const std::pair<std::string_view, double> known[] = {{"", 1},
                                                                {"s", 1},
                                                                {"ms", 1e-3},
                                                                {"us", 1e-6},
                                                                {"ns", 1e-9},
                                                                {"min", 60},
                                                                {"h", 3600},
                                                                {"day", 86400},
                                                                {"days", 86400},
                                                                {"B", 1},
                                                                {"KB", 1e3},
                                                                {"MB", 1e6},
                                                                {"GB", 1e9},
                                                                {"TB", 1e12},
                                                                {"KiB", 1024},
                                                                {"MiB", 1048576},
                                                                {"GiB", 1.0737418240e9},
                                                                {"B/s", 1},
                                                                {"MB/s", 1e6},
                                                                {"GB/s", 1e9},
                                                                {"TB/s", 1e12},
                                                                {"GiB/s", 1.0737418240e9},
                                                                {"Gb/s", 1.25e8},
                                                                {"Gbps", 1.25e8},
                                                                {"FLOP/s", 1},
                                                                {"GFLOP/s", 1e9},
                                                                {"TFLOP/s", 1e12},
                                                                {"PFLOP/s", 1e15},
                                                                {"FLOP", 1},
                                                                {"TFLOP", 1e12},
                                                                {"%", 0.01},
                                                                {"percent", 0.01},
                                                                {"tokens/s", 1},
                                                                {"tokens/s/GPU", 1},
                                                                {"USD", 1},
                                                                {"$", 1},
                                                                {"ratio", 1},
                                                                {"fraction", 1}};
    const auto open = unit.find(" (");
    if (open != std::string_view::npos) unit = unit.substr(0, open);
    for (const auto& [name, factor] : known)
        if (unit == name) return factor;
    return std::nullopt;
}

}  // namespace crosspoint::accuracy
