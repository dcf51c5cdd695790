#include "widgets/controls/unit_field.hpp"

#include <utility>

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "widgets/controls/message_line.hpp"

namespace crosspoint::ui {

struct UnitField::Private {
    UnitField* view;
    QLabel* label;
    QLineEdit* entry;
    MessageLine* message;
    Theme theme = Theme::light();
    Validator validator;
    QString shown, note, error;

    void showMessage() {
        message->setMessage(error.isEmpty() ? Severity::not_applicable : Severity::fail,
                            error.isEmpty() ? note : error);
        style();
    }
    void setError(const QString& text) {
        error = text;
        showMessage();
    }
    void restore() {
        entry->setText(shown);
        entry->setModified(false);
        setError({});
        entry->selectAll();
    }
    void commit() {
        if (!entry->isModified()) return;
        const QString text = entry->text().trimmed();
        setError(validator ? validator(text) : QString());
        if (!error.isEmpty()) return;
        entry->setModified(false);
        if (text == shown) return entry->setText(shown);
        shown = text;
        entry->setText(text);
        Q_EMIT view->committed(text);
    }
    void style() {
        const QColor edge = error.isEmpty() ? theme.border : theme.severity(Severity::fail);
        label->setStyleSheet(QStringLiteral("color: %1; font-size: 12px;").arg(theme.secondary.name()));
        entry->setStyleSheet(
            QStringLiteral(
                "QLineEdit { background: %1; color: %2; border: 1px solid %3; border-radius: 4px;"
                " padding: 2px 6px; font-size: 12px; min-height: 17px; } QLineEdit:focus { border-color: %4; }")
                .arg(theme.field.name(), theme.text.name(), edge.name(),
                     error.isEmpty() ? theme.accent.name() : edge.name()));
    }
};

UnitField::UnitField(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    d_->view = this;
    d_->label = new QLabel(this);
    d_->label->setVisible(false);
    d_->entry = new QLineEdit(this);
    d_->entry->setObjectName(QStringLiteral("value"));
    d_->entry->installEventFilter(this);
    d_->label->setBuddy(d_->entry);
    d_->message = new MessageLine(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(d_->label);
    layout->addWidget(d_->entry);
    layout->addWidget(d_->message);
    setFocusProxy(d_->entry);
    connect(d_->entry, &QLineEdit::editingFinished, this, [this] { d_->commit(); });
    d_->style();
}

UnitField::~UnitField() = default;

void UnitField::setLabel(const QString& label) {
    d_->label->setText(label);
    d_->label->setVisible(!label.isEmpty());
    d_->entry->setAccessibleName(label);
}

void UnitField::setText(const QString& text) {
    d_->shown = text;
    if (!d_->entry->isModified()) d_->entry->setText(text);
}

QString UnitField::text() const { return d_->entry->text(); }
void UnitField::setPlaceholder(const QString& example) { d_->entry->setPlaceholderText(example); }
void UnitField::setValidator(Validator validator) { d_->validator = std::move(validator); }
void UnitField::setError(const QString& message) { d_->setError(message); }
QString UnitField::error() const { return d_->error; }

void UnitField::setNote(const QString& note) {
    d_->note = note;
    d_->showMessage();
}

void UnitField::setTheme(const Theme& theme) {
    d_->theme = theme;
    d_->message->setTheme(theme);
    d_->style();
}

bool UnitField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        d_->restore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace crosspoint::ui
