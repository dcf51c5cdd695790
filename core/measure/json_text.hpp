// Private to core/measure: JSON as benchmark programs really write it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace crosspoint::measure {

struct MendedJson {
    std::string text;
    bool cut = false;     ///< the text ended inside an array or object and was closed after its last whole element
    int not_numbers = 0;  ///< bare nan or inf, now null
};
/// Fails (with line) on nesting deeper than 64.
Result<MendedJson> mend_json(std::string_view text);

}  // namespace crosspoint::measure
