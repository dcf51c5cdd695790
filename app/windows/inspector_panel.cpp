#include "app/windows/inspector_panel.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/windows/wheel_scrolls.hpp"
#include "core/units/text.hpp"

namespace crosspoint::app {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }
QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

template <class Q>
QString shown(const std::optional<Q>& value) {
    return value ? text(format_exact(*value)) : QString();
}

template <class Row>
void partNames(const Table<Row>& parts, QStringList& names, QStringList& keys) {
    for (const Row& part : parts) {
        names << text(part.name);
        keys << text(part.id.value);
    }
}

void partsOfKind(const Catalogue& catalogue, DeviceKind kind, QStringList& names, QStringList& keys) {
    switch (kind) {
        case DeviceKind::accelerator: return partNames(catalogue.accelerators, names, keys);
        case DeviceKind::nic: return partNames(catalogue.nics, names, keys);
        case DeviceKind::network_switch: return partNames(catalogue.switches, names, keys);
        case DeviceKind::host: return partNames(catalogue.hosts, names, keys);
    }
}

template <class Row>
std::optional<Row> copyOf(const Row* row) {
    return row ? std::optional(*row) : std::nullopt;
}

}  // namespace

InspectorPanel::InspectorPanel(QWidget* parent) : QWidget(parent), title_(new QLabel), error_(new QLabel) {
    title_->setObjectName("inspectorTitle");
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    error_->setObjectName("inspectorError");
    error_->setWordWrap(true);
    error_->setTextFormat(Qt::PlainText);
    error_->hide();
    auto* inside = new QWidget;
    form_ = new QFormLayout(inside);
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form_->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setWidget(inside);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* box = new QVBoxLayout(this);
    box->addWidget(title_);
    box->addWidget(scroll, 1);
    box->addWidget(error_);
    clear(tr("Select a box or a cable to see and change what it stands for."));
}

void InspectorPanel::clear(const QString& title) {
    title_->setText(title);
    error_->hide();
    while (form_->rowCount() > 0) form_->removeRow(0);
}

/// Remembers what is to be shown; true when it is on show already.
bool InspectorPanel::isShown(const Scenario& scenario, const QStringList& ids) {
    const std::string id = ids.size() == 1 ? ids.first().toStdString() : std::string();
    const Topology& drawing = *scenario.topology;
    auto container = copyOf(drawing.containers.find(ContainerId(id)));
    auto device = copyOf(drawing.devices.find(DeviceId(id)));
    auto link = copyOf(drawing.links.find(LinkId(id)));
    const std::int64_t count = device ? instances(drawing, *device) : 0;
    const bool same = ids == ids_ && container == container_ && device == device_ && link == link_ &&
                      count == instances_ && catalogue_ == scenario.catalogue;
    ids_ = ids;
    container_ = std::move(container);
    device_ = std::move(device);
    link_ = std::move(link);
    instances_ = count;
    catalogue_ = scenario.catalogue;
    return same;
}

void InspectorPanel::show(const Scenario& scenario, const QStringList& ids) {
    const bool sameObject = ids == ids_;
    if (isShown(scenario, ids)) return;
    int row = -1;
    for (int i = 0; sameObject && i < form_->rowCount(); ++i) {
        const QLayoutItem* item = form_->itemAt(i, QFormLayout::FieldRole);
        if (item && item->widget() && item->widget()->hasFocus()) row = i;
    }
    fill(scenario, ids);
    if (row < 0 || row >= form_->rowCount()) return;
    if (const QLayoutItem* item = form_->itemAt(row, QFormLayout::FieldRole); item && item->widget())
        item->widget()->setFocus(Qt::OtherFocusReason);
}

void InspectorPanel::showRefusal(const Scenario& scenario, const QString& message) {
    if (!isShown(scenario, QStringList(ids_)) || ids_.isEmpty()) return;
    fill(scenario, QStringList(ids_));
    error_->setText(message);
    error_->show();
}

void InspectorPanel::fill(const Scenario& scenario, const QStringList& ids) {
    if (ids.size() > 1) return clear(tr("%n objects selected", nullptr, int(ids.size())));
    const std::string id = ids.isEmpty() ? std::string() : ids.first().toStdString();
    const Topology& drawing = *scenario.topology;
    if (const Container* container = drawing.containers.find(ContainerId(id)))
        return showContainer(scenario, *container);
    if (const Device* device = drawing.devices.find(DeviceId(id))) return showDevice(scenario, *device);
    if (const Link* link = drawing.links.find(LinkId(id))) return showLink(scenario, *link);
    clear(tr("Select a box or a cable to see and change what it stands for."));
}

void InspectorPanel::showContainer(const Scenario& scenario, const Container& container) {
    clear(tr("%1 “%2”").arg(text(to_string(container.kind)), text(container.name)));
    addFact(tr("Id"), text(container.id.value));
    addText(tr("Name"), container.name, container, &Container::name);
    addCount(tr("Count"), container.count, 1'000'000'000, [container](std::int64_t n) {
        Container changed = container;
        changed.count = n;
        return Edit(PutContainer{changed});
    });
    showInterconnect(scenario, container);
}

void InspectorPanel::showInterconnect(const Scenario& scenario, const Container& container) {
    QStringList names{tr("none")}, keys{QString()};
    partNames(scenario.catalogue->links, names, keys);
    const QString current = container.interconnect ? text(container.interconnect->part.value) : QString();
    addChoice(tr("Scale-up fabric"), names, keys, current, [container](const QString& key) {
        Container changed = container;
        if (key.isEmpty()) changed.interconnect.reset();
        else {
            if (!changed.interconnect) changed.interconnect.emplace();
            changed.interconnect->part = PartId(key.toStdString());
        }
        return Edit(PutContainer{changed});
    });
    if (!container.interconnect) return;
    const Interconnect& fabric = *container.interconnect;
    const auto with = [container](auto change) {
        Container changed = container;
        change(*changed.interconnect);
        return Edit(PutContainer{changed});
    };
    const QStringList kinds{"switched", "full-mesh", "ring", "torus", "pcie-tree"};
    addChoice(tr("Shape"), {tr("switched"), tr("full mesh"), tr("ring"), tr("torus or mesh"), tr("PCIe tree")}, kinds,
              kinds[int(fabric.kind)], [with, kinds](const QString& key) {
                  return with([&](Interconnect& f) { f.kind = FabricKind(kinds.indexOf(key)); });
              });
    if (fabric.kind == FabricKind::torus || fabric.kind == FabricKind::pcie_tree)
        addDimensions(fabric, [with](std::vector<FabricDimension> sizes) {
            return with([&](Interconnect& f) { f.dimensions = std::move(sizes); });
        });
    if (fabric.kind == FabricKind::pcie_tree)
        addCount(tr("Uplinks a switch"), fabric.uplinks, 64,
                 [with](std::int64_t n) { return with([n](Interconnect& f) { f.uplinks = int(n); }); });
    if (fabric.kind == FabricKind::full_mesh)
        addQuantity<BytesPerSecond>(tr("To one peer"), fabric.peer_bandwidth, tr("bandwidth over ports"),
                                    [with](auto v) { return with([v](Interconnect& f) { f.peer_bandwidth = v; }); });
    addCount(tr("Planes"), fabric.planes, 1000,
             [with](std::int64_t n) { return with([n](Interconnect& f) { f.planes = int(n); }); });
    addCount(tr("Planes down"), fabric.planes_down, 999,
             [with](std::int64_t n) { return with([n](Interconnect& f) { f.planes_down = int(n); }); });
    addQuantity<BytesPerSecond>(tr("Bandwidth"), fabric.bandwidth, tr("catalogue's, per accelerator"),
                                [with](auto value) { return with([value](Interconnect& f) { f.bandwidth = value; }); });
    addQuantity<Seconds>(tr("Step latency"), fabric.step, tr("catalogue's"),
                         [with](auto value) { return with([value](Interconnect& f) { f.step = value; }); });
    addNumber(tr("Background traffic (share)"), fabric.background, 0, 0.99,
              [with](double share) { return with([share](Interconnect& f) { f.background = share; }); });
    addState(fabric.state, [with](State state) { return with([state](Interconnect& f) { f.state = state; }); });
}

void InspectorPanel::showDevice(const Scenario& scenario, const Device& device) {
    clear(tr("%1 “%2”").arg(text(to_string(device.kind)), text(device.name)));
    addFact(tr("Id"), text(device.id.value));
    addText(tr("Name"), device.name, device, &Device::name);
    QStringList names, keys;
    partsOfKind(*scenario.catalogue, device.kind, names, keys);
    addChoice(tr("Part"), names, keys, text(device.part.value), [device](const QString& key) {
        Device changed = device;
        changed.part = PartId(key.toStdString());
        return Edit(PutDevice{changed});
    });
    addCount(tr("Count"), device.count, 1'000'000'000, [device](std::int64_t n) {
        Device changed = device;
        changed.count = n;
        return Edit(PutDevice{changed});
    });
    addFact(tr("Instances in all"), text(format_count(double(instances(*scenario.topology, device)))));
    addState(device.state, [device](State state) {
        Device changed = device;
        changed.state = state;
        return Edit(PutDevice{changed});
    });
}

void InspectorPanel::showLink(const Scenario& scenario, const Link& link) {
    clear(tr("link %1 – %2").arg(text(link.a.value), text(link.b.value)));
    addFact(tr("Id"), text(link.id.value));
    const auto with = [link](auto change) {
        Link changed = link;
        change(changed);
        return Edit(PutLink{changed});
    };
    QStringList names, keys;
    partNames(scenario.catalogue->links, names, keys);
    addChoice(tr("Part"), names, keys, text(link.part.value),
              [with](const QString& key) { return with([&](Link& l) { l.part = PartId(key.toStdString()); }); });
    const QStringList wirings{"one_to_one", "each_to_each", "rail", "dragonfly"};
    const QStringList labels{tr("one to one"), tr("each to each"), tr("rail (index to index)"),
                             tr("dragonfly (group to group)")};
    addChoice(tr("Wiring"), labels, wirings, wirings[int(link.wiring)], [with, wirings](const QString& key) {
        return with([&](Link& l) { l.wiring = Wiring(wirings.indexOf(key)); });
    });
    addCount(tr("Lanes"), link.lanes, 1000,
             [with](std::int64_t n) { return with([n](Link& l) { l.lanes = int(n); }); });
    addQuantity<BytesPerSecond>(tr("Bandwidth"), link.bandwidth, tr("catalogue's, per lane, one direction"),
                                [with](auto value) { return with([value](Link& l) { l.bandwidth = value; }); });
    addQuantity<Seconds>(tr("Hop latency"), link.latency, tr("catalogue's"),
                         [with](auto value) { return with([value](Link& l) { l.latency = value; }); });
    addNumber(tr("Background traffic (share)"), link.background, 0, 0.99,
              [with](double share) { return with([share](Link& l) { l.background = share; }); });
    addState(link.state, [with](State state) { return with([state](Link& l) { l.state = state; }); });
}

template <class Row>
void InspectorPanel::addText(const QString& label, const std::string& value, Row row, std::string Row::*member) {
    auto* field = new QLineEdit(text(value));
    form_->addRow(label, field);
    connect(field, &QLineEdit::editingFinished, this, [this, field, row, member, value] {
        if (field->text().toStdString() == value) return;
        Row changed = row;
        changed.*member = field->text().toStdString();
        if constexpr (std::is_same_v<Row, Container>) Q_EMIT editRequested(PutContainer{changed});
        else Q_EMIT editRequested(PutDevice{changed});
    });
}

void InspectorPanel::addCount(const QString& label, std::int64_t value, std::int64_t most,
                              std::function<Edit(std::int64_t)> edit) {
    auto* field = new QSpinBox;
    letWheelScroll(*field);
    field->setRange(label == tr("Planes down") ? 0 : 1, int(most));
    field->setKeyboardTracking(false);
    field->setValue(int(value));
    form_->addRow(label, field);
    connect(field, &QSpinBox::valueChanged, this, [this, edit](int n) { Q_EMIT editRequested(edit(n)); });
}

void InspectorPanel::addChoice(const QString& label, const QStringList& names, const QStringList& keys,
                               const QString& current, std::function<Edit(const QString&)> edit) {
    auto* field = new QComboBox;
    letWheelScroll(*field);
    for (int i = 0; i < names.size(); ++i) field->addItem(names[i], keys[i]);
    if (field->findData(current) < 0) field->addItem(tr("%1 (not in the catalogue)").arg(current), current);
    field->setCurrentIndex(field->findData(current));
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(12);
    form_->addRow(label, field);
    connect(field, &QComboBox::activated, this,
            [this, field, edit](int index) { Q_EMIT editRequested(edit(field->itemData(index).toString())); });
}

template <class Q>
void InspectorPanel::addQuantity(const QString& label, const std::optional<Q>& value, const QString& placeholder,
                                 std::function<Edit(std::optional<Q>)> edit) {
    auto* field = new QLineEdit(shown(value));
    field->setPlaceholderText(placeholder);
    form_->addRow(label, field);
    connect(field, &QLineEdit::editingFinished, this, [this, field, value, edit] {
        if (field->text() == shown(value)) return;
        if (field->text().trimmed().isEmpty()) {
            Q_EMIT editRequested(edit(std::nullopt));
            return;
        }
        const auto parsed = parse<Q>(field->text().toStdString());
        error_->setVisible(!parsed);
        if (parsed) Q_EMIT editRequested(edit(*parsed.value));
        else error_->setText(text(parsed.error.message + (parsed.error.hint.empty() ? "" : " — " + parsed.error.hint)));
    });
}

void InspectorPanel::addNumber(const QString& label, double value, double least, double most,
                               std::function<Edit(double)> edit) {
    auto* field = new QDoubleSpinBox;
    letWheelScroll(*field);
    field->setRange(least, most);
    field->setSingleStep(0.05);
    field->setDecimals(3);
    field->setKeyboardTracking(false);
    field->setValue(value);
    form_->addRow(label, field);
    connect(field, &QDoubleSpinBox::valueChanged, this, [this, edit](double v) { Q_EMIT editRequested(edit(v)); });
}

void InspectorPanel::addState(const State& state, std::function<Edit(State)> edit) {
    const QStringList keys{"up", "degraded", "down"};
    addChoice(tr("State"), {tr("up"), tr("degraded"), tr("down")}, keys, keys[int(state.health)],
              [state, edit, keys](const QString& key) {
                  State changed = state;
                  changed.health = Health(keys.indexOf(key));
                  if (changed.health == Health::degraded && changed.factor >= 1.0) changed.factor = 0.5;
                  return edit(changed);
              });
    if (state.health == Health::degraded)
        addNumber(tr("Share left"), state.factor, 0.01, 1.0, [state, edit](double factor) {
            return edit(State{state.health, factor});
        });
}

/// "4 x 4 x 4"; a size with an "m" behind it does not wrap.
void InspectorPanel::addDimensions(const Interconnect& fabric, std::function<Edit(std::vector<FabricDimension>)> edit) {
    const bool tree = fabric.kind == FabricKind::pcie_tree;
    QStringList sizes;
    for (const FabricDimension& d : fabric.dimensions)
        sizes << QString::number(d.size) + (d.wrap || tree ? QString() : QStringLiteral("m"));
    const QString value = sizes.join(QStringLiteral(" x "));
    auto* field = new QLineEdit(value);
    field->setPlaceholderText(tree ? tr("accelerators a switch x switches a CPU x CPUs") : tr("one ring of all"));
    field->setToolTip(tree ? tr("For example 4 x 2 x 2")
                           : tr("For example 4 x 4 x 8; write 4m where it does not wrap"));
    form_->addRow(tree ? tr("Tiers") : tr("Sizes"), field);
    connect(field, &QLineEdit::editingFinished, this, [this, field, value, edit] {
        if (field->text() == value) return;
        std::vector<FabricDimension> dimensions;
        for (const QString& word : field->text().toLower().split(QLatin1Char('x'), Qt::SkipEmptyParts)) {
            QString digits = word.trimmed();
            const bool open = digits.endsWith(QLatin1Char('m'));
            if (open) digits.chop(1);
            bool number = false;
            const int size = digits.trimmed().toInt(&number);
            if (!number || size < 1 || dimensions.size() == 3) {
                error_->setText(tr("“%1” is not up to three sizes: write them as 4 x 4 x 8").arg(field->text()));
                error_->show();
                return;
            }
            dimensions.push_back({size, !open});
        }
        error_->hide();
        Q_EMIT editRequested(edit(std::move(dimensions)));
    });
}

void InspectorPanel::addFact(const QString& label, const QString& value) {
    auto* shownText = new QLabel(value);
    shownText->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    form_->addRow(label, shownText);
}

}  // namespace crosspoint::app
