// Verdicts for the tools around a repository: JUnit for its test reports, SARIF for its code-scanning page.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "core/io/report_tables.hpp"
#include "core/io/report_writers.hpp"

namespace crosspoint {
namespace {

using Json = nlohmann::json;
using namespace report_tables;

/// Finding, explanation, threshold and changes, a line each.
std::string details(const Verdict& v) {
    std::string text = v.figure.empty() ? v.explanation : v.figure + "\n" + v.explanation;
    if (!v.threshold_text.empty()) text += "\nThreshold: " + v.threshold_text;
    for (const auto& s : v.suggestions) text += "\nChange: " + suggestion_text(s);
    return text;
}

void add_case(pugi::xml_node suite, const Report& report, const Verdict& v) {
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = heading(report).c_str();
    test.append_attribute("name") = fmt::format("{}. {}", v.number, v.rule).c_str();
    if (v.outcome == Outcome::fail) {
        pugi::xml_node failure = test.append_child("failure");
        failure.append_attribute("message") = v.title.c_str();
        failure.append_attribute("type") = v.rule.c_str();
        failure.text() = details(v).c_str();
    } else if (v.outcome == Outcome::not_applicable) {
        test.append_child("skipped").append_attribute("message") = v.title.c_str();
    } else {
        test.append_child("system-out").text() =
            fmt::format("{}: {}\n{}", to_string(v.outcome), v.title, details(v)).c_str();
    }
}

const char* sarif_level(Outcome o) {
    return o == Outcome::fail ? "error" : o == Outcome::attention ? "warning" : "none";
}

const char* sarif_kind(Outcome o) {
    switch (o) {
        case Outcome::fail:
        case Outcome::attention: return "fail";
        case Outcome::pass: return "pass";
        case Outcome::not_applicable: break;
    }
    return "notApplicable";
}

Json places(const Verdict& v) {
    Json all = Json::array();
    const auto add = [&](const std::string& id, const char* kind) {
        all.push_back({{"fullyQualifiedName", id}, {"kind", kind}});
    };
    for (const auto& link : v.evidence.links) add(link.id, "resource");
    for (const auto& object : v.evidence.objects) add(object, "resource");
    for (const auto& operation : v.evidence.operations) add(operation, "function");
    return all;
}

Json sarif_result(const Verdict& v, std::size_t rule, const std::string& document) {
    const Json file{{"artifactLocation", {{"uri", document}}}, {"region", {{"startLine", 1}}}};
    Json result{{"ruleId", v.rule},
                {"ruleIndex", rule},
                {"kind", sarif_kind(v.outcome)},
                {"level", sarif_level(v.outcome)},
                {"message", {{"text", v.title + "\n" + details(v)}}},
                {"locations", {{{"physicalLocation", file}, {"logicalLocations", places(v)}}}}};
    Json properties{{"figure", v.figure}, {"confidence", to_string(v.confidence)}};
    if (v.value_si) properties["value"] = *v.value_si;
    if (v.threshold) properties["threshold"] = *v.threshold;
    if (!v.threshold_name.empty()) properties["threshold_name"] = v.threshold_name;
    result["properties"] = properties;
    return result;
}

}  // namespace

std::string verdicts_junit(const Report& report) {
    pugi::xml_document document;
    pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
    suite.append_attribute("name") = fmt::format("crosspoint: {}", heading(report)).c_str();
    suite.append_attribute("tests") = int(report.verdicts.size());
    suite.append_attribute("failures") = report.count(Outcome::fail);
    suite.append_attribute("errors") = 0;
    suite.append_attribute("skipped") = report.count(Outcome::not_applicable);
    for (const Verdict& v : report.verdicts) add_case(suite, report, v);
    std::ostringstream out;
    document.save(out, "  ");
    return out.str();
}

std::string verdicts_sarif(const Report& report, const std::string& document) {
    Json known = Json::array(), results = Json::array();
    for (const Verdict& v : report.verdicts) {
        known.push_back({{"id", v.rule}, {"shortDescription", {{"text", v.question}}}});
        results.push_back(sarif_result(v, known.size() - 1, document));
    }
    const Json driver{{"name", "Crosspoint"}, {"version", report.version}, {"rules", known}};
    const Json run{{"tool", {{"driver", driver}}}, {"results", results}};
    const Json log{{"version", "2.1.0"},
                   {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"runs", Json::array({run})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crosspoint
