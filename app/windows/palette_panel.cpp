#include "app/windows/palette_panel.hpp"

#include <QMimeData>

namespace crosspoint::app {
namespace {
constexpr int keyRole = Qt::UserRole;
constexpr const char* partMime = "application/x-crosspoint-part";
}  // namespace

PalettePanel::PalettePanel(QWidget* parent) : QTreeWidget(parent) {
    setObjectName("palette");
    setHeaderHidden(true);
    setRootIsDecorated(true);
    setIndentation(12);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setAccessibleName(tr("Parts and templates"));
    setAccessibleDescription(tr("Drag onto the drawing, or press Return to insert"));
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const QString key = item->data(0, keyRole).toString();
        if (!key.isEmpty()) Q_EMIT insertRequested(key);
    });
}

void PalettePanel::setEntries(const std::vector<TemplateEntry>& entries) {
    clear();
    QTreeWidgetItem* group = nullptr;
    for (const TemplateEntry& entry : entries) {
        const QString heading = QString::fromStdString(entry.group);
        if (!group || group->text(0) != heading) {
            group = new QTreeWidgetItem(this, {heading});
            group->setFlags(Qt::ItemIsEnabled);
            group->setExpanded(indexOfTopLevelItem(group) < 4);
        }
        auto* item = new QTreeWidgetItem(group, {QString::fromStdString(entry.name)});
        item->setData(0, keyRole, QString::fromStdString(entry.key));
        item->setToolTip(0, QString::fromStdString(entry.detail));
    }
}

QStringList PalettePanel::mimeTypes() const { return {partMime}; }

QMimeData* PalettePanel::mimeData(const QList<QTreeWidgetItem*>& items) const {
    if (items.isEmpty() || items.first()->data(0, keyRole).toString().isEmpty()) return nullptr;
    auto* mime = new QMimeData;
    mime->setData(partMime, items.first()->data(0, keyRole).toString().toUtf8());
    return mime;
}

}  // namespace crosspoint::app
