#include "app/windows/outline_panel.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

namespace crosspoint::app {
namespace {

constexpr int idRole = Qt::UserRole;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }
QString counted(const std::string& name, const std::string& id, std::int64_t count) {
    const QString shown = QString::fromStdString(name.empty() ? id : name);
    return count > 1 ? QStringLiteral("%1 ×%2").arg(shown).arg(count) : shown;
}

}  // namespace

OutlinePanel::OutlinePanel(QWidget* parent) : QWidget(parent), filter_(new QLineEdit), tree_(new QTreeWidget) {
    filter_->setPlaceholderText(tr("Find by name or id"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Find an object"));
    tree_->setColumnCount(2);
    tree_->setHeaderLabels({tr("Object"), tr("Part")});
    tree_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setAccessibleName(tr("Outline of the drawing"));
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(6, 6, 6, 6);
    box->addWidget(filter_);
    box->addWidget(tree_);
    filter_->setToolTip(tr("Return selects the first hit and shows it, Return again the next; Down goes to the list"));
    filter_->installEventFilter(this);
    connect(filter_, &QLineEdit::textChanged, this, &OutlinePanel::applyFilter);
    connect(filter_, &QLineEdit::returnPressed, this, &OutlinePanel::selectNextHit);
    connect(tree_, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (updating_) return;
        QStringList ids;
        for (const auto* item : tree_->selectedItems()) ids << item->data(0, idRole).toString();
        Q_EMIT selectionChanged(ids);
    });
}

void OutlinePanel::setTopology(const Topology& topology) {
    const QScopedValueRollback guard(updating_, true);
    tree_->clear();
    items_.clear();
    const auto add = [this](QTreeWidgetItem* under, const std::string& id, const QString& name, const QString& part) {
        auto* item = under ? new QTreeWidgetItem(under) : new QTreeWidgetItem(tree_);
        item->setText(0, name);
        item->setText(1, part);
        item->setData(0, idRole, QString::fromStdString(id));
        item->setToolTip(0, QString::fromStdString(id));
        items_.insert(QString::fromStdString(id), item);
        return item;
    };
    const auto under = [this](const std::optional<ContainerId>& parent) {
        return parent ? items_.value(QString::fromStdString(parent->value)) : nullptr;
    };
    // Parents first; a table is in id order, so a child may come before its parent: repeat until all are placed.
    for (std::size_t placed = 0, round = 0; placed < topology.containers.size() && round <= topology.containers.size();
         ++round)
        for (const Container& c : topology.containers) {
            if (items_.contains(QString::fromStdString(c.id.value)) || (c.parent && !under(c.parent))) continue;
            add(under(c.parent), c.id.value, counted(c.name, c.id.value, c.count),
                c.interconnect ? QString::fromStdString(c.interconnect->part.value) : text(to_string(c.kind)));
            ++placed;
        }
    for (const Device& d : topology.devices)
        add(under(d.parent), d.id.value, counted(d.name, d.id.value, d.count), QString::fromStdString(d.part.value));
    if (!topology.links.empty()) {
        auto* links = add(nullptr, "", tr("Links"), {});
        for (const Link& l : topology.links)
            add(links, l.id.value, QString::fromStdString(l.a.value + " – " + l.b.value),
                QString::fromStdString(l.part.value));
    }
    tree_->expandAll();
    applyFilter(filter_->text());
}

void OutlinePanel::setSelection(const QStringList& ids) {
    const QScopedValueRollback guard(updating_, true);
    tree_->clearSelection();
    for (const QString& id : ids)
        if (auto* item = items_.value(id)) {
            item->setSelected(true);
            tree_->scrollToItem(item);
        }
}

void OutlinePanel::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

namespace {

bool matches(const QTreeWidgetItem& item, const QString& text) {
    return item.text(0).contains(text, Qt::CaseInsensitive) || item.text(1).contains(text, Qt::CaseInsensitive) ||
           item.data(0, idRole).toString().contains(text, Qt::CaseInsensitive);
}

}  // namespace

void OutlinePanel::applyFilter(const QString& text) {
    for (QTreeWidgetItemIterator it(tree_); *it; ++it) (*it)->setHidden(!text.isEmpty());
    if (text.isEmpty()) return;
    for (QTreeWidgetItemIterator it(tree_); *it; ++it)
        for (auto* item = matches(**it, text) ? *it : nullptr; item; item = item->parent()) item->setHidden(false);
}

/// The hit after the selected one, from the top again after the last.
void OutlinePanel::selectNextHit() {
    QTreeWidgetItem *first = nullptr, *next = nullptr;
    bool passed = false;
    for (QTreeWidgetItemIterator it(tree_); *it && !next; ++it) {
        const bool hit = !(*it)->data(0, idRole).toString().isEmpty() && matches(**it, filter_->text());
        if (hit && !first) first = *it;
        if (hit && passed) next = *it;
        passed |= (*it)->isSelected();
    }
    QTreeWidgetItem* found = next ? next : first;
    if (!found) return;
    const bool same = tree_->selectedItems() == QList{found};
    tree_->setCurrentItem(found);
    if (same) Q_EMIT selectionChanged({found->data(0, idRole).toString()});
}

bool OutlinePanel::eventFilter(QObject* watched, QEvent* event) {
    const bool down = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down;
    if (watched != filter_ || !down) return QWidget::eventFilter(watched, event);
    tree_->setFocus(Qt::TabFocusReason);
    return true;
}

}  // namespace crosspoint::app
