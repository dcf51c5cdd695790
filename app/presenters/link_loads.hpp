// What the selected operation, layer or step puts on each drawn link, and who uses it (private to the presenters).
#pragma once

#include <QHash>
#include <QString>

#include "app/presenters/view_state.hpp"
#include "core/evaluate/report.hpp"

namespace crosspoint::app {

/// What is on one drawn link or domain.
struct LinkLoad {
    const NetworkLink* link = nullptr;
    LinkUse use;
    QString users;    ///< lines of operations with their bytes, most first; empty when nothing crosses it
    QString tooltip;  ///< name, rate, load and users
    [[nodiscard]] double share() const { return link && use.bytes.si() > 0 ? use.utilisation : -1; }
};
/// By the id of the link or container.
using LinkLoads = QHash<QString, LinkLoad>;

LinkLoads linkLoads(const Report& report, const ViewState& view);
}  // namespace crosspoint::app
