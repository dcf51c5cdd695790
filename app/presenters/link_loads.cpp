#include "app/presenters/link_loads.hpp"

#include <algorithm>
#include <map>

#include <QCoreApplication>

#include "app/presenters/present_diagram.hpp"
#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"

namespace crosspoint::app {
namespace {

constexpr std::size_t mostUsers = 6;  // lines in a tooltip

QString tr(const char* text) { return QCoreApplication::translate("Diagram", text); }

struct User {
    const OperationResult* operation = nullptr;
    LinkUse use;
    std::int64_t times = 1;  ///< layers that do the same
};
using Users = std::map<int, std::vector<User>>;  // by index into Network::links

void add(Users& users, const std::vector<OperationResult>& operations, std::int64_t times) {
    for (const OperationResult& operation : operations)
        for (const LinkUse& use : operation.links)
            if (use.bytes.si() > 0) users[use.link].push_back({&operation, use, times});
}

/// Those of what is shown: one operation, one layer, or all layers with the ends of the step.
Users usersOf(const Report& report, const ViewState& view) {
    Users users;
    if (!report.prediction) return users;
    const LayerResult* layer = shownLayer(report, view);
    if (view.scope == ViewState::Scope::step) {
        for (const LayerResult& each : report.prediction->layers) add(users, each.operations, each.count);
        add(users, report.prediction->ends, 1);
    } else if (layer) {
        add(users, layer->operations, 1);
    }
    return users;
}

QString line(const User& user) {
    QString text = QStringLiteral("  %1").arg(qs(user.operation->op.label));
    if (const auto& communication = user.operation->op.communication)
        text += tr(" (%1 group)").arg(qs(to_string(communication->group)));
    if (user.times > 1) text += tr(" × %1 layers").arg(user.times);
    const double times = double(user.times);
    return text + tr(": %1, busy %2").arg(shown(user.use.bytes * times), shown(user.use.busy * times));
}

QString usersText(std::vector<User> users, bool step) {
    if (users.empty()) return {};
    std::stable_sort(users.begin(), users.end(), [](const User& a, const User& b) {
        return a.use.bytes.si() * double(a.times) > b.use.bytes.si() * double(b.times);
    });
    QString text = step ? tr("Used in one step by") : tr("Used in one layer by");
    for (std::size_t i = 0; i < std::min(mostUsers, users.size()); ++i) text += QLatin1Char('\n') + line(users[i]);
    if (users.size() > mostUsers) text += tr("\n  and %1 more").arg(users.size() - mostUsers);
    return text;
}

/// Rate, load and users.
QString loadText(const LinkLoad& load) {
    QString text = tr("%1 usable per direction (%2; nominal %3)")
                       .arg(shown(load.link->capacity.value), qs(to_string(load.link->capacity.confidence)),
                            shown(load.link->nominal.value));
    if (load.use.bytes.si() > 0)
        text += tr("\n%1 of what is selected, busy %2 (%3)")
                    .arg(shown(load.use.bytes), shown(load.use.busy), percent(load.use.utilisation));
    if (!load.users.isEmpty()) text += QLatin1Char('\n') + load.users;
    else if (!load.link->capacity.source.empty()) text += tr("\nNothing that is shown crosses it.");
    return text + QLatin1Char('\n') + qs(load.link->capacity.source);
}

}  // namespace

LinkLoads linkLoads(const Report& report, const ViewState& view) {
    LinkLoads loads;
    if (!report.prediction) return loads;
    const auto& links = report.prediction->network->links;
    const Users users = usersOf(report, view);
    const bool step = view.scope == ViewState::Scope::step;
    for (std::size_t i = 0; i < links.size(); ++i) {
        LinkLoad load{&links[i], {}, {}, {}};
        if (const auto found = users.find(int(i)); found != users.end()) load.users = usersText(found->second, step);
        loads.insert(qs(links[i].ref.id), load);
    }
    for (const LinkUse& use : shownLinkUse(report, view)) loads[qs(links[std::size_t(use.link)].ref.id)].use = use;
    for (LinkLoad& load : loads) load.tooltip = qs(load.link->name) + QLatin1Char('\n') + loadText(load);
    return loads;
}

}  // namespace crosspoint::app
