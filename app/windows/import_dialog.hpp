// What an import found, assumed and asks, before it becomes a document or a part of the drawing.
#pragma once

#include <memory>
#include <string>

#include <QDialog>

#include "core/importers/importer.hpp"

class QFormLayout;
class QLabel;
class QTreeWidget;

namespace crosspoint::app {

class ImportDialog : public QDialog {
    Q_OBJECT
public:
    enum class Use { none, newDocument, insert };

    /// `first` is the import of `text` without answers.
    ImportDialog(std::string text, Imported first, std::shared_ptr<const Catalogue> catalogue, bool mayInsert,
                 QWidget* parent = nullptr);

    /// The import with the answers given.
    [[nodiscard]] const Imported& imported() const { return imported_; }
    /// What was chosen; none when cancelled.
    [[nodiscard]] Use use() const { return use_; }

private:
    void addQuestions();
    void addButtons(bool mayInsert);
    void answer(const std::string& question, const QString& choice);
    void show(const Imported& imported);
    void choose(Use use);

    std::string text_;
    ImportOptions options_;
    Imported imported_;
    Use use_ = Use::none;
    QLabel* summary_ = nullptr;
    QFormLayout* questions_ = nullptr;
    QTreeWidget* notes_ = nullptr;
};

}  // namespace crosspoint::app
