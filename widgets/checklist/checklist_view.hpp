// Verdicts with shape, word and colour; each expands to its question, threshold and explanation, and offers its fix.
//
// Keys: up/down between rows, Enter or space shows the evidence, right/left expand and collapse, F applies the first
// fix. setData() updates in place: expanded rows, focus and scroll position stay.
#pragma once

#include <memory>

#include <QWidget>

#include "widgets/checklist/checklist_data.hpp"
#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

class ChecklistView : public QWidget {
    Q_OBJECT
public:
    explicit ChecklistView(QWidget* parent = nullptr);
    ~ChecklistView() override;

    void setData(ChecklistData data);
    [[nodiscard]] const ChecklistData& data() const;
    void setTheme(const Theme& theme);
    void setExpanded(const QString& rule, bool expanded);
    [[nodiscard]] bool isExpanded(const QString& rule) const;
    /// Moves to the row and makes it visible; no signal.
    void setCurrentRule(const QString& rule);
    [[nodiscard]] QString currentRule() const;
    [[nodiscard]] int count(Severity severity) const;
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    /// The fix of the row was pressed; `index` into its suggestions.
    void suggestionActivated(const QString& rule, int index);
    /// The row was clicked: show what it is about.
    void evidenceActivated(const QString& rule);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
