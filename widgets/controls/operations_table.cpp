#include "widgets/controls/operations_table.hpp"

#include <utility>

#include <QAbstractTableModel>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>

namespace crosspoint::ui {
namespace {

constexpr int kRowHeight = 22;  // px
constexpr int kWidest = 420;    // px of a column at first

class RowModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    TableData table;

    void replace(TableData data) {
        const bool same_shape = data.columns.size() == table.columns.size() && data.rows.size() == table.rows.size();
        if (!same_shape) beginResetModel();
        table = std::move(data);
        if (!same_shape) return endResetModel();
        if (table.rows.empty() || table.columns.empty()) return;
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : int(table.rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : int(table.columns.size());
    }
    [[nodiscard]] const TableCell* cell(const QModelIndex& at) const {
        if (!at.isValid() || std::size_t(at.row()) >= table.rows.size()) return nullptr;
        const auto& cells = table.rows[std::size_t(at.row())].cells;
        return std::size_t(at.column()) < cells.size() ? &cells[std::size_t(at.column())] : nullptr;
    }
    [[nodiscard]] QVariant data(const QModelIndex& at, int role) const override {
        const TableCell* found = cell(at);
        if (role == Qt::TextAlignmentRole) return alignment(at.column());
        if (!found) return {};
        if (role == Qt::DisplayRole) return found->text;
        if (role == Qt::ToolTipRole) return table.rows[std::size_t(at.row())].tip;
        return {};
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation direction, int role) const override {
        if (direction != Qt::Horizontal || std::size_t(section) >= table.columns.size()) return {};
        const TableColumn& column = table.columns[std::size_t(section)];
        if (role == Qt::DisplayRole) return column.title;
        if (role == Qt::ToolTipRole) return column.tip;
        if (role == Qt::TextAlignmentRole) return alignment(section);
        return {};
    }

private:
    [[nodiscard]] int alignment(int column) const {
        const bool numeric = std::size_t(column) < table.columns.size() && table.columns[std::size_t(column)].numeric;
        return int((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
};

/// Numeric columns by number, cells without one last in either order; the rest by text.
class RowOrder : public QSortFilterProxyModel {
public:
    explicit RowOrder(RowModel* rows) : rows_(rows) {
        setSourceModel(rows);
        setDynamicSortFilter(true);
    }

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
        const TableCell *x = rows_->cell(a), *y = rows_->cell(b);
        if (!x || !y) return x == nullptr && y != nullptr;
        if (!rows_->table.columns[std::size_t(a.column())].numeric)
            return QString::localeAwareCompare(x->text, y->text) < 0;
        if (x->number && y->number) return *x->number < *y->number;
        return (sortOrder() == Qt::AscendingOrder) == x->number.has_value() &&
               x->number.has_value() != y->number.has_value();
    }

private:
    RowModel* rows_;
};

}  // namespace

struct OperationsTable::Private {
    RowModel* rows;
    RowOrder* order;
    QTableView* table;
    QLabel* empty;
    QStackedLayout* stack;
    bool quiet = false;  ///< selection set by the program

    [[nodiscard]] QString idOf(const QModelIndex& shown) const {
        const QModelIndex at = order->mapToSource(shown);
        return at.isValid() ? rows->table.rows[std::size_t(at.row())].id : QString();
    }
};

OperationsTable::OperationsTable(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->rows = new RowModel(this);
    d_->order = new RowOrder(d_->rows);
    d_->order->setParent(this);
    d_->table = new QTableView(this);
    d_->table->setModel(d_->order);
    d_->table->setSortingEnabled(true);
    d_->table->sortByColumn(-1, Qt::AscendingOrder);
    d_->table->setSelectionBehavior(QAbstractItemView::SelectRows);
    d_->table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    d_->table->setShowGrid(false);
    d_->table->setAlternatingRowColors(true);
    d_->table->setWordWrap(false);
    d_->table->setAccessibleName(tr("Operations"));
    d_->table->verticalHeader()->hide();
    d_->table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    d_->table->horizontalHeader()->setHighlightSections(false);
    d_->table->horizontalHeader()->setStretchLastSection(true);
    d_->table->horizontalHeader()->setMaximumSectionSize(kWidest);
    d_->table->installEventFilter(this);
    d_->empty = new QLabel(this);
    d_->empty->setAlignment(Qt::AlignCenter);
    d_->empty->setWordWrap(true);
    d_->stack = new QStackedLayout(this);
    d_->stack->addWidget(d_->table);
    d_->stack->addWidget(d_->empty);
    connect(d_->table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!d_->quiet && now.isValid()) Q_EMIT rowSelected(d_->idOf(now));
    });
    connect(d_->table, &QTableView::activated, this,
            [this](const QModelIndex& at) { Q_EMIT rowActivated(d_->idOf(at)); });
    setTheme(Theme::light());
    setData({});
}

OperationsTable::~OperationsTable() = default;

void OperationsTable::setData(TableData shown) {
    const QStringList selected = selectedIds();
    const int scroll = d_->table->verticalScrollBar()->value();
    // The first rows set the widths; later ones keep what the user made of them.
    const bool fresh = shown.columns.size() != d_->rows->table.columns.size() || d_->rows->table.rows.empty();
    d_->empty->setText(shown.empty_text.isEmpty() ? tr("Nothing to show yet") : shown.empty_text);
    d_->quiet = true;
    d_->rows->replace(std::move(shown));
    d_->quiet = false;
    if (fresh) d_->table->resizeColumnsToContents();
    d_->stack->setCurrentWidget(d_->rows->table.rows.empty() ? static_cast<QWidget*>(d_->empty) : d_->table);
    setSelectedIds(selected);
    d_->table->verticalScrollBar()->setValue(scroll);
}

void OperationsTable::setTexts(const std::vector<QStringList>& header_and_rows) {
    TableData shown;
    for (std::size_t i = 0; i < header_and_rows.size(); ++i) {
        TableRow row;
        for (const QString& text : header_and_rows[i]) {
            if (i == 0) shown.columns.push_back({text, {}, false});
            row.cells.push_back({text, std::nullopt});
        }
        if (i > 0) shown.rows.push_back(std::move(row));
    }
    setData(std::move(shown));
}

void OperationsTable::setTheme(const Theme& theme) {
    d_->empty->setStyleSheet(QStringLiteral("color: %1; font-size: 12px;").arg(theme.secondary.name()));
    d_->table->setStyleSheet(
        QStringLiteral(
            "QTableView { background: %1; alternate-background-color: %2; color: %3; border: none; font-size: 12px; }"
            "QTableView::item:selected { background: %4; color: %3; }"
            "QHeaderView::section { background: %1; color: %5; border: none; border-bottom: 1px solid %6;"
            " padding: 3px; font-size: 11px; }"
            "QHeaderView { background: %1; border: none; }")
            .arg(theme.panel.name(), theme.lane.name(), theme.text.name(), theme.accent_fill.name(),
                 theme.secondary.name(), theme.border.name()));
}

void OperationsTable::setSelectedIds(const QStringList& ids) {
    const QSet<QString> wanted(ids.begin(), ids.end());
    QItemSelection selection;
    QModelIndex first;
    for (int row = 0; row < d_->order->rowCount(); ++row) {
        const QModelIndex at = d_->order->index(row, 0);
        const QString id = d_->idOf(at);
        if (id.isEmpty() || !wanted.contains(id)) continue;
        if (!first.isValid()) first = at;
        selection.select(at, d_->order->index(row, d_->order->columnCount() - 1));
    }
    d_->quiet = true;
    d_->table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (first.isValid()) d_->table->scrollTo(first);
    d_->quiet = false;
}

QStringList OperationsTable::selectedIds() const {
    QStringList ids;
    for (const QModelIndex& at : d_->table->selectionModel()->selectedRows()) {
        const QString id = d_->idOf(at);
        if (!id.isEmpty()) ids << id;
    }
    return ids;
}

void OperationsTable::sortBy(int column, Qt::SortOrder order) { d_->table->sortByColumn(column, order); }

QString OperationsTable::asText() const {
    QStringList header;
    for (const TableColumn& column : d_->rows->table.columns) header << column.title;
    QStringList lines{header.join('\t')};
    const QItemSelectionModel* selection = d_->table->selectionModel();
    for (int row = 0; row < d_->order->rowCount(); ++row) {
        if (selection->hasSelection() && !selection->isRowSelected(row)) continue;
        QStringList cells;
        for (int column = 0; column < d_->order->columnCount(); ++column)
            cells << d_->order->index(row, column).data().toString();
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

void OperationsTable::copy() const { QGuiApplication::clipboard()->setText(asText()); }

bool OperationsTable::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace crosspoint::ui
