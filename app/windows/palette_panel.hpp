// Parts and templates to drag onto the canvas, or to insert with Return or a double click.
#pragma once

#include <QTreeWidget>

#include "core/scenario/templates.hpp"

namespace crosspoint::app {

class PalettePanel : public QTreeWidget {
    Q_OBJECT
public:
    explicit PalettePanel(QWidget* parent = nullptr);
    void setEntries(const std::vector<TemplateEntry>& entries);

Q_SIGNALS:
    void insertRequested(const QString& key);

protected:
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override;
};

}  // namespace crosspoint::app
