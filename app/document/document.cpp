#include "app/document/document.hpp"

#include <atomic>

#include <QFileInfo>
#include <QUndoCommand>

namespace crosspoint::app {

Gesture Gesture::begin() {
    static std::atomic<quint64> next{0};
    return Gesture{++next};
}

/// Swaps whole scenarios. Scenarios share their tables, so a step holds a few pointers and small structs.
class SnapshotCommand : public QUndoCommand {
public:
    SnapshotCommand(Document& document, Scenario after, const QString& text, Gesture gesture)
        : QUndoCommand(text),
          document_(document),
          before_(document.scenario()),
          after_(std::move(after)),
          gesture_(gesture.id) {}

    void undo() override { document_.show(before_); }
    void redo() override { document_.show(after_); }
    [[nodiscard]] int id() const override { return gesture_ == 0 ? -1 : 1; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const SnapshotCommand*>(other);
        if (next->gesture_ != gesture_) return false;
        after_ = next->after_;
        setText(next->text());
        setObsolete(after_ == before_);
        return true;
    }

private:
    Document& document_;
    Scenario before_, after_;
    quint64 gesture_;
};

Document::Document(std::shared_ptr<const Catalogue> builtin, QObject* parent)
    : QObject(parent), builtin_(std::move(builtin)), scenario_(empty_scenario(builtin_)) {
    connect(&undo_, &QUndoStack::cleanChanged, this, &Document::fileStateChanged);
}

bool Document::edit(const Edit& edit, Gesture gesture) {
    return push(crosspoint::apply(scenario_, edit), QString::fromStdString(describe(edit)), gesture);
}

bool Document::edit(const std::vector<Edit>& edits, const QString& text, Gesture gesture) {
    return push(crosspoint::apply(scenario_, edits), text, gesture);
}

bool Document::push(Result<Scenario> next, const QString& text, Gesture gesture) {
    if (!next) {
        Q_EMIT editRefused(QString::fromStdString(describe(next.error())));
        return false;
    }
    if (*next == scenario_) return true;
    undo_.push(new SnapshotCommand(*this, *std::move(next), text, gesture));
    return true;
}

void Document::show(const Scenario& scenario) {
    const bool renamed = scenario.title != scenario_.title;
    scenario_ = scenario;
    ++generation_;
    Q_EMIT scenarioChanged();
    if (renamed) Q_EMIT fileStateChanged();
}

void Document::replace(crosspoint::Document document, const QString& path) {
    undo_.clear();
    preserved_ = std::move(document.preserved);
    path_ = path;
    show(document.scenario);
    undo_.setClean();
    Q_EMIT replaced();
    Q_EMIT fileStateChanged();
}

void Document::reset() { replace({empty_scenario(builtin_), nullptr}, {}); }

Result<void> Document::open(const QString& path) {
    auto loaded = load_document(path.toStdString(), builtin_);
    if (!loaded) return tl::unexpected(loaded.error());
    replace(*std::move(loaded), path);
    return {};
}

Result<void> Document::openText(std::string_view text, const QString& title) {
    auto loaded = parse_document(text, title.toStdString(), builtin_);
    if (!loaded) return tl::unexpected(loaded.error());
    replace(*std::move(loaded), {});
    return {};
}

Result<void> Document::save() {
    if (path_.isEmpty()) return fail(ErrorCode::io, "the document has no file yet", "use Save as");
    return saveAs(path_);
}

Result<void> Document::saveAs(const QString& path) {
    if (auto saved = save_document({scenario_, preserved_}, path.toStdString()); !saved) return saved;
    path_ = path;
    undo_.setClean();
    Q_EMIT fileStateChanged();
    return {};
}

QString Document::displayName() const {
    if (!scenario_.title.empty()) return QString::fromStdString(scenario_.title);
    return path_.isEmpty() ? tr("Untitled") : QFileInfo(path_).completeBaseName();
}

}  // namespace crosspoint::app
