#include "core/base/evidence.hpp"

namespace crosspoint {

std::string_view to_string(Confidence c) {
    switch (c) {
        case Confidence::exact: return "exact";
        case Confidence::measured: return "measured";
        case Confidence::fitted: return "fitted";
        case Confidence::datasheet: return "datasheet";
        case Confidence::assumed: return "assumed";
    }
    return "assumed";
}

}  // namespace crosspoint
