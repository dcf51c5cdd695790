#include "app/presenters/selection_facts.hpp"

#include <algorithm>
#include <set>

#include <QCoreApplication>

#include "app/presenters/text.hpp"
#include "core/network/selection.hpp"

namespace crosspoint::app {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Diagram", text); }

const ArrangedBox* boxOf(const Arrangement& arrangement, const QString& key) {
    const std::string wanted = key.toStdString();
    for (const ArrangedBox& box : arrangement.boxes)
        if (box.key == wanted) return &box;
    return nullptr;
}

/// Follows the links of a path from box to box, so that only the cables that it takes are marked.
class Trail {
public:
    Trail(const Arrangement& arrangement, std::vector<std::string> links, std::string end)
        : arrangement_(arrangement), links_(std::move(links)), end_(std::move(end)) {}

    bool find(const std::string& at, std::size_t step, std::vector<const ArrangedCable*>& cables) {
        if (step == links_.size()) return at == end_;
        if (!tried_.emplace(step, at).second) return false;
        for (const ArrangedCable& cable : arrangement_.cables) {
            if (cable.id.value != links_[step] || (cable.from_key != at && cable.to_key != at)) continue;
            cables.push_back(&cable);
            if (find(cable.from_key == at ? cable.to_key : cable.from_key, step + 1, cables)) return true;
            cables.pop_back();
        }
        return false;
    }

private:
    const Arrangement& arrangement_;
    std::vector<std::string> links_;
    std::string end_;
    std::set<std::pair<std::size_t, std::string>> tried_;
};

void markPath(SelectionFacts& facts, const Arrangement& arrangement, const Network& network, const Path& path,
              const ArrangedBox& from, const ArrangedBox& to) {
    std::vector<std::string> links;
    for (const int index : path.links) {
        const NetworkLink& link = network.links[std::size_t(index)];
        if (link.ref.kind == LinkRef::Kind::domain) facts.path_domains.insert(qs(link.ref.id));
        else links.push_back(link.ref.id);
    }
    facts.path_boxes = {qs(from.key), qs(to.key)};
    std::vector<const ArrangedCable*> cables;
    if (Trail(arrangement, links, to.key).find(from.key, 0, cables)) {
        for (const ArrangedCable* cable : cables) {
            facts.path_cables.insert(cableKey(*cable));
            facts.path_boxes.insert({qs(cable->from_key)});
            facts.path_boxes.insert({qs(cable->to_key)});
        }
        return;
    }
    // Cables are bundled, or end at closed boxes: all of the links' are marked.
    const std::set<std::string> ids(links.begin(), links.end());
    for (const ArrangedCable& cable : arrangement.cables)
        if (ids.count(cable.id.value)) facts.path_cables.insert(cableKey(cable));
}

QString nameOf(const Scenario& scenario, const ArrangedBox& box) {
    const Device* device = scenario.topology->devices.find(DeviceId(box.id));
    const QString name = device && !device->name.empty() ? qs(device->name) : qs(box.id);
    return box.key == box.id ? name : QStringLiteral("%1 %2").arg(name).arg(box.number);
}

void addPath(SelectionFacts& facts, const Scenario& scenario, const Arrangement& arrangement, const ViewState& view) {
    const ArrangedBox *from = boxOf(arrangement, view.picked[0]), *to = boxOf(arrangement, view.picked[1]);
    if (!from || !to) return;
    facts.card << tr("%1 → %2").arg(nameOf(scenario, *from), nameOf(scenario, *to));
    const auto network = compile(*scenario.topology, *scenario.catalogue);
    if (!network) return void(facts.card << qs(network.error().message));
    const auto a = rank_of(*network, from->id, from->index), b = rank_of(*network, to->id, to->index);
    if (!a || !b) return void(facts.card << tr("Paths begin and end at accelerators: pick two of them."));
    const auto found = path(*network, *a, *b);
    if (!found) return void(facts.card << qs(found.error().message));
    markPath(facts, arrangement, *network, *found, *from, *to);
    facts.card << tr("%1 hops, ranks %2 and %3").arg(found->hops).arg(*a).arg(*b);
    facts.card << tr("α %1 = software %2 + endpoints and hops %3")
                      .arg(shown(found->alpha()), shown(found->software), shown(found->step));
    const NetworkLink* slowest = nullptr;
    std::vector<std::pair<const NetworkLink*, int>> crossed;  // each once, in the order of the path
    for (const int index : found->links) {
        const NetworkLink& link = network->links[std::size_t(index)];
        const auto same = [&](const auto& entry) { return entry.first == &link; };
        const auto known = std::find_if(crossed.begin(), crossed.end(), same);
        if (known == crossed.end()) crossed.emplace_back(&link, 1);
        else ++known->second;
        if (!slowest || link.capacity.value.si() < slowest->capacity.value.si()) slowest = &link;
    }
    for (const auto& [link, times] : crossed)
        facts.card << tr("  %1%2 · %3 usable")
                          .arg(times > 1 ? tr("%1 × ").arg(times) : QString(), qs(link->name),
                               shown(link->capacity.value));
    if (!slowest || slowest->capacity.value.si() <= 0) return;
    const Bytes crossover(found->alpha().si() * slowest->capacity.value.si());
    facts.card << tr("n* = α × %1 = %2 on a quiet network").arg(shown(slowest->capacity.value), shown(crossover));
}

void addBisection(SelectionFacts& facts, const Scenario& scenario, const ViewState& view) {
    constexpr std::size_t most = 3000;  // drawn objects; a selection must answer at once
    if (scenario.topology->devices.size() + scenario.topology->links.size() > most) return;
    std::vector<std::string> ids;
    for (const QString& id : view.objects) ids.push_back(id.toStdString());
    const auto found = bisection(*scenario.topology, *scenario.catalogue, ids);
    if (!found) return;  // nothing to tell of a single device or a switch
    facts.card << tr("%1 accelerators selected").arg(found->accelerators);
    if (found->per_accelerator.si() <= 0) return;
    const QString sure = qs(to_string(found->confidence));
    if (found->halves) facts.card << tr("bisection %1 each way (%2)").arg(shown(*found->halves), sure);
    facts.card << tr("all to all: %1 per accelerator (%2)").arg(shown(found->per_accelerator), sure);
    facts.card << tr("limited by %1%2")
                      .arg(qs(found->bottleneck), found->leaves_domain ? QString() : tr(", inside one domain"));
}

}  // namespace

QString cableKey(const ArrangedCable& cable) {
    return qs(cable.id.value) + QLatin1Char('|') + qs(cable.from_key) + QLatin1Char('|') + qs(cable.to_key);
}

SelectionFacts selectionFacts(const Scenario& scenario, const Arrangement& arrangement, const ViewState& view) {
    SelectionFacts facts;
    if (!scenario.topology || !scenario.catalogue) return facts;
    if (view.picked.size() == 2) addPath(facts, scenario, arrangement, view);
    else if (!view.objects.isEmpty()) addBisection(facts, scenario, view);
    return facts;
}

}  // namespace crosspoint::app
