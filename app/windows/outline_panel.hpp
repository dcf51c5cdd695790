// The drawing as a tree with a filter: the keyboard's and the screen reader's way to every object.
#pragma once

#include <QLineEdit>
#include <QTreeWidget>

#include "core/topology/topology.hpp"

namespace crosspoint::app {

class OutlinePanel : public QWidget {
    Q_OBJECT
public:
    explicit OutlinePanel(QWidget* parent = nullptr);
    void setTopology(const Topology& topology);
    void setSelection(const QStringList& ids);  ///< without emitting
    void focusFilter();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void selectionChanged(const QStringList& ids);

private:
    void selectNextHit();
    void applyFilter(const QString& text);
    QLineEdit* filter_;
    QTreeWidget* tree_;
    QHash<QString, QTreeWidgetItem*> items_;
    bool updating_ = false;
};

}  // namespace crosspoint::app
