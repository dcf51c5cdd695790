// One row of the checklist. Private to widgets/checklist.
#pragma once

#include <vector>

#include <QFrame>

#include "widgets/checklist/checklist_data.hpp"

class QLabel;
class QPushButton;
class QAbstractButton;
class QVBoxLayout;

namespace crosspoint::ui {

class ChecklistRowWidget : public QFrame {
    Q_OBJECT
public:
    explicit ChecklistRowWidget(QWidget* parent);

    void setRow(const ChecklistRow& row);
    [[nodiscard]] const ChecklistRow& row() const { return row_; }
    void setTheme(const Theme& theme);
    void setExpanded(bool expanded);
    [[nodiscard]] bool isExpanded() const { return expanded_; }
    void setCurrent(bool current);
    void activateFirstFix();

Q_SIGNALS:
    void activated();
    void expandedChanged(bool expanded);
    void fixPressed(int index);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void show();
    void showFixes();
    void style();
    void addFix(int index);
    [[nodiscard]] QString detailText() const;

    ChecklistRow row_;
    Theme theme_ = Theme::light();
    bool expanded_ = false, current_ = false;
    QLabel *title_, *figure_, *detail_, *word_;
    QAbstractButton* expander_;
    QVBoxLayout* fixes_;
    std::vector<QWidget*> fix_widgets_;
};

}  // namespace crosspoint::ui
