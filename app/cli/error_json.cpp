#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"

namespace crosspoint::cli {
namespace {

std::string_view code_name(ErrorCode code) {
    switch (code) {
        case ErrorCode::syntax: return "syntax";
        case ErrorCode::schema: return "schema";
        case ErrorCode::version: return "version";
        case ErrorCode::reference: return "reference";
        case ErrorCode::invalid_value: return "invalid_value";
        case ErrorCode::layout: return "layout";
        case ErrorCode::unreachable: return "unreachable";
        case ErrorCode::unsupported: return "unsupported";
        case ErrorCode::io: return "io";
        case ErrorCode::internal: return "internal";
    }
    return "internal";
}

}  // namespace

std::string error_json(const Error& e) {
    nlohmann::ordered_json j{{"code", code_name(e.code)}, {"message", e.message}};
    if (!e.hint.empty()) j["hint"] = e.hint;
    if (!e.objects.empty()) j["objects"] = e.objects;
    if (!e.file.empty()) j["file"] = e.file;
    if (!e.pointer.empty()) j["pointer"] = e.pointer;
    if (e.line > 0) {
        j["line"] = e.line;
        j["column"] = e.column;
    }
    const nlohmann::ordered_json whole{{"error", j}};
    return whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string usage_json(const std::string& message) {
    const nlohmann::ordered_json whole{
        {"error", {{"code", "usage"}, {"message", message}, {"hint", "crosspoint-cli --help"}}}};
    return whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace crosspoint::cli
