// A table of operations (or any other rows): sortable by number, copyable as tab-separated text, linked by row id.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QStringList>
#include <QWidget>

#include "widgets/theme/theme.hpp"

namespace crosspoint::ui {

struct TableColumn {
    QString title;  ///< "Time"
    QString tip;
    bool numeric = false;  ///< right-aligned
};

struct TableCell {
    QString text;
    std::optional<double> number;  ///< what a numeric column sorts by; empty cells sort last
};

struct TableRow {
    QString id;  ///< reported by rowSelected; may be empty
    std::vector<TableCell> cells;
    QString tip;
};

struct TableData {
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    QString empty_text;
};

class OperationsTable : public QWidget {
    Q_OBJECT
public:
    explicit OperationsTable(QWidget* parent = nullptr);
    ~OperationsTable() override;

    /// Keeps sorting, scroll position, column widths and the selected ids.
    void setData(TableData shown);
    /// Header and rows of texts, as the plots' and the timeline's tableRows() give them.
    void setTexts(const std::vector<QStringList>& header_and_rows);
    void setTheme(const Theme& theme);
    void setSelectedIds(const QStringList& ids);  ///< no signal
    [[nodiscard]] QStringList selectedIds() const;
    void sortBy(int column, Qt::SortOrder order);
    /// Selected rows, or all when none is, with the header, tab-separated in the order shown.
    [[nodiscard]] QString asText() const;
    void copy() const;

Q_SIGNALS:
    void rowSelected(const QString& id);
    void rowActivated(const QString& id);  ///< double click or Enter

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::ui
