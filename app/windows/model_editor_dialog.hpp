// Start from a known shape, change any field, see what it does to parameters, cache and step; one edit at the end.
#pragma once

#include <memory>
#include <vector>

#include <QDialog>

#include "core/scenario/scenario.hpp"

namespace crosspoint::app {

class ModelEditorDialog : public QDialog {
    Q_OBJECT
public:
    /// `models` are the shapes to start from; the scenario's own comes first.
    ModelEditorDialog(const Scenario& scenario, const std::vector<std::shared_ptr<const ModelShape>>& models,
                      QWidget* parent = nullptr);
    ~ModelEditorDialog() override;

    /// The edited shape; null while nothing differs from the scenario's.
    [[nodiscard]] std::shared_ptr<const ModelShape> model() const;
    /// Sets one field as if it were typed: the path of set_field, the text of the cell (empty = default).
    void change(const QString& path, const QString& value);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace crosspoint::app
