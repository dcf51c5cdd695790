#include "core/base/error.hpp"

namespace crosspoint {
namespace {

/// "file:12:3: ", as far as known.
std::string place(const Error& error) {
    std::string text = error.file;
    if (error.line > 0) {
        if (!text.empty()) text += ':';
        text += std::to_string(error.line);
        if (error.column > 0) text.append(":").append(std::to_string(error.column));
    }
    return text.empty() ? text : text + ": ";
}

}  // namespace

std::string describe(const Error& error) {
    std::string text = place(error) + error.message;
    if (!error.pointer.empty()) text.append(" (at ").append(error.pointer).append(")");
    if (!error.hint.empty()) text.append("\n  ").append(error.hint);
    return text;
}

}  // namespace crosspoint
