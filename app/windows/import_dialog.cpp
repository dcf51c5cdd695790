#include "app/windows/import_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/presenters/text.hpp"
#include "core/base/error.hpp"
#include "core/importers/use_import.hpp"

namespace crosspoint::app {
namespace {

QString labelOf(const std::string& format) {
    for (const ImportFormat& f : import_formats())
        if (f.id == format) return qs(f.label);
    return qs(format);
}

QString headingOf(ImportNote::Kind kind) {
    switch (kind) {
        case ImportNote::Kind::assumed: return ImportDialog::tr("Assumed");
        case ImportNote::Kind::converted: return ImportDialog::tr("Converted");
        case ImportNote::Kind::ignored: return ImportDialog::tr("Ignored");
        case ImportNote::Kind::warning: return ImportDialog::tr("Warning");
    }
    return {};
}

}  // namespace

ImportDialog::ImportDialog(std::string text, Imported first, std::shared_ptr<const Catalogue> catalogue, bool mayInsert,
                           QWidget* parent)
    : QDialog(parent),
      text_(std::move(text)),
      options_{std::move(catalogue), {}},
      imported_(std::move(first)),
      summary_(new QLabel(this)),
      questions_(new QFormLayout),
      notes_(new QTreeWidget(this)) {
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import"));
    resize(720, 520);
    auto* layout = new QVBoxLayout(this);
    auto* format = new QLabel(tr("Recognised as %1").arg(labelOf(imported_.format)), this);
    format->setObjectName(QStringLiteral("importFormat"));
    QFont bold = format->font();
    bold.setBold(true);
    format->setFont(bold);
    summary_->setObjectName(QStringLiteral("importSummary"));
    notes_->setObjectName(QStringLiteral("importNotes"));
    notes_->setHeaderLabels({tr("Kind"), tr("What the import did"), tr("Where")});
    notes_->setRootIsDecorated(false);
    notes_->setWordWrap(true);
    notes_->setAlternatingRowColors(true);
    questions_->setRowWrapPolicy(QFormLayout::WrapAllRows);
    layout->addWidget(format);
    layout->addWidget(summary_);
    layout->addLayout(questions_);
    layout->addWidget(notes_, 1);
    addQuestions();
    addButtons(mayInsert);
    show(imported_);
}

/// One row a question; an answer may raise further ones, which get their row then.
void ImportDialog::addQuestions() {
    for (const ImportQuestion& question : imported_.questions) {
        const QString name = QStringLiteral("question-") + qs(question.id);
        if (findChild<QComboBox*>(name)) continue;
        auto* choice = new QComboBox(this);
        choice->setObjectName(name);
        for (const std::string& c : question.choices) choice->addItem(qs(c));
        choice->setCurrentText(qs(question.answer));
        auto* text = new QLabel(qs(question.text), this);
        text->setWordWrap(true);
        text->setBuddy(choice);
        questions_->addRow(text, choice);
        connect(choice, &QComboBox::currentTextChanged, this,
                [this, id = question.id](const QString& chosen) { answer(id, chosen); });
    }
}

void ImportDialog::addButtons(bool mayInsert) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* open = buttons->addButton(tr("Open as new document"), QDialogButtonBox::AcceptRole);
    auto* insert = buttons->addButton(tr("Insert into this drawing"), QDialogButtonBox::AcceptRole);
    open->setObjectName(QStringLiteral("importOpen"));
    insert->setObjectName(QStringLiteral("importInsert"));
    insert->setEnabled(mayInsert);
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, [this] { choose(Use::newDocument); });
    connect(insert, &QPushButton::clicked, this, [this] { choose(Use::insert); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout()->addWidget(buttons);
}

void ImportDialog::choose(Use use) {
    use_ = use;
    accept();
}

void ImportDialog::answer(const std::string& question, const QString& choice) {
    options_.answers[question] = choice.toStdString();
    auto again = import_any(text_, options_);
    if (!again) {  // an answer to a question that another answer made pointless
        options_.answers = {{question, choice.toStdString()}};
        again = import_any(text_, options_);
    }
    if (!again) {
        summary_->setText(qs(again.error().message));
        return;
    }
    imported_ = std::move(*again);
    addQuestions();
    show(imported_);
}

void ImportDialog::show(const Imported& imported) {
    summary_->setText(qs(imported.name) + QStringLiteral("\n") + qs(summary_of(imported)));
    notes_->clear();
    for (const auto kind :
         {ImportNote::Kind::warning, ImportNote::Kind::assumed, ImportNote::Kind::converted, ImportNote::Kind::ignored})
        for (const ImportNote& note : imported.notes) {
            if (note.kind != kind) continue;
            auto* item = new QTreeWidgetItem(notes_, {headingOf(kind), qs(note.text), qs(note.where)});
            item->setToolTip(1, qs(note.text));
        }
    notes_->header()->setStretchLastSection(false);
    notes_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    notes_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    notes_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
}

}  // namespace crosspoint::app
