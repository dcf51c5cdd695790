// Small conversions shared by the presenters.
#pragma once

#include <string>

#include <QString>

#include "core/units/text.hpp"

namespace crosspoint::app {

inline QString qs(const std::string& s) { return QString::fromStdString(s); }
inline QString qs(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }
inline QString qs(const char* s) { return QString::fromUtf8(s); }

template <class Q>
QString shown(Q quantity, int digits = 3) {
    return qs(format(quantity, digits));
}
inline QString percent(double share) { return qs(format_percent(share)); }

}  // namespace crosspoint::app
