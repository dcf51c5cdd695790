// Errors as values. A user's mistake is an Error that names the place, what was expected and the mend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace crosspoint {

enum class ErrorCode {
    syntax,         // text that is not of its format
    schema,         // right format, wrong shape, type or unit
    version,        // written by a newer program
    reference,      // an id or part that does not exist, or exists twice
    invalid_value,  // out of range, not finite, zero where positive is needed
    layout,         // parallel degrees that do not fit model or hardware
    unreachable,    // two devices without a path
    unsupported,    // understood, but not modelled
    io,             // file cannot be read or written
    internal,
};

struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;               ///< what is wrong, in a sentence, with the values that matter
    std::string hint;                  ///< how to mend it
    std::vector<std::string> objects;  ///< ids of the objects concerned (devices, links, ...)
    std::string file;                  ///< as the user named it; empty when none
    std::string pointer;               ///< JSON pointer; empty when none
    int line = 0;                      ///< 1-based; 0 when none
    int column = 0;

    bool operator==(const Error&) const = default;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {},
                                  std::vector<std::string> objects = {}) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint), std::move(objects), {}, {}, 0, 0});
}

/// "file:line:column: message (at /json/pointer)\n  hint": one form for terminal, dialog and log.
std::string describe(const Error& error);

}  // namespace crosspoint
