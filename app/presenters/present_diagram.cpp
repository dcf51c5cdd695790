#include "app/presenters/present_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include "app/presenters/link_loads.hpp"
#include "app/presenters/presenters.hpp"
#include "app/presenters/text.hpp"
#include "widgets/controls/log_slider.hpp"

namespace crosspoint::app {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Diagram", text); }

ui::BoxHealth health(const State& state) {
    switch (state.health) {
        case Health::degraded: return ui::BoxHealth::degraded;
        case Health::down: return ui::BoxHealth::down;
        case Health::up: break;
    }
    return ui::BoxHealth::up;
}

/// "8 × ConnectX-7 400G", the NICs directly inside a container; otherwise its accelerators.
QString containerSubtitle(const Scenario& scenario, const Container& container) {
    std::int64_t accelerators = 0;
    for (const Device& device : scenario.topology->devices) {
        if (device.parent != container.id) continue;
        if (device.kind == DeviceKind::nic) {
            const NicPart* part = scenario.catalogue->nics.find(device.part);
            return QStringLiteral("%1 × %2").arg(device.count).arg(part ? qs(part->name) : qs(device.part.value));
        }
        if (device.kind == DeviceKind::accelerator) accelerators += device.count;
    }
    return accelerators > 0 ? tr("%1 accelerators").arg(accelerators) : QString();
}

struct Context {
    const Scenario& scenario;
    const LinkLoads& loads;
    const SelectionFacts& facts;
    std::map<std::string, int> boxes_of = {};  ///< drawn boxes by object id
    std::set<std::string> filled = {};         ///< containers with something inside
    [[nodiscard]] bool repeated(const std::string& id) const { return boxes_of.at(id) > 1; }
};

/// A closed domain shows the load of its fabric.
double closedLoad(const Context& context, const Container& container) {
    return context.loads.value(qs(container.id.value)).share();
}

void describeContainer(ui::DiagramBox& box, const Context& context, const ArrangedBox& arranged) {
    const Container* container = context.scenario.topology->containers.find(ContainerId(arranged.id));
    if (!container) return;
    box.role = container->interconnect ? ui::BoxRole::domain : ui::BoxRole::container;
    box.title = qs(container->name.empty() ? container->id.value : container->name);
    if (context.repeated(arranged.id)) box.title = qs(numbered_name(box.title.toStdString(), arranged.index + 1));
    box.subtitle = containerSubtitle(context.scenario, *container);
    box.collapsed = arranged.collapsed;
    box.collapsible = arranged.collapsed || context.filled.count(arranged.id) > 0;
    box.pinned = container->box && container->box->pinned;
    if (arranged.collapsed) box.load = closedLoad(context, *container);
    box.tooltip = tr("%1 “%2”, %3").arg(qs(to_string(container->kind)), qs(container->name), box.subtitle);
    if (container->interconnect) box.health = health(container->interconnect->state);
}

/// In whole percent: a bar has little room.
QString briefPercent(double share) { return QStringLiteral("%1 %").arg(int(std::lround(share * 100))); }

/// Short enough for the bar of an 8-way node: "NVLink 4 · 367 GB/s · 9 %".
QString fabricTitle(const Context& context, const Interconnect& fabric, const LinkLoad& load) {
    const LinkPart* part = context.scenario.catalogue->links.find(fabric.part);
    const QString name = (part ? qs(part->name) : qs(fabric.part.value)).section(" (", 0, 0);
    if (!load.link) return name;
    const QString rate = shown(load.link->capacity.value);
    if (load.use.utilisation < 0.01) return QStringLiteral("%1 %2").arg(name, rate);
    return tr("%1 %2 · %3").arg(name, rate, briefPercent(load.use.utilisation));
}

void describeFabric(ui::DiagramBox& box, const Context& context, const ArrangedBox& arranged) {
    const Container* container = context.scenario.topology->containers.find(ContainerId(arranged.id));
    if (!container || !container->interconnect) return;
    const LinkLoad load = context.loads.value(qs(arranged.id));
    box.role = ui::BoxRole::fabric;
    box.title = fabricTitle(context, *container->interconnect, load);
    box.tooltip = load.link ? load.tooltip : box.title;
    box.load = load.share();
    box.health = health(container->interconnect->state);
}

ui::BoxRole role(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::accelerator: return ui::BoxRole::accelerator;
        case DeviceKind::nic: return ui::BoxRole::nic;
        case DeviceKind::network_switch: return ui::BoxRole::network_switch;
        case DeviceKind::host: return ui::BoxRole::host;
    }
    return ui::BoxRole::accelerator;
}

QString partName(const Catalogue& catalogue, const Device& device) {
    const auto name = [](const auto* part) { return part ? qs(part->name) : QString(); };
    switch (device.kind) {
        case DeviceKind::accelerator: return name(catalogue.accelerators.find(device.part));
        case DeviceKind::nic: return name(catalogue.nics.find(device.part));
        case DeviceKind::network_switch: return name(catalogue.switches.find(device.part));
        case DeviceKind::host: return name(catalogue.hosts.find(device.part));
    }
    return {};
}

/// The busiest of the quiet links of a NIC.
double portLoad(const Context& context, const Device& nic) {
    double load = -1;
    for (const Link& link : context.scenario.topology->links)
        if (link.a == nic.id || link.b == nic.id) load = std::max(load, context.loads.value(qs(link.id.value)).share());
    return load;
}

void describeDevice(ui::DiagramBox& box, const Context& context, const ArrangedBox& arranged) {
    const Device* device = context.scenario.topology->devices.find(DeviceId(arranged.id));
    if (!device) return;
    const QString part = partName(*context.scenario.catalogue, *device);
    const QString name = device->name.empty() ? part : qs(device->name);
    const bool numbered = context.repeated(arranged.id);
    box.role = role(device->kind);
    box.health = health(device->state);
    box.pinned = device->box && device->box->pinned;
    if (device->kind == DeviceKind::nic) box.load = portLoad(context, *device);
    const bool small = device->kind == DeviceKind::accelerator || device->kind == DeviceKind::nic;
    if (!numbered) box.title = name;
    else if (small) box.title = QString::number(arranged.number);
    else box.title = qs(numbered_name(name.toStdString(), arranged.index));
    box.tooltip = QStringLiteral("%1 (%2)").arg(name, part);
    if (numbered) box.tooltip += tr(", number %1").arg(arranged.number);
}

ui::DiagramBox present(const Context& context, const ArrangedBox& arranged) {
    ui::DiagramBox box;
    box.key = qs(arranged.key);
    box.id = qs(arranged.id);
    box.parent = qs(arranged.parent);
    box.rect = QRectF(arranged.x, arranged.y, arranged.width, arranged.height);
    box.stands_for = arranged.stands_for;
    box.title_y = arranged.title_y;
    box.on_path = context.facts.path_boxes.contains(box.key) ||
                  (arranged.what == ArrangedBox::What::fabric && context.facts.path_domains.contains(box.id));
    switch (arranged.what) {
        case ArrangedBox::What::container: describeContainer(box, context, arranged); break;
        case ArrangedBox::What::fabric: describeFabric(box, context, arranged); break;
        case ArrangedBox::What::device: describeDevice(box, context, arranged); break;
    }
    return box;
}

/// "46 GB/s · 92 %" of what is selected, for links that are busy enough to look at.
QString cableLabel(const LinkLoad& load) {
    constexpr double leastShown = 0.01;
    if (!load.link || load.share() < leastShown) return {};
    const BytesPerSecond rate = load.link->capacity.value * load.use.utilisation;
    return QStringLiteral("%1 · %2").arg(shown(rate), briefPercent(load.use.utilisation));
}

ui::DiagramCable present(const Context& context, const ArrangedCable& arranged) {
    ui::DiagramCable cable;
    cable.id = qs(arranged.id.value);
    cable.from = qs(arranged.from_key);
    cable.to = qs(arranged.to_key);
    cable.start = QPointF(arranged.x1, arranged.y1);
    cable.end = QPointF(arranged.x2, arranged.y2);
    cable.stands_for = arranged.stands_for;
    cable.on_path = !context.facts.path_cables.isEmpty() && context.facts.path_cables.contains(cableKey(arranged));
    const LinkLoad load = context.loads.value(cable.id);
    cable.load = load.share();
    cable.label = cableLabel(load);
    if (const Link* link = context.scenario.topology->links.find(arranged.id)) {
        cable.health = health(link->state);
        cable.tooltip = load.link ? load.tooltip : qs(link->part.value);
    }
    return cable;
}

ui::DiagramStroke present(const Context& context, const ArrangedStroke& arranged) {
    ui::DiagramStroke stroke;
    stroke.id = qs(arranged.id);
    stroke.owner = qs(arranged.owner);
    stroke.line = QLineF(arranged.x1, arranged.y1, arranged.x2, arranged.y2);
    stroke.wrap = arranged.wrap;
    stroke.load = context.loads.value(stroke.id).share();
    const Container* container = context.scenario.topology->containers.find(ContainerId(arranged.id));
    if (container && container->interconnect) stroke.health = health(container->interconnect->state);
    return stroke;
}

/// Cables between the same two boxes, one of them closed, are one thick cable with the sum of their rates.
void bundleAtClosedBoxes(ui::DiagramData& data, const LinkLoads& loads) {
    QSet<QString> closed;
    for (const ui::DiagramBox& box : data.boxes)
        if (box.collapsed) closed.insert(box.key);
    if (closed.isEmpty()) return;
    struct Bundle {
        std::size_t index = 0;
        int links = 0;
        double rate = 0;  // bytes per second
    };
    QHash<std::pair<QString, QString>, Bundle> bundles;
    std::vector<ui::DiagramCable> kept;
    for (ui::DiagramCable& cable : data.cables) {
        const auto ends = std::minmax(cable.from, cable.to);
        const bool ends_closed = closed.contains(cable.from) || closed.contains(cable.to);
        const LinkLoad load = loads.value(cable.id);
        const double rate = load.link ? load.link->capacity.value.si() * double(cable.stands_for) : 0;
        Bundle* bundle = ends_closed ? &bundles[{ends.first, ends.second}] : nullptr;
        if (bundle && bundle->links > 0) {
            ui::DiagramCable& first = kept[bundle->index];
            first.stands_for += cable.stands_for;
            first.tooltip += QLatin1Char('\n') + cable.tooltip.section(QLatin1Char('\n'), 0, 0);
            first.on_path |= cable.on_path;
            if (cable.load > first.load) first.load = cable.load;
        } else {
            if (bundle) bundle->index = kept.size();
            kept.push_back(std::move(cable));
        }
        if (!bundle) continue;
        ++bundle->links;
        bundle->rate += rate;
        ui::DiagramCable& first = kept[bundle->index];
        first.label = QStringLiteral("×%1 · %2").arg(first.stands_for).arg(shown(BytesPerSecond(bundle->rate)));
        if (first.load > 0) first.label += QStringLiteral(" · ") + briefPercent(first.load);
    }
    data.cables = std::move(kept);
}

/// Links between an accelerator and the NIC of its own node are not drawn as cables, which would cross the node's title
/// and its accelerators: the NIC's port carries their load. They are drawn when selected, or when something is wrong.
QSet<QString> quietCables(const Scenario& scenario, const ViewState& view) {
    QSet<QString> quiet;
    const Topology& drawing = *scenario.topology;
    for (const Link& link : drawing.links) {
        const Device *a = drawing.devices.find(link.a), *b = drawing.devices.find(link.b);
        if (!a || !b || a->parent != b->parent || !a->parent) continue;
        const bool port = a->kind == DeviceKind::nic || b->kind == DeviceKind::nic;
        const bool alone = view.objects.size() == 1 && view.objects.contains(qs(link.id.value));
        const bool shown = alone || link.state.health != Health::up;
        if (port && !shown) quiet.insert(qs(link.id.value));
    }
    return quiet;
}

void addCaption(ui::DiagramData& data, const Report& report, const ViewState& view) {
    if (const OperationResult* result = findOperation(report, view)) {
        data.caption = qs(result->op.label);
        data.caption_detail = tr("bytes of the selected operation on each link");
    } else if (view.scope == ViewState::Scope::step) {
        data.caption = tr("Whole step");
        data.caption_detail = tr("bytes of the step on each link");
    } else if (const LayerResult* layer = shownLayer(report, view)) {
        data.caption = tr("One layer: %1").arg(qs(layer->label));
        data.caption_detail = tr("bytes of the layer on each link");
    }
}

void addCritical(ui::DiagramData& data, const LinkLoads& loads) {
    const LinkLoad* worst = nullptr;
    for (const LinkLoad& load : loads)
        if (load.use.bytes.si() > 0 && (!worst || load.use.busy > worst->use.busy)) worst = &load;
    if (!worst) return;
    data.legend = true;
    data.critical_load = worst->use.utilisation;
    data.critical =
        tr("busiest: %1, %2 of %3 usable (%4), %5 busy")
            .arg(qs(worst->link->name), shown(worst->link->capacity.value), shown(worst->link->nominal.value),
                 qs(to_string(worst->link->capacity.confidence)), percent(worst->use.utilisation));
}

std::vector<LinkUse> layerUse(const LayerResult& layer) {
    std::map<int, LinkUse> sums;
    for (const OperationResult& result : layer.operations)
        for (const LinkUse& use : result.links) {
            LinkUse& sum = sums[use.link];
            sum.link = use.link;
            sum.bytes += use.bytes;
            sum.busy += use.busy;
        }
    std::vector<LinkUse> uses;
    for (auto& [link, use] : sums) {
        use.utilisation = layer.timeline.end.si() > 0 ? std::min(1.0, use.busy / layer.timeline.end) : 0.0;
        uses.push_back(use);
    }
    return uses;
}

}  // namespace

std::vector<LinkUse> shownLinkUse(const Report& report, const ViewState& view) {
    if (!report.prediction) return {};
    if (const OperationResult* result = findOperation(report, view)) return result->links;
    if (view.scope == ViewState::Scope::step) return report.prediction->links;
    const LayerResult* layer = shownLayer(report, view);
    return layer ? layerUse(*layer) : std::vector<LinkUse>();
}

ui::DiagramData presentDiagram(const Scenario& scenario, const Arrangement& arrangement, const Report& report,
                               const ViewState& view, const SelectionFacts& facts) {
    ui::DiagramData data;
    const LinkLoads loads = linkLoads(report, view);
    Context context{scenario, loads, facts};
    for (const Container& inner : scenario.topology->containers)
        if (inner.parent) context.filled.insert(inner.parent->value);
    for (const Device& device : scenario.topology->devices)
        if (device.parent) context.filled.insert(device.parent->value);
    for (const ArrangedBox& box : arrangement.boxes)
        if (box.what != ArrangedBox::What::fabric) ++context.boxes_of[box.id];
    data.boxes.reserve(arrangement.boxes.size());
    data.cables.reserve(arrangement.cables.size());
    QHash<QString, std::int64_t> stacked;  // a box inside a stack is counted by the stack
    for (const ArrangedBox& box : arrangement.boxes) {
        data.boxes.push_back(present(context, box));
        stacked.insert(qs(box.key), box.stands_for);
        data.boxes.back().stands_for /= std::max<std::int64_t>(stacked.value(qs(box.parent), 1), 1);
    }
    const QSet<QString> quiet = quietCables(scenario, view);
    for (const ArrangedCable& cable : arrangement.cables)
        if (!quiet.contains(qs(cable.id.value)) || facts.path_cables.contains(cableKey(cable)))
            data.cables.push_back(present(context, cable));
    bundleAtClosedBoxes(data, loads);
    data.strokes.reserve(arrangement.strokes.size());
    for (const ArrangedStroke& stroke : arrangement.strokes) data.strokes.push_back(present(context, stroke));
    data.card = facts.card;
    data.empty_text =
        tr("Drag a rack, a node or a switch here from Parts, drop a document onto the window, or open a sample "
           "(Ctrl+Shift+O).");
    addCaption(data, report, view);
    addCritical(data, loads);
    return data;
}

QString selectionSummary(const Scenario& scenario, const Report* report, const ViewState& view) {
    const Topology& drawing = *scenario.topology;
    if (view.objects.size() > 1) return tr("%1 objects selected").arg(view.objects.size());
    if (view.objects.size() == 1) {
        const std::string id = view.objects.first().toStdString();
        QString text;
        if (const Container* c = drawing.containers.find(ContainerId(id))) text = tr("%1 selected").arg(qs(c->name));
        else if (const Device* d = drawing.devices.find(DeviceId(id)))
            text = tr("%1 selected · %2 in all")
                       .arg(qs(d->name.empty() ? d->part.value : d->name),
                            ui::grouped_number(double(instances(drawing, *d))));
        else text = tr("link %1 selected").arg(view.objects.first());
        if (report) {
            const LinkLoad load = linkLoads(*report, view).value(view.objects.first());
            if (load.link)
                text += tr(" · %1, busy %2").arg(shown(load.link->capacity.value), percent(load.use.utilisation));
        }
        return text;
    }
    return tr("%1 accelerators drawn").arg(ui::grouped_number(double(accelerator_count(drawing))));
}

}  // namespace crosspoint::app
