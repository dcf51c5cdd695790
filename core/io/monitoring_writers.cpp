// The monitoring plan as Markdown, JSON and Prometheus alerting rules.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/report_tables.hpp"
#include "core/io/report_writers.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

using Json = nlohmann::json;
using namespace report_tables;

std::string number(const std::optional<double>& v, const std::string& unit) {
    if (!v) return "\u2013";
    if (unit == "s") return format(Seconds(*v));
    if (unit == "bytes/s") return format(BytesPerSecond(*v));
    if (unit == "tokens/s") return format(TokensPerSecond(*v));
    return fmt::format("{:.3g}", *v);
}

std::string range(const MonitoredMetric& m) {
    if (!m.low && !m.high) return "\u2013";
    return fmt::format("{} to {}", number(m.low, m.unit), number(m.high, m.unit));
}

/// A YAML string in double quotes, which JSON's escapes are valid for.
std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string camel(const std::string& id) {
    std::string out;
    bool upper = true;
    for (const char c : id) {
        if (c == '_') {
            upper = true;
            continue;
        }
        out += upper && c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
        upper = false;
    }
    return out;
}

/// The expression without its remark.
std::string plain(const std::string& expression) { return expression.substr(0, expression.find("  #")); }

Json optional_json(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }

}  // namespace

std::string monitoring_markdown(const Report& report) {
    std::string out = fmt::format(
        "# Monitoring plan: {}\n\n{}\n\n| Metric | Normal | Alert | Basis | Query |\n|---|---|---|---|---|\n",
        heading(report), subheading(report));
    for (const MonitoredMetric& m : report.monitoring) {
        const std::string alert =
            m.alert ? fmt::format("{} {}", m.alert_below ? "below" : "above", number(m.alert, m.unit)) : "\u2013";
        out += fmt::format("| {} | {} | {} | {} | `{}` |\n", m.what, range(m), alert, m.basis, m.expression);
    }
    return out;
}

std::string monitoring_prometheus(const Report& report) {
    std::string out = fmt::format(
        "# Alerting rules for {}. Ranges are predictions of Crosspoint {}; edit them to taste.\ngroups:\n"
        "  - name: crosspoint\n    rules:\n",
        heading(report), report.version);
    for (const MonitoredMetric& m : report.monitoring) {
        if (!m.alert) continue;
        out += fmt::format(
            "      - alert: Crosspoint{}\n        expr: {}\n        for: 10m\n        labels:\n          severity: "
            "warning\n"
            "        annotations:\n          summary: {}\n          description: {}\n",
            camel(m.id),
            quoted(fmt::format("({}) {} {}", plain(m.expression), m.alert_below ? "<" : ">", shortest(*m.alert))),
            quoted(fmt::format("{} outside its range", m.what)),
            quoted(m.low || m.high ? fmt::format("normal {}; {}", range(m), m.basis) : m.basis));
    }
    return out;
}

std::string monitoring_json(const Report& report) {
    Json all = Json::array();
    for (const MonitoredMetric& m : report.monitoring)
        all.push_back({{"id", m.id},
                       {"what", m.what},
                       {"unit", m.unit},
                       {"low", optional_json(m.low)},
                       {"high", optional_json(m.high)},
                       {"alert", optional_json(m.alert)},
                       {"alert_below", m.alert_below},
                       {"basis", m.basis},
                       {"query", m.expression}});
    const Json j{{"title", report.title}, {"metrics", all}};
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crosspoint
