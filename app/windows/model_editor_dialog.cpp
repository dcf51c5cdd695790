#include "app/windows/model_editor_dialog.hpp"

#include <map>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/presenters/present_model.hpp"
#include "app/presenters/text.hpp"
#include "core/evaluate/report.hpp"
#include "core/io/document.hpp"
#include "core/io/model_fields.hpp"

namespace crosspoint::app {
namespace {

constexpr int pathRole = Qt::UserRole, choicesRole = Qt::UserRole + 1;
enum Column { fieldColumn, valueColumn, wasColumn };

/// Values are typed, or chosen where the words are known; names cannot be edited.
class ValueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        if (index.column() != valueColumn) return nullptr;
        const QStringList choices = index.data(choicesRole).toStringList();
        if (choices.isEmpty()) return QStyledItemDelegate::createEditor(parent, option, index);
        auto* box = new QComboBox(parent);
        box->addItems(choices);
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        if (auto* box = qobject_cast<QComboBox*>(editor))
            return box->setCurrentText(index.data(Qt::EditRole).toString());
        QStyledItemDelegate::setEditorData(editor, index);
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
        if (auto* box = qobject_cast<QComboBox*>(editor)) model->setData(index, box->currentText());
        else QStyledItemDelegate::setModelData(editor, model, index);
    }
};

using Values = std::map<std::string, std::string>;

Values valuesOf(const Scenario& scenario) {
    Values values;
    if (scenario.model)
        for (const ModelField& field : model_fields(*scenario.model)) values[field.path] = field.value;
    return values;
}

QTableWidgetItem* cell(const QString& text, Qt::Alignment alignment) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(alignment | Qt::AlignVCenter);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    return item;
}

}  // namespace

struct ModelEditorDialog::Private {
    Scenario original, edited;
    Report originalReport;
    Evaluator evaluator;
    std::vector<std::shared_ptr<const ModelShape>> models;
    QComboBox* start = nullptr;
    QTreeWidget* tree = nullptr;
    QTableWidget* table = nullptr;
    QLabel* problem = nullptr;
    QPushButton* accept = nullptr;

    [[nodiscard]] Report evaluate(const Scenario& scenario) {
        EvaluateOptions options;
        options.sweeps = options.suggestions = false;
        return evaluator.evaluate(scenario, options);
    }
    void showFields();
    void showChanges();
    void show() {
        showFields();
        showChanges();
    }
};

/// The rows are built anew, since a value may add or remove others; place and openness stay.
void ModelEditorDialog::Private::showFields() {
    const QSignalBlocker quiet(tree);
    const QString current =
        tree->currentItem() ? tree->currentItem()->data(fieldColumn, pathRole).toString() : QString();
    const Values was = valuesOf(original);
    tree->clear();
    std::vector<QTreeWidgetItem*> parents;
    for (const ModelField& field : model_fields(*edited.model)) {
        parents.resize(std::size_t(field.depth) + 1, nullptr);
        QTreeWidgetItem* parent = field.depth > 0 ? parents[std::size_t(field.depth) - 1] : nullptr;
        auto* item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(tree);
        parents[std::size_t(field.depth)] = item;
        item->setText(fieldColumn, qs(field.label));
        item->setText(valueColumn, qs(field.value));
        item->setToolTip(fieldColumn, qs(field.description));
        item->setToolTip(valueColumn, qs(field.description));
        item->setData(fieldColumn, pathRole, qs(field.path));
        QStringList choices;
        for (const std::string& choice : field.choices) choices << qs(choice);
        item->setData(valueColumn, choicesRole, choices);
        if (!field.group) item->setFlags(item->flags() | Qt::ItemIsEditable);
        const auto before = was.find(field.path);
        const bool differs = !field.group && (before == was.end() || before->second != field.value);
        if (differs)
            item->setText(wasColumn,
                          before == was.end() || before->second.empty() ? tr("default") : qs(before->second));
        QFont font = item->font(valueColumn);
        font.setBold(differs || field.group);
        item->setFont(field.group ? fieldColumn : valueColumn, font);
        item->setExpanded(true);
        if (qs(field.path) == current) tree->setCurrentItem(item);
    }
}

void ModelEditorDialog::Private::showChanges() {
    const auto rows = presentModelChange(original, originalReport, edited, evaluate(edited));
    table->setRowCount(int(rows.size()));
    for (int i = 0; i < int(rows.size()); ++i) {
        const ModelChange& row = rows[std::size_t(i)];
        table->setItem(i, 0, cell(row.label, Qt::AlignLeft));
        table->setItem(i, 1, cell(row.before, Qt::AlignRight));
        table->setItem(i, 2, cell(row.after, Qt::AlignRight));
        table->setItem(i, 3, cell(row.change, Qt::AlignRight));
    }
    accept->setEnabled(!original.model || !(*edited.model == *original.model));
}

ModelEditorDialog::ModelEditorDialog(const Scenario& scenario,
                                     const std::vector<std::shared_ptr<const ModelShape>>& models, QWidget* parent)
    : QDialog(parent), d_(std::make_unique<Private>()) {
    setWindowTitle(tr("Edit model"));
    resize(980, 640);
    d_->original = d_->edited = scenario;
    d_->models = models;
    if (scenario.model) d_->models.insert(d_->models.begin(), scenario.model);
    else if (!models.empty()) d_->edited.model = models.front();
    else d_->edited.model = std::make_shared<const ModelShape>();
    d_->originalReport = d_->evaluate(scenario);

    d_->start = new QComboBox;
    d_->start->setObjectName("start");
    for (std::size_t i = 0; i < d_->models.size(); ++i)
        d_->start->addItem(i == 0 && scenario.model ? tr("%1 (this document)").arg(qs(d_->models[i]->name))
                                                    : qs(d_->models[i]->name));
    d_->tree = new QTreeWidget;
    d_->tree->setObjectName("fields");
    d_->tree->setHeaderLabels({tr("Field"), tr("Value"), tr("Was")});
    d_->tree->setItemDelegate(new ValueDelegate(d_->tree));
    d_->tree->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                              QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    d_->tree->setAlternatingRowColors(true);
    d_->tree->header()->resizeSection(fieldColumn, 280);
    d_->tree->header()->resizeSection(valueColumn, 130);
    d_->table = new QTableWidget(0, 4);
    d_->table->setObjectName("changes");
    d_->table->setHorizontalHeaderLabels({tr("Figure"), tr("Before"), tr("After"), tr("Change")});
    d_->table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    d_->table->horizontalHeader()->setStretchLastSection(true);
    d_->table->verticalHeader()->hide();
    d_->problem = new QLabel;
    d_->problem->setObjectName("problem");
    d_->problem->setWordWrap(true);
    d_->problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* split = new QSplitter;
    split->addWidget(d_->tree);
    split->addWidget(d_->table);
    split->setSizes({520, 460});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    d_->accept = buttons->button(QDialogButtonBox::Ok);
    d_->accept->setText(tr("Use this model"));
    auto* form = new QFormLayout;
    form->addRow(tr("&Start from"), d_->start);
    auto* box = new QVBoxLayout(this);
    box->addLayout(form);
    box->addWidget(split, 1);
    box->addWidget(d_->problem);
    box->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(d_->start, &QComboBox::activated, this, [this](int index) {
        d_->edited.model = d_->models[std::size_t(index)];
        d_->problem->clear();
        d_->show();
    });
    // Later: the tree must not be rebuilt while it closes the editor of the cell.
    connect(d_->tree, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
        if (column != valueColumn) return;
        const QString path = item->data(fieldColumn, pathRole).toString(), value = item->text(valueColumn);
        QMetaObject::invokeMethod(
            this, [this, path, value] { change(path, value); }, Qt::QueuedConnection);
    });
    d_->show();
}

ModelEditorDialog::~ModelEditorDialog() = default;

void ModelEditorDialog::change(const QString& path, const QString& value) {
    const std::string text = value.trimmed().toStdString();
    auto next = set_field(d_->edited, path.toStdString(), text.empty() ? "null" : text);
    if (next && next->model)
        if (auto ok = validate(*next->model); !ok) next = tl::unexpected(ok.error());
    if (next) d_->edited.model = next->model;
    d_->problem->setText(next ? QString() : qs(next.error().message) + QStringLiteral(" ") + qs(next.error().hint));
    d_->show();
}

std::shared_ptr<const ModelShape> ModelEditorDialog::model() const {
    const bool same = d_->original.model && *d_->edited.model == *d_->original.model;
    return same ? nullptr : d_->edited.model;
}

}  // namespace crosspoint::app
