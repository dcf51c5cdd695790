// Answers to modal dialogs: a timer finds the dialog inside its own event loop and does what a person would.
#pragma once

#include <deque>
#include <functional>

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTimer>

/// Answers the modal dialogs that appear while it lives, in order; one too many is dismissed and counted.
class DialogAnswers : public QObject {
public:
    using Answer = std::function<void(QDialog&)>;

    explicit DialogAnswers(std::initializer_list<Answer> answers) : answers_(answers) {
        QObject::connect(&timer_, &QTimer::timeout, this, [this] { look(); });
        timer_.start(5);
    }
    [[nodiscard]] bool allAsked() const { return answers_.empty(); }
    [[nodiscard]] int unexpected() const { return unexpected_; }
    /// What message boxes said, one after the other.
    [[nodiscard]] const QStringList& texts() const { return texts_; }

private:
    void look() {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog || dialog == last_) return;
        last_ = dialog;
        QObject::connect(dialog, &QDialog::finished, this, [this] { last_ = nullptr; });
        if (auto* box = qobject_cast<QMessageBox*>(dialog)) texts_ << box->text();
        if (answers_.empty()) {
            ++unexpected_;
            return dialog->reject();
        }
        const Answer answer = answers_.front();
        answers_.pop_front();
        answer(*dialog);
    }

    QTimer timer_;
    std::deque<Answer> answers_;
    QDialog* last_ = nullptr;
    QStringList texts_;
    int unexpected_ = 0;
};

inline DialogAnswers::Answer press(QMessageBox::StandardButton button) {
    return [button](QDialog& dialog) {
        auto* box = qobject_cast<QMessageBox*>(&dialog);
        if (box && box->button(button)) box->button(button)->click();
        else dialog.reject();
    };
}

/// Types a path into a file dialog of Qt (AA_DontUseNativeDialogs) and accepts it.
inline DialogAnswers::Answer choose_file(const QString& path) {
    return [path](QDialog& dialog) {
        auto* name = dialog.findChild<QLineEdit*>("fileNameEdit");
        if (!name) return dialog.reject();
        name->setText(path);
        QMetaObject::invokeMethod(&dialog, "accept");
    };
}
