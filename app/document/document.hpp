// The open document: one scenario value, its undo stack, its file. The only place that changes a scenario.
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/io/document.hpp"
#include "core/scenario/edit.hpp"

namespace crosspoint::app {

/// Edits that carry the same non-zero gesture id merge into one undo step (a slider drag, a move of boxes).
struct Gesture {
    quint64 id = 0;
    static Gesture begin();  ///< a fresh id, never reused in the process
};

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(std::shared_ptr<const Catalogue> builtin, QObject* parent = nullptr);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    /// Grows with every change of the scenario; results of older generations are stale.
    [[nodiscard]] quint64 generation() const { return generation_; }
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }
    [[nodiscard]] const std::shared_ptr<const Catalogue>& builtinCatalogue() const { return builtin_; }

    /// Applies and pushes (or merges) one undo step. On refusal nothing changes and editRefused is emitted.
    bool edit(const Edit& edit, Gesture gesture = {});
    /// All of them or none, as one step named `text`.
    bool edit(const std::vector<Edit>& edits, const QString& text, Gesture gesture = {});

    void reset();  ///< File > New
    Result<void> open(const QString& path);
    /// Opens text that belongs to no file yet (a sample): Save asks for a name.
    Result<void> openText(std::string_view text, const QString& title);
    Result<void> save();  ///< to filePath(); fails when there is none
    Result<void> saveAs(const QString& path);

    [[nodiscard]] QString filePath() const { return path_; }
    [[nodiscard]] QString displayName() const;  ///< title, or file name, or "Untitled"
    [[nodiscard]] bool isModified() const { return !undo_.isClean(); }

Q_SIGNALS:
    void scenarioChanged();
    /// A different document is shown now: views fit and forget selections.
    void replaced();
    void fileStateChanged();
    void editRefused(const QString& message);

private:
    friend class SnapshotCommand;
    void show(const Scenario& scenario);
    void replace(crosspoint::Document document, const QString& path);
    bool push(Result<Scenario> next, const QString& text, Gesture gesture);

    std::shared_ptr<const Catalogue> builtin_;
    Scenario scenario_;
    std::shared_ptr<const PreservedDocument> preserved_;
    QUndoStack undo_;
    QString path_;
    quint64 generation_ = 0;
};

}  // namespace crosspoint::app
